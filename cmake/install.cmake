# SPDX-License-Identifier: Apache-2.0 OR MIT
# What `cmake --install` puts where: headers, libraries, the CMake package, the pkg-config file, the tool with its manual and completions.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/moonbow)

install(DIRECTORY include/moonbow DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE LICENSE-APACHE LICENSE-MIT DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES docs/man/moonbow.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)

# Static and shared library are packages of their own, so that either can be installed alone.
install(TARGETS moonbow EXPORT moonbow-static ARCHIVE COMPONENT development
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT moonbow-static NAMESPACE moonbow:: DESTINATION ${package_folder} COMPONENT development)
if(MOONBOW_SHARED)
  install(TARGETS moonbow_shared EXPORT moonbow-shared LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
          INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT moonbow-shared NAMESPACE moonbow:: DESTINATION ${package_folder} COMPONENT development)
endif()
configure_package_config_file(cmake/moonbow-config.cmake.in moonbow-config.cmake INSTALL_DESTINATION ${package_folder}
                              NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(moonbow-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/moonbow-config.cmake ${PROJECT_BINARY_DIR}/moonbow-config-version.cmake
        DESTINATION ${package_folder} COMPONENT development)

if(CMAKE_SYSTEM_PROCESSOR STREQUAL "cortex-m4") # for the projects that use the library
  install(FILES cmake/cortex-m4.cmake DESTINATION ${package_folder} COMPONENT development)
endif()

# pkg-config: paths relative to the file itself, so that a moved or staged tree works. Folders given as absolute paths stay absolute.
function(path_for_pkg_config variable folder)
  if(IS_ABSOLUTE ${folder})
    set(${variable} ${folder} PARENT_SCOPE)
  else()
    set(${variable} "\${prefix}/${folder}" PARENT_SCOPE)
  endif()
endfunction()
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(pkg_config_prefix ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  string(REGEX REPLACE "/$" "" up ${up})
  set(pkg_config_prefix "\${pcfiledir}/${up}")
endif()
path_for_pkg_config(pkg_config_includedir ${CMAKE_INSTALL_INCLUDEDIR})
path_for_pkg_config(pkg_config_libdir ${CMAKE_INSTALL_LIBDIR})
configure_file(cmake/moonbow.pc.in moonbow.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/moonbow.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

if(MOONBOW_CLI)
  install(TARGETS moonbow_cli RUNTIME)
  install(FILES docs/man/moonbow.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES cli/completion/moonbow.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME moonbow)
  install(FILES cli/completion/_moonbow DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES cli/completion/moonbow.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

# Where OpenSSL looks for modules, if the prefix is the system's; elsewhere openssl.cnf names the file (docs/guide/openssl.md).
if(TARGET moonbow_provider)
  install(TARGETS moonbow_provider LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/ossl-modules COMPONENT provider)
  install(FILES docs/man/OSSL_PROVIDER-moonbow.7 DESTINATION ${CMAKE_INSTALL_MANDIR}/man7 COMPONENT provider)
endif()
