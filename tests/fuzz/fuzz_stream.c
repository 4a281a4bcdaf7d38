/* SPDX-License-Identifier: MIT */
/* Streams of every mode, core and direction, in chunks of any length, against one call: the same
 * status, the same bytes.  Chunks lie in buffers of their own; outputs are sometimes too small,
 * which must change nothing. */
#include "fuzz.h"
#include "../c/modes.h"

enum { MAX_BYTES = 600, MAX_CHUNKS = 400 };

typedef struct text {
    uint8_t *bytes;
    size_t length;
} text;

typedef struct message {
    aesfit_mode mode;
    int encrypt;
    mode_key key;
    uint8_t iv[16];
    text in;
} message;

static void expand(message *m)
{
    static const size_t sizes[] = {16, 32, 24}; /* XTS has no 24 */
    uint8_t bytes[64];
    size_t size = sizes[random_below(m->mode == AESFIT_XTS ? 2 : 3)];
    random_fill(bytes, sizeof bytes);
    CHECK_STATUS(mode_expand(&m->key, m->mode, random_core(), bytes, size), AESFIT_OK);
}

static int one_shot(const message *m, int encrypt, text *out)
{
    int grows = mode_pads(m->mode);
    out->bytes = fuzz_room(encrypt && grows ? m->in.length / 16 * 16 + 16 : m->in.length);
    return mode_crypt(&m->key, m->mode, encrypt, m->iv, out->bytes, &out->length, m->in.bytes,
                      m->in.length);
}

/* Mostly what the mode encrypts, or ciphertext that it decrypts; else anything. */
static void choose_input(message *m)
{
    text sealed;
    size_t length = random_below(MAX_BYTES);
    int usual = random_below(8) != 0;
    if (usual && !mode_takes(m->mode, length))
        length = length / 16 * 16 + 16;
    m->in.bytes = fuzz_text(length);
    m->in.length = length;
    if (!m->encrypt && usual && CHECK_STATUS(one_shot(m, 1, &sealed), AESFIT_OK))
        m->in = sealed;
}

/* in NULL: finish.  Again with room where there was too little. */
static int give(aesfit_stream *stream, text *out, const uint8_t *in, size_t bytes)
{
    size_t room = random_below(bytes + AESFIT_STREAM_HELD + 1), part;
    const uint8_t *chunk = in != NULL ? fuzz_copy(in, bytes) : NULL;
    for (;;) {
        uint8_t *to = fuzz_room(room);
        int status = in != NULL ? aesfit_stream_update(stream, to, room, &part, chunk, bytes)
                                : aesfit_stream_finish(stream, to, room, &part);
        CHECK(part <= room);
        if (status != AESFIT_ERR_OUTPUT_SIZE || room >= bytes + AESFIT_STREAM_HELD) {
            memcpy(out->bytes + out->length, to, part);
            out->length += part;
            return status;
        }
        CHECK(part == 0);
        room = bytes + AESFIT_STREAM_HELD;
    }
}

static size_t next_chunk(size_t left, size_t chunks)
{
    static const size_t longest[] = {2, 18, 60, 400};
    size_t take = random_below(longest[random_below(4)]); /* 0 too */
    return chunks < MAX_CHUNKS && take < left ? take : left;
}

static int streamed(const message *m, text *out)
{
    unsigned direction = m->encrypt ? AESFIT_ENCRYPT : AESFIT_DECRYPT;
    aesfit_stream stream;
    size_t chunks = 0, take;
    int status = m->mode == AESFIT_XTS
                     ? aesfit_stream_start_xts(&stream, direction, &m->key.xts, m->iv)
                     : aesfit_stream_start(&stream, m->mode, direction, &m->key.aes, m->iv);
    out->bytes = fuzz_room(m->in.length + AESFIT_STREAM_HELD);
    out->length = 0;
    for (size_t done = 0; status == AESFIT_OK && done < m->in.length; done += take) {
        take = next_chunk(m->in.length - done, chunks++);
        status = give(&stream, out, m->in.bytes + done, take);
    }
    return status != AESFIT_OK ? status : give(&stream, out, NULL, 0);
}

static void fuzz_one(void)
{
    message m;
    text expected, got;
    m.mode = (aesfit_mode)random_below(AESFIT_MODE_COUNT);
    m.encrypt = random_below(2) == 0;
    random_fill(m.iv, sizeof m.iv);
    expand(&m);
    choose_input(&m);
    test_context("%s, %s, %lu bytes", mode_names[m.mode], m.encrypt ? "encrypt" : "decrypt",
                 (unsigned long)m.in.length);
    int status = one_shot(&m, m.encrypt, &expected);
    if (CHECK_STATUS(streamed(&m, &got), status) && status == AESFIT_OK &&
        CHECK(got.length == expected.length))
        CHECK_BYTES(got.bytes, expected.bytes, got.length);
}
