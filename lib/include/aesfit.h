/* SPDX-License-Identifier: MIT */
/* aesfit: AES for 32-bit and embedded processors.  The whole public API; docs/reference has more.
 *
 * Naming law: aesfit_<mode>_<verb>.  Arguments run: key, then what the mode needs (IV, nonce,
 * associated data), then out, in, length of the data, then the tag.  Lengths and sizes are bytes.
 * Memory: the caller owns all of it; nothing is allocated.  Byte pointers need no alignment, and
 * may be NULL where their length is 0.  `out` has room for `bytes`, or for `out_size`.
 * Overlap: `out == in` is allowed, but not in streams of any mode.  Otherwise memory that a call
 * writes (out, tag, IV, key, state, *out_bytes) must not overlap any other argument.  Builds with
 * AESFIT_CHECK_OVERLAP refuse it.
 * Errors: every function returns AESFIT_OK (0) or a negative aesfit_status.  Errors that come with
 * an argument (see there) are not repeated at functions.  On an error `out` holds no data.
 * Threads: there are no writable globals.  Threads may share what a call takes as const, such as
 * keys; a state belongs to one thread at a time.
 * Copies: keys and states may be copied by assignment.  A state holds the address of its key, which
 * must stay there.  Continue with only one copy of a state, or two messages share a keystream.
 * Secrets: keys and states hold key material.  Wipe them and their copies with aesfit_wipe(). */
#ifndef AESFIT_H
#define AESFIT_H

#include "aesfit_config.h"
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default) /* a shared library exports only what this file declares */
#define AESFIT_MUST_CHECK __attribute__((warn_unused_result)) /* on functions that verify */
#else
#define AESFIT_MUST_CHECK
#endif

#define AESFIT_VERSION_MAJOR 0
#define AESFIT_VERSION_MINOR 1
#define AESFIT_VERSION_PATCH 0
#define AESFIT_DOTTED_(a, b, c) #a "." #b "." #c
#define AESFIT_DOTTED(a, b, c) AESFIT_DOTTED_(a, b, c)
#define AESFIT_VERSION                                                                             \
    AESFIT_DOTTED(AESFIT_VERSION_MAJOR, AESFIT_VERSION_MINOR, AESFIT_VERSION_PATCH)
#define AESFIT_BLOCK_BYTES 16

/* ------------------------------------------------------------------ status */
typedef enum aesfit_status {
    AESFIT_OK = 0,
    AESFIT_ERR_NULL = -1,            /* any pointer: NULL with a length above 0 */
    AESFIT_ERR_KEY_LENGTH = -2,      /* raw_key: not 16, 24 or 32 bytes (XTS: 32 or 64) */
    AESFIT_ERR_UNKNOWN_CORE = -3,    /* core: NULL, and no default core is built in */
    AESFIT_ERR_UNAVAILABLE = -4,     /* core, ghash: this processor lacks its instructions */
    AESFIT_ERR_DIRECTION = -5,       /* key: not expanded for this direction */
    AESFIT_ERR_LENGTH = -6,          /* data length not allowed by the mode */
    AESFIT_ERR_NONCE_LENGTH = -7,    /* nonce: length not allowed by the mode */
    AESFIT_ERR_TAG_LENGTH = -8,      /* tag: length not allowed by the mode */
    AESFIT_ERR_OUTPUT_SIZE = -9,     /* out_size: too small */
    AESFIT_ERR_OVERLAP = -10,        /* any pointer, as above */
    AESFIT_ERR_PADDING = -11,        /* bad padding; one error for every kind */
    AESFIT_ERR_AUTHENTICATION = -12, /* wrong tag, integrity value or MIC */
    AESFIT_ERR_LIMIT = -13,          /* more data than the standard allows under one nonce */
    AESFIT_ERR_ORDER = -14,          /* state: not started, ended, or not yet at its end */
    AESFIT_ERR_ROUNDS = -15,         /* study rounds outside 1..standard, or not by this core */
    AESFIT_ERR_KEY_HALVES = -16,     /* raw_key of XTS: both halves are equal */
    AESFIT_ERR_HEADER = -17,         /* mpdu: not a header that CCMP can protect */
    AESFIT_ERR_SELF_TEST = -18,      /* a known answer failed: do not use this build */
    AESFIT_ERR_ARGUMENT = -19        /* any other argument outside its range */
} aesfit_status;

