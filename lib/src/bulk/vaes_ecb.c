/* SPDX-License-Identifier: MIT */
/* ECB on 512-bit registers: 32 blocks in flight, a tail of up to 31 in one or two batches under
 * a mask. */
#include "bulk.h"

#if defined(__x86_64__)

#include "../parts/vaes.h"

enum { VAES_ECB_N = 8 }; /* registers in flight */

/* n registers, the last of them under a mask. */
VAES_INLINE void vaes_ecb_batch(const vaes_keys *keys, uint8_t *out, const uint8_t *in, int n,
                                __mmask8 mask, unsigned direction)
{
    __m512i x[VAES_ECB_N];
    AESNI_UNROLL
    for (int i = 0; i < n - 1; i++)
        x[i] = vaes_load(in + 64 * i);
    x[n - 1] = vaes_load_part(in + 64 * (n - 1), mask);
    vaes_crypt_n(keys, x, n, direction);
    AESNI_UNROLL
    for (int i = 0; i < n - 1; i++)
        vaes_store(out + 64 * i, x[i]);
    vaes_store_part(out + 64 * (n - 1), mask, x[n - 1]);
}

VAES_INLINE void vaes_ecb(const aesfit_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
                          unsigned direction)
{
    const vaes_keys keys = vaes_load_keys(key, direction);
    for (; blocks >= VAES_BLOCKS * VAES_ECB_N; blocks -= VAES_BLOCKS * VAES_ECB_N) {
        vaes_ecb_batch(&keys, out, in, VAES_ECB_N, vaes_mask(VAES_BLOCKS), direction);
        in += 64 * VAES_ECB_N;
        out += 64 * VAES_ECB_N;
    }
    size_t registers = (blocks + 3) / 4;
    __mmask8 mask = vaes_mask(blocks - 4 * registers + 4);
#define VAES_ECB_TAIL(n) vaes_ecb_batch(&keys, out, in, n, mask, direction)
    if (registers == 8)
        VAES_ECB_TAIL(8);
    AESNI_TAIL(registers, VAES_ECB_TAIL)
#undef VAES_ECB_TAIL
}

VAES_TARGET void aesfit_bulk_vaes_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                          size_t blocks)
{
    vaes_ecb(key, out, in, blocks, AESFIT_ENCRYPT);
}

VAES_TARGET void aesfit_bulk_vaes_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                          size_t blocks)
{
    vaes_ecb(key, out, in, blocks, AESFIT_DECRYPT);
}

#endif
