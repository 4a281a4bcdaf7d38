/* SPDX-License-Identifier: MIT */
/* The contract of an AES core: what one implementation gives, and how modes reach it.
 *
 * A core is one file, cores/<name>.c or cores/study/<name>.c, with
 *   - an `enum { <name>_lanes = N };`,
 *   - three functions <name>_expand_key, <name>_encrypt, <name>_decrypt (AESFIT_LOCAL),
 *   - one CORE_OBJECTS(<name>, ...) with what else is true of it, inside `#ifndef AESFIT_BOUND`,
 * and one line in cores/cores.def; tools/make_config.py then writes include/aesfit_config.h anew.
 *
 * Two bindings, one source.  The library binds a mode to `key->core` at run time.  A bound build
 * (AESFIT_BOUND defined to a core's name; everything in one translation unit: this header's
 * users, then the core, then one mode) calls <name>_encrypt directly: no function pointer is left.
 * So every file-scope name carries its file's name, every macro is undefined at the file's end,
 * and outside the registration struct the sources keep to what C99, C11 and C++17 share (no
 * designated initialisers, casts from void *, no restrict).
 *
 * Rules for a core: no writable globals, no allocation, no libc but memcpy and memset; bytes are
 * loaded and stored through parts/bytes.h (any alignment, any byte order); `out == in` works; all
 * table reads go through READ() of parts/steps/read.h, so that they can be counted; secrets left in
 * memory (not registers) are wiped; no recursion; -Wconversion clean. */
#ifndef AESFIT_CORE_H
#define AESFIT_CORE_H

#include "aesfit.h"
#include "parts/compiler.h"

/* A table that the core reads at secret indices.  A table used in two directions is listed
 * twice.  AESFIT_KEY_SCHEDULE: only key expansion reads it. */
#define AESFIT_KEY_SCHEDULE 4u

typedef struct aesfit_table {
    const char *name;           /* the array's identifier, as READ() sees it */
    uint16_t bytes;             /* size */
    uint8_t direction;          /* AESFIT_ENCRYPT, AESFIT_DECRYPT or AESFIT_KEY_SCHEDULE */
    uint8_t reads_middle_round; /* per block in each round but the last */
    uint8_t reads_last_round;   /* per block in the last round */
    /* Added to (rounds - 1) * middle + last for 128, 192, 256-bit keys: on the fly, the steps of
     * the longer key schedules do not fall on every round.  All zero for unrolled keys. */
    int8_t reads_correction[3];
} aesfit_table;

/* Bytes of round keys held in aesfit_key.schedule for one key size. */
typedef struct aesfit_round_key_bytes {
    uint16_t encrypt, decrypt, both;
} aesfit_round_key_bytes;

/* properties */
#define AESFIT_CONSTANT_TIME 1u   /* no secret-dependent branch, address or multiply operand */
#define AESFIT_ON_THE_FLY_KEYS 2u /* round keys are computed during each block */
#define AESFIT_STUDY_ROUNDS 4u    /* accepts aesfit_study_expand_key() */
#define AESFIT_STUDY 8u           /* exists for the papers: its file is in cores/study/ */

/* Optional faster paths for whole blocks, in the order the mode needs them; each may be NULL, and
 * then the mode is composed from encrypt() and decrypt().  `bytes` arguments are multiples of 16.
 * Counters, tweaks, IVs and MACs are advanced in place.  out == in is allowed. */
