/* SPDX-License-Identifier: MIT */
/* CTR on 128-bit registers, 8 or 10 blocks in flight.  The counter is kept with its bytes reversed,
 * as the machine's integers are; a run of blocks ends where its last 64 bits wrap, so that a run
 * counts with 64-bit additions.  The data is added to the last round key beside the rounds, so that
 * the last round gives the result. */
#include "bulk.h"

#if defined(__x86_64__) || defined(__i386__)

#include "../parts/steps/aesni.h"
#include "../parts/bytes.h"

/* n blocks; `counter` is that of the first one. */
AESNI_INLINE void aesni_ctr_batch(const aesfit_key *key, __m128i counter, uint8_t *out,
                                  const uint8_t *in, int n)
{
    const __m128i *k = aesni_keys(key, AESFIT_ENCRYPT);
    const __m128i last = k[key->rounds];
    __m128i x[AESNI_WIDE];
    AESNI_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = _mm_xor_si128(aesni_reverse(_mm_add_epi64(counter, _mm_set_epi64x(0, i))), k[0]);
    aesni_middle_n(k, key->rounds, x, n, AESFIT_ENCRYPT);
    AESNI_UNROLL
    for (int i = 0; i < n; i++) {
        __m128i data = _mm_xor_si128(last, aesni_load(in + 16 * i));
        aesni_store(out + 16 * i, _mm_aesenclast_si128(x[i], data));
    }
}

/* Blocks within which `low` does not wrap, though it may after the last. */
AESFIT_LOCAL AESNI_TARGET void aesni_ctr_run(const aesfit_key *key, uint64_t high, uint64_t low,
                                             uint8_t *out, const uint8_t *in, size_t blocks)
{
#if CPU_X86_WIDE
    if (bulk_is_wide(key, blocks, BULK_WIDE_FROM)) {
        aesfit_bulk_vaes_ctr(key, high, low, out, in, blocks);
        return;
    }
#endif
    __m128i c = _mm_set_epi64x((long long)high, (long long)low);
#define AESNI_CTR_BATCH(n)                                                                         \
    do {                                                                                           \
        aesni_ctr_batch(key, c, out, in, n);                                                       \
        c = _mm_add_epi64(c, _mm_set_epi64x(0, n));                                                \
        in += (size_t)16 * (n);                                                                    \
        out += (size_t)16 * (n);                                                                   \
    } while (0)
    for (; blocks >= AESNI_WIDE; blocks -= AESNI_WIDE)
        AESNI_CTR_BATCH(AESNI_WIDE);
    if (blocks >= AESNI_BLOCKS) {
        AESNI_CTR_BATCH(AESNI_BLOCKS);
        blocks -= AESNI_BLOCKS;
    }
    AESNI_TAIL(blocks, AESNI_CTR_BATCH);
#undef AESNI_CTR_BATCH
}

/* The next counter is stored first, so that a following call finds it ready. */
AESNI_TARGET void aesfit_bulk_ctr(const aesfit_key *key, uint8_t counter[16], uint8_t *out,
                                  const uint8_t *in, size_t blocks)
{
    uint64_t high = load64_be(counter), low = load64_be(counter + 8);
    const uint64_t next = low + blocks, until_wrap = 0 - low;
    store64_be(counter + 8, next);
    if (next < blocks) {
        const size_t run = (size_t)until_wrap;
        store64_be(counter, high + 1);
        aesni_ctr_run(key, high, low, out, in, run);
        high++;
        low = 0;
        in += 16 * run;
        out += 16 * run;
        blocks -= run;
    }
    aesni_ctr_run(key, high, low, out, in, blocks);
}

#endif
