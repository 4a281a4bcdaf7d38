/* SPDX-License-Identifier: MIT */
/* CCMP: `in` is the whole MPDU, its header of ad_bytes first; nonce_bytes is the packet
 * number. */
#include "harness.h"

typedef aesfit_key rig_context;
RIG_PUBLIC(aesfit_ccmp_encapsulate);
RIG_PUBLIC(aesfit_ccmp_decapsulate);

RIG_OWN(encrypt) int rig_encrypt(const rig_context *key, rig_message *m)
{
    return aesfit_ccmp_encapsulate(key, m->nonce_bytes, 0, m->out, m->out_size, &m->out_bytes,
                                   m->in, m->ad_bytes, m->bytes);
}

RIG_OWN(decrypt) int rig_decrypt(const rig_context *key, rig_message *m)
{
    uint64_t pn;
    return aesfit_ccmp_decapsulate(key, &pn, m->out, m->out_size, &m->out_bytes, m->in, m->ad_bytes,
                                   m->bytes);
}