typedef struct aesfit_bulk {
    void (*cbc_encrypt)(const aesfit_key *key, uint8_t iv[16], uint8_t *out, const uint8_t *in,
                        size_t blocks);
    void (*cbc_decrypt)(const aesfit_key *key, uint8_t iv[16], uint8_t *out, const uint8_t *in,
                        size_t blocks);
    /* Encrypts `blocks` blocks of each of `streams` (1 to 8) streams. */
    void (*cbc_encrypt_many)(const aesfit_key *key, uint8_t *const *ivs, uint8_t *const *out,
                             const uint8_t *const *in, size_t blocks, size_t streams);
    /* 128-bit big-endian counter. */
    void (*ctr)(const aesfit_key *key, uint8_t counter[16], uint8_t *out, const uint8_t *in,
                size_t blocks);
    /* tweak: already encrypted. */
    void (*xts_encrypt)(const aesfit_key *key, uint8_t tweak[16], uint8_t *out, const uint8_t *in,
                        size_t blocks);
    void (*xts_decrypt)(const aesfit_key *key, uint8_t tweak[16], uint8_t *out, const uint8_t *in,
                        size_t blocks);
    void (*cbc_mac)(const aesfit_key *key, uint8_t mac[16], const uint8_t *in, size_t blocks);
    /* mac takes the plaintext, counter counts 128-bit big-endian (CCM's field never wraps). */
    void (*ccm_encrypt)(const aesfit_key *key, uint8_t counter[16], uint8_t mac[16], uint8_t *out,
                        const uint8_t *in, size_t blocks);
    void (*ccm_decrypt)(const aesfit_key *key, uint8_t counter[16], uint8_t mac[16], uint8_t *out,
                        const uint8_t *in, size_t blocks);
    /* Only called when key->ghash is `gcm_ghash`; counter's last 32 bits count and wrap. */
    const aesfit_ghash *gcm_ghash;
    void (*gcm_encrypt)(const aesfit_gcm_key *key, uint8_t counter[16], uint8_t y[16], uint8_t *out,
                        const uint8_t *in, size_t blocks);
    void (*gcm_decrypt)(const aesfit_gcm_key *key, uint8_t counter[16], uint8_t y[16], uint8_t *out,
                        const uint8_t *in, size_t blocks);
    /* A whole message with a 12-byte nonce, any lengths (below the standard's limits), under the
     * same condition: what makes short messages fast.  Both write the full tag that belongs to
     * the ciphertext; comparing is left to the mode. */
    void (*gcm_seal)(const aesfit_gcm_key *key, const uint8_t nonce[12], const uint8_t *ad,
                     size_t ad_bytes, uint8_t *out, const uint8_t *in, size_t bytes,
                     uint8_t tag[16]);
    void (*gcm_open)(const aesfit_gcm_key *key, const uint8_t nonce[12], const uint8_t *ad,
                     size_t ad_bytes, uint8_t *out, const uint8_t *in, size_t bytes,
                     uint8_t tag[16]);
} aesfit_bulk;

/* Words kept of counter blocks: column 0 after the first round without the share of the last byte,
 * and a state in the second round without column 0, in the core's own layout. */
#define AESFIT_COUNTER_WORDS 5

struct aesfit_core {
    const char *name;    /* as in cores.def and the file name */
    const char *summary; /* one line */
    const char *source;  /* paper and section the algorithm comes from */
    const char *needs;   /* instruction set beyond the baseline, "" for none */
    uint8_t lanes;       /* blocks worked on at once; encrypt() takes any number all the same */
    uint8_t properties;  /* AESFIT_CONSTANT_TIME | ... */
    uint8_t table_count;
    const aesfit_table *tables;
    aesfit_round_key_bytes round_key_bytes[3]; /* 128, 192, 256-bit keys */
    int (*supported)(void);                    /* 1 when this processor can run it; NULL: always */
    /* Fills key->schedule for `directions`; key->rounds and key->key_words are set before. */
    void (*expand_key)(aesfit_key *key, const uint8_t *bytes, unsigned directions);
    void (*encrypt)(const aesfit_key *key, uint8_t *out, const uint8_t *in, size_t blocks);
    /* NULL: this object only encrypts. */
    void (*decrypt)(const aesfit_key *key, uint8_t *out, const uint8_t *in, size_t blocks);
    const aesfit_bulk *bulk; /* NULL: none */
    /* Both or neither: counter blocks that differ in their last byte alone.  The first round of
     * their 15 common bytes, and of the second what does not depend on the last byte, is computed
     * once: prepare_counter() keeps it, encrypt_counter() goes on from there.  What is kept is as
     * secret as the key.  Full rounds only.  Which blocks share it depends on the counter, which
     * therefore has to be public. */
    void (*prepare_counter)(const aesfit_key *key, uint32_t kept[AESFIT_COUNTER_WORDS],
                            const uint8_t counter[16]);
    void (*encrypt_counter)(const aesfit_key *key, uint8_t out[16],
                            const uint32_t kept[AESFIT_COUNTER_WORDS], const uint8_t counter[16]);
    /* NULL, or beside these two: out = in ^ the encryption of `blocks` counter blocks from
     * `counter` on, at least one and as many as the counter's last seven bits count without a
     * wrap.  out == in is allowed. */
    void (*xor_counters)(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                         const uint32_t kept[AESFIT_COUNTER_WORDS], const uint8_t counter[16],
                         size_t blocks);
};

