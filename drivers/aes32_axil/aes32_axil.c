/* SPDX-License-Identifier: MIT */
/* Driver of aes32_axil: keys, erasing, and modes whose blocks do not wait for each other. */
#include "aes32_axil_access.h"

/* A loop for each mode, with its steps and pointers in registers: 17 to 23 % fewer cycles in
 * examples/picorv32-aes, for 0.6 KB. */
#ifdef __GNUC__
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE static inline
#endif

enum { AES_128_BYTES = 16, AES_192_BYTES = 24, AES_256_BYTES = 32 };

aes32_axil_words aes32_axil_load_bytes(const uint8_t *bytes, size_t count)
{
    aes32_axil_words block = {{0}};
    for (size_t i = 0; i < count; i++)
        block.w[i / 4] |= (uint32_t)bytes[i] << 8 * (i % 4);
    return block;
}

void aes32_axil_store_bytes(uint8_t *bytes, aes32_axil_words block, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)(block.w[i / 4] >> 8 * (i % 4));
}

void aes32_axil_carry(aes32_axil_words *counter)
{
    uint8_t bytes[16];
    aes32_axil_store_bytes(bytes, *counter, sizeof bytes);
    for (int i = AES32_AXIL_BLOCK - 2; i >= 0 && ++bytes[i] == 0; i--)
        ;
    *counter = aes32_axil_load_bytes(bytes, sizeof bytes);
}

/* Called where the worker was, so that its array lies where the worker's frames were. */
int aes32_axil_leave(int status, uint8_t *out, size_t bytes)
{
    volatile uint32_t below[AES32_AXIL_DEPTH / sizeof(uint32_t)], *at = below;
    for (size_t left = sizeof below; left > 0; left -= 8 * sizeof *at, at += 8)
        at[0] = at[1] = at[2] = at[3] = at[4] = at[5] = at[6] = at[7] = 0;
    if (bytes > 0 && (status == AES32_AXIL_ERR_REFUSED || status == AES32_AXIL_ERR_TIMEOUT ||
                      status == AES32_AXIL_ERR_AUTHENTICATION))
        memset(out, 0, bytes);
    return status;
}

/* Until a bit of STATUS is 0. */
static int wait_clear(const aes32_axil *device, uint32_t bit)
{
    for (uint32_t reads = 0; reads < AES32_AXIL_PATIENCE; reads++)
        if ((aes32_axil_get(device, AES32_AXIL_STATUS) & bit) == 0)
            return AES32_AXIL_OK;
    return AES32_AXIL_ERR_TIMEOUT;
}

int aes32_axil_open(aes32_axil *device, volatile void *base)
{
    if (device == NULL || base == NULL || ((uintptr_t)base & 3) != 0)
        return AES32_AXIL_ERR_ARGUMENT;
    device->registers = base;
    uint32_t difference = aes32_axil_get(device, AES32_AXIL_VERSION) ^ AES32_AXIL_VERSION_RESET;
    if (aes32_axil_get(device, AES32_AXIL_ID) != AES32_AXIL_ID_RESET ||
        (difference & AES32_AXIL_VERSION_MAJOR) != 0) {
        device->registers = NULL;
        return AES32_AXIL_ERR_DEVICE;
    }
    return wait_clear(device, AES32_AXIL_STATUS_ERASING);
}

static int opened(const aes32_axil *device)
{
    return device != NULL && device->registers != NULL;
}

int aes32_axil_erase(const aes32_axil *device)
{
    if (!opened(device))
        return AES32_AXIL_ERR_ARGUMENT;
    aes32_axil_put(device, AES32_AXIL_CONTROL, AES32_AXIL_CONTROL_ERASE);
    aes32_axil_put(device, AES32_AXIL_STATUS, AES32_AXIL_STATUS_REFUSED);
    return wait_clear(device, AES32_AXIL_STATUS_ERASING);
}

int aes32_axil_give_up(const aes32_axil *device, int status)
{
    aes32_axil_erase(device);
    return status;
}

int aes32_axil_load_key(const aes32_axil *device, const uint8_t *key, size_t key_bytes)
{
    if (!opened(device) || key == NULL ||
        (key_bytes != AES_128_BYTES && key_bytes != AES_192_BYTES && key_bytes != AES_256_BYTES))
        return AES32_AXIL_ERR_ARGUMENT;
    int status = aes32_axil_erase(device);
    if (status != AES32_AXIL_OK)
        return status;
    uint32_t size = (uint32_t)(key_bytes - AES_128_BYTES) / (AES_192_BYTES - AES_128_BYTES);
    aes32_axil_put(device, AES32_AXIL_CONTROL, size << AES32_AXIL_CONTROL_KEY_SIZE_SHIFT);
    for (const uint8_t *at = key; at < key + key_bytes; at += 4)
        aes32_axil_put(device, AES32_AXIL_KEY, aes32_axil_word(at));
    return aes32_axil_end(device);
}

