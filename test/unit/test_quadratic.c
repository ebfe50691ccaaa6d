/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Quadratic maps (src/quadratic) against sums over monomials written out: streaming public maps, secret evaluation, and the
 * change of variables, on random shapes over every field. */
#include "guard.h"
#include "naive.h"
#include "quadratic/evaluate.h"
#include "quadratic/public_map.h"
#include "quadratic/slabs.h"
#include "quadratic/substitute.h"
#include "scheme/public_key.h"
#include "symmetric/aes_vartime.h"
#include "xorshift.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static xorshift randomness;

static size_t between(size_t low, size_t high)
{
    return low + xorshift_below(&randomness, high - low + 1);
}

/* Elements one a byte; sometimes mostly zero, or all of them. */
static void random_point(const naive_field *f, uint8_t *x, size_t n)
{
    const size_t kind = xorshift_below(&randomness, 8);
    for (size_t i = 0; i < n; i++) {
        const uint8_t element = (uint8_t)(xorshift_next(&randomness) >> 40 & (f->size - 1));
        x[i] = kind == 0 || (kind <= 2 && xorshift_below(&randomness, 4) != 0) ? 0 : element;
    }
}

/* Arena memory of exactly the measured size before a forbidden page. */
static mb_arena take_arena(guard *memory, size_t bytes)
{
    *memory = guard_take(bytes);
    return (mb_arena){guard_last_aligned(memory, bytes, MOONBOW_SCRATCH_ALIGNMENT), 0};
}

static void release(const guard *memory)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    munmap(memory->start - page, (size_t)(memory->end - memory->start) + 2 * page);
}

/* ---- The public map -------------------------------------------------------------------------- */

enum { MOST_SECTIONS = 16, MOST_VALUE = 120 };

/* Blocks one after the other, each of which concerns a part of the value. */
typedef struct section {
    mb_block block;
    size_t first, bytes;
} section;

typedef struct map_case {
    const naive_field *f;
    size_t n, width, sections_len, coefficients_bytes;
    section sections[MOST_SECTIONS];
    uint8_t *coefficients;
    uint8_t x[256], packed[256], expected[MOST_VALUE];
} map_case;

static void add_section(map_case *c, mb_block block, size_t first, size_t bytes)
{
    c->sections[c->sections_len++] = (section){block, first, bytes};
    c->coefficients_bytes += mb_block_monomials(block) * bytes;
}

/* Like Rainbow's seeded keys (two layers), like UOV's (one value, three blocks), or one triangle. */
static void choose_sections(map_case *c)
{
    const naive_field *f = c->f;
    const size_t v = between(1, 30), o1 = between(1, 20), n = naive_whole(f, v + o1 + between(1, 20));
    const size_t o2 = n - v - o1, kind = xorshift_below(&randomness, 3);
    c->n = n;
    c->width = kind == 0 ? between(2, 60) : between(1, MOST_VALUE);
    c->sections_len = 0;
    c->coefficients_bytes = 0;
    if (kind == 0) {
        const size_t lower = between(1, c->width - 1), upper = c->width - lower;
        add_section(c, mb_block_triangle(0, v), 0, lower);
        add_section(c, mb_block_rectangle(0, v, v, o1), 0, lower);
        add_section(c, mb_block_triangle(0, v), lower, upper);
        add_section(c, mb_block_rectangle(0, v, v, o1), lower, upper);
        add_section(c, mb_block_rectangle(0, v, v + o1, o2), lower, upper);
        add_section(c, mb_block_triangle(v, o1), lower, upper);
        add_section(c, mb_block_rectangle(v, o1, v + o1, o2), lower, upper);
        add_section(c, mb_block_rectangle(0, v, v + o1, o2), 0, lower);
        add_section(c, mb_block_triangle(v, o1), 0, lower);
        add_section(c, mb_block_rectangle(v, o1, v + o1, o2), 0, lower);
        add_section(c, mb_block_triangle(v + o1, o2), 0, lower);
        add_section(c, mb_block_triangle(v + o1, o2), lower, upper);
    } else if (kind == 1) {
        add_section(c, mb_block_triangle(0, v), 0, c->width);
        add_section(c, mb_block_rectangle(0, v, v, n - v), 0, c->width);
        add_section(c, mb_block_triangle(v, n - v), 0, c->width);
    } else {
        add_section(c, mb_block_triangle(0, n), 0, c->width);
    }
}

/* The value by its definition: i ≤ j wherever rows and columns are the same variables. */
static void evaluate_sections(map_case *c)
{
    const uint8_t *vector = c->coefficients;
    memset(c->expected, 0, sizeof c->expected);
    for (size_t s = 0; s < c->sections_len; s++) {
        const section *at = &c->sections[s];
        for (size_t i = at->block.row; i < (size_t)at->block.row + at->block.rows; i++) {
            for (size_t j = at->block.column; j < (size_t)at->block.column + at->block.columns; j++) {
                if (at->block.row == at->block.column && j < i) {
                    continue;
                }
                naive_add_scaled(c->f, c->expected + at->first, vector, at->bytes, c->f->product[c->x[i]][c->x[j]]);
                vector += at->bytes;
            }
        }
    }
    assert_ptr_equal(vector, c->coefficients + c->coefficients_bytes);
}

