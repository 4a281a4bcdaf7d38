/* SPDX-License-Identifier: MIT */
/* Somebody else's AES-128, byte by byte, and small functions with every kind of argument: what
 * tests/python/counting/test_count.py counts. */
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *to, const void *from, size_t bytes);
void foreign_aes128(const uint8_t key[16], const uint8_t in[16], uint8_t out[16]);
uint32_t foreign_sum(const uint8_t *bytes, uint32_t count);
uint32_t foreign_six(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e, uint32_t f);
int foreign_counter(void);
void foreign_endless(void);
uint32_t foreign_peek(uint32_t address);
void foreign_stack(volatile uint8_t *byte);
void foreign_fill(uint8_t *out, uint32_t byte, uint32_t bytes);

static int calls = 5;
static uint8_t sbox[256];

static uint8_t twice(uint8_t a)
{
    return (uint8_t)((unsigned)a << 1 ^ (a >> 7) * 0x1bu);
}

/* FIPS 197, 5.1.1, with 3 as a generator: p runs through the field and q through the inverses. */
static void fill_sbox(void)
{
    uint8_t p = 1, q = 1;
    do {
        p ^= twice(p);
        q = (uint8_t)(q ^ (unsigned)q << 1);
        q = (uint8_t)(q ^ (unsigned)q << 2);
        q = (uint8_t)(q ^ (unsigned)q << 4);
        q ^= (q & 0x80) ? 9 : 0;
        const unsigned wide = q * 0x0101u;
        sbox[p] = (uint8_t)(q ^ wide >> 7 ^ wide >> 6 ^ wide >> 5 ^ wide >> 4 ^ 0x63);
    } while (p != 1);
    sbox[0] = 0x63;
}

static void next_key(uint8_t key[16], uint8_t constant)
{
    key[0] ^= constant;
    for (unsigned i = 0; i < 4; i++)
        key[i] ^= sbox[key[12 + (i + 1) % 4]];
    for (unsigned i = 4; i < 16; i++)
        key[i] ^= key[i - 4];
}

static void mix_column(uint8_t *s)
{
    const uint8_t first = s[0], all = s[0] ^ s[1] ^ s[2] ^ s[3];
    for (unsigned i = 0; i < 3; i++)
        s[i] = (uint8_t)(s[i] ^ all ^ twice(s[i] ^ s[i + 1]));
    s[3] = (uint8_t)(s[3] ^ all ^ twice(s[3] ^ first));
}

static void round_step(uint8_t state[16], int mixes)
{
    uint8_t moved[16];
    for (unsigned i = 0; i < 16; i++)
        moved[i] = sbox[state[(i + 4 * (i % 4)) % 16]];
    for (unsigned i = 0; i < 16 && mixes; i += 4)
        mix_column(moved + i);
    memcpy(state, moved, 16);
}

void foreign_aes128(const uint8_t key[16], const uint8_t in[16], uint8_t out[16])
{
    uint8_t k[16], state[16], constant = 1;
    fill_sbox();
    memcpy(k, key, sizeof k);
    for (unsigned i = 0; i < 16; i++)
        state[i] = in[i] ^ k[i];
    for (unsigned round = 1; round <= 10; round++, constant = twice(constant)) {
        round_step(state, round < 10);
        next_key(k, constant);
        for (unsigned i = 0; i < 16; i++)
            state[i] ^= k[i];
    }
    memcpy(out, state, sizeof state);
}

uint32_t foreign_sum(const uint8_t *bytes, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += bytes[i];
    return sum;
}

uint32_t foreign_six(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e, uint32_t f)
{
    return a ^ b << 4 ^ c << 8 ^ d << 12 ^ e << 16 ^ f << 20;
}

int foreign_counter(void)
{
    for (volatile int i = 0; i < calls; i++)
        ;
    return ++calls;
}

void foreign_endless(void)
{
    for (;;)
        __asm__ volatile("");
}

uint32_t foreign_peek(uint32_t address)
{
    return *(const volatile uint32_t *)(uintptr_t)address;
}

void foreign_stack(volatile uint8_t *byte)
{
    volatile uint8_t local[256];
    for (unsigned i = 0; i < sizeof local; i++)
        local[i] = *byte;
    *byte = local[255];
}

void foreign_fill(uint8_t *out, uint32_t byte, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)(out[i] + byte);
}
