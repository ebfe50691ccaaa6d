/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Every backend's tables (linear/contract.h) against scalar code: random shapes, any alignment, nothing read or written
 * outside what the contract names. A new backend is one more line in each list below. */
#include "guard.h"
#include "linear/portable/portable.h"
#include "linear/tables/tables.h"
#include "naive.h"
#include "platform/cpu.h"
#include "xorshift.h"

#if defined(__x86_64__)
#include "linear/x86/x86.h"
#elif defined(__aarch64__)
#include "linear/aarch64/aarch64.h"
#elif defined(__ARM_ARCH_7EM__)
#include "linear/cortex_m4/cortex_m4.h"
#endif

#include <moonbow/signature.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* A backend, and the processor features that it needs. */
typedef struct backend {
    const mb_multiplier *multiplier;
    const mb_solver *solver[2]; /* for fields of 4 bits; for those of 8, unless it is NULL: the first one */
    const mb_gatherer *gatherer[3]; /* for fields of 4 bits; for those of 8, and of 4 in small mode, unless they are NULL: the first one */
    unsigned features;
} backend;

static const backend backends[] = {
    {&mb_portable_multiplier, {&mb_portable_solver, NULL}, {&mb_portable_gatherer, NULL, NULL}, 0},
#if defined(__x86_64__)
    {&mb_avx2_multiplier, {&mb_avx2_solver, NULL}, {&mb_avx2_gatherer, NULL, NULL}, MB_CPU_AVX2},
    {&mb_gfni_avx2_multiplier, {&mb_gfni_avx2_solver, NULL}, {&mb_gfni_avx2_gatherer, NULL, NULL}, MB_CPU_GFNI | MB_CPU_AVX2},
    {&mb_gfni_avx512_multiplier, {&mb_gfni_avx512_solver, NULL}, {&mb_gfni_avx512_gatherer, NULL, NULL}, MB_CPU_GFNI | MB_CPU_AVX512},
#elif defined(__aarch64__)
    {&mb_neon_multiplier, {&mb_neon_solver, NULL}, {&mb_neon_gatherer, NULL, NULL}, MB_CPU_NEON},
    {&mb_neon_sha3_multiplier, {&mb_neon_sha3_solver, NULL}, {&mb_neon_sha3_gatherer, NULL, NULL}, MB_CPU_NEON | MB_CPU_ARM_SHA3},
#elif defined(__ARM_ARCH_7EM__)
    {&mb_m4_multiplier, {&mb_m4_solver_16, &mb_m4_solver_256}, {&mb_m4_gatherer_16, &mb_m4_gatherer_256, &mb_m4_gatherer_16_small}, 0},
#endif
};

/* Those of them that run here. */
enum { BACKENDS_MOST = sizeof backends / sizeof *backends };
static const mb_multiplier *multipliers[BACKENDS_MOST];
static const mb_solver *solvers[BACKENDS_MOST], *solvers_256[BACKENDS_MOST];
static const mb_gatherer *gatherers[BACKENDS_MOST], *gatherers_256[BACKENDS_MOST], *gatherers_small[BACKENDS_MOST];
static size_t backends_len;

static void find_backends(void)
{
    for (size_t i = 0; i < BACKENDS_MOST; i++) {
        const backend *b = &backends[i];
        if ((mb_cpu_features() & b->features) == b->features) {
            multipliers[backends_len] = b->multiplier;
            solvers[backends_len] = b->solver[0];
            solvers_256[backends_len] = b->solver[1] != NULL ? b->solver[1] : b->solver[0];
            gatherers[backends_len] = b->gatherer[0];
            gatherers_256[backends_len] = b->gatherer[1] != NULL ? b->gatherer[1] : b->gatherer[0];
            gatherers_small[backends_len] = b->gatherer[2] != NULL ? b->gatherer[2] : b->gatherer[0];
            backends_len++;
        }
        printf("%s: %s\n", b->multiplier->name,
               (mb_cpu_features() & b->features) == b->features ? "tested" : "this machine cannot");
    }
}

static xorshift randomness;

/* Elements of the field, one a byte, among them often 0, 1 and the largest. */
static void random_elements(const naive_field *f, uint8_t *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t r = xorshift_next(&randomness);
        const unsigned special = (unsigned)(r >> 32 & 15);
        out[i] = (uint8_t)(special == 0   ? 0
                           : special == 1 ? 1
                           : special == 2 ? f->size - 1
                                          : (r >> 40) & (f->size - 1));
    }
}

/* ---- Multipliers ----------------------------------------------------------------------------- */

enum { MOST_COUNT = 600, MOST_BYTES = 5000 };

static guard vectors_memory, out_memory, prepared_memory, scalars_memory;

static void take_memory(void)
{
    vectors_memory = guard_take(500000);
    out_memory = guard_take(MOST_BYTES + 64);
    prepared_memory = guard_take(MOST_COUNT * 256 + 4096);
    scalars_memory = guard_take(MOST_COUNT);
}

typedef struct product {
    const mb_multiplier *multiplier;
    const naive_field *f;
    size_t bytes, stride, count, skipped; /* scalars before the first one used */
    uint8_t *out;
    uint8_t *vectors;
} product;

