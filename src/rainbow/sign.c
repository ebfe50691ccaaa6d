/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Signing [RB3 §6]: vinegars until layer 1 is regular, salts until layer 2 is. Deterministic. Whether an attempt failed, and
 * the signature, leave the secret world (mb_declassify); memory is wiped by the caller, who owns it. */
#include "rainbow/sign.h"

#include "platform/declassify.h"
#include "platform/wipe.h"
#include "rainbow/expand.h"
#include "rainbow/layers.h"
#include "scheme/draws.h"

#include <string.h>

/* Scalars that are prepared at a time. */
enum { CAPACITY_FAST = 512, CAPACITY_SMALL = 32 };

static void take_workspace(mb_rainbow_signing *s, mb_arena *arena, moonbow_mode mode)
{
    const size_t n = mb_rainbow_n(s->set);
    if (mode != MOONBOW_SMALL) {
        mb_workspace_init(&s->work, arena, s->set->field, n < CAPACITY_FAST ? CAPACITY_FAST : n, CAPACITY_FAST);
    } else {
        mb_workspace_init(&s->work, arena, s->set->field, n, CAPACITY_SMALL);
    }
}

static void take_layer(mb_rainbow_signing *s, mb_rainbow_layer *layer, mb_arena *arena, size_t o)
{
    const size_t column_bytes = mb_field_bytes(s->set->field, o);
    layer->constant = mb_arena_take(arena, column_bytes);
    layer->matrix = mb_arena_take(arena, o * column_bytes);
    layer->factors = mb_arena_take(arena, s->solver->factors_bytes(s->set->field, o));
}

/* Places everything behind the state itself, which is the arena's first piece. */
static void lay_out(mb_rainbow_signing *s, mb_arena *arena, const moonbow_signer *signer,
                    moonbow_mode mode)
{
    const mb_rainbow_set *set = signer->set;
    const mb_rainbow_shapes is = mb_rainbow_measure(set);
    mb_arena_take(arena, sizeof *s);
    memset(s, 0, sizeof *s);
    s->set = set;
    s->format = signer->format;
    s->solver = signer->solver(mode == MOONBOW_SMALL);
    take_workspace(s, arena, mode);
    s->hash_context = mb_arena_take(arena, set->hash->context_bytes);
    s->digest = mb_arena_take(arena, set->hash->digest_bytes);
    s->seed = mb_arena_take(arena, set->hash->digest_bytes);
    s->x = mb_arena_take(arena, mb_rainbow_n(set));
    s->w = mb_arena_take(arena, is.n_bytes);
    s->y = mb_arena_take(arena, is.m_bytes);
    take_layer(s, &s->layer[0], arena, set->o1);
    take_layer(s, &s->layer[1], arena, set->o2);
    s->format->take(s, arena, mode);
}

size_t mb_rainbow_sign_state_bytes(const moonbow_signer *signer, moonbow_mode mode)
{
    mb_arena arena = {NULL, 0};
    mb_rainbow_signing measured;
    lay_out(&measured, &arena, signer, mode);
    return arena.used;
}

int mb_rainbow_sign_begin(const moonbow_signer *signer, const moonbow_scratch *scratch)
{
    mb_arena arena = mb_arena_over(scratch);
    mb_rainbow_signing *s = scratch->start;
    lay_out(s, &arena, signer, scratch->mode);
    if (mb_arena_check(&arena, scratch) != MOONBOW_OK) {
        return MOONBOW_BAD_SCRATCH;
    }
    s->set->hash->init(s->hash_context);
    return MOONBOW_OK;
}

void mb_rainbow_sign_message(void *memory, const uint8_t *piece, size_t bytes)
{
    mb_rainbow_signing *s = memory;
    s->set->hash->update(s->hash_context, piece, bytes);
}

void mb_rainbow_sign_copy_message(void *memory, const void *from)
{
    mb_rainbow_signing *s = memory;
    memcpy(s->hash_context, ((const mb_rainbow_signing *)from)->hash_context, s->set->hash->context_bytes);
}

