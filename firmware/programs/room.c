/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Takes memory from the board; see room.h. */
#include "room.h"
#include "../boards/board.h"
#include "console.h"

enum { INTERNAL, CODE, EXTERNAL, MEMORIES, ALIGNMENT = 8 };

static const unsigned order[][MEMORIES] = {
    [ROOM_INTERNAL] = {INTERNAL, EXTERNAL, EXTERNAL},
    [ROOM_CODE] = {CODE, EXTERNAL, INTERNAL},
    [ROOM_EXTERNAL] = {EXTERNAL, INTERNAL, INTERNAL},
};

static size_t used[MEMORIES];

static board_memory memory_of(unsigned number)
{
    return number == INTERNAL ? board_internal() : number == CODE ? board_code() : board_external();
}

void room_clear(void)
{
    for (unsigned m = 0; m < MEMORIES; m++) {
        used[m] = 0;
    }
}

static void say_place(const char *what, const char *memory, size_t bytes)
{
    console_text("place ");
    console_text(what);
    console_text(" ");
    console_text(memory);
    console_text(" ");
    console_number((uint32_t)bytes);
    console_text("\n");
}

void *room_take(const char *what, size_t bytes, room_wish wish)
{
    const size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    for (unsigned i = 0; i < MEMORIES; i++) {
        const unsigned number = order[wish][i];
        const board_memory memory = memory_of(number);
        if (memory.bytes - used[number] >= rounded) {
            void *start = memory.start + used[number];
            used[number] += rounded;
            say_place(what, memory.name, bytes);
            return start;
        }
    }
    console_pair_text("error no-memory", what);
    return NULL;
}