/* The prepared form of skipped + count scalars, whose last `count` go to `scalars`. */
static const uint8_t *prepare_some(const product *p, uint8_t *scalars)
{
    const size_t each = p->multiplier->prepared_bytes(&p->f->field), all = p->skipped + p->count;
    uint8_t *source = guard_last(&scalars_memory, all);
    uint8_t *prepared = guard_last_aligned(&prepared_memory, all * each, MOONBOW_SCRATCH_ALIGNMENT);
    random_elements(p->f, source, all);
    memcpy(scalars, source + p->skipped, p->count);
    guard_paint(&prepared_memory, prepared, all * each);
    p->multiplier->prepare(&p->f->field, prepared, source, all);
    assert_true(guard_untouched(&prepared_memory, prepared, all * each));
    return prepared + p->skipped * each;
}

static void check_product(const product *p)
{
    uint8_t expected[MOST_BYTES], scalars[MOST_COUNT];
    const uint8_t *prepared = prepare_some(p, scalars);
    const size_t span = p->count == 0 ? 0 : (p->count - 1) * p->stride + p->bytes;
    xorshift_fill(&randomness, p->vectors, span);
    guard_paint(&out_memory, p->out, p->bytes);
    xorshift_fill(&randomness, p->out, p->bytes);
    memcpy(expected, p->out, p->bytes);
    for (size_t j = 0; j < p->count; j++) {
        naive_add_scaled(p->f, expected, p->vectors + j * p->stride, p->bytes, scalars[j]);
    }
    p->multiplier->combine(&p->f->field, p->out, p->bytes, p->vectors, p->stride, prepared, p->count);
    assert_memory_equal(p->out, expected, p->bytes);
    assert_true(guard_untouched(&out_memory, p->out, p->bytes));
}

/* Vectors and sum end where memory ends, or begin where it begins. */
static void place(product *p, int at_end)
{
    const size_t span = p->count == 0 ? 0 : (p->count - 1) * p->stride + p->bytes;
    p->vectors = at_end ? guard_last(&vectors_memory, span) : vectors_memory.start;
    p->out = at_end ? guard_last(&out_memory, p->bytes) : out_memory.start;
}

static void combine_lengths(void **state)
{
    (void)state;
    for (size_t m = 0; m < backends_len; m++) {
        for (const naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
            for (size_t bytes = 0; bytes <= 300; bytes++) {
                for (unsigned round = 0; round < 4; round++) {
                    product p = {.multiplier = multipliers[m], .f = f, .bytes = bytes};
                    p.count = xorshift_below(&randomness, 24);
                    p.skipped = xorshift_below(&randomness, 3);
                    p.stride = bytes + (round % 2 == 0 ? 0 : xorshift_below(&randomness, 40));
                    place(&p, round < 2);
                    check_product(&p);
                }
            }
        }
    }
}

static void combine_alignments(void **state)
{
    static const size_t lengths[] = {1, 3, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 40, 47, 48, 49, 63, 64, 65, 80, 100, 127, 128, 129};
    (void)state;
    for (size_t m = 0; m < backends_len; m++) {
        for (const naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
            for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
                for (size_t offsets = 0; offsets < 256; offsets++) {
                    product p = {.multiplier = multipliers[m], .f = f, .bytes = lengths[i]};
                    p.count = 1 + offsets % 5;
                    p.stride = p.bytes + offsets % 7;
                    p.out = out_memory.start + 64 + offsets / 16;
                    p.vectors = vectors_memory.start + offsets % 16;
                    check_product(&p);
                }
            }
        }
    }
}

/* No vectors at all, many, long ones, and the same vector again and again (stride 0). */
static void combine_extremes(void **state)
{
    (void)state;
    for (size_t m = 0; m < backends_len; m++) {
        for (const naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
            for (unsigned round = 0; round < 12; round++) {
                product p = {.multiplier = multipliers[m], .f = f, .bytes = xorshift_below(&randomness, 300)};
                p.stride = p.bytes;
                place(&p, 1);
                check_product(&p); /* count 0 */
                p.count = MOST_COUNT - xorshift_below(&randomness, 100);
                place(&p, 1);
                check_product(&p);
                p.stride = 0;
                place(&p, 1);
                check_product(&p);
                p.stride = 1 + p.bytes / 3; /* vectors that overlap */
                place(&p, 1);
                check_product(&p);
                p.bytes = MOST_BYTES - xorshift_below(&randomness, 1000);
                p.count = 1 + xorshift_below(&randomness, 8);
                p.stride = p.bytes + xorshift_below(&randomness, 100);
                place(&p, round % 2 == 0);
                check_product(&p);
            }
        }
    }
}

/* The strides that schemes have, which kernels may serve apart, and every number of vectors. */
static void combine_shapes(void **state)
{
    static const size_t strides[] = {16, 32, 512};
    (void)state;
    for (size_t m = 0; m < backends_len; m++) {
        for (const naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
            for (size_t count = 1; count <= 70; count++) {
                for (size_t s = 0; s < sizeof strides / sizeof *strides; s++) {
                    product p = {.multiplier = multipliers[m], .f = f, .stride = strides[s], .count = count};
                    p.bytes = 8 * (1 + xorshift_below(&randomness, strides[s] / 8));
                    p.skipped = xorshift_below(&randomness, 2) * xorshift_below(&randomness, 5);
                    place(&p, count % 2 == 0);
                    check_product(&p);
                }
            }
        }
    }
}

