/* SPDX-License-Identifier: MIT */
/* GCM with VAES and VPCLMULQDQ on 512-bit registers; constant time.
 *
 * 16 blocks a step, one step is one pass of the loop in vaes_gcm_long(): four registers of counters
 * go through the AES rounds while the ciphertext of the step before is hashed between the rounds
 * (parts/vclmul.h says how the lanes of GHASH are kept apart until the end).  Encryption and
 * decryption differ in which side is the ciphertext, nothing else.
 * Cost per 16 blocks of AES-128: 40 VAESENC, 14 VPCLMULQDQ.  On Zen 5 the latter start every second
 * cycle and are the limit (28 cycles).
 *
 * The last 1 to 16 blocks (vaes_gcm_last) take as few registers as they need, under masks; the
 * block that masks the tag is encrypted beside them, and the associated data (up to 3 blocks),
 * the data and the length block are one run of powers of H with one reduction.  So a message
 * of up to 256 bytes costs one pass of AES and one of GHASH. */
#include "bulk.h"

#if defined(__x86_64__)
#include "../ghash/ghash.h"
#include "../parts/bytes.h"
#include "../parts/vaes.h"
#include "../parts/vclmul.h"

enum { vaes_gcm_step = 16 * vclmul_stride }; /* bytes */

typedef struct vaes_gcm_run {
    const __m128i *keys;
    const clmul_key *hash_key;
    const uint8_t *in;
    uint8_t *out;
    size_t bytes; /* of in and out */
    unsigned rounds;
    __m128i j0;       /* byte-reversed, as is: */
    __m512i counters; /* the next four; the 32-bit counter is each lane's lowest word */
    __m128i hash;     /* byte-reversed */
    vclmul_sum sum;   /* products not yet reduced into `hash` */
    __m128i tag_mask; /* E(j0) */
} vaes_gcm_run;

VAES_INLINE __m512i vaes_gcm_counters(__m128i first)
{
    __m512i lanes = _mm512_set_epi32(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0);
    return _mm512_add_epi32(vclmul_broadcast(first), lanes);
}

VAES_INLINE void vaes_gcm_start(vaes_gcm_run *run, const aesfit_gcm_key *key, uint8_t *out,
                                const uint8_t *in, size_t bytes)
{
    run->keys = aesni_keys(&key->aes, AESFIT_ENCRYPT);
    run->rounds = key->aes.rounds;
    run->hash_key = (const clmul_key *)(const void *)key->h;
    run->out = out;
    run->in = in;
    run->bytes = bytes;
}

/* The next n registers of counter blocks. */
VAES_INLINE void vaes_gcm_next(__m512i *counters, __m512i *x, int n)
{
    __m512i four = vclmul_broadcast(_mm_set_epi32(0, 0, 0, 4));
    AESNI_UNROLL
    for (int i = 0; i < n; i++) {
        x[i] = vclmul_reverse(*counters);
        *counters = _mm512_add_epi32(*counters, four);
    }
}

/* Encrypts four registers of counters; between the rounds, sum = hashed[0..3] h. */
VAES_INLINE void vaes_gcm_stitch(const vaes_gcm_run *run, __m512i *x, const __m512i *hashed,
                                 const __m512i *h, const __m512i *halves, vclmul_sum *sum)
{
    const __m128i *k = run->keys;
    AESNI_UNROLL
    for (int i = 0; i < 4; i++)
        x[i] = _mm512_xor_si512(x[i], vaes_key(k[0]));
    *sum = vclmul_zero();
    AESNI_UNROLL
    for (int i = 3; i >= 0; i--) { /* the group that waits for the step before comes last */
        vaes_round_n(x, 4, vaes_key(k[7 - 2 * i]), AESFIT_ENCRYPT);
        vclmul_add(sum, hashed[i], h[i], halves[i]);
        vaes_round_n(x, 4, vaes_key(k[8 - 2 * i]), AESFIT_ENCRYPT);
    }
    vaes_round_n(x, 4, vaes_key(k[9]), AESFIT_ENCRYPT);
    for (unsigned r = 10; r < run->rounds; r++)
        vaes_round_n(x, 4, vaes_key(k[r]), AESFIT_ENCRYPT);
    AESNI_UNROLL
    for (int i = 0; i < 4; i++)
        x[i] = vaes_last(x[i], vaes_key(k[run->rounds]), AESFIT_ENCRYPT);
}

