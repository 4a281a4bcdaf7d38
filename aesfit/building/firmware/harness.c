/* SPDX-License-Identifier: MIT */
/* The end of a measured translation unit: entry points that a rig calls with machine words.
 *
 * A core alone: rig_encrypt_block and rig_decrypt_block ARE the core's functions (aliases), with
 * the number of blocks as fourth argument: what is measured is theirs to the instruction, and they
 * read the number of rounds from the key, as in the library.  rig_key_setup_* is the core's key
 * expansion without argument checks, made to measure for one direction and one key size, as a
 * firmware gets it that has one: on ARM7TDMI at -O2 `transposed` has 276 bytes of it, and 1676 when
 * the key size is left open.
 *
 * A mode: rig_key_setup, rig_encrypt and rig_decrypt call the public functions with all their
 * checks; what they add is fetching the arguments, as any caller must.  The library has room for
 * one key size and the directions in use alone (AESFIT_BOUND_KEY_SIZES, AESFIT_BOUND_DIRECTIONS).
 */
#include "harness.h"

#ifndef RIG_MODE
typedef aesfit_key rig_context;

#ifndef RIG_ROUNDS /* fewer for study, of cores that take them */
#define RIG_ROUNDS (RIG_KEY_BITS / 32 + 6)
#endif

/* What aesfit_expand_key() writes beside the schedule, in one word. */
AESFIT_INLINE void firmware_start_key(rig_context *key)
{
    key->rounds = RIG_ROUNDS;
    key->key_words = RIG_KEY_BITS / 32;
    key->directions = RIG_DIRECTIONS;
    key->features = 0;
}

#define RIG_CORE_STEP(step) RIG_TEXT(AESFIT_JOIN(AESFIT_BOUND, step))

#if (RIG_DIRECTIONS & 1) != 0
RIG_SEEN void rig_key_setup_encrypt(rig_context *key, const uint8_t *bytes)
{
    firmware_start_key(key);
    CORE_CALL(key, expand_key)(key, bytes, AESFIT_ENCRYPT);
}

RIG_SEEN void rig_encrypt_block(const rig_context *key, uint8_t *out, const uint8_t *in,
                                size_t blocks) __attribute__((alias(RIG_CORE_STEP(encrypt))));
#endif

#if (RIG_DIRECTIONS & 2) != 0
RIG_SEEN void rig_key_setup_decrypt(rig_context *key, const uint8_t *bytes)
{
    firmware_start_key(key);
    CORE_CALL(key, expand_key)(key, bytes, AESFIT_DECRYPT);
}

RIG_SEEN void rig_decrypt_block(const rig_context *key, uint8_t *out, const uint8_t *in,
                                size_t blocks) __attribute__((alias(RIG_CORE_STEP(decrypt))));
#endif

#undef RIG_CORE_STEP

#else
RIG_OWN(key_setup) int rig_key_setup(rig_context *key, const rig_message *m)
{
    return RIG_EXPAND(key, m->key);
}
#endif

extern const uint32_t rig_context_bytes;
RIG_OWN(context_bytes) const uint32_t rig_context_bytes = sizeof(rig_context);
