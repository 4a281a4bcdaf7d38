/* SPDX-License-Identifier: MIT */
/* CCM. */
#include "harness.h"

typedef aesfit_key rig_context;
RIG_PUBLIC(aesfit_ccm_encrypt);
RIG_PUBLIC(aesfit_ccm_decrypt);

RIG_OWN(encrypt) int rig_encrypt(const rig_context *key, rig_message *m)
{
    return aesfit_ccm_encrypt(key, m->nonce, m->nonce_bytes, m->ad, m->ad_bytes, m->out, m->in,
                              m->bytes, m->tag, m->tag_bytes);
}

RIG_OWN(decrypt) int rig_decrypt(const rig_context *key, rig_message *m)
{
    return aesfit_ccm_decrypt(key, m->nonce, m->nonce_bytes, m->ad, m->ad_bytes, m->out, m->in,
                              m->bytes, m->tag, m->tag_bytes);
}
