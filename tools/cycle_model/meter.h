/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What every plugin here shares, whatever the processor: counters, regions that the measured program marks, the profile by block, and
 * the hash of the trace. A plugin decodes instructions, fills a meter_block for each translated block, and calls meter_* from its
 * callbacks: cortex_m4.c shows how. To count another architecture's instructions, write a file beside it (and a line in CMakeLists.txt);
 * the names of `event` are the plugin's own. One processor at a time: the counters are not locked. */
#ifndef TOOLS_METER_H
#define TOOLS_METER_H

#include <stddef.h>
#include <stdint.h>

/* Region k is marked by two no-operations that processors ignore: meter_region(k) for begin, + 16 for end. See firmware/mark.h. */
enum { METER_REGIONS = 16, METER_EVENTS = 8 };

/* Counts of anything, in the plugin's own order; events[0] is the one that a profile is sorted by. */
typedef struct meter_counts {
    int64_t events[METER_EVENTS];
} meter_counts;

/* A translated block. `before[i]` is what the instructions before the i-th cost, as far as translation can tell. */
typedef struct meter_edge {
    uint64_t to;
    int calls;
    struct meter_edge *next;
} meter_edge;

typedef struct meter_block {
    uint64_t address;
    size_t instructions;
    meter_counts *before; /* instructions + 1 of them */
    uint64_t executions;  /* inside regions */
    int64_t extra;        /* of events[0], found as it ran */
    unsigned watch;       /* its number, counted from 1, among the watched addresses, or 0 */
    meter_edge *edges;    /* the latest first */
    struct meter_block *next;
} meter_block;

typedef struct meter_event {
    const char *name;
    int64_t unit; /* the counter is in parts of 1/unit; printed rounded down */
} meter_event;

/* Takes the arguments that all plugins know, and returns 0 for others: out=FILE (where each region is written as it ends, and the
 * profile at exit), region=K (the marks of others are passed over), profile=on, trace=on, watch=ADDRESS any number of times up to nine: each region then says in which order blocks at these
 * addresses were entered, as digits, which tells apart paths that are allowed to differ. calls=on writes at exit from which block control
 * went to which, and whether by a call. */
int meter_argument(const char *name, const char *value);

/* Names the events, and opens the output. 0, or -1 with a message. */
int meter_start(const meter_event *events, size_t events_len);

meter_block *meter_block_new(uint64_t address, size_t instructions);

/* The counters while any region is open: callbacks add to it what translation could not know. NULL outside regions. */
meter_counts *meter_running(void);

/* The block begins to run. */
void meter_enter(meter_block *block);

/* What the block costs beyond its instructions, in events[0]. */
void meter_add(meter_block *block, int64_t amount);

/* One access to memory, for the trace. */
void meter_access(uint64_t address, unsigned size_shift, int is_store);

/* Control went from the end of one block to another, elsewhere; `calls` if that left a return address. Kept with calls=on. */
void meter_branch(meter_block *from, const meter_block *to, int calls);

/* The marker that is instruction `index` of the block: begin of region k is k, its end is k + METER_REGIONS. */
void meter_mark(const meter_block *block, size_t index, unsigned marker);

/* Writes the profile and closes the output. */
void meter_finish(void);

#endif