/* One English sentence for a status; never NULL. */
const char *aesfit_strerror(int status);
/* Overwrites memory with zeros in a way that the compiler cannot remove. */
void aesfit_wipe(void *memory, size_t bytes);
/* Checks known answers of everything that is built in and can run here.  *failed (may be NULL)
 * becomes NULL or the name of what failed: a mode in a build bound to a core; otherwise a core
 * (aesfit_core_name()) or multiplier. */
int aesfit_self_test(const char **failed) AESFIT_MUST_CHECK;

/* ------------------------------------------------------------------- cores */
/* One AES implementation, NULL where there is no choice; lib/src/core.h explains what it holds. */
typedef struct aesfit_core aesfit_core;
/* A program that calls one of these three links every core that is built; to link a single core,
 * name its object, such as &aesfit_core_transposed (aesfit_link.h). */
size_t aesfit_core_count(void);
const aesfit_core *aesfit_core_at(size_t index);          /* NULL past the end */
const aesfit_core *aesfit_core_by_name(const char *name); /* NULL if there is none */
const char *aesfit_core_name(const aesfit_core *core);
int aesfit_core_available(const aesfit_core *core); /* 1 if this processor can run it */
/* `aesni` if the processor supports it, otherwise `fixslice`, or the core made from it in assembly
 * that suits the target (docs/cores.md): all are constant-time.
 * NULL if none of these is built in: a core must then be named. */
const aesfit_core *aesfit_default_core(void);

/* -------------------------------------------------------------------- keys */
#define AESFIT_ENCRYPT 1u /* directions for which a key is expanded */
#define AESFIT_DECRYPT 2u
#define AESFIT_BOTH 3u

/* An expanded key.  The layout of `schedule` belongs to the core. */
typedef struct aesfit_key {
#ifndef AESFIT_BOUND
    const aesfit_core *core;
#endif
    uint8_t rounds;     /* 10, 12, 14; fewer only after aesfit_study_expand_key() */
    uint8_t key_words;  /* 4, 6, 8 */
    uint8_t directions; /* AESFIT_ENCRYPT | AESFIT_DECRYPT; 0 if not usable */
    uint8_t features;   /* private to the core: features of this processor */
    uint32_t schedule[AESFIT_KEY_WORDS] AESFIT_ALIGNED;
} aesfit_key;

/* Expands `key_bytes` (16, 24 or 32) of key for `directions`.  core NULL: the default core, for
 * AESFIT_ENCRYPT alone without decryption.  Modes that only ever encrypt blocks (CTR, CFB, OFB,
 * CCM, GCM, CMAC, CBC-MAC) need AESFIT_ENCRYPT, for decryption too. */
int aesfit_expand_key(aesfit_key *key, const aesfit_core *core, const uint8_t *raw_key,
                      size_t key_bytes, unsigned directions);
/* For study only: the result IS NOT AES.  As above with `rounds` from 1 to the standard count;
 * the last round is always the one without MixColumns.  AESFIT_ERR_ROUNDS: other rounds. */
int aesfit_study_expand_key(aesfit_key *key, const aesfit_core *core, const uint8_t *raw_key,
                            size_t key_bytes, unsigned directions, unsigned rounds);

/* -------------------------------------------- ECB: independent blocks (raw) */
/* bytes: a multiple of 16.  Leaks which blocks are equal: for other modes, and for study. */
int aesfit_ecb_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in, size_t bytes);
int aesfit_ecb_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in, size_t bytes);