/* d = H(message); the generator of this signature is PRNG(H(sk_seed ‖ d)) [RB3 §6.1]. */
static void seed_generator(mb_rainbow_signing *s, mb_drbg *drbg)
{
    const mb_hash *hash = s->set->hash;
    hash->init(s->hash_context);
    hash->update(s->hash_context, s->sk_seed, MB_RAINBOW_SEED_BYTES);
    hash->update(s->hash_context, s->digest, hash->digest_bytes);
    hash->finish(s->hash_context, s->seed);
    mb_rainbow_prng(s->set, drbg, s->seed, hash->digest_bytes, s->hash_context);
}

/* Vinegars from a generator that missed the secret seed would give a good signature, and the key: so it is seeded twice. */
static int start_generator(mb_rainbow_signing *s)
{
    mb_drbg again;
    int status;
    memset(&s->drbg, 0, sizeof s->drbg);
    seed_generator(s, &s->drbg);
    seed_generator(s, &again);
    status = mb_draw_confirm(&s->drbg, &again, sizeof again);
    mb_drbg_wipe(&again);
    return status;
}

/* One attempt at layer `index`, its constant and matrix evaluated: 0, or -1 when it is singular. */
static int factor_layer(mb_rainbow_signing *s, size_t index, size_t o)
{
    mb_rainbow_layer *layer = &s->layer[index];
    int singular = s->solver->factor(s->set->field, layer->matrix, layer->factors, o);
    /* [RB3 §6]: attempts are public; they say nothing of the vinegars that are kept. */
    mb_declassify(&singular, sizeof singular);
    return singular;
}

static void clear_layer(mb_rainbow_layer *layer, size_t o, size_t column_bytes)
{
    memset(layer->constant, 0, column_bytes);
    memset(layer->matrix, 0, o * column_bytes);
}

/* [RB3 §6.2] Draws vinegars until layer 1 is regular; counts the attempts. */
static int choose_vinegars(mb_rainbow_signing *s, unsigned *attempts)
{
    const mb_rainbow_shapes is = mb_rainbow_measure(s->set);
    uint8_t last[MB_DRAW_CHECKED_LEN] = {0};
    int status = MOONBOW_OK, singular;
    memset(s->w, 0, is.v1_bytes); /* a draw that is left out shows as zero */
    memset(s->x, 0, s->set->v1);
    do {
        if (*attempts == MB_RAINBOW_ATTEMPTS) {
            status = MOONBOW_NO_SIGNATURE;
            break;
        }
        mb_drbg_draw(&s->drbg, s->w, is.v1_bytes);
        mb_field_unpack(s->set->field, s->x, s->w, s->set->v1);
        status = mb_draw_check(last, s->x, s->set->v1);
        if (status != MOONBOW_OK) {
            break;
        }
        clear_layer(&s->layer[0], s->set->o1, is.o1_bytes);
        s->format->layer_1(s);
        singular = factor_layer(s, 0, s->set->o1);
        ++*attempts;
    } while (singular != 0);
    if (status == MOONBOW_OK && s->format->constant_1 != NULL) {
        s->format->constant_1(s);
    }
    mb_wipe(last, sizeof last);
    return status;
}

/* The layer's variables: matrix·x = target - constant. `target` is overwritten. */
static void solve_layer(mb_rainbow_signing *s, size_t index, uint8_t *x, uint8_t *target, size_t o)
{
    const mb_rainbow_layer *layer = &s->layer[index];
    const size_t column_bytes = mb_field_bytes(s->set->field, o);
    for (size_t i = 0; i < column_bytes; i++) {
        target[i] ^= layer->constant[i];
    }
    s->solver->solve(s->set->field, x, target, layer->matrix, layer->factors, o);
}

