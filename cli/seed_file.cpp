// SPDX-License-Identifier: Apache-2.0 OR MIT
// Reading a seed.
#include "seed_file.h"

#include "files.h"

namespace cli {

namespace {

int hex_value(std::uint8_t digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    if (digit >= 'a' && digit <= 'f')
        return digit - 'a' + 10;
    if (digit >= 'A' && digit <= 'F')
        return digit - 'A' + 10;
    return -1;
}

[[noreturn]] void refuse_seed(const std::string &file, std::size_t seed_bytes, const std::string &found)
{
    throw Failure(file, "expected a seed of " + std::to_string(2 * seed_bytes) + " hexadecimal digits (" +
                            std::to_string(seed_bytes) + " bytes), found " + found);
}

} // namespace

void read_seed(Memory &seed, const std::string &file)
{
    constexpr std::size_t limit = 4096;
    const std::string name = input_name(file);
    Memory text(limit + 1, Contents::Secret);
    const std::size_t text_len = read_bounded(file, text.data(), limit);
    if (text_len > limit)
        refuse_seed(name, seed.size(), "more than " + std::to_string(limit) + " characters");
    std::size_t digits_len = 0;
    for (std::size_t i = 0; i < text_len; i++) {
        const std::uint8_t byte = text.data()[i];
        if (byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t')
            continue;
        const int value = hex_value(byte);
        if (value < 0)
            refuse_seed(name, seed.size(), "a character that is none");
        if (digits_len < 2 * seed.size()) {
            std::uint8_t &out = seed.data()[digits_len / 2];
            out = static_cast<std::uint8_t>(out << 4 | value);
        }
        digits_len++;
    }
    if (digits_len != 2 * seed.size())
        refuse_seed(name, seed.size(), std::to_string(digits_len));
}

} // namespace cli
