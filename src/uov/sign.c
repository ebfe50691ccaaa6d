/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Signing [UOV3 §8]: vinegars by hashing until the linear system for the oils is regular. Salt, whether an attempt failed, and
 * the signature leave the secret world (mb_declassify); memory is wiped by the caller, who owns it. */
#include "uov/sign.h"

#include "platform/declassify.h"
#include "platform/machine_word.h"
#include "platform/wipe.h"
#include "quadratic/evaluate.h"
#include "scheme/draws.h"
#include "scheme/random.h"
#include "uov/expand.h"

#include <string.h>

/* Scalars prepared and key stream generated at a time. */
enum { CAPACITY_FAST = 512, CAPACITY_SMALL = 32, ROW_BYTES_SMALL = 1024 };

typedef struct state {
    const mb_uov_set *set;
    mb_uov_secret_format format;
    mb_workspace work;
    const mb_solver *solver;
    mb_shake256 message;
    uint8_t salt[MB_UOV_SALT_BYTES];
    const uint8_t *secret_seed;
    uint8_t last_vinegars[MB_DRAW_CHECKED_LEN]; /* of the attempt before */
    uint8_t *target; /* t, m packed elements, and then t less the vinegars' value */
    uint8_t *packed; /* the vinegars, then the whole signature: n packed elements */
    uint8_t *x;      /* vinegars and oils, one element a byte */
    uint8_t *matrix; /* L, column by column */
    void *factors;

    /* Stored keys. */
    const uint8_t *o, *p1, *s;

    /* Seeded keys. */
    uint8_t public_seed[MB_UOV_PUBLIC_SEED_BYTES];
    mb_shake256 o_start;  /* at the first byte of O */
    mb_shake256 o_stream; /* somewhere in O */
    uint8_t *o_column;
    uint8_t *o_whole; /* or all of it, where there is memory */
    uint8_t *linear; /* w of [UOV3 §8] "without S": v coefficient vectors */
    mb_ctr stream;
    mb_row_stream rows;
} state;

static void take_workspace(state *s, mb_arena *arena, moonbow_mode mode)
{
    const size_t n = s->set->n;
    if (mode != MOONBOW_SMALL) {
        mb_workspace_init(&s->work, arena, s->set->field, n < CAPACITY_FAST ? CAPACITY_FAST : n, CAPACITY_FAST);
    } else {
        mb_workspace_init(&s->work, arena, s->set->field, n, CAPACITY_SMALL);
    }
}

/* Places everything behind the state itself, which is the arena's first piece. */
static void lay_out(state *s, mb_arena *arena, const moonbow_signer *signer, moonbow_mode mode)
{
    const mb_uov_set *set = signer->set;
    const mb_uov_shapes is = mb_uov_measure(set);
    mb_arena_take(arena, sizeof *s);
    memset(s, 0, sizeof *s);
    s->set = set;
    s->format = *(const mb_uov_secret_format *)signer->format;
    s->solver = signer->solver(mode == MOONBOW_SMALL);
    take_workspace(s, arena, mode);
    s->target = mb_arena_take(arena, is.m_bytes);
    s->packed = mb_arena_take(arena, is.n_bytes);
    s->x = mb_arena_take(arena, set->n);
    s->matrix = mb_arena_take(arena, set->m * is.m_bytes);
    s->factors = mb_arena_take(arena, s->solver->factors_bytes(set->field, set->m));
    if (s->format == MB_UOV_SECRET_STORED) {
        mb_workspace_take_point(&s->work, arena, is.v);
    }
    if (s->format == MB_UOV_SECRET_SEEDED) {
        s->o_column = mb_arena_take(arena, is.v_bytes);
        s->o_whole = mode != MOONBOW_SMALL && MB_MACHINE_WORD_BITS == 64 ? mb_arena_take(arena, is.o_bytes) : NULL;
        s->linear = mb_arena_take(arena, is.v * is.m_bytes);
        s->rows.buffer_bytes = mode == MOONBOW_SMALL ? ROW_BYTES_SMALL : 2 * is.v * is.m_bytes;
        s->rows.buffer = mb_arena_take(arena, s->rows.buffer_bytes);
        s->rows.stream = &s->stream;
    }
}

