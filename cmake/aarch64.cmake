# SPDX-License-Identifier: Apache-2.0 OR MIT
# Debian's cross compiler for AArch64; programs run under qemu-aarch64.
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
set(triple aarch64-linux-gnu)
set(libraries aarch64-linux-gnu)
set(foreign arm64)
include(${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake)
