// SPDX-License-Identifier: Apache-2.0 OR MIT
// Memory of every operation: the scratch it asks for, and the stack it is seen to use.
#pragma once

#include "report.h"

#include <functional>
#include <moonbow/signature.h>
#include <vector>

namespace cli {

// Runs the work on a painted stack of its own and returns how many bytes below the caller's frame it
// wrote to. Work that throws is not allowed. Run it once before: the first call may bind symbols there.
std::size_t measure_stack(const std::function<void()> &work);

struct MemoryFigure {
    std::string operation;
    moonbow_mode mode;
    std::size_t scratch_bytes, stack_bytes;
};

// keygen (into sinks that drop the keys), sign, verify, and verify with the key in pieces, in both modes.
std::vector<MemoryFigure> measure_memory(const moonbow_algorithm &algorithm);

const char *mode_text(moonbow_mode mode);

} // namespace cli
