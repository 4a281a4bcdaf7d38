/* SPDX-License-Identifier: MIT */
/* Streams: any confidentiality mode behind one interface, fed in any cuts.
 *
 * Modes of whole blocks hold input back until they know that it is not the end: `reserve` is the
 * least they keep while more may come.  So what is held is below reserve + 16 bytes, 32 at most.
 * The end of the stream is then one short one-shot call, chained to what went before.
 * Modes of single bytes hold nothing. */
#include "parts/cbc_blocks.h"
#include "parts/check.h"
#include "parts/clear.h"
#include "parts/wipe.h"
#include "parts/xts_blocks.h"

/* XTS: 2^20 blocks (SP 800-38E). */
#define STREAM_XTS_MAX_BYTES ((uint64_t)16 << 20)

typedef struct stream_traits {
    uint8_t whole_blocks; /* 1: works through `held`, the core in the stream's direction */
    uint8_t reserve[2];   /* bytes kept at least: encrypting, decrypting */
} stream_traits;

/* In the order of aesfit_mode.  Padding may be the last full block; ciphertext stealing needs the
 * last two blocks (CS3: the last of them not empty), XTS the last whole one. */
static const stream_traits stream_modes[AESFIT_MODE_COUNT] = {
    {1, {0, 0}},   /* ECB */
    {1, {0, 1}},   /* ECB, PKCS#7 */
    {1, {0, 0}},   /* CBC */
    {1, {0, 1}},   /* CBC, PKCS#7 */
    {1, {17, 17}}, /* CBC-CS3 */
    {0, {0, 0}},   /* CTR */
    {0, {0, 0}},   /* CFB */
    {0, {0, 0}},   /* CFB8 */
    {0, {0, 0}},   /* OFB */
    {1, {16, 16}}, /* XTS */
};

/* ------------------------------------------------------------------- start */

/* Everything but the mode's own state. */
AESFIT_LOCAL int stream_begin(aesfit_stream *stream, unsigned mode, unsigned direction,
                              const aesfit_key *key)
{
    stream->finished = 1; /* until all is well */
    if (mode >= AESFIT_MODE_COUNT || (direction != AESFIT_ENCRYPT && direction != AESFIT_DECRYPT))
        return AESFIT_ERR_ARGUMENT;
    TRY(check_key(key, stream_modes[mode].whole_blocks ? direction : AESFIT_ENCRYPT));
    stream->key = key;
    stream->total = 0;
    stream->held_bytes = 0;
    stream->mode = (uint8_t)mode;
    stream->direction = (uint8_t)direction;
    return AESFIT_OK;
}

int aesfit_stream_start(aesfit_stream *stream, aesfit_mode mode, unsigned direction,
                        const aesfit_key *key, const uint8_t *iv)
{
    if (stream == NULL)
        return AESFIT_ERR_NULL;
    CHECK_APART(stream, sizeof *stream, key, sizeof *key);
    CHECK_APART(stream, sizeof *stream, iv, 16);
    TRY(stream_begin(stream, (unsigned)mode, direction, key));
    if (mode == AESFIT_XTS)
        return AESFIT_ERR_ARGUMENT;
    if (mode != AESFIT_ECB && mode != AESFIT_ECB_PKCS7) {
        TRY(check_input(iv, 16));
        memcpy(stream->chain, iv, 16);
        TRY(aesfit_ctr_start(&stream->ctr, iv, 128));
        TRY(aesfit_feedback_start(&stream->feedback, iv));
    }
    stream->finished = 0;
    return AESFIT_OK;
}

CLEARED AESFIT_LOCAL int stream_start_xts(aesfit_stream *stream, unsigned direction,
                                          const aesfit_xts_key *key, const uint8_t tweak[16])
{
    if (stream == NULL)
        return AESFIT_ERR_NULL;
    CHECK_APART(stream, sizeof *stream, key, sizeof *key);
    CHECK_APART(stream, sizeof *stream, tweak, 16);
    TRY(stream_begin(stream, AESFIT_XTS, direction, key != NULL ? &key->data : NULL));
    TRY(check_key(&key->tweak, AESFIT_ENCRYPT));
    TRY(check_input(tweak, 16));
    CORE_CALL(&key->tweak, encrypt)(&key->tweak, stream->chain, tweak, 1);
    stream->finished = 0;
    return AESFIT_OK;
}

