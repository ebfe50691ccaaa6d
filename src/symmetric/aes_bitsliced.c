/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * AES in portable C without tables: bitsliced over the machine's words, so constant in time wherever
 * shifts and logic are. Always built; x86/aes_ni.c is tested against it. See aes_backend.h. */
#include "platform/bytes.h"
#include "platform/compiler.h"
#include "platform/machine_word.h"
#include "platform/wipe.h"
#include "symmetric/aes_backend.h"
#include "symmetric/counter.h"

#include <string.h>

typedef mb_machine_word word;

/* How blocks lie in words. Plane j, a word q[j], holds bit j of every byte of LANES blocks: of the
 * byte in row r and column c (byte 4c + r of a block [FIPS 197 §3.4]) of block b at bit
 *
 *     FIELD * r + LANES * c + b.
 *
 * Rows are outermost, so that to rotate a word is to rotate the rows, which MixColumns needs.
 *
 * ShiftRows moves nothing ("fixslicing", Adomnicai and Peyrin, TCHES 2021/1): after i rounds the byte
 * of row r and column c is found at column c + i * r modulo 4. MixColumns looks for its operands
 * there, which depends on i modulo 4, and round key i is laid out to fit. */
enum {
    LANES = MB_MACHINE_WORD_BITS / 16, /* blocks at once: 4 or 2 */
    FIELD = MB_MACHINE_WORD_BITS / 4,  /* bits of a row */
    GROUP_BYTES = 16 * LANES,
    KEYS_MAX = 15 /* AES-256: 14 rounds and the first key */
};

#define ALL_ONES ((word) ~(word)0)

/* The low `bits` bits of every field of `period` bits. */
#define LOW_BITS(bits, period) ((word)(ALL_ONES / (((word)1 << (period)) - 1) * (((word)1 << (bits)) - 1)))

/* 0 <= n, taken modulo the word's width. */
static MB_ALWAYS_INLINE word rotate_right(word x, unsigned n)
{
    n %= MB_MACHINE_WORD_BITS;
    return n == 0 ? x : (word)(x >> n | x << (MB_MACHINE_WORD_BITS - n));
}

/* ---- Bytes to planes and back ---------------------------------------------------------------- */

/* Exchanges the bits of *a at mask << shift with those of *b at mask. */
static inline void exchange(word *a, word *b, word mask, unsigned shift)
{
    const word t = (*a >> shift ^ *b) & mask;
    *b ^= t;
    *a ^= t << shift;
}

/* Bit j of byte k of q[w] changes places with bit w of byte k of q[j]. Its own inverse. */
static void transpose(word q[8])
{
    for (unsigned w = 0; w < 8; w += 2) {
        exchange(&q[w], &q[w + 1], LOW_BITS(1, 2), 1);
    }
    for (unsigned w = 0; w < 8; w += 4) {
        exchange(&q[w], &q[w + 2], LOW_BITS(2, 4), 2);
        exchange(&q[w + 1], &q[w + 3], LOW_BITS(2, 4), 2);
    }
    for (unsigned w = 0; w < 4; w++) {
        exchange(&q[w], &q[w + 4], LOW_BITS(4, 8), 4);
    }
}

/* Byte k of x to byte 2k of the result. */
static inline uint64_t spread(uint32_t x)
{
    const uint64_t halves = (x | (uint64_t)x << 16) & UINT64_C(0x0000ffff0000ffff);
    return (halves | halves << 8) & UINT64_C(0x00ff00ff00ff00ff);
}

/* Byte 2k of x to byte k of the result. */
static inline uint32_t gather(uint64_t x)
{
    x &= UINT64_C(0x00ff00ff00ff00ff);
    x = (x | x >> 8) & UINT64_C(0x0000ffff0000ffff);
    return (uint32_t)(x | x >> 16);
}

/* LANES blocks to planes. Transposing puts byte k of word w at bit 8k + w, so with four lanes word
 * w = 4 (c mod 2) + b has byte k = 2r + c / 2, and with two w = 2c + b has k = r. */
static void blocks_to_planes(word q[8], const uint8_t blocks[GROUP_BYTES])
{
    for (unsigned w = 0; w < 8; w++) {
        const uint8_t *column = blocks + 16 * (w % LANES) + 4 * (w / LANES);
        if (LANES == 4) {
            q[w] = (word)(spread(mb_load32_le(column)) | spread(mb_load32_le(column + 8)) << 8);
        } else {
            q[w] = (word)mb_load32_le(column);
        }
    }
    transpose(q);
}

static void planes_to_blocks(uint8_t blocks[GROUP_BYTES], word q[8])
{
    transpose(q);
    for (unsigned w = 0; w < 8; w++) {
        uint8_t *column = blocks + 16 * (w % LANES) + 4 * (w / LANES);
        if (LANES == 4) {
            mb_store32_le(column, gather(q[w]));
            mb_store32_le(column + 8, gather((uint64_t)q[w] >> 8));
        } else {
            mb_store32_le(column, (uint32_t)q[w]);
        }
    }
}

