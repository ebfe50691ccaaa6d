// SPDX-License-Identifier: Apache-2.0 OR MIT
// moonbow verify: do detached signatures belong to files and to this public key?
#include "command.h"
#include "files.h"
#include "operations.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <memory>

namespace cli {

namespace {

struct Options {
    std::string key, signature;
    std::vector<std::string> files;
    unsigned jobs = 1;
    bool json = false;
};

// Files that share a walk through the key.
constexpr std::size_t batch_most = 64;

// What became of one file.
struct Result {
    int status;          // ExitGood, ExitNotVerified or ExitFailed
    std::string problem; // unless good
};

struct Work {
    explicit Work(const Options &chosen)
        : options(chosen), public_key(read_key(chosen.key, MOONBOW_PUBLIC_KEY)),
          key_fingerprint(fingerprint(*public_key)), key(*public_key, chosen.files.size())
    {
    }

    const Options &options;
    Key public_key;
    std::string key_fingerprint;
    VerifyingKey key;
};

void check_options(const Options &options)
{
    if (!options.signature.empty() && options.files.size() > 1) {
        throw Failure("--signature",
                      "expected one FILE with it, found " + std::to_string(options.files.size()));
    }
    const bool reads_input = std::count(options.files.begin(), options.files.end(), "-") > 0;
    if (reads_input && options.signature.empty()) {
        throw Failure("standard input", "its signature has no name of its own; name it with -s");
    }
    std::vector<Input> inputs = {{options.key, "the public key"}};
    for (const std::string &file : options.files)
        inputs.push_back({file, "the message"});
    inputs.push_back({options.signature, "the signature"});
    check_standard_input(inputs);
}

std::string signature_path(const Options &options, const std::string &file)
{
    return options.signature.empty() ? file + ".sig" : options.signature;
}

std::string wrong_length(const Work &work, std::size_t found)
{
    const moonbow_parameters &parameters = *work.public_key->algorithm->parameters;
    const std::size_t expected = parameters.signature_bytes;
    return "expected a " + std::string(parameters.name) + " signature of " + std::to_string(expected) +
           " bytes, found " +
           (found > expected ? "more than " + std::to_string(expected) : std::to_string(found));
}

Result bad(const Work &work, const std::string &file)
{
    return {ExitNotVerified, input_name(file) + ": the signature " + input_name(signature_path(work.options, file)) +
                                 " does not verify under key " + work.key_fingerprint +
                                 ": the file or the signature was changed, or another key signed it"};
}

// What one thread does.
class Worker {
  public:
    explicit Worker(const Work &work)
        : work_(work), verifier_(work.key, std::min(batch_most, work.options.files.size())),
          signature_(work.public_key->algorithm->parameters->signature_bytes + 1), buffer_(piece_bytes)
    {
    }

    // The files [first, end), at most a batch.
    void verify(std::vector<Result> &results, std::size_t first, std::size_t end)
    {
        std::vector<std::size_t> waiting;
        for (std::size_t i = first; i < end; i++) {
            try {
                if (add(results[i], work_.options.files[i]))
                    waiting.push_back(i);
            } catch (const Failure &failure) {
                results[i] = {ExitFailed, failure.what()};
            }
        }
        const std::vector<bool> good = verifier_.finish();
        for (std::size_t w = 0; w < waiting.size(); w++)
            results[waiting[w]] = good[w] ? Result{ExitGood, ""} : bad(work_, work_.options.files[waiting[w]]);
    }

  private:
    // false if the signature's length already decides, which then is the result.
    bool add(Result &result, const std::string &file)
    {
        const std::string path = signature_path(work_.options, file);
        const std::size_t expected = signature_.size() - 1;
        MessageStream message(file);
        const std::size_t found = read_bounded(path, signature_.data(), expected);
        if (found != expected) {
            result = {ExitNotVerified, input_name(path) + ": " + wrong_length(work_, found)};
            return false;
        }
        verifier_.add(signature_.data(), found, message, buffer_);
        return true;
    }

    const Work &work_;
    BatchVerifier verifier_;
    Memory signature_; // with room for one byte too many
    Memory buffer_;
};

// Batch after batch, by as many threads as were asked for, as far as there are batches for them.
std::vector<Result> verify_all(const Work &work)
{
    const std::size_t files_len = work.options.files.size();
    const std::size_t batches = (files_len + batch_most - 1) / batch_most;
    std::vector<Result> results(files_len);
    std::atomic<std::size_t> next{0};
    const auto run = [&] {
        Worker worker(work);
        for (std::size_t b = next++; b < batches; b = next++)
            worker.verify(results, b * batch_most, std::min(files_len, (b + 1) * batch_most));
    };
    std::vector<std::future<void>> others;
    for (std::size_t t = 1; t < std::min<std::size_t>(work.options.jobs, batches); t++)
        others.push_back(std::async(std::launch::async, run));
    run();
    for (std::future<void> &other : others)
        other.get();
    return results;
}

const char *verdict(int status)
{
    return status == ExitGood ? "good" : status == ExitNotVerified ? "bad" : "not checked";
}

int verify(const Options &options)
{
    check_options(options);
    const Work work(options);
    const moonbow_parameters &parameters = *work.public_key->algorithm->parameters;
    give_caution(*work.public_key->algorithm);
    Json files = Json::array();
    int worst = ExitGood;
    const std::vector<Result> results = verify_all(work);
    for (std::size_t i = 0; i < results.size(); i++) {
        const std::string &file = options.files[i];
        const Result &result = results[i];
        worst = std::max(worst, result.status);
        Json entry{{"file", file},
                   {"signature", signature_path(options, file)},
                   {"verdict", verdict(result.status)}};
        if (result.status != ExitGood) {
            say(result.problem);
            entry["problem"] = result.problem;
        } else if (!options.json) {
            print(file + ": good signature by " + parameters.name + " key " + work.key_fingerprint + "\n");
        }
        files.push_back(entry);
    }
    if (options.json) {
        print_json(Json{{"algorithm", parameters.name},
                        {"security", moonbow_security_text(parameters.security)},
                        {"fingerprint", work.key_fingerprint},
                        {"files", files}});
    }
    return worst;
}

} // namespace

void add_verify(CLI::App &app, Run &run)
{
    CLI::App *command = app.add_subcommand("verify", "Verify the signatures FILE.sig of files");
    auto options = std::make_shared<Options>();
    command->add_option("-p,--public-key", options->key, "The public key's file; - is standard input")
        ->required()
        ->type_name("NAME.pub");
    command->add_option("FILE", options->files, "What was signed; - is standard input")->required();
    command
        ->add_option("-s,--signature", options->signature,
                     "The signature of the one FILE; - is standard input")
        ->type_name("SIGNATURE");
    command->add_option("-j,--jobs", options->jobs, "Threads; the files go through the key in batches of 64")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    command->add_flag("--json", options->json, "Write JSON");
    command->footer(
        "Exit status: 0 every signature is good, 1 one does not verify, 2 one could not be checked.");
    command->callback([options, &run] { run = [options] { return verify(*options); }; });
}

} // namespace cli
