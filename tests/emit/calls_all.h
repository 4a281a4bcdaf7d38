/* SPDX-License-Identifier: MIT */
/* What a drop-in with all functions has beside the one-shot calls of calls.h: streams, fed in two
 * cuts, several CBC streams at once, and the siblings of a mode. */

/* Where the second cut starts; inside a block where there is room. */
static size_t cut(size_t bytes)
{
    return bytes < 21 ? bytes / 2 : 21;
}

#ifdef MODE_cbc
/* Three streams of the same blocks, each with its IV; all must come out alike. */
static int cbc_many(const uint8_t *in, size_t bytes)
{
    static uint8_t others[2][FIELD_BYTES];
    uint8_t ivs[48];
    uint8_t *const outs[3] = {out.bytes, others[0], others[1]};
    const uint8_t *const ins[3] = {in, in, in};
    const size_t lengths[3] = {bytes, bytes, bytes};
    size_t i = 0;
    int status;
    for (; i < sizeof ivs; i++)
        ivs[i] = r.nonce.bytes[i % 16];
    if (in == out.bytes) /* the other streams would read what the first has written */
        return aesfit_cbc_encrypt_many(&key, ivs, outs, ins, lengths, 1);
    status = aesfit_cbc_encrypt_many(&key, ivs, outs, ins, lengths, 3);
    for (i = 0; i < bytes; i++) {
        if (others[0][i] != out.bytes[i] || others[1][i] != out.bytes[i])
            return AESFIT_ERR_SELF_TEST;
    }
    return status;
}
#endif

#ifdef MODE_cmac
static int cmac_start(aesfit_cmac_state *state)
{
    size_t bytes = r.plain.length, at = cut(bytes);
    TRY(aesfit_cmac_start(state, &key));
    TRY(aesfit_cmac_update(state, r.plain.bytes, at));
    return aesfit_cmac_update(state, r.plain.bytes + at, bytes - at);
}

static int cmac_streamed(uint8_t *tag)
{
    aesfit_cmac_state state;
    TRY(cmac_start(&state));
    return aesfit_cmac_finish(&state, tag, r.tag.length);
}
#endif

#ifdef MODE_ccm
static int ccm_start(aesfit_ccm_state *state, size_t bytes)
{
    size_t at = cut(r.ad.length);
    TRY(aesfit_ccm_start(state, &key, r.nonce.bytes, r.nonce.length, r.ad.length, bytes,
                         r.tag.length));
    TRY(aesfit_ccm_ad(state, r.ad.bytes, at));
    return aesfit_ccm_ad(state, r.ad.bytes + at, r.ad.length - at);
}

static int ccm_seal(const uint8_t *in, size_t bytes, uint8_t *tag)
{
    aesfit_ccm_state state;
    size_t at = cut(bytes);
    TRY(ccm_start(&state, bytes));
    TRY(aesfit_ccm_encrypt_update(&state, out.bytes, in, at));
    TRY(aesfit_ccm_encrypt_update(&state, out.bytes + at, in + at, bytes - at));
    return aesfit_ccm_finish(&state, tag, r.tag.length);
}

#ifndef ENCRYPT_ONLY
static int ccm_open(const uint8_t *in, size_t bytes)
{
    aesfit_ccm_state state;
    size_t at = cut(bytes);
    TRY(ccm_start(&state, bytes));
    TRY(aesfit_ccm_decrypt_update_unverified(&state, out.bytes, in, at));
    TRY(aesfit_ccm_decrypt_update_unverified(&state, out.bytes + at, in + at, bytes - at));
    return aesfit_ccm_verify(&state, r.tag.bytes, r.tag.length);
}
#endif
#endif

#ifdef MODE_gcm
static int gcm_start(aesfit_gcm_state *state)
{
    size_t at = cut(r.ad.length);
    TRY(aesfit_gcm_start(state, &gcm_key, r.nonce.bytes, r.nonce.length));
    TRY(aesfit_gcm_ad(state, r.ad.bytes, at));
    return aesfit_gcm_ad(state, r.ad.bytes + at, r.ad.length - at);
}