/* Every scalar on every byte. */
static void combine_all_scalars(void **state)
{
    (void)state;
    for (size_t m = 0; m < backends_len; m++) {
        for (const naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
            uint8_t *prepared = guard_last_aligned(&prepared_memory, multipliers[m]->prepared_bytes(&f->field),
                                                   MOONBOW_SCRATCH_ALIGNMENT);
            for (unsigned s = 0; s < f->size; s++) {
                const uint8_t scalar = (uint8_t)s;
                uint8_t vector[256], out[256] = {0}, expected[256] = {0};
                for (unsigned i = 0; i < 256; i++) {
                    vector[i] = (uint8_t)i;
                }
                multipliers[m]->prepare(&f->field, prepared, &scalar, 1);
                multipliers[m]->combine(&f->field, out, 256, vector, 256, prepared, 1);
                naive_add_scaled(f, expected, vector, 256, scalar);
                assert_memory_equal(out, expected, 256);
            }
        }
    }
}

/* Several sums of the same vectors, with room between them. */
static void combine_many_times(void **state)
{
    (void)state;
    for (size_t m = 0; m < backends_len; m++) {
        for (const naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
            for (unsigned round = 0; round < 200; round++) {
                const size_t bytes = xorshift_below(&randomness, 150), gap = xorshift_below(&randomness, 20);
                const size_t outs = xorshift_below(&randomness, 20), stride = bytes + xorshift_below(&randomness, 20);
                const size_t count = xorshift_below(&randomness, 28), columns = count + xorshift_below(&randomness, 3);
                const mb_arrangement *arrangement = round % 2 == 0 ? NULL : multipliers[m]->arrangement;
                const size_t each = arrangement != NULL ? arrangement->scalar_bytes : multipliers[m]->prepared_bytes(&f->field);
                const size_t span = outs == 0 ? 0 : (outs - 1) * (bytes + gap) + bytes;
                const size_t read = count == 0 ? 0 : (count - 1) * stride + bytes;
                uint8_t *scalars = guard_last(&scalars_memory, outs * columns);
                uint8_t *prepared = guard_last_aligned(&prepared_memory, outs * columns * each, MOONBOW_SCRATCH_ALIGNMENT);
                uint8_t *vectors = guard_last(&vectors_memory, read), *out = guard_last(&out_memory, span);
                uint8_t expected[MOST_BYTES];
                random_elements(f, scalars, outs * columns);
                xorshift_fill(&randomness, vectors, read);
                guard_paint(&out_memory, out, span);
                xorshift_fill(&randomness, out, span);
                memcpy(expected, out, span);
                for (size_t b = 0; b < outs; b++) {
                    for (size_t j = 0; j < count; j++) {
                        naive_add_scaled(f, expected + b * (bytes + gap), vectors + j * stride, bytes,
                                         scalars[b * columns + j]);
                    }
                }
                multipliers[m]->prepare(&f->field, prepared, scalars, outs * columns);
                if (arrangement != NULL) {
                    arrangement->arrange(&f->field, prepared, columns, outs);
                }
                (arrangement != NULL ? arrangement->combine_many : multipliers[m]->combine_many)(&f->field, out, bytes + gap, outs, bytes, vectors, stride, prepared,
                                             columns, count);
                assert_memory_equal(out, expected, span);
                assert_true(guard_untouched(&out_memory, out, span));
            }
        }
    }
}

/* Elements one a byte, with the margin that the contract names at hand and no more. */
static void scale_elements(void **state)
{
    (void)state;
    for (size_t m = 0; m < backends_len; m++) {
        for (const naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN && multipliers[m]->scale != NULL; f++) {
            for (size_t count = 0; count <= 200; count++) {
                const uint8_t scalar = (uint8_t)xorshift_below(&randomness, f->size);
                uint8_t *prepared = guard_last_aligned(&prepared_memory, multipliers[m]->prepared_bytes(&f->field),
                                                       MOONBOW_SCRATCH_ALIGNMENT);
                uint8_t *elements = guard_last(&vectors_memory, count + MB_SCALE_MARGIN);
                uint8_t *out = guard_last(&out_memory, count + MB_SCALE_MARGIN);
                random_elements(f, elements, count + MB_SCALE_MARGIN);
                guard_paint(&out_memory, out, count + MB_SCALE_MARGIN);
                multipliers[m]->prepare(&f->field, prepared, &scalar, 1);
                multipliers[m]->scale(&f->field, out, elements, prepared, count);
                for (size_t i = 0; i < count; i++) {
                    assert_int_equal(out[i], f->product[scalar][elements[i]]);
                }
                assert_true(guard_untouched(&out_memory, out, count + MB_SCALE_MARGIN));
            }
        }
    }
}

enum { TRANSFORMED_MOST = sizeof(void *) > 4 ? 200 : 40 }; /* boards have little room */

