/* SPDX-License-Identifier: MIT */
/* V1 of Javed in "the standard AES formulation" (section 6): MixColumns by the sum that FIPS 197
 * prints (5.1.3), each product by a call of the macro Xtime, where the core compact makes four
 * doublings a column do for eight.  All else is compact's: the text before this one includes it,
 * and bytes_core.c follows.
 *
 *   STANDARD_BRANCH  "a left shift and a conditional bitwise XOR with 1b" (5.1) as a branch; else
 *                    the condition is a mask, without the barrier of the library's own, which the
 *                    paper does not have and which keeps a compiler from doubling a byte once. */
#if STANDARD_BRANCH
#define STANDARD_XTIME(x) ((uint8_t)(((x)&0x80) != 0 ? (x) << 1 ^ 0x1b : (x) << 1))
#else
#define STANDARD_XTIME(x) ((uint8_t)((x) << 1 ^ (-((x) >> 7) & 0x1b)))
#endif
#define STANDARD_SUM(a, b, c, d)                                                                   \
    ((uint8_t)(STANDARD_XTIME(a) ^ STANDARD_XTIME(b) ^ (b) ^ (c) ^ (d)))

AESFIT_LOCAL void standard_mix_columns(uint8_t s[16])
{
    for (unsigned j = 0; j < 4; j++) {
        uint8_t a = s[j], b = s[4 + j], c = s[8 + j], d = s[12 + j];
        s[j] = STANDARD_SUM(a, b, c, d);
        s[4 + j] = STANDARD_SUM(b, c, d, a);
        s[8 + j] = STANDARD_SUM(c, d, a, b);
        s[12 + j] = STANDARD_SUM(d, a, b, c);
    }
}

/* compact_encrypt with the other MixColumns. */
AESFIT_LOCAL void standard_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                   size_t blocks)
{
    uint8_t s[16];
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint8_t *rk = (const uint8_t *)key->schedule;
        compact_load(s, in);
        compact_add_round_key(s, rk);
        for (unsigned round = 1; round < key->rounds; round++) {
            compact_sub_bytes(s);
            compact_shift_rows(s);
            standard_mix_columns(s);
            compact_add_round_key(s, rk += 16);
        }
        compact_sub_bytes(s);
        compact_shift_rows(s);
        compact_add_round_key(s, rk + 16);
        compact_store(out, s);
    }
    wipe(s, sizeof s);
}
#define standard_expand_key compact_expand_key
#define standard_decrypt compact_decrypt
#undef AESFIT_BOUND
#define AESFIT_BOUND standard
