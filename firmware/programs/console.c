/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Text over the serial line; see console.h. */
#include "console.h"
#include "../boards/board.h"

#include <string.h>

void console_text(const char *text)
{
    board_write(text, strlen(text));
}

void console_number(uint32_t number)
{
    char digits[10];
    size_t first = sizeof digits;
    do {
        digits[--first] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    board_write(digits + first, sizeof digits - first);
}

void console_hex(const uint8_t *data, size_t bytes)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < bytes; i++) {
        const char pair[2] = {digits[data[i] >> 4], digits[data[i] & 15]};
        board_write(pair, sizeof pair);
    }
}

void console_pair(const char *key, uint32_t number)
{
    console_text(key);
    console_text(" ");
    console_number(number);
    console_text("\n");
}

void console_pair_text(const char *key, const char *text)
{
    console_text(key);
    console_text(" ");
    console_text(text);
    console_text("\n");
}

size_t console_read_words(const char *words[CONSOLE_WORDS_MOST])
{
    static char line[256];
    size_t length = 0, count = 0;
    for (int c = board_read(); c != '\n'; c = board_read()) {
        if (c != '\r' && length < sizeof line - 1) {
            line[length++] = (char)c;
        }
    }
    line[length] = '\0';
    for (size_t i = 0; i < length; i++) {
        if (line[i] == ' ') {
            line[i] = '\0';
        } else if ((i == 0 || line[i - 1] == '\0') && count < CONSOLE_WORDS_MOST) {
            words[count++] = line + i;
        }
    }
    return count;
}

uint32_t console_parse(const char *word)
{
    uint32_t number = 0;
    for (; *word >= '0' && *word <= '9'; word++) {
        number = number * 10 + (uint32_t)(*word - '0');
    }
    return number;
}
