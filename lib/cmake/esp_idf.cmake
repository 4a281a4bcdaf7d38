# SPDX-License-Identifier: MIT
# The library as a component of ESP-IDF: the cores and modes that its Kconfig chose.
if(CMAKE_BUILD_EARLY_EXPANSION) # asked for requirements alone, before Kconfig has run: there are none
  idf_component_register()
  return()
endif()

include(${CMAKE_CURRENT_LIST_DIR}/sources.cmake)
aesfit_configured(cores AESFIT_CORE ${aesfit_all_cores})
aesfit_configured(modes AESFIT_MODE ${aesfit_all_modes})
aesfit_select("${cores}" "${modes}")
idf_component_register(SRCS ${AESFIT_SOURCES} INCLUDE_DIRS ${CMAKE_CURRENT_LIST_DIR}/../include)
target_compile_definitions(${COMPONENT_LIB} PRIVATE ${AESFIT_DEFINITIONS})
target_compile_options(${COMPONENT_LIB} PRIVATE ${CONFIG_AESFIT_OPTIMISE})
