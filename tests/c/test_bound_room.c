/* SPDX-License-Identifier: MIT */
/* A bound build refuses the key sizes and directions that it has no room for, and writes nothing
 * beyond the context, whose size aesfit_config.h fits to the others.  CMakeLists.txt compiles
 * it for several choices, and says how many words `ttable1` needs there: they depend on the
 * directions. */
#define AESFIT_BOUND ttable1
#define AESFIT_BOUND_GHASH shift32
#define AESFIT_BOUND_KEY_SIZES ROOM_SIZES
#define AESFIT_BOUND_DIRECTIONS ROOM_DIRECTIONS
#include <core.h>
#include <cores/ttable1.c>
#include <ghash/shift32.c>
#include <key.c>
#include <modes/ecb.c>
#include <modes/gcm.c>
#include <modes/xts.c>
#include <status.c>

#include "test.h"

/* FIPS 197, appendix C: key 00 01 02 .., plaintext 00 11 22 .. */
static const char *const answers[3] = {
    "69c4e0d86a7b0430d8cdb78070b4c55a",
    "dda97ca4864cdfe06eaf70a0ec0d7191",
    "8ea2b7ca516745bfeafc49904b496089",
};

static uint8_t bytes[64], plain[16];

static int has_size(size_t key_bytes)
{
    return (key_bytes == 16 && (ROOM_SIZES & 1) != 0) ||
           (key_bytes == 24 && (ROOM_SIZES & 2) != 0) || (key_bytes == 32 && (ROOM_SIZES & 4) != 0);
}

static int has_directions(unsigned directions)
{
    return directions != 0 && (directions & ~(unsigned)ROOM_DIRECTIONS) == 0;
}

static int expected(size_t key_bytes, unsigned directions)
{
    if (!has_size(key_bytes))
        return AESFIT_ERR_KEY_LENGTH;
    return has_directions(directions) ? AESFIT_OK : AESFIT_ERR_ARGUMENT;
}

static void check_room(size_t key_bytes, unsigned directions)
{
    struct {
        aesfit_key key;
        uint8_t behind[64];
    } room;
    uint8_t want[16], out[16], untouched[64];
    test_context("%lu bytes, directions %u", (unsigned long)key_bytes, directions);
    memset(untouched, 0xa5, sizeof untouched);
    memset(&room, 0xa5, sizeof room);
    CHECK_STATUS(aesfit_expand_key(&room.key, NULL, bytes, key_bytes, directions),
                 expected(key_bytes, directions));
    CHECK_BYTES(room.behind, untouched, sizeof untouched);
    if (expected(key_bytes, directions) != AESFIT_OK) {
        CHECK(room.key.directions == 0);
        return;
    }
    CHECK(room.key.directions == directions);
    hex_parse(want, 16, answers[key_bytes / 8 - 2]);
    if ((directions & AESFIT_ENCRYPT) != 0) {
        CHECK_STATUS(aesfit_ecb_encrypt(&room.key, out, plain, 16), AESFIT_OK);
        CHECK_BYTES(out, want, 16);
    }
    if ((directions & AESFIT_DECRYPT) != 0) {
        CHECK_STATUS(aesfit_ecb_decrypt(&room.key, out, want, 16), AESFIT_OK);
        CHECK_BYTES(out, plain, 16);
    }
}

static void check_modes(size_t key_bytes)
{
    aesfit_gcm_key gcm;
    aesfit_xts_key xts;
    int tweak = expected(key_bytes, AESFIT_ENCRYPT);
    test_context("modes, %lu bytes", (unsigned long)key_bytes);
    CHECK_STATUS(aesfit_gcm_expand_key(&gcm, NULL, NULL, bytes, key_bytes), tweak);
    if (key_bytes == 24)
        tweak = AESFIT_ERR_KEY_LENGTH;
    CHECK_STATUS(aesfit_xts_expand_key(&xts, NULL, bytes, 2 * key_bytes, AESFIT_ENCRYPT), tweak);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    CHECK(AESFIT_KEY_WORDS == ROOM_WORDS);
    CHECK(sizeof(aesfit_key) == (sizeof(uint32_t) + 4 * ROOM_WORDS + 15) / 16 * 16 ||
          sizeof(aesfit_key) == sizeof(uint32_t) + 4 * ROOM_WORDS);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    for (size_t i = 0; i < sizeof plain; i++)
        plain[i] = (uint8_t)(0x11 * i);
    for (size_t key_bytes = 0; key_bytes <= 40; key_bytes += 8)
        for (unsigned directions = 0; directions <= 4; directions++)
            check_room(key_bytes, directions);
    for (size_t key_bytes = 16; key_bytes <= 32; key_bytes += 8)
        check_modes(key_bytes);
    return test_end();
}