static int gcm_seal(const uint8_t *in, size_t bytes, uint8_t *tag)
{
    aesfit_gcm_state state;
    size_t at = cut(bytes);
    TRY(gcm_start(&state));
    TRY(aesfit_gcm_encrypt_update(&state, out.bytes, in, at));
    TRY(aesfit_gcm_encrypt_update(&state, out.bytes + at, in + at, bytes - at));
    return aesfit_gcm_finish(&state, tag, r.tag.length);
}

#ifndef ENCRYPT_ONLY
static int gcm_open(const uint8_t *in, size_t bytes)
{
    aesfit_gcm_state state;
    size_t at = cut(bytes);
    TRY(gcm_start(&state));
    TRY(aesfit_gcm_decrypt_update_unverified(&state, out.bytes, in, at));
    TRY(aesfit_gcm_decrypt_update_unverified(&state, out.bytes + at, in + at, bytes - at));
    return aesfit_gcm_verify(&state, r.tag.bytes, r.tag.length);
}
#endif
#endif

static int seal_all(const uint8_t *in, uint8_t *tag)
{
    size_t bytes = r.plain.length;
    switch (r.mode) {
#ifdef MODE_pkcs7
    case MODE_ecb_pkcs7:
        return aesfit_ecb_pkcs7_encrypt(&key, out.bytes, FIELD_BYTES, &out.length, in, bytes);
#endif
#ifdef MODE_cbc
    case MODE_cbc_many:
        return cbc_many(in, bytes);
#endif
#ifdef MODE_cmac
    case MODE_cmac_streamed:
        return cmac_streamed(tag);
#endif
#ifdef MODE_ccm
    case MODE_ccm_streamed:
        return ccm_seal(in, bytes, tag);
#endif
#ifdef MODE_gcm
    case MODE_gcm_streamed:
        return gcm_seal(in, bytes, tag);
    case MODE_gmac:
        return aesfit_gmac(&gcm_key, r.nonce.bytes, r.nonce.length, r.ad.bytes, r.ad.length, tag,
                           r.tag.length);
#endif
#ifdef MODE_kw
    case MODE_kwp:
        return aesfit_key_wrap_padded(&key, out.bytes, FIELD_BYTES, &out.length, in, bytes);
#endif
    default:
        (void)in;
        (void)tag;
        return AESFIT_ERR_ARGUMENT;
    }
}

#ifndef ENCRYPT_ONLY
static int open_all(const uint8_t *in)
{
    size_t bytes = r.cipher.length;
    switch (r.mode) {
#ifdef MODE_pkcs7
    case MODE_ecb_pkcs7:
        return aesfit_ecb_pkcs7_decrypt(&key, out.bytes, FIELD_BYTES, &out.length, in, bytes);
#endif
#ifdef MODE_cbc
    case MODE_cbc_many:
        return aesfit_cbc_decrypt(&key, iv, out.bytes, in, bytes);
#endif
#ifdef MODE_cmac
    case MODE_cmac_streamed:
        return aesfit_cmac_verify(&key, r.plain.bytes, r.plain.length, r.tag.bytes, r.tag.length);
#endif
#ifdef MODE_ccm
    case MODE_ccm_streamed:
        return ccm_open(in, bytes);
#endif
#ifdef MODE_gcm
    case MODE_gcm_streamed:
        return gcm_open(in, bytes);
    case MODE_gmac:
        return aesfit_gmac_verify(&gcm_key, r.nonce.bytes, r.nonce.length, r.ad.bytes, r.ad.length,
                                  r.tag.bytes, r.tag.length);
#endif
#ifdef MODE_kw
    case MODE_kwp:
        return aesfit_key_unwrap_padded(&key, out.bytes, FIELD_BYTES, &out.length, in, bytes);
#endif
    default:
        (void)in;
        (void)bytes;
        return AESFIT_ERR_ARGUMENT;
    }
}
#endif
