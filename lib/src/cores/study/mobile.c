/* SPDX-License-Identifier: MIT */
/* mobile: three tables of 256 bytes, fused steps, everything in registers.
 *
 * Idea: a low-resource byte implementation made fast.  The state is four 32-bit words (a column
 * each, row 0 in the low byte) that live in registers; SubBytes is fused with ShiftRows (last
 * round) and both with MixColumns (other rounds), so that no byte moves through memory; every
 * function is inlined; the column-wise key schedule is written out without loops.
 * Source: Javed, Fast Implementation of AES on Mobile Devices, section 4, "our final
 * implementation".  Of its third table the paper says only that it is "for the construction of
 * finite field elements": here it holds 2x, from which one XOR makes 3x and a second
 * read 4x.  The paper is specialised to 128-bit keys; longer keys follow the same rules.
 * Cost: per middle round 16 S-box and 16 product reads and 20 XOR; decrypting 16, 32 and 28, since
 * InvMixColumns is MixColumns after adding 4 (a + c) and 4 (b + d) to a column (a, b, c, d)
 * (Daemen and Rijmen, The Design of Rijndael, 4.1.3).  Rotations are free on ARM (section 4.1).
 * Constant-time: no; table addresses depend on secrets. */
#include "../../parts/bytes.h"
#include "../../parts/tables/mul2.h"
#include "../../parts/steps/read.h"
#include "../../parts/steps/sub_word.h"

enum { mobile_lanes = 1 };

/* Plain C, as the paper's.  The shared byte_of() and pack_bytes() are shaped for the registers of
 * ARM and are calls at -O0: a block would take 11 % fewer cycles on an ARM7TDMI at -O3, but 28 %
 * more at -O0, and on a Cortex-M3 more than the paper's other implementation. */
#define BYTE(x, n) (((x) >> (8 * (n))) & 0xff)

AESFIT_INLINE uint32_t mobile_pack(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return a | b << 8 | c << 16 | d << 24;
}

/* 2 x, four bytes from the table. */
AESFIT_INLINE uint32_t mobile_double(uint32_t x)
{
    return mobile_pack(READ(mul2, BYTE(x, 0)), READ(mul2, BYTE(x, 1)), READ(mul2, BYTE(x, 2)),
                       READ(mul2, BYTE(x, 3)));
}

/* MixColumns on one column: 2 a + 3 b + c + d in every row, b being one row further.  4 reads. */
AESFIT_INLINE uint32_t mobile_mix(uint32_t x)
{
    uint32_t x2 = mobile_double(x);
    return x2 ^ rotl32(x ^ x2, 24) ^ rotl32(x, 16) ^ rotl32(x, 8);
}

/* 8 reads: two sums of two bytes are multiplied by 4, then mobile_mix(). */
AESFIT_INLINE uint32_t mobile_inv_mix(uint32_t x)
{
    uint32_t sums = x ^ (x >> 16);
    uint32_t u = READ(mul2, READ(mul2, BYTE(sums, 0)));
    uint32_t v = READ(mul2, READ(mul2, BYTE(sums, 1)));
    return mobile_mix(x ^ mobile_pack(u, v, u, v));
}

/* One step of the schedule each: the newest columns stay in k0 .. k7.  `constant` is a power of x
 * (FIPS 197, 5.2), added to row 0. */
#define STEP128(constant)                                                                          \
    k0 ^= sub_word(rotl32(k3, 24), constant);                                                      \
    k1 ^= k0;                                                                                      \
    k2 ^= k1;                                                                                      \
    k3 ^= k2;                                                                                      \
    w += 4;                                                                                        \
    w[0] = k0, w[1] = k1, w[2] = k2, w[3] = k3

AESFIT_INLINE void mobile_expand_128(uint32_t *w, const uint8_t *bytes)
{
    uint32_t k0 = load32_le(bytes), k1 = load32_le(bytes + 4);
    uint32_t k2 = load32_le(bytes + 8), k3 = load32_le(bytes + 12);
    w[0] = k0, w[1] = k1, w[2] = k2, w[3] = k3;
    STEP128(0x01);
    STEP128(0x02);
    STEP128(0x04);
    STEP128(0x08);
    STEP128(0x10);
    STEP128(0x20);
    STEP128(0x40);
    STEP128(0x80);
    STEP128(0x1b);
    STEP128(0x36);
}

