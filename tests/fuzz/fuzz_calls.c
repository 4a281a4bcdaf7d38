/* SPDX-License-Identifier: MIT */
/* Sequences of API calls in any order over keys, states and buffers that go on living, with
 * arguments of any kind: NULL, wrong lengths and directions, buffers that overlap.  Every call
 * answers with a named status, no state works before it is started or after it ended, and buffers
 * are as long as was said, so that AddressSanitizer sees the first byte too many. */
#include "fuzz.h"

enum {
    MAX_BYTES = 400,
    MAX_CALLS = 40,
    FIXED_BYTES = 19
}; /* FIXED_BYTES: of out and in, at least */

typedef struct wild {
    aesfit_key key;
    aesfit_xts_key xts;
    aesfit_gcm_key gcm;
    aesfit_gcm_siv_key siv;
    struct {
        uint8_t *bytes;
    } out, in, ad;
    uint8_t *iv, *tag; /* 16 bytes each */
    size_t bytes, ad_bytes, nonce_bytes, tag_bytes, size, got;
    unsigned small; /* 0 to 19 */
    int overlap;    /* out begins within in */
    int favourite;  /* state that most calls of a run use */
    struct {
        aesfit_ctr ctr;
        aesfit_feedback feedback;
        aesfit_stream stream;
        aesfit_cmac_state cmac;
        aesfit_ccm_state ccm;
        aesfit_gcm_state gcm;
        int live[6]; /* started since it last ended, in the order above */
    } states;
} wild;

#include "../c/wild_calls.h"

enum { CTR, FEEDBACK, STREAM, CMAC, CCM, GCM, STATES };

