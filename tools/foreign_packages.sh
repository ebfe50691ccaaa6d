#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Unpacks the libraries that the tests need, built for another architecture of Debian 12, into build/foreign/ARCHITECTURE.
# Usage: foreign_packages.sh arm64|s390x|… Needs no root and leaves the machine's own list of packages as it is.
set -eu
cd "$(dirname "$0")/.."

architecture=$1
packages="libcmocka-dev libcmocka0 libssl-dev libssl3 libjansson-dev libjansson4"
root=$PWD/build/foreign/$architecture

[ -e "$root/complete" ] && exit 0
rm -rf "$root"
mkdir -p "$root/apt/lists/partial" "$root/apt/archives/partial"
apt() {
    "$@" -o APT::Architectures::="$(dpkg --print-architecture)" -o APT::Architectures::="$architecture" \
        -o Dir::State::lists="$root/apt/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o Debug::NoLocking=1
}
echo "moonbow: fetching $architecture packages for the tests"
# An index that its mirror is just renewing is no reason to stop: what it would have given may be in another one.
apt apt-get update -q >"$root/apt/log" 2>&1 || tail -n 3 "$root/apt/log" >&2
cd "$root/apt/archives"
# shellcheck disable=SC2046,SC2086 # one argument for each package
apt apt-get download -q $(printf "%s:$architecture " $packages) >>"$root/apt/log" 2>&1 || {
    cat "$root/apt/log" >&2
    exit 1
}
for package in *.deb; do
    dpkg-deb -x "$package" "$root"
done
rm -rf "$root/apt"
touch "$root/complete"
