// SPDX-License-Identifier: Apache-2.0 OR MIT
// Keys, scratch and algorithms for the commands.
#include "keys.h"

#include "process.h"

#include <container/memory.h>
#include <new>
#include <set>

namespace cli {

Memory::Memory(std::size_t bytes)
    : start_(static_cast<std::uint8_t *>(moonbow_memory_new(bytes))), bytes_(bytes)
{
    if (!start_)
        throw std::bad_alloc();
}

Memory::~Memory()
{
    moonbow_memory_free(start_, bytes_);
}

void require_ok(int status, const std::string &subject)
{
    if (status != MOONBOW_OK)
        throw Failure(subject, moonbow_container_text(status));
}

const moonbow_algorithm &find_algorithm(const std::string &name)
{
    const moonbow_algorithm *algorithm = moonbow_algorithm_by_name(name.c_str());
    if (!algorithm)
        throw Failure(name, "expected the name of an algorithm as `moonbow list` shows them");
    return *algorithm;
}

void give_caution(const moonbow_algorithm &algorithm)
{
    static std::set<std::string> given;
    const moonbow_parameters &parameters = *algorithm.parameters;
    if (parameters.security == MOONBOW_CANDIDATE || !given.insert(parameters.caution).second)
        return;
    say("caution: " + std::string(parameters.name) + ": " + parameters.caution);
}

Key read_key(const std::string &path, moonbow_key_kind kind)
{
    moonbow_key *key = nullptr;
    moonbow_detail detail;
    if (kind != MOONBOW_PUBLIC_KEY)
        forbid_core_dumps();
    if (moonbow_key_from_file(&key, path.c_str(), kind, &detail) != MOONBOW_OK) {
        throw Failure(path, detail.text);
    }
    return Key(key);
}

Key derive_public_key(const moonbow_key &secret_key)
{
    moonbow_key *public_key = nullptr;
    require_ok(moonbow_key_derive_public(&public_key, &secret_key, MOONBOW_FAST), "deriving the public key");
    return Key(public_key);
}

std::string fingerprint(const moonbow_key &public_key)
{
    std::uint8_t digest[MOONBOW_KEY_DIGEST_BYTES];
    char text[MOONBOW_FINGERPRINT_BYTES];
    require_ok(moonbow_key_digest(digest, &public_key), "fingerprint");
    moonbow_fingerprint_text(text, digest);
    return text;
}

const char *kind_text(moonbow_key_kind kind)
{
    return kind == MOONBOW_SECRET_KEY ? "secret" : "public";
}

} // namespace cli
