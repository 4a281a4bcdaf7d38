/* SPDX-License-Identifier: MIT */
/* XTS: two keys. */
#include "harness.h"

typedef aesfit_xts_key rig_context;
#define RIG_EXPAND(key, bytes)                                                                     \
    aesfit_xts_expand_key((key), NULL, (bytes), RIG_KEY_BITS / 4, RIG_DIRECTIONS)

RIG_PUBLIC(aesfit_xts_encrypt);
RIG_PUBLIC(aesfit_xts_decrypt);

RIG_OWN(encrypt) int rig_encrypt(const rig_context *key, rig_message *m)
{
    return aesfit_xts_encrypt(key, m->nonce, m->out, m->in, m->bytes);
}

RIG_OWN(decrypt) int rig_decrypt(const rig_context *key, rig_message *m)
{
    return aesfit_xts_decrypt(key, m->nonce, m->out, m->in, m->bytes);
}
