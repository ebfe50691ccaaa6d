// SPDX-License-Identifier: Apache-2.0 OR MIT
// What a measurement was made on and with.
#include "bench_machine.h"

#include "bench_clock.h"

#include <cmath>
#include <ctime>
#include <fstream>
#include <moonbow/signature.h>
#include <string>
#include <sys/utsname.h>
#include <thread>

namespace cli {

namespace {

// The value of the first line of /proc/cpuinfo with this name; "" if there is none.
std::string processor_fact(const std::string &name)
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(':');
        if (line.compare(0, name.size(), name) != 0 || colon == std::string::npos)
            continue;
        const std::size_t start = line.find_first_not_of(" \t", colon + 1);
        return start == std::string::npos ? "" : line.substr(start);
    }
    return "";
}

std::string processor_model()
{
    const std::string model = processor_fact("model name");
    if (!model.empty())
        return model;
    const std::string part = processor_fact("CPU part");
    return part.empty() ? "unknown" : "implementer " + processor_fact("CPU implementer") + ", part " + part;
}

std::string compiler()
{
#if defined(__clang__)
    return std::string("clang ") + __clang_version__;
#elif defined(__GNUC__)
    return std::string("gcc ") + __VERSION__;
#else
    return "unknown";
#endif
}

std::string time_of_day()
{
    char text[32];
    const std::time_t seconds = std::time(nullptr);
    std::tm time;
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &time));
    return text;
}

} // namespace

Json describe_machine()
{
    struct utsname system = {};
    uname(&system);
    return Json{{"moonbow", moonbow_version()},
                {"compiler", compiler()},
                {"processor", processor_model()},
                {"architecture", system.machine},
                {"processors", std::thread::hardware_concurrency()},
                {"system", std::string(system.sysname) + " " + system.release},
                {"tick_source", tick_source()},
                {"tick_hertz", std::llround(tick_hertz())},
                {"time", time_of_day()}};
}

} // namespace cli
