# SPDX-License-Identifier: MIT
# What the library is made of: its registers, and the sources of chosen cores and modes.
# ../CMakeLists.txt and the builds of firmware (esp_idf.cmake, ../zephyr) include it.

get_filename_component(aesfit_src ${CMAKE_CURRENT_LIST_DIR}/../src ABSOLUTE)

# Sets `out` to what the register `file` lists as MACRO(what).
function(aesfit_register out file macro)
  file(STRINGS ${file} lines REGEX "^${macro}\\(")
  list(TRANSFORM lines REPLACE "^${macro}\\((.*)\\).*$" "\\1")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  set(${out} ${lines} PARENT_SCOPE)
endfunction()

# Sets `out` to `wanted`, or to everything registered for "all"; an unknown name is an error, and
# so is no name.
function(aesfit_choose out kind wanted)
  if(wanted STREQUAL "all")
    set(${out} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  list(JOIN ARGN " " known)
  if(wanted STREQUAL "")
    message(FATAL_ERROR "${kind}: none is chosen; choose from: ${known}")
  endif()
  foreach(name IN LISTS wanted)
    if(NOT name IN_LIST ARGN)
      message(FATAL_ERROR "${kind}: there is no \"${name}\"; choose from: ${known}")
    endif()
  endforeach()
  set(${out} ${wanted} PARENT_SCOPE)
endfunction()

aesfit_register(aesfit_all_cores ${aesfit_src}/cores/cores.def CORE)
aesfit_register(aesfit_all_modes ${aesfit_src}/modes/modes.def MODE)
aesfit_register(aesfit_all_ghashes ${aesfit_src}/ghash/ghash.def GHASH)
aesfit_register(aesfit_all_bulk ${aesfit_src}/bulk/bulk.def BULK)
aesfit_register(aesfit_over ${aesfit_src}/modes/modes.def OVER)
aesfit_register(aesfit_streamed ${aesfit_src}/modes/modes.def STREAM)

# Sets `out` to the file of a core, from src/: cores/ or cores/study/ holds it.
function(aesfit_core_file out core)
  set(file cores/study/${core}.c)
  if(NOT EXISTS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../src/${file})
    set(file cores/${core}.c)
  endif()
  set(${out} ${file} PARENT_SCOPE)
endfunction()

# Sets `out` to the names among ARGN that Kconfig chose: CONFIG_<prefix>_<NAME> is set.
function(aesfit_configured out prefix)
  set(chosen)
  foreach(name IN LISTS ARGN)
    string(TOUPPER ${name} symbol)
    if(CONFIG_${prefix}_${symbol})
      list(APPEND chosen ${name})
    endif()
  endforeach()
  set(${out} ${chosen} PARENT_SCOPE)
endfunction()

# For lists of cores and modes, each of which may be "all", sets
#   AESFIT_SOURCES, AESFIT_DEFINITIONS   what to compile, and with which macros
#   AESFIT_CHOSEN_CORES                  the cores by name
function(aesfit_select wanted_cores wanted_modes)
  aesfit_choose(cores AESFIT_CORES "${wanted_cores}" ${aesfit_all_cores})
  aesfit_choose(modes AESFIT_MODES "${wanted_modes}" ${aesfit_all_modes})
  foreach(pair IN LISTS aesfit_over) # modes written over another one bring it along
    string(REPLACE ", " ";" pair "${pair}")
    list(GET pair 0 mode)
    if(mode IN_LIST modes)
      list(APPEND modes ${pair})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES modes)

  set(sources key register status self_test)
  set(streamed ${aesfit_streamed})
  list(REMOVE_ITEM streamed ${modes})
  if(NOT streamed)
    list(APPEND sources stream)
  endif()
  set(ghash ${aesfit_all_ghashes})
  set(bulk)
  if("aesni" IN_LIST cores)
    set(bulk ${aesfit_all_bulk})
  endif()
  foreach(folder IN ITEMS modes ghash bulk)
    list(TRANSFORM ${folder} PREPEND ${folder}/ OUTPUT_VARIABLE files)
    list(APPEND sources ${files})
  endforeach()
  list(TRANSFORM sources APPEND .c)
  foreach(core IN LISTS cores)
    aesfit_core_file(file ${core})
    list(APPEND sources ${file})
  endforeach()
  list(TRANSFORM sources PREPEND ${aesfit_src}/)

  # The self-test skips the answers of modes that are not there.
  set(definitions)
  set(left_out ${aesfit_all_modes})
  list(REMOVE_ITEM left_out ${modes})
  foreach(mode IN LISTS left_out)
    string(TOUPPER ${mode} name)
    list(APPEND definitions AESFIT_WITHOUT_${name})
  endforeach()

  if(NOT wanted_cores STREQUAL "all")
    file(READ ${aesfit_src}/cores/cores.def chosen)
    set(left_out ${aesfit_all_cores})
    list(REMOVE_ITEM left_out ${cores})
    foreach(core IN LISTS left_out)
      string(REPLACE "CORE(${core})\n" "" chosen "${chosen}")
    endforeach()
    configure_file(${aesfit_src}/../cmake/cores.def.in ${CMAKE_CURRENT_BINARY_DIR}/cores.def @ONLY)
    list(APPEND definitions AESFIT_CORES_DEF="${CMAKE_CURRENT_BINARY_DIR}/cores.def")
  endif()

  set(AESFIT_CHOSEN_CORES ${cores} PARENT_SCOPE)
  set(AESFIT_SOURCES ${sources} PARENT_SCOPE)
  set(AESFIT_DEFINITIONS ${definitions} PARENT_SCOPE)
endfunction()
