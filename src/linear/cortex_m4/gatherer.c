/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Verification's inner loop on Cortex-M4: vectors go into buckets by their scalar, which are weighed at the end. Over GF(16) there
 * is a bucket for each power of a primitive element, over GF(256) one for each value, or in small mode for each nibble. Variable
 * time: public data only. */
#include "field/word.h"
#include "linear/cortex_m4/cortex_m4.h"
#include "linear/cortex_m4/words.h"
#include "platform/arena.h"

#include <string.h>

enum { POWERS = 15, VALUE_BUCKETS = 256, NIBBLE_BUCKETS = 32, CLASS_VECTOR_BYTES = 32 };

/* Fewer rows than this are not worth sorting. */
enum { CLASS_ROWS_LEAST = 16, SORTED_ROWS_LEAST = 3 };

typedef struct state {
    const uint8_t *x;
    uint8_t power[POWERS + 1]; /* GF(16): of a primitive element, which `times_primitive` multiplies by */
    uint8_t logarithm[16];     /* POWERS for 0 */
} state;

typedef struct layout {
    state *state;
    size_t stride; /* of the buckets */
    uint8_t *buckets;
    size_t buckets_len;
    /* Fast mode over GF(16), for many rows: all variables by their value. */
    mb_m4_class *classes;
    mb_m4_row *rows;
    uint32_t *columns;
    uint8_t *sorted; /* the same in small mode, for some rows: columns by their value, each value's with an end */
} layout;

/* gather_classes.S serves these. */
static int has_classes(const mb_gathering *g)
{
    return g->field->bits == 4 && !g->small && g->width == CLASS_VECTOR_BYTES;
}

/* gather_sorted.S serves these. */
static int is_sorted(const mb_gathering *g)
{
    return g->field->bits == 4 && g->small && g->width == CLASS_VECTOR_BYTES && g->n + POWERS < MB_M4_NO_COLUMN;
}

static layout lay_out(const mb_gathering *g, mb_arena *arena)
{
    layout at = {0};
    const size_t unit = g->field->bits == 8 && !g->small ? 16 : 8;
    at.stride = (g->width + unit - 1) / unit * unit;
    at.buckets_len = g->field->bits == 4 ? POWERS : g->small ? NIBBLE_BUCKETS : VALUE_BUCKETS;
    at.state = mb_arena_take(arena, sizeof(state));
    at.buckets = mb_arena_take(arena, at.buckets_len * at.stride);
    if (has_classes(g)) {
        at.classes = mb_arena_take(arena, POWERS * sizeof *at.classes);
        at.rows = mb_arena_take(arena, (g->n + POWERS) * sizeof *at.rows);
        at.columns = mb_arena_take(arena, (g->n + MB_M4_COLUMNS_MOST) * sizeof *at.columns);
    }
    if (is_sorted(g)) {
        at.sorted = mb_arena_take(arena, g->n + POWERS);
    }
    return at;
}

static layout find(const mb_gathering *g)
{
    mb_arena arena = {g->memory, 0};
    return lay_out(g, &arena);
}

static size_t memory_bytes(const mb_gathering *g)
{
    mb_arena arena = {NULL, 0};
    lay_out(g, &arena);
    return arena.used;
}

/* Times y in the tower basis, times x in the polynomial one, but times x + 1 where x⁵ = 1. */
static MB_ALWAYS_INLINE uint32_t times_primitive(mb_field field, uint32_t word)
{
    if (field.basis == MB_BASIS_TOWER) {
        return mb_m4_tower_y(word);
    }
    if (field.modulus == 0x3) {
        return mb_m4_polynomial_x(4, word);
    }
    return (uint32_t)mb_word_polynomial_x(field, word) ^ (field.modulus == 0xf ? word : 0);
}

static void take_logarithms(const mb_field *field, state *s)
{
    uint32_t power = 1;
    s->logarithm[0] = POWERS; /* no power */
    for (unsigned i = 0; i < POWERS; i++) {
        s->power[i] = (uint8_t)power;
        s->logarithm[power] = (uint8_t)i;
        power = times_primitive(*field, power);
    }
}

/* Clears the buckets. */
static layout begin(const mb_gathering *g, const uint8_t *x)
{
    const layout at = find(g);
    at.state->x = x;
    memset(at.buckets, 0, at.buckets_len * at.stride);
    return at;
}