/* ------------------------------------------------------ CBC (SP 800-38A 6.2) */
/* `iv` is replaced by the last ciphertext block, so that calls can be chained.
 * bytes: a multiple of 16.  CBC does not protect integrity. */
int aesfit_cbc_encrypt(const aesfit_key *key, uint8_t iv[16], uint8_t *out, const uint8_t *in,
                       size_t bytes);
int aesfit_cbc_decrypt(const aesfit_key *key, uint8_t iv[16], uint8_t *out, const uint8_t *in,
                       size_t bytes);
/* Independent CBC encryptions under one key, several in flight if the core supports it.
 * `ivs` holds 16 bytes per stream and is updated; lengths are multiples of 16 and may differ. */
int aesfit_cbc_encrypt_many(const aesfit_key *key, uint8_t *ivs, uint8_t *const *out,
                            const uint8_t *const *in, const size_t *bytes, size_t streams);
/* Ciphertext stealing, CBC-CS3 (addendum to SP 800-38A): any length from 16 bytes, no padding. */
int aesfit_cbc_cs3_encrypt(const aesfit_key *key, const uint8_t iv[16], uint8_t *out,
                           const uint8_t *in, size_t bytes);
int aesfit_cbc_cs3_decrypt(const aesfit_key *key, const uint8_t iv[16], uint8_t *out,
                           const uint8_t *in, size_t bytes);

/* ------------------------------------- PKCS#7 padding (RFC 5652 6.3), ECB, CBC */
/* Encryption adds 1 to 16 bytes, up to a full block; decryption needs room for `bytes`, and removes
 * padding in constant time.  Do not reveal AESFIT_ERR_PADDING to a sender: authenticate first. */
int aesfit_ecb_pkcs7_encrypt(const aesfit_key *key, uint8_t *out, size_t out_size,
                             size_t *out_bytes, const uint8_t *in, size_t bytes);
int aesfit_ecb_pkcs7_decrypt(const aesfit_key *key, uint8_t *out, size_t out_size,
                             size_t *out_bytes, const uint8_t *in, size_t bytes);
int aesfit_cbc_pkcs7_encrypt(const aesfit_key *key, const uint8_t iv[16], uint8_t *out,
                             size_t out_size, size_t *out_bytes, const uint8_t *in, size_t bytes);
int aesfit_cbc_pkcs7_decrypt(const aesfit_key *key, const uint8_t iv[16], uint8_t *out,
                             size_t out_size, size_t *out_bytes, const uint8_t *in, size_t bytes);
/* Writes the final padded block: `used` (0 to 15) bytes of `in`, then the padding. */
int aesfit_pkcs7_pad(uint8_t block[16], const uint8_t *in, size_t used);
/* *data_bytes (0 to 15) of `block` are data; AESFIT_ERR_PADDING otherwise.  Constant time. */
int aesfit_pkcs7_unpad(const uint8_t block[16], size_t *data_bytes);

/* ------------------------------------------------------ CTR (SP 800-38A 6.5) */
typedef struct aesfit_ctr {
    uint8_t counter[16];   /* next counter block */
    uint8_t keystream[16]; /* current keystream block */
    uint64_t blocks_left;  /* until the counter field would repeat; UINT64_MAX: 2^64 - 1 or more */
    uint8_t used;          /* bytes of `keystream` already used; 16: none left */
    uint8_t counter_bits;  /* width of the counter field, 1 to 128; 0: not started */
} aesfit_ctr;
/* The rightmost `counter_bits` (1 to 128) of `counter` count, big-endian, modulo 2^counter_bits;
 * 128: as OpenSSL; 32: RFC 3686.  Two messages under one key must never reach the same counter. */
int aesfit_ctr_start(aesfit_ctr *ctr, const uint8_t counter[16], unsigned counter_bits);
/* Any length, resuming in mid-block.  AESFIT_ERR_LIMIT if all counter values are used up. */
int aesfit_ctr_crypt(const aesfit_key *key, aesfit_ctr *ctr, uint8_t *out, const uint8_t *in,
                     size_t bytes);

