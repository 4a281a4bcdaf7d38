/* SPDX-License-Identifier: MIT */
/* A core of the library behind the three functions of bytes.c, its key schedule for keys of all
 * sizes: what a job measures is made for one size (building/firmware/harness.c).  The text before
 * this one includes the core and defines AESFIT_BOUND. */

#define BYTES_SEEN __attribute__((externally_visible, noinline))

BYTES_SEEN void bytes_expand(aesfit_key *key, const uint8_t *from, unsigned bytes)
{
    key->rounds = (uint8_t)(bytes / 4 + 6);
    key->key_words = (uint8_t)(bytes / 4);
    CORE_CALL(key, expand_key)(key, from, AESFIT_ENCRYPT | AESFIT_DECRYPT);
}

BYTES_SEEN void bytes_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in)
{
    CORE_CALL(key, encrypt)(key, out, in, 1);
}

BYTES_SEEN void bytes_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in)
{
    CORE_CALL(key, decrypt)(key, out, in, 1);
}

/* Holds the three in an image. */
BYTES_SEEN const void *bytes_named(unsigned n)
{
    static const void *const every[] = {(const void *)bytes_expand, (const void *)bytes_encrypt,
                                        (const void *)bytes_decrypt};
    return every[n];
}