/* [RB3 §6.3] Draws salts until layer 2 is regular, and solves both layers. */
static int choose_salt(mb_rainbow_signing *s, unsigned *attempts)
{
    const mb_rainbow_shapes is = mb_rainbow_measure(s->set);
    const size_t v1 = s->set->v1, o1 = s->set->o1, o2 = s->set->o2;
    uint8_t last[MB_DRAW_CHECKED_LEN] = {0};
    int singular;
    memset(s->salt, 0, sizeof s->salt);
    do {
        if (*attempts == MB_RAINBOW_ATTEMPTS) {
            return MOONBOW_NO_SIGNATURE;
        }
        mb_drbg_draw(&s->drbg, s->salt, sizeof s->salt);
        if (mb_draw_check(last, s->salt, sizeof s->salt) != MOONBOW_OK) {
            return MOONBOW_FAULT;
        }
        mb_rainbow_target(s->set, s->y, s->digest, s->salt, s->hash_context);
        /* y1 = z1 + S1·z2, y2 = z2 */
        mb_workspace_matrix_packed(&s->work, s->y, is.o1_bytes, s->linear.s1, s->y + is.o1_bytes, o2);
        solve_layer(s, 0, s->x + v1, s->y, o1);
        clear_layer(&s->layer[1], o2, is.o2_bytes);
        s->format->layer_2(s);
        singular = factor_layer(s, 1, o2);
        ++*attempts;
    } while (singular != 0);
    /* [RB3 §6.4] */
    if (*attempts == MB_RAINBOW_ATTEMPTS) {
        return MOONBOW_NO_SIGNATURE;
    }
    if (s->format->constant_2 != NULL) {
        s->format->constant_2(s);
    }
    solve_layer(s, 1, s->x + v1 + o1, s->y + is.o1_bytes, o2);
    return MOONBOW_OK;
}

/* [RB3 §6.5] w = T⁻¹·x = (x_v + T1·x_o1 + T4·x_o2, x_o1 + T3·x_o2, x_o2) */
static void undo_t(mb_rainbow_signing *s)
{
    const mb_rainbow_shapes is = mb_rainbow_measure(s->set);
    const size_t v1 = s->set->v1, o1 = s->set->o1, o2 = s->set->o2;
    const uint8_t *x_o1 = s->x + v1, *x_o2 = x_o1 + o1;
    uint8_t *w_o1 = s->w + is.v1_bytes;
    mb_field_pack(s->set->field, s->w, s->x, v1);
    mb_field_pack(s->set->field, w_o1, x_o1, o1);
    mb_field_pack(s->set->field, w_o1 + is.o1_bytes, x_o2, o2);
    mb_workspace_matrix_vector(&s->work, s->w, is.v1_bytes, s->linear.t1, x_o1, o1);
    mb_workspace_matrix_vector(&s->work, s->w, is.v1_bytes, s->linear.t4, x_o2, o2);
    mb_workspace_matrix_vector(&s->work, w_o1, is.o1_bytes, s->linear.t3, x_o2, o2);
}

int mb_rainbow_sign_finish(void *memory, uint8_t *signature, const uint8_t *secret_key,
                           const moonbow_random *random)
{
    mb_rainbow_signing *s = memory;
    const mb_rainbow_shapes is = mb_rainbow_measure(s->set);
    unsigned attempts = 0;
    int status;
    (void)random; /* deterministic */
    s->set->hash->finish(s->hash_context, s->digest);
    s->format->load(s, secret_key);
    status = start_generator(s);
    if (status == MOONBOW_OK) {
        status = choose_vinegars(s, &attempts);
    }
    if (status == MOONBOW_OK) {
        status = choose_salt(s, &attempts);
    }
    if (status != MOONBOW_OK) {
        return status;
    }
    undo_t(s);
    mb_declassify(s->w, is.n_bytes); /* the signature, and its salt */
    mb_declassify(s->salt, sizeof s->salt);
    memcpy(signature, s->w, is.n_bytes);
    memcpy(signature + is.n_bytes, s->salt, sizeof s->salt);
    return MOONBOW_OK;
}