/* A matrix times some vectors, which lie in front of what is added to or behind it. */
static void check_transformation(const mb_multiplier *multiplier, const naive_field *f, size_t rows, size_t columns, size_t count,
                                 size_t gap, int behind)
{
    static uint8_t matrix[3 * MOST_BYTES], expected[TRANSFORMED_MOST * 200];
    const size_t out_bytes = mb_field_bytes(&f->field, rows), in_bytes = mb_field_bytes(&f->field, columns);
    const size_t stride = out_bytes + in_bytes + gap, span = count == 0 ? 0 : (count - 1) * stride + out_bytes + in_bytes;
    const size_t prepared_bytes = multiplier->transformation->prepared_bytes(&f->field, rows, columns);
    uint8_t *prepared = guard_last_aligned(&prepared_memory, prepared_bytes, MOONBOW_SCRATCH_ALIGNMENT);
    uint8_t *memory = guard_last(&vectors_memory, span), scalars[MOST_BYTES];
    const size_t out = behind ? in_bytes : 0, in = behind ? 0 : out_bytes;
    assert_true(span <= sizeof expected);
    xorshift_fill(&randomness, matrix, columns * out_bytes);
    xorshift_fill(&randomness, memory, span);
    memcpy(expected, memory, span);
    for (size_t v = 0; v < count; v++) {
        mb_field_unpack(&f->field, scalars, memory + v * stride + in, columns);
        for (size_t u = 0; u < columns; u++) {
            naive_add_scaled(f, expected + v * stride + out, matrix + u * out_bytes, out_bytes, scalars[u]);
        }
    }
    guard_paint(&prepared_memory, prepared, prepared_bytes);
    multiplier->transformation->prepare(&f->field, prepared, matrix, rows, columns);
    assert_true(guard_untouched(&prepared_memory, prepared, prepared_bytes));
    multiplier->transformation->add_products(&f->field, memory + out, memory + in, stride, count, prepared, rows, columns);
    assert_memory_equal(memory, expected, span);
}

static void transform(void **state)
{
    (void)state;
    for (size_t m = 0; m < backends_len; m++) {
        for (const naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN && multipliers[m]->transformation != NULL; f++) {
            for (unsigned round = 0; round < 150; round++) {
                const size_t rows = 2 * xorshift_below(&randomness, 36), columns = 2 * xorshift_below(&randomness, 36);
                check_transformation(multipliers[m], f, rows, columns, xorshift_below(&randomness, TRANSFORMED_MOST),
                                     xorshift_below(&randomness, 20), round % 2 == 0);
                check_transformation(multipliers[m], f, 32, 32, 9, 4 * xorshift_below(&randomness, 3), 0);
            }
            check_transformation(multipliers[m], f, 32, 150, 33, 0, 0);
        }
    }
}

/* Sums over two triangles, of every number of rows and of lengths about whole registers, and of the lengths that schemes have. */
enum { TRIANGLES = 2, MOST_ROWS = 48, MOST_ROWS_LONG = 20 };

static void check_triangles(const mb_multiplier *multiplier, const naive_field *f, size_t n, size_t bytes)
{
    static uint8_t expected[TRIANGLES * MOST_BYTES], before[TRIANGLES * MOST_BYTES];
    const size_t vectors_len = n * (n + 1) / 2, all = TRIANGLES * bytes;
    uint8_t scalars[MOST_ROWS];
    uint8_t *prepared = guard_last_aligned(&prepared_memory, n * multiplier->prepared_bytes(&f->field), MOONBOW_SCRATCH_ALIGNMENT);
    uint8_t *vectors = guard_last(&vectors_memory, vectors_len * all), *out = guard_last(&out_memory, all), *vector = vectors;
    mb_triangle triangles[TRIANGLES];
    random_elements(f, scalars, n);
    xorshift_fill(&randomness, vectors, vectors_len * all);
    guard_paint(&out_memory, out, all);
    xorshift_fill(&randomness, out, all);
    memcpy(expected, out, all);
    memcpy(before, out, all);
    for (size_t t = 0; t < TRIANGLES; t++) {
        triangles[t] = (mb_triangle){out + t * bytes, bytes, vector};
        for (size_t i = 0; i < n; i++) {
            for (size_t j = i; j < n; j++, vector += bytes) {
                naive_add_scaled(f, expected + t * bytes, vector, bytes, f->product[scalars[i]][scalars[j]]);
            }
        }
    }
    multiplier->prepare(&f->field, prepared, scalars, n);
    const int status = multiplier->combine_triangles(&f->field, triangles, TRIANGLES, prepared, n);
    assert_memory_equal(out, status == 0 ? expected : before, all);
    assert_true(guard_untouched(&out_memory, out, all));
}

static void combine_triangles(void **state)
{
    (void)state;
    for (size_t m = 0; m < backends_len; m++) {
        for (size_t f = 0; f < NAIVE_FIELDS_LEN && multipliers[m]->combine_triangles != NULL; f++) {
            for (size_t round = 0; round < 3 * MOST_ROWS; round++) {
                const size_t n = round % MOST_ROWS;
                const int any = n < MOST_ROWS_LONG && round % 3 == 0;
                check_triangles(multipliers[m], &naive_fields[f], n, any ? 1 + xorshift_below(&randomness, 200) : round % 2 == 0 ? 16 : 32);
            }
        }
    }
}

