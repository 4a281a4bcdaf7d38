/* SPDX-License-Identifier: MIT */
/* GCM with VAES and VPCLMULQDQ on 512-bit registers; constant time.
 *
 * Long messages go in steps of 32 blocks (vaes_gcm_long): eight registers of counters go through
 * the AES rounds, and between any two rounds four blocks of ciphertext are hashed: those of the
 * step before when encrypting, the step's own when decrypting.  The four lanes of GHASH are Horner
 * chains of their own, reduced every 16 blocks without crossing lanes; they meet in the first
 * blocks of what follows, of which four or more are always left for that.
 * Cost per 16 blocks of AES-128: 40 VAESENC, 14 VPCLMULQDQ.  On Zen 5 two pipes share them, a
 * VPCLMULQDQ taking two cycles: 34 cycles at best.
 *
 * The last 1 to 19 blocks (vaes_gcm_last) take as few registers as they need; the block that masks
 * the tag is encrypted beside them, and associated data of up to 3 blocks, data and length block
 * are one run of powers of H with one reduction.  So a message of up to 256 bytes costs one pass of
 * AES and one of GHASH. */
#include "bulk.h"

#if CPU_X86_WIDE
#include "../ghash/ghash.h"
#include "../parts/bytes.h"
#include "../parts/clear_wide.h"
#include "../parts/vclmul.h"

enum {
    vaes_gcm_group = 64,     /* bytes */
    vaes_gcm_least = 3 * 16, /* more than this stays for the last run: a whole group with lengths */
    vaes_gcm_most = 16 * 16 + vaes_gcm_least
};

