/* SPDX-License-Identifier: MIT */
/* CBC decryption on 512-bit registers: 32 blocks in flight.  The block before each is taken from
 * the registers that hold the ciphertext, shifted by one block. */
#include "bulk.h"

#if defined(__x86_64__)

#include "../parts/vaes.h"

enum { VAES_CBC_N = 8 }; /* registers in flight */

/* n registers, the last of them under a mask.  `before` has the IV in its last block; returns
 * the ciphertext of the last register.  All ciphertext is read a second time, one block earlier,
 * before anything is stored: out may be in. */
VAES_INLINE __m512i vaes_cbc_batch(const vaes_keys *keys, __m512i before, uint8_t *out,
                                   const uint8_t *in, int n, __mmask8 mask)
{
    __m512i x[VAES_CBC_N], final[VAES_CBC_N], c = vaes_load_part(in + 64 * (n - 1), mask);
    AESNI_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = _mm512_xor_si512(keys->k[0], i < n - 1 ? vaes_load(in + 64 * i) : c);
    final[0] = _mm512_alignr_epi64(n > 1 ? vaes_load(in) : c, before, 6);
    vaes_middle_n(keys, x, n, AESFIT_DECRYPT);
    AESNI_UNROLL
    for (int i = 1; i < n; i++)
        final[i] = vaes_load_part(in + 64 * i - 16, i < n - 1 ? vaes_mask(VAES_BLOCKS) : mask);
    AESNI_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = vaes_last(x[i], _mm512_xor_si512(keys->last, final[i]), AESFIT_DECRYPT);
    AESNI_UNROLL
    for (int i = 0; i < n - 1; i++)
        vaes_store(out + 64 * i, x[i]);
    vaes_store_part(out + 64 * (n - 1), mask, x[n - 1]);
    return c;
}

/* blocks > 0 */
VAES_TARGET void aesfit_bulk_vaes_cbc_decrypt(const aesfit_key *key, uint8_t iv[16], uint8_t *out,
                                              const uint8_t *in, size_t blocks)
{
    const vaes_keys keys = vaes_load_keys(key, AESFIT_DECRYPT);
    __m512i before = _mm512_broadcast_i32x4(aesni_load(iv));
    __m128i next_iv = aesni_load(in + 16 * (blocks - 1));
    for (; blocks >= VAES_BLOCKS * VAES_CBC_N; blocks -= VAES_BLOCKS * VAES_CBC_N) {
        before = vaes_cbc_batch(&keys, before, out, in, VAES_CBC_N, vaes_mask(VAES_BLOCKS));
        in += 64 * VAES_CBC_N;
        out += 64 * VAES_CBC_N;
    }
    size_t registers = (blocks + 3) / 4;
    __mmask8 mask = vaes_mask(blocks - 4 * registers + 4);
#define VAES_CBC_TAIL(n) vaes_cbc_batch(&keys, before, out, in, n, mask)
    if (registers == 8)
        VAES_CBC_TAIL(8);
    AESNI_TAIL(registers, VAES_CBC_TAIL)
#undef VAES_CBC_TAIL
    aesni_store(iv, next_iv);
}

#endif
