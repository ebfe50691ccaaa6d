// SPDX-License-Identifier: Apache-2.0 OR MIT
// A key pair's seed from a file.
#pragma once

#include "keys.h"

#include <string>

namespace cli {

// Fills the seed from a file ("-": standard input) of hexadecimal digits; blanks and line ends do not
// count. A Failure names the file and says what was found.
void read_seed(Memory &seed, const std::string &file);

} // namespace cli
