// SPDX-License-Identifier: MIT
// The extension aesfit._native: the C library for Python.  aesfit/_native.pyi has its types.
#include "native.h"

NB_MODULE(_native, m)
{
    m.doc() = "The C library aesfit, bound thinly; use it through the package aesfit.";
    bind_errors();
    bind_catalog(m);
    bind_modes(m);
    bind_block(m);
    bind_cipher(m);
    bind_stream(m);
    bind_aead(m);
    bind_functions(m);
    bind_ccmp(m);
    bind_nonces(m);
    bind_stopwatch(m);
    bind_cache(m);
    bind_memory(m);
}
