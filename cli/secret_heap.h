// SPDX-License-Identifier: Apache-2.0 OR MIT
// What libcrypto allocates while it decodes, encrypts and decrypts keys.
#pragma once

namespace cli {

// Gives libcrypto memory that is wiped whenever it is freed and, from a KiB on, left out of core dumps. To be called
// before anything else of libcrypto's.
void guard_libcrypto();

} // namespace cli