int aes32_axil_begin(const aes32_axil *device, int decrypt)
{
    if (!opened(device))
        return AES32_AXIL_ERR_ARGUMENT;
    uint32_t status, reads = 0;
    do { /* until the key is expanded and the core has no block */
        status = aes32_axil_get(device, AES32_AXIL_STATUS);
        if ((status & AES32_AXIL_STATUS_KEYED) == 0)
            return AES32_AXIL_ERR_NO_KEY;
        if (aes32_axil_result_words(status) != 0 || reads++ > AES32_AXIL_PATIENCE)
            return AES32_AXIL_ERR_BUSY;
    } while ((status & AES32_AXIL_STATUS_KEY_READY) == 0);
    aes32_axil_put(device, AES32_AXIL_STATUS, AES32_AXIL_STATUS_REFUSED);
    aes32_axil_put(device, AES32_AXIL_CONTROL, decrypt ? AES32_AXIL_CONTROL_DECRYPT : 0);
    return AES32_AXIL_OK;
}

int aes32_axil_end(const aes32_axil *device)
{
    uint32_t wanted = AES32_AXIL_STATUS_KEYED;
    uint32_t looked = AES32_AXIL_STATUS_KEYED | AES32_AXIL_STATUS_REFUSED;
    if ((aes32_axil_get(device, AES32_AXIL_STATUS) & looked) != wanted)
        return aes32_axil_give_up(device, AES32_AXIL_ERR_REFUSED);
    return AES32_AXIL_OK;
}

int aes32_axil_wait_results(const aes32_axil *device, uint32_t words)
{
    for (uint32_t reads = 0; reads < AES32_AXIL_PATIENCE; reads++)
        if (aes32_axil_result_words(aes32_axil_get(device, AES32_AXIL_STATUS)) >= words)
            return AES32_AXIL_OK;
    return aes32_axil_give_up(device, AES32_AXIL_ERR_TIMEOUT);
}

/* A message of blocks that do not wait for each other.  A step sends one block, or takes one. */
typedef struct message {
    const aes32_axil *device;
    const uint8_t *in;      /* of the next block that is sent */
    const uint8_t *text;    /* of the next block that is taken: CBC, CTR */
    uint8_t *out;           /* of the next block that is taken */
    aes32_axil_words chain; /* CBC: ciphertext before that block; CTR: the next counter block */
} message;

typedef void step(message *m);

/* Sends blocks as long as there is room, then takes the results that are there: the core has blocks
 * while results are stored, and reading STATUS once serves up to two blocks each way. */
ALWAYS_INLINE int run(message *m, step *send, step *take_one, size_t blocks)
{
    size_t unsent = blocks, untaken = blocks;
    uint32_t reads = 0;
    while (untaken > 0) {
        uint32_t status = aes32_axil_get(m->device, AES32_AXIL_STATUS);
        uint32_t ready = aes32_axil_result_words(status), space = aes32_axil_data_space(status);
        size_t before = unsent + untaken;
        for (; space >= AES32_AXIL_BLOCK_WORDS && unsent > 0; unsent--) {
            send(m);
            space -= AES32_AXIL_BLOCK_WORDS;
        }
        for (; ready >= AES32_AXIL_BLOCK_WORDS && untaken > 0; untaken--) {
            take_one(m);
            ready -= AES32_AXIL_BLOCK_WORDS;
        }
        reads = unsent + untaken < before ? 0 : reads + 1;
        if (reads > AES32_AXIL_PATIENCE)
            return aes32_axil_give_up(m->device, AES32_AXIL_ERR_TIMEOUT);
    }
    return aes32_axil_end(m->device);
}

static int texts(const uint8_t *out, const uint8_t *in, size_t blocks)
{
    return blocks == 0 || (out != NULL && in != NULL && blocks <= SIZE_MAX / AES32_AXIL_BLOCK);
}

static void send_text(message *m)
{
    aes32_axil_put_block(m->device, aes32_axil_load(m->in));
    m->in += AES32_AXIL_BLOCK;
}

static void take(message *m, aes32_axil_words block)
{
    aes32_axil_store(m->out, block);
    m->out += AES32_AXIL_BLOCK;
}