static void begin_16(const mb_gathering *g, const uint8_t *x)
{
    take_logarithms(g->field, begin(g, x).state);
}

static void begin_256(const mb_gathering *g, const uint8_t *x)
{
    begin(g, x);
}

/* a ^= vector. */
static void add_to(uint8_t *a, const uint8_t *vector, size_t bytes)
{
    size_t i = 0;
    for (; i + 4 <= bytes; i += 4) {
        uint32_t word, sum;
        memcpy(&word, vector + i, 4);
        memcpy(&sum, a + i, 4);
        sum ^= word;
        memcpy(a + i, &sum, 4);
    }
    for (; i < bytes; i++) {
        a[i] ^= vector[i];
    }
}

static int aligned(const uint8_t *at, size_t bytes, size_t unit)
{
    return (uintptr_t)at % 4 == 0 && bytes % unit == 0;
}

/* Over GF(16): the buckets that the elements of the row stand for. */
static void gather_row_16(const layout *at, size_t first, size_t bytes, const uint8_t *vectors, uint8_t x_i,
                          const uint8_t *x, size_t count)
{
    uint8_t *bucket[16] = {NULL};
    unsigned sum = at->state->logarithm[x_i];
    for (unsigned i = 0; i < POWERS; i++) {
        bucket[at->state->power[i]] = at->buckets + sum * at->stride + first;
        sum = sum == POWERS - 1 ? 0 : sum + 1;
    }
    if (aligned(vectors, bytes, 16) && first % 4 == 0) {
        mb_m4_gather_row_vartime(bucket, vectors, bytes / 16, x, count);
        return;
    }
    for (size_t c = 0; c < count; c++, vectors += bytes) {
        if (x[c] != 0) {
            add_to(bucket[x[c]], vectors, bytes);
        }
    }
}

/* 16 bytes: the sums of the four products that the bits of a nibble stand for. */
static void write_sums(uint8_t out[16], const uint32_t product[4])
{
    uint32_t words[4];
    words[0] = product[0] << 8 | product[1] << 16 | (product[0] ^ product[1]) << 24;
    words[1] = words[0] ^ product[2] * 0x01010101u;
    words[2] = words[0] ^ product[3] * 0x01010101u;
    words[3] = words[1] ^ product[3] * 0x01010101u;
    memcpy(out, words, sizeof words);
}

/* The products of s with every low nibble and with every high nibble, as mb_field_nibble_products. */
static MB_ALWAYS_INLINE void nibble_products(mb_field field, uint8_t low[16], uint8_t high[16], uint8_t s)
{
    uint32_t basis[8];
    mb_m4_spread(field, basis, s);
    write_sums(low, basis);
    write_sums(high, basis + 4);
}

/* Over GF(256), whatever the vectors' length and the buckets' alignment. */
static void gather_anywhere(const mb_m4_values *to, const uint8_t *vectors, const uint8_t *x, size_t count, int small)
{
    for (size_t c = 0; c < count; c++) {
        const unsigned product = to->low[x[c] & 15] ^ to->high[x[c] >> 4];
        const uint8_t *vector = vectors + c * to->bytes;
        if (!small) {
            add_to(to->buckets + product * to->stride, vector, to->bytes);
            continue;
        }
        uint8_t *a = to->buckets + (product & 15) * to->stride, *b = to->buckets + (16 + (product >> 4)) * to->stride;
        for (size_t i = 0; i < to->bytes; i++) { /* both at once: each byte of the vector is read once */
            const uint8_t byte = vector[i];
            a[i] ^= byte;
            b[i] ^= byte;
        }
    }
}

static void gather_row_256(const mb_gathering *g, const layout *at, size_t first, size_t bytes, const uint8_t *vectors,
                           uint8_t x_i, const uint8_t *x, size_t count)
{
    mb_m4_values to = {.buckets = at->buckets + first, .stride = at->stride, .bytes = bytes};
    if (mb_m4_has_kernels(g->field)) {
        MB_M4_DISPATCH_256(g->field, nibble_products, to.low, to.high, x_i);
    } else {
        mb_field_nibble_products(g->field, to.low, to.high, x_i);
    }
    if (first % 4 != 0 || bytes % 4 > 1 || bytes / 16 > MB_M4_GROUPS_MOST) {
        gather_anywhere(&to, vectors, x, count, g->small);
    } else if (g->small) {
        mb_m4_gather_nibbles_vartime(&to, vectors, x, count);
    } else {
        mb_m4_gather_values_vartime(&to, vectors, x, count);
    }
}