static map_case make_case(const naive_field *f, guard *memory)
{
    map_case c = {.f = f};
    choose_sections(&c);
    *memory = guard_take(c.coefficients_bytes);
    c.coefficients = guard_last(memory, c.coefficients_bytes);
    xorshift_fill(&randomness, c.coefficients, c.coefficients_bytes);
    random_point(f, c.x, c.n);
    for (size_t i = 0; i < c.n; i++) {
        naive_add(f, c.packed, i, c.x[i]);
    }
    evaluate_sections(&c);
    return c;
}

/* Feeds everything in pieces of up to `most` bytes; sections end within pieces. */
static void feed(mb_public_map *map, const map_case *c, size_t most)
{
    size_t done = 0, opened = 0, section_left = 0;
    while (done < c->coefficients_bytes) {
        const size_t left = c->coefficients_bytes - done;
        size_t piece = between(1, most < left ? most : left);
        while (piece > 0) {
            if (section_left == 0) {
                const section *at = &c->sections[opened++];
                mb_public_map_open(map, at->block, at->first, at->bytes);
                section_left = mb_block_monomials(at->block) * at->bytes;
                assert_int_equal(mb_public_map_complete(map), 0);
            }
            const size_t taken = mb_public_map_absorb(map, c->coefficients + done, piece);
            assert_int_equal(taken, piece < section_left ? piece : section_left);
            section_left -= taken;
            assert_int_equal(mb_public_map_complete(map), section_left == 0);
            done += taken;
            piece -= taken;
        }
    }
    assert_int_equal(opened, c->sections_len);
    assert_int_equal(mb_public_map_absorb(map, c->expected, 1), 0); /* nothing after the end */
}

static mb_gatherer_choice *gatherer_of(const naive_field *f)
{
    return f->field.bits == 4 ? mb_linear_gatherer_16 : mb_linear_gatherer_256;
}

static void check_map(const map_case *c, moonbow_mode mode)
{
    static const size_t pieces[] = {1, 7, 200, 100000};
    guard memory;
    mb_arena measuring = {NULL, 0};
    mb_public_map map;
    const mb_gathering shape = {&c->f->field, c->n, c->width, mode == MOONBOW_SMALL, NULL};
    mb_public_map_init(NULL, &measuring, gatherer_of(c->f), &shape, mode);
    mb_arena arena = take_arena(&memory, measuring.used);
    memset(arena.start, 0x5a, measuring.used);
    mb_public_map_init(&map, &arena, gatherer_of(c->f), &shape, mode);
    assert_int_equal(arena.used, measuring.used);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        mb_public_map_begin(&map, c->packed);
        feed(&map, c, pieces[i]);
        assert_memory_equal(mb_public_map_collect(&map), c->expected, c->width);
    }
    release(&memory);
}

static void public_map(void **state)
{
    (void)state;
    for (naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
        for (unsigned round = 0; round < 30; round++) {
            guard memory;
            const map_case c = make_case(f, &memory);
            check_map(&c, MOONBOW_FAST);
            check_map(&c, MOONBOW_SMALL);
            release(&memory);
        }
    }
}

/* ---- Seeded keys: with a cipher that can leave pieces out, coefficients of zero monomials are not generated ------------------------ */

static size_t left_out;

static int count_some(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks, const uint8_t *wanted, size_t count)
{
    for (size_t piece = 0; piece < count; piece++) {
        left_out += wanted[piece] == 0;
    }
    mb_aes_table_ctr_some(aes, counter, out, blocks, wanted, count);
    return 0;
}

static const mb_aes_cipher whole = {mb_aes_table_init_128, mb_aes_table_init_256, mb_aes_table_ctr, NULL, NULL, NULL, NULL};
static const mb_aes_cipher sparse = {mb_aes_table_init_128, mb_aes_table_init_256, mb_aes_table_ctr, count_some, NULL, NULL, NULL};

typedef struct seeded_case {
    const mb_aes_cipher *cipher;
    size_t v, m, bytes;
} seeded_case;

static int seeded_section(const void *set, const void *format, size_t index, mb_key_section *out)
{
    const seeded_case *c = set;
    (void)format;
    *out = (mb_key_section){index == 0 ? mb_block_triangle(0, c->v) : mb_block_rectangle(0, c->v, c->v, c->m), 0, c->bytes, 1};
    return index < 2 ? 0 : -1;
}

static size_t no_expander(const void *set)
{
    (void)set;
    return 0;
}

static void seeded_open(const void *set, void *expander, mb_ctr *stream, const uint8_t *seed, size_t index, size_t bytes)
{
    static const uint8_t zero[16];
    (void)expander;
    (void)bytes;
    if (index == 0) {
        mb_ctr_init_128_vartime(stream, seed, zero);
        stream->cipher = ((const seeded_case *)set)->cipher;
    }
}

