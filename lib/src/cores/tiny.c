/* SPDX-License-Identifier: MIT */
/* tiny: the core for the last kilobyte of flash.
 *
 * Idea: everything is a short loop and stands once.  The state is the output buffer; one function
 * looks four bytes up and packs them, for SubBytes with ShiftRows, their inverses and the key
 * schedule, which differ in where the bytes come from; another one is MixColumns of a word.  Round
 * constants are computed, and nothing of libc is called.  It is meant for -Os.
 * Source: FIPS 197; packed doublings and InvMixColumns as in steps/field.h.
 * Cost per middle round: 16 S-box reads, 4 doublings; decrypting 12 doublings.
 * Constant-time: no; table addresses depend on secrets. */
#include "../parts/bytes.h"
#include "../parts/steps/field.h"
#include "../parts/steps/read.h"
#include "../parts/tables/inv_sbox.h"
#include "../parts/tables/sbox.h"

enum { tiny_lanes = 1 };

/* Words of memory are columns, row 0 in the first byte. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define TINY_WORD(x) (x)
#else
#define TINY_WORD(x) load32_le((const uint8_t *)&(x))
#endif

/* Reads are counted by the name of the table. */
#ifdef AESFIT_COUNT_READS
#define TINY_READ(table, x) ((table) == sbox ? READ(sbox, x) : READ(inv_sbox, x))
#else
#define TINY_READ(table, x) READ(table, x)
#endif

/* The word of what four bytes of s become: byte r comes from place at + r step, within `mask`. */
AESFIT_NOINLINE AESFIT_LOCAL uint32_t tiny_look_up(const uint8_t *table, const uint8_t *s,
                                                   unsigned at, unsigned step, unsigned mask)
{
    uint32_t x = 0;
    for (unsigned r = 0; r < 4; r++, at += step)
        x = x >> 8 | (uint32_t)TINY_READ(table, s[at & mask]) << 24;
    return x;
}

AESFIT_NOINLINE AESFIT_LOCAL uint32_t tiny_mix(uint32_t x)
{
    return mix_column(x);
}

/* Schedule: the round keys of FIPS 197, byte for byte. */
AESFIT_LOCAL void tiny_expand_key(aesfit_key *key, const uint8_t *bytes, unsigned directions)
{
    uint32_t *w = key->schedule;
    unsigned nk = key->key_words, left = 4u * (key->rounds + 1u) - nk, constant = 1;
    (void)directions;
    for (unsigned i = 0; i < 4 * nk; i++) {
        ((uint8_t *)w)[i] = bytes[i];
        AESFIT_BARRIER(i); /* no call of memcpy */
    }
    for (unsigned place = nk; left > 0; left--, w++, place++) {
        uint32_t x = w[nk - 1];
        if (place == nk) {
            x = tiny_look_up(sbox, (const uint8_t *)(w + nk - 1), 1, 1, 3) ^ constant;
            x = TINY_WORD(x);
            constant <<= 1;
            if (constant > 0xff)
                constant ^= 0x11b;
            place = 0;
        } else if (nk == 8 && place == 4) {
            x = tiny_look_up(sbox, (const uint8_t *)(w + nk - 1), 0, 1, 3);
            x = TINY_WORD(x);
        }
        w[nk] = w[0] ^ x;
    }
}

/* out = in + k, 16 bytes of each.  Words where they may stand anywhere. */
AESFIT_NOINLINE AESFIT_LOCAL void tiny_add(uint8_t *out, const uint8_t *in, const uint32_t *k)
{
#if BYTES_ANY_ALIGNMENT
    for (unsigned c = 0; c < 4; c++)
        store_word(out + 4 * c, load_word(in + 4 * c) ^ k[c]);
#else
    for (unsigned i = 0; i < 16; i++)
        out[i] = (uint8_t)(in[i] ^ ((const uint8_t *)k)[i]);
#endif
}

/* The state is in `out` between rounds; what stays in t is the last one, which is ciphertext. */
AESFIT_LOCAL void tiny_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                               size_t blocks)
{
    uint32_t t[4];
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *k = key->schedule, *last = k + 4 * key->rounds;
        tiny_add(out, in, k);
        do {
            k += 4;
            for (unsigned c = 0; c < 4; c++) {
                uint32_t x = tiny_look_up(sbox, out, 4 * c, 5, 15);
                if (k != last)
                    x = tiny_mix(x);
                t[c] = TINY_WORD(x);
            }
            tiny_add(out, (const uint8_t *)t, k);
        } while (k != last);
    }
}

AESFIT_LOCAL void tiny_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                               size_t blocks)
{
    static const uint32_t zero[4] = {0, 0, 0, 0};
    uint32_t t[4];
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *first = key->schedule, *k = first + 4 * key->rounds;
        tiny_add(out, in, k);
        do {
            k -= 4;
            for (unsigned c = 0; c < 4; c++) {
                uint32_t x = tiny_look_up(inv_sbox, out, 4 * c, 13, 15) ^ TINY_WORD(k[c]);
                if (k != first)
                    x = tiny_mix(x ^ xtime4(xtime4(x ^ rotl32(x, 16))));
                t[c] = TINY_WORD(x);
            }
            tiny_add(out, (const uint8_t *)t, zero);
        } while (k != first);
    }
    for (unsigned c = 0; c < 4; c++) {
        t[c] = 0;
        AESFIT_BARRIER(c);
    }
}

#undef TINY_WORD
#undef TINY_READ

#ifndef AESFIT_BOUND
static const aesfit_table tiny_tables[] = {
    {"sbox", 256, AESFIT_ENCRYPT, 16, 16, {0, 0, 0}},
    {"inv_sbox", 256, AESFIT_DECRYPT, 16, 16, {0, 0, 0}},
    {"sbox", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

CORE_OBJECTS(
    tiny,
    (.summary = "short loops over bytes in memory, columns mixed as words: the least flash",
     .source = "FIPS 197", .needs = "", .table_count = sizeof tiny_tables / sizeof tiny_tables[0],
     .tables = tiny_tables),
    .properties = 0, .round_key_bytes = {{176, 176, 176}, {208, 208, 208}, {240, 240, 240}});
#endif