int aesfit_stream_start_xts(aesfit_stream *stream, unsigned direction, const aesfit_xts_key *key,
                            const uint8_t tweak[16])
{
    return CLEAR_AFTER(clear_blocks, stream_start_xts(stream, direction, key, tweak));
}

/* ------------------------------------------------------------------ update */

AESFIT_LOCAL void stream_encrypt_blocks(aesfit_stream *stream, uint8_t *out, const uint8_t *in,
                                        size_t blocks)
{
    if (stream->mode == AESFIT_XTS)
        xts_blocks(stream->key, AESFIT_ENCRYPT, stream->chain, out, in, blocks);
    else if (stream->mode == AESFIT_ECB || stream->mode == AESFIT_ECB_PKCS7)
        CORE_CALL(stream->key, encrypt)(stream->key, out, in, blocks);
    else
        cbc_blocks_encrypt(stream->key, stream->chain, out, in, blocks);
}

AESFIT_LOCAL void stream_decrypt_blocks(aesfit_stream *stream, uint8_t *out, const uint8_t *in,
                                        size_t blocks)
{
    if (stream->mode == AESFIT_XTS)
        xts_blocks(stream->key, AESFIT_DECRYPT, stream->chain, out, in, blocks);
    else if (stream->mode == AESFIT_ECB || stream->mode == AESFIT_ECB_PKCS7)
        CORE_CALL(stream->key, decrypt)(stream->key, out, in, blocks);
    else
        cbc_blocks_decrypt(stream->key, stream->chain, out, in, blocks);
}

AESFIT_LOCAL void stream_blocks(aesfit_stream *stream, uint8_t *out, const uint8_t *in,
                                size_t blocks)
{
    if (blocks == 0)
        return;
    if (stream->direction == AESFIT_ENCRYPT)
        stream_encrypt_blocks(stream, out, in, blocks);
    else
        stream_decrypt_blocks(stream, out, in, blocks);
}

/* Ifs rather than a chosen function: a bound build has direct calls only. */
AESFIT_LOCAL int stream_bytes(aesfit_stream *s, uint8_t *out, const uint8_t *in, size_t bytes)
{
    int encrypt = s->direction == AESFIT_ENCRYPT;
    if (s->mode == AESFIT_CTR)
        return aesfit_ctr_crypt(s->key, &s->ctr, out, in, bytes);
    if (s->mode == AESFIT_OFB)
        return aesfit_ofb_crypt(s->key, &s->feedback, out, in, bytes);
    if (s->mode == AESFIT_CFB && encrypt)
        return aesfit_cfb_encrypt(s->key, &s->feedback, out, in, bytes);
    if (s->mode == AESFIT_CFB)
        return aesfit_cfb_decrypt(s->key, &s->feedback, out, in, bytes);
    if (encrypt)
        return aesfit_cfb8_encrypt(s->key, &s->feedback, out, in, bytes);
    return aesfit_cfb8_decrypt(s->key, &s->feedback, out, in, bytes);
}

AESFIT_LOCAL void stream_hold(aesfit_stream *stream, const uint8_t *in, size_t bytes)
{
    if (bytes > 0)
        memcpy(stream->held + stream->held_bytes, in, bytes);
    stream->held_bytes = (uint8_t)(stream->held_bytes + bytes);
}

/* Fills what is held up to whole blocks, but not above `run` bytes, and processes these.  Returns
 * how much of `in` that took; *done is how much of `run`. */
