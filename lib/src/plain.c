/* SPDX-License-Identifier: MIT */
/* The key set-ups of aesfit_link.h as functions, for callers that do not see that header: other
 * languages, and pointers to functions.  They link the default cores. */
#include "core.h"

#undef aesfit_expand_key
#undef aesfit_xts_expand_key
#undef aesfit_gcm_expand_key
#undef aesfit_gcm_siv_expand_key

int aesfit_expand_key(aesfit_key *key, const aesfit_core *core, const uint8_t *raw_key,
                      size_t key_bytes, unsigned directions)
{
    return aesfit_expand_key_inline(key, core, raw_key, key_bytes, directions);
}

#ifndef AESFIT_WITHOUT_XTS
int aesfit_xts_expand_key(aesfit_xts_key *key, const aesfit_core *core, const uint8_t *raw_key,
                          size_t key_bytes, unsigned directions)
{
    return aesfit_xts_expand_key_inline(key, core, raw_key, key_bytes, directions);
}
#endif

#ifndef AESFIT_WITHOUT_GCM
int aesfit_gcm_expand_key(aesfit_gcm_key *key, const aesfit_core *core, const aesfit_ghash *ghash,
                          const uint8_t *raw_key, size_t key_bytes)
{
    return aesfit_gcm_expand_key_inline(key, core, ghash, raw_key, key_bytes);
}
#endif

#ifndef AESFIT_WITHOUT_GCM_SIV
int aesfit_gcm_siv_expand_key(aesfit_gcm_siv_key *key, const aesfit_core *core,
                              const aesfit_ghash *ghash, const uint8_t *raw_key, size_t key_bytes)
{
    return aesfit_gcm_siv_expand_key_inline(key, core, ghash, raw_key, key_bytes);
}
#endif
