/* SPDX-License-Identifier: MIT */
/* Shared by the parts of bench_host: the cases measured, the sides compared, the results.
 *
 * A case is a mode at a key size and a message length.  A side (ours, the peer, the floor) makes a
 * state of a case and runs any number of messages on it.  Data is encrypted in place, except where
 * wide.c compares our own paths; short messages lie in a ring of up to 8, so that none waits for
 * the one just before, and all of it stays in the first-level cache up to 16 KiB.  Every message
 * has a fresh IV or nonce under a kept key. */
#ifndef AESFIT_BENCH_H
#define AESFIT_BENCH_H

#include <aesfit.h>
#include <emmintrin.h>

typedef enum bench_mode {
    BENCH_ECB,
    BENCH_CBC_ENCRYPT,
    BENCH_CBC_DECRYPT,
    BENCH_CTR,
    BENCH_GCM,
    BENCH_CCM,
    BENCH_XTS,
    BENCH_CBC_STREAMS, /* BENCH_STREAMS messages per run, side by side */
    BENCH_KEY_ENCRYPT, /* key setup */
    BENCH_KEY_BOTH,
    BENCH_BLOCK, /* one block, each the input of the next: latency */
    BENCH_MODES
} bench_mode;

enum {
    BENCH_STREAMS = 8,
    BENCH_NONCE_BYTES = 12,
    BENCH_TAG_BYTES = 16,
    BENCH_RING_BYTES = 16384,
    BENCH_STREAM_GAP = 320,
    BENCH_WIDE_LANES = 4 /* blocks in a 512-bit register */
};

/* The fewest cycles that AES instructions allow. */
typedef enum bench_floor {
    BENCH_NO_FLOOR,
    BENCH_THROUGHPUT, /* independent blocks, and wider registers help */
    BENCH_NARROW,     /* independent blocks, too few for wider registers */
    BENCH_LATENCY     /* each block waits for the one before */
} bench_floor;

typedef struct bench_case {
    bench_mode mode;
    unsigned key_bits;
    size_t bytes;            /* per message (per stream) */
    size_t ring;             /* messages, used one after the other */
    uint8_t *buffer;         /* `bytes` for each of them, or for each stream */
    const aesfit_core *core; /* ours */
    int narrow;              /* as on a processor without VAES */
    int decrypt;             /* ecb, gcm, xts: the other direction; only ours can */
    size_t apart;            /* bytes from input to output in the buffer; 0: in place */
} bench_case;

/* The next IV or nonce, written by one store: shorter stores would delay the loads of either side,
 * which is no property of theirs. */
static inline void bench_next_iv(uint8_t iv[16])
{
    __m128i next = _mm_add_epi32(_mm_loadu_si128((const __m128i *)(const void *)iv),
                                 _mm_set_epi32(0, 0, 0, 1));
    _mm_storeu_si128((__m128i *)(void *)iv, next);
}

/* The data of stream number i.  Streams are padded by a few cache lines: at distances of powers of
 * two, their blocks would all map to one set of the cache. */
static inline uint8_t *bench_stream(const bench_case *what, size_t i)
{
    return what->buffer + i * (what->bytes + BENCH_STREAM_GAP);
}

/* The data of message number n. */
static inline uint8_t *bench_message(const bench_case *what, size_t n)
{
    return what->buffer + n % what->ring * what->bytes;
}

typedef struct bench_side {
    const char *name;
    /* NULL: this side cannot run the case. */
    void *(*open)(const bench_case *what);
    void (*run)(void *state, size_t messages);
    void (*close)(void *state);
} bench_side;

/* floor: AESENC, one block per register.  wide: VAESENC, four; missing where they cannot help. */
extern const bench_side bench_ours, bench_peer, bench_floor_side, bench_wide_side;
/* Our paths for 512-bit and for 128-bit registers; a state serves both. */
extern const bench_side bench_ours_wide, bench_ours_narrow;

typedef struct bench_result {
    bench_case what;
    int in_core_cycles; /* ours, peer: core cycles per message; otherwise TSC cycles per byte */
    double ours, peer, floor, wide; /* medians; 0: there is none */
    double ratio;                   /* median of peer / ours: above 1, ours is faster */
    double over_floor, over_wide;   /* medians of ours / floor, ours / wide */
    unsigned rounds, clean; /* interleaved rounds kept, and how many of them were undisturbed */
} bench_result;

/* modes.c */
const char *bench_mode_name(bench_mode mode);
int bench_is_data_mode(bench_mode mode); /* measured per byte, at every message length */

/* floor.c */
bench_floor bench_floor_of(bench_mode mode);
int bench_has_aes(void);
int bench_has_vaes(const bench_case *what);
/* The blocks that one message of a floor represents; `lanes`: blocks per register. */
double bench_floor_bytes(const bench_case *what, int lanes);

/* measure.c; quick: a fifth of the rounds. */
void bench_measure(bench_result *result, const bench_case *what, int quick);
double bench_wide_over_narrow(const bench_case *what, int quick);
double bench_tsc_per_core_cycle(void);

/* wide.c: wide paths over narrow ones at short lengths; mode BENCH_MODES: all. */
typedef struct bench_wide_options {
    bench_mode mode;
    unsigned key_bits;
    int quick, json;
} bench_wide_options;

int bench_wide(const bench_wide_options *options, uint8_t *buffer);

/* report.c */
void bench_print_head(const bench_case *what);
void bench_print_row(const bench_result *row);
void bench_print_json(const aesfit_core *core, const bench_result *rows, size_t count);

/* bounds.c: what must be reached, computed from the rows. */
typedef struct bench_bound {
    char name[64];
    double value, limit;
    int at_least; /* 1: value >= limit is wanted, 0: value <= limit */
} bench_bound;

int bench_bound_met(const bench_bound *bound);
size_t bench_bounds(bench_bound *bounds, size_t size, const bench_result *rows, size_t count);
void bench_print_bounds(const bench_result *rows, size_t count, int all);

#endif
