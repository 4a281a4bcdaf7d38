/* SPDX-License-Identifier: MIT */
/* Every core, mode and key size at every length from 0 to 4 * lanes + 1 blocks, against the naive
 * composition: out of place at odd addresses, in place, back again, and nothing written outside. */
#include "modes.h"
#include <core.h>

enum { MAX_BYTES = 16 * (4 * AESFIT_MAX_LANES + 1), ROOM = MAX_BYTES + 96, GUARD = 16 };

/* A buffer at a random address with known bytes around it. */
typedef struct guarded {
    uint8_t memory[ROOM];
    uint8_t *data;
    size_t bytes;
} guarded;

static void guard(guarded *g, size_t bytes)
{
    memset(g->memory, 0xa5, sizeof g->memory);
    g->data = g->memory + GUARD + random_below(16);
    g->bytes = bytes;
}

static int guard_holds(const guarded *g)
{
    const uint8_t *end = g->memory + sizeof g->memory;
    for (const uint8_t *p = g->memory; p < end; p++)
        if ((p < g->data || p >= g->data + g->bytes) && *p != 0xa5)
            return 0;
    return 1;
}

typedef struct sample {
    uint8_t iv[16], plain[ROOM], cipher[ROOM];
    size_t plain_bytes, cipher_bytes;
} sample;

static void check_both_ways(const mode_key *key, aesfit_mode mode, int encrypt, const sample *s)
{
    const uint8_t *in = encrypt ? s->plain : s->cipher, *want = encrypt ? s->cipher : s->plain;
    size_t bytes = encrypt ? s->plain_bytes : s->cipher_bytes;
    size_t expected = encrypt ? s->cipher_bytes : s->plain_bytes, written;
    guarded from, to;

    guard(&from, bytes);
    memcpy(from.data, in, bytes);
    guard(&to, expected);
    CHECK_STATUS(mode_crypt(key, mode, encrypt, s->iv, to.data, &written, from.data, bytes),
                 AESFIT_OK);
    CHECK(written == expected);
    CHECK_BYTES(to.data, want, expected);
    CHECK_BYTES(from.data, in, bytes);
    CHECK(guard_holds(&to));

    guard(&to, bytes > expected ? bytes : expected);
    memcpy(to.data, in, bytes);
    CHECK_STATUS(mode_crypt(key, mode, encrypt, s->iv, to.data, &written, to.data, bytes),
                 AESFIT_OK);
    CHECK(written == expected);
    CHECK_BYTES(to.data, want, expected);
    CHECK(guard_holds(&to));
}

static void check_stream(const mode_key *key, aesfit_mode mode, const sample *s)
{
    uint8_t out[ROOM];
    size_t written;
    CHECK_STATUS(mode_stream(key, mode, 1, s->iv, out, &written, s->plain, s->plain_bytes, 0),
                 AESFIT_OK);
    CHECK(written == s->cipher_bytes);
    CHECK_BYTES(out, s->cipher, s->cipher_bytes);
    CHECK_STATUS(mode_stream(key, mode, 0, s->iv, out, &written, s->cipher, s->cipher_bytes, 0),
                 AESFIT_OK);
    CHECK(written == s->plain_bytes);
    CHECK_BYTES(out, s->plain, s->plain_bytes);
}

/* Each key size tests one length in three, the next core others. */
static void check_lengths(const aesfit_core *core, aesfit_mode mode, size_t key_bytes, size_t turn)
{
    uint8_t bytes[64];
    mode_key key, naive;
    sample s;
    random_fill(bytes, sizeof bytes);
    CHECK_STATUS(mode_expand(&key, mode, core, bytes, key_bytes), AESFIT_OK);
    CHECK_STATUS(mode_expand(&naive, mode, aesfit_core_by_name("ttable1"), bytes, key_bytes),
                 AESFIT_OK);
    for (size_t n = turn % TEST_TURNS(3); n <= 16 * (4 * (size_t)core->lanes + 1);
         n += TEST_TURNS(3)) {
        if (!mode_takes(mode, n))
            continue;
        test_context("%s, %s, %lu-bit key, %lu bytes", core->name, mode_names[mode],
                     (unsigned long)key_bytes * 8, (unsigned long)n);
        random_fill(s.iv, sizeof s.iv);
        if (n % 2 != 0) /* a counter that carries far */
            memset(s.iv + 1, 0xff, 15);
        random_fill(s.plain, n);
        memcpy(s.cipher, s.plain, n);
        s.plain_bytes = n;
        s.cipher_bytes = naive_encrypt(&naive, mode, s.iv, s.cipher, n);
        check_both_ways(&key, mode, 1, &s);
        check_both_ways(&key, mode, 0, &s);
        check_stream(&key, mode, &s);
    }
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    for (size_t i = 0; i < aesfit_core_count(); i++) {
        const aesfit_core *core = aesfit_core_at(i);
        if (!aesfit_core_available(core))
            continue;
        for (int mode = 0; mode < AESFIT_MODE_COUNT; mode++)
            for (size_t key_bytes = 16; key_bytes <= 32; key_bytes += 8)
                if (mode != AESFIT_XTS || key_bytes != 24)
                    check_lengths(core, (aesfit_mode)mode, key_bytes, key_bytes / 8 + i);
    }
    return test_end();
}
