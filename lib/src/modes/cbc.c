/* SPDX-License-Identifier: MIT */
/* CBC: each block is XORed with the ciphertext before it, then encrypted.
 *
 * Source: NIST SP 800-38A, 6.2.
 * Cost: encryption is serial, so a core with pipelines idles; decryption fills its lanes.
 * aesfit_cbc_encrypt_many() fills them in encryption too, with up to 8 streams side by side.
 * Constant-time: as the core; lengths are public. */
#include "../parts/cbc_blocks.h"
#include "../parts/check.h"
#include "../parts/clear.h"

AESFIT_LOCAL int cbc_check(const aesfit_key *key, unsigned direction, const uint8_t *iv,
                           const uint8_t *out, const uint8_t *in, size_t bytes)
{
    TRY(check_key(key, direction));
    TRY(check_input(iv, 16));
    TRY(check_buffers(out, in, bytes));
    CHECK_APART(out, bytes, key, sizeof *key);
    CHECK_APART(iv, 16, key, sizeof *key);
    CHECK_APART(iv, 16, out, bytes);
    CHECK_APART(iv, 16, in, bytes);
    return bytes % 16 == 0 ? AESFIT_OK : AESFIT_ERR_LENGTH;
}

CLEARED AESFIT_LOCAL int cbc_encrypt(const aesfit_key *key, uint8_t iv[16], uint8_t *out,
                                     const uint8_t *in, size_t bytes)
{
    TRY(cbc_check(key, AESFIT_ENCRYPT, iv, out, in, bytes));
    cbc_blocks_encrypt(key, iv, out, in, bytes / 16);
    return AESFIT_OK;
}

int aesfit_cbc_encrypt(const aesfit_key *key, uint8_t iv[16], uint8_t *out, const uint8_t *in,
                       size_t bytes)
{
    return CLEAR_AFTER(clear_blocks, cbc_encrypt(key, iv, out, in, bytes));
}

CLEARED AESFIT_LOCAL int cbc_decrypt(const aesfit_key *key, uint8_t iv[16], uint8_t *out,
                                     const uint8_t *in, size_t bytes)
{
    TRY(cbc_check(key, AESFIT_DECRYPT, iv, out, in, bytes));
    cbc_blocks_decrypt(key, iv, out, in, bytes / 16);
    return AESFIT_OK;
}

int aesfit_cbc_decrypt(const aesfit_key *key, uint8_t iv[16], uint8_t *out, const uint8_t *in,
                       size_t bytes)
{
    return CLEAR_AFTER(clear_blocks, cbc_decrypt(key, iv, out, in, bytes));
}

#if AESFIT_WITH_BULK
/* The streams in flight.  A stream that ends leaves its place to the next one that waits. */
typedef struct cbc_flight {
    uint8_t *iv[8], *out[8];
    const uint8_t *in[8];
    size_t blocks[8]; /* left, never 0 */
    size_t count;
} cbc_flight;

AESFIT_LOCAL void cbc_flight_add(cbc_flight *flight, uint8_t *iv, uint8_t *out, const uint8_t *in,
                                 size_t blocks)
{
    flight->iv[flight->count] = iv;
    flight->out[flight->count] = out;
    flight->in[flight->count] = in;
    flight->blocks[flight->count] = blocks;
    flight->count++;
}

/* Encrypts all streams in flight as far as the shortest goes, and drops those that end there. */
AESFIT_LOCAL void cbc_flight_run(const aesfit_key *key, cbc_flight *flight)
{
    size_t run = flight->blocks[0], streams = flight->count;
    for (size_t i = 1; i < streams; i++)
        run = flight->blocks[i] < run ? flight->blocks[i] : run;
    CORE_BULK(key, cbc_encrypt_many)(key, flight->iv, flight->out, flight->in, run, streams);
    flight->count = 0;
    for (size_t i = 0; i < streams; i++)
        if (flight->blocks[i] > run) /* moves down or stays: i >= count */
            cbc_flight_add(flight, flight->iv[i], flight->out[i] + 16 * run,
                           flight->in[i] + 16 * run, flight->blocks[i] - run);
}