/* How many of the `count` variables from `first` on each class has; returns the most. */
static unsigned count_classes(const state *s, size_t first, size_t count, uint8_t lens[POWERS + 1])
{
    const uint8_t *x = s->x + first;
    unsigned most = 0;
    memset(lens, 0, POWERS + 1);
    for (size_t i = 0; i < count; i++) {
        lens[s->logarithm[x[i]]]++; /* 0 counts as one class more */
    }
    for (unsigned u = 0; u < POWERS; u++) {
        most = lens[u] > most ? lens[u] : most;
    }
    return most;
}

/* Columns by their value, each value's in descending order. */
static void sort_columns(const layout *at, size_t first, size_t end, uint8_t starts[POWERS], uint8_t ends[POWERS])
{
    const state *s = at->state;
    uint8_t lens[POWERS + 1];
    unsigned start = 0;
    count_classes(s, first, end - first, lens);
    for (unsigned u = 0; u < POWERS; u++) {
        starts[u] = ends[u] = (uint8_t)start;
        start += lens[u] + 1u;
        at->sorted[start - 1] = MB_M4_NO_COLUMN;
    }
    for (size_t j = end; j-- > first;) {
        const unsigned u = s->logarithm[s->x[j]];
        if (u != POWERS) {
            at->sorted[ends[u]++] = (uint8_t)j;
        }
    }
}

/* Some rows in small mode, if there is a way for these; returns 0, or -1 with nothing done. */
static int gather_sorted(const mb_gathering *g, const layout *at, size_t first, size_t bytes, const uint8_t *vectors,
                         const mb_monomials *m)
{
    const state *s = at->state;
    uint8_t starts[POWERS], ends[POWERS];
    if (!is_sorted(g) || m->rows < SORTED_ROWS_LEAST || first != 0 || !aligned(vectors, bytes, CLASS_VECTOR_BYTES)) {
        return -1;
    }
    sort_columns(at, m->j, m->end, starts, ends);
    for (size_t r = 0, j = m->j; r < m->rows; r++) {
        const unsigned u = s->logarithm[s->x[m->i + r]], w = s->logarithm[s->x[j]];
        if (u != POWERS) {
            const uintptr_t row = (uintptr_t)vectors - CLASS_VECTOR_BYTES * j;
            mb_m4_gather_sorted_vartime(at->buckets, u, (const uint8_t *)row, at->sorted, starts);
        }
        vectors += CLASS_VECTOR_BYTES * (m->end - j);
        if (m->shrink != 0) { /* the next row begins behind this column, which is the last one of its value */
            if (w != POWERS) {
                at->sorted[--ends[w]] = MB_M4_NO_COLUMN;
            }
            j++;
        }
    }
    return 0;
}

/* How gather_classes.S finds the code for so many vectors, one more than `entry` says. */
static int8_t one_more(int8_t entry)
{
    return (int8_t)(entry == 0 ? -5 : entry - 3);
}

/* A place for each class, and what the next row sees of the columns. */
typedef struct filling {
    mb_m4_row *row[POWERS];
    uint32_t *column[POWERS];
    mb_m4_row seen;
} filling;

static inline void add_column(filling *f, unsigned w, size_t j)
{
    *f->column[w]++ = (uint32_t)(CLASS_VECTOR_BYTES * j);
    f->seen.entry[w] = one_more(f->seen.entry[w]);
}

/* The row's vector in column 0 would lie at `base`. */
static inline void add_row(filling *f, unsigned u, uintptr_t base)
{
    f->seen.base = base;
    *--f->row[u] = f->seen;
}

static void begin_classes(const layout *at, filling *f, const uint8_t rows[POWERS], const uint8_t columns[POWERS])
{
    mb_m4_row *row = at->rows;
    uint32_t *column = at->columns;
    memset(&f->seen, 0, sizeof f->seen);
    for (unsigned u = 0; u < POWERS; u++) {
        at->classes[u] = (mb_m4_class){row, column, columns[u]};
        f->column[u] = column;
        f->row[u] = row + rows[u];
        *f->row[u] = f->seen; /* after the last row of the class: one without columns */
        row += rows[u] + 1u;
        column += columns[u];
    }
}

