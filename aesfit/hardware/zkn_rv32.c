/* SPDX-License-Identifier: MIT */
/* zkn_rv32: a word per column, on the AES instructions of RISC-V's Zkne and Zknd for RV32.
 *
 * A core by the library's contract, compiled in the place of one: rtl/pcpi_zkn.v gives PicoRV32 the
 * instructions, and no compiler here knows them, so they stand as numbers.
 * Cost per round: 16 instructions, which add the round key too; in the key schedule 4 for a word
 * with S-boxes, and 8 for InvMixColumns of a word.
 * Constant-time: yes by its form; no table, and no branch or address that depends on a secret. */
#include "parts/steps/column_keys.h"

enum { zkn_rv32_lanes = 1 };
enum { ZKN_ESI = 0x11, ZKN_ESMI = 0x13, ZKN_DSI = 0x15, ZKN_DSMI = 0x17 };

/* x XOR what byte `n` of y becomes. */
#define ZKN(which, x, y, n)                                                                        \
    (__extension__({                                                                               \
        uint32_t zkn_z;                                                                            \
        __asm__(".insn r 0x33, 0, %3, %0, %1, %2"                                                  \
                : "=r"(zkn_z)                                                                      \
                : "r"(x), "r"(y), "i"((which) | (n) << 5));                                        \
        zkn_z;                                                                                     \
    }))
#define ZKN_FOUR(which, x, a, b, c, d)                                                             \
    ZKN(which, ZKN(which, ZKN(which, ZKN(which, x, a, 0), b, 1), c, 2), d, 3)

/* The next state: row r of a column comes r columns from the right, or in decryption the left. */
#define ZKN_ROUND(which, s, k)                                                                     \
    zkn_columns(ZKN_FOUR(which, (k)[0], s.c0, s.c1, s.c2, s.c3),                                   \
                ZKN_FOUR(which, (k)[1], s.c1, s.c2, s.c3, s.c0),                                   \
                ZKN_FOUR(which, (k)[2], s.c2, s.c3, s.c0, s.c1),                                   \
                ZKN_FOUR(which, (k)[3], s.c3, s.c0, s.c1, s.c2))
#define ZKN_ROUND_BACK(which, s, k)                                                                \
    zkn_columns(ZKN_FOUR(which, (k)[0], s.c0, s.c3, s.c2, s.c1),                                   \
                ZKN_FOUR(which, (k)[1], s.c1, s.c0, s.c3, s.c2),                                   \
                ZKN_FOUR(which, (k)[2], s.c2, s.c1, s.c0, s.c3),                                   \
                ZKN_FOUR(which, (k)[3], s.c3, s.c2, s.c1, s.c0))

AESFIT_INLINE columns zkn_columns(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3)
{
    columns s;
    s.c0 = c0;
    s.c1 = c1;
    s.c2 = c2;
    s.c3 = c3;
    return s;
}

AESFIT_INLINE uint32_t zkn_sub_word(uint32_t x, uint32_t constant)
{
    return ZKN_FOUR(ZKN_ESI, constant, x, x, x, x);
}

/* The inverse S-box takes SubWord back. */
AESFIT_INLINE uint32_t zkn_inv_mix(uint32_t x)
{
    uint32_t y = zkn_sub_word(x, 0);
    return ZKN_FOUR(ZKN_DSMI, 0u, y, y, y, y);
}

/* Behind the round keys stand those of the equivalent inverse cipher, if it decrypts. */
AESFIT_LOCAL void zkn_rv32_expand_key(aesfit_key *key, const uint8_t *bytes, unsigned directions)
{
    column_keys_expand(key->schedule, bytes, key->key_words, key->rounds, zkn_sub_word);
    if (directions & AESFIT_DECRYPT)
        column_keys_invert(key->schedule + 4 * (key->rounds + 1), key->schedule, key->rounds,
                           zkn_inv_mix);
}

AESFIT_LOCAL void zkn_rv32_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                   size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *k = key->schedule, *last = k + 4 * key->rounds;
        columns s = columns_add(columns_load(in), columns_get(k));
        while ((k += 4) != last)
            s = ZKN_ROUND(ZKN_ESMI, s, k);
        columns_store(out, ZKN_ROUND(ZKN_ESI, s, k));
    }
}

AESFIT_LOCAL void zkn_rv32_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                   size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *first = key->schedule + 4 * (key->rounds + 1);
        const uint32_t *k = first + 4 * key->rounds;
        columns s = columns_add(columns_load(in), columns_get(k));
        while ((k -= 4) != first)
            s = ZKN_ROUND_BACK(ZKN_DSMI, s, k);
        columns_store(out, ZKN_ROUND_BACK(ZKN_DSI, s, k));
    }
}