static void evaluate_seeded(const seeded_case *c, const naive_field *f, moonbow_mode mode, const uint8_t *packed,
                            const uint8_t seed[16], uint8_t *value)
{
    static const mb_key_kind kind = {seeded_section, no_expander, seeded_open, &mb_key_with_seed};
    mb_arena measuring = {NULL, 0};
    mb_public_key key;
    guard memory;
    const mb_key_shape shape = {&kind, c, NULL, gatherer_of(f), {&f->field, c->v + c->m, c->bytes, mode == MOONBOW_SMALL, NULL}, 16};
    mb_public_key_init(NULL, &measuring, &shape, mode);
    mb_arena arena = take_arena(&memory, measuring.used);
    memset(arena.start, 0x5a, measuring.used);
    mb_public_key_init(&key, &arena, &shape, mode);
    mb_public_key_begin(&key, packed);
    mb_public_key_absorb(&key, seed, 16);
    assert_true(key.complete);
    memcpy(value, mb_public_key_collect(&key), c->bytes);
    release(&memory);
}

static void seeded_keys(void **state)
{
    static const size_t lengths[] = {16, 32, 48, 24, 45};
    (void)state;
    for (naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
        for (unsigned round = 0; round < 30; round++) {
            seeded_case c = {&whole, between(1, 60), between(1, 40), lengths[round % 5]};
            uint8_t x[100], packed[100] = {0}, seed[16], expected[48], value[48];
            random_point(f, x, c.v + c.m);
            for (size_t i = 0; i < c.v + c.m; i++) {
                naive_add(f, packed, i, x[i]);
            }
            xorshift_fill(&randomness, seed, sizeof seed);
            for (int small = 0; small <= 1; small++) {
                const moonbow_mode mode = small ? MOONBOW_SMALL : MOONBOW_FAST;
                c.cipher = &whole;
                evaluate_seeded(&c, f, mode, packed, seed, expected);
                c.cipher = &sparse;
                evaluate_seeded(&c, f, mode, packed, seed, value);
                assert_memory_equal(value, expected, c.bytes);
            }
        }
    }
    assert_true(left_out > 1000);
}

/* ---- Secret evaluation ----------------------------------------------------------------------- */

enum { MOST_VARIABLES = 40, MOST_VECTOR = 70 };

typedef struct workshop {
    guard memory;
    mb_workspace work;
} workshop;

/* Room for `scalars_len` elements, and for any number of prepared ones. */
static void open_workshop(workshop *w, const naive_field *f, size_t scalars_len)
{
    const size_t capacity = xorshift_below(&randomness, 3) == 0 ? 1 : between(1, 2 * scalars_len);
    mb_arena measuring = {NULL, 0};
    mb_workspace_init(&w->work, &measuring, &f->field, scalars_len, capacity);
    mb_workspace_take_point(&w->work, &measuring, scalars_len);
    mb_arena arena = take_arena(&w->memory, measuring.used);
    mb_workspace_init(&w->work, &arena, &f->field, scalars_len, capacity);
    mb_workspace_take_point(&w->work, &arena, scalars_len);
    assert_int_equal(arena.used, measuring.used);
}

/* A buffer for rows: one coefficient vector, a few, a row or some rows. */
static size_t choose_buffer(size_t bytes, size_t row)
{
    switch (xorshift_below(&randomness, 4)) {
    case 0:
        return bytes;
    case 1:
        return between(bytes, row * bytes);
    case 2:
        return row * bytes;
    default:
        return between(row * bytes, 5 * row * bytes);
    }
}

static void evaluate_triangles(void **state)
{
    static uint8_t coefficients[3][MOST_VARIABLES * (MOST_VARIABLES + 1) / 2 * MOST_VECTOR];
    (void)state;
    for (naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
        for (unsigned round = 0; round < 60; round++) {
            const size_t n = between(1, MOST_VARIABLES), len = between(1, 3);
            const size_t scalars_len = round % 3 == 0 ? n : between(n, 1000);
            uint8_t x[MOST_VARIABLES], constants[3][MOST_VECTOR], expected[3][MOST_VECTOR];
            mb_triangle triangles[3];
            workshop w;
            open_workshop(&w, f, scalars_len);
            random_point(f, x, n);
            for (size_t t = 0; t < len; t++) {
                const size_t bytes = between(1, MOST_VECTOR);
                const uint8_t *vector = coefficients[t];
                xorshift_fill(&randomness, coefficients[t], n * (n + 1) / 2 * bytes);
                xorshift_fill(&randomness, constants[t], sizeof constants[t]);
                memcpy(expected[t], constants[t], sizeof expected[t]);
                for (size_t i = 0; i < n; i++) {
                    for (size_t j = i; j < n; j++, vector += bytes) {
                        naive_add_scaled(f, expected[t], vector, bytes, f->product[x[i]][x[j]]);
                    }
                }
                triangles[t] = (mb_triangle){constants[t], bytes, coefficients[t]};
            }
            mb_evaluate_triangles(&w.work, triangles, len, x, n);
            for (size_t t = 0; t < len; t++) {
                assert_memory_equal(constants[t], expected[t], sizeof expected[t]);
            }
            release(&w.memory);
        }
    }
}

/* A key stream, and all that comes out of it. */
typedef struct source {
    mb_ctr stream;
    uint8_t bytes[MOST_VARIABLES * MOST_VARIABLES * MOST_VECTOR];
} source;

