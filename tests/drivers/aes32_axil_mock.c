/* SPDX-License-Identifier: MIT */
/* The model of aes32_axil: what rtl/aes32_axil.v does, as far as software can see it. */
#include "aes32_axil_mock.h"
#include "aes32_axil_registers.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_WORDS = 4, READS = 1000000 /* far more than a driver that gives up makes */ };

/* Numerical Recipes' linear congruential generator. */
static uint32_t draw(mock *m, uint32_t below)
{
    m->random = 1664525u * m->random + 1013904223u;
    return (m->random >> 16) % below;
}

static void erase(mock *m)
{
    memset(m->key, 0, sizeof m->key);
    memset(&m->data, 0, sizeof m->data);
    memset(&m->inside, 0, sizeof m->inside);
    memset(&m->done, 0, sizeof m->done);
    memset(&m->results, 0, sizeof m->results);
    m->keyed = 0;
    m->key_words = 0;
    m->erasing = 1 + draw(m, 5);
    m->expanding = 0;
}

void mock_reset(mock *m)
{
    *m =
        (mock){.id = AES32_AXIL_ID_RESET, .version = AES32_AXIL_VERSION_RESET, .refuse_access = -1};
    erase(m);
}

static uint64_t pop(queue *q)
{
    uint64_t word = q->words[0];
    q->count--;
    memmove(q->words, q->words + 1, q->count * sizeof word);
    q->words[q->count] = 0;
    return word;
}

static void push(queue *q, uint64_t word)
{
    q->words[q->count++] = word;
}

static uint32_t word_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void put_word(uint8_t *bytes, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(word >> 8 * i);
}

/* A block of `inside` becomes one of `done`. */
static void work(mock *m)
{
    uint8_t block[16];
    fitaes_key key;
    int decrypt = m->inside.words[0] >> 32 != 0;
    for (int i = 0; i < 16; i += 4)
        put_word(block + i, (uint32_t)pop(&m->inside));
    fitaes_expand_key(&key, NULL, m->key, 4 * m->key_words, FITAES_BOTH);
    if (decrypt)
        fitaes_ecb_decrypt(&key, block, block, sizeof block);
    else
        fitaes_ecb_encrypt(&key, block, block, sizeof block);
    for (int i = 0; i < 16; i += 4)
        push(&m->done, word_at(block + i));
}

/* A word moves, or a block is finished. */
static void go_on(mock *m)
{
    if (m->done.count > 0 && m->results.count < QUEUE && draw(m, 2) == 0)
        push(&m->results, pop(&m->done));
    else if (m->data.count > 0 && m->inside.count < QUEUE)
        push(&m->inside, pop(&m->data));
    else if (m->inside.count >= BLOCK_WORDS && m->done.count == 0)
        work(m);
    else if (m->done.count > 0 && m->results.count < QUEUE)
        push(&m->results, pop(&m->done));
}

/* Whether KEY takes a word. */
static int key_ready(const mock *m)
{
    return m->data.count + m->inside.count + m->done.count == 0 && m->expanding == 0 &&
           m->erasing == 0;
}

static unsigned wanted_key_words(const mock *m)
{
    uint32_t size = m->control & AES32_AXIL_CONTROL_KEY_SIZE;
    return 4 + 2 * (size >> AES32_AXIL_CONTROL_KEY_SIZE_SHIFT);
}

static uint32_t status(mock *m)
{
    if (++m->reads > READS) {
        puts("FAIL: the driver waits for ever");
        exit(1);
    }
    if (m->erasing > 0 && !m->never_erased)
        m->erasing--;
    if (m->expanding > 0)
        m->expanding--;
    for (uint32_t steps = m->stuck || m->expanding > 0 ? 0 : draw(m, 12); steps > 0; steps--)
        go_on(m);
    uint32_t space = m->keyed ? QUEUE - m->data.count : 0;
    return (key_ready(m) ? AES32_AXIL_STATUS_KEY_READY : 0) |
           (m->keyed ? AES32_AXIL_STATUS_KEYED : 0) |
           (m->erasing > 0 ? AES32_AXIL_STATUS_ERASING : 0) |
           (m->refused ? AES32_AXIL_STATUS_REFUSED : 0) |
           space << AES32_AXIL_STATUS_DATA_SPACE_SHIFT |
           m->results.count << AES32_AXIL_STATUS_RESULT_WORDS_SHIFT;
}

/* Whether this access to KEY, DATA or RESULT is done. */
static int allowed(mock *m, int possible)
{
    int done = m->accesses++ != m->refuse_access && possible && m->erasing == 0;
    m->refused |= !done;
    return done;
}

static uint32_t get(mock *m, uint32_t offset)
{
    switch (offset) {
    case AES32_AXIL_ID:
        return m->id;
    case AES32_AXIL_VERSION:
        return m->version;
    case AES32_AXIL_CONTROL:
        return m->control;
    case AES32_AXIL_STATUS:
        return status(m);
    case AES32_AXIL_RESULT:
        return allowed(m, m->results.count > 0) ? (uint32_t)pop(&m->results) : 0;
    default:
        m->strays++;
        m->refused = 1;
        return 0;
    }
}

static void put_key(mock *m, uint32_t word)
{
    if (!allowed(m, key_ready(m)))
        return;
    if (m->keyed)
        m->keyed = 0, m->key_words = 0;
    put_word(m->key + 4 * m->key_words++, word);
    m->keyed = m->key_words == wanted_key_words(m);
    m->expanding = m->keyed ? 2 + draw(m, 5) : 0; /* not ready when it is read once */
}

static void put_data(mock *m, uint32_t word)
{
    if (!allowed(m, m->keyed && m->data.count < QUEUE))
        return;
    push(&m->data, word | (m->control & AES32_AXIL_CONTROL_DECRYPT ? (uint64_t)1 << 32 : 0));
    unsigned words = m->data.count + m->inside.count + m->done.count + m->results.count;
    unsigned ahead = words / BLOCK_WORDS;
    m->most_ahead = ahead > m->most_ahead ? ahead : m->most_ahead;
}

static void put_control(mock *m, uint32_t word)
{
    m->control = word & (AES32_AXIL_CONTROL_DECRYPT | AES32_AXIL_CONTROL_KEY_SIZE);
    if (word & AES32_AXIL_CONTROL_ERASE) {
        erase(m);
        m->erasures++;
    }
}

static void put(mock *m, uint32_t offset, uint32_t word)
{
    switch (offset) {
    case AES32_AXIL_CONTROL:
        put_control(m, word);
        break;
    case AES32_AXIL_STATUS:
        m->refused &= (word & AES32_AXIL_STATUS_REFUSED) == 0;
        break;
    case AES32_AXIL_KEY:
        put_key(m, word);
        break;
    case AES32_AXIL_DATA:
        put_data(m, word);
        break;
    default:
        m->strays++;
        m->refused = 1;
    }
}

uint32_t mock_get(mock *m, uint32_t offset)
{
    volatile uint8_t apart[AES32_AXIL_MOCK_APART];
    apart[offset] = 0; /* anywhere, and below again, so that it is there while the model works */
    uint32_t word = get(m, offset);
    (void)apart[offset];
    return word;
}

void mock_put(mock *m, uint32_t offset, uint32_t word)
{
    volatile uint8_t apart[AES32_AXIL_MOCK_APART];
    apart[offset] = 0;
    put(m, offset, word);
    (void)apart[offset];
}
