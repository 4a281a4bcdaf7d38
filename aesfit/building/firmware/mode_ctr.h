/* SPDX-License-Identifier: MIT */
/* CTR with a 128-bit counter. */
#include "harness.h"

typedef aesfit_key rig_context;
RIG_PUBLIC(aesfit_ctr_start);
RIG_PUBLIC(aesfit_ctr_crypt);

RIG_OWN(encrypt) int rig_encrypt(const rig_context *key, rig_message *m)
{
    aesfit_ctr state;
    int status = aesfit_ctr_start(&state, m->nonce, 128);
    return status != AESFIT_OK ? status : aesfit_ctr_crypt(key, &state, m->out, m->in, m->bytes);
}

RIG_OWN(decrypt) int rig_decrypt(const rig_context *key, rig_message *m)
{
    aesfit_ctr state;
    int status = aesfit_ctr_start(&state, m->nonce, 128);
    return status != AESFIT_OK ? status : aesfit_ctr_crypt(key, &state, m->out, m->in, m->bytes);
}