static void open_source(source *s)
{
    uint8_t key[16], counter[16];
    xorshift_fill(&randomness, key, sizeof key);
    xorshift_fill(&randomness, counter, sizeof counter);
    mb_ctr_init_128(&s->stream, key, counter);
    mb_ctr_read(&s->stream, s->bytes, sizeof s->bytes);
    mb_ctr_init_128(&s->stream, key, counter);
}

/* The stream must have been read to the end of the block and no further. */
static void assert_read(source *s, size_t bytes)
{
    uint8_t next[16];
    mb_ctr_read(&s->stream, next, sizeof next);
    assert_memory_equal(next, s->bytes + bytes, sizeof next);
}

static void evaluate_polar(void **state)
{
    static source s;
    static uint8_t linear[MOST_VARIABLES * MOST_VECTOR + 1], expected[sizeof linear];
    (void)state;
    for (naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
        for (unsigned round = 0; round < 40; round++) {
            const size_t n = between(1, MOST_VARIABLES - 1), bytes = between(1, MOST_VECTOR);
            const size_t buffer_bytes = choose_buffer(bytes, n);
            uint8_t x[MOST_VARIABLES], constant[MOST_VECTOR + 1], value[sizeof constant];
            workshop w;
            guard buffer;
            open_workshop(&w, f, between(n, 100));
            mb_arena arena = take_arena(&buffer, buffer_bytes);
            open_source(&s);
            random_point(f, x, n);
            xorshift_fill(&randomness, linear, sizeof linear);
            xorshift_fill(&randomness, constant, sizeof constant);
            memcpy(expected, linear, sizeof expected);
            memcpy(value, constant, sizeof value);
            for (size_t k = 0; k < n; k++) { /* what linear held is a linear form */
                naive_add_scaled(f, value, linear + k * bytes, bytes, x[k]);
            }
            const uint8_t *vector = s.bytes;
            for (size_t i = 0; i < n; i++) {
                for (size_t j = i; j < n; j++, vector += bytes) {
                    naive_add_scaled(f, value, vector, bytes, f->product[x[i]][x[j]]);
                    naive_add_scaled(f, expected + j * bytes, vector, bytes, x[i]); /* Q */
                    naive_add_scaled(f, expected + i * bytes, vector, bytes, x[j]); /* Qᵗ */
                }
            }
            const mb_row_stream rows = {&s.stream, arena.start, buffer_bytes};
            mb_evaluate_polar(&w.work, constant, linear, bytes, &rows, x, n);
            assert_memory_equal(linear, expected, sizeof expected);
            assert_memory_equal(constant, value, sizeof value);
            assert_read(&s, n * (n + 1) / 2 * bytes);
            release(&buffer);
            release(&w.memory);
        }
    }
}

static void evaluate_rectangle(void **state)
{
    static source s;
    static uint8_t left[MOST_VARIABLES * MOST_VECTOR + 1], right[sizeof left];
    static uint8_t expected_left[sizeof left], expected_right[sizeof left];
    (void)state;
    for (naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
        for (unsigned round = 0; round < 40; round++) {
            const size_t rows = between(1, MOST_VARIABLES - 1), columns = between(1, MOST_VARIABLES - 1);
            const size_t bytes = between(1, MOST_VECTOR), most = rows > columns ? rows : columns;
            const size_t buffer_bytes = choose_buffer(bytes, columns);
            const int with_right = round % 3 != 0;
            uint8_t x[MOST_VARIABLES], y[MOST_VARIABLES];
            workshop w;
            guard buffer;
            open_workshop(&w, f, most);
            mb_arena arena = take_arena(&buffer, buffer_bytes);
            open_source(&s);
            random_point(f, x, rows);
            random_point(f, y, columns);
            xorshift_fill(&randomness, left, sizeof left);
            xorshift_fill(&randomness, right, sizeof right);
            memcpy(expected_left, left, sizeof left);
            memcpy(expected_right, right, sizeof right);
            for (size_t i = 0; i < rows; i++) {
                for (size_t j = 0; j < columns; j++) {
                    const uint8_t *vector = s.bytes + (i * columns + j) * bytes;
                    naive_add_scaled(f, expected_left + j * bytes, vector, bytes, x[i]);
                    naive_add_scaled(f, expected_right + i * bytes, vector, bytes, with_right ? y[j] : 0);
                }
            }
            const mb_row_stream stream = {&s.stream, arena.start, buffer_bytes};
            mb_evaluate_rectangle(&w.work, left, with_right ? right : NULL, bytes, &stream, x, rows,
                                  with_right ? y : NULL, columns);
            assert_memory_equal(left, expected_left, sizeof left);
            assert_memory_equal(right, expected_right, sizeof right);
            assert_read(&s, rows * columns * bytes);
            release(&buffer);
            release(&w.memory);
        }
    }
}

/* ---- Matrices with vectors ------------------------------------------------------------------- */

