/* SPDX-License-Identifier: MIT */
/* Part of aesfit.h: cores and GHASH multipliers as objects, and what a key set-up links.
 *
 * A core that is named by its object (&aesfit_core_transposed) is not NULL, which an optimising
 * compiler sees: then the default core is not linked.  Without optimisation, or where the core is
 * only known at run time, both are.  The functions of these names do the same for callers without
 * this header.  The functions `_of` take no NULL for a core or a multiplier. */
#ifndef AESFIT_LINK_H
#define AESFIT_LINK_H

#if defined(__GNUC__)
#define AESFIT_SEEN_THROUGH static inline __attribute__((always_inline, unused))
#else
#define AESFIT_SEEN_THROUGH static inline
#endif

/* aesfit_core_<name> of each core of aesfit_config.h: a program links those that it names.
 * aesfit_core_<name>_encrypt: the same without decryption, for modes that only encrypt blocks. */
#define AESFIT_DECLARE(name)                                                                       \
    extern const aesfit_core aesfit_core_##name, aesfit_core_##name##_encrypt;
AESFIT_EVERY_CORE(AESFIT_DECLARE)
#undef AESFIT_DECLARE
/* aesfit_ghash_<name> of each multiplier. */
#define AESFIT_DECLARE(name) extern const aesfit_ghash aesfit_ghash_##name;
AESFIT_EVERY_GHASH(AESFIT_DECLARE)
#undef AESFIT_DECLARE

/* aesfit_default_core() without decryption. */
const aesfit_core *aesfit_default_encrypt_core(void);

int aesfit_expand_key_of(aesfit_key *key, const aesfit_core *core, const uint8_t *raw_key,
                         size_t key_bytes, unsigned directions);
int aesfit_xts_expand_key_of(aesfit_xts_key *key, const aesfit_core *core, const uint8_t *raw_key,
                             size_t key_bytes, unsigned directions);
int aesfit_gcm_expand_key_of(aesfit_gcm_key *key, const aesfit_core *core,
                             const aesfit_ghash *ghash, const uint8_t *raw_key, size_t key_bytes);
int aesfit_gcm_siv_expand_key_of(aesfit_gcm_siv_key *key, const aesfit_core *core,
                                 const aesfit_ghash *ghash, const uint8_t *raw_key,
                                 size_t key_bytes);

/* The core to expand a key with. */
AESFIT_SEEN_THROUGH const aesfit_core *aesfit_core_or_default(const aesfit_core *core,
                                                              unsigned directions)
{
    if (core != NULL)
        return core;
    return directions == AESFIT_ENCRYPT ? aesfit_default_encrypt_core() : aesfit_default_core();
}

AESFIT_SEEN_THROUGH int aesfit_expand_key_inline(aesfit_key *key, const aesfit_core *core,
                                                 const uint8_t *raw_key, size_t key_bytes,
                                                 unsigned directions)
{
    return aesfit_expand_key_of(key, aesfit_core_or_default(core, directions), raw_key, key_bytes,
                                directions);
}

AESFIT_SEEN_THROUGH int aesfit_xts_expand_key_inline(aesfit_xts_key *key, const aesfit_core *core,
                                                     const uint8_t *raw_key, size_t key_bytes,
                                                     unsigned directions)
{
    return aesfit_xts_expand_key_of(key, aesfit_core_or_default(core, directions), raw_key,
                                    key_bytes, directions);
}

AESFIT_SEEN_THROUGH int aesfit_gcm_expand_key_inline(aesfit_gcm_key *key, const aesfit_core *core,
                                                     const aesfit_ghash *ghash,
                                                     const uint8_t *raw_key, size_t key_bytes)
{
    return aesfit_gcm_expand_key_of(key, aesfit_core_or_default(core, AESFIT_ENCRYPT),
                                    ghash != NULL ? ghash : aesfit_default_ghash(), raw_key,
                                    key_bytes);
}

AESFIT_SEEN_THROUGH int aesfit_gcm_siv_expand_key_inline(aesfit_gcm_siv_key *key,
                                                         const aesfit_core *core,
                                                         const aesfit_ghash *ghash,
                                                         const uint8_t *raw_key, size_t key_bytes)
{
    return aesfit_gcm_siv_expand_key_of(key, aesfit_core_or_default(core, AESFIT_ENCRYPT),
                                        ghash != NULL ? ghash : aesfit_default_ghash(), raw_key,
                                        key_bytes);
}

#ifdef AESFIT_CORE_IS_KNOWN /* the library's own sources, which define these functions */
#define aesfit_expand_key aesfit_expand_key_of
#define aesfit_xts_expand_key aesfit_xts_expand_key_of
#define aesfit_gcm_expand_key aesfit_gcm_expand_key_of
#define aesfit_gcm_siv_expand_key aesfit_gcm_siv_expand_key_of
#else
#define aesfit_expand_key aesfit_expand_key_inline
#define aesfit_xts_expand_key aesfit_xts_expand_key_inline
#define aesfit_gcm_expand_key aesfit_gcm_expand_key_inline
#define aesfit_gcm_siv_expand_key aesfit_gcm_siv_expand_key_inline
#endif

#endif
