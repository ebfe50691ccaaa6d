# SPDX-License-Identifier: Apache-2.0 OR MIT
# Big-endian, 64 bits: Debian's cross compiler for s390x; programs run under qemu-s390x.
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-s390x -L /usr/s390x-linux-gnu)
set(triple s390x-linux-gnu)
set(libraries s390x-linux-gnu)
set(foreign s390x)
include(${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake)
