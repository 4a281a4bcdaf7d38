/* SPDX-License-Identifier: MIT */
/* GCM with AES-NI and PCLMULQDQ on 128-bit registers; constant time.
 *
 * 8 blocks a step: counters go through the AES rounds, one block of the other side of the step is
 * hashed between any two rounds, and the products have one reduction (parts/clmul.h).  Encryption
 * hashes the ciphertext of the step before (read back from `out`), decryption its own (before it is
 * overwritten).  Per block of AES-128: 10 AESENC, 3.25 PCLMULQDQ; where AESENC starts once a cycle
 * and the multiplier is another unit, the hash hides behind the rounds.
 *
 * The last 0 to 8 blocks of a message (aesni_gcm_last) stay in registers from the counter to the
 * hash: the block that masks the tag is encrypted in the same pass, and the length block is hashed
 * in the same run of powers of H.  Longer messages go to vaes_gcm.c where the key allows it. */
#include "bulk.h"

#if defined(__x86_64__) || defined(__i386__)
#include "../parts/steps/aesni.h"
#include "../parts/bytes.h"
#include "../parts/clmul.h"

enum { aesni_gcm_step = 16 * clmul_lanes }; /* bytes */

typedef struct aesni_gcm_run {
    const __m128i *keys;
    const clmul_key *hash_key;
    const uint8_t *in;
    uint8_t *out;
    size_t bytes; /* of in and out */
    unsigned rounds;
    __m128i j0;       /* byte-reversed: */
    __m128i counter;  /* the next; the 32-bit counter is the lowest word */
    __m128i hash;     /* byte-reversed */
    clmul_sum sum;    /* products not yet reduced */
    __m128i tag_mask; /* E(j0) */
} aesni_gcm_run;

AESNI_INLINE __m128i aesni_gcm_plus(__m128i counter, uint32_t n)
{
    return _mm_add_epi32(counter, _mm_set_epi32(0, 0, 0, (int)n));
}

AESNI_INLINE void aesni_gcm_start(aesni_gcm_run *run, const aesfit_gcm_key *key, uint8_t *out,
                                  const uint8_t *in, size_t bytes)
{
    run->keys = aesni_keys(&key->aes, AESFIT_ENCRYPT);
    run->rounds = key->aes.rounds;
    run->hash_key = (const clmul_key *)(const void *)key->h;
    run->out = out;
    run->in = in;
    run->bytes = bytes;
}

/* x = the next n counter blocks. */
AESNI_INLINE void aesni_gcm_next(__m128i *counter, __m128i *x, uint32_t n)
{
    AESNI_UNROLL
    for (uint32_t i = 0; i < n; i++)
        x[i] = clmul_reverse(aesni_gcm_plus(*counter, i));
    *counter = aesni_gcm_plus(*counter, n);
}

/* Encrypts 8 counter blocks into x; between the rounds, hash = 8 blocks of `hashed`. */
AESNI_INLINE void aesni_gcm_stitch(aesni_gcm_run *run, __m128i *x, const uint8_t *hashed)
{
    const __m128i *k = run->keys;
    clmul_sum sum = clmul_zero();
    AESNI_UNROLL
    for (int i = 0; i < clmul_lanes; i++)
        x[i] = _mm_xor_si128(x[i], k[0]);
    AESNI_UNROLL
    for (int i = clmul_lanes - 1; i >= 0; i--) { /* block 0 waits for the step before */
        __m128i block = clmul_load(hashed + 16 * i);
        aesni_round_n(x, clmul_lanes, k[clmul_lanes - i], AESFIT_ENCRYPT);
        block = i == 0 ? _mm_xor_si128(block, run->hash) : block;
        clmul_add_block(&sum, run->hash_key, block, (size_t)i, clmul_lanes);
    }
    aesni_round_n(x, clmul_lanes, k[9], AESFIT_ENCRYPT);
    run->hash = clmul_reduce(&sum);
    for (unsigned r = 10; r < run->rounds; r++)
        aesni_round_n(x, clmul_lanes, k[r], AESFIT_ENCRYPT);
    AESNI_UNROLL
    for (int i = 0; i < clmul_lanes; i++)
        x[i] = aesni_last(x[i], k[run->rounds], AESFIT_ENCRYPT);
}

