/* SPDX-License-Identifier: MIT */
/* The C library as one translation unit bound to one core (AESFIT_BOUND of lib/src/core.h), so that
 * no call goes through a pointer and the linker drops what Rust does not call.  build.rs says which
 * core and which sizes of keys, and reads from the preprocessed text how long contexts are. */
#include "core.h"

#include AESFIT_RUST_CORE_FILE
#include "ghash/shift32.c"
#include "key.c"
#include "status.c"

#include "modes/ccm.c"
#include "modes/ecb.c"
#include "modes/gcm.c"

enum { aesfit_rust_key_words = AESFIT_KEY_WORDS };
enum { aesfit_rust_ghash_words = AESFIT_GHASH_WORDS };

/* src/ffi.rs holds its own structs against the same numbers. */
#ifdef AESFIT_RUST_KEY_BYTES
_Static_assert(sizeof(aesfit_key) == AESFIT_RUST_KEY_BYTES, "Rust has another aesfit_key");
_Static_assert(offsetof(aesfit_key, schedule) == AESFIT_RUST_SCHEDULE_AT, "Rust has another one");
_Static_assert(sizeof(aesfit_gcm_key) == AESFIT_RUST_GCM_KEY_BYTES, "Rust has another GCM key");
_Static_assert(offsetof(aesfit_gcm_key, h) == AESFIT_RUST_KEY_BYTES, "Rust has another GCM key");
#endif
