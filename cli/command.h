// SPDX-License-Identifier: Apache-2.0 OR MIT
// The commands. Each add_ function describes one to the parser; parsing a command line that names it
// sets `run`, which does the work and returns an exit status (report.h).
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace cli {

using Run = std::function<int()>;

void add_list(CLI::App &app, Run &run);
void add_keygen(CLI::App &app, Run &run);
void add_sign(CLI::App &app, Run &run);
void add_verify(CLI::App &app, Run &run);
void add_info(CLI::App &app, Run &run);
void add_public(CLI::App &app, Run &run);
void add_kat(CLI::App &app, Run &run);
void add_bench(CLI::App &app, Run &run);

} // namespace cli