/* 1 in a bound build whose core has prepare_counter() and encrypt_counter(), 2 if it has
 * xor_counters() too. */
#ifndef AESFIT_BOUND_COUNTER
#define AESFIT_BOUND_COUNTER 0
#endif

/* 1: cores have these two functions, some 2 KB of code each, where they are written.  A library
 * that is compiled for size has none. */
#ifdef AESFIT_BOUND
#define AESFIT_KEEP_COUNTERS AESFIT_BOUND_COUNTER
#elif defined(__OPTIMIZE_SIZE__)
#define AESFIT_KEEP_COUNTERS 0
#else
#define AESFIT_KEEP_COUNTERS 1
#endif

/* 1: some core has xor_counters(), as CORE_XORS_COUNTERS(key) says of one. */
#ifdef AESFIT_BOUND
#define AESFIT_XOR_COUNTERS (AESFIT_BOUND_COUNTER > 1)
#else
#define AESFIT_XOR_COUNTERS AESFIT_KEEP_COUNTERS
#endif

/* A core as two objects: aesfit_core_<id>, and aesfit_core_<id>_encrypt without decryption and
 * without what only people read, so that a program which only encrypts blocks links neither.
 * `texts`, in brackets: initialisers of summary, source, needs and tables; behind it those of
 * properties, round_key_bytes, supported and bulk. */
#define CORE_OBJECTS(id, texts, ...)                                                               \
    static const char id##_name[] = #id; /* no literal, which would bring the others along */      \
    const aesfit_core aesfit_core_##id = {CORE_STEPS(id), .decrypt = id##_decrypt,                 \
                                          CORE_BARE texts, __VA_ARGS__};                           \
    const aesfit_core aesfit_core_##id##_encrypt = {CORE_STEPS(id), __VA_ARGS__}
#define CORE_STEPS(id)                                                                             \
    .name = id##_name, .lanes = id##_lanes, .expand_key = id##_expand_key, .encrypt = id##_encrypt
#define CORE_BARE(...) __VA_ARGS__
#if AESFIT_KEEP_COUNTERS
#define COUNTER_STEPS(id)                                                                          \
    .prepare_counter = id##_prepare_counter, .encrypt_counter = id##_encrypt_counter
#define COUNTER_RUNS(id) COUNTER_STEPS(id), .xor_counters = id##_xor_counters
#else
#define COUNTER_STEPS(id) .prepare_counter = NULL
#define COUNTER_RUNS(id) COUNTER_STEPS(id)
#endif

#define AESFIT_MAX_LANES 8

#define AESFIT_JOIN_(a, b) a##_##b
#define AESFIT_JOIN(a, b) AESFIT_JOIN_(a, b)

/* CORE_CALL(key, encrypt)(key, out, in, blocks) calls the core bound to `key`. */
#ifdef AESFIT_BOUND
#define CORE_CALL(key, step) AESFIT_JOIN(AESFIT_BOUND, step)
#define CORE_LANES(key) ((size_t)AESFIT_JOIN(AESFIT_BOUND, lanes))
#define CORE_MAX_LANES AESFIT_JOIN(AESFIT_BOUND, lanes)
#define CORE_XORS_COUNTERS(key) 1
#else
#define CORE_CALL(key, step) ((key)->core->step)
#define CORE_LANES(key) ((size_t)(key)->core->lanes)
#define CORE_XORS_COUNTERS(key) ((key)->core->xor_counters != NULL)
#define CORE_MAX_LANES AESFIT_MAX_LANES /* for the sizes of arrays */
#endif

/* CORE_BULK(key, ctr) is the optional path or NULL; test it inside `#if AESFIT_WITH_BULK`. */
#define CORE_BULK(key, path) ((key)->core->bulk != NULL ? (key)->core->bulk->path : NULL)

/* 1 where keys of that size (AESFIT_BOUND_KEY_SIZES) are refused. */
#define BOUND_LACKS_SIZE(size) ((AESFIT_BOUND_KEY_SIZES & (size)) == 0)

/* What only keys to decrypt with need: the function, or NULL where none are expanded. */
#if (AESFIT_BOUND_DIRECTIONS & 2) != 0
#define BOUND_INVERSE(function) (function)
#else
#define BOUND_INVERSE(function) NULL
#endif

#endif
