/* SPDX-License-Identifier: MIT */
/* AES byte by byte, with a switch for each optimisation that Javed describes (Fast Implementation
 * of AES on Mobile Devices, section 4), so that each is measured alone and with others.
 *
 * Without switches it is FIPS 197 as written: SubBytes, ShiftRows, MixColumns and AddRoundKey are
 * four calls a round on a state of 16 bytes in memory, which they reach through pointers, and
 * MixColumns computes each byte by the sum that the standard prints.  Nothing is a loop inside a
 * step in any variation, so that no switch unrolls one by the way.
 *
 *   BYTES_PRODUCTS     1: 2 x is read from a table of 256 bytes (4.1).
 *                      2: products are read from six such tables (see below).
 *   BYTES_FUSED_SHIFT  SubBytes and ShiftRows are one step (4.2).
 *   BYTES_FUSED_MIX    SubBytes and MixColumns are one step; with the former, ShiftRows is in it.
 *   BYTES_WORDS        32-bit types: blocks are copied and added by words, and counters and
 *                      intermediate results have 32 bits (HAVE_UINT32 of 4.3, and 4.5).
 *   BYTES_LOCAL        MixColumns copies its input to a buffer of its own and writes it back;
 *                      otherwise it has two pointers, which may point to the same (VERSION_1, 4.3).
 *   BYTES_ONE_SIZE     Keys have 128 bits and no other size (4.4).
 *   BYTES_INLINE       All steps are inlined into the two block functions (4.6).
 *   BYTES_REGISTERS    The state is four words in registers (4.6): all of the above at once.
 *
 * What VERSION_1 and HAVE_UINT32 mean is taken from the code that the paper starts from, Gladman's
 * byte-oriented AES of 2006.  That code has three lists of 256 bytes in its source: the S-box, its
 * inverse, and all bytes in order, "for forming finite field tables".  A compiler makes eight
 * tables of them: both S-boxes, 2 S(x), 3 S(x), and the products by 09, 0b, 0d, 0e.  These are the
 * tables of BYTES_PRODUCTS 2; without BYTES_FUSED_MIX, 2 x and 3 x stand for 2 S(x) and 3 S(x).
 *
 * The block functions follow in bytes_memory.c or bytes_registers.c. */
#include "parts/bytes.h"
#include "parts/mask.h"
#include "parts/tables/inv_sbox.h"
#include "parts/tables/mul2.h"
#include "parts/tables/products.h"
#include "parts/tables/rcon.h"
#include "parts/tables/sbox.h"

#define BYTES_SEEN __attribute__((externally_visible, noinline))
#if BYTES_INLINE
#define BYTES_STEP AESFIT_INLINE
#else
#define BYTES_STEP static AESFIT_NOIPA
#endif

#if BYTES_WORDS
typedef uint32_t bytes_number;
#else
typedef uint8_t bytes_number;
#endif

typedef struct bytes_key {
    uint32_t schedule[60];
    uint32_t rounds;
} bytes_key;

AESFIT_INLINE bytes_number bytes_rounds(const bytes_key *key)
{
    return BYTES_ONE_SIZE ? 10 : (bytes_number)key->rounds;
}

/* ------------------------------------------------------------------------------- products */

/* 2 x.  With 32-bit types it may leave bits above the eighth, which no table index has and no
 * stored byte keeps. */
AESFIT_INLINE bytes_number bytes_twice(bytes_number x)
{
#if BYTES_PRODUCTS
    return mul2[x];
#else
    return (bytes_number)((uint32_t)x << 1 ^ (mask32_of(x, 7) & 0x1b));
#endif
}

AESFIT_INLINE bytes_number bytes_eight_times(bytes_number x)
{
    return bytes_twice(bytes_twice(bytes_twice(x)));
}