/* Whether rows and columns are of the same variables. */
static int is_square(const mb_monomials *m)
{
    return m->i == m->j && m->rows == m->end - m->j && m->shrink == 1;
}

/* From the last row to the first, as each sees the columns at or after it; `end` is the end of the vectors. */
static void fill_classes(filling *f, const state *s, const mb_monomials *m, uintptr_t end)
{
    for (size_t r = m->rows, j = m->end; r-- > 0;) {
        const size_t start = m->j + r * m->shrink;
        const unsigned u = s->logarithm[s->x[m->i + r]];
        for (; j > start; j--) {
            const unsigned w = s->logarithm[s->x[j - 1]];
            if (w != POWERS) {
                add_column(f, w, j - 1);
            }
        }
        end -= CLASS_VECTOR_BYTES * (m->end - start);
        if (u != POWERS) {
            add_row(f, u, end - CLASS_VECTOR_BYTES * start);
        }
    }
}

/* The same for a square one. */
static void fill_square(filling *f, const state *s, const mb_monomials *m, uintptr_t end)
{
    uintptr_t base = end - CLASS_VECTOR_BYTES * m->end;
    for (size_t j = m->end; j-- > m->j;) {
        const unsigned u = s->logarithm[s->x[j]];
        if (u != POWERS) {
            add_column(f, u, j);
            add_row(f, u, base);
        }
        base -= CLASS_VECTOR_BYTES * (m->end - j);
    }
}

/* Many rows at once, if there is a way for these; returns 0, or -1 with nothing done. */
static int gather_by_classes(const mb_gathering *g, const layout *at, size_t first, size_t bytes, const uint8_t *vectors,
                             const mb_monomials *monomials)
{
    const size_t vectors_len = monomials->rows * (monomials->end - monomials->j) -
                               monomials->shrink * (monomials->rows * (monomials->rows - 1) / 2);
    const uintptr_t end = (uintptr_t)vectors + CLASS_VECTOR_BYTES * vectors_len;
    uint8_t rows[POWERS + 1], columns[POWERS + 1];
    filling f;
    if (!has_classes(g) || monomials->rows < CLASS_ROWS_LEAST || first != 0 ||
        !aligned(vectors, bytes, CLASS_VECTOR_BYTES) || g->n > UINT8_MAX ||
        count_classes(at->state, monomials->j, monomials->end - monomials->j, columns) > MB_M4_COLUMNS_MOST) {
        return -1;
    }
    if (is_square(monomials)) {
        begin_classes(at, &f, columns, columns);
        fill_square(&f, at->state, monomials, end);
    } else {
        count_classes(at->state, monomials->i, monomials->rows, rows);
        begin_classes(at, &f, rows, columns);
        fill_classes(&f, at->state, monomials, end);
    }
    mb_m4_gather_classes_vartime(at->classes, at->buckets);
    return 0;
}

static void gather_16(const mb_gathering *g, size_t first, size_t bytes, const uint8_t *vectors, const mb_monomials *monomials)
{
    const layout at = find(g);
    if (gather_by_classes(g, &at, first, bytes, vectors, monomials) == 0 ||
        gather_sorted(g, &at, first, bytes, vectors, monomials) == 0) {
        return;
    }
    for (size_t row = 0; row < monomials->rows; row++) {
        const size_t j = monomials->j + row * monomials->shrink, count = monomials->end - j;
        const uint8_t x_i = at.state->x[monomials->i + row];
        if (x_i != 0) {
            gather_row_16(&at, first, bytes, vectors, x_i, at.state->x + j, count);
        }
        vectors += count * bytes;
    }
}

static void gather_256(const mb_gathering *g, size_t first, size_t bytes, const uint8_t *vectors, const mb_monomials *monomials)
{
    const layout at = find(g);
    for (size_t row = 0; row < monomials->rows; row++) {
        const size_t j = monomials->j + row * monomials->shrink, count = monomials->end - j;
        const uint8_t x_i = at.state->x[monomials->i + row];
        if (x_i != 0) {
            gather_row_256(g, &at, first, bytes, vectors, x_i, at.state->x + j, count);
        }
        vectors += count * bytes;
    }
}

