/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A running signature: lies at the start of the scratch memory, the scheme's state behind it. */
#ifndef MB_SIGNATURE_SIGN_H
#define MB_SIGNATURE_SIGN_H

#include "scheme/scheme.h"

struct moonbow_signing {
    const moonbow_signer *signer;
    void *state;
    size_t scratch_bytes; /* in use: to be wiped */
};

#endif
