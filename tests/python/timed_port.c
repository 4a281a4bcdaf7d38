/* SPDX-License-Identifier: MIT */
/* A made-up library behind the entry points of docs/peers.md; SETUP and BLOCK choose its steps. */
#include <stddef.h>
#include <stdint.h>
#include "harness.h"
typedef struct {
    uint8_t key[16];
    uint32_t rounds;
} rig_context;
extern const uint32_t rig_context_bytes;
RIG_OWN(bytes) const uint32_t rig_context_bytes = sizeof(rig_context);
static const uint8_t table[256] = {1, 2};
uint32_t begun;
static __attribute__((noinline)) uint8_t shared(uint8_t at)
{
    return table[at];
}
static __attribute__((noinline)) uint8_t plain(uint8_t at)
{
    return at ^ 1;
}
static __attribute__((noinline)) uint8_t beyond(uint8_t at)
{
    return at ^ *(volatile uint8_t *)0x90000000;
}
static void set_up(rig_context *k, const uint8_t *bytes)
{
    for (int i = 0; i < 16; i++)
        k->key[i] = SETUP(bytes[i]);
    k->rounds = 2 + begun;
    begun = 1;
}
static void crypt(const rig_context *k, uint8_t *out, const uint8_t *in, const uint8_t *nonce)
{
    for (uint32_t r = 0; r < k->rounds; r++)
        for (int i = 0; i < 16; i++)
            out[i] = in[i] ^ BLOCK(k->key[i]) ^ table[nonce[0]];
}
RIG_OWN(a) void rig_key_setup_encrypt(rig_context *k, const uint8_t *bytes)
{
    set_up(k, bytes);
}
RIG_OWN(b)
void rig_encrypt_block(const rig_context *k, uint8_t *out, const uint8_t *in, size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16)
        crypt(k, out, in, table);
}
RIG_OWN(c) int rig_key_setup(rig_context *k, const rig_message *m)
{
    set_up(k, m->key);
    return 0;
}
RIG_OWN(d) int rig_encrypt(const rig_context *k, const rig_message *m)
{
    for (size_t at = 0; at < m->bytes; at += 16)
        crypt(k, m->out + at, m->in + at, m->nonce);
    return 0;
}
