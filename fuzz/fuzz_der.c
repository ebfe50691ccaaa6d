/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * libFuzzer: key containers in DER. The first byte says which structure is read. */
#include "fuzz_key.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    moonbow_key *key = NULL;
    moonbow_detail detail;
    if (bytes == 0) {
        return 0;
    }
    memset(&detail, 0, sizeof detail);
    const moonbow_key_kind kind = data[0] & 1 ? MOONBOW_SECRET_KEY : MOONBOW_PUBLIC_KEY;
    const int status = moonbow_key_from_der(&key, data + 1, bytes - 1, kind, &detail);
    check_outcome(status, key, &detail, kind);
    if (status == MOONBOW_OK) {
        check_round_trip(key);
    }
    moonbow_key_free(key);
    return 0;
}
