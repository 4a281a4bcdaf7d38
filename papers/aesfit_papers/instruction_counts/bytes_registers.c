/* SPDX-License-Identifier: MIT */
/* The block functions of bytes.c with the state in four words, a column each, row 0 in the low
 * byte: SubBytes, ShiftRows and MixColumns are one expression for each column. */

#define BYTES_OF(x, n) ((x) >> (8 * (n)) & 0xff)

AESFIT_INLINE uint32_t bytes_pack(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return a | b << 8 | c << 16 | d << 24;
}

/* Row r of the column is row r of the r-th argument. */
AESFIT_INLINE uint32_t bytes_sub_column(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return bytes_pack(sbox[BYTES_OF(a, 0)], sbox[BYTES_OF(b, 1)], sbox[BYTES_OF(c, 2)],
                      sbox[BYTES_OF(d, 3)]);
}

AESFIT_INLINE uint32_t bytes_inv_sub_column(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return bytes_pack(inv_sbox[BYTES_OF(a, 0)], inv_sbox[BYTES_OF(b, 1)], inv_sbox[BYTES_OF(c, 2)],
                      inv_sbox[BYTES_OF(d, 3)]);
}

/* The same and MixColumns: 2 a + 3 b + c + d in every row, b being one row further. */
AESFIT_INLINE uint32_t bytes_mixed(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    uint32_t i = BYTES_OF(a, 0), j = BYTES_OF(b, 1), k = BYTES_OF(c, 2), l = BYTES_OF(d, 3);
    uint32_t x = bytes_pack(BYTES_1(i), BYTES_1(j), BYTES_1(k), BYTES_1(l));
    uint32_t x2 = bytes_pack(BYTES_2(i), BYTES_2(j), BYTES_2(k), BYTES_2(l));
    return x2 ^ rotl32(x ^ x2, 24) ^ rotl32(x, 16) ^ rotl32(x, 8);
}

AESFIT_INLINE uint32_t bytes_inv_mixed(uint32_t x)
{
    uint32_t a = BYTES_OF(x, 0), b = BYTES_OF(x, 1), c = BYTES_OF(x, 2), d = BYTES_OF(x, 3);
    return bytes_pack(BYTES_E(a) ^ BYTES_B(b) ^ BYTES_D(c) ^ BYTES_9(d),
                      BYTES_9(a) ^ BYTES_E(b) ^ BYTES_B(c) ^ BYTES_D(d),
                      BYTES_D(a) ^ BYTES_9(b) ^ BYTES_E(c) ^ BYTES_B(d),
                      BYTES_B(a) ^ BYTES_D(b) ^ BYTES_9(c) ^ BYTES_E(d));
}

BYTES_SEEN void bytes_encrypt(const bytes_key *key, uint8_t *out, const uint8_t *in)
{
    const uint32_t *rk = key->schedule;
    uint32_t s0 = load32_le(in) ^ rk[0], s1 = load32_le(in + 4) ^ rk[1];
    uint32_t s2 = load32_le(in + 8) ^ rk[2], s3 = load32_le(in + 12) ^ rk[3];
    for (bytes_number round = bytes_rounds(key); round > 1; round--) {
        rk += 4;
        uint32_t t0 = bytes_mixed(s0, s1, s2, s3) ^ rk[0];
        uint32_t t1 = bytes_mixed(s1, s2, s3, s0) ^ rk[1];
        uint32_t t2 = bytes_mixed(s2, s3, s0, s1) ^ rk[2];
        uint32_t t3 = bytes_mixed(s3, s0, s1, s2) ^ rk[3];
        s0 = t0, s1 = t1, s2 = t2, s3 = t3;
    }
    store32_le(out, bytes_sub_column(s0, s1, s2, s3) ^ rk[4]);
    store32_le(out + 4, bytes_sub_column(s1, s2, s3, s0) ^ rk[5]);
    store32_le(out + 8, bytes_sub_column(s2, s3, s0, s1) ^ rk[6]);
    store32_le(out + 12, bytes_sub_column(s3, s0, s1, s2) ^ rk[7]);
}

BYTES_SEEN void bytes_decrypt(const bytes_key *key, uint8_t *out, const uint8_t *in)
{
    const uint32_t *rk = key->schedule + 4u * bytes_rounds(key);
    uint32_t s0 = load32_le(in) ^ rk[0], s1 = load32_le(in + 4) ^ rk[1];
    uint32_t s2 = load32_le(in + 8) ^ rk[2], s3 = load32_le(in + 12) ^ rk[3];
    for (bytes_number round = bytes_rounds(key); round > 1; round--) {
        rk -= 4;
        uint32_t t0 = bytes_inv_mixed(bytes_inv_sub_column(s0, s3, s2, s1) ^ rk[0]);
        uint32_t t1 = bytes_inv_mixed(bytes_inv_sub_column(s1, s0, s3, s2) ^ rk[1]);
        uint32_t t2 = bytes_inv_mixed(bytes_inv_sub_column(s2, s1, s0, s3) ^ rk[2]);
        uint32_t t3 = bytes_inv_mixed(bytes_inv_sub_column(s3, s2, s1, s0) ^ rk[3]);
        s0 = t0, s1 = t1, s2 = t2, s3 = t3;
    }
    rk -= 4;
    store32_le(out, bytes_inv_sub_column(s0, s3, s2, s1) ^ rk[0]);
    store32_le(out + 4, bytes_inv_sub_column(s1, s0, s3, s2) ^ rk[1]);
    store32_le(out + 8, bytes_inv_sub_column(s2, s1, s0, s3) ^ rk[2]);
    store32_le(out + 12, bytes_inv_sub_column(s3, s2, s1, s0) ^ rk[3]);
}
