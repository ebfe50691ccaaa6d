// SPDX-License-Identifier: Apache-2.0 OR MIT
// moonbow: the command line. Describes the commands, runs one, turns every error into one message.
#include "command.h"
#include "process.h"
#include "report.h"
#include "secret_heap.h"

#include <moonbow/signature.h>
#include <new>

namespace {

void describe(CLI::App &app, cli::Run &run)
{
    app.name("moonbow");
    app.set_version_flag("--version", std::string("moonbow ") + moonbow_version());
    app.require_subcommand(1);
    app.footer("Exit status: 0 good, 1 a signature does not verify, 2 anything else.\n"
               "Rainbow is broken at level I and weakened above: for research, comparison, teaching and\n"
               "reading old signatures, not for new systems. `moonbow list` says more.");
    cli::add_list(app, run);
    cli::add_keygen(app, run);
    cli::add_sign(app, run);
    cli::add_verify(app, run);
    cli::add_info(app, run);
    cli::add_public(app, run);
    cli::add_kat(app, run);
    cli::add_bench(app, run);
}

// --help and --version arrive as errors, too, with exit code 0.
int report_parse_error(const CLI::App &app, const CLI::ParseError &error)
{
    if (error.get_exit_code() == 0)
        return app.exit(error);
    std::string help = "moonbow";
    for (const CLI::App *command : app.get_subcommands())
        help += " " + command->get_name();
    cli::say(std::string(error.what()) + " (see " + help + " --help)");
    return cli::ExitFailed;
}

int parse_and_run(int argc, char **argv)
{
    CLI::App app("Multivariate post-quantum signatures.");
    cli::Run run;
    describe(app, run);
    if (argc > 1 && std::string(argv[1]) == "__complete") // asked by the shells' completions, and in no help
        return cli::complete(app, {argv + 2, argv + argc});
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return report_parse_error(app, error);
    }
    return run();
}

} // namespace

int main(int argc, char **argv)
{
    cli::install_signal_handlers();
    try {
        cli::guard_libcrypto();
        return parse_and_run(argc, argv);
    } catch (const std::bad_alloc &) {
        cli::say("out of memory");
    } catch (const std::exception &error) {
        cli::say(error.what());
    }
    return cli::ExitFailed;
}
