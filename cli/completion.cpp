// SPDX-License-Identifier: Apache-2.0 OR MIT
// Completion of command lines for every shell, from the description of the commands that the parser works with, so
// that the two cannot differ. The scripts in completion/ turn the answer into their shell's terms.
//
// Answer: one line for each word that fits, "word<TAB>description"; a line ":files" where the name of a file fits.
#include "command.h"
#include "report.h"

#include <algorithm>
#include <moonbow/signature.h>

namespace cli {

namespace {

// The first sentence of a description, on one line.
std::string first_sentence(std::string text)
{
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text.substr(0, text.find(". "));
}

bool begins_with(const std::string &text, const std::string &beginning)
{
    return text.compare(0, beginning.size(), beginning) == 0;
}

class Answer {
  public:
    explicit Answer(std::string beginning) : beginning_(std::move(beginning))
    {
    }

    void offer(const std::string &word, const std::string &description)
    {
        if (begins_with(word, beginning_))
            text_ += word + "\t" + first_sentence(description) + "\n";
    }
    void offer_files()
    {
        text_ += ":files\n";
    }
    const std::string &text() const
    {
        return text_;
    }

  private:
    std::string beginning_, text_;
};

void offer_algorithms(Answer &answer)
{
    for (std::size_t i = 0; const moonbow_algorithm *algorithm = moonbow_algorithm_at(i); i++)
        answer.offer(algorithm->parameters->name, moonbow_security_text(algorithm->parameters->security));
}

// A value for an option or a positional argument: CLI11 shows the set it must be from as {one,another}.
void offer_values(Answer &answer, const CLI::Option &option)
{
    const std::string type = option.get_type_name();
    const auto begin = type.find('{'), end = type.find('}');
    if (option.get_name() == "ALGORITHM") {
        offer_algorithms(answer);
    } else if (begin != std::string::npos && end != std::string::npos) {
        for (const std::string &value : CLI::detail::split(type.substr(begin + 1, end - begin - 1), ','))
            answer.offer(value, "");
    } else if (!begins_with(type, "UINT") && !begins_with(type, "FLOAT")) {
        answer.offer_files();
    }
}

void offer_options(Answer &answer, const CLI::App &command)
{
    for (const CLI::Option *option : command.get_options()) {
        for (const std::string &name : option->get_lnames())
            answer.offer("--" + name, option->get_description());
        for (const std::string &name : option->get_snames())
            answer.offer("-" + name, option->get_description());
    }
}

// The option whose value is to be completed, or null.
const CLI::Option *awaits_value(const CLI::App &command, const std::string &word)
{
    const CLI::Option *option = begins_with(word, "-") ? command.get_option_no_throw(word) : nullptr;
    return option && option->get_expected_max() > 0 && option->get_type_size() > 0 ? option : nullptr;
}

const CLI::App *command_of(const CLI::App &app, const std::vector<std::string> &words)
{
    for (std::size_t i = 0; i + 1 < words.size(); i++) {
        for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; })) {
            if (command->get_name() == words[i])
                return command;
        }
    }
    return nullptr;
}

void complete_in(Answer &answer, const CLI::App &command, const std::string &before, const std::string &word)
{
    if (const CLI::Option *option = awaits_value(command, before))
        return offer_values(answer, *option);
    if (begins_with(word, "-"))
        return offer_options(answer, command);
    for (const CLI::Option *option : command.get_options()) {
        if (option->get_positional())
            return offer_values(answer, *option);
    }
}

} // namespace

int complete(const CLI::App &app, const std::vector<std::string> &words)
{
    const std::string word = words.empty() ? "" : words.back();
    const std::string before = words.size() < 2 ? "" : words[words.size() - 2];
    const CLI::App *command = command_of(app, words);
    Answer answer(word);
    if (command) {
        complete_in(answer, *command, before, word);
    } else if (begins_with(word, "-")) {
        offer_options(answer, app);
    } else {
        for (const CLI::App *offered : app.get_subcommands([](const CLI::App *) { return true; }))
            answer.offer(offered->get_name(), offered->get_description());
    }
    print(answer.text());
    return ExitGood;
}

} // namespace cli
