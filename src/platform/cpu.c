/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * CPU features on x86 from the compiler's run-time library, which asks the processor once before
 * main() and keeps the answer: no state of ours. See cpu.h. */
#include "platform/cpu.h"

#if (defined(__x86_64__) || defined(__i386__)) && (defined(__GNUC__) || defined(__clang__))

/* Clang 14 rejects the names "sha" and "vaes". Rather than run CPUID at each call, or guess VAES from
 * VPCLMULQDQ (a hypervisor may hide one of them), such compilers report them absent. */
#if defined(__clang__) && __clang_major__ < 19
#define KNOWS_SHA_AND_VAES 0
#else
#define KNOWS_SHA_AND_VAES 1
#endif

unsigned mb_cpu_features(void)
{
    unsigned features = 0;
    __builtin_cpu_init(); /* returns at once after the first time */

    if (__builtin_cpu_supports("ssse3")) {
        features |= MB_CPU_SSSE3;
    }
    if (__builtin_cpu_supports("bmi2")) {
        features |= MB_CPU_BMI2;
    }
    if (!__builtin_cpu_supports("sse4.1")) {
        return features; /* everything below implies it */
    }
    features |= MB_CPU_SSE41;
    if (__builtin_cpu_supports("aes")) {
        features |= MB_CPU_AESNI;
    }
    if (__builtin_cpu_supports("pclmul")) {
        features |= MB_CPU_PCLMUL;
    }
    if (__builtin_cpu_supports("gfni")) {
        features |= MB_CPU_GFNI;
    }
#if KNOWS_SHA_AND_VAES
    if (__builtin_cpu_supports("sha")) {
        features |= MB_CPU_SHANI;
    }
#endif
    if (__builtin_cpu_supports("avx2")) {
        features |= MB_CPU_AVX2;
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi")) {
            features |= MB_CPU_AVX512;
        }
#if KNOWS_SHA_AND_VAES
        if (__builtin_cpu_supports("vaes")) {
            features |= MB_CPU_VAES;
        }
#endif
    }
    return features;
}

#else

unsigned mb_cpu_features(void)
{
    return 0;
}

#endif