AESFIT_LOCAL size_t stream_run_held(aesfit_stream *stream, uint8_t *out, const uint8_t *in,
                                    size_t run, size_t *done)
{
    uint8_t rest[AESFIT_STREAM_HELD];
    size_t held = stream->held_bytes, take = 0, left = 0;
    *done = (held + 15) / 16 * 16;
    *done = *done < run ? *done : run;
    if (*done > held) {
        take = *done - held;
        stream_hold(stream, in, take);
    } else {
        left = held - *done;
    }
    stream_blocks(stream, out, stream->held, *done / 16);
    memcpy(rest, stream->held + *done, left);
    memcpy(stream->held, rest, left);
    stream->held_bytes = (uint8_t)left;
    return take;
}

/* Bytes that can be processed now: whole blocks, with the reserve left over. */
AESFIT_LOCAL size_t stream_run(const aesfit_stream *stream, size_t bytes)
{
    size_t reserve = stream_modes[stream->mode].reserve[stream->direction - AESFIT_ENCRYPT];
    size_t all = stream->held_bytes + bytes;
    return all > reserve ? (all - reserve) / 16 * 16 : 0;
}

AESFIT_LOCAL int stream_check_update(const aesfit_stream *stream, const uint8_t *out,
                                     size_t out_size, size_t writes, const uint8_t *in,
                                     size_t bytes)
{
    TRY(check_input(in, bytes));
    if (bytes > SIZE_MAX - AESFIT_STREAM_HELD)
        return AESFIT_ERR_LENGTH;
    if (stream->mode == AESFIT_XTS && bytes > STREAM_XTS_MAX_BYTES - stream->total)
        return AESFIT_ERR_LENGTH;
    if (out == NULL && writes > 0)
        return AESFIT_ERR_NULL;
    if (out_size < writes)
        return AESFIT_ERR_OUTPUT_SIZE;
    CHECK_APART(out, writes, in, bytes);
    CHECK_APART(out, writes, stream->key, sizeof *stream->key);
    CHECK_APART(stream, sizeof *stream, out, writes);
    CHECK_APART(stream, sizeof *stream, in, bytes);
    return AESFIT_OK;
}

CLEARED AESFIT_LOCAL int stream_update(aesfit_stream *stream, uint8_t *out, size_t out_size,
                                       size_t *out_bytes, const uint8_t *in, size_t bytes)
{
    size_t run, done = 0, taken = 0;
    if (stream == NULL || out_bytes == NULL)
        return AESFIT_ERR_NULL;
    CHECK_RESULT_APART(out_bytes, stream, in, bytes);
    CHECK_APART(out_bytes, sizeof *out_bytes, stream->key, sizeof *stream->key);
    *out_bytes = 0;
    if (stream->finished || stream->key == NULL)
        return AESFIT_ERR_ORDER;
    run = stream_modes[stream->mode].whole_blocks ? stream_run(stream, bytes) : bytes;
    TRY(stream_check_update(stream, out, out_size, run, in, bytes));
    CHECK_APART(out, run, out_bytes, sizeof *out_bytes);
    if (!stream_modes[stream->mode].whole_blocks) {
        TRY(stream_bytes(stream, out, in, bytes));
    } else {
        if (run > 0 && stream->held_bytes > 0)
            taken = stream_run_held(stream, out, in, run, &done);
        if (run > done) {
            stream_blocks(stream, out + done, in + taken, (run - done) / 16);
            taken += run - done;
        }
        stream_hold(stream, bytes > taken ? in + taken : in, bytes - taken);
    }
    stream->total += bytes;
    *out_bytes = run;
    return AESFIT_OK;
}

int aesfit_stream_update(aesfit_stream *stream, uint8_t *out, size_t out_size, size_t *out_bytes,
                         const uint8_t *in, size_t bytes)
{
    return CLEAR_AFTER(clear_blocks, stream_update(stream, out, out_size, out_bytes, in, bytes));
}

/* ------------------------------------------------------------------ finish */

