/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Which instruction-set extensions may be used here. Assumes nothing; the choosers of backends
 * (symmetric/x86/aes_ni.c, linear/dispatch.c) read it. */
#ifndef MB_PLATFORM_CPU_H
#define MB_PLATFORM_CPU_H

/* Each value is one bit and promises processor and operating system alike, prerequisites included. */
enum {
    MB_CPU_SSSE3 = 1u << 0,  /* PSHUFB on 128 bits */
    MB_CPU_SSE41 = 1u << 1,  /* implies SSSE3 */
    MB_CPU_AESNI = 1u << 2,  /* AES rounds on 128 bits; implies SSE4.1 */
    MB_CPU_SHANI = 1u << 3,  /* SHA-256 rounds; implies SSE4.1. See cpu.c on compilers */
    MB_CPU_PCLMUL = 1u << 4, /* carry-less multiplication on 128 bits; implies SSE4.1 */
    MB_CPU_AVX2 = 1u << 5,   /* implies SSE4.1 */
    MB_CPU_BMI2 = 1u << 6,
    MB_CPU_GFNI = 1u << 7,   /* affine maps and GF(256) products on 128 bits; implies SSE4.1. On 256
                                bits ask for AVX2 as well, on 512 for AVX512 as well */
    MB_CPU_AVX512 = 1u << 8, /* F, BW, VL and VBMI together; implies AVX2 */
    MB_CPU_VAES = 1u << 9,   /* AES rounds on 256 bits, on 512 if AVX512; implies AVX2. See cpu.c */

    MB_CPU_NEON = 1u << 16,      /* 128-bit registers of AArch64, TBL and PMULL on bytes; every such machine has them */
    MB_CPU_ARM_AES = 1u << 17,   /* AESE, AESMC */
    MB_CPU_ARM_SHA2 = 1u << 18,  /* SHA-256 rounds */
    MB_CPU_ARM_SHA512 = 1u << 19,
    MB_CPU_ARM_SHA3 = 1u << 20   /* EOR3, BCAX, RAX1, XAR */
};

/* The set of the values above that this machine has; 0 on architectures other than x86 and AArch64. Costs
 * some loads and tests and no CPUID instruction (which takes microseconds on a virtual machine), so it may
 * be asked in every operation. See cpu.c on systems by Apple. */
unsigned mb_cpu_features(void);

#endif
