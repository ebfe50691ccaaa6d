/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * AES-128 and AES-256 [FIPS 197], encryption in counter mode only: in constant time, and, for PUBLIC keys, by
 * table. Either uses the processor's AES instructions where there are some (aes_backend.h). For a byte stream see ctr.h. */
#ifndef MB_SYMMETRIC_AES_H
#define MB_SYMMETRIC_AES_H

#include <stddef.h>
#include <stdint.h>

enum { MB_AES_BLOCK_BYTES = 16 };

/* An expanded key, SECRET if the key is; mb_wipe it when done. Every backend reads and writes the
 * same contents. It needs no alignment beyond that of `unsigned`, so that it can lie in scratch. */
typedef struct mb_aes {
    uint8_t round_keys[15 * 16]; /* rounds + 1 keys of 16 bytes in the order of FIPS 197 */
    unsigned rounds;             /* public: 10 or 14 */
} mb_aes;

/* Expand a key of 16 or 32 bytes, SECRET or public. */
void mb_aes_init_128(mb_aes *aes, const uint8_t key[16]);
void mb_aes_init_256(mb_aes *aes, const uint8_t key[32]);

/* Writes 16 * blocks bytes of key stream: for each block AES(key, counter), then counter + 1 as one
 * big-endian number of 128 bits, which wraps. `counter`, SECRET or public, is left at the first value
 * not used. `out` overlaps neither. A call costs some fixed work (portable code: about as much as
 * four blocks), so ask for many blocks at once. */
void mb_aes_ctr(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks);

/* Work that blocks of one PUBLIC key share. */
typedef struct mb_aes_shortcut mb_aes_shortcut;

/* The same as a value: which AES a stream (ctr.h) or a generator (drbg.h) uses, chosen where it is seeded and kept from then
 * on. A program links those that it names. */
typedef struct mb_aes_cipher {
    void (*init_128)(mb_aes *aes, const uint8_t key[16]);
    void (*init_256)(mb_aes *aes, const uint8_t key[32]);
    void (*ctr)(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks);
    /* NULL, or: as ctr with `count` pieces of `blocks` blocks each, of which those with wanted[piece] (PUBLIC) 0 are left out, and so are
     * their bytes of `out`. 0, or -1 where that would take no less time: then nothing was done. */
    int (*ctr_some)(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks, const uint8_t *wanted, size_t count);
    /* NULL, or, for one key and some thousands of blocks: the bytes of a shortcut, 0 where there is none; one that holds nothing yet;
     * ctr with it. The memory is aligned like scratch. */
    size_t (*shortcut_bytes)(void);
    void (*begin_shortcut)(mb_aes_shortcut *shortcut);
    void (*ctr_by_shortcut)(const mb_aes *aes, mb_aes_shortcut *shortcut, uint8_t counter[16], uint8_t *out, size_t blocks);
} mb_aes_cipher;

/* The three functions above. */
extern const mb_aes_cipher mb_aes_constant_time;

/* For PUBLIC keys and counters alone: two to three times as quick where there are no AES instructions, by table look-ups. */
extern const mb_aes_cipher mb_aes_vartime;

#endif
