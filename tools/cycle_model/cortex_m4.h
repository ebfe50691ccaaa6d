/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * One Thumb instruction as far as its time on a Cortex-M4 depends on it. Encodings: [ARMv7-M ARM] chapters A5 and A6. */
#ifndef TOOLS_CORTEX_M4_H
#define TOOLS_CORTEX_M4_H

#include <stdint.h>

typedef enum m4_kind {
    M4_PLAIN, /* data processing, and all that takes one cycle */
    M4_MULTIPLY,
    M4_DIVIDE,
    M4_LOAD, /* one register */
    M4_STORE,
    M4_LOAD_SEVERAL, /* LDM, POP, VLDM, VPOP: `transfers` words */
    M4_STORE_SEVERAL,
    M4_LOAD_DOUBLE,
    M4_STORE_DOUBLE,
    M4_SYSTEM, /* MRS, MSR */
    M4_EXCLUSIVE,
    M4_IT,
    M4_FP_LOAD, /* VLDR */
    M4_FP_STORE,
    M4_FP_MOVE, /* between a core register and one of the FPU's */
    M4_FP_MOVE_DOUBLE,
    M4_FP_ADD,
    M4_FP_MULTIPLY_ADD,
    M4_FP_DIVIDE
} m4_kind;

typedef enum m4_branch {
    M4_NO_BRANCH,
    M4_BRANCH,          /* B, Bcc, CBZ, BL: the target is in the instruction */
    M4_BRANCH_REGISTER, /* BX, BLX, MOV pc */
    M4_BRANCH_LOADED    /* POP {pc}, LDR pc, TBB */
} m4_branch;

typedef struct m4_instruction {
    m4_kind kind;
    m4_branch branch;
    unsigned halfwords;   /* 1 or 2 */
    unsigned transfers;   /* words moved by the SEVERAL kinds */
    unsigned it_len;      /* of an IT: how many instructions it governs */
    uint32_t address;     /* core registers that make the address, one a bit */
    uint32_t result;      /* core registers that data processing writes */
    uint32_t loaded;      /* core register that a LOAD writes */
    uint32_t fp_result;   /* FPU registers that FP arithmetic writes */
    uint32_t fp_sources;  /* and reads */
    int register_offset;  /* the address is a sum of two registers */
    int writes_back;      /* the address register is updated */
    int links;            /* of a branch: it leaves a return address */
} m4_instruction;

/* `second` is ignored for a 16-bit instruction. Unknown encodings are M4_PLAIN. */
m4_instruction m4_decode(unsigned first, unsigned second);

/* 1 if a halfword is the first of a 32-bit instruction. */
static inline int m4_is_wide(unsigned first)
{
    return (first & 0xe000) == 0xe000 && (first & 0x1800) != 0;
}

#endif
