/* SPDX-License-Identifier: MIT */
/* CBC with PKCS#7 padding. */
#include "harness.h"

typedef aesfit_key rig_context;
RIG_PUBLIC(aesfit_cbc_pkcs7_encrypt);
RIG_PUBLIC(aesfit_cbc_pkcs7_decrypt);

RIG_OWN(encrypt) int rig_encrypt(const rig_context *key, rig_message *m)
{
    return aesfit_cbc_pkcs7_encrypt(key, m->nonce, m->out, m->out_size, &m->out_bytes, m->in,
                                    m->bytes);
}

RIG_OWN(decrypt) int rig_decrypt(const rig_context *key, rig_message *m)
{
    return aesfit_cbc_pkcs7_decrypt(key, m->nonce, m->out, m->out_size, &m->out_bytes, m->in,
                                    m->bytes);
}
