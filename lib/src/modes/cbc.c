/* SPDX-License-Identifier: MIT */
/* CBC, SP 800-38A 6.2.  Encryption is serial, one block a call whatever the core's lanes;
 * decryption hands the core batches of `lanes` blocks. */
#include "../parts/bytes.h"
#include "../parts/check.h"

AESFIT_LOCAL void cbc_encrypt_blocks(const aesfit_key *key, uint8_t iv[16], uint8_t *out,
                                     const uint8_t *in, size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        xor_block(iv, iv, in);
        CORE_CALL(key, encrypt)(key, iv, iv, 1);
        memcpy(out, iv, 16);
    }
}

AESFIT_LOCAL void cbc_decrypt_blocks(const aesfit_key *key, uint8_t iv[16], uint8_t *out,
                                     const uint8_t *in, size_t blocks)
{
    uint8_t chain[16 * (AESFIT_MAX_LANES + 1)]; /* IV and the batch's ciphertext: out may be in */
    memcpy(chain, iv, 16);
    while (blocks > 0) {
        size_t batch = blocks < CORE_LANES(key) ? blocks : CORE_LANES(key);
        memcpy(chain + 16, in, 16 * batch);
        CORE_CALL(key, decrypt)(key, out, in, batch);
        for (size_t i = 0; i < batch; i++)
            xor_block(out + 16 * i, out + 16 * i, chain + 16 * i);
        memcpy(chain, chain + 16 * batch, 16);
        in += 16 * batch;
        out += 16 * batch;
        blocks -= batch;
    }
    memcpy(iv, chain, 16);
}

AESFIT_LOCAL int cbc_check(const aesfit_key *key, unsigned direction, const uint8_t *iv,
                           const uint8_t *out, const uint8_t *in, size_t bytes)
{
    TRY(check_key(key, direction));
    TRY(check_input(iv, 16));
    TRY(check_buffers(out, in, bytes));
    return bytes % 16 == 0 ? AESFIT_OK : AESFIT_ERR_LENGTH;
}

int aesfit_cbc_encrypt(const aesfit_key *key, uint8_t iv[16], uint8_t *out, const uint8_t *in,
                       size_t bytes)
{
    TRY(cbc_check(key, AESFIT_ENCRYPT, iv, out, in, bytes));
#if AESFIT_WITH_BULK
    if (CORE_BULK(key, cbc_encrypt) != NULL) {
        CORE_BULK(key, cbc_encrypt)(key, iv, out, in, bytes / 16);
        return AESFIT_OK;
    }
#endif
    cbc_encrypt_blocks(key, iv, out, in, bytes / 16);
    return AESFIT_OK;
}

int aesfit_cbc_decrypt(const aesfit_key *key, uint8_t iv[16], uint8_t *out, const uint8_t *in,
                       size_t bytes)
{
    TRY(cbc_check(key, AESFIT_DECRYPT, iv, out, in, bytes));
#if AESFIT_WITH_BULK
    if (CORE_BULK(key, cbc_decrypt) != NULL) {
        CORE_BULK(key, cbc_decrypt)(key, iv, out, in, bytes / 16);
        return AESFIT_OK;
    }
#endif
    cbc_decrypt_blocks(key, iv, out, in, bytes / 16);
    return AESFIT_OK;
}
