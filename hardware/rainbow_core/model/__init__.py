# SPDX-License-Identifier: Apache-2.0 OR MIT
# Golden model of the signing core: fields, the 2008 scheme, third-round signing, the key stream. Start at README.md of the folder above.
