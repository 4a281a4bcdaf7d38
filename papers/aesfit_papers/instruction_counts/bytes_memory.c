/* SPDX-License-Identifier: MIT */
/* The block functions of bytes.c with the state in memory. */

/* ------------------------------------------------------------------------ blocks in memory */

#define BYTES_FOUR(f, i) f(i) f((i) + 1) f((i) + 2) f((i) + 3)
#define BYTES_ALL(f) BYTES_FOUR(f, 0) BYTES_FOUR(f, 4) BYTES_FOUR(f, 8) BYTES_FOUR(f, 12)

/* to = s ^ k.  By words all three lie at multiples of 4, as the original's casts ask. */
BYTES_STEP void bytes_copy_and_key(uint8_t *to, const uint8_t *s, const uint8_t *k)
{
#if BYTES_WORDS
#define BYTES_ADD(i) store_word(to + 4 * (i), load_word(s + 4 * (i)) ^ load_word(k + 4 * (i)));
    BYTES_FOUR(BYTES_ADD, 0)
#else
#define BYTES_ADD(i) to[i] = (uint8_t)(s[i] ^ k[i]);
    BYTES_ALL(BYTES_ADD)
#endif
#undef BYTES_ADD
}

#if BYTES_LOCAL
BYTES_STEP void bytes_copy(uint8_t *to, const uint8_t *s)
{
#if BYTES_WORDS
#define BYTES_MOVE(i) store_word(to + 4 * (i), load_word(s + 4 * (i)));
    BYTES_FOUR(BYTES_MOVE, 0)
#else
#define BYTES_MOVE(i) to[i] = s[i];
    BYTES_ALL(BYTES_MOVE)
#endif
#undef BYTES_MOVE
}
#endif

/* -------------------------------------------------------------- SubBytes and ShiftRows */

/* Rows 1 to 3 of s move left, each byte through f. */
#define BYTES_SHIFT(f)                                                                             \
    do {                                                                                           \
        uint8_t t = s[1];                                                                          \
        s[1] = f(s[5]), s[5] = f(s[9]), s[9] = f(s[13]), s[13] = f(t);                             \
        t = s[2], s[2] = f(s[10]), s[10] = f(t);                                                   \
        t = s[6], s[6] = f(s[14]), s[14] = f(t);                                                   \
        t = s[15], s[15] = f(s[11]), s[11] = f(s[7]), s[7] = f(s[3]), s[3] = f(t);                 \
    } while (0)

/* The same to the right. */
#define BYTES_INV_SHIFT(f)                                                                         \
    do {                                                                                           \
        uint8_t t = s[13];                                                                         \
        s[13] = f(s[9]), s[9] = f(s[5]), s[5] = f(s[1]), s[1] = f(t);                              \
        t = s[2], s[2] = f(s[10]), s[10] = f(t);                                                   \
        t = s[6], s[6] = f(s[14]), s[14] = f(t);                                                   \
        t = s[3], s[3] = f(s[7]), s[7] = f(s[11]), s[11] = f(s[15]), s[15] = f(t);                 \
    } while (0)

#define BYTES_S(x) sbox[x]
#define BYTES_INV_S(x) inv_sbox[x]
#if BYTES_FUSED_SHIFT
/* Row 0, then the others. */
BYTES_STEP void bytes_sub_shift(uint8_t *s)
{
    s[0] = sbox[s[0]], s[4] = sbox[s[4]], s[8] = sbox[s[8]], s[12] = sbox[s[12]];
    BYTES_SHIFT(BYTES_S);
}

BYTES_STEP void bytes_inv_shift_sub(uint8_t *s)
{
    s[0] = inv_sbox[s[0]], s[4] = inv_sbox[s[4]], s[8] = inv_sbox[s[8]], s[12] = inv_sbox[s[12]];
    BYTES_INV_SHIFT(BYTES_INV_S);
}
#else
BYTES_STEP void bytes_sub(uint8_t *s)
{
#define BYTES_SUB(i) s[i] = sbox[s[i]];
    BYTES_ALL(BYTES_SUB)
#undef BYTES_SUB
}

BYTES_STEP void bytes_inv_sub(uint8_t *s)
{
#define BYTES_SUB(i) s[i] = inv_sbox[s[i]];
    BYTES_ALL(BYTES_SUB)
#undef BYTES_SUB
}

BYTES_STEP void bytes_shift(uint8_t *s)
{
    BYTES_SHIFT();
}

BYTES_STEP void bytes_inv_shift(uint8_t *s)
{
    BYTES_INV_SHIFT();
}
#endif

AESFIT_INLINE void bytes_sub_and_shift(uint8_t *s)
{
#if BYTES_FUSED_SHIFT
    bytes_sub_shift(s);
#else
    bytes_sub(s);
    bytes_shift(s);
#endif
}

AESFIT_INLINE void bytes_inv_sub_and_shift(uint8_t *s)
{
#if BYTES_FUSED_SHIFT
    bytes_inv_shift_sub(s);
#else
    bytes_inv_shift(s);
    bytes_inv_sub(s);
#endif
}

/* ---------------------------------------------------------------------------- MixColumns */

/* Where row i of column j was before ShiftRows, and where it goes by InvShiftRows. */
#if BYTES_FUSED_MIX && BYTES_FUSED_SHIFT
#define BYTES_AT(j, i) ((4 * (j) + 5 * (i)) & 15)
#else
#define BYTES_AT(j, i) (4 * (j) + (i))
#endif

