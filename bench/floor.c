/* SPDX-License-Identifier: MIT */
/* The measured floor: the AES rounds of a message and nothing else, from registers.
 *
 * Throughput: 12 independent chains, more than the latency of any processor needs; latency: one
 * chain.  One "message" of the floor is FLOOR_STEPS rounds on every chain. */
#include "bench.h"
#include <immintrin.h>
#include <stdlib.h>

enum { FLOOR_STEPS = 50, FLOOR_CHAINS = 12 };

typedef void floor_function(size_t messages);
typedef struct floor_state {
    floor_function *run;
} floor_state;

#define FLOOR_UNROLL _Pragma("GCC unroll 16")

__attribute__((target("aes"))) static void floor_narrow(size_t messages)
{
    __m128i x[FLOOR_CHAINS], k = _mm_set1_epi32(0x12345678);
    FLOOR_UNROLL
    for (int i = 0; i < FLOOR_CHAINS; i++)
        x[i] = _mm_set1_epi32(i);
    for (size_t n = messages * FLOOR_STEPS; n > 0; n--) {
        FLOOR_UNROLL
        for (int i = 0; i < FLOOR_CHAINS; i++) {
            x[i] = _mm_aesenc_si128(x[i], k);
            __asm__ volatile("" : "+x"(x[i])); /* keeps every chain alive */
        }
    }
}

__attribute__((target("aes"))) static void floor_latency(size_t messages)
{
    __m128i x = _mm_setzero_si128(), k = _mm_set1_epi32(0x12345678);
    for (size_t n = messages * FLOOR_STEPS / 5; n > 0; n--) {
        FLOOR_UNROLL
        for (int i = 0; i < 5; i++)
            x = _mm_aesenc_si128(x, k);
        __asm__ volatile("" : "+x"(x));
    }
}

__attribute__((target("avx512f,vaes"))) static void floor_wide(size_t messages)
{
    __m512i x[FLOOR_CHAINS], k = _mm512_set1_epi32(0x12345678);
    FLOOR_UNROLL
    for (int i = 0; i < FLOOR_CHAINS; i++)
        x[i] = _mm512_set1_epi32(i);
    for (size_t n = messages * FLOOR_STEPS; n > 0; n--) {
        FLOOR_UNROLL
        for (int i = 0; i < FLOOR_CHAINS; i++) {
            x[i] = _mm512_aesenc_epi128(x[i], k);
            __asm__ volatile("" : "+v"(x[i]));
        }
    }
}

int bench_has_aes(void)
{
    return aesfit_core_available(aesfit_core_by_name("aesni"));
}

/* As the library decides, read from a key that it makes. */
int bench_has_vaes(const bench_case *what)
{
    aesfit_key key;
    uint8_t bytes[16] = {0};
    int status = aesfit_expand_key(&key, aesfit_core_by_name("aesni"), bytes, 16, AESFIT_ENCRYPT);
    return status == AESFIT_OK && key.features != 0 && !what->narrow;
}

bench_floor bench_floor_of(bench_mode mode)
{
    switch (mode) {
    case BENCH_ECB:
    case BENCH_CBC_DECRYPT:
    case BENCH_CTR:
    case BENCH_GCM:
    case BENCH_XTS:
        return BENCH_THROUGHPUT;
    case BENCH_CBC_STREAMS: /* 8 chains on wide registers would wait for the latency */
        return BENCH_NARROW;
    case BENCH_CBC_ENCRYPT:
    case BENCH_CCM:
    case BENCH_BLOCK:
        return BENCH_LATENCY;
    default:
        return BENCH_NO_FLOOR;
    }
}

double bench_floor_bytes(const bench_case *what, int lanes)
{
    unsigned rounds = what->key_bits / 32 + 6;
    double blocks = FLOOR_STEPS / (double)rounds;
    if (bench_floor_of(what->mode) == BENCH_LATENCY)
        return 16 * blocks;
    return 16 * blocks * FLOOR_CHAINS * lanes;
}

static void *floor_new(floor_function *run)
{
    floor_state *state = malloc(sizeof *state);
    if (state != NULL)
        state->run = run;
    return state;
}

static void *floor_open(const bench_case *what)
{
    if (!bench_has_aes() || bench_floor_of(what->mode) == BENCH_NO_FLOOR)
        return NULL;
    return floor_new(bench_floor_of(what->mode) == BENCH_LATENCY ? floor_latency : floor_narrow);
}

static void *floor_open_wide(const bench_case *what)
{
    if (bench_floor_of(what->mode) != BENCH_THROUGHPUT || !bench_has_vaes(what))
        return NULL;
    return floor_new(floor_wide);
}

static void floor_run(void *state, size_t messages)
{
    ((floor_state *)state)->run(messages);
}

const bench_side bench_floor_side = {"floor", floor_open, floor_run, free};
const bench_side bench_wide_side = {"wide floor", floor_open_wide, floor_run, free};