/* Over GF(16), by Horner's rule from the bucket of the highest power on. */
static MB_ALWAYS_INLINE uint32_t weigh_powers(mb_field field, const uint8_t *bucket, size_t stride)
{
    uint32_t sum = 0;
    bucket += POWERS * stride;
    for (unsigned b = 0; b < POWERS; b++) {
        bucket -= stride;
        sum = times_primitive(field, sum) ^ mb_m4_load(bucket);
    }
    return sum;
}

/* 8 bytes of the sum. */
static uint64_t collect_powers(const mb_field *field, const uint8_t *bucket, size_t stride)
{
    if (field->basis == MB_BASIS_TOWER) {
        const mb_field tower = {4, MB_BASIS_TOWER, 0};
        return (uint64_t)weigh_powers(tower, bucket + 4, stride) << 32 | weigh_powers(tower, bucket, stride);
    }
    return (uint64_t)weigh_powers(*field, bucket + 4, stride) << 32 | weigh_powers(*field, bucket, stride);
}

/* Over GF(256), one bucket a value: plane k, the sum of the buckets whose value has bit k, comes to bucket 2^k. From the highest bit on, which is
 * then dropped from the values. */
static void fold_values(uint8_t *buckets, size_t stride)
{
    uint8_t *bucket[16] = {NULL}, ones[VALUE_BUCKETS / 2];
    memset(ones, 1, sizeof ones);
    for (size_t half = VALUE_BUCKETS / 2; half > 1; half /= 2) {
        uint8_t *const plane = buckets + half * stride;
        bucket[1] = buckets + stride;
        mb_m4_gather_row_vartime(bucket, plane + stride, (half - 1) * stride / 16, ones, 1);
        bucket[1] = plane;
        mb_m4_gather_row_vartime(bucket, plane + stride, stride / 16, ones, half - 1);
    }
}

/* Over GF(256), 8 bytes of the sum: the planes weighed. */
static uint64_t join_planes(const mb_field *field, const uint8_t *bucket, size_t stride)
{
    uint64_t plane[8];
    for (unsigned k = 0; k < 8; k++) {
        memcpy(&plane[k], bucket + ((size_t)1 << k) * stride, 8);
    }
    return mb_word_recombine(*field, plane);
}

/* The same from a bucket for each nibble: plane k is the sum of those whose nibble has its bit. */
static uint64_t join_nibbles(const mb_field *field, const uint8_t *bucket, size_t stride)
{
    uint64_t plane[8] = {0}, word;
    for (unsigned b = 0; b < NIBBLE_BUCKETS; b++) {
        memcpy(&word, bucket + b * stride, 8);
        for (unsigned k = b < 16 ? 0 : 4, nibble = b % 16; nibble != 0; k++, nibble >>= 1) {
            plane[k] ^= (nibble & 1) != 0 ? word : 0;
        }
    }
    return mb_word_recombine(*field, plane);
}

/* The sum at 8 bytes of the buckets. */
typedef uint64_t collector(const mb_field *field, const uint8_t *bucket, size_t stride);

static void collect(const mb_gathering *g, const layout *at, collector *part, uint8_t *out)
{
    for (size_t i = 0; i < g->width; i += 8) {
        const uint64_t sum = part(g->field, at->buckets + i, at->stride);
        memcpy(out + i, &sum, g->width - i < 8 ? g->width - i : 8);
    }
}

static void collect_16(const mb_gathering *g, uint8_t *out)
{
    const layout at = find(g);
    collect(g, &at, collect_powers, out);
}

static void collect_256(const mb_gathering *g, uint8_t *out)
{
    const layout at = find(g);
    if (g->small) {
        collect(g, &at, join_nibbles, out);
    } else {
        fold_values(at.buckets, at.stride);
        collect(g, &at, join_planes, out);
    }
}

const mb_gatherer mb_m4_gatherer_16 = {"cortex-m4", 0, memory_bytes, begin_16, gather_16, collect_16, NULL};
const mb_gatherer mb_m4_gatherer_256 = {"cortex-m4", 0, memory_bytes, begin_256, gather_256, collect_256, NULL};
