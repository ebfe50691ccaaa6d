/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * QEMU plugin: what code costs on an Arm Cortex-M4 with memory that does not make it wait. Each translated block is priced once, by the rules
 * below; what depends on addresses and on which way a branch goes is added as the block runs. README.md has the validation and the error. */
#include "cortex_m4.h"
#include "meter.h"
#include "plugin_api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

QEMU_PLUGIN_EXPORT int qemu_plugin_version = 1;

/* Times are in quarters of a cycle. */
enum { CYCLE = 4 };

enum { CODE_REGION_END = 0x20000000 }; /* addresses below are read over the code bus [ARMv7-M ARM §B3.1] */

/* ---- The rules --------------------------------------------------------------------------------- */

/* "§": Cortex-M4 Technical Reference Manual, ARM DDI 0439. "fitted": where the manual gives a range or is silent, the value that reproduces
 * published cycle counts of the same code on boards. Each can be set on the command line: name=value, in cycles. */
enum rule {
    REFILL, REFILL_REGISTER, REFILL_LOADED, REFILL_UNALIGNED, IT_AFTER_16, IT_AFTER_32,
    LOAD, PIPELINED, LOAD_WRITES_BACK, STORE, STORE_REGISTER_OFFSET, STORE_WRITES_BACK,
    SEVERAL, TRANSFER, DOUBLE, ADDRESS_FROM_RESULT, UNALIGNED_PART, READ_FROM_CODE, THIRD_UNALIGNED_WIDE,
    DIVIDE, SYSTEM, EXCLUSIVE, FP_LOAD_STORE, FP_MOVE_DOUBLE, FP_MULTIPLY_ADD, FP_DIVIDE, FP_RESULT_USED, RULES
};

static struct {
    const char *name;
    double cycles;
    const char *source;
} rules[RULES] = {
    [REFILL] = {"refill", 1, "§3.3.1: a branch costs 1 + P, P = 1 to 3; fitted"},
    [REFILL_REGISTER] = {"refill-register", 2, "§3.3.1: P of BX, BLX, MOV pc; fitted"},
    [REFILL_LOADED] = {"refill-loaded", 2, "§3.3.1: P of POP {pc}, LDR pc, TBB; fitted"},
    [REFILL_UNALIGNED] = {"refill-unaligned", 1, "§3.3.1: P depends on alignment and width of the target; a 32-bit one across a word"},
    [IT_AFTER_16] = {"it-after-16", 0, "§4.2 ACTLR.DISFOLD: IT is folded into the instruction before; after a 16-bit one: fitted"},
    [IT_AFTER_32] = {"it-after-32", 1, "the same: not after a 32-bit one"},
    [LOAD] = {"load", 2, "§3.3.1: LDR"},
    [PIPELINED] = {"pipelined", 1, "§3.3.2: taken off what follows an LDR and does not need it for its address"},
    [LOAD_WRITES_BACK] = {"load-writes-back", 2, "§3.3.2: at least, for LDR with base update"},
    [STORE] = {"store", 1, "§3.3.2: STR with immediate offset, always"},
    [STORE_REGISTER_OFFSET] = {"store-register-offset", 2, "§3.3.2; 1 if pipelined after an LDR"},
    [STORE_WRITES_BACK] = {"store-writes-back", 1, "added; fitted"},
    [SEVERAL] = {"several", 1, "§3.3.1: LDM, STM, PUSH, POP, VLDM: 1 + N"},
    [TRANSFER] = {"transfer", 1, "the N words of these"},
    [DOUBLE] = {"double", 3, "§3.3.1: LDRD, STRD: 1 + N"},
    [ADDRESS_FROM_RESULT] = {"address-from-result", 1, "§3.3.2: no forwarding from data processing to the next instruction's address"},
    [UNALIGNED_PART] = {"unaligned-part", 1, "§3.3.2: for each further part that an unaligned access is split into"},
    [READ_FROM_CODE] = {"read-from-code", 0.5, "data read over the code bus meet the fetches; fitted"},
    [THIRD_UNALIGNED_WIDE] = {"third-unaligned-wide", 0.25, "fetching runs behind on 32-bit instructions across words, from the third on; fitted"},
    [DIVIDE] = {"divide", 6, "§3.3.1: 2 to 12, by operands"},
    [SYSTEM] = {"system", 2, "§3.3.1: MRS, MSR: 1 or 2"},
    [EXCLUSIVE] = {"exclusive", 2, "§3.3.1"},
    [FP_LOAD_STORE] = {"fp-load-store", 2, "§7.2.3: VLDR, VSTR; one more for a double"},
    [FP_MOVE_DOUBLE] = {"fp-move-double", 2, "§7.2.3: VMOV of two"},
    [FP_MULTIPLY_ADD] = {"fp-multiply-add", 3, "§7.2.3: VMLA and the like"},
    [FP_DIVIDE] = {"fp-divide", 14, "§7.2.3: VDIV, VSQRT"},
    [FP_RESULT_USED] = {"fp-result-used", 1, "§7.2.3: the next instruction uses a floating-point result"},
};