/* Whole steps while more than one is left; at least one byte stays for vaes_gcm_last(). */
VAES_INLINE void vaes_gcm_long(vaes_gcm_run *run, unsigned direction)
{
    const __m128i *powers = clmul_run(run->hash_key, vclmul_stride);
    __m512i h[4], halves[4], hashed[4], x[4], hash = _mm512_zextsi128_si512(run->hash);
    __m512i counters = run->counters;
    vclmul_sum sum;
    AESNI_UNROLL
    for (int i = 0; i < 4; i++) {
        h[i] = vclmul_broadcast(powers[4 * i]);
        halves[i] = vclmul_halves(h[i]);
        hashed[i] = _mm512_setzero_si512();
    }
    for (; run->bytes > vaes_gcm_step; run->bytes -= vaes_gcm_step) {
        vaes_gcm_next(&counters, x, 4);
        vaes_gcm_stitch(run, x, hashed, h, halves, &sum);
        hash = _mm512_xor_si512(hash, vclmul_reduce_lanes(&sum)); /* sum is 0 the first time */
        AESNI_UNROLL
        for (int i = 0; i < 4; i++) {
            __m512i data = vaes_load(run->in + 64 * i);
            x[i] = _mm512_xor_si512(x[i], data);
            vaes_store(run->out + 64 * i, x[i]);
            hashed[i] = vclmul_reverse(direction == AESFIT_ENCRYPT ? x[i] : data);
        }
        hashed[0] = _mm512_xor_si512(hashed[0], hash);
        hash = _mm512_setzero_si512();
        run->in += vaes_gcm_step;
        run->out += vaes_gcm_step;
    }
    sum = vclmul_zero();
    AESNI_UNROLL
    for (int i = 0; i < 4; i++)
        vclmul_add_group(&sum, hashed[i], powers + 4 * i);
    run->hash = vclmul_reduce(&sum);
    run->counters = counters;
}

VAES_INLINE __mmask64 vaes_gcm_mask(size_t bytes) /* 0 to 64 */
{
    return bytes >= 64 ? ~(__mmask64)0 : ((__mmask64)1 << bytes) - 1;
}

/* The last 64 (n - 1) + 1 to 64 n bytes (fewer are allowed) and the block that masks the tag.
 * Adds the data to run->sum, the first block with `hash` and at power `power` of H. */
VAES_INLINE void vaes_gcm_last_n(vaes_gcm_run *run, size_t power, unsigned direction, int n)
{
    const __m128i *k = run->keys, *powers = clmul_run(run->hash_key, power);
    __m512i x[5], hash = _mm512_zextsi128_si512(run->hash);
    size_t left = run->bytes;
    vaes_gcm_next(&run->counters, x, n);
    x[n] = _mm512_zextsi128_si512(clmul_reverse(run->j0));
    vaes_crypt_n(k, run->rounds, x, n + 1, AESFIT_ENCRYPT);
    run->tag_mask = _mm512_castsi512_si128(x[n]);
    AESNI_UNROLL
    for (int i = 0; i < n; i++) {
        __mmask64 mask = vaes_gcm_mask(left);
        __m512i data = _mm512_maskz_loadu_epi8(mask, run->in + 64 * i);
        x[i] = _mm512_maskz_mov_epi8(mask, _mm512_xor_si512(x[i], data));
        _mm512_mask_storeu_epi8(run->out + 64 * i, mask, x[i]);
        data = vclmul_reverse(direction == AESFIT_ENCRYPT ? x[i] : data);
        data = i == 0 ? _mm512_xor_si512(data, hash) : data;
        vclmul_add_group(&run->sum, data, powers + 4 * i);
        left = left > 64 ? left - 64 : 0;
    }
}

/* 0 to 256 bytes. */
VAES_INLINE void vaes_gcm_last(vaes_gcm_run *run, size_t power, unsigned direction)
{
    if (run->bytes == 0)
        run->tag_mask =
            aesni_crypt1(run->keys, run->rounds, clmul_reverse(run->j0), AESFIT_ENCRYPT);
    else if (run->bytes <= 64)
        vaes_gcm_last_n(run, power, direction, 1);
    else if (run->bytes <= 128)
        vaes_gcm_last_n(run, power, direction, 2);
    else
        vaes_gcm_last_n(run, power, direction, 4);
}

/* Whole blocks in the middle of a message. */
VAES_INLINE void vaes_gcm_blocks(const aesfit_gcm_key *key, uint8_t counter[16], uint8_t y[16],
                                 uint8_t *out, const uint8_t *in, size_t blocks, unsigned direction)
{
    vaes_gcm_run run;
    __m128i first = clmul_load(counter);
    if (blocks == 0)
        return;
    vaes_gcm_start(&run, key, out, in, 16 * blocks);
    run.j0 = first;
    run.counters = vaes_gcm_counters(first);
    run.hash = clmul_load(y);
    if (run.bytes > vaes_gcm_step)
        vaes_gcm_long(&run, direction);
    run.sum = vclmul_zero();
    vaes_gcm_last(&run, run.bytes / 16, direction);
    clmul_store(y, vclmul_reduce(&run.sum));
    clmul_store(counter, _mm_add_epi32(first, _mm_set_epi32(0, 0, 0, (int)(uint32_t)blocks)));
}

