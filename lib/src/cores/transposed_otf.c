/* SPDX-License-Identifier: MIT */
/* transposed_otf: the rounds of transposed with round keys computed as they are needed.
 *
 * Idea: only the key is kept, transposed, and for decryption the last step of its schedule, from
 * which the schedule runs backwards.  128-bit keys move in four variables, longer ones in
 * eight, the paper's working array.
 * Source: Bertoni et al., Efficient Software Implementation of AES on 32-Bit Platforms (CHES
 * 2002), sections 3 and 4.
 * Cost: transposed, and per round 4 S-box reads, 13 XOR, 8 shifts (128-bit keys; backwards 9 XOR
 * and 4 shifts).
 * Constant-time: no; table addresses depend on secrets.
 *
 * AESFIT_AS_PRINTED, defined by an experiment: the steps of study/transposed_paper.c. */
#include "../parts/steps/transposed_keys.h"
#ifdef AESFIT_AS_PRINTED
#include "../parts/steps/transposed_printed.h"
#define transposed_load printed_load
#define transposed_store printed_store
#define transposed_mix printed_mix
#define transposed_inv_mix printed_inv_mix
#endif

enum { transposed_otf_lanes = 1 };

/* The end of the schedule of a longer key, from its start.  Of 192-bit keys the last step ends two
 * columns after the last round key, where that ends with a step's fourth column. */
AESFIT_INLINE transposed_long transposed_otf_run(transposed_long k, unsigned key_words)
{
    for (unsigned step = 0; key_words == 6 && step < 8; step++)
        k = transposed_step192(k, step);
    for (unsigned step = 0; key_words == 8 && step < 7; step++) {
        if (step != 0)
            k.b = transposed_next_b256(k);
        k.a = transposed_next_a(k, step);
    }
    return k;
}

/* schedule: the key, if encryption was asked for, then the last step of its schedule, if
 * decryption was; Nk words each. */
AESFIT_LOCAL void transposed_otf_expand_key(aesfit_key *key, const uint8_t *bytes,
                                            unsigned directions)
{
    uint32_t *w = key->schedule;
    int encrypts = (directions & AESFIT_ENCRYPT) != 0;
    int decrypts = (directions & AESFIT_DECRYPT) != 0;
    if (key->key_words == 4) {
        transposed_rows a = transposed_load(bytes);
        if (encrypts)
            transposed_put(w, a);
        for (unsigned step = 0; decrypts && step < key->rounds; step++)
            a = transposed_step(a, step);
        if (decrypts)
            transposed_put(encrypts ? w + 4 : w, a);
    } else {
        transposed_long k = transposed_first(bytes, key->key_words);
        if (encrypts)
            transposed_save(w, k, key->key_words);
        if (decrypts)
            transposed_save(encrypts ? w + key->key_words : w,
                            transposed_otf_run(k, key->key_words), key->key_words);
    }
}

/* 128-bit keys: the round key in registers. */
AESFIT_LOCAL void transposed_otf_encrypt128(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                            size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        transposed_rows k = transposed_get(key->schedule);
        transposed_rows s = transposed_add(transposed_load(in), k);
        unsigned last = key->rounds - 1u;
        for (unsigned round = 0; round != last; round++) {
            s = transposed_sub_shift(s);
            s = transposed_mix(s);
            k = transposed_step(k, round);
            s = transposed_add(s, k);
        }
        k = transposed_step(k, last);
        transposed_store(out, transposed_add(transposed_sub_shift(s), k));
    }
}

/* The rows that decryption starts from. */
AESFIT_INLINE const uint32_t *transposed_otf_end(const aesfit_key *key)
{
    return key->schedule + ((key->directions & AESFIT_ENCRYPT) != 0 ? key->key_words : 0);
}

AESFIT_LOCAL void transposed_otf_decrypt128(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                            size_t blocks)
{
    const uint32_t *end = transposed_otf_end(key);
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        transposed_rows k = transposed_get(end);
        transposed_rows s = transposed_add(transposed_load(in), k);
        for (unsigned round = key->rounds - 1u; round != 0; round--) {
            k = transposed_undo(k, round);
            s = transposed_inv_sub_shift(s);
            s = transposed_inv_mix(transposed_add(s, k));
        }
        k = transposed_undo(k, 0);
        transposed_store(out, transposed_add(transposed_inv_sub_shift(s), k));
    }
}

/* Longer keys: a loop spans as many round keys as repeat, so that each is made in place. */
AESFIT_INLINE transposed_rows transposed_otf_round(transposed_rows s, transposed_rows k)
{
    return transposed_add(transposed_mix(transposed_sub_shift(s)), k);
}

AESFIT_INLINE transposed_rows transposed_otf_round_back(transposed_rows s, transposed_rows k)
{
    return transposed_inv_mix(transposed_add(transposed_inv_sub_shift(s), k));
}

