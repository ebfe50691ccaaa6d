// SPDX-License-Identifier: Apache-2.0 OR MIT
// Signals and core dumps.
#include "process.h"

#include "report.h"

#include <container/file.h>
#include <csignal>
#include <cstring>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <termios.h>
#include <unistd.h>

namespace cli {

namespace {

const char *interruption(int signal_number)
{
    switch (signal_number) {
    case SIGINT:
        return "moonbow: interrupted (SIGINT); nothing unfinished was left behind\n";
    case SIGTERM:
        return "moonbow: terminated (SIGTERM); nothing unfinished was left behind\n";
    default:
        return "moonbow: hung up (SIGHUP); nothing unfinished was left behind\n";
    }
}

// The terminal to be put back; -1: none.
volatile std::sig_atomic_t terminal = -1;
struct termios terminal_settings;

// Only async-signal-safe calls. The process's memory, and any secret in it, ends with it.
extern "C" void end_by_signal(int signal_number)
{
    moonbow_file_remove_temporaries();
    if (terminal >= 0)
        tcsetattr(terminal, TCSANOW, &terminal_settings);
    const char *message = interruption(signal_number);
    if (write(STDERR_FILENO, message, std::strlen(message)) < 0)
        _exit(ExitFailed);
    _exit(ExitFailed);
}

// A signal that the parent had ignored (nohup) stays ignored.
void handle(int signal_number)
{
    struct sigaction before;
    if (sigaction(signal_number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN)
        return;
    struct sigaction action = {};
    action.sa_handler = end_by_signal;
    sigfillset(&action.sa_mask);
    sigaction(signal_number, &action, nullptr);
}

} // namespace

void install_signal_handlers()
{
    handle(SIGINT);
    handle(SIGTERM);
    handle(SIGHUP);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

void restore_terminal_on_signal(int descriptor, const struct termios &settings)
{
    terminal_settings = settings;
    terminal = descriptor;
}

void forget_terminal()
{
    terminal = -1;
}

void forbid_core_dumps()
{
    const struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_CORE, &none) != 0 || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
        throw Failure("", "cannot switch core dumps off, so no secret is held");
    }
}

} // namespace cli
