/* SPDX-License-Identifier: MIT */
/* memcpy and memset, the only outside functions of the library.  Freestanding toolchains may have
 * no <string.h>; compilers emit calls to both all the same, so a firmware always has them. */
#ifndef AESFIT_PARTS_MEMORY_H
#define AESFIT_PARTS_MEMORY_H

#include <stddef.h>

#if defined(__has_include)
#if __has_include(<string.h>)
#include <string.h>
#define AESFIT_HAS_STRING_H 1
#endif
#else
#include <string.h>
#define AESFIT_HAS_STRING_H 1
#endif

#ifndef AESFIT_HAS_STRING_H
#ifdef __cplusplus
extern "C" void *memcpy(void *to, const void *from, size_t bytes);
extern "C" void *memset(void *to, int byte, size_t bytes);
#else
void *memcpy(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
#endif
#else
#undef AESFIT_HAS_STRING_H
#endif

#endif
