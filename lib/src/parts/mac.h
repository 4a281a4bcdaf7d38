/* SPDX-License-Identifier: MIT */
/* The chain of CBC-MAC, which CMAC and CCM share. */
#ifndef AESFIT_PARTS_MAC_H
#define AESFIT_PARTS_MAC_H

#include "one_block.h"

/* mac = E(mac ^ block) over whole blocks.  Serial by nature: one block a call. */
AESFIT_LOCAL void mac_blocks(const aesfit_key *key, uint8_t mac[16], const uint8_t *in,
                             size_t blocks)
{
#if AESFIT_WITH_BULK
    if (CORE_BULK(key, cbc_mac) != NULL) {
        CORE_BULK(key, cbc_mac)(key, mac, in, blocks);
        return;
    }
#endif
    for (; blocks > 0; blocks--, in += 16) {
        xor_block(mac, mac, in);
        encrypt_block(key, mac, mac);
    }
}

#endif
