// SPDX-License-Identifier: Apache-2.0 OR MIT
// Reading messages, and the progress line.
#include "message_stream.h"

#include "files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cli {

using namespace std::chrono_literals;

Progress::Progress(std::string subject, std::uint64_t total, std::string unit)
    : subject_(std::move(subject)), unit_(std::move(unit)), total_(total),
      on_terminal_(isatty(STDERR_FILENO) == 1), next_(Clock::now() + 1s)
{
}

Progress::~Progress()
{
    static const char clear_line[] = "\r\033[K";
    if (shown_)
        std::fputs(clear_line, stderr);
}

void Progress::advance_to(std::uint64_t done)
{
    if (!on_terminal_ || Clock::now() < next_)
        return;
    shown_ = true;
    next_ = Clock::now() + 200ms;
    if (total_ > 0 && done <= total_) {
        const double part = 100.0 * static_cast<double>(done) / static_cast<double>(total_);
        std::fprintf(stderr, "\r\033[K%s: %.0f %%", subject_.c_str(), part);
    } else {
        std::fprintf(stderr, "\r\033[K%s: %llu %s", subject_.c_str(), static_cast<unsigned long long>(done),
                     unit_.c_str());
    }
    std::fflush(stderr);
}

MessageStream::MessageStream(const std::string &path) : name_(input_name(path)), descriptor_(STDIN_FILENO)
{
    if (path != "-")
        descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor_ < 0)
        throw Failure(name_, std::string("cannot open: ") + std::strerror(errno));
    start_ = lseek(descriptor_, 0, SEEK_CUR);
}

MessageStream::~MessageStream()
{
    if (descriptor_ != STDIN_FILENO)
        close(descriptor_);
}

std::size_t MessageStream::read(void *out, std::size_t bytes)
{
    for (;;) {
        const ssize_t got = ::read(descriptor_, out, bytes);
        if (got >= 0)
            return static_cast<std::size_t>(got);
        if (errno != EINTR)
            throw Failure(name_, std::string("cannot read: ") + std::strerror(errno));
    }
}

bool MessageStream::can_rewind() const
{
    struct stat entry;
    return start_ >= 0 && fstat(descriptor_, &entry) == 0 && S_ISREG(entry.st_mode);
}

void MessageStream::rewind()
{
    if (lseek(descriptor_, start_, SEEK_SET) < 0) {
        throw Failure(name_, std::string("cannot read a second time: ") + std::strerror(errno));
    }
}

std::uint64_t MessageStream::size() const
{
    struct stat entry;
    if (fstat(descriptor_, &entry) != 0 || !S_ISREG(entry.st_mode))
        return 0;
    return static_cast<std::uint64_t>(entry.st_size);
}

} // namespace cli
