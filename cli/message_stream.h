// SPDX-License-Identifier: Apache-2.0 OR MIT
// Messages of any size in constant memory, with progress on a terminal.
#pragma once

#include "keys.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace cli {

// A line on standard error that is rewritten, if that is a terminal, once work takes over a second.
class Progress {
  public:
    // total: 0 where it is not known.
    Progress(std::string subject, std::uint64_t total, std::string unit);
    ~Progress();
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;

    void advance_to(std::uint64_t done);

  private:
    using Clock = std::chrono::steady_clock;

    std::string subject_, unit_;
    std::uint64_t total_;
    bool on_terminal_, shown_ = false;
    Clock::time_point next_;
};

// A file, or standard input for "-".
class MessageStream {
  public:
    explicit MessageStream(const std::string &path);
    ~MessageStream();
    MessageStream(const MessageStream &) = delete;
    MessageStream &operator=(const MessageStream &) = delete;

    // Up to `bytes` bytes; 0 at the end.
    std::size_t read(void *out, std::size_t bytes);
    // Can it be read a second time?
    bool can_rewind() const;
    void rewind();

    const std::string &name() const
    {
        return name_;
    }

    // Hands the rest of the message over: consume(piece, bytes).
    template <typename Consume> void for_each_piece(Memory &buffer, Consume consume)
    {
        Progress progress(name_, size(), "bytes");
        std::uint64_t done = 0;
        while (const std::size_t got = read(buffer.data(), buffer.size())) {
            consume(buffer.data(), got);
            done += got;
            progress.advance_to(done);
        }
    }

  private:
    // Of a regular file; 0 for others.
    std::uint64_t size() const;

    std::string name_;
    int descriptor_;
    std::int64_t start_;
};

// The size of the buffer that messages are read through.
constexpr std::size_t piece_bytes = std::size_t{1} << 20;

} // namespace cli
