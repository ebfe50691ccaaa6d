#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR MIT
# The demonstration of the README: a key, a signed file, its verification, a forgery, and the list of algorithms.
# Usage: demo.sh PATH-TO-MOONBOW. Works in a temporary folder and leaves nothing behind.
set -eu

tool=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# Shows a command as a user would type it, runs it, and checks its exit status.
show() {
    expected=$1
    shift
    echo
    echo "\$ $*"
    status=0
    (
        shift
        "$tool" "$@" 2>&1
    ) || status=$?
    [ "$status" -eq "$expected" ] || {
        echo "demo: exit status $status where $expected was expected" >&2
        exit 1
    }
}

show 0 moonbow keygen rainbow-III-classic -o key

echo
echo "\$ cp $(basename "$tool") document      # a real file"
cp "$tool" document
show 0 moonbow sign -k key document
show 0 moonbow verify -p key.pub document

echo
echo "\$ printf x >> document       # a forgery"
printf x >> document
show 1 moonbow verify -p key.pub document

show 0 moonbow info key.pub
show 0 moonbow list
