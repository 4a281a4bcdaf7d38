/* SPDX-License-Identifier: MIT */
/* ECB on 512-bit registers: 48 blocks in flight, then a tail of up to 47 in one batch. */
#include "bulk.h"

#if CPU_X86_WIDE

#include "../parts/steps/vaes.h"

VAES_INLINE void vaes_ecb_batch(const vaes_keys *keys, uint8_t *out, const uint8_t *in,
                                unsigned direction)
{
    __m512i x[VAES_N];
    AESNI_UNROLL
    for (int i = 0; i < VAES_N; i++)
        x[i] = vaes_load(in + 64 * i);
    vaes_crypt_n(keys, x, VAES_N, direction);
    AESNI_UNROLL
    for (int i = 0; i < VAES_N; i++)
        vaes_store(out + 64 * i, x[i]);
}

/* n registers, `part` (1 to 4) blocks in the last. */
VAES_INLINE void vaes_ecb_tail(const aesfit_key *key, uint8_t *out, const uint8_t *in, int n,
                               size_t part, unsigned direction)
{
    const __m128i *k = aesni_keys(key, direction);
    __m512i x[VAES_N], first = vaes_key(k[0]), last = vaes_key(k[key->rounds]);
    AESNI_UNROLL
    for (int i = 0; i < n - 1; i++)
        x[i] = _mm512_xor_si512(first, vaes_load(in + 64 * i));
    x[n - 1] = _mm512_xor_si512(first, vaes_load_part(in + 64 * (n - 1), part));
    vaes_middle_once_n(k, key->rounds, x, n, direction);
    AESNI_UNROLL
    for (int i = 0; i < n - 1; i++)
        vaes_store(out + 64 * i, vaes_last(x[i], last, direction));
    vaes_store_part(out + 64 * (n - 1), part, vaes_last(x[n - 1], last, direction));
}

VAES_INLINE void vaes_ecb(const aesfit_key *key, uint8_t *out, const uint8_t *in, size_t blocks,
                          unsigned direction)
{
    if (blocks >= VAES_BATCH) {
        const vaes_keys keys = vaes_load_keys(key, direction);
        for (; blocks >= VAES_BATCH; blocks -= VAES_BATCH) {
            vaes_ecb_batch(&keys, out, in, direction);
            in += 16 * VAES_BATCH;
            out += 16 * VAES_BATCH;
        }
    }
#define VAES_ECB_TAIL(n, part) vaes_ecb_tail(key, out, in, n, part, direction)
    VAES_TAIL(blocks, VAES_ECB_TAIL);
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