/* --------------------------------------- CFB128, CFB8, OFB (SP 800-38A 6.3, 6.4) */
typedef struct aesfit_feedback {
    uint8_t block[16]; /* CFB: shift register or keystream under way; OFB: keystream */
    uint8_t used;      /* bytes of it already used, 1 to 16; 0: not started */
} aesfit_feedback;
int aesfit_feedback_start(aesfit_feedback *state, const uint8_t iv[16]);
/* Any length, resuming in mid-block. */
int aesfit_cfb_encrypt(const aesfit_key *key, aesfit_feedback *state, uint8_t *out,
                       const uint8_t *in, size_t bytes);
int aesfit_cfb_decrypt(const aesfit_key *key, aesfit_feedback *state, uint8_t *out,
                       const uint8_t *in, size_t bytes);
int aesfit_cfb8_encrypt(const aesfit_key *key, aesfit_feedback *state, uint8_t *out,
                        const uint8_t *in, size_t bytes);
int aesfit_cfb8_decrypt(const aesfit_key *key, aesfit_feedback *state, uint8_t *out,
                        const uint8_t *in, size_t bytes);
int aesfit_ofb_crypt(const aesfit_key *key, aesfit_feedback *state, uint8_t *out, const uint8_t *in,
                     size_t bytes);

/* ----------------------------------------------- XTS (SP 800-38E, IEEE 1619) */
typedef struct aesfit_xts_key {
    aesfit_key data;  /* for the requested direction */
    aesfit_key tweak; /* encrypts the tweak */
} aesfit_xts_key;
/* key_bytes 32 (AES-128) or 64 (AES-256); the halves must differ (FIPS 140 IG C.I). */
int aesfit_xts_expand_key(aesfit_xts_key *key, const aesfit_core *core, const uint8_t *raw_key,
                          size_t key_bytes, unsigned directions);
/* One data unit of 16 bytes to 2^20 blocks, ciphertext stealing at the end. */
int aesfit_xts_encrypt(const aesfit_xts_key *key, const uint8_t tweak[16], uint8_t *out,
                       const uint8_t *in, size_t bytes);
int aesfit_xts_decrypt(const aesfit_xts_key *key, const uint8_t tweak[16], uint8_t *out,
                       const uint8_t *in, size_t bytes);

/* ------------------------------ streams: any of the modes above, fed in pieces */
typedef enum aesfit_mode {
    AESFIT_ECB,
    AESFIT_ECB_PKCS7,
    AESFIT_CBC,
    AESFIT_CBC_PKCS7,
    AESFIT_CBC_CS3,
    AESFIT_CTR,
    AESFIT_CFB,
    AESFIT_CFB8,
    AESFIT_OFB,
    AESFIT_XTS,
    AESFIT_MODE_COUNT
} aesfit_mode;
#define AESFIT_STREAM_HELD 32 /* limit of bytes held back until it is known whether more follow */
typedef struct aesfit_stream {
    const aesfit_key *key;
    uint8_t chain[16]; /* CBC: last ciphertext block; XTS: current tweak */
    aesfit_ctr ctr;
    aesfit_feedback feedback;
    uint64_t total;                   /* bytes taken so far */
    uint8_t held[AESFIT_STREAM_HELD]; /* input not yet processed */
    uint8_t held_bytes;
    uint8_t mode, direction, finished;
} aesfit_stream;
/* `iv`: 16 bytes; ignored (may be NULL) for ECB.  Not for XTS. */
int aesfit_stream_start(aesfit_stream *stream, aesfit_mode mode, unsigned direction,
                        const aesfit_key *key, const uint8_t *iv);
int aesfit_stream_start_xts(aesfit_stream *stream, unsigned direction, const aesfit_xts_key *key,
                            const uint8_t tweak[16]);
/* out_size of bytes + AESFIT_STREAM_HELD always suffices. */
int aesfit_stream_update(aesfit_stream *stream, uint8_t *out, size_t out_size, size_t *out_bytes,
                         const uint8_t *in, size_t bytes);
