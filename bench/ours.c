/* SPDX-License-Identifier: MIT */
/* Our side of bench_host: the one-shot calls with an expanded key, as a user makes them. */
#include "bench.h"
#include <stdlib.h>
#include <string.h>

typedef struct ours_state {
    bench_case what;
    aesfit_key key;
    aesfit_gcm_key gcm;
    aesfit_xts_key xts;
    uint8_t key_bytes[64], iv[16], ivs[16 * BENCH_STREAMS], tag[BENCH_TAG_BYTES];
    uint8_t *buffers[BENCH_STREAMS];
    size_t lengths[BENCH_STREAMS];
} ours_state;

static int ours_expand(ours_state *state)
{
    const bench_case *what = &state->what;
    size_t bytes = what->key_bits / 8;
    if (what->mode == BENCH_GCM)
        return aesfit_gcm_expand_key(&state->gcm, what->core, NULL, state->key_bytes, bytes);
    if (what->mode == BENCH_XTS)
        return aesfit_xts_expand_key(&state->xts, what->core, state->key_bytes, 2 * bytes,
                                     AESFIT_BOTH);
    return aesfit_expand_key(&state->key, what->core, state->key_bytes, bytes, AESFIT_BOTH);
}

static void ours_forget_vaes(ours_state *state)
{
    state->key.features = 0;
    state->gcm.aes.features = 0;
    state->xts.data.features = 0;
    state->xts.tweak.features = 0;
}

static void ours_close(void *memory)
{
    ours_state *state = memory;
    aesfit_wipe(state, sizeof *state);
    free(state);
}

static void *ours_open(const bench_case *what)
{
    ours_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return NULL;
    state->what = *what;
    for (size_t i = 0; i < sizeof state->key_bytes; i++)
        state->key_bytes[i] = (uint8_t)i;
    for (size_t i = 0; i < BENCH_STREAMS; i++) {
        state->buffers[i] = bench_stream(what, i);
        state->lengths[i] = what->bytes;
    }
    if (ours_expand(state) == AESFIT_OK) {
        if (what->narrow)
            ours_forget_vaes(state);
        return state;
    }
    ours_close(state);
    return NULL;
}

/* One message; `iv` is a copy of state->iv. */
static int ours_message(ours_state *state, uint8_t *data, uint8_t iv[16])
{
    const bench_case *what = &state->what;
    size_t bytes = what->bytes;
    aesfit_ctr ctr;
    switch (what->mode) {
    case BENCH_ECB:
    case BENCH_BLOCK:
        return aesfit_ecb_encrypt(&state->key, data, data, bytes);
    case BENCH_CBC_ENCRYPT:
        return aesfit_cbc_encrypt(&state->key, iv, data, data, bytes);
    case BENCH_CBC_DECRYPT:
        return aesfit_cbc_decrypt(&state->key, iv, data, data, bytes);
    case BENCH_CTR:
        aesfit_ctr_start(&ctr, iv, 128);
        return aesfit_ctr_crypt(&state->key, &ctr, data, data, bytes);
    case BENCH_GCM:
        return aesfit_gcm_encrypt(&state->gcm, iv, BENCH_NONCE_BYTES, NULL, 0, data, data, bytes,
                                  state->tag, BENCH_TAG_BYTES);
    case BENCH_CCM:
        return aesfit_ccm_encrypt(&state->key, iv, BENCH_NONCE_BYTES, NULL, 0, data, data, bytes,
                                  state->tag, BENCH_TAG_BYTES);
    case BENCH_XTS:
        return aesfit_xts_encrypt(&state->xts, iv, data, data, bytes);
    case BENCH_CBC_STREAMS:
        return aesfit_cbc_encrypt_many(&state->key, state->ivs, state->buffers,
                                       (const uint8_t *const *)state->buffers, state->lengths,
                                       BENCH_STREAMS);
    case BENCH_KEY_ENCRYPT:
    case BENCH_KEY_BOTH:
        return aesfit_expand_key(&state->key, what->core, state->key_bytes, what->key_bits / 8,
                                 what->mode == BENCH_KEY_BOTH ? AESFIT_BOTH : AESFIT_ENCRYPT);
    default:
        return AESFIT_ERR_ARGUMENT;
    }
}

static void ours_run(void *memory, size_t messages)
{
    ours_state *state = memory;
    for (; messages > 0; messages--) {
        uint8_t iv[16];
        bench_next_iv(state->iv);
        memcpy(iv, state->iv, 16);
        if (ours_message(state, bench_message(&state->what, messages), iv) != AESFIT_OK)
            abort(); /* a time of failing calls would be worth nothing */
    }
}

const bench_side bench_ours = {"aesfit", ours_open, ours_run, ours_close};