/* The constants of linear/tables and linear/x86 are what they say. */
static void constants(void **state)
{
    (void)state;
    for (size_t i = 0; i < NAIVE_FIELDS_LEN; i++) {
        const mb_field *field = &naive_fields[i].field;
        mb_nibble_tables tables[8], table_storage[8];
        uint8_t inverses[256], inverse_storage[256];
        mb_compute_basis_tables(field, tables);
        assert_memory_equal(mb_basis_tables(field, table_storage), tables, 32u * field->bits);
        mb_compute_inverses(field, inverses);
        assert_memory_equal(mb_inverses(field, inverse_storage), inverses, naive_fields[i].size);
#if defined(__x86_64__)
        uint64_t matrices[8], storage[8];
        mb_x86_compute_basis_matrices(field, matrices);
        assert_memory_equal(mb_x86_basis_matrices(field, storage), matrices, 8u * field->bits);
#endif
    }
}

/* ---- Solvers --------------------------------------------------------------------------------- */

enum { MOST_N = 100 };

/* One element a byte, [row][column]. */
typedef struct square {
    size_t n;
    uint8_t at[MOST_N][MOST_N];
} square;

static size_t rank_of(const naive_field *f, const square *matrix)
{
    static square work;
    size_t rank = 0;
    work = *matrix;
    for (size_t column = 0; column < work.n; column++) {
        size_t pivot = rank;
        while (pivot < work.n && work.at[pivot][column] == 0) {
            pivot++;
        }
        if (pivot == work.n) {
            continue;
        }
        for (size_t j = 0; j < work.n; j++) {
            const uint8_t swapped = work.at[pivot][j];
            work.at[pivot][j] = work.at[rank][j];
            work.at[rank][j] = swapped;
        }
        for (size_t i = rank + 1; i < work.n; i++) {
            /* Rows times p and e instead of a division: the rank is the same. */
            const uint8_t p = work.at[rank][column], e = work.at[i][column];
            for (size_t j = 0; j < work.n; j++) {
                work.at[i][j] = f->product[p][work.at[i][j]] ^ f->product[e][work.at[rank][j]];
            }
        }
        rank++;
    }
    return rank;
}

typedef struct system_memory {
    guard matrix, factors, right, x;
} system_memory;

static system_memory systems;

/* Factors and, if regular, solves for some right-hand sides. `regular`: 1 or 0 where it is known, else -1. */
static void check_system(const mb_solver *solver, const naive_field *f, const square *matrix, int regular)
{
    const size_t n = matrix->n, bytes = mb_field_bytes(&f->field, n);
    const size_t factors_bytes = solver->factors_bytes(&f->field, n);
    uint8_t *packed = guard_last(&systems.matrix, n * bytes);
    uint8_t *factors = guard_last_aligned(&systems.factors, factors_bytes, MOONBOW_SCRATCH_ALIGNMENT);
    guard_paint(&systems.matrix, packed, n * bytes);
    guard_paint(&systems.factors, factors, factors_bytes);
    memset(packed, 0, n * bytes);
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++) {
            naive_add(f, packed + j * bytes, i, matrix->at[i][j]);
        }
    }
    const int status = solver->factor(&f->field, packed, factors, n);
    assert_true(status == 0 || status == -1);
    assert_true(regular < 0 || regular == (status == 0));
    if (status != 0) {
        assert_true(regular == 0 || rank_of(f, matrix) < n);
    }
    for (unsigned side = 0; side < 4 && status == 0; side++) {
        uint8_t *right = guard_last(&systems.right, bytes), *x = guard_last(&systems.x, n);
        uint8_t expected[MOST_N], value[MOST_N] = {0};
        guard_paint(&systems.right, right, bytes);
        guard_paint(&systems.x, x, n);
        xorshift_fill(&randomness, expected, bytes);
        if (side == 3) {
            memset(expected, 0, bytes);
        }
        memcpy(right, expected, bytes);
        solver->solve(&f->field, x, right, packed, factors, n);
        for (size_t j = 0; j < n; j++) {
            assert_true(x[j] < f->size);
            for (size_t i = 0; i < n; i++) {
                naive_add(f, value, i, f->product[matrix->at[i][j]][x[j]]);
            }
        }
        assert_memory_equal(value, expected, bytes);
        assert_true(guard_untouched(&systems.right, right, bytes));
        assert_true(guard_untouched(&systems.x, x, n));
    }
    assert_true(guard_untouched(&systems.matrix, packed, n * bytes));
    assert_true(guard_untouched(&systems.factors, factors, factors_bytes));
}

static void random_square(const naive_field *f, square *matrix, size_t n)
{
    matrix->n = n;
    for (size_t i = 0; i < n; i++) {
        random_elements(f, matrix->at[i], n);
    }
}

/* One column, or one row, becomes a combination of the others: at most rank n - 1, nearly always just that. */
static void make_dependent(const naive_field *f, square *matrix, int row)
{
    const size_t n = matrix->n, chosen = xorshift_below(&randomness, n);
    uint8_t sum[MOST_N] = {0}, scalars[MOST_N];
    random_elements(f, scalars, n);
    for (size_t other = 0; other < n; other++) {
        for (size_t i = 0; i < n && other != chosen; i++) {
            sum[i] ^= f->product[scalars[other]][row ? matrix->at[other][i] : matrix->at[i][other]];
        }
    }
    for (size_t i = 0; i < n; i++) {
        *(row ? &matrix->at[chosen][i] : &matrix->at[i][chosen]) = sum[i];
    }
}