#define BYTES_MIX(j, a, b, c, d)                                                                   \
    to[4 * (j)] = (uint8_t)(BYTES_2(s[a]) ^ BYTES_3(s[b]) ^ BYTES_1(s[c]) ^ BYTES_1(s[d]));        \
    to[4 * (j) + 1] = (uint8_t)(BYTES_1(s[a]) ^ BYTES_2(s[b]) ^ BYTES_3(s[c]) ^ BYTES_1(s[d]));    \
    to[4 * (j) + 2] = (uint8_t)(BYTES_1(s[a]) ^ BYTES_1(s[b]) ^ BYTES_2(s[c]) ^ BYTES_3(s[d]));    \
    to[4 * (j) + 3] = (uint8_t)(BYTES_3(s[a]) ^ BYTES_1(s[b]) ^ BYTES_1(s[c]) ^ BYTES_2(s[d]));
#define BYTES_MIX_COLUMN(j)                                                                        \
    BYTES_MIX(j, BYTES_AT(j, 0), BYTES_AT(j, 1), BYTES_AT(j, 2), BYTES_AT(j, 3))

#define BYTES_INV_MIX(j, a, b, c, d)                                                               \
    to[BYTES_AT(j, 0)] = BYTES_LEAVING(BYTES_E(a) ^ BYTES_B(b) ^ BYTES_D(c) ^ BYTES_9(d));         \
    to[BYTES_AT(j, 1)] = BYTES_LEAVING(BYTES_9(a) ^ BYTES_E(b) ^ BYTES_B(c) ^ BYTES_D(d));         \
    to[BYTES_AT(j, 2)] = BYTES_LEAVING(BYTES_D(a) ^ BYTES_9(b) ^ BYTES_E(c) ^ BYTES_B(d));         \
    to[BYTES_AT(j, 3)] = BYTES_LEAVING(BYTES_B(a) ^ BYTES_D(b) ^ BYTES_9(c) ^ BYTES_E(d));
#define BYTES_INV_MIX_COLUMN(j)                                                                    \
    BYTES_INV_MIX(j, s[4 * (j)], s[4 * (j) + 1], s[4 * (j) + 2], s[4 * (j) + 3])

#define BYTES_MIX_COLUMNS                                                                          \
    do {                                                                                           \
        BYTES_FOUR(BYTES_MIX_COLUMN, 0)                                                            \
    } while (0)
#define BYTES_INV_MIX_COLUMNS                                                                      \
    do {                                                                                           \
        BYTES_FOUR(BYTES_INV_MIX_COLUMN, 0)                                                        \
    } while (0)

#if BYTES_LOCAL
BYTES_STEP void bytes_mix(uint8_t *to)
{
    _Alignas(4) uint8_t s[16];
    bytes_copy(s, to);
    BYTES_MIX_COLUMNS;
}

BYTES_STEP void bytes_inv_mix(uint8_t *to)
{
    _Alignas(4) uint8_t s[16];
    bytes_copy(s, to);
    BYTES_INV_MIX_COLUMNS;
}
#else
BYTES_STEP void bytes_mix(uint8_t *to, const uint8_t *s)
{
    BYTES_MIX_COLUMNS;
}

BYTES_STEP void bytes_inv_mix(uint8_t *to, const uint8_t *s)
{
    BYTES_INV_MIX_COLUMNS;
}
#endif

/* -------------------------------------------------------------------------------- rounds */

/* s becomes what it is after a round before the last. */
AESFIT_INLINE void bytes_round(uint8_t *s, const uint8_t *rk)
{
#if !BYTES_FUSED_MIX
    bytes_sub_and_shift(s);
#elif !BYTES_FUSED_SHIFT
    bytes_shift(s);
#endif
#if BYTES_LOCAL
    bytes_mix(s);
    bytes_copy_and_key(s, s, rk);
#else
    _Alignas(4) uint8_t mixed[16];
    bytes_mix(mixed, s);
    bytes_copy_and_key(s, mixed, rk);
#endif
}

/* The same backwards: what FIPS 197, 5.3 has from a round key to the next one. */
AESFIT_INLINE void bytes_inv_round(uint8_t *s, const uint8_t *rk)
{
#if BYTES_LOCAL
    bytes_copy_and_key(s, s, rk);
    bytes_inv_mix(s);
#else
    _Alignas(4) uint8_t keyed[16];
    bytes_copy_and_key(keyed, s, rk);
    bytes_inv_mix(s, keyed);
#endif
#if !BYTES_FUSED_MIX
    bytes_inv_sub_and_shift(s);
#elif !BYTES_FUSED_SHIFT
    bytes_inv_shift(s);
#endif
}

BYTES_SEEN void bytes_encrypt(const bytes_key *key, uint8_t *out, const uint8_t *in)
{
    _Alignas(4) uint8_t s[16];
    const uint8_t *rk = (const uint8_t *)key->schedule;
    bytes_number rounds = bytes_rounds(key);
    bytes_copy_and_key(s, in, rk);
    for (bytes_number round = 1; round < rounds; round++)
        bytes_round(s, rk + 16u * round);
    bytes_sub_and_shift(s);
    bytes_copy_and_key(out, s, rk + 16u * rounds);
}

BYTES_SEEN void bytes_decrypt(const bytes_key *key, uint8_t *out, const uint8_t *in)
{
    _Alignas(4) uint8_t s[16];
    const uint8_t *rk = (const uint8_t *)key->schedule;
    bytes_number rounds = bytes_rounds(key);
    bytes_copy_and_key(s, in, rk + 16u * rounds);
    bytes_inv_sub_and_shift(s);
    for (bytes_number round = (bytes_number)(rounds - 1); round > 0; round--)
        bytes_inv_round(s, rk + 16u * round);
    bytes_copy_and_key(out, s, rk);
}
