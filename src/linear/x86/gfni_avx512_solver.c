/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Linear systems of up to 128 unknowns for processors with GFNI and AVX-512 (VBMI among it): Gauss-Jordan elimination by columns,
 * a column in one register or two, in the coordinates of the field of AES. Larger systems go to gfni_avx2.c.
 *
 * Step k looks for the first row r ≥ k with an entry in column k, exchanges it with row k, and clears the column. With s the
 * entries of row k after that, p the pivot among them and c = (column k)/p, that is column j ^= c·s[j], where c has 1 + 1/p for row k,
 * which so ends divided by p. Row k ends as variable k. Rows are chosen by the contents of registers (VPERMB) and masks alone, never by an
 * address; that r is k makes no difference, and nothing waits for it. */
#include "linear/x86/x86.h"
#include "platform/barrier.h"
#include "platform/compiler.h"

#include <immintrin.h>

enum { REGISTER = 64, REGISTERS_MOST = 2, N_MOST = REGISTER * REGISTERS_MOST };

typedef struct column {
    __m512i part[REGISTERS_MOST];
} column;

/* Which row a step exchanges with row k: its number in its register, in each byte. In the same register that is a permutation;
 * with row k in the first of two, masks tell whether the row is in the second, and which places change. */
typedef struct choice {
    __m512i row, exchanged;
    __mmask64 second, changed[REGISTERS_MOST];
} choice;

typedef struct elimination {
    unsigned registers;
    uint8_t *columns;
    uint8_t *multipliers; /* a column a step */
    uint8_t *choices;
    __m512i to_aes, from_aes;
} elimination;

static unsigned registers_for(size_t n)
{
    return n <= REGISTER ? 1 : 2;
}

static size_t factors_bytes(const mb_field *field, size_t n)
{
    if (n > N_MOST) {
        return mb_gfni_avx2_solver.factors_bytes(field, n);
    }
    return n * (2 * registers_for(n) * REGISTER + 1);
}

static MB_ALWAYS_INLINE elimination lay_out(const mb_field *field, void *factors, size_t n, unsigned registers)
{
    elimination e;
    mb_x86_aes_map storage;
    const mb_x86_aes_map *map = mb_x86_find_aes_map(field, &storage);
    e.registers = registers;
    e.columns = factors;
    e.multipliers = e.columns + n * registers * REGISTER;
    e.choices = e.multipliers + n * registers * REGISTER;
    e.to_aes = _mm512_set1_epi64((long long)map->to_aes);
    e.from_aes = _mm512_set1_epi64((long long)map->from_aes);
    MB_X86_IN_REGISTER(e.to_aes);
    MB_X86_IN_REGISTER(e.from_aes);
    return e;
}

static inline __mmask64 first_bits(size_t count)
{
    return count >= 64 ? ~(__mmask64)0 : ((__mmask64)1 << count) - 1;
}

/* n packed elements, one a byte, in the coordinates of AES. */
static MB_ALWAYS_INLINE column load_packed(const elimination *e, unsigned bits, const uint8_t *packed, size_t n)
{
    column c = {{_mm512_setzero_si512()}};
    for (unsigned w = 0; w < e->registers; w++) {
        const size_t left = n - w * REGISTER;
        if (bits == 8) {
            c.part[w] = _mm512_maskz_loadu_epi8(first_bits(left), packed + w * REGISTER);
        } else {
            const __mmask32 half = (__mmask32)first_bits(left / 2);
            const __m512i words = _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(half, packed + w * REGISTER / 2));
            const __m512i nibbles = _mm512_or_si512(words, _mm512_slli_epi16(words, 4));
            c.part[w] = _mm512_and_si512(nibbles, _mm512_set1_epi8(15));
        }
        c.part[w] = _mm512_gf2p8affine_epi64_epi8(c.part[w], e->to_aes, 0);
    }
    return c;
}

