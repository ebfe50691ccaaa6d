// SPDX-License-Identifier: Apache-2.0 OR MIT
// moonbow sign: detached signatures of files or of standard input.
#include "command.h"
#include "files.h"
#include "operations.h"

#include <memory>
#include <optional>
#include <unistd.h>

namespace cli {

namespace {

struct Options {
    std::string key, output, passphrase_file;
    std::vector<std::string> files;
    bool check = false, no_check = false, force = false, json = false;
};

// Everything that stays the same from file to file.
struct Work {
    explicit Work(const Options &chosen)
        : options(chosen), secret_key(read_key(chosen.key, MOONBOW_SECRET_KEY, chosen.passphrase_file)),
          signer(*secret_key, chosen.files.size()), buffer(piece_bytes)
    {
        if (options.no_check)
            return;
        public_key = derive_public_key(*secret_key);
        verifier.emplace(*public_key, chosen.files.size());
    }

    const Options &options;
    Key secret_key, public_key; // public_key not with --no-check
    StreamSigner signer;
    std::optional<StreamVerifier> verifier;
    Memory buffer;
};

// Where the signature of a file goes; "-" is standard output.
std::string signature_path(const Options &options, const std::string &file)
{
    if (!options.output.empty())
        return options.output;
    return file == "-" ? "-" : file + ".sig";
}

void check_options(const Options &options)
{
    if (!options.output.empty() && options.files.size() > 1) {
        throw Failure("--output", "expected one FILE with it, found " + std::to_string(options.files.size()));
    }
    std::vector<Input> inputs = {{options.key, "the secret key"},
                                 {options.passphrase_file, "the passphrase"}};
    for (const std::string &file : options.files)
        inputs.push_back({file, "the message"});
    check_standard_input(inputs);
    for (const std::string &file : options.files) {
        if (signature_path(options, file) != "-")
            continue;
        if (options.json)
            throw Failure("--json", "standard output is taken by the signature; name a file with -o");
        if (isatty(STDOUT_FILENO) == 1) {
            throw Failure("standard output", "is a terminal, and a signature is binary; name a file with -o");
        }
    }
}

// Reads the message again and verifies: catches a fault while signing, and a file that changed.
void check_signature(Work &work, const Memory &signature, MessageStream &message)
{
    message.rewind();
    if (!work.verifier->verify(signature.data(), signature.size(), message, work.buffer)) {
        throw Failure(message.name(),
                      "the new signature does not verify: the file changed while it was signed, or "
                      "the computer made a fault; no signature was written");
    }
}

// Will this message be checked? What cannot be read again is not, unless --check asks for it: then it is an error.
bool will_check(const Options &options, const MessageStream &message)
{
    if (options.no_check || message.can_rewind())
        return !options.no_check;
    if (options.check)
        throw Failure(message.name(), "--check reads the message twice: expected a regular file");
    return false;
}

// Returns whether the signature was checked before it was written.
bool sign_file(Work &work, const std::string &file)
{
    const std::string path = signature_path(work.options, file);
    MessageStream message(file);
    const bool check = will_check(work.options, message);
    std::optional<OutputFile> output;
    if (path != "-")
        output.emplace(path, public_file_mode, work.options.force);
    Memory signature(work.secret_key->algorithm->parameters->signature_bytes);
    work.signer.sign(signature, message, work.buffer);
    if (check)
        check_signature(work, signature, message);
    if (output) {
        output->write(signature.data(), signature.size());
        output->commit();
    } else {
        Output standard_output(STDOUT_FILENO, "standard output");
        standard_output.write(signature.data(), signature.size());
        standard_output.flush();
    }
    if (!check && !work.options.no_check) {
        say("note: " + message.name() +
            " cannot be read a second time: its signature was not checked (--no-check leaves this note out)");
    }
    return check;
}

// Signs one file and says how it went; one that fails does not stop the others.
Json sign_and_report(Work &work, const std::string &file)
{
    Json entry{{"file", file}, {"signature", signature_path(work.options, file)}};
    try {
        entry["checked"] = sign_file(work, file);
        entry["signed"] = true;
    } catch (const Failure &failure) {
        say(failure.what());
        entry["signed"] = entry["checked"] = false;
        entry["problem"] = failure.what();
    }
    return entry;
}

int sign(const Options &options)
{
    check_options(options);
    Work work(options);
    const moonbow_algorithm &algorithm = *work.secret_key->algorithm;
    give_caution(algorithm);
    Json result{{"algorithm", algorithm.parameters->name}};
    if (work.public_key)
        result["fingerprint"] = fingerprint(*work.public_key);
    result["files"] = Json::array();
    bool all_signed = true;
    for (const std::string &file : options.files) {
        result["files"].push_back(sign_and_report(work, file));
        const Json &entry = result["files"].back();
        all_signed = all_signed && entry["signed"].get<bool>();
        if (!options.json && entry["signed"].get<bool>() && entry["signature"] != "-") {
            print(entry["signature"].get<std::string>() + ": signature of " + file +
                  (entry["checked"].get<bool>() ? "\n" : ", not checked\n"));
        }
    }
    if (options.json)
        print_json(result);
    return all_signed ? ExitGood : ExitFailed;
}

} // namespace

void add_sign(CLI::App &app, Run &run)
{
    CLI::App *command = app.add_subcommand("sign", "Sign files; the signature of FILE goes to FILE.sig");
    auto options = std::make_shared<Options>();
    command->add_option("-k,--key", options->key, "The secret key's file; - is standard input")
        ->required()
        ->type_name("NAME");
    command
        ->add_option("--passphrase-file", options->passphrase_file,
                     "Where the passphrase of an encrypted key is: one line in a file, - for standard\n"
                     "input. Without this it is asked for on the terminal")
        ->type_name("FILE");
    command
        ->add_option("FILE", options->files,
                     "What to sign; - is standard input, its signature goes to standard output")
        ->required();
    command
        ->add_option("-o,--output", options->output,
                     "Where the signature of the one FILE goes; - is standard output")
        ->type_name("SIGNATURE");
    CLI::Option *check = command->add_flag(
        "--check", options->check,
        "Sign nothing whose signature cannot be verified before it is written. Without this\n"
        "each signature is verified too, but not that of a pipe, which cannot be read twice");
    command->add_flag("--no-check", options->no_check, "Write signatures without verifying them first")
        ->excludes(check);
    command->add_flag("--force", options->force, "Replace existing signatures");
    command->add_flag("--json", options->json, "Write JSON");
    command->callback([options, &run] { run = [options] { return sign(*options); }; });
}

} // namespace cli
