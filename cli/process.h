// SPDX-License-Identifier: Apache-2.0 OR MIT
// What the process promises: no half-written file after a signal, no secret in a core dump.
#pragma once

struct termios;

namespace cli {

// Signals that end the tool remove unfinished files first and end it with status 2; a closed pipe and a
// file-size limit become ordinary write errors.
void install_signal_handlers();

// Lets the signals that end the tool first put a terminal back as it was; the descriptor stays open until forgotten.
void restore_terminal_on_signal(int descriptor, const struct termios &settings);
void forget_terminal();

// No core dump and no tracing by other processes of this user. Call before a secret is held.
void forbid_core_dumps();

} // namespace cli