/* Vector j of the product is the sum of the vectors times column j of t. */
static void check_matrix_matrix(const workshop *w, const naive_field *f, size_t bytes, const uint8_t *vectors,
                                size_t count)
{
    const size_t columns = xorshift_below(&randomness, 12), column_bytes = mb_field_bytes(&f->field, count);
    uint8_t t[12 * MOST_VARIABLES], out[12 * MOST_VECTOR], expected[sizeof out];
    xorshift_fill(&randomness, t, sizeof t);
    xorshift_fill(&randomness, out, sizeof out);
    memcpy(expected, out, sizeof out);
    for (size_t j = 0; j < columns; j++) {
        for (size_t k = 0; k < count; k++) {
            naive_add_scaled(f, expected + j * bytes, vectors + k * bytes, bytes, naive_get(f, t + j * column_bytes, k));
        }
    }
    mb_workspace_matrix_matrix(&w->work, out, bytes, columns, vectors, count, t);
    assert_memory_equal(out, expected, sizeof out);
}

static void workspace_products(void **state)
{
    (void)state;
    for (naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
        for (unsigned round = 0; round < 100; round++) {
            const size_t count = naive_whole(f, between(1, MOST_VARIABLES - 1)), bytes = between(1, MOST_VECTOR);
            uint8_t columns[MOST_VARIABLES * MOST_VECTOR], x[MOST_VARIABLES], packed[MOST_VARIABLES] = {0};
            uint8_t out[3][MOST_VECTOR], expected[MOST_VECTOR], scaled[MOST_VECTOR];
            workshop w;
            open_workshop(&w, f, count);
            xorshift_fill(&randomness, columns, sizeof columns);
            random_point(f, x, count);
            xorshift_fill(&randomness, expected, sizeof expected);
            memcpy(scaled, expected, sizeof expected);
            for (size_t i = 0; i < 3; i++) {
                memcpy(out[i], expected, sizeof expected);
            }
            for (size_t j = 0; j < count; j++) {
                naive_add(f, packed, j, x[j]);
                naive_add_scaled(f, expected, columns + j * bytes, bytes, x[j]);
            }
            naive_add_scaled(f, scaled, columns, bytes, x[0]);
            check_matrix_matrix(&w, f, bytes, columns, count);
            mb_workspace_matrix_vector(&w.work, out[0], bytes, columns, x, count);
            mb_workspace_matrix_packed(&w.work, out[1], bytes, columns, packed, count);
            mb_workspace_add_scaled(&w.work, out[2], bytes, columns, x[0]);
            assert_memory_equal(out[0], expected, sizeof expected);
            assert_memory_equal(out[1], expected, sizeof expected);
            assert_memory_equal(out[2], scaled, sizeof scaled);
            release(&w.memory);
        }
    }
}

/* ---- Change of variables --------------------------------------------------------------------- */

enum { MOST_FORM = 26, MOST_FORM_VECTOR = 24 };

typedef struct substitution_case {
    const naive_field *f;
    mb_form form;
    mb_range from, to;
    size_t first, bytes; /* the part of the vectors that changes */
    size_t square, cross;
    int linear;
    uint8_t m[MOST_FORM * MOST_FORM];                       /* packed, column by column */
    uint8_t t[MOST_FORM][MOST_FORM];                        /* the whole matrix: x_i → Σ_k t[i][k]·x_k */
    uint8_t expected[MOST_FORM * (MOST_FORM + 1) / 2 * MOST_FORM_VECTOR];
} substitution_case;

/* What a test asks of the ranges. */
typedef enum situation {
    SCHEMES,    /* `to` follows `from` and is the end; what is beyond `square` is not looked at */
    REST_KEPT   /* `to` lies anywhere after `from`, and all is looked at */
} situation;

static void choose_ranges(substitution_case *c, situation where)
{
    const size_t before = xorshift_below(&randomness, 5);
    const size_t from = naive_whole(c->f, between(1, 6)), to = between(1, 11);
    const size_t gap = where == REST_KEPT ? xorshift_below(&randomness, 3) : 0;
    const size_t after = where == REST_KEPT ? xorshift_below(&randomness, 3) : 0;
    c->from = (mb_range){before, from};
    c->to = (mb_range){before + from + gap, to};
    c->form.n = before + from + gap + to + after;
    c->form.bytes = between(1, MOST_FORM_VECTOR);
    c->first = xorshift_below(&randomness, 2) == 0 ? 0 : xorshift_below(&randomness, c->form.bytes);
    c->bytes = c->first == 0 ? c->form.bytes : between(1, c->form.bytes - c->first);
    c->square = between(0, to);
    c->cross = between(0, to);
    c->linear = xorshift_below(&randomness, 4) == 0;
    assert_true(c->form.n <= MOST_FORM);
}

static void choose_matrix(substitution_case *c)
{
    const size_t column_bytes = mb_field_bytes(&c->f->field, c->from.count);
    memset(c->t, 0, sizeof c->t);
    for (size_t i = 0; i < c->form.n; i++) {
        c->t[i][i] = 1;
    }
    xorshift_fill(&randomness, c->m, column_bytes * c->to.count);
    for (size_t b = 0; b < c->to.count; b++) {
        for (size_t a = 0; a < c->from.count; a++) {
            c->t[c->from.first + a][c->to.first + b] = naive_get(c->f, c->m + b * column_bytes, a);
        }
    }
}

static int within(mb_range range, size_t i)
{
    return i >= range.first && i < range.first + range.count;
}

