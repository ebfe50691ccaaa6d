/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Decodes Thumb instructions of ARMv7E-M with single-precision floating point as far as cortex_m4.h asks. Sections named are those of the
 * ARMv7-M Architecture Reference Manual. */
#include "cortex_m4.h"

enum { SP = 13, PC = 15 };

static uint32_t bit(unsigned number)
{
    return UINT32_C(1) << (number & 31);
}

static unsigned field(unsigned word, unsigned lowest, unsigned width)
{
    return word >> lowest & ((1U << width) - 1);
}

static unsigned ones(unsigned word)
{
    return (unsigned)__builtin_popcount(word);
}

/* ---- 16 bits [A5.2] --------------------------------------------------------------------------- */

static void data_processing_16(m4_instruction *x, unsigned h)
{
    const unsigned operation = field(h, 6, 4);
    const int compares = operation == 8 || operation == 10 || operation == 11; /* TST, CMP, CMN */
    x->kind = operation == 13 ? M4_MULTIPLY : M4_PLAIN;
    x->result = compares ? 0 : bit(h & 7);
}

static void special_data_16(m4_instruction *x, unsigned h)
{
    const unsigned operation = field(h, 8, 2), destination = field(h, 4, 4) / 8 * 8 + (h & 7);
    if (operation == 3 || (operation != 1 && destination == PC)) {
        x->branch = M4_BRANCH_REGISTER; /* BX, BLX; ADD or MOV to pc */
        x->links = (h & 0xff80) == 0x4780;
    } else if (operation != 1) {
        x->result = bit(destination);
    }
}

static void load_store_16(m4_instruction *x, unsigned h)
{
    const unsigned group = h >> 12;
    const int stack = group == 9, literal = (h & 0xf800) == 0x4800;
    int loads = field(h, 11, 1) != 0;
    if (group == 5) { /* register offset: STR, STRH, STRB, then loads */
        loads = field(h, 9, 3) > 2;
        x->register_offset = 1;
        x->address = bit(field(h, 3, 3)) | bit(field(h, 6, 3));
    } else {
        x->address = literal ? 0 : stack ? bit(SP) : bit(field(h, 3, 3));
    }
    x->kind = loads ? M4_LOAD : M4_STORE;
    x->loaded = !loads ? 0 : bit(stack || literal ? field(h, 8, 3) : h & 7);
}

static void miscellaneous_16(m4_instruction *x, unsigned h)
{
    if ((h & 0xff00) == 0xb000) { /* ADD or SUB sp */
        x->result = bit(SP);
    } else if ((h & 0xf500) == 0xb100) { /* CBZ, CBNZ */
        x->branch = M4_BRANCH;
    } else if ((h & 0xff00) == 0xb200 || (h & 0xff00) == 0xba00) { /* extensions, reversals */
        x->result = bit(h & 7);
    } else if ((h & 0xf600) == 0xb400) { /* PUSH, POP */
        const int pops = field(h, 11, 1) != 0;
        x->kind = pops ? M4_LOAD_SEVERAL : M4_STORE_SEVERAL;
        x->transfers = ones(h & 0x1ff);
        x->address = bit(SP);
        x->branch = pops && (h & 0x100) ? M4_BRANCH_LOADED : M4_NO_BRANCH;
    } else if ((h & 0xff00) == 0xbf00 && (h & 15) != 0) {
        x->kind = M4_IT;
        x->it_len = 4 - (unsigned)__builtin_ctz(h & 15);
    }
}

