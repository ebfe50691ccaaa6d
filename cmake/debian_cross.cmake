# SPDX-License-Identifier: Apache-2.0 OR MIT
# What Debian's cross compilers have in common. The caller sets `triple`, the prefix of the compiler's name, `foreign`, the
# architecture as Debian calls it, and `libraries`, the same in the names of library folders.
# The tests' libraries are put into build/foreign by tools/foreign_packages.sh.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER ${triple}-gcc)
set(CMAKE_CXX_COMPILER ${triple}-g++)

get_filename_component(foreign_root ${CMAKE_CURRENT_LIST_DIR}/../build/foreign/${foreign} ABSOLUTE)
set(CMAKE_C_STANDARD_INCLUDE_DIRECTORIES ${foreign_root}/usr/include/${libraries})
set(CMAKE_FIND_ROOT_PATH ${foreign_root} /usr/${triple})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_LIBRARY_ARCHITECTURE ${libraries})
set(ENV{PKG_CONFIG_LIBDIR} ${foreign_root}/usr/lib/${libraries}/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${foreign_root})
