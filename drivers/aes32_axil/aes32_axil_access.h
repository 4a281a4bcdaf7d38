/* SPDX-License-Identifier: MIT */
/* What the files of the driver share: registers, words and blocks; not for applications.
 *
 * AES32_AXIL_BUS names a header that gives aes32_axil_get() and aes32_axil_put() in place of those
 * below, for a bus that takes more than a load or a store (barriers, a bridge, a test). */
#ifndef AES32_AXIL_ACCESS_H
#define AES32_AXIL_ACCESS_H

#include "aes32_axil.h"
#include "aes32_axil_registers.h"
#if __STDC_HOSTED__
#include <string.h>
#else /* firmware without a libc gives these two, which compilers call anyway */
void *memcpy(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
#endif

#ifdef AES32_AXIL_BUS
#include AES32_AXIL_BUS
#else
static inline uint32_t aes32_axil_get(const aes32_axil *device, uint32_t offset)
{
    return device->registers[offset / sizeof(uint32_t)];
}

static inline void aes32_axil_put(const aes32_axil *device, uint32_t offset, uint32_t word)
{
    device->registers[offset / sizeof(uint32_t)] = word;
}
#endif

enum { AES32_AXIL_BLOCK = 16, AES32_AXIL_BLOCK_WORDS = 4 };

/* Reads of STATUS without any progress after which the core is given up: it takes at most some 200
 * cycles for two blocks, and a read takes one or more. */
enum { AES32_AXIL_PATIENCE = 10000 };

/* Words are little-endian in memory: byte 0 is the lowest of a word on the bus. */
static inline uint32_t aes32_axil_word(const uint8_t bytes[4])
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* A block; a value, so that compilers keep it in registers. */
typedef struct aes32_axil_words {
    uint32_t w[4];
} aes32_axil_words;

/* At any address, up to 16 bytes, one at a time; the rest of the block is zeros.  In aes32_axil.c.
 */
aes32_axil_words aes32_axil_load_bytes(const uint8_t *bytes, size_t count);
void aes32_axil_store_bytes(uint8_t *bytes, aes32_axil_words block, size_t count);

static inline aes32_axil_words aes32_axil_load(const uint8_t *bytes)
{
#if defined __GNUC__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (((uintptr_t)bytes & 3) == 0) { /* four loads */
        aes32_axil_words block;
        __builtin_memcpy(&block, __builtin_assume_aligned(bytes, 4), AES32_AXIL_BLOCK);
        return block;
    }
#endif
    return aes32_axil_load_bytes(bytes, AES32_AXIL_BLOCK);
}

static inline void aes32_axil_store(uint8_t *bytes, aes32_axil_words block)
{
#if defined __GNUC__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (((uintptr_t)bytes & 3) == 0) { /* four stores */
        __builtin_memcpy(__builtin_assume_aligned(bytes, 4), &block, AES32_AXIL_BLOCK);
        return;
    }
#endif
    aes32_axil_store_bytes(bytes, block, AES32_AXIL_BLOCK);
}

static inline aes32_axil_words aes32_axil_xor(aes32_axil_words a, aes32_axil_words b)
{
    a.w[0] ^= b.w[0];
    a.w[1] ^= b.w[1];
    a.w[2] ^= b.w[2];
    a.w[3] ^= b.w[3];
    return a;
}

/* The next counter block: the last byte counts in the highest byte of the last word, and bytes
 * before it follow one time in 256. */
void aes32_axil_carry(aes32_axil_words *counter);

static inline void aes32_axil_count(aes32_axil_words *counter)
{
    counter->w[3] += 0x01000000;
    if (counter->w[3] < 0x01000000)
        aes32_axil_carry(counter);
}

static inline void aes32_axil_put_block(const aes32_axil *device, aes32_axil_words block)
{
    aes32_axil_put(device, AES32_AXIL_DATA, block.w[0]);
    aes32_axil_put(device, AES32_AXIL_DATA, block.w[1]);
    aes32_axil_put(device, AES32_AXIL_DATA, block.w[2]);
    aes32_axil_put(device, AES32_AXIL_DATA, block.w[3]);
}

static inline aes32_axil_words aes32_axil_get_block(const aes32_axil *device)
{
    aes32_axil_words block;
    block.w[0] = aes32_axil_get(device, AES32_AXIL_RESULT);
    block.w[1] = aes32_axil_get(device, AES32_AXIL_RESULT);
    block.w[2] = aes32_axil_get(device, AES32_AXIL_RESULT);
    block.w[3] = aes32_axil_get(device, AES32_AXIL_RESULT);
    return block;
}

static inline uint32_t aes32_axil_data_space(uint32_t status)
{
    return (status & AES32_AXIL_STATUS_DATA_SPACE) >> AES32_AXIL_STATUS_DATA_SPACE_SHIFT;
}

static inline uint32_t aes32_axil_result_words(uint32_t status)
{
    return (status & AES32_AXIL_STATUS_RESULT_WORDS) >> AES32_AXIL_STATUS_RESULT_WORDS_SHIFT;
}

/* In aes32_axil.c.  Before a message: whether there is a key and nothing else in the core; sets the
 * direction.  After it: whether all accesses were done.  In between: waits for result words. */
int aes32_axil_begin(const aes32_axil *device, int decrypt);
int aes32_axil_end(const aes32_axil *device);
int aes32_axil_give_up(const aes32_axil *device, int status);
int aes32_axil_wait_results(const aes32_axil *device, uint32_t words);

/* A function that is given text is two: a worker, which is never inlined, so that its frame is gone
 * when it returns, and one that checks arguments and passes the worker's status through
 * aes32_axil_leave(). */
#ifdef __GNUC__
#define AES32_AXIL_NOINLINE __attribute__((noinline))
#else
#define AES32_AXIL_NOINLINE
#endif

/* Bytes of stack that aes32_axil_leave() overwrites, a multiple of 32.  Workers and what they call
 * take up to 448 on RV32 and Cortex-M (GCC), and 720 if not optimised. */
#ifdef __OPTIMIZE__
#define AES32_AXIL_DEPTH (128 * sizeof(void *))
#else
#define AES32_AXIL_DEPTH (256 * sizeof(void *))
#endif

/* In aes32_axil.c.  Writes zeros over the worker's stack, which holds key stream, text and the
 * right tag, and over `out` if work had begun and failed; returns `status`.  `out` then holds text
 * that is not authentic, or the plaintext itself: a refused read of RESULT gives 0 as key stream.
 */
AES32_AXIL_NOINLINE int aes32_axil_leave(int status, uint8_t *out, size_t bytes);

#endif