static size_t longer(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void new_buffers(wild *w)
{
    w->bytes = random_below(MAX_BYTES) & ~(random_below(2) ? (size_t)15 : 0);
    w->ad_bytes = random_below(60);
    w->nonce_bytes = random_below(20);
    w->tag_bytes = random_below(17);
    w->size = random_below(4) ? w->bytes + 32 : random_below(100);
    w->small = (unsigned)random_below(20);
    w->overlap = random_below(8) == 0;
    size_t room = longer(longer(w->bytes, w->size), FIXED_BYTES);
    size_t read = longer(w->bytes, FIXED_BYTES);
    size_t shift = w->overlap ? random_below(read) : 0; /* 0: in place */
    w->in.bytes = fuzz_text(w->overlap ? longer(shift + room, read) : read);
    w->out.bytes = w->overlap ? w->in.bytes + shift : fuzz_room(room);
    w->ad.bytes = fuzz_text(longer(w->ad_bytes, w->nonce_bytes));
    w->iv = fuzz_text(16);
    w->tag = fuzz_text(16);
    if (random_below(2))
        w->in.bytes[0] = 0x08; /* a data frame of CCMP */
}

/* ------------------------------------------------------------------- states */

static int start(wild *w, int which)
{
    switch (which) {
    case CTR:
        return aesfit_ctr_start(P(&w->states.ctr), IV, w->small * 8);
    case FEEDBACK:
        return aesfit_feedback_start(P(&w->states.feedback), IV);
    case STREAM:
        if (random_below(4) == 0)
            return aesfit_stream_start_xts(P(&w->states.stream), w->small % 4, P(&w->xts), IV);
        return aesfit_stream_start(P(&w->states.stream),
                                   (aesfit_mode)random_below(AESFIT_MODE_COUNT + 2), w->small % 4,
                                   KEY, IV);
    case CMAC:
        return aesfit_cmac_start(P(&w->states.cmac), KEY);
    case CCM:
        return aesfit_ccm_start(P(&w->states.ccm), KEY, NONCE, w->ad_bytes, w->bytes, w->tag_bytes);
    default:
        return aesfit_gcm_start(P(&w->states.gcm), P(&w->gcm), NONCE);
    }
}

static int use_feedback(wild *w)
{
    aesfit_feedback *state = P(&w->states.feedback);
    switch (random_below(5)) {
    case 0:
        return aesfit_cfb_encrypt(KEY, state, OUT, IN);
    case 1:
        return aesfit_cfb_decrypt(KEY, state, OUT, IN);
    case 2:
        return aesfit_cfb8_encrypt(KEY, state, OUT, IN);
    case 3:
        return aesfit_cfb8_decrypt(KEY, state, OUT, IN);
    default:
        return aesfit_ofb_crypt(KEY, state, OUT, IN);
    }
}

static int use(wild *w, int which)
{
    int step = (int)random_below(3);
    switch (which) {
    case CTR:
        return aesfit_ctr_crypt(KEY, P(&w->states.ctr), OUT, IN);
    case FEEDBACK:
        return use_feedback(w);
    case STREAM:
        return aesfit_stream_update(P(&w->states.stream), SIZED, IN);
    case CMAC:
        return aesfit_cmac_update(P(&w->states.cmac), IN);
    case CCM:
        return step == 0   ? aesfit_ccm_ad(P(&w->states.ccm), AD)
               : step == 1 ? aesfit_ccm_encrypt_update(P(&w->states.ccm), OUT, IN)
                           : aesfit_ccm_decrypt_update_unverified(P(&w->states.ccm), OUT, IN);
    default:
        return step == 0   ? aesfit_gcm_ad(P(&w->states.gcm), AD)
               : step == 1 ? aesfit_gcm_encrypt_update(P(&w->states.gcm), OUT, IN)
                           : aesfit_gcm_decrypt_update_unverified(P(&w->states.gcm), OUT, IN);
    }
}

static int end(wild *w, int which)
{
    int verify = random_below(2) == 0;
    switch (which) {
    case STREAM:
        return aesfit_stream_finish(P(&w->states.stream), SIZED);
    case CMAC:
        return aesfit_cmac_finish(P(&w->states.cmac), TAG);
    case CCM:
        return verify ? aesfit_ccm_verify(P(&w->states.ccm), TAG)
                      : aesfit_ccm_finish(P(&w->states.ccm), TAG);
    case GCM:
        return verify ? aesfit_gcm_verify(P(&w->states.gcm), TAG)
                      : aesfit_gcm_finish(P(&w->states.gcm), TAG);
    default: /* CTR and feedback have no end */
        return AESFIT_ERR_ORDER;
    }
}

/* ---------------------------------------------------------------- sequences */

static int call_state(wild *w)
{
    int which = random_below(4) ? w->favourite : (int)random_below(STATES), status;
    int *live = &w->states.live[which];
    switch (random_below(4)) {
    case 0:
        status = start(w, which);
        *live |= status == AESFIT_OK;
        return status;
    case 1:
        status = end(w, which);
        CHECK(status != AESFIT_OK || *live);
        *live &= status != AESFIT_OK && status != AESFIT_ERR_AUTHENTICATION;
        return status;
    default:
        status = use(w, which);
        CHECK(status != AESFIT_OK || *live);
        return status;
    }
}

static void fuzz_one(void)
{
    static wild w;
    memset(&w, 0, sizeof w);
    wild_keys(&w);
    w.favourite = (int)random_below(STATES);
    for (size_t calls = random_below(MAX_CALLS) + 1; calls > 0; calls--) {
        size_t kind = random_below(16), which = random_below(WILD_ONE_SHOTS);
        int status;
        if (kind == 0) { /* states hold their key's address: they end with it */
            memset(&w.states, 0, sizeof w.states);
            wild_keys(&w);
        }
        new_buffers(&w);
        status = kind < 8 ? wild_one_shot(&w, which) : call_state(&w);
        test_context("kind %lu, one shot %lu, %lu bytes", (unsigned long)kind, (unsigned long)which,
                     (unsigned long)w.bytes);
        CHECK(status <= AESFIT_OK && status >= AESFIT_ERR_ARGUMENT);
        CHECK(status != AESFIT_ERR_OVERLAP || w.overlap);
    }
}
