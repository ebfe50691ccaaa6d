/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * libFuzzer: key containers in PEM and DER, encrypted and not. The first byte says which kind of key is expected, and whether the
 * passphrase is at hand; the rest is the container. */
#include "cheap_decrypt.h"
#include "fuzz_key.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static const moonbow_key_kind kinds[] = {MOONBOW_PUBLIC_KEY, MOONBOW_SECRET_KEY, MOONBOW_ANY_KEY};
    static const moonbow_passphrase passphrase = {(const uint8_t *)FUZZ_PASSPHRASE,
                                                  sizeof FUZZ_PASSPHRASE - 1};
    moonbow_key *key = NULL;
    moonbow_detail detail;
    if (bytes == 0) {
        return 0;
    }
    memset(&detail, 0, sizeof detail);
    const moonbow_key_kind kind = kinds[data[0] % 3];
    const int has_passphrase = data[0] / 3 % 2;
    const int status =
        moonbow_key_from_bytes(&key, data + 1, bytes - 1, kind, has_passphrase ? &passphrase : NULL, &detail);
    check_outcome(status, key, &detail, kind);
    require(!has_passphrase || status != MOONBOW_CONTAINER_ENCRYPTED, "asks for what it was given");
    if (status == MOONBOW_OK) {
        check_round_trip(key);
        require(moonbow_key_form_of(data + 1, bytes - 1) != MOONBOW_KEY_NEITHER, "a key without a form");
    }
    moonbow_key_free(key);
    return 0;
}