AESNI_INLINE void aesni_gcm_write(aesni_gcm_run *run, const __m128i *x)
{
    AESNI_UNROLL
    for (int i = 0; i < clmul_lanes; i++)
        aesni_store(run->out + 16 * i, _mm_xor_si128(x[i], aesni_load(run->in + 16 * i)));
    run->in += aesni_gcm_step;
    run->out += aesni_gcm_step;
    run->bytes -= aesni_gcm_step;
}

/* hash = (... ((hash ^ in[0]) H ^ in[1]) H ...) H, in runs of 8. */
AESFIT_NOINLINE AESFIT_LOCAL AESNI_TARGET __m128i aesni_gcm_hash(const clmul_key *key, __m128i hash,
                                                                 const uint8_t *in, size_t blocks)
{
    while (blocks > 0) {
        size_t run = blocks < clmul_lanes ? blocks : clmul_lanes;
        clmul_sum sum = clmul_zero();
        clmul_add_block(&sum, key, _mm_xor_si128(hash, clmul_load(in)), 0, run);
        for (size_t i = 1; i < run; i++)
            clmul_add_block(&sum, key, clmul_load(in + 16 * i), i, run);
        hash = clmul_reduce(&sum);
        in += 16 * run;
        blocks -= run;
    }
    return hash;
}

/* Whole steps; less than one stays. */
AESNI_INLINE void aesni_gcm_long(aesni_gcm_run *run, unsigned direction)
{
    __m128i x[clmul_lanes];
    if (direction == AESFIT_ENCRYPT) { /* nothing to hash beside the first step */
        aesni_gcm_next(&run->counter, x, clmul_lanes);
        aesni_crypt_n(run->keys, run->rounds, x, clmul_lanes, AESFIT_ENCRYPT);
        aesni_gcm_write(run, x);
    }
    while (run->bytes >= aesni_gcm_step) {
        aesni_gcm_next(&run->counter, x, clmul_lanes);
        aesni_gcm_stitch(run, x, direction == AESFIT_ENCRYPT ? run->out - aesni_gcm_step : run->in);
        aesni_gcm_write(run, x);
    }
    if (direction == AESFIT_ENCRYPT)
        run->hash =
            aesni_gcm_hash(run->hash_key, run->hash, run->out - aesni_gcm_step, clmul_lanes);
}

/* One copy each of what few messages need. */
AESFIT_NOINLINE AESFIT_LOCAL AESNI_TARGET __m128i aesni_gcm_load_piece(const uint8_t *p,
                                                                       size_t bytes)
{
    return aesni_load_piece(p, bytes);
}

AESFIT_NOINLINE AESFIT_LOCAL AESNI_TARGET __m128i aesni_gcm_store_piece(uint8_t *p, size_t bytes,
                                                                        __m128i x)
{
    return aesni_store_piece(p, bytes, x);
}

/* The last n blocks, of which the last has `last_bytes` (1 to 16) bytes, and the block that masks
 * the tag.  run->sum becomes the products of the data as the first blocks of a run of
 * `run_blocks`. */
AESNI_INLINE void aesni_gcm_last_n(aesni_gcm_run *run, size_t last_bytes, size_t run_blocks,
                                   unsigned direction, int n)
{
    __m128i x[clmul_lanes + 1];
    clmul_sum sum = clmul_zero();
    aesni_gcm_next(&run->counter, x, (uint32_t)n);
    x[n] = clmul_reverse(run->j0);
    aesni_crypt_n(run->keys, run->rounds, x, n + 1, AESFIT_ENCRYPT);
    run->tag_mask = x[n];
    AESNI_UNROLL
    for (int i = 0; i < n; i++) {
        const uint8_t *in = run->in + 16 * i;
        uint8_t *out = run->out + 16 * i;
        const int whole = i < n - 1 || last_bytes == 16;
        __m128i data = whole ? aesni_load(in) : aesni_gcm_load_piece(in, last_bytes), hashed;
        x[i] = _mm_xor_si128(x[i], data);
        if (whole)
            aesni_store(out, x[i]);
        else
            x[i] = aesni_gcm_store_piece(out, last_bytes, x[i]);
        hashed = clmul_reverse(direction == AESFIT_ENCRYPT ? x[i] : data);
        hashed = i == 0 ? _mm_xor_si128(hashed, run->hash) : hashed;
        clmul_add_block(&sum, run->hash_key, hashed, (size_t)i, run_blocks);
    }
    run->sum = sum;
}

