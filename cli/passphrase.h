// SPDX-License-Identifier: Apache-2.0 OR MIT
// Passphrases: asked on the terminal without echo, or read from a file; never an argument, never the environment.
#pragma once

#include "keys.h"

#include <string>

namespace cli {

// SECRET, in memory that is wiped.
class Passphrase {
  public:
    // The one line of a file ("-": standard input).
    static Passphrase of_file(const std::string &path);
    // Typed on the terminal; a new one is typed twice.
    static Passphrase of_terminal(const std::string &key_name);
    static Passphrase new_of_terminal(const std::string &key_name);

    moonbow_passphrase get() const
    {
        return {memory_->data(), bytes_len_};
    }

  private:
    Passphrase();

    std::unique_ptr<Memory> memory_;
    std::size_t bytes_len_ = 0;
};

} // namespace cli
