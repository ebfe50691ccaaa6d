// SPDX-License-Identifier: Apache-2.0 OR MIT
// moonbow kat: known answers as NIST's PQCgenKAT_sign writes them (.rsp), byte for byte.
#include "command.h"
#include "keys.h"
#include "message_stream.h"
#include "nist_generator.h"

#include <memory>
#include <unistd.h>
#include <vector>

namespace cli {

namespace {

struct Options {
    std::string algorithm;
    unsigned count = 100;
};

// One algorithm's keys and memory, used for every vector.
class Vectors {
  public:
    Vectors(const moonbow_algorithm &algorithm, Output &output)
        : algorithm_(algorithm), output_(output), public_key_(algorithm.parameters->public_key_bytes),
          secret_key_(algorithm.parameters->secret_key_bytes),
          signature_(algorithm.parameters->signature_bytes),
          generate_scratch_(moonbow_generate_scratch_bytes(algorithm.generator, MOONBOW_FAST), MOONBOW_FAST),
          sign_scratch_(moonbow_sign_scratch_bytes(algorithm.signer, MOONBOW_FAST), MOONBOW_FAST)
    {
    }

    void write(unsigned count, const NistGenerator::Seed &seed, const std::vector<std::uint8_t> &message);

  private:
    void make_answers(const NistGenerator::Seed &seed, const std::vector<std::uint8_t> &message);
    void line(const char *name, const std::uint8_t *bytes, std::size_t bytes_len);

    const moonbow_algorithm &algorithm_;
    Output &output_;
    Memory public_key_, secret_key_, signature_;
    Scratch generate_scratch_, sign_scratch_;
};

// Key generation and signing draw from one fresh generator.
void Vectors::make_answers(const NistGenerator::Seed &seed, const std::vector<std::uint8_t> &message)
{
    NistGenerator generator(seed);
    const moonbow_random random = generator.as_random();
    require_ok(moonbow_generate(algorithm_.generator, public_key_.data(), public_key_.size(),
                                secret_key_.data(), secret_key_.size(), &random, generate_scratch_.get()),
               "key generation");
    require_ok(moonbow_sign(algorithm_.signer, signature_.data(), signature_.size(), message.data(),
                            message.size(), secret_key_.data(), secret_key_.size(), &random,
                            sign_scratch_.get()),
               "signing");
}

void Vectors::line(const char *name, const std::uint8_t *bytes, std::size_t bytes_len)
{
    output_.write(name);
    output_.write(" = ");
    output_.write_hex(bytes, bytes_len);
    output_.write("\n");
}

void Vectors::write(unsigned count, const NistGenerator::Seed &seed, const std::vector<std::uint8_t> &message)
{
    make_answers(seed, message);
    output_.write("count = " + std::to_string(count) + "\n");
    line("seed", seed.data(), seed.size());
    output_.write("mlen = " + std::to_string(message.size()) + "\n");
    line("msg", message.data(), message.size());
    line("pk", public_key_.data(), public_key_.size());
    line("sk", secret_key_.data(), secret_key_.size());
    output_.write("smlen = " + std::to_string(message.size() + signature_.size()) + "\n");
    output_.write("sm = ");
    output_.write_hex(message.data(), message.size());
    output_.write_hex(signature_.data(), signature_.size());
    output_.write("\n\n");
    output_.flush();
}

// The outer generator starts from 00 01 ... 2f and draws a seed and a message for each vector [RB3 §8].
int kat(const Options &options)
{
    const moonbow_algorithm &algorithm = find_algorithm(options.algorithm);
    NistGenerator::Seed seed;
    for (std::size_t i = 0; i < seed.size(); i++)
        seed[i] = static_cast<std::uint8_t>(i);
    NistGenerator outer(seed);
    Output output(STDOUT_FILENO, "standard output");
    Vectors vectors(algorithm, output);
    Progress progress(options.algorithm, options.count, "vectors");
    output.write(std::string("# ") + algorithm.parameters->title + "\n\n");
    for (unsigned count = 0; count < options.count; count++) {
        std::vector<std::uint8_t> message(33 * (std::size_t{count} + 1));
        outer.draw(seed.data(), seed.size());
        outer.draw(message.data(), message.size());
        vectors.write(count, seed, message);
        progress.advance_to(count + 1);
    }
    output.flush();
    return ExitGood;
}

} // namespace

void add_kat(CLI::App &app, Run &run)
{
    CLI::App *command = app.add_subcommand("kat", "Write NIST's known-answer file (.rsp) to standard output");
    auto options = std::make_shared<Options>();
    command->add_option("ALGORITHM", options->algorithm, "An algorithm of `moonbow list`")->required();
    command->add_option("--count", options->count, "How many vectors; NIST's files have 100")
        ->capture_default_str()
        ->check(CLI::Range(1, 10000));
    command->callback([options, &run] { run = [options] { return kat(*options); }; });
}

} // namespace cli