AESFIT_LOCAL void cbc_many_bulk(const aesfit_key *key, uint8_t *ivs, uint8_t *const *out,
                                const uint8_t *const *in, const size_t *bytes, size_t streams)
{
    cbc_flight flight;
    size_t next = 0;
    flight.count = 0;
    for (;;) {
        for (; next < streams && flight.count < 8; next++)
            if (bytes[next] > 0)
                cbc_flight_add(&flight, ivs + 16 * next, out[next], in[next], bytes[next] / 16);
        if (flight.count == 0)
            return;
        cbc_flight_run(key, &flight);
    }
}
#endif

#ifdef AESFIT_CHECK_OVERLAP
/* No stream writes what another one reads or writes. */
AESFIT_LOCAL int cbc_many_apart(const uint8_t *ivs, uint8_t *const *out, const uint8_t *const *in,
                                const size_t *bytes, size_t streams)
{
    for (size_t i = 0; i < streams; i++) {
        CHECK_APART(ivs, 16 * streams, out[i], bytes[i]);
        CHECK_APART(ivs, 16 * streams, in[i], bytes[i]);
        for (size_t j = 0; j < streams; j++) {
            CHECK_APART(out[i], i == j ? 0 : bytes[i], out[j], bytes[j]);
            CHECK_APART(out[i], i == j ? 0 : bytes[i], in[j], bytes[j]);
        }
    }
    return AESFIT_OK;
}
#endif

CLEARED AESFIT_LOCAL int cbc_encrypt_many(const aesfit_key *key, uint8_t *ivs, uint8_t *const *out,
                                          const uint8_t *const *in, const size_t *bytes,
                                          size_t streams)
{
    TRY(check_key(key, AESFIT_ENCRYPT));
    if (streams > 0 && (ivs == NULL || out == NULL || in == NULL || bytes == NULL))
        return AESFIT_ERR_NULL;
    for (size_t i = 0; i < streams; i++)
        TRY(cbc_check(key, AESFIT_ENCRYPT, ivs + 16 * i, out[i], in[i], bytes[i]));
#ifdef AESFIT_CHECK_OVERLAP
    TRY(cbc_many_apart(ivs, out, in, bytes, streams));
#endif
#if AESFIT_WITH_BULK
    if (CORE_BULK(key, cbc_encrypt_many) != NULL) {
        cbc_many_bulk(key, ivs, out, in, bytes, streams);
        return AESFIT_OK;
    }
#endif
    for (size_t i = 0; i < streams; i++)
        cbc_blocks_encrypt(key, ivs + 16 * i, out[i], in[i], bytes[i] / 16);
    return AESFIT_OK;
}

int aesfit_cbc_encrypt_many(const aesfit_key *key, uint8_t *ivs, uint8_t *const *out,
                            const uint8_t *const *in, const size_t *bytes, size_t streams)
{
    return CLEAR_AFTER(clear_blocks, cbc_encrypt_many(key, ivs, out, in, bytes, streams));
}

#ifdef AESFIT_MODE_FACTS
#include "../mode.h"

static const aesfit_streamed cbc_streams[] = {{"cbc", AESFIT_CBC, 16}};

const aesfit_mode_facts aesfit_mode_cbc = {
    .name = "cbc",
    .title = "CBC",
    .summary = "CBC: each block is XORed with the ciphertext before it, then encrypted",
    .standard = "NIST SP 800-38A, 6.2",
    .acvp = "ACVP-AES-CBC",
    .properties = AESFIT_MODE_INVERSE,
    .key_sizes = AESFIT_EVERY_KEY_SIZE,
    .keys = 1,
    .nonce = {16, 16, 1},
    .payload = {0, AESFIT_NO_LIMIT, 16},
    .usual = {16, 0, 0},
    .nonce_called = "iv",
    .nonce_rule = "random for every message",
    .payload_rule = "whole blocks",
    .expand_key = "aesfit_expand_key",
    .encrypt = {"aesfit_cbc_encrypt", "nonce out in bytes"},
    .decrypt = {"aesfit_cbc_decrypt", "nonce out in bytes"},
    .carries = "nonce",
    .streams = cbc_streams,
    .stream_count = 1,
    .segment = 16,
    .block_calls = 1,
    .loops = 81,
};
#endif
