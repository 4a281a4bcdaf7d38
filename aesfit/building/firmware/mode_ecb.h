/* SPDX-License-Identifier: MIT */
/* ECB. */
#include "harness.h"

typedef aesfit_key rig_context;
RIG_PUBLIC(aesfit_ecb_encrypt);
RIG_PUBLIC(aesfit_ecb_decrypt);

RIG_OWN(encrypt) int rig_encrypt(const rig_context *key, rig_message *m)
{
    return aesfit_ecb_encrypt(key, m->out, m->in, m->bytes);
}

RIG_OWN(decrypt) int rig_decrypt(const rig_context *key, rig_message *m)
{
    return aesfit_ecb_decrypt(key, m->out, m->in, m->bytes);
}
