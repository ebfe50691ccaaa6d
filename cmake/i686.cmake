# SPDX-License-Identifier: Apache-2.0 OR MIT
# 32-bit x86 with Debian's cross compiler (gcc-multilib conflicts with the other cross compilers). An x86-64 runs the programs
# itself; the loader is named because a machine without i386 packages has none in /lib.
set(CMAKE_SYSTEM_PROCESSOR i686)
set(CMAKE_CROSSCOMPILING_EMULATOR /usr/i686-linux-gnu/lib/ld-linux.so.2 --library-path /usr/i686-linux-gnu/lib)
set(triple i686-linux-gnu)
set(libraries i386-linux-gnu)
set(foreign i386)
include(${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake)