/* ---- The steps of a round -------------------------------------------------------------------- */

/* SubBytes without its final xor with 0x63, which whoever makes the keys adds to the next one: that
 * constant passes unchanged through MixColumns. The circuit of 115 gates is Boyar and Peralta's ("A
 * new combinational logic minimization technique with applications to cryptology", SEA 2010):
 * inversion in GF(256) as a tower over GF(16), between two linear maps. Names are theirs; x0 is the
 * most significant bit. */
static void substitute(word q[8])
{
    const word x0 = q[7], x1 = q[6], x2 = q[5], x3 = q[4];
    const word x4 = q[3], x5 = q[2], x6 = q[1], x7 = q[0];

    /* Into the tower. */
    const word y14 = x3 ^ x5;
    const word y13 = x0 ^ x6;
    const word y9 = x0 ^ x3;
    const word y8 = x0 ^ x5;
    const word t0 = x1 ^ x2;
    const word y1 = t0 ^ x7;
    const word y4 = y1 ^ x3;
    const word y12 = y13 ^ y14;
    const word y2 = y1 ^ x0;
    const word y5 = y1 ^ x6;
    const word y3 = y5 ^ y8;
    const word t1 = x4 ^ y12;
    const word y15 = t1 ^ x5;
    const word y20 = t1 ^ x1;
    const word y6 = y15 ^ x7;
    const word y10 = y15 ^ t0;
    const word y11 = y20 ^ y9;
    const word y7 = x7 ^ y11;
    const word y17 = y10 ^ y11;
    const word y19 = y10 ^ y8;
    const word y16 = t0 ^ y11;
    const word y21 = y13 ^ y16;
    const word y18 = x0 ^ y16;

    /* The element of GF(16) to be inverted. */
    const word t2 = y12 & y15;
    const word t4 = (y3 & y6) ^ t2;
    const word t6 = (y4 & x7) ^ t2;
    const word t7 = y13 & y16;
    const word t9 = (y5 & y1) ^ t7;
    const word t11 = (y2 & y7) ^ t7;
    const word t12 = y9 & y11;
    const word t14 = (y14 & y17) ^ t12;
    const word t16 = (y8 & y10) ^ t12;
    const word t21 = t4 ^ t14 ^ y20;
    const word t22 = t6 ^ t16 ^ y19;
    const word t23 = t9 ^ t14 ^ y21;
    const word t24 = t11 ^ t16 ^ y18;

    /* Its inverse: t29, t33, t37, t40. */
    const word t25 = t21 ^ t22;
    const word t26 = t21 & t23;
    const word t27 = t24 ^ t26;
    const word t29 = (t25 & t27) ^ t22;
    const word t30 = t23 ^ t24;
    const word t31 = t22 ^ t26;
    const word t33 = (t31 & t30) ^ t24;
    const word t34 = t23 ^ t33;
    const word t35 = t27 ^ t33;
    const word t36 = t24 & t35;
    const word t37 = t36 ^ t34;
    const word t38 = t27 ^ t36;
    const word t40 = t25 ^ (t29 & t38);
    const word t41 = t40 ^ t37;
    const word t42 = t29 ^ t33;
    const word t43 = t29 ^ t40;
    const word t44 = t33 ^ t37;
    const word t45 = t42 ^ t41;

    /* Times the two halves of the element of GF(256). */
    const word z0 = t44 & y15;
    const word z1 = t37 & y6;
    const word z2 = t33 & x7;
    const word z3 = t43 & y16;
    const word z4 = t40 & y1;
    const word z5 = t29 & y7;
    const word z6 = t42 & y11;
    const word z7 = t45 & y17;
    const word z8 = t41 & y10;
    const word z9 = t44 & y12;
    const word z10 = t37 & y3;
    const word z11 = t33 & y4;
    const word z12 = t43 & y13;
    const word z13 = t40 & y5;
    const word z14 = t29 & y2;
    const word z15 = t42 & y9;
    const word z16 = t45 & y14;
    const word z17 = t41 & y8;

    /* Back from the tower, and the matrix of SubBytes. */
    const word t46 = z15 ^ z16;
    const word t47 = z10 ^ z11;
    const word t48 = z5 ^ z13;
    const word t49 = z9 ^ z10;
    const word t50 = z2 ^ z12;
    const word t51 = z2 ^ z5;
    const word t52 = z7 ^ z8;
    const word t53 = z0 ^ z3;
    const word t54 = z6 ^ z7;
    const word t55 = z16 ^ z17;
    const word t56 = z12 ^ t48;
    const word t57 = t50 ^ t53;
    const word t58 = z4 ^ t46;
    const word t59 = z3 ^ t54;
    const word t60 = t46 ^ t57;
    const word t61 = z14 ^ t57;
    const word t62 = t52 ^ t58;
    const word t63 = t49 ^ t58;
    const word t64 = z4 ^ t59;
    const word t65 = t61 ^ t62;
    const word t66 = z1 ^ t63;
    const word t67 = t64 ^ t65;
    const word s3 = t53 ^ t66;
    q[7] = t59 ^ t63;
    q[6] = t64 ^ s3;
    q[5] = t55 ^ t67;
    q[4] = s3;
    q[3] = t51 ^ t66;
    q[2] = t47 ^ t65;
    q[1] = t56 ^ t62;
    q[0] = t48 ^ t60;
}

