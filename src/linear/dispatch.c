/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Chooses the backend for this machine, or the one that the environment variable MOONBOW_BACKEND names, if this machine can run
 * it. The one place outside platform/ that may know about architectures. */
#include "linear/contract.h"
#include "linear/portable/portable.h"
#include "platform/cpu.h"
#include "platform/environment.h"

#if defined(__x86_64__)
#include "linear/x86/x86.h"
#elif defined(__aarch64__)
#include "linear/aarch64/aarch64.h"
#elif defined(__ARM_ARCH_7EM__)
#include "linear/cortex_m4/cortex_m4.h"
#endif

#if defined(__ARM_ARCH_7EM__)
/* Known when the library is built: firmware links no other one. */
const mb_multiplier *mb_linear_multiplier(void)
{
    return &mb_m4_multiplier;
}

const mb_solver *mb_linear_solver_16(int small)
{
    (void)small;
    return &mb_m4_solver_16;
}

const mb_solver *mb_linear_solver_256(int small)
{
    (void)small;
    return &mb_m4_solver_256;
}

const mb_gatherer *mb_linear_gatherer_16(int small)
{
    return small || MB_M4_SMALL_CODE ? &mb_m4_gatherer_16_small : &mb_m4_gatherer_16;
}

const mb_gatherer *mb_linear_gatherer_256(int small)
{
    (void)small; /* the gatherer asks itself */
    return &mb_m4_gatherer_256;
}

#else
/* A backend, and the features it needs. */
typedef struct multiplier_row {
    const mb_multiplier *multiplier;
    unsigned features;
} multiplier_row;

typedef struct solver_row {
    const mb_solver *solver;
    unsigned features;
    int small; /* its factors are, next to the portable ones */
} solver_row;

typedef struct gatherer_row {
    const mb_gatherer *gatherer;
    unsigned features;
    int small; /* its memory is, next to the portable one's */
} gatherer_row;

/* The best first; the last one runs everywhere. */
static const multiplier_row multipliers[] = {
#if defined(__x86_64__)
    {&mb_gfni_avx512_multiplier, MB_CPU_GFNI | MB_CPU_AVX512},
    {&mb_gfni_avx2_multiplier, MB_CPU_GFNI | MB_CPU_AVX2},
    {&mb_avx2_multiplier, MB_CPU_AVX2},
#elif defined(__aarch64__)
    {&mb_neon_sha3_multiplier, MB_CPU_NEON | MB_CPU_ARM_SHA3},
    {&mb_neon_multiplier, MB_CPU_NEON},
#endif
    {&mb_portable_multiplier, 0},
};

static const solver_row solvers[] = {
#if defined(__x86_64__)
    {&mb_gfni_avx512_solver, MB_CPU_GFNI | MB_CPU_AVX512, 0},
    {&mb_gfni_avx2_solver, MB_CPU_GFNI | MB_CPU_AVX2, 0},
    {&mb_avx2_solver, MB_CPU_AVX2, 0},
#elif defined(__aarch64__)
    {&mb_neon_sha3_solver, MB_CPU_NEON | MB_CPU_ARM_SHA3, 0},
    {&mb_neon_solver, MB_CPU_NEON, 0},
#endif
    {&mb_portable_solver, 0, 1},
};

static const gatherer_row gatherers[] = {
#if defined(__x86_64__)
    {&mb_gfni_avx512_gatherer, MB_CPU_GFNI | MB_CPU_AVX512, 0},
    {&mb_gfni_avx2_gatherer, MB_CPU_GFNI | MB_CPU_AVX2, 1},
    {&mb_avx2_gatherer, MB_CPU_AVX2, 0},
#elif defined(__aarch64__)
    {&mb_neon_sha3_gatherer, MB_CPU_NEON | MB_CPU_ARM_SHA3, 0},
    {&mb_neon_gatherer, MB_CPU_NEON, 0},
#endif
    {&mb_portable_gatherer, 0, 1},
};

/* What decides: asked once for a choice. */
typedef struct chooser {
    unsigned features;
    const char *wanted; /* NULL: any */
} chooser;

static chooser begin_choice(void)
{
    return (chooser){mb_cpu_features(), mb_environment_find("MOONBOW_BACKEND")};
}

/* 1 if a backend may run: the machine can, and no other one is asked for. */
static int suits(const chooser *by, const char *name, unsigned features)
{
    return (by->features & features) == features && mb_environment_allows(by->wanted, name);
}

const mb_multiplier *mb_linear_multiplier(void)
{
    const size_t last = sizeof multipliers / sizeof *multipliers - 1;
    const chooser by = begin_choice();
    for (size_t i = 0; i < last; i++) {
        if (suits(&by, multipliers[i].multiplier->name, multipliers[i].features)) {
            return multipliers[i].multiplier;
        }
    }
    return multipliers[last].multiplier;
}

/* All serve every field. */
static const mb_solver *choose_solver(int small)
{
    const size_t last = sizeof solvers / sizeof *solvers - 1;
    const chooser by = begin_choice();
    for (size_t i = 0; i < last; i++) {
        if ((!small || solvers[i].small) && suits(&by, solvers[i].solver->name, solvers[i].features)) {
            return solvers[i].solver;
        }
    }
    return solvers[last].solver;
}

const mb_solver *mb_linear_solver_16(int small)
{
    return choose_solver(small);
}

const mb_solver *mb_linear_solver_256(int small)
{
    return choose_solver(small);
}

/* All serve every field. */
static const mb_gatherer *choose_gatherer(int small)
{
    const size_t last = sizeof gatherers / sizeof *gatherers - 1;
    const chooser by = begin_choice();
    for (size_t i = 0; i < last; i++) {
        if ((!small || gatherers[i].small) && suits(&by, gatherers[i].gatherer->name, gatherers[i].features)) {
            return gatherers[i].gatherer;
        }
    }
    return gatherers[last].gatherer;
}

const mb_gatherer *mb_linear_gatherer_16(int small)
{
    return choose_gatherer(small);
}

const mb_gatherer *mb_linear_gatherer_256(int small)
{
    return choose_gatherer(small);
}
#endif

/* The one way for several points that there is. */
const mb_many_gatherer *mb_linear_many_gatherer(void)
{
#if defined(__x86_64__)
    const chooser by = begin_choice();
    if (suits(&by, mb_gfni_avx512_many_gatherer.name, MB_CPU_GFNI | MB_CPU_AVX512)) {
        return &mb_gfni_avx512_many_gatherer;
    }
#endif
    return NULL;
}
