# SPDX-License-Identifier: MIT
# Puts the driver into a build of Mbed TLS 3.6 or TF-PSA-Crypto 1.0, whose files stay as they are:
#   cmake -DCMAKE_PROJECT_INCLUDE=<here>/aesfit_psa.cmake <their tree>
# AESFIT_CORES, AESFIT_MODES, AESFIT_GHASHES and AESFIT_KEY_BITS mean what they mean in the library.
if(NOT CMAKE_CURRENT_SOURCE_DIR STREQUAL CMAKE_SOURCE_DIR OR AESFIT_PSA_INCLUDED)
  return() # a project inside the first one
endif()
set(AESFIT_PSA_INCLUDED TRUE)
set(AESFIT_PSA_FOLDER ${CMAKE_CURRENT_LIST_DIR})
set(AESFIT_CORES "default" CACHE STRING "Cores of aesfit to build")
set(AESFIT_MODES "all" CACHE STRING "Modes of aesfit to build")
set(AESFIT_GHASHES "default" CACHE STRING "GHASH multipliers of aesfit to build")
set(AESFIT_KEY_BITS "128;192;256" CACHE STRING "Sizes of keys, in bits")
include(${AESFIT_PSA_FOLDER}/../cmake/sources.cmake)
set(CMAKE_CURRENT_BINARY_DIR ${CMAKE_BINARY_DIR}/aesfit) # their own folder `include` is theirs
aesfit_key_lines(lines "${AESFIT_KEY_BITS}" "both")
aesfit_select("${AESFIT_CORES}" "${AESFIT_MODES}" "${AESFIT_GHASHES}" "${lines}")
set(CMAKE_CURRENT_BINARY_DIR ${CMAKE_BINARY_DIR})
# Everything that includes psa/crypto.h must see the same contexts.
include_directories(BEFORE ${AESFIT_PSA_FOLDER}/overlay ${AESFIT_INCLUDE} ${AESFIT_PSA_FOLDER})

function(aesfit_psa_add)
  set(found FALSE)
  foreach(name IN ITEMS mbedcrypto mbedcrypto_static tfpsacrypto tfpsacrypto_static)
    if(TARGET ${name})
      get_target_property(kind ${name} TYPE)
      if(kind MATCHES "LIBRARY" AND NOT kind STREQUAL "INTERFACE_LIBRARY")
        set(found TRUE)
        foreach(source IN ITEMS cipher aead mac)
          target_sources(${name} PRIVATE ${AESFIT_PSA_FOLDER}/aesfit_psa_${source}.c)
        endforeach()
        target_sources(${name} PRIVATE ${AESFIT_SOURCES})
      endif()
    endif()
  endforeach()
  if(NOT found)
    message(FATAL_ERROR "aesfit: no target mbedcrypto or tfpsacrypto; is this Mbed TLS 3.6 or "
      "TF-PSA-Crypto 1.0?")
  endif()
endfunction()
cmake_language(DEFER CALL aesfit_psa_add)
