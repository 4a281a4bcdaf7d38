/* SPDX-License-Identifier: MIT */
/* CBC decryption on 512-bit registers: 48 blocks in flight, then a tail of up to 47 in one batch.
 * The previous ciphertext goes into the key of the last round.  A full batch reads it a second
 * time, from one block earlier, which is cheaper than shuffling it out of registers.  A tail does
 * shuffle: where the call before stored whole registers to the same place, a load across two of
 * them would have to wait for the cache.  All reading precedes all writing: out may be in. */
#include "bulk.h"

#if CPU_X86_WIDE

#include "../parts/steps/vaes.h"

/* Ciphertext from one block earlier: the last block of `before`, then c's first three. */
VAES_INLINE __m512i vaes_cbc_previous(__m512i before, __m512i c)
{
    return _mm512_alignr_epi64(c, before, 6);
}

/* `before` has the IV in its last block; returns the ciphertext of the last register. */
VAES_INLINE __m512i vaes_cbc_batch(const vaes_keys *keys, __m512i before, uint8_t *out,
                                   const uint8_t *in)
{
    __m512i x[VAES_N], after = vaes_load(in + 64 * (VAES_N - 1));
    before = vaes_cbc_previous(before, vaes_load(in));
    AESNI_UNROLL
    for (int i = 0; i < VAES_N; i++)
        x[i] = _mm512_xor_si512(keys->k[0], vaes_load(in + 64 * i));
    vaes_middle_n(keys, x, VAES_N, AESFIT_DECRYPT);
    AESNI_UNROLL
    for (int i = 0; i < VAES_N; i++) {
        __m512i previous = i == 0 ? before : vaes_load(in + 64 * i - 16);
        x[i] = vaes_last(x[i], _mm512_xor_si512(keys->last, previous), AESFIT_DECRYPT);
    }
    AESNI_UNROLL
    for (int i = 0; i < VAES_N; i++)
        vaes_store(out + 64 * i, x[i]);
    return after;
}

/* n registers, `part` (1 to 4) blocks in the last. */
VAES_INLINE void vaes_cbc_tail(const aesfit_key *key, __m512i before, uint8_t *out,
                               const uint8_t *in, int n, size_t part)
{
    const __m128i *k = aesni_keys(key, AESFIT_DECRYPT);
    const __m512i first = vaes_key(k[0]), last = vaes_key(k[key->rounds]);
    __m512i c[VAES_N], x[VAES_N];
    AESNI_UNROLL
    for (int i = 0; i < n; i++) {
        c[i] = i < n - 1 ? vaes_load(in + 64 * i) : vaes_load_part(in + 64 * i, part);
        x[i] = _mm512_xor_si512(first, c[i]);
    }
    vaes_middle_once_n(k, key->rounds, x, n, AESFIT_DECRYPT);
    AESNI_UNROLL
    for (int i = 0; i < n; i++) {
        __m512i previous = vaes_cbc_previous(i == 0 ? before : c[i - 1], c[i]);
        x[i] = vaes_last(x[i], _mm512_xor_si512(last, previous), AESFIT_DECRYPT);
    }
    AESNI_UNROLL
    for (int i = 0; i < n - 1; i++)
        vaes_store(out + 64 * i, x[i]);
    vaes_store_part(out + 64 * (n - 1), part, x[n - 1]);
}

/* blocks > 0 */
VAES_TARGET void aesfit_bulk_vaes_cbc_decrypt(const aesfit_key *key, uint8_t iv[16], uint8_t *out,
                                              const uint8_t *in, size_t blocks)
{
    __m512i before = _mm512_broadcast_i32x4(aesni_load(iv));
    const __m128i next_iv = aesni_load(in + 16 * (blocks - 1));
    if (blocks >= VAES_BATCH) {
        const vaes_keys keys = vaes_load_keys(key, AESFIT_DECRYPT);
        for (; blocks >= VAES_BATCH; blocks -= VAES_BATCH) {
            before = vaes_cbc_batch(&keys, before, out, in);
            in += 16 * VAES_BATCH;
            out += 16 * VAES_BATCH;
        }
    }
#define VAES_CBC_TAIL(n, part) vaes_cbc_tail(key, before, out, in, n, part)
    VAES_TAIL(blocks, VAES_CBC_TAIL);
#undef VAES_CBC_TAIL
    aesni_store(iv, next_iv);
}

#endif
