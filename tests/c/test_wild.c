/* SPDX-License-Identifier: MIT */
/* Every public function with random arguments: NULL, wrong lengths and directions, keys and states
 * that were never initialised.  It must answer with a named status, write nothing outside its
 * buffers, and on an error report no output.  (Sanitized builds see more than this can.) */
#include "test.h"

enum { WILD_ROOM = 512, WILD_GUARD = 32, WILD_CALLS = 200000, WILD_STEPS = 5 };

typedef struct wild_buffer {
    uint8_t before[WILD_GUARD], bytes[WILD_ROOM], after[WILD_GUARD];
} wild_buffer;

/* The arguments of one call; `size` is a claimed buffer size of at most WILD_ROOM. */
typedef struct wild {
    aesfit_key key;
    aesfit_xts_key xts;
    aesfit_gcm_key gcm;
    aesfit_gcm_siv_key siv;
    wild_buffer out, in, ad;
    uint8_t iv[16], tag[16];
    size_t bytes, ad_bytes, nonce_bytes, tag_bytes, size, got;
    unsigned small; /* 0 to 19 */
} wild;

#include "wild_calls.h"

typedef int wild_call(wild *w);

/* ---------------------------------------------- states, used in any order */

static int wild_ctr(wild *w)
{
    aesfit_ctr ctr;
    memset(&ctr, 0, sizeof ctr);
    if (random_below(4) != 0)
        aesfit_ctr_start(P(&ctr), IV, w->small * 8);
    return aesfit_ctr_crypt(KEY, P(&ctr), OUT, IN);
}

static int wild_feedback(wild *w)
{
    aesfit_feedback state;
    memset(&state, 0, sizeof state);
    if (random_below(4) != 0)
        aesfit_feedback_start(P(&state), IV);
    switch (random_below(5)) {
    case 0:
        return aesfit_cfb_encrypt(KEY, P(&state), OUT, IN);
    case 1:
        return aesfit_cfb_decrypt(KEY, P(&state), OUT, IN);
    case 2:
        return aesfit_cfb8_encrypt(KEY, P(&state), OUT, IN);
    case 3:
        return aesfit_cfb8_decrypt(KEY, P(&state), OUT, IN);
    default:
        return aesfit_ofb_crypt(KEY, P(&state), OUT, IN);
    }
}

static int wild_stream(wild *w)
{
    aesfit_stream stream;
    memset(&stream, 0, sizeof stream);
    if (random_below(3) == 0)
        aesfit_stream_start_xts(P(&stream), w->small % 4, P(&w->xts), IV);
    else if (random_below(8) != 0)
        aesfit_stream_start(P(&stream), (aesfit_mode)random_below(AESFIT_MODE_COUNT + 2),
                            w->small % 4, KEY, IV);
    for (size_t i = random_below(WILD_STEPS); i > 0; i--)
        aesfit_stream_update(P(&stream), SIZED, P(w->in.bytes), random_below(WILD_ROOM));
    return aesfit_stream_finish(P(&stream), OUT, w->size, &w->got);
}

static int wild_cmac(wild *w)
{
    aesfit_cmac_state state;
    memset(&state, 0, sizeof state);
    if (random_below(8) != 0)
        aesfit_cmac_start(P(&state), KEY);
    for (size_t i = random_below(WILD_STEPS); i > 0; i--)
        aesfit_cmac_update(P(&state), P(w->in.bytes), random_below(WILD_ROOM));
    return aesfit_cmac_finish(P(&state), TAG);
}

static int wild_ccm(wild *w)
{
    aesfit_ccm_state state;
    memset(&state, 0, sizeof state);
    if (random_below(8) != 0)
        aesfit_ccm_start(P(&state), KEY, NONCE, w->small, w->small * 2, w->tag_bytes);
    for (size_t i = random_below(WILD_STEPS); i > 0; i--) {
        size_t part = random_below(40), step = random_below(3);
        if (step == 0)
            aesfit_ccm_ad(P(&state), P(w->ad.bytes), part);
        else if (step == 1)
            aesfit_ccm_encrypt_update(P(&state), OUT, P(w->in.bytes), part);
        else
            aesfit_ccm_decrypt_update_unverified(P(&state), OUT, P(w->in.bytes), part);
    }
    return random_below(2) != 0 ? aesfit_ccm_finish(P(&state), TAG)
                                : aesfit_ccm_verify(P(&state), TAG);
}

static int wild_gcm(wild *w)
{
    aesfit_gcm_state state;
    memset(&state, 0, sizeof state);
    if (random_below(8) != 0)
        aesfit_gcm_start(P(&state), P(&w->gcm), NONCE);
    for (size_t i = random_below(WILD_STEPS); i > 0; i--) {
        size_t part = random_below(WILD_ROOM), step = random_below(3);
        if (step == 0)
            aesfit_gcm_ad(P(&state), P(w->ad.bytes), part);
        else if (step == 1)
            aesfit_gcm_encrypt_update(P(&state), OUT, P(w->in.bytes), part);
        else
            aesfit_gcm_decrypt_update_unverified(P(&state), OUT, P(w->in.bytes), part);
    }
    return random_below(2) != 0 ? aesfit_gcm_finish(P(&state), TAG)
                                : aesfit_gcm_verify(P(&state), TAG);
}

static wild_call *const wild_states[] = {wild_ctr,  wild_feedback, wild_stream,
                                         wild_cmac, wild_ccm,      wild_gcm};
enum { WILD_STATES = sizeof wild_states / sizeof wild_states[0] };

/* ------------------------------------------------------------------- world */

static void wild_world(wild *w)
{
    wild_keys(w);
    memset(&w->out, 0xa5, sizeof w->out);
    random_fill(w->in.bytes, WILD_ROOM);
    random_fill(w->ad.bytes, WILD_ROOM);
    random_fill(w->iv, sizeof w->iv);
    w->in.bytes[0] = random_below(2) != 0 ? 0x08 : w->in.bytes[0]; /* a data frame of CCMP */
    w->bytes = random_below(WILD_ROOM + 1) & ~(random_below(2) != 0 ? (size_t)15 : 0);
    w->ad_bytes = random_below(60);
    w->nonce_bytes = random_below(20);
    w->tag_bytes = random_below(17);
    w->size = random_below(2) != 0 ? (size_t)WILD_ROOM : random_below(100);
    w->small = (unsigned)random_below(20);
    w->got = 0;
}

static int wild_guarded(const wild_buffer *b)
{
    int same = 1;
    for (int i = 0; i < WILD_GUARD; i++)
        same &= b->before[i] == 0xa5 && b->after[i] == 0xa5;
    return same;
}

int main(int argc, char **argv)
{
    static wild w;
    test_begin(argc, argv);
    for (size_t i = 0; i < WILD_CALLS; i++) {
        size_t which = i % (WILD_ONE_SHOTS + WILD_STATES);
        wild_world(&w);
        test_context("call %lu of the list, %lu bytes", (unsigned long)which,
                     (unsigned long)w.bytes);
        int status = which < WILD_ONE_SHOTS ? wild_one_shot(&w, which)
                                            : wild_states[which - WILD_ONE_SHOTS](&w);
        CHECK(status <= AESFIT_OK && status >= AESFIT_ERR_ARGUMENT);
        CHECK(wild_guarded(&w.out));
        CHECK(status == AESFIT_OK || which >= WILD_ONE_SHOTS || w.got == 0);
    }
    return test_end();
}
