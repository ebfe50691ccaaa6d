// SPDX-License-Identifier: Apache-2.0 OR MIT
// moonbow info: what a key file or a signature is.
#include "command.h"
#include "files.h"

#include <container/oid.h>
#include <memory>

namespace cli {

namespace {

struct Options {
    std::string file, passphrase_file;
    bool json = false;
};

// Signatures are raw bytes, so that only their length tells what they may be.
constexpr std::size_t longest_signature = 4096;

void print_entries(const std::string &file, const Json &entries)
{
    std::string text = file + "\n";
    for (const auto &[name, value] : entries.items()) {
        const std::string shown = value.is_string() ? value.get<std::string>() : value.dump();
        text += "  " + name + std::string(name.size() < 22 ? 22 - name.size() : 1, ' ') + shown + "\n";
    }
    print(text);
}

// The facts about a key, and of a secret key its public key's fingerprint, by which to recognise it.
int describe_key(const Options &options, const Encoding &contents)
{
    bool encrypted = false;
    const Key key =
        decode_key(contents, input_name(options.file), MOONBOW_ANY_KEY, options.passphrase_file, &encrypted);
    const moonbow_parameters &parameters = *key->algorithm->parameters;
    const Key derived = key->kind == MOONBOW_SECRET_KEY ? derive_public_key(*key) : nullptr;
    Json entries{{"kind", std::string(kind_text(key->kind)) + " key"},
                 {"algorithm", parameters.name},
                 {"title", parameters.title},
                 {"security", moonbow_security_text(parameters.security)},
                 {"caution", parameters.caution},
                 {"fingerprint", fingerprint(derived ? *derived : *key)},
                 {"object_identifier", moonbow_oid_of_algorithm(parameters.name)},
                 {"public_key_bytes", parameters.public_key_bytes},
                 {"secret_key_bytes", parameters.secret_key_bytes},
                 {"signature_bytes", parameters.signature_bytes}};
    if (key->kind == MOONBOW_SECRET_KEY)
        entries["encrypted"] = encrypted;
    if (options.json) {
        Json result{{"file", options.file}};
        result.update(entries);
        print_json(result);
    } else {
        print_entries(input_name(options.file), entries);
    }
    return ExitGood;
}

// The algorithms whose signatures are this long.
Json algorithms_of_length(std::size_t bytes)
{
    Json algorithms = Json::array();
    for (std::size_t i = 0; const moonbow_algorithm *algorithm = moonbow_algorithm_at(i); i++) {
        const moonbow_parameters &parameters = *algorithm->parameters;
        if (parameters.signature_bytes != bytes)
            continue;
        algorithms.push_back({{"name", parameters.name},
                              {"security", moonbow_security_text(parameters.security)},
                              {"caution", parameters.caution}});
    }
    return algorithms;
}

int describe_signature(const Options &options, std::size_t bytes)
{
    const Json algorithms = algorithms_of_length(bytes);
    if (algorithms.empty()) {
        const std::string found = bytes > longest_signature ? "more than " + std::to_string(longest_signature)
                                                            : std::to_string(bytes);
        throw Failure(input_name(options.file), "expected a key in PEM or DER, or a signature, found " +
                                                    found +
                                                    " bytes that are no key and as long as no signature");
    }
    if (options.json) {
        print_json(Json{
            {"file", options.file}, {"kind", "signature"}, {"bytes", bytes}, {"algorithms", algorithms}});
        return ExitGood;
    }
    std::string text = input_name(options.file) + "\n  signature of " + std::to_string(bytes) +
                       " bytes (or any file of that length), as these algorithms make:\n";
    for (const Json &algorithm : algorithms) {
        text += "  " + algorithm["name"].get<std::string>() + " (" +
                algorithm["security"].get<std::string>() + ")\n";
    }
    print(text);
    return ExitGood;
}

int info(const Options &options)
{
    check_standard_input({{options.file, "what is described"}, {options.passphrase_file, "the passphrase"}});
    Encoding contents;
    read_contents(contents, options.file);
    if (contents.bytes_len == 0)
        throw Failure(input_name(options.file),
                      "expected a key in PEM or DER, or a signature, found an empty file");
    if (moonbow_key_form_of(contents.bytes, contents.bytes_len) != MOONBOW_KEY_NEITHER)
        return describe_key(options, contents);
    return describe_signature(options, contents.bytes_len);
}

} // namespace

void add_info(CLI::App &app, Run &run)
{
    CLI::App *command = app.add_subcommand("info", "Say what a key file or a signature is");
    auto options = std::make_shared<Options>();
    command
        ->add_option("FILE", options->file, "A secret key, a public key or a signature; - is standard input")
        ->required();
    command
        ->add_option("--passphrase-file", options->passphrase_file,
                     "Where the passphrase of an encrypted key is: one line in a file, - for standard\n"
                     "input. Without this it is asked for on the terminal")
        ->type_name("FILE");
    command->add_flag("--json", options->json, "Write JSON");
    command->callback([options, &run] { run = [options] { return info(*options); }; });
}

} // namespace cli
