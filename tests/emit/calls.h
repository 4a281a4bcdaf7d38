/* SPDX-License-Identifier: MIT */
/* How each mode is called for the record under way: expand(), seal(), open_sealed(). */

static int expand(unsigned directions)
{
    (void)directions; /* GCM's keys only encrypt */
    const uint8_t *bytes = r.key.bytes;
    switch (r.mode) {
#ifdef MODE_xts
    case MODE_xts:
        return aesfit_xts_expand_key(&xts_key, NULL, bytes, r.key.length, directions);
#endif
#ifdef MODE_gcm
    case MODE_gcm:
#ifdef ALL_FUNCTIONS
    case MODE_gcm_streamed:
    case MODE_gmac:
#endif
        return aesfit_gcm_expand_key(&gcm_key, NULL, NULL, bytes, r.key.length);
#endif
#ifdef MODE_gcm_siv
    case MODE_gcm_siv:
        return aesfit_gcm_siv_expand_key(&siv_key, NULL, NULL, bytes, r.key.length);
#endif
    default:
#ifdef PLAIN_KEY
        return aesfit_expand_key(&key, NULL, bytes, r.key.length, directions);
#else
        return AESFIT_ERR_ARGUMENT;
#endif
    }
}

#ifdef MODE_ctr
static int ctr(const uint8_t *in, size_t bytes)
{
    aesfit_ctr state;
    int status = aesfit_ctr_start(&state, r.nonce.bytes, 128);
    return status != AESFIT_OK ? status : aesfit_ctr_crypt(&key, &state, out.bytes, in, bytes);
}
#endif

#if defined(MODE_cfb) || defined(MODE_cfb8) || defined(MODE_ofb)
typedef int (*feedback_call)(const aesfit_key *, aesfit_feedback *, uint8_t *, const uint8_t *,
                             size_t);
static int feedback(feedback_call call, const uint8_t *in, size_t bytes)
{
    aesfit_feedback state;
    int status = aesfit_feedback_start(&state, r.nonce.bytes);
    return status != AESFIT_OK ? status : call(&key, &state, out.bytes, in, bytes);
}
#endif

#ifdef MODE_ccmp
static uint64_t packet_number(void)
{
    uint64_t number = 0;
    size_t i = 0;
    for (; i < r.nonce.length; i++)
        number = number << 8 | r.nonce.bytes[i];
    return number;
}
#endif

#ifdef ALL_FUNCTIONS
#include "calls_all.h"
#endif

/* Writes out.bytes; out.length where the call tells it. */
static int seal(const uint8_t *in, uint8_t *tag)
{
    size_t bytes = r.plain.length;
    (void)tag;
    switch (r.mode) {
#ifdef MODE_ecb
    case MODE_ecb:
        return aesfit_ecb_encrypt(&key, out.bytes, in, bytes);
#endif
#ifdef MODE_cbc
    case MODE_cbc:
        return aesfit_cbc_encrypt(&key, iv, out.bytes, in, bytes);
#endif
#ifdef MODE_pkcs7
    case MODE_pkcs7:
        return aesfit_cbc_pkcs7_encrypt(&key, r.nonce.bytes, out.bytes, FIELD_BYTES, &out.length,
                                        in, bytes);
#endif
#ifdef MODE_cbc_cs3
    case MODE_cbc_cs3:
        return aesfit_cbc_cs3_encrypt(&key, r.nonce.bytes, out.bytes, in, bytes);
#endif
#ifdef MODE_ctr
    case MODE_ctr:
        return ctr(in, bytes);
#endif
#ifdef MODE_cfb
    case MODE_cfb:
        return feedback(aesfit_cfb_encrypt, in, bytes);
#endif
#ifdef MODE_cfb8
    case MODE_cfb8:
        return feedback(aesfit_cfb8_encrypt, in, bytes);
#endif
#ifdef MODE_ofb
    case MODE_ofb:
        return feedback(aesfit_ofb_crypt, in, bytes);
#endif
#ifdef MODE_xts
    case MODE_xts:
        return aesfit_xts_encrypt(&xts_key, r.nonce.bytes, out.bytes, in, bytes);
#endif
#ifdef MODE_cbc_mac
    case MODE_cbc_mac:
        return aesfit_cbc_mac(&key, in, bytes, tag);
#endif
#ifdef MODE_cmac
    case MODE_cmac:
        return aesfit_cmac(&key, in, bytes, tag, r.tag.length);
#endif
#ifdef MODE_ccm
    case MODE_ccm:
        return aesfit_ccm_encrypt(&key, r.nonce.bytes, r.nonce.length, r.ad.bytes, r.ad.length,
                                  out.bytes, in, bytes, tag, r.tag.length);
#endif
#ifdef MODE_gcm
    case MODE_gcm:
        return aesfit_gcm_encrypt(&gcm_key, r.nonce.bytes, r.nonce.length, r.ad.bytes, r.ad.length,
                                  out.bytes, in, bytes, tag, r.tag.length);
#endif
#ifdef MODE_gcm_siv
    case MODE_gcm_siv:
        return aesfit_gcm_siv_encrypt(&siv_key, r.nonce.bytes, r.ad.bytes, r.ad.length, out.bytes,
                                      in, bytes, tag);
#endif
#ifdef MODE_kw
    case MODE_kw:
        return aesfit_key_wrap(&key, out.bytes, FIELD_BYTES, &out.length, in, bytes);
#endif
#ifdef MODE_ccmp
    case MODE_ccmp:
        return aesfit_ccmp_encapsulate(&key, packet_number(), 0, out.bytes, FIELD_BYTES,
                                       &out.length, in, r.ad.length, bytes);
#endif
    default:
#ifdef ALL_FUNCTIONS
        return seal_all(in, tag);
#else
        return AESFIT_ERR_ARGUMENT;
#endif
    }
}