/* 0 to 128 bytes. */
AESNI_INLINE void aesni_gcm_last(aesni_gcm_run *run, size_t run_blocks, unsigned direction)
{
    const size_t blocks = (run->bytes + 15) / 16, last_bytes = run->bytes + 16 - 16 * blocks;
#define AESNI_GCM_LAST(n) aesni_gcm_last_n(run, last_bytes, run_blocks, direction, n)
    if (blocks == 0)
        AESNI_GCM_LAST(0);
    else if (blocks == clmul_lanes)
        AESNI_GCM_LAST(clmul_lanes);
    AESNI_TAIL(blocks, AESNI_GCM_LAST);
#undef AESNI_GCM_LAST
}

/* Two copies in all: the cases are long. */
AESFIT_NOINLINE AESFIT_LOCAL AESNI_TARGET void aesni_gcm_last_encrypt(aesni_gcm_run *run,
                                                                      size_t run_blocks)
{
    aesni_gcm_last(run, run_blocks, AESFIT_ENCRYPT);
}

AESFIT_NOINLINE AESFIT_LOCAL AESNI_TARGET void aesni_gcm_last_decrypt(aesni_gcm_run *run,
                                                                      size_t run_blocks)
{
    aesni_gcm_last(run, run_blocks, AESFIT_DECRYPT);
}

AESFIT_NOINLINE AESFIT_LOCAL AESNI_TARGET void aesni_gcm_long_encrypt(aesni_gcm_run *run)
{
    aesni_gcm_long(run, AESFIT_ENCRYPT);
}

AESFIT_NOINLINE AESFIT_LOCAL AESNI_TARGET void aesni_gcm_long_decrypt(aesni_gcm_run *run)
{
    aesni_gcm_long(run, AESFIT_DECRYPT);
}

AESNI_INLINE void aesni_gcm_steps(aesni_gcm_run *run, unsigned direction)
{
    if (run->bytes < aesni_gcm_step)
        return;
    if (direction == AESFIT_ENCRYPT)
        aesni_gcm_long_encrypt(run);
    else
        aesni_gcm_long_decrypt(run);
}

AESNI_INLINE void aesni_gcm_rest(aesni_gcm_run *run, size_t run_blocks, unsigned direction)
{
    if (direction == AESFIT_ENCRYPT)
        aesni_gcm_last_encrypt(run, run_blocks);
    else
        aesni_gcm_last_decrypt(run, run_blocks);
}

/* Whole blocks in the middle of a message. */
AESNI_INLINE void aesni_gcm_blocks(const aesfit_gcm_key *key, uint8_t counter[16], uint8_t y[16],
                                   uint8_t *out, const uint8_t *in, size_t blocks,
                                   unsigned direction)
{
    aesni_gcm_run run;
    __m128i first = clmul_load(counter);
    aesni_gcm_start(&run, key, out, in, 16 * blocks);
    run.j0 = run.counter = first;
    run.hash = clmul_load(y);
    aesni_gcm_steps(&run, direction);
    if (run.bytes > 0) {
        aesni_gcm_rest(&run, run.bytes / 16, direction);
        run.hash = clmul_reduce(&run.sum);
    }
    clmul_store(y, run.hash);
    clmul_store(counter, aesni_gcm_plus(first, (uint32_t)blocks));
}

/* Associated data, the last block padded with zeros. */
AESNI_INLINE __m128i aesni_gcm_hash_ad(const clmul_key *key, const uint8_t *ad, size_t bytes)
{
    __m128i hash = aesni_gcm_hash(key, _mm_setzero_si128(), ad, bytes / 16);
    uint8_t part[16] = {0};
    for (size_t j = 0; j < bytes % 16; j++)
        part[j] = ad[bytes / 16 * 16 + j];
    return bytes % 16 != 0 ? aesni_gcm_hash(key, hash, part, 1) : hash;
}

AESNI_INLINE __m128i aesni_gcm_j0(const uint8_t nonce[12])
{
    return _mm_set_epi32((int)load32_be(nonce), (int)load32_be(nonce + 4),
                         (int)load32_be(nonce + 8), 1);
}

