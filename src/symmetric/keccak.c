/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Keccak-f[1600] and its sponge in portable C on 64-bit lanes. The steps of a round are named as in
 * FIPS 202 §3.2. See keccak.h. */
#include "symmetric/keccak.h"

#include "platform/bytes.h"
#include "platform/compiler.h"
#include "symmetric/keccak_backend.h"

#include <string.h>

/* [FIPS 202 §3.2.5] */
const uint64_t mb_keccak_round_constants[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
    0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
    0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
    0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};

/* n = 1 ... 63 */
static MB_ALWAYS_INLINE uint64_t rotate_left(uint64_t x, unsigned n)
{
    return x << n | x >> (64 - n);
}

static MB_ALWAYS_INLINE uint64_t parity(const uint64_t a[25], unsigned x)
{
    return a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
}

static MB_ALWAYS_INLINE void add_to_column(uint64_t a[25], unsigned x, uint64_t d)
{
    a[x] ^= d;
    a[x + 5] ^= d;
    a[x + 10] ^= d;
    a[x + 15] ^= d;
    a[x + 20] ^= d;
}

/* θ: each lane takes the parities of two columns. */
static MB_ALWAYS_INLINE void theta(uint64_t a[25])
{
    const uint64_t c0 = parity(a, 0), c1 = parity(a, 1), c2 = parity(a, 2);
    const uint64_t c3 = parity(a, 3), c4 = parity(a, 4);
    add_to_column(a, 0, c4 ^ rotate_left(c1, 1));
    add_to_column(a, 1, c0 ^ rotate_left(c2, 1));
    add_to_column(a, 2, c1 ^ rotate_left(c3, 1));
    add_to_column(a, 3, c2 ^ rotate_left(c4, 1));
    add_to_column(a, 4, c3 ^ rotate_left(c0, 1));
}

/* ρ and π: lane (x, y) is rotated by its offset and goes to (y, 2x + 3y). */
static MB_ALWAYS_INLINE void rho_pi(uint64_t b[25], const uint64_t a[25])
{
    b[0] = a[0];
    b[1] = rotate_left(a[6], 44);
    b[2] = rotate_left(a[12], 43);
    b[3] = rotate_left(a[18], 21);
    b[4] = rotate_left(a[24], 14);
    b[5] = rotate_left(a[3], 28);
    b[6] = rotate_left(a[9], 20);
    b[7] = rotate_left(a[10], 3);
    b[8] = rotate_left(a[16], 45);
    b[9] = rotate_left(a[22], 61);
    b[10] = rotate_left(a[1], 1);
    b[11] = rotate_left(a[7], 6);
    b[12] = rotate_left(a[13], 25);
    b[13] = rotate_left(a[19], 8);
    b[14] = rotate_left(a[20], 18);
    b[15] = rotate_left(a[4], 27);
    b[16] = rotate_left(a[5], 36);
    b[17] = rotate_left(a[11], 10);
    b[18] = rotate_left(a[17], 15);
    b[19] = rotate_left(a[23], 56);
    b[20] = rotate_left(a[2], 62);
    b[21] = rotate_left(a[8], 55);
    b[22] = rotate_left(a[14], 39);
    b[23] = rotate_left(a[15], 41);
    b[24] = rotate_left(a[21], 2);
}

static MB_ALWAYS_INLINE void chi_row(uint64_t a[5], const uint64_t b[5])
{
    a[0] = b[0] ^ (~b[1] & b[2]);
    a[1] = b[1] ^ (~b[2] & b[3]);
    a[2] = b[2] ^ (~b[3] & b[4]);
    a[3] = b[3] ^ (~b[4] & b[0]);
    a[4] = b[4] ^ (~b[0] & b[1]);
}

/* χ, the only step that is not linear. */
static MB_ALWAYS_INLINE void chi(uint64_t a[25], const uint64_t b[25])
{
    chi_row(a, b);
    chi_row(a + 5, b + 5);
    chi_row(a + 10, b + 10);
    chi_row(a + 15, b + 15);
    chi_row(a + 20, b + 20);
}

void mb_keccak_portable(uint64_t lanes[25])
{
    uint64_t moved[25];
    for (unsigned round = 0; round < 24; round++) {
        theta(lanes);
        rho_pi(moved, lanes);
        chi(lanes, moved);
        lanes[0] ^= mb_keccak_round_constants[round]; /* ι */
    }
}

/* Asked anew in each call: there is no state. */
void mb_keccak_permute(uint64_t lanes[25])
{
    const mb_keccak_permutation accelerated = mb_keccak_accelerated();
    (accelerated != NULL ? accelerated : mb_keccak_portable)(lanes);
}

/* The byte that stands at `position` of the state. */
static inline uint8_t byte_at(const mb_keccak *sponge, unsigned position)
{
    return (uint8_t)(sponge->lanes[position / 8] >> (8 * (position % 8)));
}

static inline void add_byte(mb_keccak *sponge, unsigned position, uint8_t byte)
{
    sponge->lanes[position / 8] ^= (uint64_t)byte << (8 * (position % 8));
}

void mb_keccak_init(mb_keccak *sponge)
{
    memset(sponge, 0, sizeof *sponge);
}

void mb_keccak_absorb(mb_keccak *sponge, unsigned rate, const void *data, size_t bytes)
{
    const uint8_t *in = data;
    unsigned position = sponge->position;
    while (bytes != 0) {
        if (position % 8 == 0 && bytes >= 8) {
            sponge->lanes[position / 8] ^= mb_load64_le(in);
            in += 8;
            bytes -= 8;
            position += 8;
        } else {
            add_byte(sponge, position, *in);
            in++;
            bytes--;
            position++;
        }
        if (position == rate) {
            mb_keccak_permute(sponge->lanes);
            position = 0;
        }
    }
    sponge->position = position;
}

void mb_keccak_pad(mb_keccak *sponge, unsigned rate, uint8_t suffix)
{
    add_byte(sponge, sponge->position, suffix);
    add_byte(sponge, rate - 1, 0x80);
    mb_keccak_permute(sponge->lanes);
    sponge->position = 0;
}

void mb_keccak_squeeze(mb_keccak *sponge, unsigned rate, uint8_t *out, size_t bytes)
{
    unsigned position = sponge->position;
    while (bytes != 0) {
        if (position == rate) { /* not earlier: the last block of an output needs no permutation */
            mb_keccak_permute(sponge->lanes);
            position = 0;
        }
        if (position % 8 == 0 && bytes >= 8) {
            mb_store64_le(out, sponge->lanes[position / 8]);
            out += 8;
            bytes -= 8;
            position += 8;
        } else {
            *out = byte_at(sponge, position);
            out++;
            bytes--;
            position++;
        }
    }
    sponge->position = position;
}
