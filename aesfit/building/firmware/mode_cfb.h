/* SPDX-License-Identifier: MIT */
/* CFB128. */
#include "harness.h"

typedef aesfit_key rig_context;
RIG_PUBLIC(aesfit_feedback_start);
RIG_PUBLIC(aesfit_cfb_encrypt);
RIG_PUBLIC(aesfit_cfb_decrypt);

RIG_OWN(encrypt) int rig_encrypt(const rig_context *key, rig_message *m)
{
    aesfit_feedback state;
    int status = aesfit_feedback_start(&state, m->nonce);
    return status != AESFIT_OK ? status : aesfit_cfb_encrypt(key, &state, m->out, m->in, m->bytes);
}

RIG_OWN(decrypt) int rig_decrypt(const rig_context *key, rig_message *m)
{
    aesfit_feedback state;
    int status = aesfit_feedback_start(&state, m->nonce);
    return status != AESFIT_OK ? status : aesfit_cfb_decrypt(key, &state, m->out, m->in, m->bytes);
}
