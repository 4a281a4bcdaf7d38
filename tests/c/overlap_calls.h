/* SPDX-License-Identifier: MIT */
/* One call of every public function with two pointers or more, for test_overlap.c.
 *
 * `a` holds the arguments that are pointers, in the order of the letters of its case:
 *   K  a key (aesfit_key, or that of the mode), expanded by the call
 *   S  a key or state that the function writes, started by the call
 *   s  such a state, given beside the key itself
 *   w  bytes that are written      n  a number that is written
 *   r  bytes that are read
 *   o  output that may be the input i;  p  another one, that may be the input j */
#ifndef AESFIT_TEST_OVERLAP_CALLS_H
#define AESFIT_TEST_OVERLAP_CALLS_H

#include "test.h"

enum { OVERLAP_ARGUMENTS = 6 };

typedef struct overlap_case {
    const char *name;
    int (*call)(uint8_t *const *a);
    const char *letters;
    size_t bytes[OVERLAP_ARGUMENTS];
} overlap_case;

static const uint8_t overlap_raw_key[64] = {1, 2, 3}; /* the halves differ */

static aesfit_key *key_at(uint8_t *at)
{
    aesfit_key *key = (aesfit_key *)(void *)at;
    aesfit_expand_key(key, NULL, overlap_raw_key, 16, AESFIT_BOTH);
    return key;
}

static aesfit_xts_key *xts_at(uint8_t *at)
{
    aesfit_xts_key *key = (aesfit_xts_key *)(void *)at;
    aesfit_xts_expand_key(key, NULL, overlap_raw_key, 32, AESFIT_BOTH);
    return key;
}

static aesfit_gcm_key *gcm_at(uint8_t *at)
{
    aesfit_gcm_key *key = (aesfit_gcm_key *)(void *)at;
    aesfit_gcm_expand_key(key, NULL, NULL, overlap_raw_key, 16);
    return key;
}

static aesfit_gcm_siv_key *siv_at(uint8_t *at)
{
    aesfit_gcm_siv_key *key = (aesfit_gcm_siv_key *)(void *)at;
    aesfit_gcm_siv_expand_key(key, NULL, NULL, overlap_raw_key, 16);
    return key;
}

/* STATE(ctr, 1) is argument 1 as a state of that kind, not yet started. */
#define STATE(kind, i) ((aesfit_##kind *)(void *)a[i])
#define NUMBER(i) ((size_t *)(void *)a[i])
#define RAW overlap_raw_key
#define CALL(name, start, function)                                                                \
    static int call_##name(uint8_t *const *a)                                                      \
    {                                                                                              \
        start;                                                                                     \
        return function;                                                                           \
    }
#define KEY key_at(a[0])

CALL(expand_key, , aesfit_expand_key(STATE(key, 0), NULL, a[1], 32, AESFIT_BOTH))
CALL(ecb_encrypt, , aesfit_ecb_encrypt(KEY, a[1], a[2], 48))
CALL(ecb_decrypt, , aesfit_ecb_decrypt(KEY, a[1], a[2], 48))
CALL(cbc_encrypt, , aesfit_cbc_encrypt(KEY, a[1], a[2], a[3], 48))
CALL(cbc_decrypt, , aesfit_cbc_decrypt(KEY, a[1], a[2], a[3], 48))
CALL(cbc_cs3_encrypt, , aesfit_cbc_cs3_encrypt(KEY, a[1], a[2], a[3], 41))
CALL(cbc_cs3_decrypt, , aesfit_cbc_cs3_decrypt(KEY, a[1], a[2], a[3], 41))
CALL(ecb_pkcs7_encrypt, , aesfit_ecb_pkcs7_encrypt(KEY, a[1], 48, NUMBER(2), a[3], 40))
CALL(ecb_pkcs7_decrypt, , aesfit_ecb_pkcs7_decrypt(KEY, a[1], 48, NUMBER(2), a[3], 48))
CALL(cbc_pkcs7_encrypt, , aesfit_cbc_pkcs7_encrypt(KEY, a[1], a[2], 48, NUMBER(3), a[4], 40))
CALL(cbc_pkcs7_decrypt, , aesfit_cbc_pkcs7_decrypt(KEY, a[1], a[2], 48, NUMBER(3), a[4], 48))
CALL(pkcs7_pad, , aesfit_pkcs7_pad(a[0], a[1], 5))
CALL(pkcs7_unpad, , aesfit_pkcs7_unpad(a[0], NUMBER(1)))
CALL(ctr_start, , aesfit_ctr_start(STATE(ctr, 0), a[1], 128))
CALL(ctr_crypt, aesfit_ctr_start(STATE(ctr, 1), RAW, 128),
     aesfit_ctr_crypt(KEY, STATE(ctr, 1), a[2], a[3], 41))
