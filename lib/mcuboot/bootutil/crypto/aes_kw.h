/* SPDX-License-Identifier: MIT */
/* MCUboot's interface for AES key unwrapping (SP 800-38F KW, RFC 3394), with this library behind
 * it; see aes_ctr.h beside this file. */
#ifndef __BOOTUTIL_CRYPTO_AES_KW_H_ /* as theirs, which this header stands in for */
#define __BOOTUTIL_CRYPTO_AES_KW_H_

#include "bootutil/crypto/aes_ctr.h" /* the core */

#ifdef __cplusplus
extern "C" {
#endif

typedef aesfit_key bootutil_aes_kw_context;

static inline void bootutil_aes_kw_init(bootutil_aes_kw_context *ctx)
{
    memset(ctx, 0, sizeof *ctx);
}

static inline void bootutil_aes_kw_drop(bootutil_aes_kw_context *ctx)
{
    aesfit_wipe(ctx, sizeof *ctx);
}

/* klen: 16, 24 or 32 bytes, if the library is built for such keys. */
static inline int bootutil_aes_kw_set_unwrap_key(bootutil_aes_kw_context *ctx, const uint8_t *k,
                                                 uint32_t klen)
{
    const int status = aesfit_expand_key(ctx, AESFIT_MCUBOOT_CORE, k, klen, AESFIT_DECRYPT);
    return status == AESFIT_OK ? 0 : -1;
}

/* wrapped_key_len: key_len + 8.  On failure `key` is wiped. */
static inline int bootutil_aes_kw_unwrap(bootutil_aes_kw_context *ctx, const uint8_t *wrapped_key,
                                         uint32_t wrapped_key_len, uint8_t *key, uint32_t key_len)
{
    size_t bytes = 0;
    const int status = aesfit_key_unwrap(ctx, key, key_len, &bytes, wrapped_key, wrapped_key_len);
    if (status == AESFIT_OK && bytes == key_len)
        return 0;
    aesfit_wipe(key, key_len);
    return -1;
}

#ifdef __cplusplus
}
#endif
#endif