AESNI_INLINE void aesni_gcm_message(const aesfit_gcm_key *key, const uint8_t nonce[12],
                                    const uint8_t *ad, size_t ad_bytes, uint8_t *out,
                                    const uint8_t *in, size_t bytes, uint8_t tag[16],
                                    unsigned direction)
{
    aesni_gcm_run run;
    __m128i lengths =
        _mm_set_epi64x((long long)((uint64_t)ad_bytes * 8), (long long)((uint64_t)bytes * 8));
    size_t blocks = (bytes % aesni_gcm_step + 15) / 16;
    aesni_gcm_start(&run, key, out, in, bytes);
    run.j0 = aesni_gcm_j0(nonce);
    run.counter = aesni_gcm_plus(run.j0, 1);
    run.hash = ad_bytes > 0 ? aesni_gcm_hash_ad(run.hash_key, ad, ad_bytes) : _mm_setzero_si128();
    if (bytes >= aesni_gcm_step)
        aesni_gcm_long(&run, direction);
    if (blocks < clmul_lanes) {
        aesni_gcm_rest(&run, blocks + 1, direction);
    } else { /* no power of H is left for the lengths: a run of their own */
        aesni_gcm_rest(&run, blocks, direction);
        run.hash = clmul_reduce(&run.sum);
        run.sum = clmul_zero();
        blocks = 0;
    }
    lengths = blocks == 0 ? _mm_xor_si128(lengths, run.hash) : lengths;
    clmul_add_block(&run.sum, run.hash_key, lengths, blocks, blocks + 1);
    aesni_store(tag, _mm_xor_si128(clmul_reverse(clmul_reduce(&run.sum)), run.tag_mask));
}

#if CPU_X86_WIDE
#define AESNI_GCM_HAND_OVER(blocks, call)                                                          \
    if (bulk_is_wide(&key->aes, blocks, BULK_WIDE_GCM_FROM)) {                                     \
        call;                                                                                      \
        return;                                                                                    \
    }
#else
#define AESNI_GCM_HAND_OVER(blocks, call)
#endif

AESNI_TARGET void aesfit_bulk_gcm_encrypt(const aesfit_gcm_key *key, uint8_t counter[16],
                                          uint8_t y[16], uint8_t *out, const uint8_t *in,
                                          size_t blocks)
{
    AESNI_GCM_HAND_OVER(blocks, aesfit_bulk_vaes_gcm_encrypt(key, counter, y, out, in, blocks))
    aesni_gcm_blocks(key, counter, y, out, in, blocks, AESFIT_ENCRYPT);
}

AESNI_TARGET void aesfit_bulk_gcm_decrypt(const aesfit_gcm_key *key, uint8_t counter[16],
                                          uint8_t y[16], uint8_t *out, const uint8_t *in,
                                          size_t blocks)
{
    AESNI_GCM_HAND_OVER(blocks, aesfit_bulk_vaes_gcm_decrypt(key, counter, y, out, in, blocks))
    aesni_gcm_blocks(key, counter, y, out, in, blocks, AESFIT_DECRYPT);
}

AESNI_TARGET void aesfit_bulk_gcm_seal(const aesfit_gcm_key *key, const uint8_t nonce[12],
                                       const uint8_t *ad, size_t ad_bytes, uint8_t *out,
                                       const uint8_t *in, size_t bytes, uint8_t tag[16])
{
    AESNI_GCM_HAND_OVER(bytes / 16 + ad_bytes / 16,
                        aesfit_bulk_vaes_gcm_seal(key, nonce, ad, ad_bytes, out, in, bytes, tag))
    aesni_gcm_message(key, nonce, ad, ad_bytes, out, in, bytes, tag, AESFIT_ENCRYPT);
}

AESNI_TARGET void aesfit_bulk_gcm_open(const aesfit_gcm_key *key, const uint8_t nonce[12],
                                       const uint8_t *ad, size_t ad_bytes, uint8_t *out,
                                       const uint8_t *in, size_t bytes, uint8_t tag[16])
{
    AESNI_GCM_HAND_OVER(bytes / 16 + ad_bytes / 16,
                        aesfit_bulk_vaes_gcm_open(key, nonce, ad, ad_bytes, out, in, bytes, tag))
    aesni_gcm_message(key, nonce, ad, ad_bytes, out, in, bytes, tag, AESFIT_DECRYPT);
}
#undef AESNI_GCM_HAND_OVER
#endif