typedef struct vaes_gcm_run {
    const aesfit_key *key;
    const clmul_key *hash_key;
    const uint8_t *in;
    uint8_t *out;
    size_t bytes;     /* of in and out */
    __m128i j0;       /* byte-reversed, as is: */
    __m512i counters; /* the next four; the 32-bit counter is each lane's lowest word */
    __m512i hash;     /* byte-reversed; lane l is added to block l of what follows */
    vclmul_sum sum;   /* products not yet reduced */
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
    run->key = &key->aes;
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

/* In registers, as many as there are, for the steps of a long message. */
typedef struct vaes_gcm_keys {
    vaes_keys aes;
    __m512i h[4], halves[4]; /* H^16, H^12, H^8, H^4 in all lanes */
} vaes_gcm_keys;

VAES_INLINE vaes_gcm_keys vaes_gcm_load_keys(const vaes_gcm_run *run)
{
    const __m128i *powers = clmul_run(run->hash_key, vclmul_stride);
    vaes_gcm_keys p;
    p.aes = vaes_load_keys(run->key, AESFIT_ENCRYPT);
    AESNI_UNROLL
    for (int i = 0; i < 4; i++) {
        p.h[i] = vclmul_broadcast(powers[4 * i]);
        p.halves[i] = vclmul_halves(p.h[i]);
    }
    return p;
}

/* Group number n (any) of a step at `in`, in the order 1, 2, 3, 0 of each 4, so that the one that
 * needs the hash comes last; then the reduction. */
VAES_INLINE void vaes_gcm_hash_group(const vaes_gcm_keys *p, vclmul_sum *sum, __m512i *hash,
                                     const uint8_t *in, int n)
{
    int i = (n + 1) % 4, group = n / 4 * 4 + i;
    __m512i x = vclmul_reverse(vaes_load(in + vaes_gcm_group * group));
    if (i == 1)
        *sum = vclmul_zero();
    if (i == 0)
        x = _mm512_xor_si512(x, *hash);
    vclmul_add(sum, x, p->h[i], p->halves[i]);
    if (i == 0)
        *hash = vclmul_reduce_lanes(sum);
}

VAES_INLINE void vaes_gcm_hash_groups(const vaes_gcm_keys *p, __m512i *hash, const uint8_t *in,
                                      int groups)
{
    vclmul_sum sum;
    AESNI_UNROLL
    for (int n = 0; n < groups; n++)
        vaes_gcm_hash_group(p, &sum, hash, in, n);
}

/* Encrypts `groups` registers of counters; hashes as many groups at `hashed` between the rounds. */
VAES_INLINE void vaes_gcm_stitch(const vaes_gcm_keys *p, __m512i *x, int groups, __m512i *hash,
                                 const uint8_t *hashed)
{
    const vaes_keys *keys = &p->aes;
    vclmul_sum sum;
    AESNI_UNROLL
    for (int i = 0; i < groups; i++)
        x[i] = _mm512_xor_si512(x[i], keys->k[0]);
    AESNI_UNROLL
    for (int n = 0; n < 8; n++) {
        vaes_round_n(x, groups, keys->k[n + 1], AESFIT_ENCRYPT);
        if (n < groups)
            vaes_gcm_hash_group(p, &sum, hash, hashed, n);
    }
    vaes_round_n(x, groups, keys->k[9], AESFIT_ENCRYPT);
    if (keys->rounds > 10) {
        vaes_round_n(x, groups, keys->k[10], AESFIT_ENCRYPT);
        vaes_round_n(x, groups, keys->k[11], AESFIT_ENCRYPT);
        if (keys->rounds > 12) {
            vaes_round_n(x, groups, keys->k[12], AESFIT_ENCRYPT);
            vaes_round_n(x, groups, keys->k[13], AESFIT_ENCRYPT);
        }
    }
    AESNI_UNROLL
    for (int i = 0; i < groups; i++)
        x[i] = vaes_last(x[i], keys->last, AESFIT_ENCRYPT);
}

VAES_INLINE void vaes_gcm_write(vaes_gcm_run *run, const __m512i *x, int groups)
{
    AESNI_UNROLL
    for (int i = 0; i < groups; i++) {
        __m512i data = vaes_load(run->in + vaes_gcm_group * i);
        vaes_store(run->out + vaes_gcm_group * i, _mm512_xor_si512(x[i], data));
    }
    run->in += vaes_gcm_group * groups;
    run->out += vaes_gcm_group * groups;
    run->bytes -= (size_t)vaes_gcm_group * (size_t)groups;
}

/* Steps of `groups` (4 or 8) while more than vaes_gcm_least bytes stay behind them. */
VAES_INLINE void vaes_gcm_steps(vaes_gcm_run *run, const vaes_gcm_keys *p, int groups,
                                unsigned direction)
{
    const size_t step = (size_t)vaes_gcm_group * (size_t)groups, more = step + vaes_gcm_least;
    __m512i x[8], counters = run->counters, hash = run->hash;
    if (run->bytes <= more)
        return;
    if (direction == AESFIT_ENCRYPT) { /* nothing to hash beside the first step */
        vaes_gcm_next(&counters, x, groups);
        vaes_crypt_n(&p->aes, x, groups, AESFIT_ENCRYPT);
        vaes_gcm_write(run, x, groups);
    }
    while (run->bytes > more) {
        vaes_gcm_next(&counters, x, groups);
        vaes_gcm_stitch(p, x, groups, &hash,
                        direction == AESFIT_ENCRYPT ? run->out - step : run->in);
        vaes_gcm_write(run, x, groups);
    }
    if (direction == AESFIT_ENCRYPT)
        vaes_gcm_hash_groups(p, &hash, run->out - step, groups);
    run->counters = counters;
    run->hash = hash;
}

VAES_CLEAR(vaes_gcm_clear, 2176)

VAES_DEEP void vaes_gcm_long_encrypt(vaes_gcm_run *run)
{
    const vaes_gcm_keys p = vaes_gcm_load_keys(run);
    vaes_gcm_steps(run, &p, 8, AESFIT_ENCRYPT);
    vaes_gcm_steps(run, &p, 4, AESFIT_ENCRYPT);
}

VAES_DEEP void vaes_gcm_long_decrypt(vaes_gcm_run *run)
{
    const vaes_gcm_keys p = vaes_gcm_load_keys(run);
    vaes_gcm_steps(run, &p, 8, AESFIT_DECRYPT);
    vaes_gcm_steps(run, &p, 4, AESFIT_DECRYPT);
}

/* Leaves 49 to 304 bytes. */
VAES_INLINE void vaes_gcm_long(vaes_gcm_run *run, unsigned direction)
{
    if (direction == AESFIT_ENCRYPT)
        vaes_gcm_long_encrypt(run);
    else
        vaes_gcm_long_decrypt(run);
    vaes_gcm_clear();
}

/* 0 to 63 bytes; the rest is zero. */
VAES_INLINE __m512i vaes_gcm_load_rest(const uint8_t *p, size_t bytes)
{
    size_t whole = bytes / 16;
    __m512i end = vaes_key(aesni_load_piece(p + 16 * whole, bytes % 16));
    __m512i x = _mm512_maskz_mov_epi32((__mmask16)(0xfu << (4 * whole)), end);
    return whole == 0 ? x : _mm512_or_si512(x, vaes_load_part(p, whole));
}

VAES_INLINE void vaes_gcm_store_rest(uint8_t *p, size_t bytes, __m512i x)
{
    size_t whole = bytes / 16;
    if (whole > 0)
        vaes_store_part(p, whole, x);
    if (bytes % 16 != 0) {
        __m512i lane = _mm512_set1_epi64((long long)(2 * whole));
        lane = _mm512_add_epi64(lane, _mm512_set_epi64(1, 0, 1, 0, 1, 0, 1, 0));
        aesni_store_piece(p + 16 * whole, bytes % 16,
                          _mm512_castsi512_si128(_mm512_permutexvar_epi64(lane, x)));
    }
}

/* The last 64 (n - 1) + 1 to 64 n bytes and the block that masks the tag.  Adds the data to
 * run->sum, the first block with `hash` and at power `power` of H. */
VAES_INLINE void vaes_gcm_last_n(vaes_gcm_run *run, size_t power, unsigned direction, int n)
{
    const __m128i *powers = clmul_run(run->hash_key, power);
    __m512i x[6];
    const size_t rest = run->bytes % 64;
    const __mmask64 mask = ((__mmask64)1 << rest) - 1;
    vaes_gcm_next(&run->counters, x, n);
    x[n] = _mm512_zextsi128_si512(clmul_reverse(run->j0));
    vaes_crypt_once_n(run->key, x, n + 1, AESFIT_ENCRYPT);
    run->tag_mask = _mm512_castsi512_si128(x[n]);
    AESNI_UNROLL
    for (int i = 0; i < n; i++) {
        const uint8_t *in = run->in + 64 * i;
        const int whole = i < n - 1 || rest == 0;
        __m512i data = whole ? vaes_load(in) : vaes_gcm_load_rest(in, rest);
        x[i] = _mm512_xor_si512(x[i], data);
        if (whole) {
            vaes_store(run->out + 64 * i, x[i]);
        } else {
            x[i] = _mm512_maskz_mov_epi8(mask, x[i]);
            vaes_gcm_store_rest(run->out + 64 * i, rest, x[i]);
        }
        data = vclmul_reverse(direction == AESFIT_ENCRYPT ? x[i] : data);
        data = i == 0 ? _mm512_xor_si512(data, run->hash) : data;
        vclmul_add_group(&run->sum, data, powers + 4 * i);
    }
}

/* 0 to 304 bytes. */
VAES_INLINE void vaes_gcm_last(vaes_gcm_run *run, size_t power, unsigned direction)
{
    switch ((run->bytes + 63) / 64) {
    case 0:
        vaes_gcm_last_n(run, power, direction, 0);
        break;
    case 1:
        vaes_gcm_last_n(run, power, direction, 1);
        break;
    case 2:
        vaes_gcm_last_n(run, power, direction, 2);
        break;
    case 3:
        vaes_gcm_last_n(run, power, direction, 3);
        break;
    case 4:
        vaes_gcm_last_n(run, power, direction, 4);
        break;
    default:
        vaes_gcm_last_n(run, power, direction, 5);
    }
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
    run.hash = _mm512_zextsi128_si512(clmul_load(y));
    if (run.bytes > vaes_gcm_most)
        vaes_gcm_long(&run, direction);
    run.sum = vclmul_zero();
    vaes_gcm_last(&run, run.bytes / 16, direction); /* reads no power past the key */
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
    size_t whole = bytes > 48 ? bytes / 16 : 0; /* up to 3 blocks: the last group alone */
    key->ghash->update(key->h, y, ad, whole);
    bytes -= 16 * whole;
    if (bytes == 0)
        return clmul_load(y);
    rest = vclmul_reverse(vaes_gcm_load_rest(ad + 16 * whole, bytes));
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
    run.hash = _mm512_setzero_si512();
    if (ad_blocks > 0 && (ad_blocks > 3 || bytes > 16 * vclmul_stride)) {
        run.hash = _mm512_zextsi128_si512(vaes_gcm_hash_ad(key, ad, ad_bytes));
        ad_blocks = 0;
    }
    if (bytes > vaes_gcm_most)
        vaes_gcm_long(&run, direction);
    run.sum = vclmul_zero();
    blocks = (run.bytes + 15) / 16;
    if (ad_blocks > 0) {
        __m512i group = vaes_gcm_load_rest(ad, ad_bytes);
        vclmul_add_group(&run.sum, vclmul_reverse(group),
                         clmul_run(run.hash_key, ad_blocks + blocks + 1));
    }
    vaes_gcm_last(&run, blocks + 1, direction);
    lengths = blocks == 0 ? _mm_xor_si128(lengths, _mm512_castsi512_si128(run.hash)) : lengths;
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
