/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * For fuzz targets that decrypt keys: the passphrase of their corpora. Keys whose derivation would take long are refused as under
 * a wrong passphrase (cheap_decrypt.c), for libcrypto's time is not what is fuzzed. */
#ifndef FUZZ_CHEAP_DECRYPT_H
#define FUZZ_CHEAP_DECRYPT_H

#define FUZZ_PASSPHRASE "moonbow"

#endif
