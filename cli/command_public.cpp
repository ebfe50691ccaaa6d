// SPDX-License-Identifier: Apache-2.0 OR MIT
// moonbow public: the public key of a secret key.
#include "command.h"
#include "files.h"

#include <memory>
#include <optional>
#include <unistd.h>

namespace cli {

namespace {

struct Options {
    std::string key, output, passphrase_file;
    bool der = false, force = false;
};

void write_to_standard_output(const moonbow_key &public_key, const KeyStyle &style)
{
    Encoding encoding;
    encode_key(encoding, public_key, style);
    Output output(STDOUT_FILENO, "standard output");
    output.write(encoding.bytes, encoding.bytes_len);
    output.flush();
}

int show_public(const Options &options)
{
    const bool to_file = !options.output.empty() && options.output != "-";
    const KeyStyle style{options.der, nullptr};
    check_standard_input({{options.key, "the secret key"}, {options.passphrase_file, "the passphrase"}});
    if (!to_file && options.der && isatty(STDOUT_FILENO) == 1)
        throw Failure("standard output", "is a terminal, and DER is binary; name a file with -o");
    std::optional<OutputFile> file;
    if (to_file)
        file.emplace(options.output, public_file_mode, options.force);
    const Key secret_key = read_key(options.key, MOONBOW_SECRET_KEY, options.passphrase_file);
    const Key public_key = derive_public_key(*secret_key);
    if (to_file) {
        write_key(*file, *public_key, style);
        file->commit();
    } else {
        write_to_standard_output(*public_key, style);
    }
    return ExitGood;
}

} // namespace

void add_public(CLI::App &app, Run &run)
{
    CLI::App *command = app.add_subcommand("public", "Write the public key of a secret key");
    auto options = std::make_shared<Options>();
    command->add_option("KEY", options->key, "The secret key's file; - is standard input")->required();
    command
        ->add_option("--passphrase-file", options->passphrase_file,
                     "Where the passphrase of an encrypted key is: one line in a file, - for standard\n"
                     "input. Without this it is asked for on the terminal")
        ->type_name("FILE");
    command->add_option("-o,--output", options->output, "Where to; standard output if not given")
        ->type_name("FILE");
    command->add_flag("--der", options->der, "Write DER instead of PEM");
    command->add_flag("--force", options->force, "Replace an existing file");
    command->callback([options, &run] { run = [options] { return show_public(*options); }; });
}

} // namespace cli
