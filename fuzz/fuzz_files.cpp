// SPDX-License-Identifier: Apache-2.0 OR MIT
// libFuzzer: the command line's readers of files: keys, seeds, passphrases, signatures (bounded), messages (in pieces). The first
// three bytes choose the reader, its parameter and the way (a path, standard input from a file or from a pipe); the rest is the file.
#include "cheap_decrypt.h"
#include "fuzz_key.h"

#include <cli/files.h>
#include <cli/message_stream.h>
#include <cli/passphrase.h>
#include <cli/seed_file.h>

#include <algorithm>
#include <fcntl.h>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace {

using Bytes = std::vector<std::uint8_t>;

// A directory of our own with a file in it that the inputs overwrite, and one with the passphrase.
class Place {
  public:
    Place()
    {
        const char *parent = std::getenv("TMPDIR");
        directory_ = std::string(parent ? parent : "/tmp") + "/moonbow-fuzz-XXXXXX";
        require(mkdtemp(directory_.data()) != nullptr, "no directory");
        path_ = directory_ + "/passphrase";
        static const char line[] = FUZZ_PASSPHRASE "\n";
        passphrase_path_ = write({line, line + sizeof line - 1});
        path_ = directory_ + "/input";
    }
    ~Place()
    {
        unlink(path_.c_str());
        unlink(passphrase_path_.c_str());
        rmdir(directory_.c_str());
    }
    const std::string &write(const Bytes &contents)
    {
        const int descriptor = open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        require(descriptor >= 0 && ::write(descriptor, contents.data(), contents.size()) ==
                                       static_cast<ssize_t>(contents.size()),
                "cannot write the input");
        close(descriptor);
        return path_;
    }

    const std::string &passphrase_path() const
    {
        return passphrase_path_;
    }

  private:
    std::string directory_, path_, passphrase_path_;
};

void become_standard_input(int descriptor)
{
    require(descriptor >= 0 && dup2(descriptor, STDIN_FILENO) == STDIN_FILENO, "no standard input");
    close(descriptor);
}

// A pipe holds this much at least.
constexpr std::size_t pipe_bytes = 4096;

void pipe_in(const Bytes &contents)
{
    int ends[2];
    require(pipe(ends) == 0, "no pipe");
    require(write(ends[1], contents.data(), contents.size()) == static_cast<ssize_t>(contents.size()),
            "cannot write the pipe");
    close(ends[1]);
    become_standard_input(ends[0]);
}

// How the contents reach the reader.
struct Way {
    std::string argument; // a path, or "-"
    bool seekable;
};

Way offer(Place &place, const Bytes &contents, unsigned choice)
{
    const std::string &path = place.write(contents);
    if (choice % 3 == 0)
        return {path, true};
    if (choice % 3 == 1 || contents.size() > pipe_bytes) {
        become_standard_input(open(path.c_str(), O_RDONLY));
        return {"-", true};
    }
    pipe_in(contents);
    return {"-", false};
}

// A message names what was read and says something of it.
void check_message(const cli::Failure &failure, const Way &way)
{
    const std::string text = failure.what(), name = way.argument == "-" ? "standard input" : way.argument;
    require(text.compare(0, name.size() + 2, name + ": ") == 0 && text.size() > name.size() + 2,
            "no explanation");
}

// ---- Readers ------------------------------------------------------------------------------------------

void read_key(const Way &way, unsigned parameter, const Place &place)
{
    static const moonbow_key_kind kinds[] = {MOONBOW_PUBLIC_KEY, MOONBOW_SECRET_KEY, MOONBOW_ANY_KEY};
    const moonbow_key_kind kind = kinds[parameter % 3];
    try {
        const cli::Key key = cli::read_key(way.argument, kind, place.passphrase_path());
        check_outcome(MOONBOW_OK, key.get(), nullptr, kind);
        check_round_trip(key.get());
    } catch (const cli::Failure &failure) {
        check_message(failure, way);
    }
    prctl(PR_SET_DUMPABLE, 1); // reading a key has taken it from the fuzzer, which looks for leaks
}

// The passphrase that this file holds; empty if it holds none.
Bytes expected_passphrase(const Bytes &contents)
{
    Bytes line(contents.begin(), std::find(contents.begin(), contents.end(), '\n'));
    const bool ended = line.size() < contents.size();
    if (ended && line.size() + 1 != contents.size())
        return {};
    if (ended && !line.empty() && line.back() == '\r')
        line.pop_back();
    return line.size() <= MOONBOW_PASSPHRASE_BYTES_MAX ? line : Bytes{};
}

