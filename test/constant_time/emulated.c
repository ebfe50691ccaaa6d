/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The kernels of linear/x86/kernels.h over GFNI and AVX-512 in plain C, because valgrind knows neither: against the portable
 * backend on random shapes and, with the argument `secret`, on undefined data under valgrind. See docs/soundness.md. */
#include "linear/portable/portable.h"
#include "linear/x86/x86.h"
#include "platform/declassify.h"
#include "xorshift.h"

#include <string.h>

/* ---- The operations that kernels.h asks for ------------------------------------------------------- */

typedef struct vec {
    uint64_t words[8];
} vec;
typedef uint64_t vec_scalar;
enum { VEC_BYTES = 64, PREPARED_BYTES = 8 };

static inline vec vec_zero(void)
{
    return (vec){{0}};
}

static inline vec vec_xor(vec a, vec b)
{
    for (unsigned i = 0; i < 8; i++) {
        a.words[i] ^= b.words[i];
    }
    return a;
}

static inline vec vec_load(const uint8_t *p)
{
    vec v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void vec_store(uint8_t *p, vec v)
{
    memcpy(p, &v, sizeof v);
}

static inline vec vec_load_tail(const uint8_t *p, size_t bytes, size_t tail)
{
    vec v = vec_zero();
    memcpy(&v, p + (bytes - tail), tail);
    return v;
}

static inline void vec_xor_tail(uint8_t *p, size_t bytes, size_t tail, vec v)
{
    const vec sum = vec_xor(vec_load_tail(p, bytes, tail), v);
    memcpy(p + (bytes - tail), &sum, tail);
}

static inline void vec_xor_padded(uint8_t *p, size_t bytes, size_t tail, vec v)
{
    uint8_t *at = p + (bytes - tail);
    vec_store(at, vec_xor(vec_load(at), v));
}

static inline vec vec_and_byte(vec v, uint8_t mask)
{
    for (unsigned i = 0; i < 8; i++) {
        v.words[i] &= mask * UINT64_C(0x0101010101010101);
    }
    return v;
}

static inline vec vec_of_byte(uint8_t byte)
{
    vec v;
    memset(&v, byte, sizeof v);
    return v;
}

static inline vec_scalar vec_prepared(const uint8_t *p)
{
    uint64_t matrix;
    memcpy(&matrix, p, sizeof matrix);
    return matrix;
}

/* In each byte bit 0 becomes the sum of its bits. */
static inline uint64_t parities(uint64_t w)
{
    w ^= w >> 4;
    w ^= w >> 2;
    w ^= w >> 1;
    return w & UINT64_C(0x0101010101010101);
}

/* GF2P8AFFINEQB without a constant, on eight bytes: bit i of a byte is the sum of those of its bits that byte 7 - i of the
 * matrix selects. */
static inline uint64_t affine(uint64_t w, uint64_t matrix)
{
    uint64_t product = 0;
    for (unsigned i = 0; i < 8; i++) {
        const uint64_t row = (matrix >> (8 * (7 - i)) & 0xff) * UINT64_C(0x0101010101010101);
        product |= parities(w & row) << i;
    }
    return product;
}

static inline vec vec_times(vec v, vec_scalar scalar)
{
    for (unsigned i = 0; i < 8; i++) {
        v.words[i] = affine(v.words[i], scalar);
    }
    return v;
}

static void prepare(const mb_field *field, void *prepared, const uint8_t *scalars, size_t count)
{
    uint64_t storage[8];
    const uint64_t *basis = mb_x86_basis_matrices(field, storage);
    uint8_t *out = prepared;
    for (size_t j = 0; j < count; j++, out += PREPARED_BYTES) {
        uint64_t matrix = 0;
        for (unsigned k = 0; k < field->bits; k++) {
            matrix ^= basis[k] & (0u - (uint64_t)(scalars[j] >> k & 1));
        }
        memcpy(out, &matrix, sizeof matrix);
    }
}

#include "linear/x86/kernels.h"
#include "linear/x86/elimination.h"

/* ---- The test ------------------------------------------------------------------------------------- */

enum { MOST_COUNT = 40, MOST_BYTES = 400, MOST_OUTS = 20, MOST_N = 80, MEMORY = 200000 };

static xorshift randomness;
static int with_secrets;

/* What both sides work on. */
static _Alignas(64) uint8_t vectors[MOST_COUNT * MOST_BYTES], scalars[MOST_OUTS * MOST_COUNT],
    out[2][MOST_OUTS * MOST_BYTES], memory[2][MEMORY];

static void require(int holds, const char *what)
{
    if (!holds) {
        printf("emulated: %s\n", what);
        exit(1);
    }
}

static void random_secret(uint8_t *to, size_t bytes)
{
    xorshift_fill(&randomness, to, bytes);
    if (with_secrets) {
        mb_classify(to, bytes);
    }
}

static void random_elements(const mb_field *field, uint8_t *to, size_t count)
{
    xorshift_fill(&randomness, to, count);
    for (size_t i = 0; i < count; i++) {
        to[i] = (uint8_t)(to[i] & (field->bits == 4 ? 15 : 255));
    }
    if (with_secrets) {
        mb_classify(to, count);
    }
}

static void require_equal(size_t bytes, const char *what)
{
    mb_declassify(out, sizeof out);
    require(memcmp(out[0], out[1], bytes) == 0, what);
}

static void check_sums(const mb_field *field)
{
    const size_t bytes = xorshift_below(&randomness, MOST_BYTES + 1),
                 count = xorshift_below(&randomness, MOST_COUNT + 1);
    const size_t outs = 1 + xorshift_below(&randomness, MOST_OUTS);
    random_secret(vectors, sizeof vectors);
    random_elements(field, scalars, outs * MOST_COUNT);
    random_secret(out[0], sizeof out[0]);
    memcpy(out[1], out[0], sizeof out[0]);
    prepare(field, memory[0], scalars, outs * MOST_COUNT);
    require(outs * MOST_COUNT * mb_portable_multiplier.prepared_bytes(field) <= MEMORY, "too little memory");
    mb_portable_multiplier.prepare(field, memory[1], scalars, outs * MOST_COUNT);
    combine(field, out[0], bytes, vectors, bytes, memory[0], count);
    mb_portable_multiplier.combine(field, out[1], bytes, vectors, bytes, memory[1], count);
    require_equal(sizeof out[0], "combine");
    random_secret(out[0], sizeof out[0]);
    memcpy(out[1], out[0], sizeof out[0]);
    combine_many(field, out[0], MOST_BYTES, outs, bytes, vectors, bytes, memory[0], MOST_COUNT, count);
    mb_portable_multiplier.combine_many(field, out[1], MOST_BYTES, outs, bytes, vectors, bytes, memory[1],
                                        MOST_COUNT, count);
    require_equal(sizeof out[0], "combine_many");
}

/* Random systems, one in four of them singular: the last column repeats the first. */
static void check_system(const mb_field *field)
{
    static uint8_t matrix[2][MOST_N * MOST_N], right[2][MOST_N];
    const size_t n = 2 + 2 * xorshift_below(&randomness, MOST_N / 2), bytes = mb_field_bytes(field, n);
    int singular[2];
    require(factors_bytes(field, n) <= MEMORY && mb_portable_solver.factors_bytes(field, n) <= MEMORY,
            "too little memory");
    random_secret(matrix[0], n * bytes);
    random_secret(right[0], bytes);
    if (xorshift_below(&randomness, 4) == 0) {
        memcpy(matrix[0] + (n - 1) * bytes, matrix[0], bytes);
    }
    memcpy(matrix[1], matrix[0], n * bytes);
    memcpy(right[1], right[0], bytes);
    singular[0] = factor(field, matrix[0], memory[0], n);
    singular[1] = mb_portable_solver.factor(field, matrix[1], memory[1], n);
    mb_declassify(singular, sizeof singular); /* as in signing */
    require(singular[0] == singular[1], "factor");
    if (singular[0] == 0) {
        solve(field, out[0], right[0], matrix[0], memory[0], n);
        mb_portable_solver.solve(field, out[1], right[1], matrix[1], memory[1], n);
        require_equal(n, "solve");
    }
}

/* A public map, for the result alone: it may be variable in time. */
static void check_gathering(const mb_field *field)
{
    const size_t n = 1 + xorshift_below(&randomness, 15), bytes = 1 + xorshift_below(&randomness, 120);
    mb_gathering g[2] = {{field, n, bytes, 0, memory[0]}, {field, n, bytes, 0, memory[1]}};
    xorshift_fill(&randomness, vectors, sizeof vectors);
    for (size_t i = 0; i < n; i++) {
        scalars[i] = (uint8_t)xorshift_below(&randomness, (size_t)1 << field->bits);
    }
    mb_declassify(memory, sizeof memory);
    require(gather_memory_bytes(&g[0]) <= MEMORY && mb_portable_gatherer.memory_bytes(&g[1]) <= MEMORY,
            "too little memory");
    gather_begin_vartime(&g[0], scalars);
    mb_portable_gatherer.begin_vartime(&g[1], scalars);
    const mb_monomials triangle = {0, n, 0, n, 1};
    require(n * (n + 1) / 2 * bytes <= sizeof vectors, "too few vectors");
    gather_vartime(&g[0], 0, bytes, vectors, &triangle);
    mb_portable_gatherer.gather_vartime(&g[1], 0, bytes, vectors, &triangle);
    gather_collect_vartime(&g[0], out[0]);
    mb_portable_gatherer.collect_vartime(&g[1], out[1]);
    require_equal(bytes, "gather");
}

int main(int argc, char **argv)
{
    static const mb_field *const fields[] = {&mb_gf16_tower, &mb_gf256_tower, &mb_gf16_polynomial,
                                             &mb_gf256_aes};
    with_secrets = argc > 1 && strcmp(argv[1], "secret") == 0;
    randomness = xorshift_start(with_secrets ? argc - 1 : argc, with_secrets ? argv + 1 : argv);
    const unsigned rounds = with_secrets ? 12 : 300;
    for (unsigned round = 0; round < rounds; round++) {
        for (unsigned f = 0; f < sizeof fields / sizeof *fields; f++) {
            check_sums(fields[f]);
            check_system(fields[f]);
            check_gathering(fields[f]);
        }
    }
    require(prepared_bytes(fields[0]) == PREPARED_BYTES, "prepared_bytes");
    printf("emulated: %u rounds over %u fields%s\n", rounds, 4u, with_secrets ? ", on secrets" : "");
    return 0;
}
