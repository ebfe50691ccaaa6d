// SPDX-License-Identifier: Apache-2.0 OR MIT
// libcrypto's own secure heap serves only callers that ask for it: neither ASN.1 nor the ciphers do. Its allocator is
// therefore replaced as a whole.
#include "secret_heap.h"

#include "report.h"

#include <algorithm>
#include <container/memory.h>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <moonbow/signature.h>
#include <openssl/crypto.h>

namespace cli {

namespace {

// Small blocks share the C library's heap: a page for each would be too much.
constexpr std::size_t smallest_with_pages = 1024;

// Stands before each block, which is aligned as malloc's are.
struct alignas(std::max_align_t) Header {
    std::size_t bytes; // of the block
};

std::size_t with_header(std::size_t bytes)
{
    return sizeof(Header) + bytes;
}

extern "C" void *guarded_malloc(std::size_t bytes, const char *, int)
{
    if (bytes == 0 || bytes > SIZE_MAX - sizeof(Header))
        return nullptr;
    void *memory = bytes < smallest_with_pages ? std::malloc(with_header(bytes))
                                               : moonbow_memory_new_secret(with_header(bytes));
    if (!memory)
        return nullptr;
    auto *header = static_cast<Header *>(memory);
    header->bytes = bytes;
    return header + 1;
}

extern "C" void guarded_free(void *block, const char *, int)
{
    if (!block)
        return;
    Header *header = static_cast<Header *>(block) - 1;
    const std::size_t bytes = header->bytes;
    if (bytes < smallest_with_pages) {
        moonbow_wipe(header, with_header(bytes));
        std::free(header);
    } else {
        moonbow_memory_free(header, with_header(bytes));
    }
}

extern "C" void *guarded_realloc(void *block, std::size_t bytes, const char *file, int line)
{
    if (!block)
        return guarded_malloc(bytes, file, line);
    void *larger = guarded_malloc(bytes, file, line);
    if (!larger && bytes > 0)
        return nullptr;
    if (larger)
        std::memcpy(larger, block, std::min(bytes, (static_cast<Header *>(block) - 1)->bytes));
    guarded_free(block, file, line);
    return larger;
}

} // namespace

void guard_libcrypto()
{
    if (CRYPTO_set_mem_functions(guarded_malloc, guarded_realloc, guarded_free) != 1)
        throw Failure("", "libcrypto does not take another allocator, so no secret is held");
}

} // namespace cli
