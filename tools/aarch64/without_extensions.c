/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * To be preloaded: the processor seems to have none of the optional instructions, so that portable AES and hashing are tested on AArch64 as
 * well. All processors that QEMU emulates have them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/auxv.h>

unsigned long getauxval(unsigned long type)
{
    unsigned long (*real)(unsigned long);
    *(void **)&real = dlsym(RTLD_NEXT, "getauxval");
    return type == AT_HWCAP || type == AT_HWCAP2 ? 0 : real(type);
}
