/* SPDX-License-Identifier: MIT */
/* Straightforward decryption, from the steps of the core equivalent_inverse, which this text ends:
 * the steps of encryption are undone one by one, from the last to the first, with the round keys
 * of encryption in reverse order (Parikh and Patel, section II; FIPS 197, 5.3). */
#define DECRYPTION_KEPT __attribute__((externally_visible, noinline)) void

/* The first half of what equivalent_inverse expands: round keys to encrypt with. */
DECRYPTION_KEPT straight_expand_key(aesfit_key *key, const uint8_t *bytes)
{
    key->key_words = 4;
    key->rounds = 10;
    column_keys_expand(key->schedule, bytes, 4, 10, sub_word);
}

DECRYPTION_KEPT equivalent_expand_key(aesfit_key *key, const uint8_t *bytes)
{
    key->key_words = 4;
    key->rounds = 10;
    equivalent_inverse_expand_key(key, bytes, AESFIT_ENCRYPT | AESFIT_DECRYPT);
}

DECRYPTION_KEPT straight_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                 size_t blocks)
{
    uint8_t s[16], t[16];
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        const uint32_t *k = key->schedule + 4u * key->rounds;
        equivalent_inverse_add(t, in, k);
        for (unsigned round = key->rounds - 1u; round > 0; round--) {
            equivalent_inverse_inv_shift_rows(s, t);
            equivalent_inverse_inv_sub_bytes(t, s);
            k -= 4;
            for (unsigned c = 0; c < 4; c++)
                store32_le(t + 4 * c, inv_mix_column(load32_le(t + 4 * c) ^ k[c]));
        }
        equivalent_inverse_inv_shift_rows(s, t);
        equivalent_inverse_inv_sub_bytes(t, s);
        equivalent_inverse_add(out, t, k - 4);
    }
    wipe(s, sizeof s);
    wipe(t, sizeof t);
}

DECRYPTION_KEPT equivalent_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                   size_t blocks)
{
    equivalent_inverse_decrypt(key, out, in, blocks);
}

/* Where its round keys lie. */
__attribute__((externally_visible, noinline)) const uint32_t *schedule_of(const aesfit_key *key)
{
    return key->schedule;
}

typedef void decryption_function(const aesfit_key *, uint8_t *, const uint8_t *, size_t);

/* All of them, so that one image holds them. */
__attribute__((externally_visible)) decryption_function *decryption_named(unsigned n)
{
    static decryption_function *const every[] = {
        straight_decrypt,
        equivalent_decrypt,
        (decryption_function *)(void *)straight_expand_key,
        (decryption_function *)(void *)equivalent_expand_key,
        (decryption_function *)(void *)schedule_of,
    };
    return every[n];
}