size_t mb_uov_sign_state_bytes(const moonbow_signer *signer, moonbow_mode mode)
{
    mb_arena arena = {NULL, 0};
    state measured;
    lay_out(&measured, &arena, signer, mode);
    return arena.used;
}

int mb_uov_sign_begin(const moonbow_signer *signer, const moonbow_scratch *scratch)
{
    mb_arena arena = mb_arena_over(scratch);
    state *s = scratch->start;
    lay_out(s, &arena, signer, scratch->mode);
    if (mb_arena_check(&arena, scratch) != MOONBOW_OK) {
        return MOONBOW_BAD_SCRATCH;
    }
    mb_shake256_init(&s->message);
    return MOONBOW_OK;
}

void mb_uov_sign_message(void *memory, const uint8_t *piece, size_t bytes)
{
    state *s = memory;
    mb_shake256_absorb(&s->message, piece, bytes);
}

void mb_uov_sign_copy_message(void *memory, const void *from)
{
    state *s = memory;
    s->message = ((const state *)from)->message;
}

/* The columns of O in order, stored or squeezed again. */
static void rewind_o(state *s)
{
    s->o_stream = s->o_start;
}

static const uint8_t *next_o_column(state *s, size_t j)
{
    const size_t v_bytes = mb_uov_measure(s->set).v_bytes;
    if (s->o != NULL) {
        return s->o + j * v_bytes;
    }
    mb_shake256_squeeze(&s->o_stream, s->o_column, v_bytes);
    return s->o_column;
}

static void load_key(state *s, const uint8_t *secret_key)
{
    const mb_uov_shapes is = mb_uov_measure(s->set);
    s->secret_seed = secret_key;
    memset(s->packed, 0, is.v_bytes); /* a draw that is left out shows as zero */
    memset(s->x, 0, s->set->n);
    if (s->format == MB_UOV_SECRET_STORED) {
        s->o = secret_key + MB_UOV_SECRET_SEED_BYTES;
        s->p1 = s->o + is.o_bytes;
        s->s = s->p1 + is.p1_bytes;
    } else {
        mb_uov_expand_secret(s->public_seed, &s->o_start, secret_key);
        s->o = s->o_whole;
        if (s->o_whole != NULL) {
            rewind_o(s);
            mb_shake256_squeeze(&s->o_stream, s->o_whole, is.o_bytes);
        }
    }
}

/* [UOV3 §8.4.1] vin = SHAKE256(M ‖ salt ‖ seed_sk ‖ ctr, B(v)) */
static void hash_vinegars(const state *s, uint8_t *packed, uint8_t counter)
{
    mb_shake256 fork = s->message;
    mb_shake256_absorb(&fork, s->salt, sizeof s->salt);
    mb_shake256_absorb(&fork, s->secret_seed, MB_UOV_SECRET_SEED_BYTES);
    mb_shake256_absorb(&fork, &counter, 1);
    mb_shake256_finish_absorb(&fork);
    mb_shake256_squeeze(&fork, packed, mb_uov_measure(s->set).v_bytes);
    mb_wipe(&fork, sizeof fork);
}

/* Vinegars that missed the secret seed would give a good signature, and the key. So they are hashed twice, the second time into
 * the place of their elements, which is zero before these come: what is left out then shows. */
static int choose_vinegars(state *s, uint8_t counter)
{
    const mb_uov_shapes is = mb_uov_measure(s->set);
    int status;
    hash_vinegars(s, s->packed, counter);
    hash_vinegars(s, s->x, counter);
    status = mb_draw_confirm(s->packed, s->x, is.v_bytes);
    memset(s->x, 0, is.v_bytes);
    mb_field_unpack(s->set->field, s->x, s->packed, is.v);
    return status != MOONBOW_OK ? status : mb_draw_check(s->last_vinegars, s->x, is.v);
}

/* [UOV3 §8.4.2, §8.4.3] value ^= P1(vin), and L: column j is Σ_i vin[i]·S[i, j]. */
static void evaluate_stored(state *s, uint8_t *value)
{
    const mb_uov_shapes is = mb_uov_measure(s->set);
    const mb_triangle p1 = {value, is.m_bytes, s->p1};
    mb_evaluate_triangles(&s->work, &p1, 1, s->x, is.v);
    mb_workspace_matrix_vector(&s->work, s->matrix, s->set->m * is.m_bytes, s->s, s->x, is.v);
}

