/* SPDX-License-Identifier: MIT */
/* A model of aes32_axil: its registers, queues, and when it refuses; the driver's AES32_AXIL_BUS.
 *
 * The core works when STATUS is read, a random number of words then. */
#ifndef AES32_AXIL_MOCK_H
#define AES32_AXIL_MOCK_H

#include "aes32_axil.h"
#include "fitaes.h"

enum { QUEUE = 8, KEY_BYTES_MAX = 32 };

/* Bytes of stack between the frame of the driver that accesses a register and those of the model.
 */
enum { AES32_AXIL_MOCK_APART = 8192 };

typedef struct queue {
    uint64_t words[QUEUE]; /* bit 32: of a block to be decrypted */
    unsigned count;
} queue;

typedef struct mock {
    /* What a test sets. */
    uint32_t id, version, random;
    int stuck;          /* no block is ever done */
    int never_erased;   /* ERASING stays */
    long refuse_access; /* this access to KEY, DATA or RESULT, from 0, is refused; -1: none */

    /* What the core holds. */
    uint32_t control;
    int refused, keyed;
    unsigned erasing, expanding; /* reads of STATUS until it is complete */
    uint8_t key[KEY_BYTES_MAX];
    unsigned key_words;
    queue data, inside, done, results; /* a word goes through all four; `inside` has two blocks */

    /* What a test looks at. */
    long reads;                    /* of STATUS */
    long accesses;                 /* to KEY, DATA and RESULT */
    unsigned erasures, most_ahead; /* blocks that were in the core at once */
    unsigned strays;               /* accesses that the core does not know */
} mock;

void mock_reset(mock *m);

uint32_t mock_get(mock *m, uint32_t offset);
void mock_put(mock *m, uint32_t offset, uint32_t word);

static inline uint32_t aes32_axil_get(const aes32_axil *device, uint32_t offset)
{
    return mock_get((mock *)(uintptr_t)device->registers, offset);
}

static inline void aes32_axil_put(const aes32_axil *device, uint32_t offset, uint32_t word)
{
    mock_put((mock *)(uintptr_t)device->registers, offset, word);
}

#endif
