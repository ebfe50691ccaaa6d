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

void write_key(OutputFile &file, const moonbow_key &key)
{
    moonbow_encoding pem;
    require_ok(moonbow_key_to_pem(&pem, &key), "encoding the key");
    struct Owner {
        moonbow_encoding &encoding;
        ~Owner()
        {
            moonbow_encoding_free(&encoding);
        }
    } owner{pem};
    file.write(pem.bytes, pem.bytes_len);
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
