/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Keccak-f[1600] with the instructions EOR3, RAX1, XAR and BCAX; a lane is the low half of a register. Build with
 * -march=armv8.2-a+sha3; entered only where they exist. The steps of a round are named as in FIPS 202 §3.2. See keccak_backend.h. */
#include "platform/compiler.h"
#include "platform/cpu.h"
#include "symmetric/keccak_backend.h"

#include <arm_neon.h>

typedef uint64x2_t lane;

static MB_ALWAYS_INLINE lane parity(const lane a[25], unsigned x)
{
    return veor3q_u64(veor3q_u64(a[x], a[x + 5], a[x + 10]), a[x + 15], a[x + 20]);
}

/* θ, ρ and π at once: lane (x, y) takes d[x], is rotated left by its offset, and goes to (y, 2x + 3y). */
#define MOVE(to, from, left) b[to] = vxarq_u64(a[from], d[(from) % 5], 64 - (left))

static MB_ALWAYS_INLINE void theta_rho_pi(lane b[25], const lane a[25])
{
    const lane c0 = parity(a, 0), c1 = parity(a, 1), c2 = parity(a, 2), c3 = parity(a, 3), c4 = parity(a, 4);
    const lane d[5] = {vrax1q_u64(c4, c1), vrax1q_u64(c0, c2), vrax1q_u64(c1, c3), vrax1q_u64(c2, c4), vrax1q_u64(c3, c0)};
    b[0] = veorq_u64(a[0], d[0]);
    MOVE(1, 6, 44);
    MOVE(2, 12, 43);
    MOVE(3, 18, 21);
    MOVE(4, 24, 14);
    MOVE(5, 3, 28);
    MOVE(6, 9, 20);
    MOVE(7, 10, 3);
    MOVE(8, 16, 45);
    MOVE(9, 22, 61);
    MOVE(10, 1, 1);
    MOVE(11, 7, 6);
    MOVE(12, 13, 25);
    MOVE(13, 19, 8);
    MOVE(14, 20, 18);
    MOVE(15, 4, 27);
    MOVE(16, 5, 36);
    MOVE(17, 11, 10);
    MOVE(18, 17, 15);
    MOVE(19, 23, 56);
    MOVE(20, 2, 62);
    MOVE(21, 8, 55);
    MOVE(22, 14, 39);
    MOVE(23, 15, 41);
    MOVE(24, 21, 2);
}

#undef MOVE

/* χ: BCAX is a + (b where c is clear). */
static MB_ALWAYS_INLINE void chi(lane a[25], const lane b[25])
{
    for (unsigned y = 0; y < 25; y += 5) {
        for (unsigned x = 0; x < 5; x++) {
            a[y + x] = vbcaxq_u64(b[y + x], b[y + (x + 2) % 5], b[y + (x + 1) % 5]);
        }
    }
}

static void permute(uint64_t lanes[25])
{
    lane a[25], b[25];
    for (unsigned i = 0; i < 25; i++) {
        a[i] = vcombine_u64(vcreate_u64(lanes[i]), vcreate_u64(0));
    }
    for (unsigned round = 0; round < 24; round++) {
        theta_rho_pi(b, a);
        chi(a, b);
        a[0] = veorq_u64(a[0], vcombine_u64(vcreate_u64(mb_keccak_round_constants[round]), vcreate_u64(0))); /* ι */
    }
    for (unsigned i = 0; i < 25; i++) {
        lanes[i] = vgetq_lane_u64(a[i], 0);
    }
}

mb_keccak_permutation mb_keccak_accelerated(void)
{
    return (mb_cpu_features() & MB_CPU_ARM_SHA3) != 0 ? permute : NULL;
}
