/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Text over the board's serial line: what the programs here say, and the commands they take. */
#ifndef FIRMWARE_CONSOLE_H
#define FIRMWARE_CONSOLE_H

#include <stddef.h>
#include <stdint.h>

void console_text(const char *text);
void console_number(uint32_t number);
void console_hex(const uint8_t *data, size_t bytes);

/* "key number\n" and "key text\n". */
void console_pair(const char *key, uint32_t number);
void console_pair_text(const char *key, const char *text);

/* Reads a line and cuts it into words at spaces; returns how many. What is too long is dropped. */
enum { CONSOLE_WORDS_MOST = 8 };
size_t console_read_words(const char *words[CONSOLE_WORDS_MOST]);

/* A decimal number, or 0. */
uint32_t console_parse(const char *word);

#endif
