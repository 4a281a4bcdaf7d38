/* SPDX-License-Identifier: MIT */
/* CBC-MAC: the last block of a CBC encryption under an IV of zero, no padding.
 *
 * Source: FIPS 113, with AES in the place of DES.
 * Forgeable when messages may differ in length; CMAC is the repair.
 * Cost: one block of AES per block, serial.
 * Constant-time: as the core; lengths are public. */
#include "../parts/check.h"
#include "../parts/clear.h"
#include "../parts/mac.h"

CLEARED AESFIT_LOCAL int cbc_mac_tag(const aesfit_key *key, const uint8_t *in, size_t bytes,
                                     uint8_t tag[16])
{
    uint8_t mac[16] = {0};
    TRY(check_key(key, AESFIT_ENCRYPT));
    TRY(check_input(in, bytes));
    TRY(check_input(tag, 16));
    CHECK_APART(tag, 16, key, sizeof *key);
    CHECK_APART(tag, 16, in, bytes);
    if (bytes == 0 || bytes % 16 != 0)
        return AESFIT_ERR_LENGTH;
    mac_blocks(key, mac, in, bytes / 16);
    memcpy(tag, mac, 16);
    return AESFIT_OK;
}

int aesfit_cbc_mac(const aesfit_key *key, const uint8_t *in, size_t bytes, uint8_t tag[16])
{
    return CLEAR_AFTER(clear_blocks, cbc_mac_tag(key, in, bytes, tag));
}

#ifdef AESFIT_MODE_FACTS
#include "../mode.h"

const aesfit_mode_facts aesfit_mode_cbc_mac = {
    .name = "cbc_mac",
    .title = "CBC-MAC",
    .summary = "CBC-MAC: the last block of a CBC encryption under an IV of zero, no padding",
    .standard = "FIPS 113",
    .key_sizes = AESFIT_EVERY_KEY_SIZE,
    .keys = 1,
    .tag = {16, 16, 1},
    .payload = {16, AESFIT_NO_LIMIT, 16},
    .usual = {0, 0, 16},
    .payload_rule = "messages of one length only",
    .expand_key = "aesfit_expand_key",
    .encrypt = {"aesfit_cbc_mac", "in bytes tag"},
    .block_calls = 1,
    .loops = 81,
};
#endif
