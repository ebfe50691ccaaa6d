// SPDX-License-Identifier: Apache-2.0 OR MIT
// moonbow bench: time and memory of every operation, alone or against other libraries.
// The contestants (bench_contestant.h, bench_nist_library.h) take turns call by call.
#include "bench_clock.h"
#include "bench_contestant.h"
#include "bench_machine.h"
#include "bench_memory.h"
#include "bench_nist_library.h"
#include "command.h"
#include "files.h"
#include "message_stream.h"
#include "process.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

namespace cli {

namespace {

struct Options {
    std::vector<std::string> algorithms, operations, libraries;
    std::string mode = "fast", json;
    double seconds = 0.5;
    std::size_t message_bytes = 64;
    bool memory = false, force = false;
};

constexpr std::size_t samples_min = 5, samples_max = 20000;

constexpr Operation all_operations[] = {
    Operation::Keygen,        Operation::Sign,         Operation::Verify,         Operation::Batch,
    Operation::PreparePublic, Operation::PrepareSecret, Operation::SignPrepared, Operation::VerifyPrepared};

// One contestant's measurements of one operation.
struct Measurement {
    Contestant *contestant;
    Samples samples;
};

// ---- Time -------------------------------------------------------------------------------------------

void time_once(Contestant &contestant, Operation operation, std::uint64_t round, Messages &messages,
               Samples &samples)
{
    // Verification goes round through the messages that set_up signed.
    const bool verifies = operation == Operation::Verify || operation == Operation::VerifyPrepared;
    const auto &message = messages.of_round(verifies ? round % signed_messages_len : round);
    const Moment before = now();
    contestant.perform(operation, round, message);
    samples.add(before, now(), uses_of(operation));
}

// The contestants take turns, and who begins changes from round to round, so that a change of the
// machine's speed meets all alike.
std::vector<Measurement> measure_operation(const std::vector<Contestant *> &contestants, Operation operation,
                                           Messages &messages, double seconds)
{
    std::vector<Measurement> measurements;
    for (Contestant *contestant : contestants) {
        if (contestant->has(operation))
            measurements.push_back({contestant, {}});
    }
    const auto turns = measurements.size();
    const auto limit = static_cast<std::uint64_t>(seconds * 1e9 * static_cast<double>(turns));
    std::uint64_t round = signed_messages_len; // its messages are new to signing
    const auto turn = [&](std::size_t index, Samples &samples) {
        time_once(*measurements[index].contestant, operation, round, messages, samples);
    };
    for (std::size_t index = 0; index < turns; index++) {
        Samples warm_up;
        turn(index, warm_up);
    }
    const Moment start = now();
    for (std::size_t done = 0; turns > 0 && done < samples_max; done++) {
        if (done >= samples_min && now().nanoseconds - start.nanoseconds > limit)
            break;
        round++;
        for (std::size_t i = 0; i < turns; i++) {
            const std::size_t index = (i + done) % turns;
            turn(index, measurements[index].samples);
        }
    }
    return measurements;
}

std::string readable_time(double nanoseconds)
{
    char text[32];
    if (nanoseconds < 1e6) {
        std::snprintf(text, sizeof text, "%.1f us", nanoseconds / 1e3);
    } else {
        std::snprintf(text, sizeof text, "%.2f ms", nanoseconds / 1e6);
    }
    return text;
}

// A row of the table. ratio: the median over ours, or of single verification over a batch's; 0 for none.
std::string table_row(Operation operation, const Measurement &measurement, double ratio)
{
    const Quartiles ticks = measurement.samples.ticks();
    char line[200], ratio_text[24] = "";
    if (ratio > 0)
        std::snprintf(ratio_text, sizeof ratio_text, "  %6.2f x", ratio);
    std::snprintf(line, sizeof line, "  %-21s %-24s %12.0f %12.0f %12.0f %12s%s\n", operation_text(operation),
                  measurement.contestant->name().c_str(), ticks.lower, ticks.median, ticks.upper,
                  readable_time(measurement.samples.nanoseconds().median).c_str(), ratio_text);
    return line;
}

double median_ratio(const Measurement &theirs, const Measurement &ours)
{
    const bool ticks = ours.samples.ticks().median > 0;
    return ticks ? theirs.samples.ticks().median / ours.samples.ticks().median
                 : theirs.samples.nanoseconds().median / ours.samples.nanoseconds().median;
}

// Prints and returns what was measured; ours is first. single: of the use of the operation by itself, where that is another one.
Json report_operation(Operation operation, const std::vector<Measurement> &measurements, const Measurement *single)
{
    Json results = Json::array();
    for (const Measurement &measurement : measurements) {
        const bool ours = &measurement == &measurements.front();
        const Measurement *const slower = ours ? single : &measurement;
        const double ratio = slower ? median_ratio(*slower, measurements.front()) : 0;
        print(table_row(operation, measurement, ratio));
        Json result{{"operation", operation_text(operation)},
                    {"implementation", measurement.contestant->name()}};
        result.update(measurement.samples.as_json());
        if (!ours)
            result["ratio_to_moonbow"] = ratio;
        if (ours && single) {
            result["signatures_together"] = uses_of(operation);
            result["single_to_batch"] = ratio;
        }
        results.push_back(result);
    }
    return results;
}

bool chosen(const Options &options, Operation operation)
{
    const auto &names = options.operations;
    const std::string name = operation_text(operation);
    if (names.empty())
        return true;
    // Beside a batch stands single verification.
    if (operation == Operation::Verify && std::find(names.begin(), names.end(), "batch") != names.end())
        return true;
    return std::any_of(names.begin(), names.end(), [&](const std::string &wanted) {
        // "sign" also stands for "sign, prepared key"
        return name == wanted || name.compare(0, wanted.size() + 1, wanted + ",") == 0 ||
               name.compare(0, wanted.size() + 1, wanted + " ") == 0;
    });
}

Json load_libraries(std::vector<std::unique_ptr<NistLibrary>> &libraries, const Options &options,
                    const moonbow_algorithm &algorithm, Messages &messages)
{
    Json described = Json::array();
    for (const std::string &path : options.libraries) {
        auto &library =
            *libraries.emplace_back(std::make_unique<NistLibrary>(path, algorithm, options.message_bytes));
        library.set_up(messages);
        const bool agrees = library.format_agrees(messages);
        print("  " + library.name() +
              (agrees ? ": its signatures verify with moonbow\n"
                      : ": its signatures do NOT verify with moonbow: another format or algorithm\n"));
        described.push_back({{"name", library.name()}, {"signatures_verify_with_moonbow", agrees}});
    }
    return described;
}

Json time_algorithm(const Options &options, const moonbow_algorithm &algorithm)
{
    const moonbow_mode mode = options.mode == "small" ? MOONBOW_SMALL : MOONBOW_FAST;
    const moonbow_parameters &parameters = *algorithm.parameters;
    print(std::string(parameters.name) + " (" + moonbow_security_text(parameters.security) + "), " +
          options.mode + " mode\n");
    Messages messages(options.message_bytes);
    OurContestant ours(algorithm, mode);
    ours.set_up(messages);
    std::vector<std::unique_ptr<NistLibrary>> libraries;
    Json result{{"algorithm", parameters.name},
                {"security", moonbow_security_text(parameters.security)},
                {"mode", options.mode},
                {"message_bytes", options.message_bytes},
                {"libraries", load_libraries(libraries, options, algorithm, messages)},
                {"results", Json::array()}};
    std::vector<Contestant *> contestants{&ours};
    for (const auto &library : libraries)
        contestants.push_back(library.get());
    std::optional<Measurement> verification; // ours
    for (const Operation operation : all_operations) {
        if (!chosen(options, operation))
            continue;
        const auto measurements = measure_operation(contestants, operation, messages, options.seconds);
        const bool together = operation == Operation::Batch && verification;
        for (Json &entry : report_operation(operation, measurements, together ? &*verification : nullptr))
            result["results"].push_back(entry);
        if (operation == Operation::Verify)
            verification = measurements.front();
    }
    return result;
}

void print_time_heading()
{
    char line[200];
    std::snprintf(line, sizeof line, "  %-21s %-24s %12s %12s %12s %12s  %s\n", "operation", "implementation",
                  "ticks: 25 %", "median", "75 %", "median time", "median : moonbow");
    print(line);
}

// ---- Memory -----------------------------------------------------------------------------------------

Json memory_of_algorithm(const moonbow_algorithm &algorithm)
{
    const moonbow_parameters &parameters = *algorithm.parameters;
    print(std::string(parameters.name) + " (" + moonbow_security_text(parameters.security) + ")\n");
    Json results = Json::array();
    for (const MemoryFigure &figure : measure_memory(algorithm)) {
        char line[160];
        const std::size_t total = figure.scratch_bytes + figure.stack_bytes;
        std::snprintf(line, sizeof line, "  %-21s %-6s %12zu %12zu %12zu\n", figure.operation.c_str(),
                      mode_text(figure.mode), figure.scratch_bytes, figure.stack_bytes, total);
        print(line);
        results.push_back({{"operation", figure.operation},
                           {"mode", mode_text(figure.mode)},
                           {"scratch_bytes", figure.scratch_bytes},
                           {"stack_bytes", figure.stack_bytes},
                           {"total_bytes", total}});
    }
    return Json{{"algorithm", parameters.name},
                {"security", moonbow_security_text(parameters.security)},
                {"results", results}};
}

void print_memory_heading()
{
    char line[160];
    std::snprintf(line, sizeof line, "  %-21s %-6s %12s %12s %12s\n", "operation", "mode", "scratch",
                  "peak stack", "together");
    print("Bytes. Keys, message and signature are the caller's and not counted.\n" + std::string(line));
}

// ---- The command ------------------------------------------------------------------------------------

std::vector<const moonbow_algorithm *> chosen_algorithms(const Options &options)
{
    std::vector<const moonbow_algorithm *> algorithms;
    for (const std::string &name : options.algorithms)
        algorithms.push_back(&find_algorithm(name));
    if (!options.libraries.empty() && algorithms.size() != 1) {
        throw Failure("--against", "expected one ALGORITHM with it, that of the library, found " +
                                       std::to_string(algorithms.size()));
    }
    if (!algorithms.empty())
        return algorithms;
    for (std::size_t i = 0; const moonbow_algorithm *algorithm = moonbow_algorithm_at(i); i++) {
        algorithms.push_back(algorithm);
    }
    return algorithms;
}

int bench(const Options &options)
{
    const auto algorithms = chosen_algorithms(options);
    std::optional<OutputFile> file;
    if (!options.json.empty())
        file.emplace(options.json, public_file_mode, options.force);
    forbid_core_dumps();
    Json result{{"machine", describe_machine()}, {"kind", options.memory ? "memory" : "time"}};
    result["algorithms"] = Json::array();
    options.memory ? print_memory_heading() : print_time_heading();
    Progress progress("bench", algorithms.size(), "algorithms");
    for (const moonbow_algorithm *algorithm : algorithms) {
        result["algorithms"].push_back(options.memory ? memory_of_algorithm(*algorithm)
                                                      : time_algorithm(options, *algorithm));
    }
    if (file) {
        const std::string text = result.dump(2) + "\n";
        file->write(text.data(), text.size());
        file->commit();
    }
    return ExitGood;
}

void add_time_options(CLI::App &command, Options &options)
{
    command.add_option("--operations", options.operations, "keygen, sign, verify, batch, prepare; all if not given")
        ->delimiter(',')
        ->check(CLI::IsMember({"keygen", "sign", "verify", "batch", "prepare"}));
    command.add_option("--mode", options.mode, "What to spare: time (fast) or memory (small)")
        ->capture_default_str()
        ->check(CLI::IsMember({"fast", "small"}));
    command.add_option("--seconds", options.seconds, "How long to measure each operation")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 3600.0));
    command.add_option("--message-bytes", options.message_bytes, "Length of the messages")
        ->capture_default_str()
        ->check(CLI::Range(std::size_t{8}, std::size_t{1} << 24));
    command
        .add_option("--against", options.libraries,
                    "Time a shared library with NIST's interface (crypto_sign_keypair, crypto_sign,\n"
                    "crypto_sign_open) in the same run; may be repeated. It runs with your rights")
        ->type_name("LIB.so")
        ->expected(1)
        ->take_all();
}

} // namespace

void add_bench(CLI::App &app, Run &run)
{
    CLI::App *command = app.add_subcommand("bench", "Measure time or memory of every operation");
    auto options = std::make_shared<Options>();
    command->add_option("ALGORITHM", options->algorithms, "Algorithms of `moonbow list`; all if not given");
    add_time_options(*command, *options);
    command->add_flag("--memory", options->memory,
                      "Measure scratch and peak stack, in both modes, instead of time");
    command
        ->add_option("--json", options->json,
                     "Also write the results to a file, with the machine's description")
        ->type_name("FILE");
    command->add_flag("--force", options->force, "Replace an existing file");
    command->callback([options, &run] { run = [options] { return bench(*options); }; });
}

} // namespace cli