static MB_ALWAYS_INLINE column load_column(unsigned registers, const uint8_t *at)
{
    column c = {{_mm512_setzero_si512()}};
    for (unsigned w = 0; w < registers; w++) {
        c.part[w] = _mm512_loadu_si512(at + w * REGISTER);
    }
    return c;
}

static MB_ALWAYS_INLINE void store_column(unsigned registers, uint8_t *at, column c)
{
    for (unsigned w = 0; w < registers; w++) {
        _mm512_storeu_si512(at + w * REGISTER, c.part[w]);
    }
}

static inline __m512i numbers(void)
{
    return _mm512_set_epi64(0x3f3e3d3c3b3a3938, 0x3736353433323130, 0x2f2e2d2c2b2a2928, 0x2726252423222120,
                            0x1f1e1d1c1b1a1918, 0x1716151413121110, 0x0f0e0d0c0b0a0908, 0x0706050403020100);
}

/* Where row k is, among how many registers: constants in all that follows. */
typedef struct place {
    unsigned registers, own; /* row k is in register `own` */
} place;

static MB_ALWAYS_INLINE int in_one(place at)
{
    return at.own + 1 == at.registers; /* rows from k on are in no other one */
}

/* The exchange of row `row` (SECRET) and row k. */
static MB_ALWAYS_INLINE choice exchange(uint64_t row, size_t k)
{
    choice chosen;
    chosen.row = _mm512_set1_epi8((char)(row % REGISTER));
    const __mmask64 equal = _mm512_cmpeq_epi8_mask(numbers(), chosen.row);
    chosen.exchanged = _mm512_mask_mov_epi8(numbers(), equal, _mm512_set1_epi8((char)(k % REGISTER)));
    chosen.exchanged = _mm512_mask_mov_epi8(chosen.exchanged, (__mmask64)1 << (k % REGISTER), chosen.row);
    chosen.second = 0u - (uint64_t)(row / REGISTER);
    chosen.changed[0] = (equal & ~chosen.second) ^ (__mmask64)1 << (k % REGISTER);
    chosen.changed[1] = equal & chosen.second;
    return chosen;
}

/* The lowest one, 0 if there is none. */
static inline uint64_t lowest(uint64_t entries)
{
    return (uint64_t)_mm_popcnt_u64(~entries & (entries - 1)) & 63;
}

static inline uint64_t any(uint64_t entries)
{
    return mb_barrier_u64(entries | (0u - entries)) >> 63;
}

/* The first row from k on (public) with an entry in the column; all ones in *regular stay if there is one. */
static MB_ALWAYS_INLINE choice choose_row(place at, column c, size_t k, uint64_t *regular)
{
    const __m512i own = c.part[at.own];
    const uint64_t entries = _mm512_test_epi8_mask(own, own) & ~UINT64_C(0) << (k % REGISTER);
    if (in_one(at)) {
        *regular &= 0u - any(entries);
        return exchange(at.own * REGISTER + lowest(entries), k);
    }
    const uint64_t others = _mm512_test_epi8_mask(c.part[1], c.part[1]), here = 0u - any(entries);
    *regular &= 0u - any(entries | others);
    return exchange((lowest(entries) & here) | ((REGISTER + lowest(others)) & ~here), k);
}

/* A column before its rows change places: what row k will have, in every byte. */
static MB_ALWAYS_INLINE __m512i entry_of(place at, column c, choice chosen)
{
    const __m512i own = _mm512_permutexvar_epi8(chosen.row, c.part[at.own]);
    return in_one(at) ? own : _mm512_mask_mov_epi8(own, chosen.second, _mm512_permutexvar_epi8(chosen.row, c.part[1]));
}

/* One step on a column. With the rows in two registers, the exchange is to add entry + old in two places, old being row k's: these
 * places of the multipliers have 1 more, for `entry`. */
