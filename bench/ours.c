/* SPDX-License-Identifier: MIT */
/* Our side of bench_host: the one-shot calls with an expanded key, as a user makes them. */
#include "bench.h"
#include "core.h"
#include <stdlib.h>
#include <string.h>

typedef struct ours_state {
    bench_case what;
    aesfit_key key;
    aesfit_gcm_key gcm;
    aesfit_xts_key xts;
    uint8_t found; /* features of the processor, by the key that the mode uses */
    uint8_t key_bytes[64], iv[16], ivs[16 * BENCH_STREAMS], tag[BENCH_TAG_BYTES];
    uint8_t *outputs[BENCH_STREAMS];
    const uint8_t *inputs[BENCH_STREAMS];
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

static void ours_set_features(ours_state *state, uint8_t features)
{
    state->key.features = features;
    state->gcm.aes.features = features;
    state->xts.data.features = features;
    state->xts.tweak.features = features;
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
        state->inputs[i] = bench_stream(what, i);
        state->outputs[i] = bench_stream(what, i) + what->apart;
        state->lengths[i] = what->bytes;
    }
    if (ours_expand(state) == AESFIT_OK) {
        state->found = state->key.features | state->gcm.aes.features | state->xts.data.features;
        if (what->narrow)
            ours_set_features(state, 0);
        return state;
    }
    ours_close(state);
    return NULL;
}

/* GCM decrypts through the bulk path, without comparing the tag: any data in the buffer can be
 * decrypted. */
static int ours_decrypt(ours_state *state, uint8_t *out, const uint8_t *in, uint8_t iv[16])
{
    const bench_case *what = &state->what;
    if (what->mode == BENCH_ECB)
        return aesfit_ecb_decrypt(&state->key, out, in, what->bytes);
    if (what->mode == BENCH_XTS)
        return aesfit_xts_decrypt(&state->xts, iv, out, in, what->bytes);
    if (what->mode != BENCH_GCM || what->core->bulk == NULL)
        return AESFIT_ERR_ARGUMENT;
    what->core->bulk->gcm_open(&state->gcm, iv, NULL, 0, out, in, what->bytes, state->tag);
    return AESFIT_OK;
}

/* One message; `iv` is a copy of state->iv. */
static int ours_message(ours_state *state, uint8_t *out, const uint8_t *in, uint8_t iv[16])
{
    const bench_case *what = &state->what;
    size_t bytes = what->bytes;
    aesfit_ctr ctr;
    switch (what->mode) {
    case BENCH_ECB:
    case BENCH_BLOCK:
        return aesfit_ecb_encrypt(&state->key, out, in, bytes);
    case BENCH_CBC_ENCRYPT:
        return aesfit_cbc_encrypt(&state->key, iv, out, in, bytes);
    case BENCH_CBC_DECRYPT:
        return aesfit_cbc_decrypt(&state->key, iv, out, in, bytes);
    case BENCH_CTR:
        aesfit_ctr_start(&ctr, iv, 128);
        return aesfit_ctr_crypt(&state->key, &ctr, out, in, bytes);
    case BENCH_GCM:
        return aesfit_gcm_encrypt(&state->gcm, iv, BENCH_NONCE_BYTES, NULL, 0, out, in, bytes,
                                  state->tag, BENCH_TAG_BYTES);
    case BENCH_CCM:
        return aesfit_ccm_encrypt(&state->key, iv, BENCH_NONCE_BYTES, NULL, 0, out, in, bytes,
                                  state->tag, BENCH_TAG_BYTES);
    case BENCH_XTS:
        return aesfit_xts_encrypt(&state->xts, iv, out, in, bytes);
    case BENCH_CBC_STREAMS:
        return aesfit_cbc_encrypt_many(&state->key, state->ivs, state->outputs, state->inputs,
                                       state->lengths, BENCH_STREAMS);
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
    const bench_case *what = &state->what;
    for (; messages > 0; messages--) {
        uint8_t iv[16], *in = bench_message(what, messages), *out = in + what->apart;
        bench_next_iv(state->iv);
        memcpy(iv, state->iv, 16);
        if ((what->decrypt ? ours_decrypt : ours_message)(state, out, in, iv) != AESFIT_OK)
            abort(); /* times of failing calls are meaningless */
    }
}

static void ours_run_wide(void *memory, size_t messages)
{
    ours_state *state = memory;
    ours_set_features(state, state->found);
    ours_run(memory, messages);
}

static void ours_run_narrow(void *memory, size_t messages)
{
    ours_set_features(memory, 0);
    ours_run(memory, messages);
}

const bench_side bench_ours = {"aesfit", ours_open, ours_run, ours_close};
const bench_side bench_ours_wide = {"wide", ours_open, ours_run_wide, ours_close};
const bench_side bench_ours_narrow = {"narrow", ours_open, ours_run_narrow, ours_close};
