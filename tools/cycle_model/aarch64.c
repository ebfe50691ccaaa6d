/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * QEMU plugin: counts AArch64 instructions inside regions, and among them those on vector registers, loads, stores and branches. Counts of
 * what ran, not a model of time. */
#include "meter.h"
#include "plugin_api.h"

#include <stdio.h>
#include <string.h>

QEMU_PLUGIN_EXPORT int qemu_plugin_version = 1;

enum { INSTRUCTIONS, SIMD, LOADS, STORES, BRANCHES, EVENTS };

static const meter_event events[EVENTS] = {
    {"instructions", 1}, {"simd", 1}, {"loads", 1}, {"stores", 1}, {"branches", 1}};

static bool tracing;

/* ---- Instructions [Arm ARM, C4.1: the encoding index] -------------------------------------------- */

static bool is_vector_data(uint32_t code)
{
    return (code >> 25 & 7) == 7;
}

static bool is_branch(uint32_t code)
{
    return (code >> 26 & 7) == 5 && (code & 0xff000000) != 0xd5000000; /* without hints, barriers and system registers */
}

static bool is_load_or_store(uint32_t code)
{
    return (code >> 25 & 5) == 4;
}

static bool is_prefetch(uint32_t code)
{
    const bool by_register = (code & 0xfec00000) == 0xf8800000, unsigned_offset = (code & 0xffc00000) == 0xf9800000;
    return by_register || unsigned_offset || (code & 0xff000000) == 0xd8000000;
}

static bool is_store(uint32_t code)
{
    const bool of_vector = (code >> 26 & 1) != 0;
    switch (code >> 27 & 7) {
    case 3: /* literal */
        return false;
    case 7: /* one register: opc 00 stores; of vector registers 10 too, 128 bits wide */
        return (code >> 22 & 3) == 0 || (of_vector && (code >> 22 & 3) == 2);
    default: /* pairs, structures, exclusive: bit L */
        return (code >> 22 & 1) == 0;
    }
}

/* HINT 64 + k begins region k, HINT 80 + k ends it (mark.h): hints that no processor knows. */
static bool marker_of(uint32_t code, unsigned *marker)
{
    const unsigned number = code >> 5 & 127;
    *marker = number - 64;
    return (code & 0xfffff01f) == 0xd503201f && number >= 64 && number < 64 + 2 * METER_REGIONS;
}

/* ---- Blocks -------------------------------------------------------------------------------------- */

typedef struct marked {
    meter_block *block;
    size_t index;
    unsigned marker;
} marked;

static marked marks[256];
static size_t marks_len;

static void on_block(unsigned vcpu, void *userdata)
{
    (void)vcpu;
    meter_enter(userdata);
}

static void on_mark(unsigned vcpu, void *userdata)
{
    const marked *at = userdata;
    (void)vcpu;
    meter_mark(at->block, at->index, at->marker);
}

static void on_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *userdata)
{
    (void)vcpu;
    (void)userdata;
    meter_access(address, qemu_plugin_mem_size_shift(info), qemu_plugin_mem_is_store(info));
}

static void add_instruction(meter_block *block, struct qemu_plugin_insn *insn, size_t index)
{
    meter_counts *after = &block->before[index + 1];
    uint32_t code;
    unsigned marker;
    memcpy(&code, qemu_plugin_insn_data(insn), sizeof code);
    *after = block->before[index];
    if (marker_of(code, &marker) && marks_len < sizeof marks / sizeof *marks) {
        marks[marks_len] = (marked){block, index, marker};
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_mark, QEMU_PLUGIN_CB_NO_REGS, &marks[marks_len++]);
        return;
    }
    after->events[INSTRUCTIONS]++;
    after->events[BRANCHES] += is_branch(code);
    after->events[SIMD] += is_vector_data(code);
    if (is_load_or_store(code) && !is_prefetch(code)) {
        after->events[is_store(code) ? STORES : LOADS]++;
    }
    if (is_load_or_store(code) && tracing) {
        qemu_plugin_register_vcpu_mem_cb(insn, on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, NULL);
    }
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    const size_t count = qemu_plugin_tb_n_insns(tb);
    meter_block *block = meter_block_new(qemu_plugin_tb_vaddr(tb), count);
    (void)id;
    for (size_t i = 0; i < count; i++) {
        add_instruction(block, qemu_plugin_tb_get_insn(tb, i), i);
    }
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_NO_REGS, block);
}

/* ---- Start and end ------------------------------------------------------------------------------- */

static void on_exit(qemu_plugin_id_t id, void *userdata)
{
    (void)id;
    (void)userdata;
    meter_finish();
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++) {
        char *value = strchr(argv[i], '=');
        if (value != NULL) {
            *value++ = '\0';
        }
        if (value == NULL || !meter_argument(argv[i], value)) {
            fprintf(stderr, "instruction counts: unknown argument %s\n", argv[i]);
            return -1;
        }
        tracing |= strcmp(argv[i], "trace") == 0;
    }
    if (meter_start(events, EVENTS) != 0) {
        return -1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, on_exit, NULL);
    return 0;
}
