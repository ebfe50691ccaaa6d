// SPDX-License-Identifier: Apache-2.0 OR MIT
// Messages and standard output.
#include "report.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace cli {

namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 16;

} // namespace

std::string printable(std::string text)
{
    for (char &character : text) {
        const auto byte = static_cast<unsigned char>(character);
        if (byte < 0x20 || byte == 0x7f)
            character = '?';
    }
    return text;
}

void say(const std::string &message)
{
    const std::string line = printable("moonbow: " + message) + '\n';
    // Nothing can be said about an error here.
    if (::write(STDERR_FILENO, line.data(), line.size()) < 0)
        return;
}

Output::Output(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name))
{
    buffer_.reserve(buffer_bytes);
}

void Output::write(const void *bytes, std::size_t bytes_len)
{
    if (buffer_.size() + bytes_len > buffer_bytes)
        flush();
    if (bytes_len > buffer_bytes) {
        write_through(static_cast<const char *>(bytes), bytes_len);
    } else {
        buffer_.append(static_cast<const char *>(bytes), bytes_len);
    }
}

void Output::write_hex(const std::uint8_t *bytes, std::size_t bytes_len)
{
    static const char digits[] = "0123456789ABCDEF";
    for (std::size_t i = 0; i < bytes_len; i++) {
        if (buffer_.size() + 2 > buffer_bytes)
            flush();
        buffer_ += digits[bytes[i] >> 4];
        buffer_ += digits[bytes[i] & 15];
    }
}

void Output::flush()
{
    write_through(buffer_.data(), buffer_.size());
    buffer_.clear();
}

void Output::write_through(const char *bytes, std::size_t bytes_len)
{
    while (bytes_len > 0) {
        const ssize_t written = ::write(descriptor_, bytes, bytes_len);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            throw Failure(name_, std::string("cannot write: ") + std::strerror(errno));
        bytes += written;
        bytes_len -= static_cast<std::size_t>(written);
    }
}

void print(const std::string &text)
{
    Output output(STDOUT_FILENO, "standard output");
    output.write(text);
    output.flush();
}

void print_json(const Json &json)
{
    // File names need not be UTF-8; what is not is shown as U+FFFD.
    print(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

} // namespace cli