/* Associated data by itself: where it or the data is long. */
VAES_INLINE __m128i vaes_gcm_hash_ad(const aesfit_gcm_key *key, const uint8_t *ad, size_t bytes)
{
    uint8_t y[16] = {0};
    __m512i rest;
    vclmul_sum sum = vclmul_zero();
    const clmul_key *hash_key = (const clmul_key *)(const void *)key->h;
    size_t whole = bytes > 48 ? bytes / 16 : 0; /* up to 3 blocks: the masked group alone */
    key->ghash->update(key->h, y, ad, whole);
    bytes -= 16 * whole;
    if (bytes == 0)
        return clmul_load(y);
    rest = vclmul_reverse(_mm512_maskz_loadu_epi8(vaes_gcm_mask(bytes), ad + 16 * whole));
    rest = _mm512_xor_si512(rest, _mm512_zextsi128_si512(clmul_load(y)));
    vclmul_add_group(&sum, rest, clmul_run(hash_key, (bytes + 15) / 16));
    return vclmul_reduce(&sum);
}

VAES_INLINE __m128i vaes_gcm_j0(const uint8_t nonce[12])
{
    return _mm_set_epi32((int)load32_be(nonce), (int)load32_be(nonce + 4),
                         (int)load32_be(nonce + 8), 1);
}

VAES_INLINE void vaes_gcm_message(const aesfit_gcm_key *key, const uint8_t nonce[12],
                                  const uint8_t *ad, size_t ad_bytes, uint8_t *out,
                                  const uint8_t *in, size_t bytes, uint8_t tag[16],
                                  unsigned direction)
{
    vaes_gcm_run run;
    __m128i lengths =
        _mm_set_epi64x((long long)((uint64_t)ad_bytes * 8), (long long)((uint64_t)bytes * 8));
    size_t blocks, ad_blocks = (ad_bytes + 15) / 16;
    vaes_gcm_start(&run, key, out, in, bytes);
    run.j0 = vaes_gcm_j0(nonce);
    run.counters = vaes_gcm_counters(_mm_add_epi32(run.j0, _mm_set_epi32(0, 0, 0, 1)));
    run.hash = _mm_setzero_si128();
    if (ad_blocks > 0 && (ad_blocks > 3 || bytes > vaes_gcm_step)) {
        run.hash = vaes_gcm_hash_ad(key, ad, ad_bytes);
        ad_blocks = 0;
    }
    if (bytes > vaes_gcm_step)
        vaes_gcm_long(&run, direction);
    run.sum = vclmul_zero();
    blocks = (run.bytes + 15) / 16;
    if (ad_blocks > 0) {
        __m512i group = _mm512_maskz_loadu_epi8(vaes_gcm_mask(ad_bytes), ad);
        vclmul_add_group(&run.sum, vclmul_reverse(group),
                         clmul_run(run.hash_key, ad_blocks + blocks + 1));
    }
    vaes_gcm_last(&run, blocks + 1, direction);
    lengths = blocks == 0 ? _mm_xor_si128(lengths, run.hash) : lengths;
    vclmul_add_group(&run.sum, _mm512_zextsi128_si512(lengths), clmul_run(run.hash_key, 1));
    aesni_store(tag, _mm_xor_si128(clmul_reverse(vclmul_reduce(&run.sum)), run.tag_mask));
}

VAES_TARGET void aesfit_bulk_vaes_gcm_encrypt(const aesfit_gcm_key *key, uint8_t counter[16],
                                              uint8_t y[16], uint8_t *out, const uint8_t *in,
                                              size_t blocks)
{
    vaes_gcm_blocks(key, counter, y, out, in, blocks, AESFIT_ENCRYPT);
}

VAES_TARGET void aesfit_bulk_vaes_gcm_decrypt(const aesfit_gcm_key *key, uint8_t counter[16],
                                              uint8_t y[16], uint8_t *out, const uint8_t *in,
                                              size_t blocks)
{
    vaes_gcm_blocks(key, counter, y, out, in, blocks, AESFIT_DECRYPT);
}

VAES_TARGET void aesfit_bulk_vaes_gcm_seal(const aesfit_gcm_key *key, const uint8_t nonce[12],
                                           const uint8_t *ad, size_t ad_bytes, uint8_t *out,
                                           const uint8_t *in, size_t bytes, uint8_t tag[16])
{
    vaes_gcm_message(key, nonce, ad, ad_bytes, out, in, bytes, tag, AESFIT_ENCRYPT);
}

VAES_TARGET void aesfit_bulk_vaes_gcm_open(const aesfit_gcm_key *key, const uint8_t nonce[12],
                                           const uint8_t *ad, size_t ad_bytes, uint8_t *out,
                                           const uint8_t *in, size_t bytes, uint8_t tag[16])
{
    vaes_gcm_message(key, nonce, ad, ad_bytes, out, in, bytes, tag, AESFIT_DECRYPT);
}
#endif
