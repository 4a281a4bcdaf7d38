/* SPDX-License-Identifier: MIT */
/* Shared by all C tests: checks, replayable randomness, hexadecimal.
 *
 * A test is one program:
 *     int main(int argc, char **argv)
 *     {
 *         test_begin(argc, argv);            // argv[1]: the folder tests/vectors
 *         test_context("%s, %u bits", ...);  // printed with each failure that follows
 *         CHECK(a == b);
 *         CHECK_STATUS(aesfit_...(), AESFIT_OK);
 *         CHECK_BYTES(got, expected, 16);
 *         return test_end();                 // also fails when nothing was checked
 *     }
 * A failed check prints file:line and goes on.  The seed of the run is printed; the same run again:
 * AESFIT_SEED=<seed> ./test_x. */
#ifndef AESFIT_TEST_H
#define AESFIT_TEST_H

#include <aesfit.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static unsigned long test_checks, test_failures;
static const char *test_program = "test", *test_vectors = "tests/vectors";
static char test_where[200]; /* of test_context() */
static uint64_t test_random_state;

enum { TEST_PRINTED_FAILURES = 20 };

/* Distributes checks that are alike over cores, key sizes or paths, so that each makes one in n:
 * for (i = turn % TEST_TURNS(8); i < n; i += TEST_TURNS(8)). */
#ifdef AESFIT_TEST_EVERYTHING
#define TEST_TURNS(turns) 1
#else
#define TEST_TURNS(turns) (turns)
#endif

/* Helpers are kept out of line and compiled for size; inlined at each check, they would take as
 * long to compile as the code under test. */
#if defined(__GNUC__)
#define TEST_HELPER static __attribute__((cold, noinline, unused))
#else
#define TEST_HELPER static inline
#endif

/* ------------------------------------------------------------------ checks */

#define CHECK(condition) test_check((condition) ? 1 : 0, #condition, __FILE__, __LINE__)
#define CHECK_STATUS(got, expected) test_check_status((got), (expected), #got, __FILE__, __LINE__)
#define CHECK_BYTES(got, expected, bytes)                                                          \
    test_check_bytes((got), (expected), (bytes), #got, __FILE__, __LINE__)

TEST_HELPER void test_context(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(test_where, sizeof test_where, format, arguments);
    va_end(arguments);
}

/* Counts a check; returns 1 if it failed and the caller must print why. */
TEST_HELPER int test_count(int passed, const char *what, const char *file, int line)
{
    test_checks++;
    if (passed || ++test_failures > TEST_PRINTED_FAILURES)
        return 0;
    printf("%s:%d: failed: %s [%s]\n", file, line, what, test_where);
    return 1;
}

TEST_HELPER int test_check(int passed, const char *what, const char *file, int line)
{
    test_count(passed, what, file, line);
    return passed;
}

TEST_HELPER int test_check_status(int got, int expected, const char *what, const char *file,
                                  int line)
{
    if (test_count(got == expected, what, file, line))
        printf("    got %d (%s), expected %d\n", got, aesfit_strerror(got), expected);
    return got == expected;
}

TEST_HELPER void test_print_hex(const char *label, const uint8_t *p, size_t bytes)
{
    printf("    %s", label);
    for (size_t i = 0; i < bytes && i < 64; i++)
        printf("%02x", p[i]);
    printf(bytes > 64 ? "...\n" : "\n");
}

TEST_HELPER int test_check_bytes(const void *got, const void *expected, size_t bytes,
                                 const char *what, const char *file, int line)
{
    const uint8_t *a = (const uint8_t *)got, *b = (const uint8_t *)expected;
    size_t i = 0;
    if (bytes != 0 && memcmp(a, b, bytes) == 0) /* a loop takes far longer under sanitizers */
        i = bytes;
    while (i < bytes && a[i] == b[i])
        i++;
    if (test_count(i == bytes, what, file, line)) {
        printf("    byte %lu of %lu differs; from the start of its block:\n", (unsigned long)i,
               (unsigned long)bytes);
        test_print_hex("got      ", a + i / 16 * 16, bytes - i / 16 * 16);
        test_print_hex("expected ", b + i / 16 * 16, bytes - i / 16 * 16);
    }
    return i == bytes;
}

/* -------------------------------------------------------------- randomness */

/* SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): any seed is good. */
static inline uint64_t random_u64(void)
{
    uint64_t z = (test_random_state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* 0 to limit - 1; the bias below 2^-32 does not matter here.  Fuzz targets have their own, which
 * reads the fuzzer's input (tests/fuzz/fuzz.h). */
#ifndef TEST_FUZZED
static inline size_t random_below(size_t limit)
{
    return (size_t)(random_u64() % limit);
}
#else
static inline size_t random_below(size_t limit);
#endif

/* A core that this processor can run; NULL (the default core) in place of one that it cannot. */
TEST_HELPER const aesfit_core *random_core(void)
{
    const aesfit_core *core = aesfit_core_at(random_below(aesfit_core_count()));
    return aesfit_core_available(core) ? core : NULL;
}

TEST_HELPER void random_fill(void *memory, size_t bytes)
{
    uint8_t *p = (uint8_t *)memory;
    for (size_t i = 0; i < bytes; i += 8) {
        uint64_t word = random_u64();
        memcpy(p + i, &word, bytes - i < 8 ? bytes - i : 8);
    }
}

/* ------------------------------------------------------------- hexadecimal */

TEST_HELPER int test_hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Reads hexadecimal digits (blanks between them are skipped) up to the string's or line's end.
 * Returns the number of bytes; ends the program on anything else or above `size` bytes. */
TEST_HELPER size_t hex_parse(uint8_t *out, size_t size, const char *text)
{
    size_t digits = 0;
    for (; *text != '\0' && *text != '\n' && *text != '\r'; text++) {
        int digit = test_hex_digit(*text);
        if (*text == ' ')
            continue;
        if (digit < 0 || digits / 2 >= size) {
            printf("%s: bad hexadecimal or above %lu bytes: %.60s\n", test_program,
                   (unsigned long)size, text);
            exit(2);
        }
        out[digits / 2] = (uint8_t)(digits % 2 == 0 ? digit << 4 : out[digits / 2] | digit);
        digits++;
    }
    if (digits % 2 != 0) {
        printf("%s: odd number of hexadecimal digits\n", test_program);
        exit(2);
    }
    return digits / 2;
}

/* ----------------------------------------------------------- begin and end */

TEST_HELPER void test_begin(int argc, char **argv)
{
    const char *seed = getenv("AESFIT_SEED");
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* a crash must not swallow the seed */
    test_program = argc > 0 ? argv[0] : test_program;
    test_vectors = argc > 1 ? argv[1] : test_vectors;
    test_random_state = seed != NULL ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL);
    printf("%s: AESFIT_SEED=%llu\n", test_program, (unsigned long long)test_random_state);
}

TEST_HELPER int test_end(void)
{
    printf("%s: %lu checks, %lu failed\n", test_program, test_checks, test_failures);
    return test_failures != 0 || test_checks == 0;
}

#endif