static void take_text(message *m)
{
    take(m, aes32_axil_get_block(m->device));
}

AES32_AXIL_NOINLINE static int ecb(const aes32_axil *device, int decrypt, uint8_t *out,
                                   const uint8_t *in, size_t blocks)
{
    if (!texts(out, in, blocks))
        return AES32_AXIL_ERR_ARGUMENT;
    message m = {.device = device, .in = in, .out = out};
    int status = aes32_axil_begin(device, decrypt);
    return status == AES32_AXIL_OK ? run(&m, send_text, take_text, blocks) : status;
}

int aes32_axil_encrypt(const aes32_axil *device, uint8_t *out, const uint8_t *in, size_t blocks)
{
    return aes32_axil_leave(ecb(device, 0, out, in, blocks), out, AES32_AXIL_BLOCK * blocks);
}

int aes32_axil_decrypt(const aes32_axil *device, uint8_t *out, const uint8_t *in, size_t blocks)
{
    return aes32_axil_leave(ecb(device, 1, out, in, blocks), out, AES32_AXIL_BLOCK * blocks);
}

/* The ciphertext is read once more here, before `out` may cover it. */
static void take_cbc(message *m)
{
    aes32_axil_words cipher = aes32_axil_load(m->text);
    m->text += AES32_AXIL_BLOCK;
    take(m, aes32_axil_xor(aes32_axil_get_block(m->device), m->chain));
    m->chain = cipher;
}

AES32_AXIL_NOINLINE static int cbc_decrypt(const aes32_axil *device, uint8_t iv[16], uint8_t *out,
                                           const uint8_t *in, size_t blocks)
{
    message m = {.device = device, .in = in, .text = in, .out = out};
    m.chain = aes32_axil_load(iv);
    int status = aes32_axil_begin(device, 1);
    if (status == AES32_AXIL_OK)
        status = run(&m, send_text, take_cbc, blocks);
    if (status == AES32_AXIL_OK)
        aes32_axil_store(iv, m.chain);
    return status;
}

int aes32_axil_cbc_decrypt(const aes32_axil *device, uint8_t iv[16], uint8_t *out,
                           const uint8_t *in, size_t blocks)
{
    if (iv == NULL || !texts(out, in, blocks))
        return AES32_AXIL_ERR_ARGUMENT;
    int status = cbc_decrypt(device, iv, out, in, blocks);
    return aes32_axil_leave(status, out, AES32_AXIL_BLOCK * blocks);
}

static void send_counter(message *m)
{
    aes32_axil_put_block(m->device, m->chain);
    aes32_axil_count(&m->chain);
}

static void take_stream(message *m)
{
    aes32_axil_words text = aes32_axil_load(m->text);
    m->text += AES32_AXIL_BLOCK;
    take(m, aes32_axil_xor(aes32_axil_get_block(m->device), text));
}

/* One copy of the loop for whole blocks and for the rest. */
static int run_counter(message *given, size_t blocks)
{
    message m = *given;
    int status = run(&m, send_counter, take_stream, blocks);
    given->chain = m.chain;
    return status;
}

AES32_AXIL_NOINLINE static int ctr(const aes32_axil *device, uint8_t counter[16], uint8_t *out,
                                   const uint8_t *in, size_t bytes)
{
    size_t whole = bytes / AES32_AXIL_BLOCK, rest = bytes % AES32_AXIL_BLOCK;
    uint8_t last[16] = {0};
    message m = {.device = device, .text = in, .out = out};
    m.chain = aes32_axil_load(counter);
    int status = aes32_axil_begin(device, 0);
    if (status == AES32_AXIL_OK)
        status = run_counter(&m, whole);
    if (status == AES32_AXIL_OK && rest > 0) {
        memcpy(last, in + bytes - rest, rest);
        m.text = m.out = last;
        status = run_counter(&m, 1);
        memcpy(out + bytes - rest, last, status == AES32_AXIL_OK ? rest : 0);
    }
    if (status == AES32_AXIL_OK)
        aes32_axil_store(counter, m.chain);
    return status;
}

int aes32_axil_ctr(const aes32_axil *device, uint8_t counter[16], uint8_t *out, const uint8_t *in,
                   size_t bytes)
{
    if (counter == NULL || !texts(out, in, bytes == 0 ? 0 : 1))
        return AES32_AXIL_ERR_ARGUMENT;
    return aes32_axil_leave(ctr(device, counter, out, in, bytes), out, bytes);
}
