/* SPDX-License-Identifier: MIT */
/* Many CBC encryptions at once: any number of streams of any lengths gives the same output and IVs
 * as each stream alone, and one bad argument stops all before anything is written. */
#include "test.h"

enum { MAX_STREAMS = 21, MAX_BLOCKS = 20, MAX_BYTES = 16 * MAX_BLOCKS };

typedef struct streams {
    uint8_t ivs[16 * MAX_STREAMS], in[MAX_STREAMS][MAX_BYTES + 1], out[MAX_STREAMS][MAX_BYTES + 1];
    uint8_t *outs[MAX_STREAMS];
    const uint8_t *ins[MAX_STREAMS];
    size_t bytes[MAX_STREAMS];
} streams;

/* Some streams in place, some at odd addresses, some empty and without buffers. */
static void pick_streams(streams *s, size_t count)
{
    random_fill(s->ivs, sizeof s->ivs);
    random_fill(s->in, sizeof s->in);
    for (size_t i = 0; i < count; i++) {
        size_t odd = random_below(2);
        s->bytes[i] = 16 * random_below(random_below(2) == 0 ? 3 : MAX_BLOCKS + 1);
        s->ins[i] = s->in[i] + odd;
        s->outs[i] = random_below(3) == 0 ? s->in[i] + odd : s->out[i] + random_below(2);
        if (s->bytes[i] == 0 && odd) {
            s->ins[i] = NULL;
            s->outs[i] = NULL;
        }
    }
}

static void check_streams(const aesfit_key *key, size_t count)
{
    static streams s;
    static uint8_t want[MAX_STREAMS][MAX_BYTES], want_ivs[16 * MAX_STREAMS];
    pick_streams(&s, count);
    memcpy(want_ivs, s.ivs, sizeof want_ivs);
    for (size_t i = 0; i < count; i++)
        CHECK_STATUS(aesfit_cbc_encrypt(key, want_ivs + 16 * i, want[i], s.ins[i], s.bytes[i]),
                     AESFIT_OK);
    CHECK_STATUS(aesfit_cbc_encrypt_many(key, s.ivs, s.outs, s.ins, s.bytes, count), AESFIT_OK);
    CHECK_BYTES(s.ivs, want_ivs, sizeof want_ivs);
    for (size_t i = 0; i < count; i++)
        CHECK_BYTES(s.outs[i], want[i], s.bytes[i]);
}

static void check_errors(const aesfit_key *key)
{
    static streams s;
    uint8_t ivs[sizeof s.ivs];
    const size_t bad = 2;
    aesfit_key none = *key;
    pick_streams(&s, 3);
    none.directions = 0;
    CHECK_STATUS(aesfit_cbc_encrypt_many(&none, s.ivs, s.outs, s.ins, s.bytes, 3),
                 AESFIT_ERR_DIRECTION);
    s.bytes[0] = 16;
    s.bytes[bad] = 32;
    s.ins[0] = s.ins[bad] = s.in[0];
    s.outs[0] = s.outs[bad] = s.out[0];
    memcpy(ivs, s.ivs, sizeof ivs);
    s.bytes[bad] = 31;
    CHECK_STATUS(aesfit_cbc_encrypt_many(key, s.ivs, s.outs, s.ins, s.bytes, 3), AESFIT_ERR_LENGTH);
    s.bytes[bad] = 32;
    s.ins[bad] = NULL;
    CHECK_STATUS(aesfit_cbc_encrypt_many(key, s.ivs, s.outs, s.ins, s.bytes, 3), AESFIT_ERR_NULL);
    s.ins[bad] = s.in[0];
    s.outs[bad] = NULL;
    CHECK_STATUS(aesfit_cbc_encrypt_many(key, s.ivs, s.outs, s.ins, s.bytes, 3), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_cbc_encrypt_many(key, NULL, s.outs, s.ins, s.bytes, 3), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_cbc_encrypt_many(key, s.ivs, NULL, s.ins, s.bytes, 3), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_cbc_encrypt_many(key, s.ivs, s.outs, NULL, s.bytes, 3), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_cbc_encrypt_many(key, s.ivs, s.outs, s.ins, NULL, 3), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_cbc_encrypt_many(NULL, s.ivs, s.outs, s.ins, s.bytes, 3), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_cbc_encrypt_many(key, NULL, NULL, NULL, NULL, 0), AESFIT_OK);
    CHECK_BYTES(s.ivs, ivs, sizeof ivs);
}

int main(int argc, char **argv)
{
    uint8_t bytes[32];
    aesfit_key key;
    test_begin(argc, argv);
    for (size_t i = 0; i < aesfit_core_count(); i++) {
        const aesfit_core *core = aesfit_core_at(i);
        for (size_t key_bytes = 16; key_bytes <= 32 && aesfit_core_available(core);
             key_bytes += 8) {
            random_fill(bytes, sizeof bytes);
            CHECK_STATUS(aesfit_expand_key(&key, core, bytes, key_bytes, AESFIT_ENCRYPT),
                         AESFIT_OK);
            for (size_t count = 0; count <= MAX_STREAMS; count++) {
                test_context("%s, %lu-byte key, %lu streams", aesfit_core_name(core),
                             (unsigned long)key_bytes, (unsigned long)count);
                check_streams(&key, count);
            }
            check_errors(&key);
        }
    }
    return test_end();
}
