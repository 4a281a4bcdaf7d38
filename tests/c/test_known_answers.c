/* SPDX-License-Identifier: MIT */
/* The self-test of a bound build can fail: if any byte of a known answer is changed, or a wrong tag
 * is accepted, it names the mode; and it compares every byte of every answer.  All modes with all
 * key sizes are bound to `transposed` in this one translation unit. */
#define AESFIT_BOUND transposed
#define AESFIT_BOUND_GHASH shift32
#include <core.h>
#include <cores/transposed.c>
#include <ghash/shift32.c>
#include <key.c>
#include <every_mode.h>
#include <status.c>

#include "test.h"

/* Progress of the self-test: bytes compared so far, and the one to falsify. */
static size_t compared, broken;
static const uint8_t *broken_at;

/* Replaces the self-test's own comparison. */
static uint32_t test_equal_bytes(const uint8_t *made, const uint8_t *answer, size_t bytes)
{
    int hit = broken >= compared && broken - compared < bytes;
    broken_at = hit ? answer + (broken - compared) : broken_at;
    compared += bytes;
    return !hit && memcmp(made, answer, bytes) == 0;
}

/* Refusals so far, and the one to turn into success. */
static size_t refusals, forgiven;

static int forgive(int status)
{
    if (status != AESFIT_ERR_AUTHENTICATION)
        return status;
    return refusals++ == forgiven ? AESFIT_OK : status;
}

#define equal_bytes test_equal_bytes
#define aesfit_ccm_decrypt(...) forgive(aesfit_ccm_decrypt(__VA_ARGS__))
#define aesfit_ccmp_decapsulate(...) forgive(aesfit_ccmp_decapsulate(__VA_ARGS__))
#define aesfit_cmac_verify(...) forgive(aesfit_cmac_verify(__VA_ARGS__))
#define aesfit_gcm_decrypt(...) forgive(aesfit_gcm_decrypt(__VA_ARGS__))
#define aesfit_key_unwrap(...) forgive(aesfit_key_unwrap(__VA_ARGS__))
#include <self_test.c>
#undef equal_bytes

#define ANSWERS(mode) #mode, known_##mode##_answers[0], sizeof known_##mode##_answers
static const struct {
    const char *mode;
    const uint8_t *answers;
    size_t bytes;
} tables[] = {
#define MODE(name) {ANSWERS(name)},
#define OVER(name, other)
#define STREAM(name)
#include <modes/modes.def>
};
enum { TABLES = sizeof tables / sizeof tables[0] };

/* The table that holds the falsified byte; TABLES for decrypted data. */
static size_t table_hit(void)
{
    size_t i = 0;
    while (i < TABLES && !((uintptr_t)broken_at >= (uintptr_t)tables[i].answers &&
                           (uintptr_t)broken_at < (uintptr_t)tables[i].answers + tables[i].bytes))
        i++;
    return i;
}

static void check_every_byte(void)
{
    size_t total, read[TABLES] = {0};
    compared = 0;
    CHECK_STATUS(aesfit_self_test(NULL), AESFIT_OK);
    total = compared;
    for (broken = 0; broken < total; broken++) {
        const char *failed = NULL;
        compared = 0;
        test_context("byte %lu of those compared", (unsigned long)broken);
        CHECK_STATUS(aesfit_self_test(&failed), AESFIT_ERR_SELF_TEST);
        size_t table = table_hit();
        if (table == TABLES)
            continue;
        read[table]++;
        CHECK(failed != NULL && strcmp(failed, tables[table].mode) == 0);
    }
    for (size_t i = 0; i < TABLES; i++) {
        test_context("answers of %s", tables[i].mode);
        CHECK(read[i] == tables[i].bytes);
    }
}

/* 128, 192 and 256 bits of CMAC, CCM, GCM and KW, and 128 of CCMP. */
static void check_every_refusal(void)
{
    size_t total = refusals;
    test_context("refusals");
    CHECK(total == 13);
    for (forgiven = 0; forgiven < total; forgiven++) {
        const char *failed = NULL;
        refusals = 0;
        CHECK_STATUS(aesfit_self_test(&failed), AESFIT_ERR_SELF_TEST);
        CHECK(failed != NULL && strstr("cmac ccm gcm kw ccmp", failed) != NULL);
    }
    forgiven = SIZE_MAX;
}

int main(int argc, char **argv)
{
    const char *failed = "nothing was run";
    test_begin(argc, argv);
    broken = forgiven = SIZE_MAX;
    CHECK_STATUS(aesfit_self_test(NULL), AESFIT_OK);
    refusals = 0;
    CHECK_STATUS(aesfit_self_test(&failed), AESFIT_OK);
    CHECK(failed == NULL);
    check_every_refusal();
    check_every_byte();
    return test_end();
}