CALL(feedback_start, , aesfit_feedback_start(STATE(feedback, 0), a[1]))
#define FEEDBACK(name)                                                                             \
    CALL(name, aesfit_feedback_start(STATE(feedback, 1), RAW),                                     \
         aesfit_##name(KEY, STATE(feedback, 1), a[2], a[3], 41))
FEEDBACK(cfb_encrypt)
FEEDBACK(cfb_decrypt)
FEEDBACK(cfb8_encrypt)
FEEDBACK(cfb8_decrypt)
FEEDBACK(ofb_crypt)
CALL(xts_expand_key, , aesfit_xts_expand_key(STATE(xts_key, 0), NULL, a[1], 64, AESFIT_BOTH))
CALL(xts_encrypt, , aesfit_xts_encrypt(xts_at(a[0]), a[1], a[2], a[3], 41))
CALL(xts_decrypt, , aesfit_xts_decrypt(xts_at(a[0]), a[1], a[2], a[3], 41))
#define START_STREAM                                                                               \
    aesfit_stream_start(STATE(stream, 1), AESFIT_CBC_PKCS7, AESFIT_ENCRYPT, KEY, RAW)
CALL(stream_start, , aesfit_stream_start(STATE(stream, 1), AESFIT_CBC, AESFIT_ENCRYPT, KEY, a[2]))
CALL(stream_start_xts, ,
     aesfit_stream_start_xts(STATE(stream, 1), AESFIT_ENCRYPT, xts_at(a[0]), a[2]))
CALL(stream_update, START_STREAM,
     aesfit_stream_update(STATE(stream, 1), a[2], 48, NUMBER(3), a[4], 48))
CALL(stream_finish, START_STREAM, aesfit_stream_finish(STATE(stream, 1), a[2], 32, NUMBER(3)))
CALL(cmac, , aesfit_cmac(KEY, a[1], 41, a[2], 16))
CALL(cmac_verify, , aesfit_cmac_verify(KEY, a[1], 41, a[2], 16))
#define START_CMAC aesfit_cmac_start(STATE(cmac_state, 1), KEY)
CALL(cmac_start, , aesfit_cmac_start(STATE(cmac_state, 1), KEY))
CALL(cmac_update, START_CMAC, aesfit_cmac_update(STATE(cmac_state, 1), a[2], 41))
CALL(cmac_finish, START_CMAC, aesfit_cmac_finish(STATE(cmac_state, 1), a[2], 16))
CALL(cbc_mac, , aesfit_cbc_mac(KEY, a[1], 48, a[2]))
CALL(ccm_encrypt, , aesfit_ccm_encrypt(KEY, a[1], 13, a[2], 20, a[3], a[4], 41, a[5], 8))
CALL(ccm_decrypt, , aesfit_ccm_decrypt(KEY, a[1], 13, a[2], 20, a[3], a[4], 41, a[5], 8))
CALL(ccm_crypt_unauthenticated, , aesfit_ccm_crypt_unauthenticated(KEY, a[1], 13, a[2], a[3], 41))
#define START_CCM(ad_bytes, bytes)                                                                 \
    aesfit_ccm_start(STATE(ccm_state, 1), KEY, RAW, 13, ad_bytes, bytes, 8)
CALL(ccm_start, , aesfit_ccm_start(STATE(ccm_state, 1), KEY, a[2], 13, 20, 41, 8))
CALL(ccm_ad, START_CCM(20, 0), aesfit_ccm_ad(STATE(ccm_state, 1), a[2], 20))
CALL(ccm_encrypt_update, START_CCM(0, 41),
     aesfit_ccm_encrypt_update(STATE(ccm_state, 1), a[2], a[3], 41))
CALL(ccm_decrypt_update_unverified, START_CCM(0, 41),
     aesfit_ccm_decrypt_update_unverified(STATE(ccm_state, 1), a[2], a[3], 41))
CALL(ccm_finish, START_CCM(0, 0), aesfit_ccm_finish(STATE(ccm_state, 1), a[2], 8))
CALL(ccm_verify, START_CCM(0, 0), aesfit_ccm_verify(STATE(ccm_state, 1), a[2], 8))
#undef KEY
#define KEY gcm_at(a[0])
CALL(gcm_expand_key, , aesfit_gcm_expand_key(STATE(gcm_key, 0), NULL, NULL, a[1], 32))
CALL(gcm_encrypt, , aesfit_gcm_encrypt(KEY, a[1], 12, a[2], 20, a[3], a[4], 41, a[5], 16))
CALL(gcm_decrypt, , aesfit_gcm_decrypt(KEY, a[1], 12, a[2], 20, a[3], a[4], 41, a[5], 16))
CALL(gmac, , aesfit_gmac(KEY, a[1], 12, a[2], 41, a[3], 16))
CALL(gmac_verify, , aesfit_gmac_verify(KEY, a[1], 12, a[2], 41, a[3], 16))
#define START_GCM aesfit_gcm_start(STATE(gcm_state, 1), KEY, RAW, 12)
CALL(gcm_start, , aesfit_gcm_start(STATE(gcm_state, 1), KEY, a[2], 12))
CALL(gcm_ad, START_GCM, aesfit_gcm_ad(STATE(gcm_state, 1), a[2], 20))
CALL(gcm_encrypt_update, START_GCM, aesfit_gcm_encrypt_update(STATE(gcm_state, 1), a[2], a[3], 41))
CALL(gcm_decrypt_update_unverified, START_GCM,
     aesfit_gcm_decrypt_update_unverified(STATE(gcm_state, 1), a[2], a[3], 41))
CALL(gcm_finish, START_GCM, aesfit_gcm_finish(STATE(gcm_state, 1), a[2], 16))
CALL(gcm_verify, START_GCM, aesfit_gcm_verify(STATE(gcm_state, 1), a[2], 16))
#undef KEY
#define KEY siv_at(a[0])
CALL(gcm_siv_expand_key, , aesfit_gcm_siv_expand_key(STATE(gcm_siv_key, 0), NULL, NULL, a[1], 32))
CALL(gcm_siv_encrypt, , aesfit_gcm_siv_encrypt(KEY, a[1], a[2], 20, a[3], a[4], 41, a[5]))
CALL(gcm_siv_decrypt, , aesfit_gcm_siv_decrypt(KEY, a[1], a[2], 20, a[3], a[4], 41, a[5]))
#undef KEY
static aesfit_nonces *nonces_at(uint8_t *at)
{
    aesfit_nonces *nonces = (aesfit_nonces *)(void *)at;
    aesfit_nonces_start_random(nonces, 12);
    return nonces;
}

CALL(nonces_start, , aesfit_nonces_start(STATE(nonces, 0), 12, a[1], 8))
CALL(nonces_start_random, , aesfit_nonces_start_random(STATE(nonces, 0), 12))
CALL(nonces_next, , aesfit_nonces_next(nonces_at(a[0]), a[1], a[2]))
CALL(nonces_save, , aesfit_nonces_save(nonces_at(a[0]), 5, a[1]))
/* Memory that was not saved is refused behind the check of overlaps: then all is well. */
CALL(nonces_restore, int status = aesfit_nonces_restore(STATE(nonces, 0), a[1]),
     status == AESFIT_ERR_ARGUMENT ? AESFIT_OK : status)
#define KEY key_at(a[0])
CALL(key_wrap, , aesfit_key_wrap(KEY, a[1], 32, NUMBER(2), a[3], 24))
CALL(key_unwrap, , aesfit_key_unwrap(KEY, a[1], 24, NUMBER(2), a[3], 32))
CALL(key_wrap_padded, , aesfit_key_wrap_padded(KEY, a[1], 32, NUMBER(2), a[3], 21))
CALL(key_unwrap_padded, , aesfit_key_unwrap_padded(KEY, a[1], 24, NUMBER(2), a[3], 32))

/* A data frame with a header of 24 bytes, protected or not, and 16 bytes of data. */
static const uint8_t *frame_at(uint8_t *at, unsigned is_protected)
{
    at[0] = 0x08;
    at[1] = (uint8_t)(0x40 * is_protected);
    at[27] = (uint8_t)(0x20 * is_protected);
    return at;
}

CALL(ccmp_encapsulate, ,
     aesfit_ccmp_encapsulate(KEY, 1, 0, a[1], 56, NUMBER(2), frame_at(a[3], 0), 24, 40))
CALL(ccmp_decapsulate, ,
     aesfit_ccmp_decapsulate(KEY, (uint64_t *)(void *)a[1], a[2], 40, NUMBER(3), frame_at(a[4], 1),
                             24, 56))

static int call_cbc_encrypt_many(uint8_t *const *a)
{
    uint8_t *out[2] = {a[2], a[4]};
    const uint8_t *in[2] = {a[3], a[5]};
    size_t bytes[2] = {32, 16};
    return aesfit_cbc_encrypt_many(KEY, a[1], out, in, bytes, 2);
}

#undef KEY
#undef RAW

#endif
