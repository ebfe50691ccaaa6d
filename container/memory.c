/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Pages between two that cannot be accessed. Under AddressSanitizer the memory comes from its heap instead,
 * which sees overruns to the byte, and leaks. */
#include "memory.h"

#include <moonbow/signature.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MB_CONTAINER_USES_HEAP 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define MB_CONTAINER_USES_HEAP 1
#endif

#ifdef MB_CONTAINER_USES_HEAP

void *moonbow_memory_new(size_t bytes)
{
    void *start = NULL;
    if (posix_memalign(&start, MOONBOW_SCRATCH_ALIGNMENT, bytes ? bytes : 1) != 0)
        return NULL;
    memset(start, 0, bytes);
    return start;
}

void *moonbow_memory_new_secret(size_t bytes)
{
    return moonbow_memory_new(bytes);
}

void moonbow_memory_free(void *start, size_t bytes)
{
    if (start)
        moonbow_wipe(start, bytes);
    free(start);
}

#else

/* Where a block lies: one page without access, `inner` bytes of whole pages, one page without access. The
 * block is at the end of the inner pages, so that running over its end faults. */
typedef struct layout {
    size_t page;
    size_t inner;
    size_t before; /* from the beginning of the inner pages to the block */
} layout;

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static layout layout_of(size_t bytes)
{
    layout place;
    const size_t aligned = round_up(bytes ? bytes : 1, MOONBOW_SCRATCH_ALIGNMENT);
    place.page = (size_t)sysconf(_SC_PAGESIZE);
    place.inner = round_up(aligned, place.page);
    place.before = place.inner - aligned;
    return place;
}

void *moonbow_memory_new(size_t bytes)
{
    if (bytes > SIZE_MAX / 2)
        return NULL;
    const layout place = layout_of(bytes);
    const size_t total = place.inner + 2 * place.page;
    /* cppcheck-suppress invalidFunctionArg ; -1 is what goes with anonymous memory */
    uint8_t *base = mmap(NULL, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        return NULL;
    uint8_t *inner = base + place.page;
    if (mprotect(inner, place.inner, PROT_READ | PROT_WRITE) != 0) {
        munmap(base, total);
        return NULL;
    }
#ifdef MADV_DONTDUMP
    (void)madvise(inner, place.inner, MADV_DONTDUMP); /* fails only where there is no such thing */
#endif
    return inner + place.before;
}

void *moonbow_memory_new_secret(size_t bytes)
{
    void *start = moonbow_memory_new(bytes);
    if (start)
        (void)mlock(start, bytes ? bytes : 1); /* may fail: the limit */
    return start;
}

void moonbow_memory_free(void *start, size_t bytes)
{
    if (!start)
        return;
    const layout place = layout_of(bytes);
    moonbow_wipe(start, bytes); /* the pages may be somebody else's next */
    munmap((uint8_t *)start - place.before - place.page, place.inner + 2 * place.page);
}

#endif
