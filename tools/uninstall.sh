#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Removes what the last `make install` installed, then the folders of ours that are empty. Usage: uninstall.sh MANIFEST. Heeds DESTDIR.
set -eu

[ -e "$1" ] || {
    echo "moonbow: nothing was installed from here ($1 is not there)" >&2
    exit 1
}
# The manifest's last line has no end.
while IFS= read -r file || [ -n "$file" ]; do
    rm -f -- "${DESTDIR:-}$file"
done <"$1"
while IFS= read -r file || [ -n "$file" ]; do
    folder=$(dirname -- "$file")
    case $folder in
        */moonbow) rmdir -- "${DESTDIR:-}$folder" 2>/dev/null || true ;;
    esac
done <"$1"
rm -f -- "$1"