#define HALF_STEP192(constant)                                                                     \
    k0 ^= sub_word(rotl32(k5, 24), constant);                                                      \
    k1 ^= k0;                                                                                      \
    k2 ^= k1;                                                                                      \
    k3 ^= k2;                                                                                      \
    w += 6;                                                                                        \
    w[0] = k0, w[1] = k1, w[2] = k2, w[3] = k3
#define STEP192(constant)                                                                          \
    HALF_STEP192(constant);                                                                        \
    k4 ^= k3;                                                                                      \
    k5 ^= k4;                                                                                      \
    w[4] = k4, w[5] = k5

AESFIT_INLINE void mobile_expand_192(uint32_t *w, const uint8_t *bytes)
{
    uint32_t k0 = load32_le(bytes), k1 = load32_le(bytes + 4);
    uint32_t k2 = load32_le(bytes + 8), k3 = load32_le(bytes + 12);
    uint32_t k4 = load32_le(bytes + 16), k5 = load32_le(bytes + 20);
    w[0] = k0, w[1] = k1, w[2] = k2, w[3] = k3, w[4] = k4, w[5] = k5;
    STEP192(0x01);
    STEP192(0x02);
    STEP192(0x04);
    STEP192(0x08);
    STEP192(0x10);
    STEP192(0x20);
    STEP192(0x40);
    HALF_STEP192(0x80);
}

#define HALF_STEP256(constant)                                                                     \
    k0 ^= sub_word(rotl32(k7, 24), constant);                                                      \
    k1 ^= k0;                                                                                      \
    k2 ^= k1;                                                                                      \
    k3 ^= k2;                                                                                      \
    w += 8;                                                                                        \
    w[0] = k0, w[1] = k1, w[2] = k2, w[3] = k3
#define STEP256(constant)                                                                          \
    HALF_STEP256(constant);                                                                        \
    k4 ^= sub_word(k3, 0);                                                                         \
    k5 ^= k4;                                                                                      \
    k6 ^= k5;                                                                                      \
    k7 ^= k6;                                                                                      \
    w[4] = k4, w[5] = k5, w[6] = k6, w[7] = k7

AESFIT_INLINE void mobile_expand_256(uint32_t *w, const uint8_t *bytes)
{
    uint32_t k0 = load32_le(bytes), k1 = load32_le(bytes + 4);
    uint32_t k2 = load32_le(bytes + 8), k3 = load32_le(bytes + 12);
    uint32_t k4 = load32_le(bytes + 16), k5 = load32_le(bytes + 20);
    uint32_t k6 = load32_le(bytes + 24), k7 = load32_le(bytes + 28);
    w[0] = k0, w[1] = k1, w[2] = k2, w[3] = k3, w[4] = k4, w[5] = k5, w[6] = k6, w[7] = k7;
    STEP256(0x01);
    STEP256(0x02);
    STEP256(0x04);
    STEP256(0x08);
    STEP256(0x10);
    STEP256(0x20);
    HALF_STEP256(0x40);
}

/* schedule: the words of FIPS 197, row 0 in the low byte.  Fewer rounds use the first of them. */
AESFIT_LOCAL void mobile_expand_key(aesfit_key *key, const uint8_t *bytes, unsigned directions)
{
    (void)directions; /* both use the same round keys */
#if (AESFIT_BOUND_KEY_SIZES & 1) != 0
    if (key->key_words == 4) {
        mobile_expand_128(key->schedule, bytes);
        return;
    }
#endif
#if (AESFIT_BOUND_KEY_SIZES & 2) != 0
    if (key->key_words == 6) {
        mobile_expand_192(key->schedule, bytes);
        return;
    }
#endif
#if (AESFIT_BOUND_KEY_SIZES & 4) != 0
    mobile_expand_256(key->schedule, bytes);
#endif
}

