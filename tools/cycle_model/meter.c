/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Counters, regions, profile and trace hash; see meter.h. Output is one JSON object a line. */
#include "meter.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A hash of what ran: block addresses, and the accesses to memory. Two runs that differ anywhere have different hashes but for accidents. */
typedef struct trace {
    uint64_t code, data;
} trace;

static const meter_event *event_table;
static size_t event_count;
static FILE *output;
static const char *output_path;
static int profiling, tracing, recording_calls;
static int only_region = -1; /* or the one that is looked at */

enum { WATCHED_MOST = 9, PATH_MOST = 1000 };
static uint64_t watched[WATCHED_MOST];
static unsigned watched_len;
static char path[PATH_MOST + 1];
static size_t path_len;

static meter_counts total;
static meter_counts at_begin[METER_REGIONS];
static int is_open[METER_REGIONS];
static unsigned open_regions;
static trace hashes;
static meter_block *blocks;

int meter_argument(const char *name, const char *value)
{
    if (strcmp(name, "out") == 0) {
        output_path = value;
    } else if (strcmp(name, "profile") == 0) {
        profiling = strcmp(value, "on") == 0;
    } else if (strcmp(name, "trace") == 0) {
        tracing = strcmp(value, "on") == 0;
    } else if (strcmp(name, "calls") == 0) {
        recording_calls = strcmp(value, "on") == 0;
    } else if (strcmp(name, "region") == 0) {
        only_region = atoi(value);
    } else if (strcmp(name, "watch") == 0 && watched_len < WATCHED_MOST) {
        watched[watched_len++] = strtoull(value, NULL, 0);
    } else {
        return 0;
    }
    return 1;
}

int meter_start(const meter_event *events, size_t events_len)
{
    event_table = events;
    event_count = events_len;
    output = output_path == NULL ? stderr : fopen(output_path, "w");
    if (output == NULL) {
        perror(output_path);
        return -1;
    }
    return 0;
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL) {
        perror("cycle model");
        exit(1);
    }
    return memory;
}

meter_block *meter_block_new(uint64_t address, size_t instructions)
{
    meter_block *block = allocate(1, sizeof *block);
    block->address = address;
    block->instructions = instructions;
    block->before = allocate(instructions + 1, sizeof *block->before);
    for (unsigned w = 0; w < watched_len; w++) {
        block->watch = watched[w] == address ? w + 1 : block->watch;
    }
    block->next = blocks;
    blocks = block;
    return block;
}

meter_counts *meter_running(void)
{
    return open_regions == 0 ? NULL : &total;
}

static void mix(uint64_t *hash, uint64_t value)
{
    *hash = (*hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    *hash ^= *hash >> 29;
}

/* Adds `sign` times what the block costs between two of its instructions. */
static void add_part(const meter_block *block, size_t from, size_t to, int sign)
{
    for (size_t e = 0; e < event_count; e++) {
        total.events[e] += sign * (block->before[to].events[e] - block->before[from].events[e]);
    }
}

void meter_enter(meter_block *block)
{
    if (open_regions == 0) {
        return;
    }
    add_part(block, 0, block->instructions, 1);
    block->executions++;
    if (block->watch != 0 && path_len < PATH_MOST) {
        path[path_len++] = (char)('0' + block->watch);
        path[path_len] = '\0';
    }
    if (tracing) {
        mix(&hashes.code, block->address);
    }
}

void meter_add(meter_block *block, int64_t amount)
{
    if (open_regions != 0) {
        total.events[0] += amount;
        block->extra += amount;
    }
}

void meter_access(uint64_t address, unsigned size_shift, int is_store)
{
    if (tracing && open_regions != 0) {
        mix(&hashes.data, address << 8 | size_shift << 1 | (unsigned)is_store);
    }
}

void meter_branch(meter_block *from, const meter_block *to, int calls)
{
    if (!recording_calls || open_regions == 0) {
        return;
    }
    for (const meter_edge *edge = from->edges; edge != NULL; edge = edge->next) {
        if (edge->to == to->address) {
            return;
        }
    }
    meter_edge *edge = allocate(1, sizeof *edge);
    *edge = (meter_edge){to->address, calls, from->edges};
    from->edges = edge;
}

static void write_edges(const meter_block *block)
{
    for (const meter_edge *edge = block->edges; edge != NULL; edge = edge->next) {
        fprintf(output, "{\"from\": %" PRIu64 ", \"to\": %" PRIu64 ", \"calls\": %s}\n", block->address, edge->to,
                edge->calls ? "true" : "false");
    }
}

static void write_region(unsigned region)
{
    fprintf(output, "{\"region\": %u", region);
    for (size_t e = 0; e < event_count; e++) {
        const int64_t amount = total.events[e] - at_begin[region].events[e];
        fprintf(output, ", \"%s\": %" PRId64, event_table[e].name, amount / event_table[e].unit);
    }
    if (tracing) {
        fprintf(output, ", \"trace\": \"%016" PRIx64 "%016" PRIx64 "\"", hashes.code, hashes.data);
    }
    if (watched_len != 0) {
        fprintf(output, ", \"path\": \"%s\"", path);
    }
    fputs("}\n", output);
    fflush(output);
}

/* A block is counted as a whole when it begins to run, if a region is open then. So what follows a marker in its block is added to the
 * first region's count, and taken off each count that is written down or read at the marker. */
void meter_mark(const meter_block *block, size_t index, unsigned marker)
{
    const unsigned region = marker % METER_REGIONS;
    const int begins = marker < METER_REGIONS;
    if (begins == is_open[region] || (only_region >= 0 && (unsigned)only_region != region)) {
        return;
    }
    if (open_regions == 0) {
        hashes = (trace){0, 0};
        path_len = 0;
        path[0] = '\0';
    } else {
        add_part(block, index + 1, block->instructions, -1);
    }
    if (begins) {
        at_begin[region] = total;
        open_regions++;
    } else {
        write_region(region);
        open_regions--;
    }
    is_open[region] = begins;
    if (open_regions != 0) {
        add_part(block, index + 1, block->instructions, 1);
    }
}

static void write_block(const meter_block *block)
{
    fprintf(output, "{\"block\": %" PRIu64 ", \"executions\": %" PRIu64 ", \"extra\": %" PRId64 ", \"unit\": %" PRId64 ", \"costs\": [",
            block->address, block->executions, block->extra, event_table[0].unit);
    for (size_t i = 0; i < block->instructions; i++) {
        fprintf(output, "%s%" PRId64, i == 0 ? "" : ", ", block->before[i + 1].events[0] - block->before[i].events[0]);
    }
    fputs("]}\n", output);
}

void meter_finish(void)
{
    for (const meter_block *block = blocks; recording_calls && block != NULL; block = block->next) {
        write_edges(block);
    }
    for (const meter_block *block = blocks; profiling && block != NULL; block = block->next) {
        if (block->executions != 0) {
            write_block(block);
        }
    }
    if (output != stderr) {
        fclose(output);
    }
}
