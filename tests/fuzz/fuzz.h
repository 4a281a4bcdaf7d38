/* SPDX-License-Identifier: MIT */
/* What every libFuzzer target needs: choices from the fuzzer's input, buffers without slack, and
 * the checks of tests/c, which end the program here.
 *
 * The first four bytes of an input are a seed: keys and texts, on whose values no branch of the
 * library depends, are computed from it.  Each further byte is a choice (which mode, how long,
 * where to cut), so that a mutation changes one choice.  random_below() reads them, which makes the
 * helpers of tests/c follow the input too; behind its end choices come from the seed.
 *
 * A target is one file that includes this header and defines fuzz_one(). */
#ifndef AESFIT_FUZZ_H
#define AESFIT_FUZZ_H

#define TEST_FUZZED
#include "../c/test.h"
#include <sanitizer/asan_interface.h>

enum { FUZZ_SEED_BYTES = 4, FUZZ_MEMORY = 1 << 19, FUZZ_GAP = 32 };

static const uint8_t *fuzz_input;
static size_t fuzz_left, fuzz_used;
static uint8_t fuzz_memory[FUZZ_MEMORY]; /* of all buffers; poisoned around them */

/* ------------------------------------------------------------------ choices */

static inline size_t fuzz_byte(void)
{
    if (fuzz_left == 0)
        return (size_t)(random_u64() & 255);
    fuzz_left--;
    return *fuzz_input++;
}

/* 0 to limit - 1, limit at most 65536. */
static inline size_t random_below(size_t limit)
{
    size_t choice = fuzz_byte();
    if (limit > 256)
        choice = choice << 8 | fuzz_byte();
    return choice % limit;
}

/* ------------------------------------------------------------------ buffers */

/* AddressSanitizer reports the first byte behind it, and what lies before its first word; begins at
 * any alignment.  (From malloc() buffers come in an order that differs from run to run, which the
 * library sees when it looks for overlaps: the same seed would not mean the same runs.) */
TEST_HELPER uint8_t *fuzz_room(size_t bytes)
{
    uint8_t *room = fuzz_memory + fuzz_used + FUZZ_GAP + random_below(16);
    fuzz_used = ((size_t)(room - fuzz_memory) + bytes + 15) / 16 * 16;
    if (fuzz_used + 2 * FUZZ_GAP > FUZZ_MEMORY) {
        printf("fuzz: a run takes more than %d bytes of buffers\n", FUZZ_MEMORY);
        abort();
    }
    ASAN_UNPOISON_MEMORY_REGION(room, bytes);
    memset(room, 0xa5, bytes);
    return room;
}

TEST_HELPER uint8_t *fuzz_text(size_t bytes)
{
    uint8_t *text = fuzz_room(bytes);
    random_fill(text, bytes);
    return text;
}

TEST_HELPER uint8_t *fuzz_copy(const uint8_t *bytes, size_t count)
{
    uint8_t *copy = fuzz_room(count);
    if (count != 0)
        memcpy(copy, bytes, count);
    return copy;
}

/* ---------------------------------------------------------------- the target */

static void fuzz_one(void); /* the target; at least one check in each run */

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t bytes)
{
    fuzz_input = input;
    fuzz_left = bytes;
    fuzz_used = 0;
    ASAN_POISON_MEMORY_REGION(fuzz_memory, FUZZ_MEMORY);
    test_checks = 0;
    test_random_state = 0;
    for (int i = 0; i < FUZZ_SEED_BYTES && fuzz_left > 0; i++)
        test_random_state = test_random_state << 8 | fuzz_byte();
    fuzz_one();
    if (test_failures == 0 && test_checks != 0)
        return 0;
    fflush(stdout);
    abort(); /* libFuzzer keeps the input */
}

#endif