AESFIT_LOCAL void mobile_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                 size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *rk = key->schedule;
        uint32_t s0 = load32_le(in) ^ rk[0], s1 = load32_le(in + 4) ^ rk[1];
        uint32_t s2 = load32_le(in + 8) ^ rk[2], s3 = load32_le(in + 12) ^ rk[3];
        for (unsigned round = key->rounds; round > 1; round--) {
            uint32_t t0, t1, t2, t3;
            rk += 4;
            t0 = mobile_mix(sub_column(s0, s1, s2, s3)) ^ rk[0];
            t1 = mobile_mix(sub_column(s1, s2, s3, s0)) ^ rk[1];
            t2 = mobile_mix(sub_column(s2, s3, s0, s1)) ^ rk[2];
            t3 = mobile_mix(sub_column(s3, s0, s1, s2)) ^ rk[3];
            s0 = t0, s1 = t1, s2 = t2, s3 = t3;
        }
        store32_le(out, sub_column(s0, s1, s2, s3) ^ rk[4]);
        store32_le(out + 4, sub_column(s1, s2, s3, s0) ^ rk[5]);
        store32_le(out + 8, sub_column(s2, s3, s0, s1) ^ rk[6]);
        store32_le(out + 12, sub_column(s3, s0, s1, s2) ^ rk[7]);
    }
}

AESFIT_LOCAL void mobile_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                 size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *rk = key->schedule + 4u * key->rounds;
        uint32_t s0 = load32_le(in) ^ rk[0], s1 = load32_le(in + 4) ^ rk[1];
        uint32_t s2 = load32_le(in + 8) ^ rk[2], s3 = load32_le(in + 12) ^ rk[3];
        for (unsigned round = key->rounds; round > 1; round--) {
            uint32_t t0, t1, t2, t3;
            rk -= 4;
            t0 = mobile_inv_mix(inv_sub_column(s0, s3, s2, s1) ^ rk[0]);
            t1 = mobile_inv_mix(inv_sub_column(s1, s0, s3, s2) ^ rk[1]);
            t2 = mobile_inv_mix(inv_sub_column(s2, s1, s0, s3) ^ rk[2]);
            t3 = mobile_inv_mix(inv_sub_column(s3, s2, s1, s0) ^ rk[3]);
            s0 = t0, s1 = t1, s2 = t2, s3 = t3;
        }
        rk -= 4;
        store32_le(out, inv_sub_column(s0, s3, s2, s1) ^ rk[0]);
        store32_le(out + 4, inv_sub_column(s1, s0, s3, s2) ^ rk[1]);
        store32_le(out + 8, inv_sub_column(s2, s1, s0, s3) ^ rk[2]);
        store32_le(out + 12, inv_sub_column(s3, s2, s1, s0) ^ rk[3]);
    }
}

#undef BYTE
#undef STEP128
#undef STEP192
#undef HALF_STEP192
#undef STEP256
#undef HALF_STEP256

#ifndef AESFIT_BOUND
static const aesfit_table mobile_tables[] = {
    {"sbox", 256, AESFIT_ENCRYPT, 16, 16, {0, 0, 0}},
    {"mul2", 256, AESFIT_ENCRYPT, 16, 0, {0, 0, 0}},
    {"inv_sbox", 256, AESFIT_DECRYPT, 16, 16, {0, 0, 0}},
    {"mul2", 256, AESFIT_DECRYPT, 32, 0, {0, 0, 0}},
    {"sbox", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

CORE_OBJECTS(
    mobile,
    (.summary = "three 256-byte tables, fused steps, state in registers, key schedule unrolled",
     .source =
         "Javed, Fast Implementation of AES on Mobile Devices, section 4, final implementation",
     .needs = "", .table_count = sizeof mobile_tables / sizeof mobile_tables[0],
     .tables = mobile_tables),
    .properties = AESFIT_STUDY | AESFIT_STUDY_ROUNDS,
    .round_key_bytes = {{176, 176, 176}, {208, 208, 208}, {240, 240, 240}});
#endif
