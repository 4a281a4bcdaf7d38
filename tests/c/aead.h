/* SPDX-License-Identifier: MIT */
/* For the tests of CCM and GCM: both through one interface, one-shot or streamed, over every core
 * (and GHASH multiplier). */
#ifndef AESFIT_TEST_AEAD_H
#define AESFIT_TEST_AEAD_H

#include "book.h"

typedef struct aead_key {
    int gcm; /* which of the two is expanded */
    aesfit_key ccm_key;
    aesfit_gcm_key gcm_key;
} aead_key;

static inline int aead_expand(aead_key *key, int gcm, const aesfit_core *core,
                              const aesfit_ghash *ghash, const uint8_t *bytes, size_t key_bytes)
{
    key->gcm = gcm;
    return gcm ? aesfit_gcm_expand_key(&key->gcm_key, core, ghash, bytes, key_bytes)
               : aesfit_expand_key(&key->ccm_key, core, bytes, key_bytes, AESFIT_ENCRYPT);
}

static inline int aead_encrypt(const aead_key *key, const aead_message *m, uint8_t *out,
                               const uint8_t *in, uint8_t *tag)
{
    if (key->gcm)
        return aesfit_gcm_encrypt(&key->gcm_key, m->nonce, m->nonce_bytes, m->ad, m->ad_bytes, out,
                                  in, m->bytes, tag, m->tag_bytes);
    return aesfit_ccm_encrypt(&key->ccm_key, m->nonce, m->nonce_bytes, m->ad, m->ad_bytes, out, in,
                              m->bytes, tag, m->tag_bytes);
}

static inline int aead_decrypt(const aead_key *key, const aead_message *m, uint8_t *out,
                               const uint8_t *in, const uint8_t *tag)
{
    if (key->gcm)
        return aesfit_gcm_decrypt(&key->gcm_key, m->nonce, m->nonce_bytes, m->ad, m->ad_bytes, out,
                                  in, m->bytes, tag, m->tag_bytes);
    return aesfit_ccm_decrypt(&key->ccm_key, m->nonce, m->nonce_bytes, m->ad, m->ad_bytes, out, in,
                              m->bytes, tag, m->tag_bytes);
}

/* ------------------------------------------------------------------ streams */

/* cut 0: random. */
static inline size_t aead_cut(size_t cut, size_t left)
{
    size_t take = cut != 0 ? cut : random_below(random_below(4) == 0 ? 300 : 40);
    return take < left ? take : left;
}

static inline int aead_gcm_stream(const aead_key *key, const aead_message *m, int encrypt,
                                  uint8_t *out, const uint8_t *in, uint8_t *tag, size_t cut)
{
    aesfit_gcm_state state;
    int status = aesfit_gcm_start(&state, &key->gcm_key, m->nonce, m->nonce_bytes);
    for (size_t i = 0, n; status == AESFIT_OK && i < m->ad_bytes; i += n) {
        n = aead_cut(cut, m->ad_bytes - i);
        status = aesfit_gcm_ad(&state, m->ad + i, n);
    }
    for (size_t i = 0, n; status == AESFIT_OK && i < m->bytes; i += n) {
        n = aead_cut(cut, m->bytes - i);
        status = (encrypt ? aesfit_gcm_encrypt_update
                          : aesfit_gcm_decrypt_update_unverified)(&state, out + i, in + i, n);
    }
    if (status != AESFIT_OK)
        return status;
    return encrypt ? aesfit_gcm_finish(&state, tag, m->tag_bytes)
                   : aesfit_gcm_verify(&state, tag, m->tag_bytes);
}

/* Decryption reads the tag, encryption writes it. */
static inline int aead_stream(const aead_key *key, const aead_message *m, int encrypt, uint8_t *out,
                              const uint8_t *in, uint8_t *tag, size_t cut)
{
    aesfit_ccm_state state;
    int status;
    if (key->gcm)
        return aead_gcm_stream(key, m, encrypt, out, in, tag, cut);
    status = aesfit_ccm_start(&state, &key->ccm_key, m->nonce, m->nonce_bytes, m->ad_bytes,
                              m->bytes, m->tag_bytes);
    for (size_t i = 0, n; status == AESFIT_OK && i < m->ad_bytes; i += n) {
        n = aead_cut(cut, m->ad_bytes - i);
        status = aesfit_ccm_ad(&state, m->ad + i, n);
    }
    for (size_t i = 0, n; status == AESFIT_OK && i < m->bytes; i += n) {
        n = aead_cut(cut, m->bytes - i);
        status = (encrypt ? aesfit_ccm_encrypt_update
                          : aesfit_ccm_decrypt_update_unverified)(&state, out + i, in + i, n);
    }
    if (status != AESFIT_OK)
        return status;
    return encrypt ? aesfit_ccm_finish(&state, tag, m->tag_bytes)
                   : aesfit_ccm_verify(&state, tag, m->tag_bytes);
}

/* ---------------------------------------------------- each core, each GHASH */

enum { AEAD_MAX = 64 };

/* What check() was called for: 1, this core with this multiplier in GCM; 2 beside 0, in CCM. */
static uint8_t aead_met[AEAD_MAX][AEAD_MAX];

/* Calls check() for one in `turns` of the cores, in GCM of their pairs with a multiplier, that this
 * processor can run; the next call for others. */
static inline void for_each_aead(int gcm, size_t turns, const uint8_t *bytes, size_t key_bytes,
                                 void (*check)(const aead_key *key, void *data), void *data)
{
    static size_t calls[2];
    size_t turn = calls[gcm]++;
    aead_key key;
    for (size_t i = 0; i < aesfit_core_count(); i++)
        for (size_t j = 0; j < (gcm ? aesfit_ghash_count() : 1); j++) {
            const aesfit_core *core = aesfit_core_at(i);
            const aesfit_ghash *ghash = aesfit_ghash_at(j);
            if ((turn + i + j) % turns != 0 || !aesfit_core_available(core) ||
                (gcm && !aesfit_ghash_available(ghash)))
                continue;
            test_context("%s, %s%s%s", gcm ? "gcm" : "ccm", aesfit_core_name(core), gcm ? ", " : "",
                         gcm ? aesfit_ghash_name(ghash) : "");
            if (CHECK_STATUS(aead_expand(&key, gcm, core, ghash, bytes, key_bytes), AESFIT_OK))
                check(&key, data);
            aead_met[i][j] |= (uint8_t)(gcm ? 1 : 2);
        }
}

/* In all calls together each core was met in CCM, and in GCM with each multiplier. */
static inline void check_aead_met(void)
{
    for (size_t i = 0; i < aesfit_core_count(); i++)
        for (size_t j = 0; j < aesfit_ghash_count(); j++) {
            const aesfit_core *core = aesfit_core_at(i);
            const aesfit_ghash *ghash = aesfit_ghash_at(j);
            test_context("%s with %s", aesfit_core_name(core), aesfit_ghash_name(ghash));
            if (aesfit_core_available(core) && aesfit_ghash_available(ghash))
                CHECK(aead_met[i][j] == (j == 0 ? 3 : 1));
        }
}

#endif
