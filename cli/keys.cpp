// SPDX-License-Identifier: Apache-2.0 OR MIT
// Keys, scratch and algorithms for the commands.
#include "keys.h"

#include "files.h"
#include "passphrase.h"
#include "process.h"

#include <container/memory.h>
#include <new>
#include <set>
#include <unistd.h>

namespace cli {

Memory::Memory(std::size_t bytes, Contents contents)
    : start_(static_cast<std::uint8_t *>(contents == Contents::Secret ? moonbow_memory_new_secret(bytes)
                                                                      : moonbow_memory_new(bytes))),
      bytes_(bytes)
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

void read_contents(Encoding &contents, const std::string &path)
{
    moonbow_detail detail;
    forbid_core_dumps();
    const int status = path == "-" ? moonbow_contents_of_descriptor(&contents, STDIN_FILENO, &detail)
                                   : moonbow_contents_of_file(&contents, path.c_str(), &detail);
    if (status != MOONBOW_OK)
        throw Failure(input_name(path), detail.text);
}

Key decode_key(const Encoding &contents, const std::string &name, moonbow_key_kind kind,
               const std::string &passphrase_file, bool *encrypted)
{
    moonbow_key *key = nullptr;
    moonbow_detail detail;
    int status = moonbow_key_from_bytes(&key, contents.bytes, contents.bytes_len, kind, nullptr, &detail);
    if (encrypted)
        *encrypted = status == MOONBOW_CONTAINER_ENCRYPTED;
    if (status == MOONBOW_CONTAINER_ENCRYPTED) {
        const Passphrase passphrase =
            passphrase_file.empty() ? Passphrase::of_terminal(name) : Passphrase::of_file(passphrase_file);
        const moonbow_passphrase bytes = passphrase.get();
        status = moonbow_key_from_bytes(&key, contents.bytes, contents.bytes_len, kind, &bytes, &detail);
    }
    if (status != MOONBOW_OK)
        throw Failure(name, detail.text);
    return Key(key);
}

Key read_key(const std::string &path, moonbow_key_kind kind, const std::string &passphrase_file)
{
    Encoding contents;
    read_contents(contents, path);
    return decode_key(contents, input_name(path), kind, passphrase_file);
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
