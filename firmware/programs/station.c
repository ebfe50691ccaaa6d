/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The program that tests and measures the library on a board: takes commands over the serial line, one a line, and answers each with lines of
 * words, the last of which is "ok" or begins with "error". tools/moonbow-m4 is the other end. */
#include "../boards/board.h"
#include "console.h"
#include "job.h"

#include <string.h>

static int command_hello(const char *const *words, size_t count)
{
    (void)words;
    (void)count;
    console_pair_text("board", board_name);
    console_pair_text("version", moonbow_version());
    console_pair("internal", (uint32_t)board_internal().bytes);
    console_pair("code", (uint32_t)board_code().bytes);
    console_pair("external", (uint32_t)board_external().bytes);
    return 0;
}

static int command_end(const char *const *words, size_t count)
{
    (void)words;
    (void)count;
    console_text("ok\n");
    board_end(0);
}

static const struct {
    const char *name;
    int (*run)(const char *const *words, size_t count);
} commands[] = {
    {"hello", command_hello}, {"generate", command_generate}, {"sign", command_sign},
    {"verify", command_verify}, {"trace", command_trace}, {"solver", command_solver}, {"kat", command_kat}, {"test", command_test}, {"end", command_end},
};

static int run(const char *const *words, size_t count)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(words[0], commands[i].name) == 0) {
            room_clear();
            return commands[i].run(words + 1, count - 1);
        }
    }
    console_text("error no such command\n");
    return -1;
}

int main(void)
{
    const char *words[CONSOLE_WORDS_MOST];
    for (;;) {
        const size_t count = console_read_words(words);
        if (count != 0 && run(words, count) == 0) {
            console_text("ok\n");
        }
    }
}