static void decode_16(m4_instruction *x, unsigned h)
{
    switch (h >> 12) {
    case 0:
    case 1: /* shift, add, subtract */
        x->result = bit(h & 7);
        break;
    case 2:
    case 3: /* move, compare, add, subtract an immediate */
        x->result = field(h, 11, 2) == 1 ? 0 : bit(field(h, 8, 3));
        break;
    case 4:
        if (h >= 0x4800) {
            load_store_16(x, h);
        } else if (h >= 0x4400) {
            special_data_16(x, h);
        } else {
            data_processing_16(x, h);
        }
        break;
    case 5:
    case 6:
    case 7:
    case 8:
    case 9:
        load_store_16(x, h);
        break;
    case 10: /* ADR, ADD to sp */
        x->result = bit(field(h, 8, 3));
        break;
    case 11:
        miscellaneous_16(x, h);
        break;
    case 12:
        x->kind = field(h, 11, 1) ? M4_LOAD_SEVERAL : M4_STORE_SEVERAL;
        x->transfers = ones(h & 0xff);
        x->address = bit(field(h, 8, 3));
        break;
    case 13:
        x->branch = field(h, 8, 4) < 14 ? M4_BRANCH : M4_NO_BRANCH; /* else UDF, SVC */
        break;
    case 14:
        x->branch = M4_BRANCH;
        break;
    default:
        break;
    }
}

/* ---- 32 bits [A5.3] --------------------------------------------------------------------------- */

/* Destination of data processing: none for comparisons, which name pc. */
static uint32_t destination(unsigned g)
{
    return field(g, 8, 4) == PC ? 0 : bit(field(g, 8, 4));
}

static void load_store_several(m4_instruction *x, unsigned h, unsigned g)
{
    x->kind = field(h, 4, 1) ? M4_LOAD_SEVERAL : M4_STORE_SEVERAL;
    x->transfers = ones(g);
    x->address = bit(h & 15);
    x->branch = field(h, 4, 1) && (g & 0x8000) ? M4_BRANCH_LOADED : M4_NO_BRANCH;
}

/* LDRD, STRD, exclusive accesses, TBB, TBH [A5.3.6]. */
static void load_store_double(m4_instruction *x, unsigned h, unsigned g)
{
    x->address = bit(h & 15);
    if ((h & 0xfff0) == 0xe8d0 && (g & 0xffe0) == 0xf000) {
        x->kind = M4_LOAD;
        x->address |= bit(g & 15);
        x->branch = M4_BRANCH_LOADED;
    } else if (h & 0x0120) {
        x->kind = field(h, 4, 1) ? M4_LOAD_DOUBLE : M4_STORE_DOUBLE;
    } else {
        x->kind = M4_EXCLUSIVE;
    }
}

/* LDR and STR of all widths [A5.3.7 to A5.3.10]. */
static void load_store_32(m4_instruction *x, unsigned h, unsigned g)
{
    const unsigned base = h & 15, target = g >> 12;
    const int loads = field(h, 4, 1) != 0, word = field(h, 5, 2) == 2;
    const int long_immediate = field(h, 7, 1) != 0 || base == PC;
    if (loads && target == PC && !word) {
        return; /* PLD, PLI */
    }
    x->kind = loads ? M4_LOAD : M4_STORE;
    x->address = base == PC ? 0 : bit(base);
    if (!long_immediate && !(g & 0x0800)) {
        x->register_offset = 1;
        x->address |= bit(g & 15);
    }
    x->writes_back = !long_immediate && (g & 0x0900) == 0x0900;
    x->loaded = loads ? bit(target) : 0;
    x->branch = loads && target == PC ? M4_BRANCH_LOADED : M4_NO_BRANCH;
}

static void branches_and_system(m4_instruction *x, unsigned h, unsigned g)
{
    if ((g & 0xd000) == 0x8000) {
        if ((h & 0x0380) != 0x0380) {
            x->branch = M4_BRANCH; /* conditional */
        } else if ((h & 0xffe0) == 0xf3e0 || (h & 0xffe0) == 0xf380) {
            x->kind = M4_SYSTEM;
        }
    } else {
        x->branch = M4_BRANCH; /* B, BL */
        x->links = (g & 0xd000) == 0xd000;
    }
}

