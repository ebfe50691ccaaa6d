// SPDX-License-Identifier: Apache-2.0 OR MIT
// The commands. Each add_ function describes one to the parser; parsing a command line that names it
// sets `run`, which does the work and returns an exit status (report.h).
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

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

// Writes what the last of the words may become, for the completions in completion/.
int complete(const CLI::App &app, const std::vector<std::string> &words);

} // namespace cli
