/* SPDX-License-Identifier: MIT */
/* CBC with ciphertext stealing. */
#include "harness.h"

typedef aesfit_key rig_context;
RIG_PUBLIC(aesfit_cbc_cs3_encrypt);
RIG_PUBLIC(aesfit_cbc_cs3_decrypt);

RIG_OWN(encrypt) int rig_encrypt(const rig_context *key, rig_message *m)
{
    return aesfit_cbc_cs3_encrypt(key, m->nonce, m->out, m->in, m->bytes);
}

RIG_OWN(decrypt) int rig_decrypt(const rig_context *key, rig_message *m)
{
    return aesfit_cbc_cs3_decrypt(key, m->nonce, m->out, m->in, m->bytes);
}
