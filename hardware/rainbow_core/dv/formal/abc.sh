#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Debian's yosys-abc for a newer SymbiYosys: without an option of pdr that this abc does not know.
[ "$1" = -c ] || exit 2
exec yosys-abc -c "$(printf %s "$2" | sed 's/pdr -v -l/pdr -v/')"