AESFIT_LOCAL void transposed_otf_encrypt192(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                            size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        transposed_long k = transposed_restore(key->schedule, 6);
        transposed_rows s = transposed_add(transposed_load(in), k.a);
        for (unsigned step = 0;;) {
            s = transposed_add_right(transposed_mix(transposed_sub_shift(s)), k.b);
            k = transposed_step192(k, step++);
            s = transposed_add_left(s, k.a);
            s = transposed_add_right(transposed_mix(transposed_sub_shift(s)), k.a);
            s = transposed_add(s, k.b);
            k = transposed_step192(k, step++);
            if (step == 8)
                break;
            s = transposed_otf_round(s, k.a);
        }
        transposed_store(out, transposed_add(transposed_sub_shift(s), k.a));
    }
}

AESFIT_LOCAL void transposed_otf_decrypt192(const uint32_t *end, uint8_t *out, const uint8_t *in,
                                            size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        transposed_long k = transposed_restore(end, 6);
        transposed_rows s = transposed_add(transposed_load(in), k.a);
        for (unsigned step = 8;;) {
            k = transposed_undo192(k, --step);
            s = transposed_add_right(transposed_inv_sub_shift(s), k.a);
            s = transposed_inv_mix(transposed_add(s, k.b));
            s = transposed_add_left(transposed_inv_sub_shift(s), k.a);
            k = transposed_undo192(k, --step);
            s = transposed_inv_mix(transposed_add_right(s, k.b));
            if (step == 0)
                break;
            s = transposed_otf_round_back(s, k.a);
        }
        transposed_store(out, transposed_add(transposed_inv_sub_shift(s), k.a));
    }
}

AESFIT_LOCAL void transposed_otf_encrypt256(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                            size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        transposed_long k = transposed_restore(key->schedule, 8);
        transposed_rows s = transposed_add(transposed_load(in), k.a);
        for (unsigned step = 0;;) {
            s = transposed_otf_round(s, k.b);
            k.a = transposed_next_a(k, step++);
            if (step == 7)
                break;
            s = transposed_otf_round(s, k.a);
            k.b = transposed_next_b256(k);
        }
        transposed_store(out, transposed_add(transposed_sub_shift(s), k.a));
    }
}

AESFIT_LOCAL void transposed_otf_decrypt256(const uint32_t *end, uint8_t *out, const uint8_t *in,
                                            size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        transposed_long k = transposed_restore(end, 8);
        transposed_rows s = transposed_add(transposed_load(in), k.a);
        for (unsigned step = 7;;) {
            s = transposed_otf_round_back(s, k.b);
            k.a = transposed_previous_a(k, --step);
            if (step == 0)
                break;
            s = transposed_otf_round_back(s, k.a);
            k.b = transposed_previous_b256(k);
        }
        transposed_store(out, transposed_add(transposed_inv_sub_shift(s), k.a));
    }
}

AESFIT_LOCAL void transposed_otf_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                         size_t blocks)
{
    if (AESFIT_BOUND_KEY_SIZES == 1 || key->key_words == 4)
        transposed_otf_encrypt128(key, out, in, blocks);
#if (AESFIT_BOUND_KEY_SIZES & 2) != 0
    else if (key->key_words == 6)
        transposed_otf_encrypt192(key, out, in, blocks);
#endif
#if (AESFIT_BOUND_KEY_SIZES & 4) != 0
    else
        transposed_otf_encrypt256(key, out, in, blocks);
#endif
}

AESFIT_LOCAL void transposed_otf_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                         size_t blocks)
{
    if (AESFIT_BOUND_KEY_SIZES == 1 || key->key_words == 4)
        transposed_otf_decrypt128(key, out, in, blocks);
#if (AESFIT_BOUND_KEY_SIZES & 2) != 0
    else if (key->key_words == 6)
        transposed_otf_decrypt192(transposed_otf_end(key), out, in, blocks);
#endif
#if (AESFIT_BOUND_KEY_SIZES & 4) != 0
    else
        transposed_otf_decrypt256(transposed_otf_end(key), out, in, blocks);
#endif
}

#ifndef AESFIT_BOUND
static const aesfit_table transposed_otf_tables[] = {
    {"sbox", 256, AESFIT_ENCRYPT, 20, 20, {0, -16, -4}},
    {"inv_sbox", 256, AESFIT_DECRYPT, 16, 16, {0, 0, 0}},
    {"sbox", 256, AESFIT_DECRYPT, 4, 4, {0, -16, -4}},
    {"sbox", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

CORE_OBJECTS(transposed_otf,
             (.summary = "transposed with round keys on the fly, forwards and backwards",
              .source = "Bertoni et al., CHES 2002, sections 3 and 4 (keys on the fly)",
              .needs = "",
              .table_count = sizeof transposed_otf_tables / sizeof transposed_otf_tables[0],
              .tables = transposed_otf_tables),
             .properties = AESFIT_ON_THE_FLY_KEYS,
             .round_key_bytes = {{16, 16, 32}, {24, 24, 48}, {32, 32, 64}});
#endif
#ifdef AESFIT_AS_PRINTED
#undef transposed_load
#undef transposed_store
#undef transposed_mix
#undef transposed_inv_mix
#endif