/* 1 if the substitution is to change monomial (i, j), i ≤ j. */
static int is_changed(const substitution_case *c, size_t i, size_t j)
{
    if (!within(c->to, j)) {
        return 0;
    }
    return within(c->to, i) ? i < c->to.first + c->square : i < c->from.first + c->from.count;
}

/* What a promise of linearity promises. */
static void make_linear(substitution_case *c)
{
    for (size_t i = c->from.first; i < c->from.first + c->from.count; i++) {
        for (size_t j = i; j < c->form.n; j++) {
            if (within(c->from, j) || within(c->to, j)) {
                memset(mb_form_at(&c->form, i, j) + c->first, 0, c->bytes);
            }
        }
    }
}

/* UT(Tᵗ·Q·T), but for the monomials within `to` of which neither is among the first `square`. */
static void expand(substitution_case *c)
{
    const size_t n = c->form.n, bytes = c->form.bytes;
    memset(c->expected, 0, sizeof c->expected);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i; j < n; j++) {
            const uint8_t *vector = mb_form_at(&c->form, i, j);
            for (size_t k = 0; k < n; k++) {
                for (size_t l = 0; l < n; l++) {
                    const size_t low = k < l ? k : l, high = k < l ? l : k;
                    naive_add_scaled(c->f, c->expected + bytes * mb_triangle_index(n, low, high), vector, bytes,
                                     c->f->product[c->t[i][k]][c->t[j][l]]);
                }
            }
        }
    }
}

/* What is not to change stays what it was. */
static void keep_rest(substitution_case *c)
{
    const size_t n = c->form.n, bytes = c->form.bytes;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i; j < n; j++) {
            uint8_t *expected = c->expected + bytes * mb_triangle_index(n, i, j), *form = mb_form_at(&c->form, i, j);
            if (!is_changed(c, i, j)) {
                memcpy(expected, form, bytes);
            }
            memcpy(expected, form, c->first);
            memcpy(expected + c->first + c->bytes, form + c->first + c->bytes, bytes - c->first - c->bytes);
        }
    }
}

/* Puts what is expected in the place of the monomials (i, j), j in [first, first + count). */
static void forgive(substitution_case *c, size_t i, size_t first, size_t count)
{
    for (size_t j = first; j < first + count; j++) {
        memcpy(mb_form_at(&c->form, i, j) + c->first,
               c->expected + c->form.bytes * mb_triangle_index(c->form.n, i, j) + c->first, c->bytes);
    }
}

static void check_substitution(substitution_case *c, situation where)
{
    const size_t form_bytes = mb_form_bytes(&c->form);
    const size_t most = c->from.count + xorshift_below(&randomness, 3);
    guard form, memory;
    mb_arena measuring = {NULL, 0};
    mb_substitution substitution;
    workshop w;
    open_workshop(&w, c->f, most);
    mb_substitution_take(&substitution, &measuring, &w.work, most, c->to.count, c->form.bytes);
    mb_arena arena = take_arena(&memory, measuring.used);
    mb_substitution_take(&substitution, &arena, &w.work, most, c->to.count, c->form.bytes);
    form = guard_take(form_bytes);
    c->form.coefficients = guard_last(&form, form_bytes);
    xorshift_fill(&randomness, c->form.coefficients, form_bytes);
    if (c->linear) {
        make_linear(c);
    }
    expand(c);
    keep_rest(c);
    const mb_change change = {.from = c->from, .to = c->to, .m = c->m, .first = c->first, .bytes = c->bytes,
                              .linear = c->linear, .square = c->square, .cross = c->cross};
    mb_substitute(&w.work, &substitution, &c->form, &change);
    for (size_t a = 0; a < c->from.count && !c->linear; a++) {
        forgive(c, c->from.first + a, c->to.first, c->to.count - c->cross);
    }
    for (size_t b = c->square; b < c->to.count && where == SCHEMES; b++) {
        forgive(c, c->to.first + b, c->to.first + b, c->to.count - b);
    }
    assert_memory_equal(c->form.coefficients, c->expected, form_bytes);
    release(&form);
    release(&memory);
    release(&w.memory);
}

static void substitute(situation where)
{
    static substitution_case c;
    for (naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
        for (unsigned round = 0; round < 50; round++) {
            c.f = f;
            choose_ranges(&c, where);
            choose_matrix(&c);
            check_substitution(&c, where);
        }
    }
}

static void substitute_as_schemes_do(void **state)
{
    (void)state;
    substitute(SCHEMES);
}

static void substitute_keeps_the_rest(void **state)
{
    (void)state;
    substitute(REST_KEPT);
}

/* The place of a monomial, by counting. */
/* ---- The change of variables by rows ----------------------------------------------------------- */

enum { FIRST_GROUP_MOST = 10, BLOCKS_LEN = 10 };

/* An old map in c.form, its transform in c.expected; the blocks that the slabs take for 0; what they have emitted. */
typedef struct slabs_case {
    substitution_case c;
    mb_slabs slabs;
    size_t v, o1, o2;
    uint8_t t1[FIRST_GROUP_MOST * FIRST_GROUP_MOST], t2[FIRST_GROUP_MOST * FIRST_GROUP_MOST],
        t3[FIRST_GROUP_MOST * FIRST_GROUP_MOST];
    int absent[BLOCKS_LEN];
    int keep; /* rows go into c.form instead of being compared */
    size_t rows[BLOCKS_LEN];
} slabs_case;

