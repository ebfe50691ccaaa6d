// SPDX-License-Identifier: Apache-2.0 OR MIT
// moonbow list: every algorithm with its sizes and what is known against it.
#include "command.h"
#include "report.h"

#include <cstdio>
#include <memory>
#include <moonbow/signature.h>
#include <string>
#include <vector>

namespace cli {

namespace {

Json as_json(const moonbow_parameters &parameters)
{
    return Json{{"name", parameters.name},
                {"title", parameters.title},
                {"security", moonbow_security_text(parameters.security)},
                {"caution", parameters.caution},
                {"public_key_bytes", parameters.public_key_bytes},
                {"secret_key_bytes", parameters.secret_key_bytes},
                {"signature_bytes", parameters.signature_bytes}};
}

int list_as_json()
{
    Json algorithms = Json::array();
    for (std::size_t i = 0; const moonbow_algorithm *algorithm = moonbow_algorithm_at(i); i++) {
        algorithms.push_back(as_json(*algorithm->parameters));
    }
    print_json(Json{{"version", moonbow_version()}, {"algorithms", algorithms}});
    return ExitGood;
}

std::string table_row(const moonbow_parameters &parameters)
{
    char line[160];
    std::snprintf(line, sizeof line, "%-34s %-10s %12zu %12zu %10zu\n", parameters.name,
                  moonbow_security_text(parameters.security), parameters.public_key_bytes,
                  parameters.secret_key_bytes, parameters.signature_bytes);
    return line;
}

// The cautions, each with the algorithms that it is about.
std::string cautions()
{
    std::vector<std::pair<std::string, std::string>> groups;
    for (std::size_t i = 0; const moonbow_algorithm *algorithm = moonbow_algorithm_at(i); i++) {
        const moonbow_parameters &parameters = *algorithm->parameters;
        const std::string heading = std::string(moonbow_security_text(parameters.security)) + ": ";
        if (groups.empty() || groups.back().first != heading + parameters.caution) {
            groups.emplace_back(heading + parameters.caution, parameters.name);
        } else {
            groups.back().second += std::string(", ") + parameters.name;
        }
    }
    std::string text;
    for (const auto &[caution, names] : groups)
        text += "\n" + names + "\n  " + caution + "\n";
    return text;
}

int list_as_table()
{
    char heading[160];
    std::snprintf(heading, sizeof heading, "%-34s %-10s %12s %12s %10s\n", "algorithm", "security",
                  "public key", "secret key", "signature");
    std::string text = heading;
    for (std::size_t i = 0; const moonbow_algorithm *algorithm = moonbow_algorithm_at(i); i++) {
        text += table_row(*algorithm->parameters);
    }
    print(text + "(sizes in bytes, as the designers count them)\n" + cautions());
    return ExitGood;
}

} // namespace

void add_list(CLI::App &app, Run &run)
{
    CLI::App *command = app.add_subcommand("list", "Show every algorithm, its sizes and its security");
    auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "Write JSON");
    command->callback([json, &run] { run = *json ? list_as_json : list_as_table; });
}

} // namespace cli