/* Fetches to each row r and column c what stands in row r + rows and column c + columns, modulo 4. */
static MB_ALWAYS_INLINE word fetch(word x, unsigned rows, unsigned columns)
{
    const unsigned row_bits = FIELD * rows;
    const unsigned column_bits = LANES * columns;
    if (columns == 0) {
        return rotate_right(x, row_bits);
    }
    /* The last `columns` columns of a row would come from the row after; take them from its own. */
    const word inside = LOW_BITS(FIELD - column_bits, FIELD);
    return (rotate_right(x, row_bits + column_bits) & inside) |
           (rotate_right(x, row_bits + column_bits - FIELD) & (word)~inside);
}

/* MixColumns where i rounds' ShiftRows are outstanding. With x_r the byte in row r of a column and
 * t_r = x_r + x_(r+1), the new byte is 2 x_r + 3 x_(r+1) + x_(r+2) + x_(r+3) = 2 t_r + x_(r+1) +
 * t_(r+2). To double is to shift the planes by one and to add plane 7 to planes 0, 1, 3 and 4. */
static MB_ALWAYS_INLINE void mix_columns(word q[8], unsigned i)
{
    const unsigned one = i % 4, two = 2 * i % 4; /* where the columns of the next two rows are */
    const word next0 = fetch(q[0], 1, one), t0 = q[0] ^ next0;
    const word next1 = fetch(q[1], 1, one), t1 = q[1] ^ next1;
    const word next2 = fetch(q[2], 1, one), t2 = q[2] ^ next2;
    const word next3 = fetch(q[3], 1, one), t3 = q[3] ^ next3;
    const word next4 = fetch(q[4], 1, one), t4 = q[4] ^ next4;
    const word next5 = fetch(q[5], 1, one), t5 = q[5] ^ next5;
    const word next6 = fetch(q[6], 1, one), t6 = q[6] ^ next6;
    const word next7 = fetch(q[7], 1, one), t7 = q[7] ^ next7;
    q[0] = t7 ^ next0 ^ fetch(t0, 2, two);
    q[1] = t0 ^ t7 ^ next1 ^ fetch(t1, 2, two);
    q[2] = t1 ^ next2 ^ fetch(t2, 2, two);
    q[3] = t2 ^ t7 ^ next3 ^ fetch(t3, 2, two);
    q[4] = t3 ^ t7 ^ next4 ^ fetch(t4, 2, two);
    q[5] = t4 ^ next5 ^ fetch(t5, 2, two);
    q[6] = t5 ^ next6 ^ fetch(t6, 2, two);
    q[7] = t6 ^ next7 ^ fetch(t7, 2, two);
}

static inline void add_key(word q[8], const word key[8])
{
    for (unsigned j = 0; j < 8; j++) {
        q[j] ^= key[j];
    }
}

/* The cipher on LANES blocks, with keys from lay_out_keys. `rounds` is 10 or 14: 2 modulo 4. */
static void encrypt(word q[8], const word (*key)[8], unsigned rounds)
{
    add_key(q, *key++);
    for (unsigned left = rounds;; left -= 4) {
        substitute(q);
        mix_columns(q, 1);
        add_key(q, *key++);
        substitute(q);
        if (left == 2) {
            break;
        }
        mix_columns(q, 2);
        add_key(q, *key++);
        substitute(q);
        mix_columns(q, 3);
        add_key(q, *key++);
        substitute(q);
        mix_columns(q, 0);
        add_key(q, *key++);
    }
    add_key(q, *key);

    /* The outstanding ShiftRows, twice: the odd rows change places by halves. */
    const word odd_rows = LOW_BITS(FIELD / 2, FIELD) & ~LOW_BITS(FIELD, 2 * FIELD);
    for (unsigned j = 0; j < 8; j++) {
        const word t = (q[j] >> FIELD / 2 ^ q[j]) & odd_rows;
        q[j] ^= t ^ t << FIELD / 2;
    }
}

/* ---- Keys ------------------------------------------------------------------------------------ */

