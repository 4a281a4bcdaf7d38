/* SPDX-License-Identifier: MIT */
/* CBC-MAC: encrypting makes the tag; the library has no verification. */
#include "harness.h"

typedef aesfit_key rig_context;
RIG_PUBLIC(aesfit_cbc_mac);

RIG_OWN(encrypt) int rig_encrypt(const rig_context *key, rig_message *m)
{
    return aesfit_cbc_mac(key, m->in, m->bytes, m->tag);
}
