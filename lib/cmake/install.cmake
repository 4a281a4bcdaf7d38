# SPDX-License-Identifier: MIT
# Installs the headers, the library, its licence, and what find_package and pkg-config read; both
# find the rest from where they lie, so what is installed can be moved.
include(CMakePackageConfigHelpers)
set(config ${CMAKE_INSTALL_LIBDIR}/cmake/aesfit)
install(TARGETS aesfit EXPORT aesfit-targets)
install(DIRECTORY ${AESFIT_INCLUDE}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/licenses/aesfit)
install(EXPORT aesfit-targets NAMESPACE aesfit:: DESTINATION ${config})
configure_package_config_file(cmake/aesfit-config.cmake.in aesfit-config.cmake
  INSTALL_DESTINATION ${config})
write_basic_package_version_file(aesfit-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/aesfit-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/aesfit-config-version.cmake DESTINATION ${config})

# Folders of their own (as Nix gives them) are named as they are.
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR} OR IS_ABSOLUTE ${CMAKE_INSTALL_INCLUDEDIR})
  set(AESFIT_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
  set(AESFIT_PC_LIBDIR ${CMAKE_INSTALL_FULL_LIBDIR})
  set(AESFIT_PC_INCLUDEDIR ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
  file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" AESFIT_PC_PREFIX "\${pcfiledir}/${up}")
  set(AESFIT_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(AESFIT_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
list(TRANSFORM AESFIT_PUBLIC_DEFINITIONS PREPEND " -D" OUTPUT_VARIABLE AESFIT_PC_DEFINITIONS)
string(REPLACE ";" "" AESFIT_PC_DEFINITIONS "${AESFIT_PC_DEFINITIONS}")
configure_file(cmake/aesfit.pc.in aesfit.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/aesfit.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
