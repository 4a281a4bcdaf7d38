/* SPDX-License-Identifier: MIT */
/* declassify(&x, sizeof x): from here on x is public, a branch on it leaks nothing that the caller
 * does not learn anyway.  Compiles to nothing, but for the constant-time test (AESFIT_CTGRIND,
 * tests/c/constant_time.c): there secrets are memory that valgrind holds for uninitialised, and
 * this marks x initialised.  Every use is one line that says why x may be known. */
#ifndef AESFIT_PARTS_DECLASSIFY_H
#define AESFIT_PARTS_DECLASSIFY_H

#include "../core.h"

#ifdef AESFIT_CTGRIND
#include <valgrind/memcheck.h>
#endif

AESFIT_INLINE void declassify(const void *memory, size_t bytes)
{
#ifdef AESFIT_CTGRIND
    VALGRIND_MAKE_MEM_DEFINED(memory, bytes);
#else
    (void)memory;
    (void)bytes;
#endif
}

#endif