static int quarters[RULES];

/* ---- One instruction --------------------------------------------------------------------------- */

/* May share its phases with the single access before or after it [§3.3.2]. */
static int is_single_access(const m4_instruction *x)
{
    return (x->kind == M4_LOAD || x->kind == M4_STORE) && x->branch == M4_NO_BRANCH;
}

static int may_pipeline(const m4_instruction *before, const m4_instruction *x)
{
    return is_single_access(before) && before->kind == M4_LOAD && is_single_access(x) && (before->loaded & x->address) == 0;
}

static int price_alone(const m4_instruction *x)
{
    switch (x->kind) {
    case M4_LOAD:
        return quarters[LOAD];
    case M4_STORE:
        return quarters[x->register_offset ? STORE_REGISTER_OFFSET : STORE] + (x->writes_back ? quarters[STORE_WRITES_BACK] : 0);
    case M4_LOAD_SEVERAL:
    case M4_STORE_SEVERAL:
        return quarters[SEVERAL] + (int)x->transfers * quarters[TRANSFER];
    case M4_LOAD_DOUBLE:
    case M4_STORE_DOUBLE:
        return quarters[DOUBLE];
    case M4_DIVIDE:
        return quarters[DIVIDE];
    case M4_SYSTEM:
        return quarters[SYSTEM];
    case M4_EXCLUSIVE:
        return quarters[EXCLUSIVE];
    case M4_FP_LOAD:
    case M4_FP_STORE:
        return quarters[FP_LOAD_STORE] + (x->transfers == 2 ? CYCLE : 0);
    case M4_FP_MOVE_DOUBLE:
        return quarters[FP_MOVE_DOUBLE];
    case M4_FP_MULTIPLY_ADD:
        return quarters[FP_MULTIPLY_ADD];
    case M4_FP_DIVIDE:
        return quarters[FP_DIVIDE];
    default:
        return CYCLE;
    }
}

/* Its price after `before`, the previous instruction of the block. */
static int price(const m4_instruction *before, const m4_instruction *x)
{
    int cost = price_alone(x);
    if (x->kind == M4_IT) {
        cost = quarters[before->halfwords == 1 ? IT_AFTER_16 : IT_AFTER_32];
    }
    if (may_pipeline(before, x) && cost > CYCLE) {
        cost -= quarters[PIPELINED];
    }
    if (x->kind == M4_LOAD && x->writes_back && cost < quarters[LOAD_WRITES_BACK]) {
        cost = quarters[LOAD_WRITES_BACK];
    }
    if (before->result & x->address) {
        cost += quarters[ADDRESS_FROM_RESULT];
    }
    if (before->fp_result & x->fp_sources) {
        cost += quarters[FP_RESULT_USED];
    }
    return cost;
}

static int refill(const m4_instruction *x)
{
    static const int rule_of[] = {[M4_BRANCH] = REFILL, [M4_BRANCH_REGISTER] = REFILL_REGISTER, [M4_BRANCH_LOADED] = REFILL_LOADED};
    return x->branch == M4_NO_BRANCH ? 0 : quarters[rule_of[x->branch]];
}

/* ---- One block --------------------------------------------------------------------------------- */

enum { CYCLES, INSTRUCTIONS, LOADS, STORES, BRANCHES, TAKEN, EVENTS };

