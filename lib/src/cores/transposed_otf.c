/* SPDX-License-Identifier: MIT */
/* transposed_otf: the rounds of transposed with round keys computed as they are needed.
 *
 * Idea: only the key is kept, transposed, and for decryption the last step of its schedule, from
 * which the schedule runs backwards.  128-bit keys move in four variables, longer ones in the
 * paper's working array of eight words.
 * Source: Bertoni et al., Efficient Software Implementation of AES on 32-Bit Platforms (CHES
 * 2002), sections 3 and 4.
 * Cost: transposed, and per round 4 S-box reads, 13 XOR, 8 shifts (128-bit keys; backwards 9 XOR
 * and 4 shifts).
 * Constant-time: no; table addresses depend on secrets.
 *
 * AESFIT_AS_PRINTED, defined by an experiment: the steps of study/transposed_paper.c. */
#include "../parts/steps/transposed_keys.h"
#include "../parts/wipe.h"
#ifdef AESFIT_AS_PRINTED
#include "../parts/steps/transposed_printed.h"
#define transposed_load printed_load
#define transposed_store printed_store
#define transposed_mix printed_mix
#define transposed_inv_mix printed_inv_mix
#endif

enum { transposed_otf_lanes = 1 };

/* schedule: the key, if encryption was asked for, then the last step of its schedule, if
 * decryption was; Nk words each.  (Of 192-bit keys the last step ends two columns after the last
 * round key, where that ends with a step's fourth column.) */
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
        transposed_window window;
        transposed_first(&window, bytes, key->key_words);
        if (encrypts)
            transposed_save(w, &window);
        for (unsigned round = 0; decrypts && round <= key->rounds; round++)
            transposed_next(&window);
        if (decrypts)
            transposed_save(encrypts ? w + key->key_words : w, &window);
        wipe(&window, sizeof window);
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

AESFIT_LOCAL void transposed_otf_decrypt128(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                            size_t blocks)
{
    const uint32_t *end = key->schedule + ((key->directions & AESFIT_ENCRYPT) != 0 ? 4 : 0);
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

/* Longer keys: a call per round key keeps the code small. */
AESFIT_NOINLINE AESFIT_LOCAL transposed_rows transposed_otf_next(transposed_window *window)
{
    return transposed_next(window);
}

AESFIT_NOINLINE AESFIT_LOCAL transposed_rows transposed_otf_previous(transposed_window *window)
{
    return transposed_previous(window);
}

AESFIT_LOCAL void transposed_otf_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                         size_t blocks)
{
    transposed_window window;
    unsigned nk = key->key_words;
    if (nk == 4) {
        transposed_otf_encrypt128(key, out, in, blocks);
        return;
    }
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        transposed_restore(&window, key->schedule, nk, 0);
        transposed_rows s = transposed_add(transposed_load(in), transposed_otf_next(&window));
        for (unsigned round = key->rounds; round > 1; round--) {
            s = transposed_sub_shift(s);
            s = transposed_add(transposed_mix(s), transposed_otf_next(&window));
        }
        s = transposed_sub_shift(s);
        transposed_store(out, transposed_add(s, transposed_otf_next(&window)));
    }
    wipe(&window, sizeof window);
}

AESFIT_LOCAL void transposed_otf_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                         size_t blocks)
{
    transposed_window window;
    unsigned nk = key->key_words;
    const uint32_t *end = key->schedule + ((key->directions & AESFIT_ENCRYPT) != 0 ? nk : 0);
    if (nk == 4) {
        transposed_otf_decrypt128(key, out, in, blocks);
        return;
    }
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        transposed_restore(&window, end, nk, key->rounds);
        transposed_rows s = transposed_add(transposed_load(in), transposed_otf_previous(&window));
        for (unsigned round = key->rounds; round > 1; round--) {
            s = transposed_add(transposed_inv_sub_shift(s), transposed_otf_previous(&window));
            s = transposed_inv_mix(s);
        }
        s = transposed_inv_sub_shift(s);
        transposed_store(out, transposed_add(s, transposed_otf_previous(&window)));
    }
    wipe(&window, sizeof window);
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
             .properties = AESFIT_STUDY_ROUNDS | AESFIT_ON_THE_FLY_KEYS,
             .round_key_bytes = {{16, 16, 32}, {24, 24, 48}, {32, 32, 64}});
#endif
#ifdef AESFIT_AS_PRINTED
#undef transposed_load
#undef transposed_store
#undef transposed_mix
#undef transposed_inv_mix
#endif
