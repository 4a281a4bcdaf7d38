/* SPDX-License-Identifier: MIT */
/* The peer's side of bench_host: OpenSSL's EVP, used in its fastest way.  The context and the key
 * are kept, and a message sets only its IV (cipher and key NULL); modes without padding or tag skip
 * EVP_EncryptFinal_ex. */
#include "bench.h"
#include <openssl/evp.h>
#include <stdlib.h>

typedef struct peer_state {
    bench_case what;
    EVP_CIPHER_CTX *context;
    uint8_t key[64], iv[16], tag[BENCH_TAG_BYTES];
} peer_state;

static const EVP_CIPHER *peer_cipher(bench_mode mode, unsigned key_bits)
{
    int wide = key_bits == 256;
    switch (mode) {
    case BENCH_CBC_ENCRYPT:
    case BENCH_CBC_DECRYPT:
    case BENCH_CBC_STREAMS:
        return wide ? EVP_aes_256_cbc() : EVP_aes_128_cbc();
    case BENCH_CTR:
        return wide ? EVP_aes_256_ctr() : EVP_aes_128_ctr();
    case BENCH_GCM:
        return wide ? EVP_aes_256_gcm() : EVP_aes_128_gcm();
    case BENCH_CCM:
        return wide ? EVP_aes_256_ccm() : EVP_aes_128_ccm();
    case BENCH_XTS:
        return wide ? EVP_aes_256_xts() : EVP_aes_128_xts();
    default:
        return wide ? EVP_aes_256_ecb() : EVP_aes_128_ecb();
    }
}

static int peer_encrypts(bench_mode mode)
{
    return mode != BENCH_CBC_DECRYPT;
}

static void peer_close(void *memory)
{
    peer_state *state = memory;
    EVP_CIPHER_CTX_free(state->context);
    free(state);
}

static int peer_start(peer_state *state)
{
    bench_mode mode = state->what.mode;
    EVP_CIPHER_CTX *context = state->context;
    int encrypt = peer_encrypts(mode);
    if (!EVP_CipherInit_ex(context, peer_cipher(mode, state->what.key_bits), NULL, NULL, NULL,
                           encrypt))
        return 0;
    if (mode == BENCH_CCM &&
        (!EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, BENCH_NONCE_BYTES, NULL) ||
         !EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, BENCH_TAG_BYTES, NULL)))
        return 0;
    EVP_CIPHER_CTX_set_padding(context, 0);
    return EVP_CipherInit_ex(context, NULL, NULL, state->key, state->iv, encrypt);
}

static void *peer_open(const bench_case *what)
{
    peer_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return NULL;
    state->what = *what;
    state->context = EVP_CIPHER_CTX_new();
    for (size_t i = 0; i < sizeof state->key; i++)
        state->key[i] = (uint8_t)i;
    if (state->context != NULL && peer_start(state))
        return state;
    peer_close(state);
    return NULL;
}

/* One message in each direction has its own calls; 1 on success. */
static int peer_message(peer_state *state, uint8_t *data)
{
    EVP_CIPHER_CTX *context = state->context;
    int bytes = (int)state->what.bytes, written;
    switch (state->what.mode) {
    case BENCH_ECB:
    case BENCH_BLOCK:
        return EVP_EncryptUpdate(context, data, &written, data, bytes);
    case BENCH_CBC_DECRYPT:
        return EVP_DecryptInit_ex(context, NULL, NULL, NULL, state->iv) &&
               EVP_DecryptUpdate(context, data, &written, data, bytes);
    case BENCH_GCM:
        return EVP_EncryptInit_ex(context, NULL, NULL, NULL, state->iv) &&
               EVP_EncryptUpdate(context, data, &written, data, bytes) &&
               EVP_EncryptFinal_ex(context, data + written, &written) &&
               EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, BENCH_TAG_BYTES, state->tag);
    case BENCH_CCM:
        return EVP_EncryptInit_ex(context, NULL, NULL, NULL, state->iv) &&
               EVP_EncryptUpdate(context, NULL, &written, NULL, bytes) &&
               EVP_EncryptUpdate(context, data, &written, data, bytes) &&
               EVP_EncryptFinal_ex(context, data + written, &written) &&
               EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, BENCH_TAG_BYTES, state->tag);
    case BENCH_KEY_ENCRYPT:
        return EVP_EncryptInit_ex(context, NULL, NULL, state->key, NULL);
    case BENCH_KEY_BOTH:
        return EVP_EncryptInit_ex(context, NULL, NULL, state->key, NULL) &&
               EVP_DecryptInit_ex(context, NULL, NULL, state->key, NULL);
    default:
        return EVP_EncryptInit_ex(context, NULL, NULL, NULL, state->iv) &&
               EVP_EncryptUpdate(context, data, &written, data, bytes);
    }
}

static void peer_run(void *memory, size_t messages)
{
    peer_state *state = memory;
    const bench_case *what = &state->what;
    size_t streams = what->mode == BENCH_CBC_STREAMS ? BENCH_STREAMS : 1;
    for (; messages > 0; messages--) {
        bench_next_iv(state->iv);
        for (size_t i = 0; i < streams; i++) {
            uint8_t *stream = bench_stream(what, i);
            if (!peer_message(state, streams > 1 ? stream : bench_message(what, messages)))
                abort();
        }
    }
}

const bench_side bench_peer = {"OpenSSL", peer_open, peer_run, peer_close};
