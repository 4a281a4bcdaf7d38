/* SPDX-License-Identifier: MIT */
/* GCM. */
#include "harness.h"

typedef aesfit_gcm_key rig_context;
#define RIG_EXPAND(key, bytes) aesfit_gcm_expand_key((key), NULL, NULL, (bytes), RIG_KEY_BITS / 8)

RIG_PUBLIC(aesfit_gcm_encrypt);
RIG_PUBLIC(aesfit_gcm_decrypt);

RIG_OWN(encrypt) int rig_encrypt(const rig_context *key, rig_message *m)
{
    return aesfit_gcm_encrypt(key, m->nonce, m->nonce_bytes, m->ad, m->ad_bytes, m->out, m->in,
                              m->bytes, m->tag, m->tag_bytes);
}

RIG_OWN(decrypt) int rig_decrypt(const rig_context *key, rig_message *m)
{
    return aesfit_gcm_decrypt(key, m->nonce, m->nonce_bytes, m->ad, m->ad_bytes, m->out, m->in,
                              m->bytes, m->tag, m->tag_bytes);
}