/* The same without S: column j of L is Σ_i vin[i]·P2[i, j] + Σ_k O[k, j]·w[k]. */
static void evaluate_seeded(state *s, uint8_t *value)
{
    const mb_uov_shapes is = mb_uov_measure(s->set);
    memset(s->linear, 0, is.v * is.m_bytes);
    mb_uov_expand_public(&s->stream, s->public_seed);
    mb_evaluate_polar(&s->work, value, s->linear, is.m_bytes, &s->rows, s->x, is.v);
    mb_evaluate_rectangle(&s->work, s->matrix, NULL, is.m_bytes, &s->rows, s->x, is.v, NULL, s->set->m);
    rewind_o(s);
    for (size_t j = 0; j < s->set->m; j++) {
        mb_workspace_matrix_packed(&s->work, s->matrix + j * is.m_bytes, is.m_bytes, s->linear, next_o_column(s, j),
                                   is.v);
    }
}

/* One attempt [UOV3 §8.4] at the chosen vinegars: leaves the factored system and its right-hand side. 0, or -1 if singular. */
static int attempt(state *s)
{
    const mb_uov_shapes is = mb_uov_measure(s->set);
    int singular;
    mb_uov_target(s->set, s->target, &s->message, s->salt);
    memset(s->matrix, 0, s->set->m * is.m_bytes);
    if (s->format == MB_UOV_SECRET_STORED) {
        evaluate_stored(s, s->target);
    } else {
        evaluate_seeded(s, s->target);
    }
    singular = s->solver->factor(s->set->field, s->matrix, s->factors, s->set->m);
    mb_declassify(&singular, sizeof singular); /* [UOV3 §13]: may be seen */
    return singular;
}

/* [UOV3 §8.5] s = (vin + O·x) ‖ x */
static void add_oils(state *s)
{
    const mb_uov_shapes is = mb_uov_measure(s->set);
    const uint8_t *oil = s->x + is.v;
    mb_field_pack(s->set->field, s->packed + is.v_bytes, oil, s->set->m);
    if (s->o != NULL) {
        mb_workspace_matrix_vector(&s->work, s->packed, is.v_bytes, s->o, oil, s->set->m);
        return;
    }
    rewind_o(s);
    for (size_t j = 0; j < s->set->m; j++) {
        mb_workspace_add_scaled(&s->work, s->packed, is.v_bytes, next_o_column(s, j), oil[j]);
    }
}

int mb_uov_sign_finish(void *memory, uint8_t *signature, const uint8_t *secret_key, const moonbow_random *random)
{
    state *s = memory;
    const mb_uov_shapes is = mb_uov_measure(s->set);
    uint8_t no_salt[MB_DRAW_CHECKED_LEN] = {0};
    unsigned counter = 0;
    load_key(s, secret_key);
    if (mb_random_fill(random, s->salt, sizeof s->salt) != 0) {
        return MOONBOW_NO_RANDOM;
    }
    mb_declassify(s->salt, sizeof s->salt); /* [UOV3 §8]: part of the signature */
    if (mb_draw_check(no_salt, s->salt, sizeof s->salt) != MOONBOW_OK) {
        return MOONBOW_NO_RANDOM; /* a source that answers with a constant has failed without saying so */
    }
    do {
        if (counter == MB_UOV_ATTEMPTS) {
            return MOONBOW_NO_SIGNATURE;
        }
        if (choose_vinegars(s, (uint8_t)counter++) != MOONBOW_OK) {
            return MOONBOW_FAULT;
        }
    } while (attempt(s) != 0);
    s->solver->solve(s->set->field, s->x + is.v, s->target, s->matrix, s->factors, s->set->m);
    add_oils(s);
    mb_declassify(s->packed, is.n_bytes); /* the signature */
    memcpy(signature, s->packed, is.n_bytes);
    memcpy(signature + is.n_bytes, s->salt, sizeof s->salt);
    return MOONBOW_OK;
}
