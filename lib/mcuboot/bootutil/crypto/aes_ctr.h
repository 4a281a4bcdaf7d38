/* SPDX-License-Identifier: MIT */
/* MCUboot's interface for AES-CTR, with this library behind it.
 *
 * Put lib/mcuboot before MCUboot's own folders in the include path; no file of MCUboot changes
 * (docs/mcuboot.md).  Functions return 0, or -1 for anything else. */
#ifndef __BOOTUTIL_CRYPTO_AES_CTR_H_ /* as theirs, which this header stands in for */
#define __BOOTUTIL_CRYPTO_AES_CTR_H_

#include "bootutil/enc_key_public.h"
#include "mcuboot_config/mcuboot_config.h"
#include <aesfit.h>
#include <string.h>

/* The core of key and data; NULL is the library's choice for the target. */
#ifndef AESFIT_MCUBOOT_CORE
#define AESFIT_MCUBOOT_CORE NULL
#endif

#define BOOT_ENC_BLOCK_SIZE 16

#ifdef __cplusplus
extern "C" {
#endif

typedef aesfit_key bootutil_aes_ctr_context;

static inline void bootutil_aes_ctr_init(bootutil_aes_ctr_context *ctx)
{
    memset(ctx, 0, sizeof *ctx); /* not usable until a key is set */
}

static inline void bootutil_aes_ctr_drop(bootutil_aes_ctr_context *ctx)
{
    aesfit_wipe(ctx, sizeof *ctx);
}

static inline int bootutil_aes_ctr_set_key(bootutil_aes_ctr_context *ctx, const uint8_t *k)
{
    const int status =
        aesfit_expand_key(ctx, AESFIT_MCUBOOT_CORE, k, BOOT_ENC_KEY_SIZE, AESFIT_ENCRYPT);
    return status == AESFIT_OK ? 0 : -1;
}

/* blk_off: bytes of the first key stream block that are left out, 0 to 15.  `counter` becomes that
 * of the next block. */
static inline int bootutil_aes_ctr_encrypt(bootutil_aes_ctr_context *ctx, uint8_t *counter,
                                           const uint8_t *m, uint32_t mlen, size_t blk_off,
                                           uint8_t *c)
{
    uint8_t left_out[BOOT_ENC_BLOCK_SIZE] = {0};
    aesfit_ctr state;
    int status = blk_off < BOOT_ENC_BLOCK_SIZE ? aesfit_ctr_start(&state, counter, 128) : -1;
    if (status == AESFIT_OK)
        status = aesfit_ctr_crypt(ctx, &state, left_out, left_out, blk_off);
    if (status == AESFIT_OK)
        status = aesfit_ctr_crypt(ctx, &state, c, m, mlen);
    if (status == AESFIT_OK)
        memcpy(counter, state.counter, sizeof state.counter);
    aesfit_wipe(left_out, sizeof left_out);
    aesfit_wipe(&state, sizeof state);
    return status == AESFIT_OK ? 0 : -1;
}

static inline int bootutil_aes_ctr_decrypt(bootutil_aes_ctr_context *ctx, uint8_t *counter,
                                           const uint8_t *c, uint32_t clen, size_t blk_off,
                                           uint8_t *m)
{
    return bootutil_aes_ctr_encrypt(ctx, counter, c, clen, blk_off, m);
}

#ifdef __cplusplus
}
#endif
#endif