/* Writes what was held back, checks padding and length, wipes the stream. */
int aesfit_stream_finish(aesfit_stream *stream, uint8_t *out, size_t out_size, size_t *out_bytes);

/* ---------------------------------- CMAC (SP 800-38B) and CBC-MAC (raw, FIPS 113) */
typedef struct aesfit_cmac_state {
    const aesfit_key *key;
    uint8_t mac[16];
    uint8_t held[16];
    uint8_t held_bytes;
} aesfit_cmac_state;
/* tag_bytes: 4 to 16, fixed by the protocol, not by the sender.  Tags are compared in constant
 * time: AESFIT_ERR_AUTHENTICATION if they differ. */
int aesfit_cmac(const aesfit_key *key, const uint8_t *in, size_t bytes, uint8_t *tag,
                size_t tag_bytes);
int aesfit_cmac_verify(const aesfit_key *key, const uint8_t *in, size_t bytes, const uint8_t *tag,
                       size_t tag_bytes) AESFIT_MUST_CHECK;
int aesfit_cmac_start(aesfit_cmac_state *state, const aesfit_key *key);
int aesfit_cmac_update(aesfit_cmac_state *state, const uint8_t *in, size_t bytes);
int aesfit_cmac_finish(aesfit_cmac_state *state, uint8_t *tag, size_t tag_bytes); /* wipes */
/* Whole blocks, at least one.  Secure only for messages of one fixed length: prefer CMAC. */
int aesfit_cbc_mac(const aesfit_key *key, const uint8_t *in, size_t bytes, uint8_t tag[16]);

/* ------------------------------------- CCM (SP 800-38C) and CCM* (IEEE 802.15.4) */
/* nonce 7 to 13 bytes, never twice under a key; tag 4, 6, 8 .. 16 bytes; data below
 * 2^(8 (15 - nonce_bytes)) bytes, otherwise AESFIT_ERR_LIMIT. */
int aesfit_ccm_encrypt(const aesfit_key *key, const uint8_t *nonce, size_t nonce_bytes,
                       const uint8_t *ad, size_t ad_bytes, uint8_t *out, const uint8_t *in,
                       size_t bytes, uint8_t *tag, size_t tag_bytes);
/* On AESFIT_ERR_AUTHENTICATION `out` is wiped. */
int aesfit_ccm_decrypt(const aesfit_key *key, const uint8_t *nonce, size_t nonce_bytes,
                       const uint8_t *ad, size_t ad_bytes, uint8_t *out, const uint8_t *in,
                       size_t bytes, const uint8_t *tag, size_t tag_bytes) AESFIT_MUST_CHECK;
#if !defined(AESFIT_BOUND) || defined(AESFIT_BOUND_UNTAGGED)
/* CCM* without a tag, in both directions: changes of the data are not detected. */
int aesfit_ccm_crypt_unauthenticated(const aesfit_key *key, const uint8_t *nonce,
                                     size_t nonce_bytes, uint8_t *out, const uint8_t *in,
                                     size_t bytes);
#endif

typedef struct aesfit_ccm_state {
    const aesfit_key *key;
    uint32_t blocks[12];         /* keystream, MAC, E(counter 0): bytes, but aligned as words */
    uint32_t counter[4];         /* next counter block, likewise */
    uint64_t ad_left, data_left; /* bytes announced and not yet given */
    uint8_t used;                /* bytes of the current block, 0 to 15 */
    uint8_t tag_bytes, phase;
} aesfit_ccm_state;
/* All lengths are given first.  Then: ad (any pieces), data (any pieces), finish or verify. */
int aesfit_ccm_start(aesfit_ccm_state *state, const aesfit_key *key, const uint8_t *nonce,
                     size_t nonce_bytes, uint64_t ad_bytes, uint64_t bytes, size_t tag_bytes);
