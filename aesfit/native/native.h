/* SPDX-License-Identifier: MIT */
/* What the files of the extension share: errors, argument conversion, and one bind function each.
 *
 * Every argument arrives as a plain nb::handle and is converted here.  That keeps a call of a few
 * bytes cheap (no overload resolution, no array type), and makes each refusal one clear sentence.
 */
#pragma once

#include <cstdint>
#include <nanobind/nanobind.h>

#include "aesfit.h"

namespace nb = nanobind;

/* ------------------------------------------------------------------- errors */

/* Raise one Python exception; the format is that of PyErr_Format. */
[[noreturn]] void raise_value_error(const char *format, ...);
[[noreturn]] void raise_type_error(const char *format, ...);
[[noreturn]] void raise_runtime_error(const char *format, ...);
[[noreturn]] void raise_authentication_error(const char *sentence);
[[noreturn]] void raise_self_test_error(const char *failed);
/* AuthenticationError, UnavailableCore, RuntimeError or ValueError with the library's sentence. */
[[noreturn]] void raise_status(int status);

inline void check(int status)
{
    if (status != AESFIT_OK)
        raise_status(status);
}

/* ---------------------------------------------------------------- arguments */

/* A built-in core that this processor can run; None is the default core. */
const aesfit_core *core_argument(nb::handle name);
/* A GHASH multiplier likewise; None is the default one. */
const aesfit_ghash *ghash_argument(nb::handle name);
/* An int within low..high. */
uint64_t int_argument(nb::handle value, const char *name, uint64_t low, uint64_t high);
bool bool_argument(nb::handle value, const char *name);
/* A str; `name` is for the error. */
const char *str_argument(nb::handle value, const char *name);
/* Raises ValueError naming the nearest of `known` (`kind` is "mode", "ghash" ...). */
[[noreturn]] void raise_unknown(const char *kind, const char *name, nb::handle known);

/* Fills `key` for `directions` or raises; `key` is wiped when it was refused. */
class ByteInput;
void expand_key(aesfit_key *key, nb::handle core, const ByteInput &raw_key, unsigned directions);

/* ---------------------------------------------------------------- functions */

void bind_errors();
void bind_catalog(nb::module_ &m);
void bind_modes(nb::module_ &m);
void bind_block(nb::module_ &m);
void bind_cipher(nb::module_ &m);
void bind_stream(nb::module_ &m);
void bind_aead(nb::module_ &m);
void bind_functions(nb::module_ &m);
void bind_nonces(nb::module_ &m);
void bind_ccmp(nb::module_ &m);
void bind_stopwatch(nb::module_ &m);
void bind_cache(nb::module_ &m);
void bind_memory(nb::module_ &m);
