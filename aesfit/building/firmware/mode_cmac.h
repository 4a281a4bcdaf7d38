/* SPDX-License-Identifier: MIT */
/* CMAC: encrypting makes the tag, decrypting verifies it. */
#include "harness.h"

typedef aesfit_key rig_context;
RIG_PUBLIC(aesfit_cmac);
RIG_PUBLIC(aesfit_cmac_verify);

RIG_OWN(encrypt) int rig_encrypt(const rig_context *key, rig_message *m)
{
    return aesfit_cmac(key, m->in, m->bytes, m->tag, m->tag_bytes);
}

RIG_OWN(decrypt) int rig_decrypt(const rig_context *key, rig_message *m)
{
    return aesfit_cmac_verify(key, m->in, m->bytes, m->tag, m->tag_bytes);
}
