# SPDX-License-Identifier: MIT
# The library as a component of ESP-IDF: the cores and modes that its Kconfig chose.
if(CMAKE_BUILD_EARLY_EXPANSION) # asked for requirements alone, before Kconfig has run: there are none
  idf_component_register()
  return()
endif()

include(${CMAKE_CURRENT_LIST_DIR}/sources.cmake)
aesfit_configured(cores AESFIT_CORE ${aesfit_all_cores})
aesfit_configured(modes AESFIT_MODE ${aesfit_all_modes})
aesfit_configured_ghashes(ghashes)
aesfit_configured_keys(lines)
aesfit_select("${cores}" "${modes}" "${ghashes}" "${lines}")
idf_component_register(SRCS ${AESFIT_SOURCES} INCLUDE_DIRS ${AESFIT_INCLUDE})
target_compile_options(${COMPONENT_LIB} PRIVATE ${CONFIG_AESFIT_OPTIMISE})
