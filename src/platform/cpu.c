/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * CPU features, without state of ours. On x86 from the compiler's run-time library, which asks the processor once before
 * main() and keeps the answer; on AArch64 from what Linux hands each program, or by sysctl. See cpu.h. */
#include "platform/cpu.h"

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#elif defined(__aarch64__) && defined(__APPLE__)
#include <stddef.h>
#include <sys/sysctl.h>
#endif

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

#elif defined(__aarch64__)

/* What the compiler was told that every machine has. On a Mac that is all of it, so that the kernel, a system call each time,
 * is not asked. */
static unsigned promised_features(void)
{
    unsigned features = MB_CPU_NEON;
#if defined(__ARM_FEATURE_AES)
    features |= MB_CPU_ARM_AES;
#endif
#if defined(__ARM_FEATURE_SHA2)
    features |= MB_CPU_ARM_SHA2;
#endif
#if defined(__ARM_FEATURE_SHA512)
    features |= MB_CPU_ARM_SHA512;
#endif
#if defined(__ARM_FEATURE_SHA3)
    features |= MB_CPU_ARM_SHA3;
#endif
    return features;
}

#if defined(__linux__)

/* Linux's numbers, the same on all AArch64: HWCAP_AES, HWCAP_SHA2, HWCAP_SHA512, HWCAP_SHA3. */
static unsigned found_features(void)
{
    static const struct {
        unsigned long bit;
        unsigned feature;
    } known[] = {{1ul << 3, MB_CPU_ARM_AES},
                 {1ul << 6, MB_CPU_ARM_SHA2},
                 {1ul << 21, MB_CPU_ARM_SHA512},
                 {1ul << 17, MB_CPU_ARM_SHA3}};
    const unsigned long has = getauxval(AT_HWCAP);
    unsigned features = 0;
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
        features |= (has & known[i].bit) != 0 ? known[i].feature : 0;
    }
    return features;
}

#elif defined(__APPLE__)

static unsigned found_features(void)
{
    static const struct {
        const char *name;
        unsigned feature;
    } known[] = {{"hw.optional.arm.FEAT_AES", MB_CPU_ARM_AES},
                 {"hw.optional.arm.FEAT_SHA256", MB_CPU_ARM_SHA2},
                 {"hw.optional.arm.FEAT_SHA512", MB_CPU_ARM_SHA512},
                 {"hw.optional.arm.FEAT_SHA3", MB_CPU_ARM_SHA3}};
    unsigned features = 0;
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
        int has = 0;
        size_t bytes = sizeof has;
        if (sysctlbyname(known[i].name, &has, &bytes, NULL, 0) == 0 && has != 0) {
            features |= known[i].feature;
        }
    }
    return features;
}

#else

static unsigned found_features(void)
{
    return 0;
}

#endif

unsigned mb_cpu_features(void)
{
    const unsigned all = MB_CPU_NEON | MB_CPU_ARM_AES | MB_CPU_ARM_SHA2 | MB_CPU_ARM_SHA512 | MB_CPU_ARM_SHA3;
    const unsigned promised = promised_features();
    return promised == all ? promised : promised | found_features();
}

#else

unsigned mb_cpu_features(void)
{
    return 0;
}

#endif
