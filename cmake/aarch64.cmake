# SPDX-License-Identifier: Apache-2.0 OR MIT
# Debian's cross compiler for AArch64; programs run under qemu-aarch64. Libraries of the tests: tools/foreign_packages.sh arm64.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)

get_filename_component(foreign ${CMAKE_CURRENT_LIST_DIR}/../build/foreign/arm64 ABSOLUTE)
set(CMAKE_C_STANDARD_INCLUDE_DIRECTORIES ${foreign}/usr/include/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH ${foreign} /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(ENV{PKG_CONFIG_LIBDIR} ${foreign}/usr/lib/aarch64-linux-gnu/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${foreign})
