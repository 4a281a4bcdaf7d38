/* SPDX-License-Identifier: MIT */
/* KW: encrypting wraps, decrypting unwraps. */
#include "harness.h"

typedef aesfit_key rig_context;
RIG_PUBLIC(aesfit_key_wrap);
RIG_PUBLIC(aesfit_key_unwrap);

RIG_OWN(encrypt) int rig_encrypt(const rig_context *key, rig_message *m)
{
    return aesfit_key_wrap(key, m->out, m->out_size, &m->out_bytes, m->in, m->bytes);
}

RIG_OWN(decrypt) int rig_decrypt(const rig_context *key, rig_message *m)
{
    return aesfit_key_unwrap(key, m->out, m->out_size, &m->out_bytes, m->in, m->bytes);
}
