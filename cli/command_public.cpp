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
    std::string key, output;
    bool force = false;
};

void write_to_standard_output(const moonbow_key &public_key)
{
    moonbow_encoding pem;
    require_ok(moonbow_key_to_pem(&pem, &public_key), "encoding the key");
    const std::string text(reinterpret_cast<const char *>(pem.bytes), pem.bytes_len);
    moonbow_encoding_free(&pem);
    print(text);
}

int show_public(const Options &options)
{
    const bool to_file = !options.output.empty() && options.output != "-";
    std::optional<OutputFile> file;
    if (to_file)
        file.emplace(options.output, public_file_mode, options.force);
    const Key secret_key = read_key(options.key, MOONBOW_SECRET_KEY);
    const Key public_key = derive_public_key(*secret_key);
    if (to_file) {
        write_key(*file, *public_key);
        file->commit();
    } else {
        write_to_standard_output(*public_key);
    }
    return ExitGood;
}

} // namespace

void add_public(CLI::App &app, Run &run)
{
    CLI::App *command = app.add_subcommand("public", "Write the public key of a secret key");
    auto options = std::make_shared<Options>();
    command->add_option("KEY", options->key, "The secret key's file")->required();
    command->add_option("-o,--output", options->output, "Where to; standard output if not given")
        ->type_name("FILE");
    command->add_flag("--force", options->force, "Replace an existing file");
    command->callback([options, &run] { run = [options] { return show_public(*options); }; });
}

} // namespace cli
