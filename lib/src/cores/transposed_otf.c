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
 * Constant-time: no; table addresses depend on secrets. */
#include "../parts/transposed_keys.h"
#include "../parts/wipe.h"

enum { transposed_otf_lanes = 1 };

/* schedule: the key, if encryption was asked for, then the last step of its schedule, if
 * decryption was; Nk words each.  (Of 192-bit keys the last step ends two columns after the last
 * round key, where that ends with a step's fourth column.) */
AESFIT_LOCAL void transposed_otf_expand_key(aesfit_key *key, const uint8_t *bytes,
                                            unsigned directions)
{
    uint32_t *w = key->schedule;
    int encrypts = (directions & AESFIT_ENCRYPT) != 0,
        decrypts = (directions & AESFIT_DECRYPT) != 0;
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

/* Keys above 128 bits: a call per round keeps the code small. */
AESFIT_LOCAL transposed_rows transposed_otf_next(transposed_window *window)
{
    return transposed_next(window);
}

AESFIT_LOCAL transposed_rows transposed_otf_previous(transposed_window *window)
{
    return transposed_previous(window);
}

AESFIT_LOCAL void transposed_otf_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                         size_t blocks)
{
    transposed_window window;
    unsigned nk = key->key_words;
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        transposed_rows k = transposed_get(key->schedule), s = transposed_load(in);
        if (nk != 4) {
            transposed_restore(&window, key->schedule, nk, 0);
            transposed_otf_next(&window); /* round key 0, as in k */
        }
        s = transposed_add(s, k);
        for (unsigned round = 0;;) {
            s = transposed_sub_shift(s);
            k = nk == 4 ? transposed_step(k, round) : transposed_otf_next(&window);
            if (++round == key->rounds)
                break;
            s = transposed_add(transposed_mix(&s), k);
        }
        transposed_store(out, transposed_add(s, k));
    }
    if (nk != 4) /* otherwise never written */
        wipe(&window, sizeof window);
}

AESFIT_LOCAL void transposed_otf_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                         size_t blocks)
{
    transposed_window window;
    unsigned nk = key->key_words;
    const uint32_t *end = key->schedule + ((key->directions & AESFIT_ENCRYPT) != 0 ? nk : 0);
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        transposed_rows k = transposed_get(end), s = transposed_load(in);
        if (nk != 4) {
            transposed_restore(&window, end, nk, key->rounds);
            k = transposed_otf_previous(&window);
        }
        s = transposed_add(s, k);
        for (unsigned round = key->rounds;;) {
            s = transposed_inv_sub_shift(s);
            round--;
            k = nk == 4 ? transposed_undo(k, round) : transposed_otf_previous(&window);
            s = transposed_add(s, k);
            if (round == 0)
                break;
            s = transposed_inv_mix(s);
        }
        transposed_store(out, s);
    }
    if (nk != 4)
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

const aesfit_core aesfit_core_transposed_otf = {
    .name = "transposed_otf",
    .summary = "transposed with round keys on the fly, forwards and backwards",
    .source = "Bertoni et al., CHES 2002, sections 3 and 4 (keys on the fly)",
    .needs = "",
    .lanes = transposed_otf_lanes,
    .properties = AESFIT_STUDY_ROUNDS | AESFIT_ON_THE_FLY_KEYS,
    .table_count = sizeof transposed_otf_tables / sizeof transposed_otf_tables[0],
    .tables = transposed_otf_tables,
    .round_key_bytes = {{16, 16, 32}, {24, 24, 48}, {32, 32, 64}},
    .expand_key = transposed_otf_expand_key,
    .encrypt = transposed_otf_encrypt,
    .decrypt = transposed_otf_decrypt,
};
#endif