/* A permutation of the rows of a regular diagonal matrix. */
static void make_permutation(const naive_field *f, square *matrix, size_t n)
{
    size_t order[MOST_N];
    memset(matrix->at, 0, sizeof matrix->at);
    matrix->n = n;
    for (size_t i = 0; i < n; i++) {
        const size_t other = xorshift_below(&randomness, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    for (size_t i = 0; i < n; i++) {
        matrix->at[i][order[i]] = (uint8_t)(1 + xorshift_below(&randomness, f->size - 1));
    }
}

/* Upper triangular, so that its diagonal decides. */
static void make_triangle(const naive_field *f, square *matrix, size_t n, size_t zero_at)
{
    random_square(f, matrix, n);
    for (size_t i = 0; i < n; i++) {
        memset(matrix->at[i], 0, i);
        matrix->at[i][i] = (uint8_t)(i == zero_at ? 0 : 1 + xorshift_below(&randomness, f->size - 1));
    }
}

static void solve_size(const mb_solver *solver, const naive_field *f, size_t n)
{
    static square matrix;
    for (unsigned round = 0; round < (n <= 8 ? 60u : 3u); round++) {
        random_square(f, &matrix, n);
        check_system(solver, f, &matrix, -1);
    }
    make_dependent(f, &matrix, 0);
    check_system(solver, f, &matrix, 0);
    random_square(f, &matrix, n);
    make_dependent(f, &matrix, 1);
    check_system(solver, f, &matrix, 0);
    make_permutation(f, &matrix, n);
    check_system(solver, f, &matrix, 1);
    matrix.at[xorshift_below(&randomness, n)][xorshift_below(&randomness, n)] ^= 1;
    check_system(solver, f, &matrix, -1);
    make_triangle(f, &matrix, n, n);
    check_system(solver, f, &matrix, 1);
    make_triangle(f, &matrix, n, xorshift_below(&randomness, n));
    check_system(solver, f, &matrix, 0);
    make_triangle(f, &matrix, n, n - 1);
    check_system(solver, f, &matrix, 0);
    memset(matrix.at, 0, sizeof matrix.at);
    check_system(solver, f, &matrix, 0);
}

static void solve_all_sizes(void **state)
{
    (void)state;
    systems = (system_memory){guard_take(MOST_N * MOST_N), guard_take(200000), guard_take(MOST_N), guard_take(MOST_N)};
    for (size_t s = 0; s < backends_len; s++) {
        for (const naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
            for (size_t n = naive_whole(f, 1); n <= MOST_N; n = naive_whole(f, n + 1)) {
                solve_size((f->field.bits == 4 ? solvers : solvers_256)[s], f, n);
            }
        }
    }
}

/* Over GF(16) every one of the 2 × 2 matrices. */
static void solve_every_small_matrix(void **state)
{
    (void)state;
    for (size_t s = 0; s < backends_len; s++) {
        for (const naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
            for (unsigned code = 0; f->size == 16 && code < 0x10000; code++) {
                uint8_t factors[4096] __attribute__((aligned(64))), packed[2], right[1] = {0x5b}, x[2];
                const unsigned a = code & 15, b = code >> 4 & 15, c = code >> 8 & 15, d = code >> 12;
                const int regular = f->product[a][d] != f->product[b][c];
                assert_true(solvers[s]->factors_bytes(&f->field, 2) <= sizeof factors);
                packed[0] = (uint8_t)(a | c << 4); /* the column of a above c */
                packed[1] = (uint8_t)(b | d << 4);
                assert_int_equal(solvers[s]->factor(&f->field, packed, factors, 2), regular - 1);
                if (regular) {
                    solvers[s]->solve(&f->field, x, right, packed, factors, 2);
                    assert_int_equal(f->product[a][x[0]] ^ f->product[b][x[1]], 0xb);
                    assert_int_equal(f->product[c][x[0]] ^ f->product[d][x[1]], 0x5);
                }
            }
        }
    }
}

/* ---- Gatherers ------------------------------------------------------------------------------- */

enum { MOST_WIDTH = 140, MOST_VARIABLES = 260 };

/* Some rows of a rectangle or a triangle over n variables: many of them, or few long ones, or few short ones, or the triangle of some. */
static mb_monomials random_monomials(size_t n)
{
    enum { TRIANGLE = 3 };
    static const size_t rows_most[] = {30, 6, 4, 0}, columns_most[] = {80, MOST_VARIABLES, 40, 60};
    const size_t kind = xorshift_below(&randomness, TRIANGLE + 1);
    mb_monomials m;
    m.i = xorshift_below(&randomness, n);
    m.j = xorshift_below(&randomness, n);
    m.end = m.j + xorshift_below(&randomness, (n - m.j < columns_most[kind] ? n - m.j : columns_most[kind]) + 1);
    if (kind == TRIANGLE) {
        m.i = m.j;
        m.rows = m.end - m.j;
        m.shrink = 1;
        return m;
    }
    m.shrink = xorshift_below(&randomness, 2);
    m.rows = xorshift_below(&randomness, rows_most[kind]);
    if (m.rows > n - m.i) {
        m.rows = n - m.i;
    }
    if (m.shrink == 1 && m.rows > m.end - m.j) {
        m.rows = m.end - m.j;
    }
    return m;
}

static size_t monomials_len(const mb_monomials *m)
{
    size_t count = 0;
    for (size_t row = 0; row < m->rows; row++) {
        count += m->end - m->j - row * m->shrink;
    }
    return count;
}

/* Gathers random vectors, for which monomials there is a place, and adds what they are to the sum. */
static void check_call(const mb_gatherer *gatherer, const naive_field *f, const mb_gathering *g, const uint8_t *x, uint8_t *expected,
                       mb_monomials monomials, size_t first, size_t bytes, size_t misplaced)
{
    const size_t count = monomials_len(&monomials);
    uint8_t *vectors = guard_last(&vectors_memory, count * bytes) - misplaced;
    xorshift_fill(&randomness, vectors, count * bytes);
    gatherer->gather_vartime(g, first, bytes, vectors, &monomials);
    for (size_t row = 0; row < monomials.rows; row++) {
        const uint8_t x_i = x[monomials.i + row];
        for (size_t j = monomials.j + row * monomials.shrink; j < monomials.end; j++, vectors += bytes) {
            naive_add_scaled(f, expected + first, vectors, bytes, f->product[x_i][x[j]]);
        }
    }
}

static void check_sum(const mb_gatherer *gatherer, const naive_field *f, size_t width, int small, const guard *memory)
{
    mb_gathering g = {&f->field, 1 + xorshift_below(&randomness, MOST_VARIABLES), width, small, NULL};
    const size_t size = gatherer->memory_bytes(&g);
    uint8_t *start = guard_last_aligned(memory, size, MOONBOW_SCRATCH_ALIGNMENT);
    uint8_t expected[MOST_WIDTH] = {0}, *out = guard_last(&out_memory, width), *x = guard_last(&scalars_memory, g.n);
    const size_t calls = xorshift_below(&randomness, 6);
    g.memory = start;
    guard_paint(memory, start, size);
    xorshift_fill(&randomness, start, size);
    guard_paint(&out_memory, out, width);
    random_elements(f, x, g.n);
    if (xorshift_below(&randomness, 8) == 0) {
        memset(x, 1, g.n); /* one value everywhere: more of it than any way by values expects */
    }
    gatherer->begin_vartime(&g, x);
    for (size_t call = 0; call < calls; call++) {
        const int whole = xorshift_below(&randomness, 2) == 0;
        const size_t first = whole ? 0 : xorshift_below(&randomness, width);
        const size_t bytes = whole ? width : 1 + xorshift_below(&randomness, width - first);
        check_call(gatherer, f, &g, x, expected, random_monomials(g.n), first, bytes, xorshift_below(&randomness, 5));
    }
    gatherer->collect_vartime(&g, out);
    assert_memory_equal(out, expected, width);
    assert_true(guard_untouched(&out_memory, out, width));
    assert_true(guard_untouched(memory, start, size));
}

enum { CROWD_MOST = 30 };

/* Many rows at once, first a rectangle, then a triangle, and of one value as many variables as `crowd` says. */
static void check_crowd(const mb_gatherer *gatherer, const naive_field *f, size_t width, int small, size_t crowd, const guard *memory)
{
    enum { N = 64, ROWS = 30, FROM = N - CROWD_MOST };
    const mb_gathering g = {&f->field, N, width, small, memory->start};
    uint8_t expected[MOST_WIDTH] = {0}, out[MOST_WIDTH], x[N];
    random_elements(f, x, N);
    for (size_t j = 0; j < N; j++) {
        x[j] = j >= FROM && j < FROM + crowd ? 1 : x[j] == 1 ? 2 : x[j];
    }
    gatherer->begin_vartime(&g, x);
    check_call(gatherer, f, &g, x, expected, (mb_monomials){0, ROWS, 0, N, 0}, 0, width, 0);
    check_call(gatherer, f, &g, x, expected, (mb_monomials){0, N, 0, N, 1}, 0, width, 0);
    gatherer->collect_vartime(&g, out);
    assert_memory_equal(out, expected, width);
}

static void gather(void **state)
{
    const guard memory = guard_take(400 * 256);
    (void)state;
    for (size_t g = 0; g < backends_len; g++) {
        for (const naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
            for (size_t width = 1; width <= MOST_WIDTH; width++) {
                for (int small = 0; small <= 1; small++) {
                    const mb_gatherer *gatherer = (f->field.bits == 8 ? gatherers_256 : small ? gatherers_small : gatherers)[g];
                    for (unsigned round = 0; round < (width == 32 ? 20 : width % 4 == 0 ? 4 : 2); round++) {
                        check_sum(gatherer, f, width, small, &memory);
                    }
                    for (size_t crowd = 0; width == 32 && crowd <= CROWD_MOST; crowd++) {
                        check_crowd(gatherer, f, width, small, crowd, &memory);
                    }
                }
            }
        }
    }
}

/* Several points: as one after the other, whatever lengths the vectors have in between. */
enum { POINTS_MOST = 19 };

static void check_points(const mb_many_gatherer *gatherer, const naive_field *f, size_t width, const guard *memory)
{
    const size_t points = 1 + xorshift_below(&randomness, POINTS_MOST), n = 1 + xorshift_below(&randomness, 70);
    mb_gathering g[POINTS_MOST];
    const mb_gathering *all[POINTS_MOST];
    uint8_t x[POINTS_MOST][70], expected[POINTS_MOST][MOST_WIDTH] = {{0}}, *out = guard_last(&out_memory, width);
    for (size_t p = 0; p < points; p++) {
        g[p] = (mb_gathering){&f->field, n, width, 0, NULL};
        const size_t size = mb_linear_gatherer_16(0)->many_bytes(&g[p]);
        g[p].memory = guard_last_aligned(&memory[p], size, MOONBOW_SCRATCH_ALIGNMENT);
        guard_paint(&memory[p], g[p].memory, size);
        xorshift_fill(&randomness, g[p].memory, size);
        random_elements(f, x[p], n);
        gatherer->begin_vartime(&g[p], x[p]);
        all[p] = &g[p];
    }
    for (size_t call = 0; call < 5; call++) {
        const mb_monomials monomials = random_monomials(n);
        const size_t count = monomials_len(&monomials), half = width / 2;
        const size_t first = call % 2 == 0 ? 0 : half, bytes = call % 3 == 0 ? width - first : width - half;
        const uint8_t *vectors = guard_last(&vectors_memory, count * bytes) - xorshift_below(&randomness, 5);
        xorshift_fill(&randomness, (uint8_t *)vectors, count * bytes);
        gatherer->gather_vartime(all, points, first, bytes, vectors, &monomials);
        for (size_t row = 0; row < monomials.rows; row++) {
            for (size_t j = monomials.j + row * monomials.shrink; j < monomials.end; j++, vectors += bytes) {
                for (size_t p = 0; p < points; p++) {
                    naive_add_scaled(f, expected[p] + first, vectors, bytes, f->product[x[p][monomials.i + row]][x[p][j]]);
                }
            }
        }
    }
    for (size_t p = 0; p < points; p++) {
        gatherer->collect_vartime(&g[p], out);
        assert_memory_equal(out, expected[p], width);
        assert_true(guard_untouched(&memory[p], g[p].memory, mb_linear_gatherer_16(0)->many_bytes(&g[p])));
    }
}

static void gather_many(void **state)
{
    guard memory[POINTS_MOST];
    (void)state;
    if (mb_linear_many_gatherer() == NULL) {
        return; /* not on this machine */
    }
    for (size_t p = 0; p < POINTS_MOST; p++) {
        memory[p] = guard_take(20000);
    }
    for (const naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
        for (size_t width = 1; width <= MOST_WIDTH; width++) {
            check_points(mb_linear_many_gatherer(), f, width, memory);
        }
    }
}

/* Portable small mode is for small memories: nibble buckets and little besides, whatever the field. */
static void small_is_small(void **state)
{
    (void)state;
    for (const naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
        for (size_t width = 8; width <= MOST_WIDTH; width += 4) {
            const mb_gathering g = {&f->field, 200, width, 1, NULL};
            const size_t groups = f->field.bits / 4;
            assert_true(mb_portable_gatherer.memory_bytes(&g) <= groups * 15 * ((width + 15) / 16 * 16) + 2 * 240);
        }
    }
}

/* The tables that dispatch.c chooses are among those tested above. */
static void dispatched_is_tested(void **state)
{
    unsigned found = 0;
    (void)state;
    for (size_t i = 0; i < backends_len; i++) {
        found |= mb_linear_multiplier() == multipliers[i] ? 1u : 0u;
    }
    for (size_t i = 0; i < backends_len; i++) {
        found |= mb_linear_solver_16(0) == solvers[i] ? 2u : 0u;
        found |= mb_linear_solver_256(0) == solvers_256[i] ? 32u : 0u;
    }
    for (size_t i = 0; i < backends_len; i++) {
        found |= mb_linear_gatherer_16(0) == gatherers[i] || mb_linear_gatherer_16(0) == gatherers_small[i] ? 4u : 0u;
        found |= mb_linear_gatherer_16(1) == gatherers_small[i] ? 16u : 0u;
        found |= mb_linear_gatherer_256(0) == gatherers_256[i] ? 8u : 0u;
    }
    assert_int_equal(found, 63);
}

int main(int argc, char **argv)
{
    randomness = xorshift_start(argc, argv);
    naive_start();
    find_backends();
    take_memory();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(combine_lengths),      cmocka_unit_test(combine_alignments),
        cmocka_unit_test(combine_extremes),     cmocka_unit_test(combine_shapes),
        cmocka_unit_test(combine_all_scalars),  cmocka_unit_test(combine_many_times),
        cmocka_unit_test(combine_triangles),    cmocka_unit_test(scale_elements),
        cmocka_unit_test(transform),            cmocka_unit_test(constants),
        cmocka_unit_test(solve_all_sizes),      cmocka_unit_test(solve_every_small_matrix),
        cmocka_unit_test(gather),               cmocka_unit_test(gather_many),
        cmocka_unit_test(small_is_small),
        cmocka_unit_test(dispatched_is_tested),
    };
    return cmocka_run_group_tests_name("linear", tests, NULL, NULL);
}
