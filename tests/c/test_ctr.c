/* SPDX-License-Identifier: MIT */
/* CTR with counter fields of every width: wraps inside the field only, stops when all values are
 * used, resumes in mid-block; against a counter moved one block at a time. */
#include "test.h"

enum { MAX_BYTES = 16 * 40 };

/* Adds 1 to the rightmost `bits` bits, one bit after the other. */
static void naive_count(uint8_t counter[16], unsigned bits)
{
    for (unsigned i = 0; i < bits; i++) {
        uint8_t bit = (uint8_t)(1u << (i % 8));
        counter[15 - i / 8] ^= bit;
        if ((counter[15 - i / 8] & bit) != 0)
            return;
    }
}

static void naive_ctr(const aesfit_key *key, const uint8_t start[16], unsigned bits, uint8_t *out,
                      const uint8_t *in, size_t bytes)
{
    uint8_t counter[16], mask[16];
    memcpy(counter, start, 16);
    for (size_t i = 0; i < bytes; i++) {
        if (i % 16 == 0) {
            aesfit_ecb_encrypt(key, mask, counter, 16);
            naive_count(counter, bits);
        }
        out[i] = (uint8_t)(in[i] ^ mask[i % 16]);
    }
}

/* A counter block whose field is, in three of four cases, a few blocks from its wrap. */
static void pick_counter(uint8_t counter[16], unsigned bits)
{
    random_fill(counter, 16);
    if (random_below(4) == 0)
        return;
    for (unsigned i = 0; i < bits; i++)
        counter[15 - i / 8] = (uint8_t)(counter[15 - i / 8] | 1u << (i % 8));
    counter[15] = (uint8_t)(counter[15] ^ random_below(1u << (bits < 5 ? bits : 5)));
}

static size_t limit_of(unsigned bits)
{
    return bits < 6 ? (size_t)16 << bits : MAX_BYTES;
}

static void check_cuts(const aesfit_key *key, const aesfit_key *naive, unsigned bits)
{
    uint8_t counter[16], in[MAX_BYTES], out[MAX_BYTES], want[MAX_BYTES];
    size_t bytes = random_below(limit_of(bits) + 1), done = 0;
    aesfit_ctr ctr;
    bytes = random_below(3) == 0 ? limit_of(bits) : bytes; /* all of a narrow field */
    pick_counter(counter, bits);
    random_fill(in, sizeof in);
    naive_ctr(naive, counter, bits, want, in, bytes);
    CHECK_STATUS(aesfit_ctr_start(&ctr, counter, bits), AESFIT_OK);
    memcpy(out, in, sizeof out);
    while (done < bytes) {
        size_t part = random_below(2) == 0 ? random_below(33) : random_below(bytes + 1);
        part = part < bytes - done ? part : bytes - done;
        CHECK_STATUS(aesfit_ctr_crypt(key, &ctr, out + done, out + done, part), AESFIT_OK);
        done += part;
    }
    CHECK_BYTES(out, want, bytes);
    CHECK_BYTES(out + bytes, in + bytes, sizeof out - bytes);
}

/* After 2^bits blocks no further byte is accepted, and a call above the limit changes nothing. */
static void check_limit(const aesfit_key *key, unsigned bits)
{
    uint8_t counter[16], in[MAX_BYTES + 16] = {0}, out[MAX_BYTES + 16], still[MAX_BYTES + 16];
    size_t limit = limit_of(bits), first = random_below(limit + 1);
    aesfit_ctr ctr, before;
    random_fill(counter, sizeof counter);
    memset(out, 0xa5, sizeof out);
    memcpy(still, out, sizeof still);
    memset(&ctr, 0, sizeof ctr);
    CHECK_STATUS(aesfit_ctr_start(&ctr, counter, bits), AESFIT_OK);
    CHECK_STATUS(aesfit_ctr_crypt(key, &ctr, out, in, first), AESFIT_OK);
    memcpy(still, out, sizeof still);
    before = ctr;
    CHECK_STATUS(aesfit_ctr_crypt(key, &ctr, out, in, limit - first + 1), AESFIT_ERR_LIMIT);
    CHECK_BYTES(out, still, sizeof out);
    CHECK(memcmp(&ctr, &before, sizeof ctr) == 0);
    CHECK_STATUS(aesfit_ctr_crypt(key, &ctr, out, in, limit - first), AESFIT_OK);
    CHECK_STATUS(aesfit_ctr_crypt(key, &ctr, out, in, 1), AESFIT_ERR_LIMIT);
    CHECK_STATUS(aesfit_ctr_crypt(key, &ctr, out, in, 0), AESFIT_OK);
}

static void check_arguments(const aesfit_key *key)
{
    uint8_t counter[16] = {0}, data[32] = {0};
    aesfit_ctr ctr;
    CHECK_STATUS(aesfit_ctr_start(NULL, counter, 128), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_ctr_start(&ctr, NULL, 128), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_ctr_start(&ctr, counter, 0), AESFIT_ERR_ARGUMENT);
    CHECK_STATUS(aesfit_ctr_start(&ctr, counter, 129), AESFIT_ERR_ARGUMENT);
    memset(&ctr, 0, sizeof ctr); /* never started */
    CHECK_STATUS(aesfit_ctr_crypt(key, &ctr, data, data, 32), AESFIT_ERR_ORDER);
    CHECK_STATUS(aesfit_ctr_start(&ctr, counter, 128), AESFIT_OK);
    CHECK_STATUS(aesfit_ctr_crypt(key, NULL, data, data, 32), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_ctr_crypt(NULL, &ctr, data, data, 32), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_ctr_crypt(key, &ctr, NULL, data, 32), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_ctr_crypt(key, &ctr, data, NULL, 32), AESFIT_ERR_NULL);
    CHECK_STATUS(aesfit_ctr_crypt(key, &ctr, NULL, NULL, 0), AESFIT_OK);
}

int main(int argc, char **argv)
{
    uint8_t bytes[16];
    aesfit_key key, naive;
    test_begin(argc, argv);
    for (size_t i = 0; i < aesfit_core_count(); i++) {
        const aesfit_core *core = aesfit_core_at(i);
        if (!aesfit_core_available(core))
            continue;
        random_fill(bytes, sizeof bytes);
        CHECK_STATUS(aesfit_expand_key(&key, core, bytes, 16, AESFIT_ENCRYPT), AESFIT_OK);
        CHECK_STATUS(
            aesfit_expand_key(&naive, aesfit_core_by_name("bytewise"), bytes, 16, AESFIT_ENCRYPT),
            AESFIT_OK);
        for (unsigned bits = 1; bits <= 128; bits++) {
            if (bits >= 8 && (bits + i) % TEST_TURNS(4) != 0) /* the next core tests others */
                continue;
            test_context("%s, %u counter bits", aesfit_core_name(core), bits);
            for (int trial = 0; trial < 4; trial++)
                check_cuts(&key, &naive, bits);
            if (bits < 6)
                check_limit(&key, bits);
        }
        check_arguments(&key);
    }
    return test_end();
}