static mb_block slabs_block(const slabs_case *s, unsigned block)
{
    const size_t v = s->v, o1 = s->o1, o2 = s->o2;
    return block == 1   ? mb_block_triangle(0, v)
           : block == 2 ? mb_block_rectangle(0, v, v, o1)
           : block == 3 ? mb_block_rectangle(0, v, v + o1, o2)
           : block == 5 ? mb_block_triangle(v, o1)
           : block == 6 ? mb_block_rectangle(v, o1, v + o1, o2)
                        : mb_block_triangle(v + o1, o2);
}

/* The monomial of coefficient vector `index` of a block, row by row. */
static uint8_t *slabs_vector(const slabs_case *s, unsigned number, size_t index)
{
    const mb_block block = slabs_block(s, number);
    size_t i = block.row;
    for (;; i++) {
        const size_t start = mb_block_row_start(block, i), len = mb_block_row_end(block) - start;
        if (index < len) {
            return mb_form_at(&s->c.form, i, start + index);
        }
        index -= len;
    }
}

static int slabs_load(void *context, uint8_t *out, unsigned block, size_t index, size_t count)
{
    const slabs_case *s = context;
    for (size_t k = 0; k < count && !s->absent[block]; k++) {
        memcpy(out + k * s->c.form.bytes, slabs_vector(s, block, index + k), s->c.form.bytes);
    }
    return !s->absent[block];
}

static void slabs_emit(void *context, unsigned number, size_t row, uint8_t *vectors, size_t count)
{
    slabs_case *s = context;
    const mb_block block = slabs_block(s, number);
    const size_t i = block.row + row, j = mb_block_row_start(block, i), bytes = s->c.form.bytes;
    assert_int_equal(row, s->rows[number]++);
    assert_int_equal(count, mb_block_row_end(block) - j);
    if (s->keep) {
        memcpy(mb_form_at(&s->c.form, i, j), vectors, count * bytes);
    } else {
        assert_memory_equal(vectors, s->c.expected + bytes * mb_triangle_index(s->c.form.n, i, j), count * bytes);
    }
    memset(vectors, 0xee, count * bytes);
}

static void choose_t(slabs_case *s, uint8_t *packed, size_t row, size_t rows, size_t column, size_t columns)
{
    const naive_field *f = s->c.f;
    const size_t column_bytes = mb_field_bytes(&f->field, rows);
    xorshift_fill(&randomness, packed, column_bytes * columns);
    for (size_t b = 0; b < columns; b++) {
        for (size_t a = 0; a < rows; a++) {
            s->c.t[row + a][column + b] = naive_get(f, packed + b * column_bytes, a);
        }
    }
}

static void choose_groups(slabs_case *s, int with_o2)
{
    substitution_case *c = &s->c;
    s->v = naive_whole(c->f, between(1, FIRST_GROUP_MOST - 2));
    s->o1 = naive_whole(c->f, between(1, 6));
    s->o2 = with_o2 ? between(1, 8) : 0;
    c->form.n = s->v + s->o1 + s->o2;
    c->form.bytes = between(1, MOST_FORM_VECTOR);
    c->to = (mb_range){s->v, s->o1 + s->o2};
    c->square = c->to.count;
    assert_true(c->form.n <= MOST_FORM);
    memset(c->t, 0, sizeof c->t);
    for (size_t i = 0; i < c->form.n; i++) {
        c->t[i][i] = 1;
    }
    choose_t(s, s->t1, 0, s->v, s->v, s->o1);
    choose_t(s, s->t2, 0, s->v, s->v + s->o1, s->o2);
    choose_t(s, s->t3, s->v, s->o1, s->v + s->o1, s->o2);
    s->slabs.v = s->v;
    s->slabs.o1 = s->o1;
    s->slabs.o2 = s->o2;
    s->slabs.bytes = c->form.bytes;
    s->slabs.t1 = s->t1;
    s->slabs.t2 = s->t2;
    s->slabs.t3 = s->t3;
    s->slabs.load = slabs_load;
    s->slabs.emit = slabs_emit;
    s->slabs.context = s;
}

static void set_block(const slabs_case *s, unsigned number, int random)
{
    const mb_block block = slabs_block(s, number);
    for (size_t k = 0; k < mb_block_monomials(block); k++) {
        uint8_t *vector = slabs_vector(s, number, k);
        memset(vector, 0, s->c.form.bytes);
        if (random) {
            xorshift_fill(&randomness, vector, s->c.form.bytes);
        }
    }
}