int aesfit_ccm_ad(aesfit_ccm_state *state, const uint8_t *ad, size_t bytes);
int aesfit_ccm_encrypt_update(aesfit_ccm_state *state, uint8_t *out, const uint8_t *in,
                              size_t bytes);
/* The output is UNVERIFIED: act on it only after aesfit_ccm_verify() returned AESFIT_OK. */
int aesfit_ccm_decrypt_update_unverified(aesfit_ccm_state *state, uint8_t *out, const uint8_t *in,
                                         size_t bytes);
/* tag_bytes as at the start.  On AESFIT_OK and AESFIT_ERR_AUTHENTICATION the state is wiped. */
int aesfit_ccm_finish(aesfit_ccm_state *state, uint8_t *tag, size_t tag_bytes);
int aesfit_ccm_verify(aesfit_ccm_state *state, const uint8_t *tag,
                      size_t tag_bytes) AESFIT_MUST_CHECK;

/* ------------------------------------------------ GCM and GMAC (SP 800-38D) */
/* One GHASH multiplier, NULL where there is no choice; lib/src/ghash/ghash.h explains it. */
typedef struct aesfit_ghash aesfit_ghash;
size_t aesfit_ghash_count(void);
const aesfit_ghash *aesfit_ghash_at(size_t index);
const aesfit_ghash *aesfit_ghash_by_name(const char *name);
const char *aesfit_ghash_name(const aesfit_ghash *ghash);
int aesfit_ghash_available(const aesfit_ghash *ghash);
/* `clmul` if the processor supports it, otherwise `shift32`: both are constant-time. */
const aesfit_ghash *aesfit_default_ghash(void);

typedef struct aesfit_gcm_key {
    aesfit_key aes;
#ifndef AESFIT_BOUND
    const aesfit_ghash *ghash;
#endif
    uint32_t h[AESFIT_GHASH_WORDS] AESFIT_ALIGNED; /* layout belongs to the multiplier */
} aesfit_gcm_key;
/* core, ghash NULL: the defaults. */
int aesfit_gcm_expand_key(aesfit_gcm_key *key, const aesfit_core *core, const aesfit_ghash *ghash,
                          const uint8_t *raw_key, size_t key_bytes);
/* nonce 1 to 2^61 - 1 bytes (best 12), never twice under a key; tag 4, 8, 12 to 16 bytes; at most
 * 2^36 - 32 bytes of data and 2^61 - 1 of associated data, otherwise AESFIT_ERR_LIMIT. */
int aesfit_gcm_encrypt(const aesfit_gcm_key *key, const uint8_t *nonce, size_t nonce_bytes,
                       const uint8_t *ad, size_t ad_bytes, uint8_t *out, const uint8_t *in,
                       size_t bytes, uint8_t *tag, size_t tag_bytes);
/* On AESFIT_ERR_AUTHENTICATION `out` is wiped. */
int aesfit_gcm_decrypt(const aesfit_gcm_key *key, const uint8_t *nonce, size_t nonce_bytes,
                       const uint8_t *ad, size_t ad_bytes, uint8_t *out, const uint8_t *in,
                       size_t bytes, const uint8_t *tag, size_t tag_bytes) AESFIT_MUST_CHECK;
/* GMAC: GCM without data. */
int aesfit_gmac(const aesfit_gcm_key *key, const uint8_t *nonce, size_t nonce_bytes,
                const uint8_t *in, size_t bytes, uint8_t *tag, size_t tag_bytes);
int aesfit_gmac_verify(const aesfit_gcm_key *key, const uint8_t *nonce, size_t nonce_bytes,
                       const uint8_t *in, size_t bytes, const uint8_t *tag,
                       size_t tag_bytes) AESFIT_MUST_CHECK;

