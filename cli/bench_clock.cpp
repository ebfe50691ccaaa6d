// SPDX-License-Identifier: Apache-2.0 OR MIT
// Time stamps and quartiles.
#include "bench_clock.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace cli {

namespace {

// The fences keep the measured work between the two stamps.
std::uint64_t read_ticks()
{
#if defined(__x86_64__)
    _mm_lfence();
    const std::uint64_t ticks = __rdtsc();
    _mm_lfence();
    return ticks;
#elif defined(__aarch64__)
    std::uint64_t ticks;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks)::"memory");
    return ticks;
#else
    return 0;
#endif
}

std::uint64_t read_nanoseconds()
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1000000000u + static_cast<std::uint64_t>(time.tv_nsec);
}

// Between the two nearest ranks, linearly.
double quantile(const std::vector<std::uint64_t> &sorted, double part)
{
    const double rank = part * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(rank);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double weight = rank - static_cast<double>(below);
    return static_cast<double>(sorted[below]) * (1 - weight) + static_cast<double>(sorted[above]) * weight;
}

Quartiles quartiles(std::vector<std::uint64_t> values)
{
    if (values.empty())
        return {0, 0, 0};
    std::sort(values.begin(), values.end());
    return {quantile(values, 0.25), quantile(values, 0.5), quantile(values, 0.75)};
}

Json as_json(const Quartiles &quartiles)
{
    return Json{{"lower_quartile", std::llround(quartiles.lower)},
                {"median", std::llround(quartiles.median)},
                {"upper_quartile", std::llround(quartiles.upper)}};
}

} // namespace

Moment now()
{
    return {read_ticks(), read_nanoseconds()};
}

const char *tick_source()
{
#if defined(__x86_64__)
    return "time-stamp counter";
#elif defined(__aarch64__)
    return "generic timer";
#else
    return "none";
#endif
}

double tick_hertz()
{
    const Moment start = now();
    Moment end = start;
    while (end.nanoseconds - start.nanoseconds < 20000000)
        end = now();
    return 1e9 * static_cast<double>(end.ticks - start.ticks) /
           static_cast<double>(end.nanoseconds - start.nanoseconds);
}

void Samples::add(const Moment &before, const Moment &after, std::uint64_t uses)
{
    ticks_.push_back((after.ticks - before.ticks) / uses);
    nanoseconds_.push_back((after.nanoseconds - before.nanoseconds) / uses);
}

Quartiles Samples::ticks() const
{
    return quartiles(ticks_);
}

Quartiles Samples::nanoseconds() const
{
    return quartiles(nanoseconds_);
}

Json Samples::as_json() const
{
    return Json{
        {"samples", size()}, {"ticks", cli::as_json(ticks())}, {"nanoseconds", cli::as_json(nanoseconds())}};
}

} // namespace cli