static const meter_event events[EVENTS] = {
    {"cycles", CYCLE}, {"instructions", 1}, {"loads", 1}, {"stores", 1}, {"branches", 1}, {"taken", 1},
};

typedef struct block {
    meter_block *meter;
    uint32_t address, end;
    m4_instruction first, last;
    int taken;         /* added if its last instruction leaves it for another place */
    int first_crosses; /* 1 if its first instruction has 32 bits and lies across two words */
} block;

/* An instruction that a callback must know. */
typedef struct place {
    const block *of;
    size_t index;
    unsigned marker;    /* for meter_mark */
    int cost_of_access; /* of a conditional access, added when it is done */
} place;

static void *allocate(size_t size)
{
    void *memory = calloc(1, size);
    if (memory == NULL) {
        perror("cycle model");
        exit(1);
    }
    return memory;
}

static const block *previous;

static void on_block(unsigned vcpu, void *userdata)
{
    block *b = userdata;
    (void)vcpu;
    meter_enter(b->meter);
    meter_counts *counts = meter_running();
    if (counts != NULL && previous != NULL) {
        if (previous->end != b->address) {
            meter_add(b->meter, previous->taken + (b->first_crosses ? quarters[REFILL_UNALIGNED] : 0));
            meter_branch(previous->meter, b->meter, previous->last.links);
            counts->events[TAKEN]++;
        } else if (b->first.kind == M4_LOAD && may_pipeline(&previous->last, &b->first)) {
            meter_add(b->meter, -quarters[PIPELINED]);
        }
    }
    previous = b;
}

/* Into how many parts an access is split, less one [§3.3.2]. */
static int further_parts(uint32_t address, unsigned size_shift)
{
    return size_shift == 1 ? (address & 1) != 0 : size_shift == 2 && (address & 3) != 0 ? 1 + (int)(address & 1) : 0;
}

static void on_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *userdata)
{
    const place *p = userdata;
    const unsigned size_shift = qemu_plugin_mem_size_shift(info);
    const int stores = qemu_plugin_mem_is_store(info);
    meter_counts *counts = meter_running();
    (void)vcpu;
    if (counts == NULL) {
        return;
    }
    const int from_code = !stores && address < CODE_REGION_END;
    const int extra = p->cost_of_access + further_parts((uint32_t)address, size_shift) * quarters[UNALIGNED_PART] +
                      (from_code ? quarters[READ_FROM_CODE] : 0);
    if (extra != 0) {
        meter_add(p->of->meter, extra);
    }
    counts->events[stores ? STORES : LOADS]++;
    meter_access(address, size_shift, stores);
}

static void on_marker(unsigned vcpu, void *userdata)
{
    const place *p = userdata;
    (void)vcpu;
    meter_mark(p->of->meter, p->index, p->marker);
}

/* The markers of firmware/mark.h: hints that no processor knows, 0xf3af80nn; nn is 0x40 + k for begin and 0x50 + k for end. */
static int marker_of(unsigned first, unsigned second, unsigned *marker)
{
    *marker = (second & 0xff) - 0x40;
    return first == 0xf3af && (second & 0xff00) == 0x8000 && *marker < 2 * METER_REGIONS;
}

static int accesses_memory(m4_kind kind)
{
    switch (kind) {
    case M4_LOAD:
    case M4_STORE:
    case M4_LOAD_SEVERAL:
    case M4_STORE_SEVERAL:
    case M4_LOAD_DOUBLE:
    case M4_STORE_DOUBLE:
    case M4_EXCLUSIVE:
    case M4_FP_LOAD:
    case M4_FP_STORE:
        return 1;
    default:
        return 0;
    }
}

static unsigned words_moved(const m4_instruction *x)
{
    return x->transfers != 0 ? x->transfers : x->kind == M4_LOAD_DOUBLE || x->kind == M4_STORE_DOUBLE ? 2 : 1;
}

static void watch(struct qemu_plugin_insn *insn, const block *b, size_t index, int cost_of_access)
{
    place *p = allocate(sizeof *p);
    *p = (place){.of = b, .index = index, .cost_of_access = cost_of_access};
    qemu_plugin_register_vcpu_mem_cb(insn, on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, p);
}