/* Register shifts, extensions, parallel arithmetic, multiplications [A5.3.12 to A5.3.17]. */
static void data_processing_register(m4_instruction *x, unsigned h, unsigned g)
{
    x->result = destination(g);
    if ((h & 0xff80) == 0xfb00) {
        x->kind = M4_MULTIPLY;
    } else if ((h & 0xff80) == 0xfb80) {
        const int divides = (h & 0xffd0) == 0xfb90;
        x->kind = divides ? M4_DIVIDE : M4_MULTIPLY;
        x->result |= divides ? 0 : bit(g >> 12); /* long products have two */
    }
}

/* ---- Floating point [A6] ---------------------------------------------------------------------- */

static void fp_arithmetic(m4_instruction *x, unsigned h, unsigned g)
{
    const uint32_t d = bit(field(g, 12, 4) << 1 | field(h, 6, 1)), n = bit((h & 15) << 1 | field(g, 7, 1)),
                   m = bit((g & 15) << 1 | field(g, 5, 1));
    const unsigned operation = field(h, 4, 4) & 0xb, other = h & 15;
    x->kind = M4_FP_ADD;
    x->fp_result = d;
    x->fp_sources = n | m;
    if (operation <= 1 || operation == 9 || operation == 10) {
        x->kind = M4_FP_MULTIPLY_ADD;
        x->fp_sources |= d;
    } else if (operation == 8) {
        x->kind = M4_FP_DIVIDE;
    } else if (operation == 11) { /* one operand, or an immediate */
        const int immediate = (g & 0x40) == 0, compares = other == 4 || other == 5;
        x->kind = other == 1 && (g & 0xc0) == 0xc0 ? M4_FP_DIVIDE : M4_FP_ADD; /* VSQRT */
        x->fp_result = immediate || compares || other == 0 ? 0 : d;
        x->fp_sources = immediate ? 0 : compares ? d | m : m;
    }
}

static void coprocessor(m4_instruction *x, unsigned h, unsigned g)
{
    const unsigned number = field(g, 8, 4);
    const int loads = field(h, 4, 1) != 0;
    if (number != 10 && number != 11) {
        return;
    }
    if ((h & 0xffe0) == 0xec40) {
        x->kind = M4_FP_MOVE_DOUBLE;
    } else if ((h & 0xfe00) == 0xec00) {
        x->address = bit(h & 15);
        if ((h & 0x0120) == 0x0100) {
            x->kind = loads ? M4_FP_LOAD : M4_FP_STORE;
            x->transfers = number == 11 ? 2 : 1;
        } else {
            x->kind = loads ? M4_LOAD_SEVERAL : M4_STORE_SEVERAL;
            x->transfers = g & 0xff;
        }
    } else if (!(g & 0x10)) {
        fp_arithmetic(x, h, g);
    } else {
        x->kind = M4_FP_MOVE;
        if ((h & 0xfff0) == 0xee10) { /* from the FPU */
            x->fp_sources = bit((h & 15) << 1 | field(g, 7, 1));
            x->result = g >> 12 == PC ? 0 : bit(g >> 12);
        }
    }
}

static void decode_32(m4_instruction *x, unsigned h, unsigned g)
{
    const unsigned op1 = field(h, 11, 2), op2 = field(h, 4, 7);
    if (op1 == 2) {
        if (g & 0x8000) {
            branches_and_system(x, h, g);
        } else {
            x->result = destination(g);
        }
    } else if (op2 & 0x40) {
        coprocessor(x, h, g);
    } else if (op1 == 1) {
        if (op2 & 0x20) {
            x->result = destination(g); /* shifted register */
        } else if (op2 & 0x04) {
            load_store_double(x, h, g);
        } else {
            load_store_several(x, h, g);
        }
    } else if (op2 & 0x20) {
        data_processing_register(x, h, g);
    } else {
        load_store_32(x, h, g);
    }
}

m4_instruction m4_decode(unsigned first, unsigned second)
{
    m4_instruction x = {.kind = M4_PLAIN, .halfwords = m4_is_wide(first) ? 2 : 1};
    if (x.halfwords == 2) {
        decode_32(&x, first, second);
    } else {
        decode_16(&x, first);
    }
    return x;
}