static MB_ALWAYS_INLINE column step(place at, column c, column multiplier, size_t k, choice chosen)
{
    const __m512i entry = entry_of(at, c, chosen);
    if (in_one(at)) {
        c.part[at.own] = _mm512_permutexvar_epi8(chosen.exchanged, c.part[at.own]);
        MB_UNROLL
        for (unsigned w = 0; w < at.registers; w++) {
            c.part[w] = _mm512_xor_si512(c.part[w], _mm512_gf2p8mul_epi8(multiplier.part[w], entry));
        }
        return c;
    }
    const __m512i old = _mm512_permutexvar_epi8(_mm512_set1_epi8((char)k), c.part[0]);
    MB_UNROLL
    for (unsigned w = 0; w < at.registers; w++) {
        const __m512i exchanged = _mm512_mask_mov_epi8(_mm512_setzero_si512(), chosen.changed[w], old);
        c.part[w] = _mm512_ternarylogic_epi64(c.part[w], _mm512_gf2p8mul_epi8(multiplier.part[w], entry), exchanged, 0x96);
    }
    return c;
}

/* The multipliers of step k, from its column, which they make that of the identity. */
static MB_ALWAYS_INLINE column divide_by_pivot(place at, column c, size_t k, choice chosen)
{
    const __m512i identity = _mm512_set1_epi64(0x0102040810204080), one = _mm512_set1_epi8(1);
    const __m512i pivot = entry_of(at, c, chosen), inverse = _mm512_gf2p8affineinv_epi64_epi8(pivot, identity, 0);
    const column none = {{_mm512_setzero_si512(), _mm512_setzero_si512()}};
    column added = none;
    if (!in_one(at)) {
        MB_UNROLL
        for (unsigned w = 0; w < at.registers; w++) {
            added.part[w] = _mm512_mask_mov_epi8(_mm512_setzero_si512(), chosen.changed[w], one);
        }
    }
    c = step(at, c, added, k, chosen); /* the exchange alone */
    MB_UNROLL
    for (unsigned w = 0; w < at.registers; w++) {
        c.part[w] = _mm512_gf2p8mul_epi8(c.part[w], inverse);
    }
    c.part[at.own] = _mm512_mask_mov_epi8(c.part[at.own], (__mmask64)1 << (k % REGISTER), _mm512_xor_si512(inverse, one));
    MB_UNROLL
    for (unsigned w = 0; w < at.registers; w++) {
        c.part[w] = _mm512_xor_si512(c.part[w], added.part[w]);
    }
    return c;
}

static inline void keep_choice(uint8_t *kept, choice chosen)
{
    const uint64_t row = (uint8_t)_mm_cvtsi128_si32(_mm512_castsi512_si128(chosen.row));
    *kept = (uint8_t)(row | (chosen.second & REGISTER));
}

/* What step k does. */
typedef struct one_step {
    choice chosen;
    column multiplier;
} one_step;

static MB_ALWAYS_INLINE one_step find_step(place at, const elimination *e, column c, size_t k, uint64_t *regular)
{
    one_step found;
    found.chosen = choose_row(at, c, k, regular);
    found.multiplier = divide_by_pivot(at, c, k, found.chosen);
    store_column(at.registers, e->multipliers + k * at.registers * REGISTER, found.multiplier);
    keep_choice(e->choices + k, found.chosen);
    return found;
}

/* The steps [from, end), whose rows are in one register; `next` is column `from`. The next step is found, on columns that stay in
 * registers, before this one is done on the columns after them: it waits for many operations in turn, between which they fit. */
