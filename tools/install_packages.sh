#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Installs what building and testing need from Debian 12's own packages; says nothing when all is there.
# Usage: install_packages.sh [build|test|all|docs|hardware]; `build` is what the tool, the library and the provider are built with, `all` what
# `make test-all` needs besides, `docs` and `hardware` what `make docs` and `make hardware` need. `test`, the default, is what `make test` needs.
# Needs root, or sudo, only when something is missing.
set -eu

build="
  g++ gcc cmake ninja-build pkg-config python3
  libssl-dev openssl libcli11-dev nlohmann-json3-dev
  libcmocka-dev libjansson-dev
"
test="$build
  valgrind python3-dev python3-venv
  clang libclang-rt-14-dev clang-format llvm binutils
  mandoc zsh fish
  verilator iverilog libpython3.11
  gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm
  gcc-aarch64-linux-gnu g++-aarch64-linux-gnu qemu-user
"
case "${1:-test}" in
build) packages=$build ;;
test) packages=$test ;;
all)
    packages="$test
      gcc-i686-linux-gnu g++-i686-linux-gnu
      gcc-s390x-linux-gnu g++-s390x-linux-gnu
      clang-tidy cppcheck frama-c-base doxygen
      debhelper dh-python dpkg-dev lintian
    "
    ;;
docs) packages="make python3 python3-venv doxygen" ;;
hardware) packages="$test yosys opensta qrouter qflow-tech-osu035" ;;
*)
    echo "usage: install_packages.sh [build|test|all|docs|hardware]" >&2
    exit 2
    ;;
esac

missing=""
for package in $packages; do
    if ! dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed'; then
        missing="$missing $package"
    fi
done
[ -z "$missing" ] && exit 0

run=""
if [ "$(id -u)" -ne 0 ]; then
    run="sudo"
    command -v sudo >/dev/null || {
        echo "moonbow: these packages are missing and need root to install:$missing" >&2
        exit 1
    }
fi
echo "moonbow: installing$missing"
$run apt-get update -q
DEBIAN_FRONTEND=noninteractive $run apt-get install -q -y --no-install-recommends $missing
