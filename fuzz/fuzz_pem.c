/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * libFuzzer: key files in PEM, as the command line reads them. The first byte says which kind of key is expected. */
#include "fuzz_key.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static const moonbow_key_kind kinds[] = {MOONBOW_PUBLIC_KEY, MOONBOW_SECRET_KEY, MOONBOW_ANY_KEY};
    moonbow_key *key = NULL;
    moonbow_detail detail;
    if (bytes == 0) {
        return 0;
    }
    memset(&detail, 0, sizeof detail);
    const moonbow_key_kind kind = kinds[data[0] % 3];
    const int status = moonbow_key_from_pem(&key, data + 1, bytes - 1, kind, &detail);
    check_outcome(status, key, &detail, kind);
    if (status == MOONBOW_OK) {
        check_round_trip(key);
    }
    moonbow_key_free(key);
    return 0;
}
