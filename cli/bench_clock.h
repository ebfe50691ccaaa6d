// SPDX-License-Identifier: Apache-2.0 OR MIT
// Time stamps and what is made of many of them.
#pragma once

#include "report.h"

#include <cstdint>
#include <vector>

namespace cli {

// One moment on two clocks. ticks: the time-stamp counter (x86-64), which runs at a constant rate and not
// at the core's, or the generic timer (AArch64); 0 where there is neither.
struct Moment {
    std::uint64_t ticks;
    std::uint64_t nanoseconds;
};

Moment now();

// "time-stamp counter", "generic timer" or "none".
const char *tick_source();

// How often the ticks come, measured over some milliseconds; 0 without ticks.
double tick_hertz();

struct Quartiles {
    double lower, median, upper;
};

// Measurements of one operation.
class Samples {
  public:
    // What lies between the moments was `uses` uses of the operation; the sample is one of them.
    void add(const Moment &before, const Moment &after, std::uint64_t uses = 1);
    std::size_t size() const
    {
        return nanoseconds_.size();
    }
    Quartiles ticks() const;
    Quartiles nanoseconds() const;
    Json as_json() const;

  private:
    std::vector<std::uint64_t> ticks_, nanoseconds_;
};

} // namespace cli
