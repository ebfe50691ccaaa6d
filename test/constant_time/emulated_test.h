/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The test of emulated kernels (emulated.c, emulated_neon.c), which are included before: the static functions of a backend's three tables,
 * combine_in_rows: an arrangement, if it has one; and emulated_extras, a multiplier of which what may be missing counts alone. */
#ifndef TEST_EMULATED_TEST_H
#define TEST_EMULATED_TEST_H

#include "linear/portable/portable.h"
#include "platform/declassify.h"
#include "xorshift.h"

#include <string.h>

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
    random_secret(out[0], sizeof out[0]);
    memcpy(out[1], out[0], sizeof out[0]);
    combine_in_rows(field, out[0], MOST_BYTES, outs, bytes, vectors, bytes, memory[0], MOST_COUNT, count);
    mb_portable_multiplier.combine_many(field, out[1], MOST_BYTES, outs, bytes, vectors, bytes, memory[1],
                                        MOST_COUNT, count);
    require_equal(sizeof out[0], "combine_many of an arrangement");
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

/* Sums over a triangle. */
static void check_triangle(const mb_field *field)
{
    enum { MOST_ROWS = 12 };
    const size_t n = xorshift_below(&randomness, MOST_ROWS + 1), bytes = 1 + xorshift_below(&randomness, 130);
    const uint8_t *row = vectors;
    uint8_t product;
    require(n * (n + 1) / 2 * bytes <= sizeof vectors, "too little memory");
    random_secret(vectors, n * (n + 1) / 2 * bytes);
    random_elements(field, scalars, n);
    random_secret(out[0], bytes);
    memcpy(out[1], out[0], bytes);
    prepare(field, memory[0], scalars, n);
    emulated_extras.combine_triangles(field, &(mb_triangle){out[0], bytes, vectors}, 1, memory[0], n);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i; j < n; j++, row += bytes) {
            product = mb_field_multiply(field, scalars[i], scalars[j]);
            mb_portable_multiplier.prepare(field, memory[1], &product, 1);
            mb_portable_multiplier.combine(field, out[1], bytes, row, bytes, memory[1], 1);
        }
    }
    require_equal(bytes, "a triangle");
}

/* What not every backend has: products of elements one a byte, and a matrix times many vectors. */
static void check_extras(const mb_field *field)
{
    const mb_transformation *transformation = emulated_extras.transformation;
    static uint8_t matrix[MOST_N * MOST_N];
    if (emulated_extras.scale != NULL) {
        const size_t count = xorshift_below(&randomness, 150);
        random_elements(field, vectors, count + MB_SCALE_MARGIN);
        random_elements(field, scalars, 1);
        prepare(field, memory[0], scalars, 1);
        emulated_extras.scale(field, out[0], vectors, memory[0], count);
        for (size_t i = 0; i < count; i++) {
            out[1][i] = mb_field_multiply(field, scalars[0], vectors[i]);
        }
        require_equal(count, "scale");
    }
    if (transformation != NULL) {
        const size_t rows = 2 * xorshift_below(&randomness, 30), columns = 2 * xorshift_below(&randomness, 38);
        const size_t out_bytes = mb_field_bytes(field, rows), count = xorshift_below(&randomness, 60);
        const size_t stride = out_bytes + mb_field_bytes(field, columns);
        require(count * stride <= sizeof out[0] && count * stride <= sizeof vectors, "too little memory");
        require(transformation->prepared_bytes(field, rows, columns) <= MEMORY, "too little memory");
        random_secret(matrix, columns * out_bytes);
        random_secret(vectors, count * stride);
        memcpy(out[0], vectors, count * stride);
        memcpy(out[1], vectors, count * stride);
        transformation->prepare(field, memory[0], matrix, rows, columns);
        transformation->add_products(field, out[0], out[0] + out_bytes, stride, count, memory[0], rows, columns);
        for (size_t v = 0; v < count; v++) {
            mb_field_unpack(field, scalars, vectors + v * stride + out_bytes, columns);
            mb_portable_multiplier.prepare(field, memory[1], scalars, columns);
            mb_portable_multiplier.combine(field, out[1] + v * stride, out_bytes, matrix, out_bytes, memory[1], columns);
        }
        require_equal(count * stride, "products of a matrix");
    }
    if (emulated_extras.combine_triangles != NULL) {
        check_triangle(field);
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
            check_extras(fields[f]);
            check_gathering(fields[f]);
        }
    }
    require(prepared_bytes(fields[0]) * sizeof scalars <= MEMORY, "prepared_bytes");
    printf("emulated: %u rounds over %u fields%s\n", rounds, 4u, with_secrets ? ", on secrets" : "");
    return 0;
}

#endif