#if BYTES_PRODUCTS == 2
#define BYTES_DOUBLE(x) ((x) << 1 ^ ((x) >> 7) * 0x11b)
#define BYTES_TWO_ENTRY(x) BYTES_DOUBLE(x),
#define BYTES_THREE_ENTRY(x) BYTES_DOUBLE(x) ^ (x),
static const uint8_t sbox2[256] = {SBOX_BYTES(BYTES_TWO_ENTRY)};
static const uint8_t sbox3[256] = {SBOX_BYTES(BYTES_THREE_ENTRY)};
#define BYTES_9(x) mul9[x]
#define BYTES_B(x) mulb[x]
#define BYTES_D(x) muld[x]
#define BYTES_E(x) mule[x]
#else
#define BYTES_9(x) (bytes_eight_times(x) ^ (x))
#define BYTES_B(x) (bytes_eight_times(x) ^ bytes_twice(x) ^ (x))
#define BYTES_D(x) (bytes_eight_times(x) ^ bytes_twice(bytes_twice(x)) ^ (x))
#define BYTES_E(x) (bytes_eight_times(x) ^ bytes_twice(bytes_twice(x)) ^ bytes_twice(x))
#endif

/* What MixColumns adds, and what leaves InvMixColumns; SubBytes included where they are fused. */
#if BYTES_FUSED_MIX && BYTES_PRODUCTS == 2
#define BYTES_1(x) sbox[x]
#define BYTES_2(x) sbox2[x]
#define BYTES_3(x) sbox3[x]
#elif BYTES_FUSED_MIX
#define BYTES_1(x) sbox[x]
#define BYTES_2(x) bytes_twice(sbox[x])
#define BYTES_3(x) (bytes_twice(sbox[x]) ^ sbox[x])
#elif BYTES_PRODUCTS == 2
#define BYTES_1(x) (x)
#define BYTES_2(x) mul2[x]
#define BYTES_3(x) mul3[x]
#else
#define BYTES_1(x) (x)
#define BYTES_2(x) bytes_twice(x)
#define BYTES_3(x) (bytes_twice(x) ^ (x))
#endif
#if BYTES_FUSED_MIX
#define BYTES_LEAVING(x) inv_sbox[(uint8_t)(x)]
#else
#define BYTES_LEAVING(x) (uint8_t)(x)
#endif

/* ------------------------------------------------------------------------- key schedule */

/* KeyExpansion of FIPS 197, 5.2, down the columns, byte by byte.  `bytes`: of the key. */
BYTES_SEEN void bytes_expand(bytes_key *key, const uint8_t *from, unsigned bytes)
{
    uint8_t *rk = (uint8_t *)key->schedule;
    bytes_number size = BYTES_ONE_SIZE ? 16 : (bytes_number)bytes;
    bytes_number all = (bytes_number)(4 * (size + 28)); /* 16 (rounds + 1) */
    key->rounds = size / 4u + 6;
    for (bytes_number at = 0; at < size; at++)
        rk[at] = from[at];
    for (bytes_number at = size; at < all; at = (bytes_number)(at + 4)) {
        uint8_t a = rk[at - 4], b = rk[at - 3], c = rk[at - 2], d = rk[at - 1];
        if (at % size == 0) {
            uint8_t first = a;
            a = (uint8_t)(sbox[b] ^ rcon[at / size - 1]);
            b = sbox[c], c = sbox[d], d = sbox[first];
        } else if (size == 32 && at % size == 16) {
            a = sbox[a], b = sbox[b], c = sbox[c], d = sbox[d];
        }
        rk[at] = (uint8_t)(rk[at - size] ^ a);
        rk[at + 1] = (uint8_t)(rk[at - size + 1] ^ b);
        rk[at + 2] = (uint8_t)(rk[at - size + 2] ^ c);
        rk[at + 3] = (uint8_t)(rk[at - size + 3] ^ d);
    }
}

void bytes_encrypt(const bytes_key *key, uint8_t *out, const uint8_t *in);
void bytes_decrypt(const bytes_key *key, uint8_t *out, const uint8_t *in);

/* Holds the three in an image. */
BYTES_SEEN const void *bytes_named(unsigned n)
{
    static const void *const every[] = {(const void *)bytes_expand, (const void *)bytes_encrypt,
                                        (const void *)bytes_decrypt};
    return every[n];
}