AESFIT_LOCAL int stream_finish_pkcs7(aesfit_stream *s, uint8_t *out, size_t out_size,
                                     size_t *out_bytes)
{
    const uint8_t *in = s->held;
    size_t bytes = s->held_bytes;
    if (s->mode == AESFIT_ECB_PKCS7 && s->direction == AESFIT_ENCRYPT)
        return aesfit_ecb_pkcs7_encrypt(s->key, out, out_size, out_bytes, in, bytes);
    if (s->mode == AESFIT_ECB_PKCS7)
        return aesfit_ecb_pkcs7_decrypt(s->key, out, out_size, out_bytes, in, bytes);
    if (s->direction == AESFIT_ENCRYPT)
        return aesfit_cbc_pkcs7_encrypt(s->key, s->chain, out, out_size, out_bytes, in, bytes);
    return aesfit_cbc_pkcs7_decrypt(s->key, s->chain, out, out_size, out_bytes, in, bytes);
}

/* The last one or two blocks of CS3 and XTS; both want 16 bytes at least. */
AESFIT_LOCAL int stream_finish_stealing(aesfit_stream *s, uint8_t *out, size_t out_size,
                                        size_t *out_bytes)
{
    if (s->held_bytes < 16)
        return AESFIT_ERR_LENGTH;
    if (out == NULL)
        return AESFIT_ERR_NULL;
    if (out_size < s->held_bytes)
        return AESFIT_ERR_OUTPUT_SIZE;
    if (s->mode == AESFIT_CBC_CS3 && s->direction == AESFIT_ENCRYPT)
        aesfit_cbc_cs3_encrypt(s->key, s->chain, out, s->held, s->held_bytes);
    else if (s->mode == AESFIT_CBC_CS3)
        aesfit_cbc_cs3_decrypt(s->key, s->chain, out, s->held, s->held_bytes);
    else if (s->direction == AESFIT_ENCRYPT)
        xts_blocks_end(s->key, AESFIT_ENCRYPT, s->chain, out, s->held, s->held_bytes);
    else
        xts_blocks_end(s->key, AESFIT_DECRYPT, s->chain, out, s->held, s->held_bytes);
    *out_bytes = s->held_bytes;
    return AESFIT_OK;
}

AESFIT_LOCAL int stream_end(aesfit_stream *stream, uint8_t *out, size_t out_size, size_t *out_bytes)
{
    switch (stream->mode) {
    case AESFIT_ECB_PKCS7:
    case AESFIT_CBC_PKCS7:
        return stream_finish_pkcs7(stream, out, out_size, out_bytes);
    case AESFIT_CBC_CS3:
    case AESFIT_XTS:
        return stream_finish_stealing(stream, out, out_size, out_bytes);
    default: /* a part of a block is left over: ECB and CBC without padding */
        return stream->held_bytes == 0 ? AESFIT_OK : AESFIT_ERR_LENGTH;
    }
}

/* Bytes of `out` that the end may use. */
AESFIT_INLINE size_t stream_room(size_t out_size)
{
    return out_size < AESFIT_STREAM_HELD ? out_size : AESFIT_STREAM_HELD;
}

CLEARED AESFIT_LOCAL int stream_finish(aesfit_stream *stream, uint8_t *out, size_t out_size,
                                       size_t *out_bytes)
{
    int status;
    if (stream == NULL || out_bytes == NULL)
        return AESFIT_ERR_NULL;
    CHECK_RESULT_APART(out_bytes, stream, out, stream_room(out_size));
    CHECK_APART(out_bytes, sizeof *out_bytes, stream->key, sizeof *stream->key);
    *out_bytes = 0;
    if (stream->finished || stream->key == NULL)
        return AESFIT_ERR_ORDER;
    CHECK_APART(stream, sizeof *stream, out, stream_room(out_size));
    CHECK_APART(out, stream_room(out_size), stream->key, sizeof *stream->key);
    status = stream_end(stream, out, out_size, out_bytes);
    if (status == AESFIT_ERR_NULL || status == AESFIT_ERR_OUTPUT_SIZE)
        return status; /* nothing happened: call again with room */
    wipe(stream, sizeof *stream);
    stream->finished = 1;
    return status;
}

int aesfit_stream_finish(aesfit_stream *stream, uint8_t *out, size_t out_size, size_t *out_bytes)
{
    return CLEAR_AFTER(clear_blocks, stream_finish(stream, out, out_size, out_bytes));
}

#undef STREAM_XTS_MAX_BYTES
