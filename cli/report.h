// SPDX-License-Identifier: Apache-2.0 OR MIT
// How the tool speaks: exit statuses, one-line messages on standard error, checked standard output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>

namespace cli {

// The order of keys is the order of writing.
using Json = nlohmann::ordered_json;

// The exit statuses. Of several files the worst counts.
enum ExitStatus { ExitGood = 0, ExitNotVerified = 1, ExitFailed = 2 };

// Ends a command, or the work on one file, with a message and status 2.
class Failure : public std::exception {
  public:
    // "subject: sentence"; an empty subject is left out.
    Failure(const std::string &subject, const std::string &sentence)
        : message_(subject.empty() ? sentence : subject + ": " + sentence)
    {
    }
    const char *what() const noexcept override
    {
        return message_.c_str();
    }

  private:
    std::string message_;
};

// A text on one line: control characters, which a file name may hold, become '?'.
std::string printable(std::string text);

// Writes "moonbow: message" and a newline to standard error, as one printable line.
void say(const std::string &message);

// A descriptor written with write(2) through a buffer; every error is a Failure. flush() at the end.
class Output {
  public:
    Output(int descriptor, std::string name);
    Output(const Output &) = delete;
    Output &operator=(const Output &) = delete;

    void write(const void *bytes, std::size_t bytes_len);
    void write(const std::string &text)
    {
        write(text.data(), text.size());
    }
    // Upper-case hexadecimal.
    void write_hex(const std::uint8_t *bytes, std::size_t bytes_len);
    void flush();

  private:
    void write_through(const char *bytes, std::size_t bytes_len);

    int descriptor_;
    std::string name_;
    std::string buffer_;
};

// Writes a text, or JSON and a newline, to standard output.
void print(const std::string &text);
void print_json(const Json &json);

} // namespace cli
