// SPDX-License-Identifier: Apache-2.0 OR MIT
// Output files and small inputs.
#include "files.h"

#include "message_stream.h"

#include <utility>

namespace cli {

OutputFile::OutputFile(std::string path, mode_t mode, bool force) : path_(std::move(path))
{
    moonbow_detail detail;
    const moonbow_overwrite overwrite = force ? MOONBOW_REPLACE : MOONBOW_KEEP_EXISTING;
    const int status = moonbow_file_create(&writer_, path_.c_str(), mode, overwrite, &detail);
    if (status != MOONBOW_OK)
        fail(status, detail);
}

void OutputFile::fail(int status, const moonbow_detail &detail) const
{
    const char *advice = status == MOONBOW_CONTAINER_EXISTS ? " (--force replaces it)" : "";
    throw Failure(path_, std::string(detail.text) + advice);
}

void OutputFile::write(const void *bytes, std::size_t bytes_len)
{
    moonbow_detail detail;
    const int status = moonbow_file_write(writer_, bytes, bytes_len, &detail);
    if (status != MOONBOW_OK)
        fail(status, detail);
}

void OutputFile::commit()
{
    moonbow_detail detail;
    const int status = moonbow_file_commit(std::exchange(writer_, nullptr), &detail);
    if (status != MOONBOW_OK)
        fail(status, detail);
}

void OutputFile::commit_both(OutputFile &first, OutputFile &second)
{
    moonbow_detail detail;
    int failed = 0;
    const int status = moonbow_file_commit_both(std::exchange(first.writer_, nullptr),
                                                std::exchange(second.writer_, nullptr), &failed, &detail);
    if (status != MOONBOW_OK)
        (failed == 0 ? first : second).fail(status, detail);
}

void encode_key(Encoding &encoding, const moonbow_key &key, const KeyStyle &style)
{
    int status;
    if (style.passphrase) {
        status = style.der ? moonbow_key_to_encrypted_der(&encoding, &key, style.passphrase)
                           : moonbow_key_to_encrypted_pem(&encoding, &key, style.passphrase);
    } else {
        status = style.der ? moonbow_key_to_der(&encoding, &key) : moonbow_key_to_pem(&encoding, &key);
    }
    require_ok(status, "encoding the key");
}

void write_key(OutputFile &file, const moonbow_key &key, const KeyStyle &style)
{
    Encoding encoding;
    encode_key(encoding, key, style);
    file.write(encoding.bytes, encoding.bytes_len);
}

std::string input_name(const std::string &path)
{
    return path == "-" ? "standard input" : path;
}

void check_standard_input(const std::vector<Input> &inputs)
{
    const Input *first = nullptr;
    for (const Input &input : inputs) {
        if (input.path != "-")
            continue;
        if (first && first->role == input.role)
            throw Failure("standard input", "was named twice, and can be read only once");
        if (first)
            throw Failure("standard input", "cannot be both " + first->role + " and " + input.role);
        first = &input;
    }
}

std::size_t read_bounded(const std::string &path, std::uint8_t *out, std::size_t limit)
{
    MessageStream stream(path);
    std::size_t bytes = 0;
    while (bytes <= limit) {
        const std::size_t got = stream.read(out + bytes, limit + 1 - bytes);
        if (got == 0)
            break;
        bytes += got;
    }
    return bytes;
}

} // namespace cli