typedef struct aesfit_gcm_state {
    const aesfit_gcm_key *key;
    uint8_t y[16];         /* GHASH so far */
    uint8_t counter[16];   /* next counter block */
    uint8_t tag_mask[16];  /* E(J0) */
    uint8_t keystream[16]; /* current keystream block */
    uint64_t ad_bytes, data_bytes;
    uint8_t used; /* bytes of the current block, 0 to 15 */
    uint8_t phase;
    uint8_t counter_known; /* the counter is public: no hash of the nonce */
} aesfit_gcm_state;
/* Then: ad (any pieces), data (any pieces), finish or verify. */
int aesfit_gcm_start(aesfit_gcm_state *state, const aesfit_gcm_key *key, const uint8_t *nonce,
                     size_t nonce_bytes);
int aesfit_gcm_ad(aesfit_gcm_state *state, const uint8_t *ad, size_t bytes);
int aesfit_gcm_encrypt_update(aesfit_gcm_state *state, uint8_t *out, const uint8_t *in,
                              size_t bytes);
/* The output is UNVERIFIED: act on it only after aesfit_gcm_verify() returned AESFIT_OK. */
int aesfit_gcm_decrypt_update_unverified(aesfit_gcm_state *state, uint8_t *out, const uint8_t *in,
                                         size_t bytes);
/* On AESFIT_OK and AESFIT_ERR_AUTHENTICATION the state is wiped. */
int aesfit_gcm_finish(aesfit_gcm_state *state, uint8_t *tag, size_t tag_bytes);
int aesfit_gcm_verify(aesfit_gcm_state *state, const uint8_t *tag,
                      size_t tag_bytes) AESFIT_MUST_CHECK;

/* ------------------------------- KW and KWP (SP 800-38F, RFC 3394, RFC 5649) */
/* KW: multiples of 8 from 16 bytes; the result is 8 bytes longer.  A failure wipes `out`. */
int aesfit_key_wrap(const aesfit_key *key, uint8_t *out, size_t out_size, size_t *out_bytes,
                    const uint8_t *in, size_t bytes);
int aesfit_key_unwrap(const aesfit_key *key, uint8_t *out, size_t out_size, size_t *out_bytes,
                      const uint8_t *in, size_t bytes) AESFIT_MUST_CHECK;
/* KWP: 1 to 2^32 - 1 bytes, rounded up to 8, plus 8.  Unwrapping needs room for bytes - 8. */
int aesfit_key_wrap_padded(const aesfit_key *key, uint8_t *out, size_t out_size, size_t *out_bytes,
                           const uint8_t *in, size_t bytes);
int aesfit_key_unwrap_padded(const aesfit_key *key, uint8_t *out, size_t out_size,
                             size_t *out_bytes, const uint8_t *in, size_t bytes) AESFIT_MUST_CHECK;

/* -------------------------- CCMP of IEEE 802.11 (AES-128 CCM, 8-byte MIC) */
#define AESFIT_CCMP_HEADER_BYTES 8
#define AESFIT_CCMP_MIC_BYTES 8
/* `mpdu`: MAC header (header_bytes of it, 24 to 36) and plain data.  `out` receives MAC header
 * (Protected bit set), CCMP header, encrypted data and MIC: 16 bytes more.  pn: 48-bit packet
 * number, never to be used twice under a key; key_id 0 to 3. */
int aesfit_ccmp_encapsulate(const aesfit_key *key, uint64_t pn, unsigned key_id, uint8_t *out,
                            size_t out_size, size_t *out_bytes, const uint8_t *mpdu,
                            size_t header_bytes, size_t mpdu_bytes);
/* The reverse; *pn (may be NULL) is the packet number found, for the caller's replay check. */
int aesfit_ccmp_decapsulate(const aesfit_key *key, uint64_t *pn, uint8_t *out, size_t out_size,
                            size_t *out_bytes, const uint8_t *mpdu, size_t header_bytes,
                            size_t mpdu_bytes) AESFIT_MUST_CHECK;

#include "aesfit_seal.h" /* GCM-SIV */
#ifndef AESFIT_BOUND
#include "aesfit_link.h" /* cores and multipliers as objects, and what a key set-up links */
#endif
#include "aesfit_messages.h" /* nonces, and messages sealed in one piece */

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
