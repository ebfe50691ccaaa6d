/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Linear systems of up to 128 unknowns for processors with GFNI and AVX-512 (VBMI among it): Gauss-Jordan elimination by columns,
 * a column in one register or two, in the coordinates of the field of AES. Larger systems go to gfni_avx2.c.
 *
 * Step k looks for the first row r ≥ k with an entry in column k, adds it to row k if it is not row k itself, and clears the
 * column. With s the entries of row k after that, p the pivot among them and c = (column k)/p, that is column j ^= c·s[j],
 * where c has 1 + 1/p for row k, which so ends divided by p. No row moves: row k ends as variable k. Rows are
 * chosen by the contents of registers (VPERMB) alone, never by an address. */
#include "linear/x86/x86.h"
#include "platform/barrier.h"
#include "platform/compiler.h"

#include <immintrin.h>

enum { REGISTER = 64, REGISTERS_MOST = 2, N_MOST = REGISTER * REGISTERS_MOST, CHOICE_BYTES = 2 };

typedef struct column {
    __m512i part[REGISTERS_MOST];
} column;

/* Which row a step adds, in each byte, and 0xff… if it adds one. */
typedef struct choice {
    __m512i row;
    __mmask64 added;
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
    return n * (2 * registers_for(n) * REGISTER + CHOICE_BYTES);
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

/* The first row from k on (public) with an entry in the column; all ones in *regular stay if there is one. */
static MB_ALWAYS_INLINE choice choose_row(unsigned registers, column c, size_t k, uint64_t *regular)
{
    choice chosen;
    uint64_t row = 0, found = 0;
    for (unsigned w = 0; w < registers; w++) {
        const uint64_t allowed = k >= (w + 1) * REGISTER ? 0 : k <= w * REGISTER ? ~UINT64_C(0)
                                                                                 : ~UINT64_C(0) << (k % REGISTER);
        const uint64_t entries = _mm512_test_epi8_mask(c.part[w], c.part[w]) & allowed;
        const uint64_t before = ~entries & (entries - 1); /* ones below the lowest, all if there is none */
        const uint64_t here = 0u - (((entries | (0u - entries)) >> 63) & ~found & 1);
        row |= (w * REGISTER + (uint64_t)_mm_popcnt_u64(before)) & here;
        found |= here & 1;
    }
    *regular &= 0u - found;
    const uint64_t other = row ^ k;
    chosen.row = _mm512_set1_epi8((char)row);
    chosen.added = mb_barrier_u64(0u - ((other | (0u - other)) >> 63));
    return chosen;
}

/* Row k of the register that has it. */
static MB_ALWAYS_INLINE __mmask64 row_mask(unsigned w, size_t k)
{
    return k / REGISTER == w ? (__mmask64)1 << (k % REGISTER) : 0;
}

/* Adds the chosen row to row k. */
static MB_ALWAYS_INLINE column add_chosen(unsigned registers, column c, size_t k, choice chosen)
{
    const __mmask64 where = chosen.added & ((__mmask64)1 << (k % REGISTER));
    const __m512i entry = registers == 1
                              ? _mm512_maskz_permutexvar_epi8(where, chosen.row, c.part[0])
                              : _mm512_maskz_permutex2var_epi8(where, c.part[0], chosen.row, c.part[1]);
    c.part[k / REGISTER] = _mm512_xor_si512(c.part[k / REGISTER], entry);
    return c;
}

/* A column's entry in row k (public), in every byte. */
static MB_ALWAYS_INLINE __m512i entry_at(column c, size_t k)
{
    return _mm512_permutexvar_epi8(_mm512_set1_epi8((char)(k % REGISTER)), c.part[k / REGISTER]);
}

static MB_ALWAYS_INLINE column add_multiple(unsigned registers, column c, column multiplier, __m512i entry)
{
    for (unsigned w = 0; w < registers; w++) {
        c.part[w] = _mm512_xor_si512(c.part[w], _mm512_gf2p8mul_epi8(multiplier.part[w], entry));
    }
    return c;
}

/* One step on a column. */
static MB_ALWAYS_INLINE column step(unsigned registers, column c, column multiplier, size_t k, choice chosen)
{
    c = add_chosen(registers, c, k, chosen);
    return add_multiple(registers, c, multiplier, entry_at(c, k));
}

/* The multipliers of step k, from its column with the chosen row added. */
static MB_ALWAYS_INLINE column divide_by_pivot(unsigned registers, column c, size_t k)
{
    const __m512i identity = _mm512_set1_epi64(0x0102040810204080);
    const __m512i inverse = _mm512_gf2p8affineinv_epi64_epi8(entry_at(c, k), identity, 0);
    const __m512i own = _mm512_xor_si512(inverse, _mm512_set1_epi8(1));
    for (unsigned w = 0; w < registers; w++) {
        c.part[w] = _mm512_gf2p8mul_epi8(c.part[w], inverse);
        c.part[w] = _mm512_mask_mov_epi8(c.part[w], row_mask(w, k), own);
    }
    return c;
}

static inline void keep_choice(uint8_t *kept, choice chosen)
{
    kept[0] = (uint8_t)_mm_cvtsi128_si32(_mm512_castsi512_si128(chosen.row));
    kept[1] = (uint8_t)(chosen.added & 1);
}

static inline choice kept_choice(const uint8_t *kept)
{
    return (choice){_mm512_set1_epi8((char)kept[0]), mb_mask_u64(kept[1])};
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
    for (size_t k = 0; k < n; k++) {
        uint8_t *at = e.columns + k * column_bytes;
        column multiplier = load_column(registers, at);
        const choice chosen = choose_row(registers, multiplier, k, &regular);
        multiplier = divide_by_pivot(registers, add_chosen(registers, multiplier, k, chosen), k);
        store_column(registers, e.multipliers + k * column_bytes, multiplier);
        keep_choice(e.choices + k * CHOICE_BYTES, chosen);
        for (size_t j = k + 1; j < n; j++) {
            at += column_bytes;
            store_column(registers, at, step(registers, load_column(registers, at), multiplier, k, chosen));
        }
    }
    return (int)(mb_barrier_u64(regular) & 1) - 1;
}

static MB_ALWAYS_INLINE void solve_in(unsigned registers, const mb_field *field, uint8_t *x, const uint8_t *right,
                                      void *factors, size_t n)
{
    const elimination e = lay_out(field, factors, n, registers);
    column side = load_packed(&e, field->bits, right, n);
    for (size_t k = 0; k < n; k++) {
        const column multiplier = load_column(registers, e.multipliers + k * registers * REGISTER);
        side = step(registers, side, multiplier, k, kept_choice(e.choices + k * CHOICE_BYTES));
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