void read_passphrase(const Way &way, const Bytes &contents)
{
    const Bytes expected = expected_passphrase(contents);
    try {
        const cli::Passphrase passphrase = cli::Passphrase::of_file(way.argument);
        const moonbow_passphrase found = passphrase.get();
        require(expected == Bytes(found.bytes, found.bytes + found.bytes_len), "another passphrase");
    } catch (const cli::Failure &failure) {
        require(expected.empty(), "a good passphrase is refused");
        check_message(failure, way);
    }
}

bool is_blank(std::uint8_t byte)
{
    return std::strchr(" \t\r\n", byte) != nullptr && byte != 0;
}

// The seed as this file means it; empty if it means none.
Bytes expected_seed(const Bytes &contents, std::size_t seed_bytes)
{
    std::string digits;
    for (const std::uint8_t byte : contents) {
        if (!is_blank(byte))
            digits += static_cast<char>(byte);
    }
    const bool all_digits = digits.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
    if (contents.size() > 4096 || !all_digits || digits.size() != 2 * seed_bytes)
        return {};
    Bytes seed;
    for (std::size_t i = 0; i < digits.size(); i += 2)
        seed.push_back(static_cast<std::uint8_t>(std::stoul(digits.substr(i, 2), nullptr, 16)));
    return seed;
}

void read_seed(const Way &way, const Bytes &contents, unsigned parameter)
{
    cli::Memory seed(parameter % 2 == 0 ? 32 : 64);
    const Bytes expected = expected_seed(contents, seed.size());
    try {
        cli::read_seed(seed, way.argument);
        require(expected == Bytes(seed.data(), seed.data() + seed.size()), "another seed");
    } catch (const cli::Failure &failure) {
        require(expected.empty(), "a good seed is refused");
        check_message(failure, way);
    }
}

void read_bounded(const Way &way, const Bytes &contents, unsigned parameter)
{
    const std::size_t limit = parameter * std::size_t{parameter};
    cli::Memory out(limit + 1);
    const std::size_t found = cli::read_bounded(way.argument, out.data(), limit);
    require(found == std::min(contents.size(), limit + 1), "another length");
    require(std::equal(out.data(), out.data() + found, contents.begin()), "other bytes");
}

// Reads the message as sign and verify do.
Bytes all_pieces(cli::MessageStream &stream, std::size_t piece_bytes)
{
    cli::Memory buffer(piece_bytes);
    Bytes all;
    stream.for_each_piece(buffer, [&](const std::uint8_t *piece, std::size_t bytes) {
        require(bytes != 0 && bytes <= piece_bytes, "a piece of the wrong size");
        all.insert(all.end(), piece, piece + bytes);
    });
    return all;
}

void read_message(const Way &way, const Bytes &contents, unsigned parameter)
{
    // Standard input may have been read in part by somebody else: what follows is the message, also the second time.
    const std::size_t read_before =
        way.argument == "-" && way.seekable ? std::min(std::size_t{parameter}, contents.size()) : 0;
    if (read_before != 0)
        lseek(STDIN_FILENO, static_cast<off_t>(read_before), SEEK_SET);
    const Bytes expected(contents.begin() + static_cast<std::ptrdiff_t>(read_before), contents.end());
    cli::MessageStream stream(way.argument);
    require(stream.can_rewind() == way.seekable, "a wrong idea of rewinding");
    require(all_pieces(stream, 1 + 8 * std::size_t{parameter}) == expected, "another message");
    if (way.seekable) {
        stream.rewind();
        require(all_pieces(stream, 4096) == expected, "another message the second time");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t bytes)
{
    static Place place;
    if (bytes < 3)
        return 0;
    const Bytes contents(data + 3, data + bytes);
    const Way way = offer(place, contents, data[2]);
    switch (data[0] % 5) {
    case 0:
        read_key(way, data[1], place);
        break;
    case 1:
        read_seed(way, contents, data[1]);
        break;
    case 2:
        read_bounded(way, contents, data[1]);
        break;
    case 4:
        read_passphrase(way, contents);
        break;
    default:
        read_message(way, contents, data[1]);
    }
    return 0;
}