static void watch_marker(struct qemu_plugin_insn *insn, const block *b, size_t index, unsigned marker)
{
    place *p = allocate(sizeof *p);
    *p = (place){.of = b, .index = index, .marker = marker};
    qemu_plugin_register_vcpu_insn_exec_cb(insn, on_marker, QEMU_PLUGIN_CB_NO_REGS, p);
}

/* What the translation of a block carries from one instruction to the next. */
typedef struct walk {
    block *b;
    m4_instruction before;
    unsigned governed; /* instructions still in an IT block */
    unsigned crossing; /* 32-bit instructions across words, one after another */
} walk;

static void add_instruction(walk *w, struct qemu_plugin_insn *insn, size_t index)
{
    const uint8_t *code = qemu_plugin_insn_data(insn);
    const unsigned size = (unsigned)qemu_plugin_insn_size(insn);
    const uint32_t address = (uint32_t)qemu_plugin_insn_vaddr(insn);
    const unsigned first = code[0] | (unsigned)code[1] << 8, second = size == 4 ? code[2] | (unsigned)code[3] << 8 : 0;
    const m4_instruction x = m4_decode(first, second);
    const int conditional = w->governed != 0, crosses = size == 4 && (address & 2) != 0;
    int cost = price(&w->before, &x), cost_of_access = 0;
    unsigned marker;

    if (marker_of(first, second, &marker)) {
        watch_marker(insn, w->b, index, marker);
        cost = 0;
    }
    w->governed = x.kind == M4_IT ? x.it_len : w->governed - (unsigned)conditional;
    w->crossing = crosses ? w->crossing + 1 : 0;
    if (w->crossing == 3) { /* and not the fourth, fifth, ...: see README.md */
        cost += quarters[THIRD_UNALIGNED_WIDE];
    }
    if (accesses_memory(x.kind)) {
        if (conditional) { /* one cycle if it is passed over */
            cost_of_access = (cost - CYCLE) / (int)words_moved(&x);
            cost = CYCLE;
        }
        watch(insn, w->b, index, cost_of_access);
    }
    if (index == 0) {
        w->b->first = x;
        w->b->first_crosses = crosses;
    }
    w->b->last = x;
    w->b->end = address + size;
    w->b->taken = refill(&x);

    meter_counts *after = &w->b->meter->before[index + 1];
    *after = w->b->meter->before[index];
    after->events[CYCLES] += cost;
    after->events[INSTRUCTIONS]++;
    after->events[BRANCHES] += x.branch != M4_NO_BRANCH;
    w->before = x;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    const size_t count = qemu_plugin_tb_n_insns(tb);
    block *b = allocate(sizeof *b);
    walk w = {.b = b};
    (void)id;
    b->address = (uint32_t)qemu_plugin_tb_vaddr(tb);
    b->meter = meter_block_new(b->address, count);
    for (size_t i = 0; i < count; i++) {
        add_instruction(&w, qemu_plugin_tb_get_insn(tb, i), i);
    }
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_NO_REGS, b);
}

/* ---- Start and end ----------------------------------------------------------------------------- */

static void print_rules(void)
{
    for (size_t r = 0; r < RULES; r++) {
        printf("| `%s` | %g | %s |\n", rules[r].name, rules[r].cycles, rules[r].source);
    }
}

static int set_rule(const char *name, const char *value)
{
    for (size_t r = 0; r < RULES; r++) {
        if (strcmp(name, rules[r].name) == 0) {
            rules[r].cycles = atof(value);
            return 1;
        }
    }
    return 0;
}

static int take_argument(char *argument)
{
    char *value = strchr(argument, '=');
    if (value == NULL) {
        return 0;
    }
    *value++ = '\0';
    if (strcmp(argument, "rules") == 0) {
        print_rules();
        return 1;
    }
    return meter_argument(argument, value) || set_rule(argument, value);
}

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
        if (!take_argument(argv[i])) {
            fprintf(stderr, "cycle model: unknown argument %s\n", argv[i]);
            return -1;
        }
    }
    for (size_t r = 0; r < RULES; r++) {
        quarters[r] = (int)(rules[r].cycles * CYCLE + 0.5);
    }
    if (meter_start(events, EVENTS) != 0) {
        return -1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, on_exit, NULL);
    return 0;
}