/* Bitslices the round keys, each the same in all lanes, each with its columns where the rounds before
 * it leave them, and all but the first with the 0x63 that substitute() leaves out. */
static MB_NOINLINE void lay_out_keys(word keys[KEYS_MAX][8], const mb_aes *aes)
{
    /* LANES keys are transposed together, one in each lane. */
    for (unsigned first = 0; first <= aes->rounds; first += LANES) {
        uint8_t moved[GROUP_BYTES] = {0};
        word q[8];
        for (unsigned i = first; i < first + LANES && i <= aes->rounds; i++) {
            for (unsigned n = 0; n < 16; n++) {
                const unsigned row = n % 4, column = n / 4;
                const unsigned place = 16 * (i - first) + 4 * ((column + i * row) % 4) + row;
                const unsigned left_out = i == 0 ? 0 : 0x63;
                moved[place] = (uint8_t)(aes->round_keys[16 * i + n] ^ left_out);
            }
        }
        blocks_to_planes(q, moved);
        for (unsigned i = first; i < first + LANES && i <= aes->rounds; i++) {
            for (unsigned j = 0; j < 8; j++) {
                /* One lane's bits stand LANES apart; this product repeats each LANES times. */
                const word lane = (q[j] >> (i - first)) & LOW_BITS(1, LANES);
                keys[i][j] = (lane << LANES) - lane;
            }
        }
        mb_wipe(moved, sizeof moved);
        mb_wipe(q, sizeof q);
    }
}

/* SubWord [FIPS 197 §5.2] through the same circuit: four bytes in the words' lowest 32 bits. */
static uint32_t substitute_word(uint32_t in)
{
    word q[8];
    for (unsigned j = 0; j < 8; j++) {
        q[j] = (in >> j) & 0x01010101;
    }
    substitute(q);
    uint32_t out = 0x63636363;
    for (unsigned j = 0; j < 8; j++) {
        out ^= (uint32_t)(q[j] << j);
    }
    return out;
}

/* KeyExpansion for keys of 4 or 8 words [FIPS 197 §5.2]; a word's first byte is its lowest here. */
static void expand(mb_aes *aes, const uint8_t *key, unsigned key_words)
{
    uint8_t *const out = aes->round_keys;
    unsigned constant = 1;
    aes->rounds = key_words + 6;
    memcpy(out, key, 4 * key_words);

    uint32_t last = mb_load32_le(key + 4 * (key_words - 1));
    for (unsigned i = key_words; i < 4 * (aes->rounds + 1); i++) {
        if (i % key_words == 0) {
            last = substitute_word(last >> 8 | last << 24) ^ constant;
            constant = (constant << 1 ^ (constant >> 7) * 0x1b) & 0xff;
        } else if (i % key_words == 4) { /* only in AES-256 */
            last = substitute_word(last);
        }
        last ^= mb_load32_le(out + 4 * (i - key_words));
        mb_store32_le(out + 4 * i, last);
    }
}

static void init_128(mb_aes *aes, const uint8_t key[16])
{
    expand(aes, key, 4);
}

static void init_256(mb_aes *aes, const uint8_t key[32])
{
    expand(aes, key, 8);
}

/* ---- Counter mode ---------------------------------------------------------------------------- */

/* LANES blocks of key stream from `counter` on, of which the first `taken` are wanted. */
static MB_NOINLINE void encrypt_counters(uint8_t *out, const word keys[KEYS_MAX][8], unsigned rounds,
                                         mb_counter counter, size_t taken)
{
    word q[8];
    uint8_t group[GROUP_BYTES];
    for (unsigned b = 0; b < LANES; b++) {
        mb_counter_store(group + 16 * b, mb_counter_add(counter, b));
    }
    blocks_to_planes(q, group);
    encrypt(q, keys, rounds);
    planes_to_blocks(group, q);
    memcpy(out, group, 16 * taken);
    mb_wipe(q, sizeof q);
    mb_wipe(group, sizeof group);
}

/* The functions called stay out of this one's stack frame. */
static void ctr(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks)
{
    word keys[KEYS_MAX][8]; /* 960 bytes on a 64-bit machine, 480 on a 32-bit one */
    mb_counter next = mb_counter_load(counter);
    lay_out_keys(keys, aes);
    while (blocks != 0) {
        const size_t taken = blocks < LANES ? blocks : LANES;
        encrypt_counters(out, (const word(*)[8])keys, aes->rounds, next, taken);
        next = mb_counter_add(next, taken);
        out += 16 * taken;
        blocks -= taken;
    }
    mb_counter_store(counter, next);
    mb_wipe(keys, sizeof keys);
}

const mb_aes_backend mb_aes_portable_backend = {"portable", init_128, init_256, ctr, NULL, NULL, NULL};
