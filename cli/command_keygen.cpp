// SPDX-License-Identifier: Apache-2.0 OR MIT
// moonbow keygen: a new key pair in two files, NAME (secret, mode 0600) and NAME.pub.
#include "command.h"
#include "files.h"
#include "keys.h"
#include "passphrase.h"
#include "process.h"
#include "seed_file.h"

#include <memory>
#include <optional>

namespace cli {

namespace {

struct Options {
    std::string algorithm, name, seed_file, passphrase_file;
    bool encrypt = false, der = false, force = false, json = false;
};

// Makes the pair, from the seed file if there is one.
void generate(Key &public_key, Key &secret_key, const moonbow_algorithm &algorithm, const Options &options)
{
    const bool seeded = !options.seed_file.empty();
    Memory seed(seeded ? algorithm.parameters->generate_random_bytes : 0, Contents::Secret);
    if (seeded)
        read_seed(seed, options.seed_file);
    moonbow_key *new_public = nullptr, *new_secret = nullptr;
    const int status = moonbow_key_generate(&new_public, &new_secret, &algorithm, nullptr,
                                            seeded ? seed.data() : nullptr, seed.size(), MOONBOW_FAST);
    if (status != MOONBOW_OK) {
        throw Failure(options.name, std::string(moonbow_container_text(status)) + "; no key was written");
    }
    public_key.reset(new_public);
    secret_key.reset(new_secret);
}

void report(const Options &options, const moonbow_parameters &parameters, const moonbow_key &public_key)
{
    const std::string public_name = options.name + ".pub";
    if (options.json) {
        print_json(Json{{"algorithm", parameters.name},
                        {"security", moonbow_security_text(parameters.security)},
                        {"secret_key", options.name},
                        {"public_key", public_name},
                        {"encrypted", options.encrypt},
                        {"fingerprint", fingerprint(public_key)}});
    } else {
        print(options.name +
              (options.encrypt ? ": secret key, encrypted\n" : ": secret key, keep it to yourself\n") +
              public_name + ": public key\n" + parameters.name + " " + fingerprint(public_key) + "\n");
    }
}

// The passphrase to encrypt with, if one was asked for.
std::optional<Passphrase> new_passphrase(const Options &options)
{
    if (!options.encrypt)
        return std::nullopt;
    return options.passphrase_file.empty() ? Passphrase::new_of_terminal(options.name)
                                           : Passphrase::of_file(options.passphrase_file);
}

int keygen(const Options &options)
{
    const moonbow_algorithm &algorithm = find_algorithm(options.algorithm);
    if (options.name == "-")
        throw Failure("--output", "expected a file name, found -: a key pair is two files");
    check_standard_input({{options.seed_file, "the seed"}, {options.passphrase_file, "the passphrase"}});
    give_caution(algorithm);
    forbid_core_dumps();
    // Both files are begun before the work, so that what cannot be written is known at once.
    OutputFile secret_file(options.name, secret_file_mode, options.force);
    OutputFile public_file(options.name + ".pub", public_file_mode, options.force);
    const std::optional<Passphrase> passphrase = new_passphrase(options);
    const moonbow_passphrase passphrase_bytes =
        passphrase ? passphrase->get() : moonbow_passphrase{nullptr, 0};
    Key public_key, secret_key;
    generate(public_key, secret_key, algorithm, options);
    write_key(secret_file, *secret_key, {options.der, passphrase ? &passphrase_bytes : nullptr});
    write_key(public_file, *public_key, {options.der, nullptr});
    OutputFile::commit_both(secret_file, public_file);
    report(options, *algorithm.parameters, *public_key);
    return ExitGood;
}

} // namespace

void add_keygen(CLI::App &app, Run &run)
{
    CLI::App *command = app.add_subcommand("keygen", "Make a key pair: NAME and NAME.pub");
    auto options = std::make_shared<Options>();
    command->add_option("ALGORITHM", options->algorithm, "An algorithm of `moonbow list`")->required();
    command->add_option("-o,--output", options->name, "The secret key's file; the public key's is NAME.pub")
        ->required()
        ->type_name("NAME");
    command
        ->add_option("--seed-file", options->seed_file,
                     "Derive the pair from a seed: hexadecimal digits in a file, - for standard input.\n"
                     "Whoever knows the seed has the secret key")
        ->type_name("FILE");
    CLI::Option *encrypt =
        command->add_flag("--encrypt", options->encrypt,
                          "Encrypt the secret key under a passphrase, asked for on the terminal");
    command
        ->add_option("--passphrase-file", options->passphrase_file,
                     "Where the passphrase is instead: one line in a file, - for standard input")
        ->needs(encrypt)
        ->type_name("FILE");
    command->add_flag("--der", options->der, "Write both keys in DER instead of PEM");
    command->add_flag("--force", options->force, "Replace existing files");
    command->add_flag("--json", options->json, "Write JSON");
    command->footer("A set that is broken or legacy comes with a caution on standard error.");
    command->callback([options, &run] { run = [options] { return keygen(*options); }; });
}

} // namespace cli
