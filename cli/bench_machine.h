// SPDX-License-Identifier: Apache-2.0 OR MIT
// What a measurement was made on and with.
#pragma once

#include "report.h"

namespace cli {

// Version, compiler, processor, cores, operating system, ticks, time of day.
Json describe_machine();

} // namespace cli
