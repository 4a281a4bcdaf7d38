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

# Sets `out` to `wanted`, to everything registered for "all", or for "default" to what is neither in
# cores/study/ nor off in aesfit_config.h; an unknown name is an error, and so is no name.
function(aesfit_choose out kind wanted)
  if(wanted STREQUAL "all")
    set(${out} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  if(wanted STREQUAL "default")
    set(left ${ARGN})
    list(REMOVE_ITEM left ${aesfit_study_cores} ${aesfit_long_cores} ${aesfit_long_ghashes})
    set(${out} ${left} PARENT_SCOPE)
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

set(aesfit_study_cores)
foreach(core IN LISTS aesfit_all_cores)
  if(EXISTS ${aesfit_src}/cores/study/${core}.c)
    list(APPEND aesfit_study_cores ${core})
  endif()
endforeach()

# Sets `out` to what aesfit_config.h leaves out unless it is asked for, for its long keys: cores or
# GHASH multipliers.
function(aesfit_long out prefix)
  file(STRINGS ${aesfit_src}/../include/aesfit_config.h names REGEX "^#define ${prefix}[a-z0-9_]+ 0$")
  list(TRANSFORM names REPLACE "^#define ${prefix}(.*) 0$" "\\1")
  set(${out} ${names} PARENT_SCOPE)
endfunction()
aesfit_long(aesfit_long_cores AESFIT_CORE_)
aesfit_long(aesfit_long_ghashes AESFIT_GHASH_)

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

# Writes the headers for what was chosen into ${CMAKE_CURRENT_BINARY_DIR}/include: aesfit_config.h
# begins with `lines`, the others are as they are.
function(aesfit_configure_headers lines)
  set(from ${aesfit_src}/../include)
  set(to ${CMAKE_CURRENT_BINARY_DIR}/include)
  foreach(header IN ITEMS aesfit.h aesfit_seal.h aesfit_link.h aesfit_messages.h)
    configure_file(${from}/${header} ${to}/${header} COPYONLY)
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${from}/aesfit_config.h)
  file(READ ${from}/aesfit_config.h text)
  string(REPLACE "/* Chosen by the build: nothing. */\n" "/* Chosen by the build. */\n${lines}" text
    "${text}")
  file(CONFIGURE OUTPUT ${to}/aesfit_config.h CONTENT "${text}" @ONLY)
endfunction()

# Sets `out` to lines that define <prefix><name> for what is chosen although it is off by default
# (`off`), and for what is not chosen although it is on.
function(aesfit_switches out prefix all chosen off)
  set(lines "")
  foreach(name IN LISTS all)
    if(name IN_LIST chosen AND name IN_LIST off)
      string(APPEND lines "#define ${prefix}${name} 1\n")
    elseif(NOT name IN_LIST chosen AND NOT name IN_LIST off)
      string(APPEND lines "#define ${prefix}${name} 0\n")
    endif()
  endforeach()
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()

# Sets `out` to the GHASH multipliers that Kconfig chose, which it asks for with GCM and GCM-SIV.
function(aesfit_configured_ghashes out)
  set(chosen default)
  if(CONFIG_AESFIT_MODE_GCM OR CONFIG_AESFIT_MODE_GCM_SIV)
    aesfit_configured(chosen AESFIT_GHASH ${aesfit_all_ghashes})
  endif()
  set(${out} "${chosen}" PARENT_SCOPE)
endfunction()

# Sets `out` to the lines of the configuration header for the keys that Kconfig chose.
function(aesfit_configured_keys out)
  aesfit_configured(key_bits AESFIT_KEY_BITS 128 192 256)
  set(directions both)
  if(CONFIG_AESFIT_KEYS_TO_ENCRYPT)
    set(directions encrypt)
  endif()
  aesfit_key_lines(lines "${key_bits}" ${directions})
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()

# For lists of cores, modes and GHASH multipliers, each of which may be "all" or "default", and
# lines for the
# configuration header, sets
#   AESFIT_SOURCES         what to compile
#   AESFIT_INCLUDE         the folder of the headers that say what was chosen
#   AESFIT_CHOSEN_CORES    the cores by name
function(aesfit_select wanted_cores wanted_modes wanted_ghashes lines)
  aesfit_choose(cores AESFIT_CORES "${wanted_cores}" ${aesfit_all_cores})
  aesfit_choose(modes AESFIT_MODES "${wanted_modes}" ${aesfit_all_modes})
  aesfit_choose(ghashes AESFIT_GHASHES "${wanted_ghashes}" ${aesfit_all_ghashes})
  if("aesni" IN_LIST cores) # whose paths for GCM are written over it
    list(APPEND ghashes clmul)
  endif()
  foreach(pair IN LISTS aesfit_over) # modes written over another one bring it along
    string(REPLACE ", " ";" pair "${pair}")
    list(GET pair 0 mode)
    if(mode IN_LIST modes)
      list(APPEND modes ${pair})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES modes)
  list(REMOVE_DUPLICATES ghashes)

  set(sources default describe key nonces plain register status self_test)
  set(streamed ${aesfit_streamed})
  list(REMOVE_ITEM streamed ${modes})
  if(NOT streamed)
    list(APPEND sources stream)
  endif()
  set(ghash ${ghashes})
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

  aesfit_switches(switches AESFIT_CORE_ "${aesfit_all_cores}" "${cores}"
    "${aesfit_study_cores};${aesfit_long_cores}")
  string(APPEND lines "${switches}")
  aesfit_switches(switches AESFIT_GHASH_ "${aesfit_all_ghashes}" "${ghashes}"
    "${aesfit_long_ghashes}")
  string(APPEND lines "${switches}")
  set(left_out ${aesfit_all_modes})
  list(REMOVE_ITEM left_out ${modes})
  foreach(mode IN LISTS left_out)
    string(TOUPPER ${mode} name)
    string(APPEND lines "#define AESFIT_WITHOUT_${name}\n")
  endforeach()
  aesfit_configure_headers("${lines}")

  set(AESFIT_CHOSEN_CORES ${cores} PARENT_SCOPE)
  set(AESFIT_SOURCES ${sources} PARENT_SCOPE)
  set(AESFIT_INCLUDE ${CMAKE_CURRENT_BINARY_DIR}/include PARENT_SCOPE)
endfunction()

# Sets `out` to the lines of the configuration header for key sizes in bits and directions.
function(aesfit_key_lines out key_bits directions)
  set(sum 0)
  foreach(bits IN LISTS key_bits)
    if(NOT bits MATCHES "^(128|192|256)$")
      message(FATAL_ERROR "AESFIT_KEY_BITS: keys have 128, 192 or 256 bits, not \"${bits}\"")
    endif()
    math(EXPR sum "${sum} | (1 << (${bits} / 64 - 2))")
  endforeach()
  if(sum EQUAL 0)
    message(FATAL_ERROR "AESFIT_KEY_BITS: none is chosen; choose from: 128 192 256")
  endif()
  if(NOT directions MATCHES "^(both|one|encrypt)$")
    message(FATAL_ERROR "AESFIT_DIRECTIONS: choose both, one or encrypt, not \"${directions}\"")
  endif()
  set(lines "")
  if(NOT sum EQUAL 7)
    string(APPEND lines "#define AESFIT_BOUND_KEY_SIZES ${sum}\n")
  endif()
  if(directions STREQUAL "encrypt")
    string(APPEND lines "#define AESFIT_BOUND_DIRECTIONS 1\n")
  elseif(directions STREQUAL "one")
    string(APPEND lines "#define AESFIT_KEYS_FOR_BOTH 0\n")
  endif()
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()
