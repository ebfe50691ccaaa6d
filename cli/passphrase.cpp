// SPDX-License-Identifier: Apache-2.0 OR MIT
// Passphrases. The terminal is read here and not by libcrypto's UI, which would go on with standard input where there
// is no terminal, and leaves what was typed in the buffers of the C library.
#include "passphrase.h"

#include "files.h"
#include "process.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

namespace cli {

namespace {

constexpr std::size_t longest = MOONBOW_PASSPHRASE_BYTES_MAX;

// The controlling terminal with its echo off. The keys for job control and for a core dump are off, too, because
// they would leave it so; the interrupting signals restore it (process.h).
class SilentTerminal {
  public:
    explicit SilentTerminal(const std::string &key_name);
    ~SilentTerminal();
    SilentTerminal(const SilentTerminal &) = delete;
    SilentTerminal &operator=(const SilentTerminal &) = delete;

    // Reads one line into memory of longest + 1 bytes; returns its length without its end.
    std::size_t ask(const std::string &prompt, Memory &line);

  private:
    void show(const std::string &text);

    int descriptor_;
    struct termios before_ = {};
};

SilentTerminal::SilentTerminal(const std::string &key_name)
    : descriptor_(open("/dev/tty", O_RDWR | O_CLOEXEC))
{
    if (descriptor_ < 0 || tcgetattr(descriptor_, &before_) != 0) {
        if (descriptor_ >= 0)
            close(descriptor_);
        throw Failure(key_name,
                      "the secret key's passphrase is needed, and there is no terminal to ask for it; "
                      "--passphrase-file names a file that holds it");
    }
    restore_terminal_on_signal(descriptor_, before_);
    struct termios silent = before_;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO | ECHOE | ECHOK);
    silent.c_lflag |= ICANON | ISIG | ECHONL;
    silent.c_cc[VSUSP] = silent.c_cc[VQUIT] = _POSIX_VDISABLE;
    if (tcsetattr(descriptor_, TCSAFLUSH, &silent) != 0) {
        forget_terminal();
        close(descriptor_);
        throw Failure(key_name,
                      std::string("cannot switch the terminal's echo off: ") + std::strerror(errno));
    }
}

SilentTerminal::~SilentTerminal()
{
    tcsetattr(descriptor_, TCSAFLUSH, &before_);
    forget_terminal();
    close(descriptor_);
}

void SilentTerminal::show(const std::string &text)
{
    // Nothing can be said about an error here; the read that follows will fail as well.
    if (write(descriptor_, text.data(), text.size()) < 0)
        return;
}

std::size_t SilentTerminal::ask(const std::string &prompt, Memory &line)
{
    show(printable(prompt) + ": ");
    std::size_t bytes = 0;
    while (bytes <= longest) {
        const ssize_t got = read(descriptor_, line.data() + bytes, line.size() - bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        bytes += static_cast<std::size_t>(got);
        if (line.data()[bytes - 1] == '\n')
            return bytes - 1;
    }
    return bytes;
}

// What neither a terminal nor a file may give.
void check_length(const std::string &subject, std::size_t bytes)
{
    if (bytes == 0)
        throw Failure(subject, "expected a passphrase, found an empty one");
    if (bytes > longest)
        throw Failure(subject, "expected a passphrase of at most " + std::to_string(longest) +
                                   " bytes, found a longer one");
}

// The length of the one line in a file's contents, without its end.
std::size_t one_line(const std::string &name, const Memory &contents, std::size_t bytes)
{
    const auto *text = contents.data();
    const void *end = bytes ? std::memchr(text, '\n', bytes) : nullptr;
    const std::size_t line =
        end ? static_cast<std::size_t>(static_cast<const std::uint8_t *>(end) - text) : bytes;
    if (end && line + 1 != bytes)
        throw Failure(name, "expected one line, the passphrase, found more");
    return line > 0 && end && text[line - 1] == '\r' ? line - 1 : line;
}

} // namespace

// Room for a line end of two bytes and one byte too many.
Passphrase::Passphrase() : memory_(std::make_unique<Memory>(longest + 3, Contents::Secret))
{
}

Passphrase Passphrase::of_file(const std::string &path)
{
    Passphrase passphrase;
    const std::string name = input_name(path);
    const std::size_t bytes = read_bounded(path, passphrase.memory_->data(), longest + 2);
    passphrase.bytes_len_ = one_line(name, *passphrase.memory_, bytes);
    check_length(name, passphrase.bytes_len_);
    return passphrase;
}

Passphrase Passphrase::of_terminal(const std::string &key_name)
{
    Passphrase passphrase;
    SilentTerminal terminal(key_name);
    passphrase.bytes_len_ = terminal.ask("Passphrase of " + key_name, *passphrase.memory_);
    check_length(key_name, passphrase.bytes_len_);
    return passphrase;
}

Passphrase Passphrase::new_of_terminal(const std::string &key_name)
{
    Passphrase first, second;
    SilentTerminal terminal(key_name);
    first.bytes_len_ = terminal.ask("New passphrase for " + key_name, *first.memory_);
    check_length(key_name, first.bytes_len_);
    second.bytes_len_ = terminal.ask("The same again", *second.memory_);
    if (first.bytes_len_ != second.bytes_len_ ||
        std::memcmp(first.memory_->data(), second.memory_->data(), first.bytes_len_) != 0)
        throw Failure(key_name, "the two passphrases differ; no key was written");
    return first;
}

} // namespace cli
