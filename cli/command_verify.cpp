// SPDX-License-Identifier: Apache-2.0 OR MIT
// moonbow verify: do detached signatures belong to files and to this public key?
#include "command.h"
#include "files.h"
#include "operations.h"

#include <algorithm>
#include <memory>

namespace cli {

namespace {

struct Options {
    std::string key, signature;
    std::vector<std::string> files;
    bool json = false;
};

// What became of one file.
struct Result {
    int status;          // ExitGood, ExitNotVerified or ExitFailed
    std::string problem; // unless good
};

struct Work {
    explicit Work(const Options &chosen)
        : options(chosen), public_key(read_key(chosen.key, MOONBOW_PUBLIC_KEY)),
          key_fingerprint(fingerprint(*public_key)), verifier(*public_key, chosen.files.size()),
          signature(public_key->algorithm->parameters->signature_bytes + 1), buffer(piece_bytes)
    {
    }

    const Options &options;
    Key public_key;
    std::string key_fingerprint;
    StreamVerifier verifier;
    Memory signature; // with room for one byte too many
    Memory buffer;
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

// Verifies one file; Failures are left to the caller.
Result verify_file(Work &work, const std::string &file)
{
    const std::string path = signature_path(work.options, file);
    const std::size_t expected = work.signature.size() - 1;
    MessageStream message(file);
    const std::size_t found = read_bounded(path, work.signature.data(), expected);
    const std::string name = input_name(path);
    if (found != expected)
        return {ExitNotVerified, name + ": " + wrong_length(work, found)};
    if (work.verifier.verify(work.signature.data(), found, message, work.buffer))
        return {ExitGood, ""};
    return {ExitNotVerified, message.name() + ": the signature " + name + " does not verify under key " +
                                 work.key_fingerprint +
                                 ": the file or the signature was changed, or another key signed it"};
}

Result verify_or_fail(Work &work, const std::string &file)
{
    try {
        return verify_file(work, file);
    } catch (const Failure &failure) {
        return {ExitFailed, failure.what()};
    }
}

const char *verdict(int status)
{
    return status == ExitGood ? "good" : status == ExitNotVerified ? "bad" : "not checked";
}

int verify(const Options &options)
{
    check_options(options);
    Work work(options);
    const moonbow_parameters &parameters = *work.public_key->algorithm->parameters;
    give_caution(*work.public_key->algorithm);
    Json files = Json::array();
    int worst = ExitGood;
    for (const std::string &file : options.files) {
        const Result result = verify_or_fail(work, file);
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
    command->add_flag("--json", options->json, "Write JSON");
    command->footer(
        "Exit status: 0 every signature is good, 1 one does not verify, 2 one could not be checked.");
    command->callback([options, &run] { run = [options] { return verify(*options); }; });
}

} // namespace cli
