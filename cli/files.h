// SPDX-License-Identifier: Apache-2.0 OR MIT
// Output files with an owner, and small inputs read whole.
#pragma once

#include "keys.h"

#include <container/file.h>
#include <string>
#include <vector>

namespace cli {

// A file that appears whole or not at all (container/file.h). Its errors are Failures that name it.
class OutputFile {
  public:
    OutputFile(std::string path, mode_t mode, bool force);
    ~OutputFile()
    {
        moonbow_file_abandon(writer_);
    }
    OutputFile(const OutputFile &) = delete;
    OutputFile &operator=(const OutputFile &) = delete;

    void write(const void *bytes, std::size_t bytes_len);
    void commit();
    // Both appear, or neither.
    static void commit_both(OutputFile &first, OutputFile &second);

  private:
    [[noreturn]] void fail(int status, const moonbow_detail &detail) const;

    std::string path_;
    moonbow_file_writer *writer_ = nullptr;
};

// Permissions, before the umask.
constexpr mode_t secret_file_mode = 0600;
constexpr mode_t public_file_mode = 0666;

// How a key is written: PEM or DER, a secret key under a passphrase or, if that is null, as it is.
struct KeyStyle {
    bool der = false;
    const moonbow_passphrase *passphrase = nullptr;
};
void encode_key(Encoding &encoding, const moonbow_key &key, const KeyStyle &style);
void write_key(OutputFile &file, const moonbow_key &key, const KeyStyle &style);

// How messages call an input: "-" is "standard input".
std::string input_name(const std::string &path);

// An input that a user named, and what it is there for: "the secret key".
struct Input {
    std::string path, role;
};
// Throws a Failure if more than one of them is standard input, or the same one is asked for twice.
void check_standard_input(const std::vector<Input> &inputs);

// Reads a file ("-": standard input) into memory, at most `limit` bytes of it: returns how many there
// were, limit + 1 for more. The buffer must hold limit + 1 bytes. No bytes go through other buffers.
std::size_t read_bounded(const std::string &path, std::uint8_t *out, std::size_t limit);

} // namespace cli