static MB_ALWAYS_INLINE column factor_rows(place at, const elimination *e, size_t from, size_t end, size_t n, column next,
                                           uint64_t *regular)
{
    const size_t column_bytes = at.registers * REGISTER;
    one_step now = find_step(at, e, next, from, regular), after = now;
    if (from + 1 < n) {
        next = step(at, load_column(at.registers, e->columns + (from + 1) * column_bytes), now.multiplier, from, now.chosen);
    }
    for (size_t k = from; k < end; k++) {
        if (k + 1 < end) {
            after = find_step(at, e, next, k + 1, regular);
        }
        if (k + 2 < n) {
            const column second = step(at, load_column(at.registers, e->columns + (k + 2) * column_bytes), now.multiplier, k, now.chosen);
            if (k + 1 == end) {
                store_column(at.registers, e->columns + (k + 2) * column_bytes, second);
            } else {
                next = step(at, second, after.multiplier, k + 1, after.chosen);
            }
        }
        for (size_t j = k + 3; j < n; j++) {
            uint8_t *c = e->columns + j * column_bytes;
            store_column(at.registers, c, step(at, load_column(at.registers, c), now.multiplier, k, now.chosen));
        }
        now = after;
    }
    return next;
}

static MB_ALWAYS_INLINE int factor_in(unsigned registers, const mb_field *field, const uint8_t *matrix, void *factors,
                                      size_t n)
{
    const elimination e = lay_out(field, factors, n, registers);
    const size_t packed_bytes = mb_field_bytes(field, n), column_bytes = registers * REGISTER;
    uint64_t regular = ~UINT64_C(0);
    for (size_t j = 0; j < n; j++) {
        store_column(registers, e.columns + j * column_bytes,
                     load_packed(&e, field->bits, matrix + j * packed_bytes, n));
    }
    column next = load_column(registers, e.columns);
    if (registers == 1) {
        factor_rows((place){1, 0}, &e, 0, n, n, next, &regular);
    } else {
        next = factor_rows((place){2, 0}, &e, 0, REGISTER, n, next, &regular);
        factor_rows((place){2, 1}, &e, REGISTER, n, n, next, &regular);
    }
    return (int)(mb_barrier_u64(regular) & 1) - 1;
}

static MB_ALWAYS_INLINE column solve_rows(place at, const elimination *e, size_t from, size_t end, column side)
{
    for (size_t k = from; k < end; k++) {
        const column multiplier = load_column(at.registers, e->multipliers + k * at.registers * REGISTER);
        side = step(at, side, multiplier, k, exchange(e->choices[k], k));
    }
    return side;
}

static MB_ALWAYS_INLINE void solve_in(unsigned registers, const mb_field *field, uint8_t *x, const uint8_t *right,
                                      void *factors, size_t n)
{
    const elimination e = lay_out(field, factors, n, registers);
    column side = load_packed(&e, field->bits, right, n);
    if (registers == 1) {
        side = solve_rows((place){1, 0}, &e, 0, n, side);
    } else {
        side = solve_rows((place){2, 0}, &e, 0, REGISTER, side);
        side = solve_rows((place){2, 1}, &e, REGISTER, n, side);
    }
    for (unsigned w = 0; w < registers; w++) {
        const __m512i entries = _mm512_gf2p8affine_epi64_epi8(side.part[w], e.from_aes, 0);
        _mm512_mask_storeu_epi8(x + w * REGISTER, first_bits(n - w * REGISTER), entries);
    }
}

/* Each number of registers gets code of its own. */
static int factor(const mb_field *field, uint8_t *matrix, void *factors, size_t n)
{
    if (n > N_MOST) {
        return mb_gfni_avx2_solver.factor(field, matrix, factors, n);
    }
    return n <= REGISTER ? factor_in(1, field, matrix, factors, n) : factor_in(2, field, matrix, factors, n);
}

static void solve(const mb_field *field, uint8_t *x, uint8_t *right, const uint8_t *matrix, void *factors, size_t n)
{
    if (n > N_MOST) {
        mb_gfni_avx2_solver.solve(field, x, right, matrix, factors, n);
    } else if (n <= REGISTER) {
        solve_in(1, field, x, right, factors, n);
    } else {
        solve_in(2, field, x, right, factors, n);
    }
}

const mb_solver mb_gfni_avx512_solver = {"gfni-avx512", factors_bytes, factor, solve};