/* Every block of the transform, asked for together or one by one. */
static void check_transform(slabs_case *s)
{
    static const unsigned numbers[5] = {1, 2, 3, 5, 6};
    for (unsigned k = 0; k < 5; k++) {
        s->absent[numbers[k]] = numbers[k] > 2 && xorshift_below(&randomness, 4) == 0;
        set_block(s, numbers[k], !s->absent[numbers[k]]);
    }
    set_block(s, 9, 0);
    expand(&s->c);
    memset(s->rows, 0, sizeof s->rows);
    s->keep = 0;
    if (xorshift_below(&randomness, 2) == 0) {
        mb_slabs_vinegar_rows(&s->slabs, MB_SLABS_BLOCK(1) | MB_SLABS_BLOCK(2) | (s->o2 != 0 ? MB_SLABS_BLOCK(3) : 0));
        mb_slabs_o1_rows(&s->slabs, MB_SLABS_BLOCK(5) | (s->o2 != 0 ? MB_SLABS_BLOCK(6) : 0));
    } else {
        const int made = s->o2 != 0 && mb_slabs_blocks_3_5_6(&s->slabs);
        for (unsigned k = 0; k < (made ? 2 : 5); k++) {
            if (s->o2 != 0 || (numbers[k] != 3 && numbers[k] != 6)) {
                (numbers[k] <= 3 ? mb_slabs_vinegar_rows : mb_slabs_o1_rows)(&s->slabs, MB_SLABS_BLOCK(numbers[k]));
            }
        }
    }
    mb_slabs_o2_rows(&s->slabs);
    assert_int_equal(s->rows[1], s->v);
    assert_int_equal(s->rows[5], s->o1);
    assert_int_equal(s->rows[6], s->o2 != 0 ? s->o1 : 0);
    assert_int_equal(s->rows[9], s->o2);
}

/* From blocks 1 and 2 alone, the blocks 3, 5, 6 and 9 that the change of variables makes 0. */
static void check_undone(slabs_case *s)
{
    s->keep = 1;
    memset(s->rows, 0, sizeof s->rows);
    for (unsigned number = 1; number < BLOCKS_LEN; number++) {
        if (number != 4 && number < 7) {
            set_block(s, number, number <= 2);
            s->absent[number] = number > 2;
        }
    }
    set_block(s, 9, 0);
    mb_slabs_vinegar_rows(&s->slabs, MB_SLABS_BLOCK(3));
    mb_slabs_o1_rows(&s->slabs, MB_SLABS_BLOCK(5));
    s->absent[5] = 0;
    mb_slabs_o1_rows_undone(&s->slabs);
    mb_slabs_o2_rows(&s->slabs);
    expand(&s->c);
    for (size_t i = 0; i < s->v + s->o1; i++) {
        const size_t from = i < s->v ? s->v + s->o1 : i;
        for (size_t j = from; j < s->c.form.n; j++) {
            for (size_t k = 0; k < s->c.form.bytes; k++) {
                assert_int_equal(s->c.expected[s->c.form.bytes * mb_triangle_index(s->c.form.n, i, j) + k], 0);
            }
        }
    }
    for (size_t k = s->c.form.bytes * mb_triangle_index(s->c.form.n, s->v + s->o1, s->v + s->o1);
         k < mb_form_bytes(&s->c.form); k++) {
        assert_int_equal(s->c.expected[k], 0);
    }
}

static void slabs(void **state)
{
    static slabs_case s;
    (void)state;
    for (naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
        for (unsigned round = 0; round < 60; round++) {
            const int with_o2 = round % 4 != 0;
            guard form, memory;
            workshop w;
            s.c.f = f;
            choose_groups(&s, with_o2);
            open_workshop(&w, f, FIRST_GROUP_MOST);
            s.slabs.work = &w.work;
            const size_t longest = s.c.form.bytes + xorshift_below(&randomness, 3);
            const size_t rows_bytes = between(1, 4000), sums_bytes = between(1, 3000);
            mb_arena measuring = {NULL, 0};
            mb_slabs_take(&s.slabs, &measuring, longest, rows_bytes, sums_bytes);
            mb_arena arena = take_arena(&memory, measuring.used);
            mb_slabs_take(&s.slabs, &arena, longest, rows_bytes, sums_bytes);
            form = guard_take(mb_form_bytes(&s.c.form));
            s.c.form.coefficients = guard_last(&form, mb_form_bytes(&s.c.form));
            check_transform(&s);
            if (with_o2) {
                check_undone(&s);
            }
            release(&form);
            release(&memory);
            release(&w.memory);
        }
    }
}

static void triangle_index(void **state)
{
    (void)state;
    for (size_t n = 1; n < 30; n++) {
        size_t place = 0;
        for (size_t i = 0; i < n; i++) {
            for (size_t j = i; j < n; j++) {
                assert_int_equal(mb_triangle_index(n, i, j), place++);
            }
        }
        assert_int_equal(mb_block_monomials(mb_block_triangle(3, n)), place);
        assert_int_equal(mb_block_monomials(mb_block_rectangle(0, n, n, 7)), 7 * n);
    }
}

int main(int argc, char **argv)
{
    randomness = xorshift_start(argc, argv);
    naive_start();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangle_index),   cmocka_unit_test(public_map),         cmocka_unit_test(seeded_keys),
        cmocka_unit_test(evaluate_triangles),
        cmocka_unit_test(evaluate_polar),   cmocka_unit_test(evaluate_rectangle), cmocka_unit_test(workspace_products),
        cmocka_unit_test(substitute_as_schemes_do),
        cmocka_unit_test(substitute_keeps_the_rest),
        cmocka_unit_test(slabs),
    };
    return cmocka_run_group_tests_name("quadratic", tests, NULL, NULL);
}
