// SPDX-License-Identifier: Apache-2.0 OR MIT
// Keys, scratch and algorithms for the commands: the container's and library's objects with owners.
#pragma once

#include "report.h"

#include <container/key.h>
#include <cstdint>
#include <memory>
#include <string>

namespace cli {

struct KeyDeleter {
    void operator()(moonbow_key *key) const
    {
        moonbow_key_free(key);
    }
};
using Key = std::unique_ptr<moonbow_key, KeyDeleter>;

// Secret memory is kept out of swap as far as the process may.
enum class Contents { Public, Secret };

// Aligned memory, zero at first, in no core dump, and wiped at the end.
class Memory {
  public:
    explicit Memory(std::size_t bytes, Contents contents = Contents::Public);
    ~Memory();
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &) = delete;

    std::uint8_t *data()
    {
        return start_;
    }
    const std::uint8_t *data() const
    {
        return start_;
    }
    std::size_t size() const
    {
        return bytes_;
    }

  private:
    std::uint8_t *start_;
    std::size_t bytes_;
};

// Memory lent to an operation.
class Scratch {
  public:
    Scratch(std::size_t bytes, moonbow_mode mode, Contents contents = Contents::Secret)
        : memory_(bytes, contents), scratch_{memory_.data(), memory_.size(), mode}
    {
    }
    const moonbow_scratch *get() const
    {
        return &scratch_;
    }

  private:
    Memory memory_;
    moonbow_scratch scratch_;
};

// Throws a Failure "subject: (the status's sentence)" unless the status is MOONBOW_OK.
void require_ok(int status, const std::string &subject);

// The algorithm of a name that a user typed.
const moonbow_algorithm &find_algorithm(const std::string &name);

// Prints the algorithm's caution on standard error, once per process, unless it is a candidate.
void give_caution(const moonbow_algorithm &algorithm);

// What the container wrote or read, with an owner.
struct Encoding : moonbow_encoding {
    Encoding() : moonbow_encoding{nullptr, 0}
    {
    }
    ~Encoding()
    {
        moonbow_encoding_free(this);
    }
    Encoding(const Encoding &) = delete;
    Encoding &operator=(const Encoding &) = delete;
};

// Reads a key file whole ("-": standard input). Core dumps are switched off first.
void read_contents(Encoding &contents, const std::string &path);

// The key in the contents of a file of this name. The passphrase of an encrypted one comes from passphrase_file or,
// if that is empty, from the terminal; encrypted, unless null, tells whether it was needed.
Key decode_key(const Encoding &contents, const std::string &name, moonbow_key_kind kind,
               const std::string &passphrase_file, bool *encrypted = nullptr);

// Both in one. A public key needs no passphrase.
Key read_key(const std::string &path, moonbow_key_kind kind, const std::string &passphrase_file = "");

// The public key of a secret key.
Key derive_public_key(const moonbow_key &secret_key);

// "SHA256:0123456789abcdef" of a public key.
std::string fingerprint(const moonbow_key &public_key);

// "secret" or "public".
const char *kind_text(moonbow_key_kind kind);

} // namespace cli
