/* SPDX-License-Identifier: MIT */
/* Driver of aes32_axil, the AES core behind AXI4-Lite (rtl/aes32_axil.v).
 *
 * C11; no allocation, no globals, nothing of a libc but memcpy and memset.  Functions wait for the
 * core by reading STATUS; one device must not be used by two threads, or by an interrupt, at once.
 * A function returns AES32_AXIL_OK or what went wrong.
 *
 * After ERR_REFUSED and ERR_TIMEOUT the driver has told the core to erase everything; only a call
 * of aes32_axil_erase() that returns OK says that it is done.  After ERR_REFUSED, ERR_TIMEOUT and
 * ERR_AUTHENTICATION all of `out` is zeros, so that a call in place loses its text; after other
 * errors `out` is as it was.  `iv`, `counter` and a tag that is computed change only if the
 * function returns OK.
 *
 * `out` and `in` are the same buffer or do not overlap.  Both aligned to 4 bytes is faster.
 * Texts may be empty; pointers may be NULL only to an empty text. */
#ifndef AES32_AXIL_H
#define AES32_AXIL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    AES32_AXIL_OK = 0,
    AES32_AXIL_ERR_ARGUMENT = -1,       /* NULL, or a length that is none */
    AES32_AXIL_ERR_DEVICE = -2,         /* at this address is no core with this register map */
    AES32_AXIL_ERR_NO_KEY = -3,         /* no key was loaded, or it was erased */
    AES32_AXIL_ERR_BUSY = -4,           /* blocks of somebody else are in the core */
    AES32_AXIL_ERR_REFUSED = -5,        /* the core refused an access */
    AES32_AXIL_ERR_TIMEOUT = -6,        /* the core did not answer */
    AES32_AXIL_ERR_AUTHENTICATION = -7, /* the tag is wrong */
};

typedef struct aes32_axil {
    volatile uint32_t *registers;
} aes32_axil;

/* Checks which core is at `base`, and waits until its reset has erased it. */
int aes32_axil_open(aes32_axil *device, volatile void *base);

/* Erases, then loads a key of 16, 24 or 32 bytes. */
int aes32_axil_load_key(const aes32_axil *device, const uint8_t *key, size_t key_bytes);

/* Waits until zeros are written over the key and over all that is left of blocks. */
int aes32_axil_erase(const aes32_axil *device);

/* Blocks of 16 bytes, each for itself (ECB). */
int aes32_axil_encrypt(const aes32_axil *device, uint8_t *out, const uint8_t *in, size_t blocks);
int aes32_axil_decrypt(const aes32_axil *device, uint8_t *out, const uint8_t *in, size_t blocks);

/* SP 800-38A, 6.2.  `iv` becomes that of the blocks that follow.  A block waits for the one before
 * it to encrypt, not to decrypt. */
int aes32_axil_cbc_encrypt(const aes32_axil *device, uint8_t iv[16], uint8_t *out,
                           const uint8_t *in, size_t blocks);
int aes32_axil_cbc_decrypt(const aes32_axil *device, uint8_t iv[16], uint8_t *out,
                           const uint8_t *in, size_t blocks);

/* SP 800-38A, 6.5, both directions.  All 16 bytes of `counter` count, big-endian, and it becomes
 * that of the next block: a text may be given in parts of whole blocks. */
int aes32_axil_ctr(const aes32_axil *device, uint8_t counter[16], uint8_t *out, const uint8_t *in,
                   size_t bytes);

/* SP 800-38C: nonce of 7 to 13 bytes, tag of 4, 6, 8, 10, 12, 14 or 16, below 65,280 bytes of
 * associated data, and a text whose length fits 15 - nonce_bytes bytes. */
int aes32_axil_ccm_encrypt(const aes32_axil *device, const uint8_t *nonce, size_t nonce_bytes,
                           const uint8_t *ad, size_t ad_bytes, uint8_t *out, const uint8_t *in,
                           size_t bytes, uint8_t *tag, size_t tag_bytes);
int aes32_axil_ccm_decrypt(const aes32_axil *device, const uint8_t *nonce, size_t nonce_bytes,
                           const uint8_t *ad, size_t ad_bytes, uint8_t *out, const uint8_t *in,
                           size_t bytes, const uint8_t *tag, size_t tag_bytes);

#ifdef __cplusplus
}
#endif

#endif
