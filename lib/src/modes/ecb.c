/* SPDX-License-Identifier: MIT */
/* ECB, SP 800-38A 6.1: every block by itself.  The core takes all blocks in one call and fills
 * its own lanes. */
#include "../parts/check.h"

int aesfit_ecb_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in, size_t bytes)
{
    TRY(check_key(key, AESFIT_ENCRYPT));
    TRY(check_buffers(out, in, bytes));
    if (bytes % 16 != 0)
        return AESFIT_ERR_LENGTH;
    CORE_CALL(key, encrypt)(key, out, in, bytes / 16);
    return AESFIT_OK;
}

int aesfit_ecb_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in, size_t bytes)
{
    TRY(check_key(key, AESFIT_DECRYPT));
    TRY(check_buffers(out, in, bytes));
    if (bytes % 16 != 0)
        return AESFIT_ERR_LENGTH;
    CORE_CALL(key, decrypt)(key, out, in, bytes / 16);
    return AESFIT_OK;
}