#ifndef ENCRYPT_ONLY
/* CBC-MAC alone cannot be undone or verified by a call. */
static int has_opposite(void)
{
#ifdef MODE_cbc_mac
    if (r.mode == MODE_cbc_mac)
        return 0;
#endif
    return 1;
}

static int open_sealed(const uint8_t *in)
{
    size_t bytes = r.cipher.length;
    switch (r.mode) {
#ifdef MODE_ecb
    case MODE_ecb:
        return aesfit_ecb_decrypt(&key, out.bytes, in, bytes);
#endif
#ifdef MODE_cbc
    case MODE_cbc:
        return aesfit_cbc_decrypt(&key, iv, out.bytes, in, bytes);
#endif
#ifdef MODE_pkcs7
    case MODE_pkcs7:
        return aesfit_cbc_pkcs7_decrypt(&key, r.nonce.bytes, out.bytes, FIELD_BYTES, &out.length,
                                        in, bytes);
#endif
#ifdef MODE_cbc_cs3
    case MODE_cbc_cs3:
        return aesfit_cbc_cs3_decrypt(&key, r.nonce.bytes, out.bytes, in, bytes);
#endif
#ifdef MODE_ctr
    case MODE_ctr:
        return ctr(in, bytes);
#endif
#ifdef MODE_cfb
    case MODE_cfb:
        return feedback(aesfit_cfb_decrypt, in, bytes);
#endif
#ifdef MODE_cfb8
    case MODE_cfb8:
        return feedback(aesfit_cfb8_decrypt, in, bytes);
#endif
#ifdef MODE_ofb
    case MODE_ofb:
        return feedback(aesfit_ofb_crypt, in, bytes);
#endif
#ifdef MODE_xts
    case MODE_xts:
        return aesfit_xts_decrypt(&xts_key, r.nonce.bytes, out.bytes, in, bytes);
#endif
#ifdef MODE_cmac
    case MODE_cmac:
        return aesfit_cmac_verify(&key, r.plain.bytes, r.plain.length, r.tag.bytes, r.tag.length);
#endif
#ifdef MODE_ccm
    case MODE_ccm:
        return aesfit_ccm_decrypt(&key, r.nonce.bytes, r.nonce.length, r.ad.bytes, r.ad.length,
                                  out.bytes, in, bytes, r.tag.bytes, r.tag.length);
#endif
#ifdef MODE_gcm
    case MODE_gcm:
        return aesfit_gcm_decrypt(&gcm_key, r.nonce.bytes, r.nonce.length, r.ad.bytes, r.ad.length,
                                  out.bytes, in, bytes, r.tag.bytes, r.tag.length);
#endif
#ifdef MODE_gcm_siv
    case MODE_gcm_siv:
        return aesfit_gcm_siv_decrypt(&siv_key, r.nonce.bytes, r.ad.bytes, r.ad.length, out.bytes,
                                      in, bytes, r.tag.bytes);
#endif
#ifdef MODE_kw
    case MODE_kw:
        return aesfit_key_unwrap(&key, out.bytes, FIELD_BYTES, &out.length, in, bytes);
#endif
#ifdef MODE_ccmp
    case MODE_ccmp: {
        uint64_t number = 0;
        int status = aesfit_ccmp_decapsulate(&key, &number, out.bytes, FIELD_BYTES, &out.length, in,
                                             r.ad.length, bytes);
        return status == AESFIT_OK && number != packet_number() ? AESFIT_ERR_ARGUMENT : status;
    }
#endif
    default:
#ifdef ALL_FUNCTIONS
        return open_all(in);
#else
        return AESFIT_ERR_ARGUMENT;
#endif
    }
}
#endif
