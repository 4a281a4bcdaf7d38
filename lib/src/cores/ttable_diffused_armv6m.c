/* SPDX-License-Identifier: MIT */
/* ttable_diffused_armv6m: ttable_diffused with its rounds in assembly for Cortex-M0 and M0+.
 *
 * Idea: the words of a byte's four rows are neighbours, so nothing is rotated and one address does
 * for all rows.  The rounds stand one after the other, in an order that a program wrote
 * (tools/assemble): it leaves the state in the eight registers that operations reach.  The last
 * round reads the S-box, which stands in front of the words.  So other than in ttable_diffused a
 * look-up of the last round meets another master of a striped RAM more often for some secrets than
 * for others.  Elsewhere C rounds with the same reads stand in.
 * Source: the layout is published as "d4T", with cycles for Cortex-M0, by jnk0le, cortexm-AES;
 * decryption: FIPS 197, 5.3.5.  Order and registers are ours.
 * Cost per block (AES-128): 144 word reads and 16 byte reads; a round takes 103 cycles, the round
 * key 11 of them; 1.7 KB of code for each direction, 0.5 or 0.6 KB to set up each size of key.
 * Memory per direction: 4.25 KiB; the key schedule reads an S-box of its own.
 * Constant-time: no; table addresses depend on secrets. */
#include "../parts/steps/assembly_run.h"
#include "../parts/steps/field.h"
#include "../parts/steps/sub_word.h"
#include "../parts/steps/ttable.h"
#include "../parts/steps/ttable_diffused_boxed.h"

#if AESFIT_TAKES_ARMV6M
#include "../assembly/ttable_diffused_armv6m.h"
#include "../parts/steps/ttable_assembly_keys.h"
#endif

enum { ttable_diffused_armv6m_lanes = 1 };

AESFIT_LOCAL void ttable_diffused_armv6m_expand_key(aesfit_key *key, const uint8_t *bytes,
                                                    unsigned directions)
{
#if AESFIT_TAKES_ARMV6M
    ttable_assembly_keys expand = {ttable_diffused_armv6m_expand_128,
                                   ttable_diffused_armv6m_expand_192,
                                   ttable_diffused_armv6m_expand_256};
    ttable_assembly_expand_key(key, bytes, directions, expand, BOUND_INVERSE(inv_mix_column));
#else
    ttable_expand_key(key, bytes, directions, sub_word, BOUND_INVERSE(inv_mix_column));
#endif
}

#if AESFIT_TAKES_ARMV6M
AESFIT_LOCAL void ttable_diffused_armv6m_forward(const aesfit_key *key, uint8_t *out,
                                                 const uint8_t *in, size_t blocks)
{
    ttable_diffused_armv6m_encrypt_blocks(key, out, in, blocks, te_diffused_boxed + 64);
}

AESFIT_LOCAL void ttable_diffused_armv6m_back(const aesfit_key *key, uint8_t *out,
                                              const uint8_t *in, size_t blocks)
{
    ttable_diffused_armv6m_decrypt_blocks(key, out, in, blocks, td_diffused_boxed + 64);
}
#endif

AESFIT_LOCAL void ttable_diffused_armv6m_encrypt(const aesfit_key *key, uint8_t *out,
                                                 const uint8_t *in, size_t blocks)
{
#if AESFIT_TAKES_ARMV6M
    assembly_run(ttable_diffused_armv6m_forward, key, out, in, blocks);
#else
    ttable_encrypt(key, out, in, blocks, diffused_boxed_mix, diffused_boxed_last);
#endif
}

AESFIT_LOCAL void ttable_diffused_armv6m_decrypt(const aesfit_key *key, uint8_t *out,
                                                 const uint8_t *in, size_t blocks)
{
#if AESFIT_TAKES_ARMV6M
    assembly_run(ttable_diffused_armv6m_back, key, out, in, blocks);
#else
    ttable_decrypt(key, out, in, blocks, diffused_boxed_inv_mix, diffused_boxed_inv_last);
#endif
}

#ifndef AESFIT_BOUND
static const aesfit_table ttable_diffused_armv6m_tables[] = {
    {"te_diffused_boxed", 4352, AESFIT_ENCRYPT, 16, 16, {0, 0, 0}},
    {"td_diffused_boxed", 4352, AESFIT_DECRYPT, 16, 16, {0, 0, 0}},
    {"sbox", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

CORE_OBJECTS(ttable_diffused_armv6m,
             (.summary = "ttable_diffused with its rounds in assembly for Cortex-M0 and M0+",
              .source = "jnk0le, cortexm-AES, d4T (layout); FIPS 197, 5.3.5", .needs = "ARMv6-M",
              .table_count = sizeof ttable_diffused_armv6m_tables /
                             sizeof ttable_diffused_armv6m_tables[0],
              .tables = ttable_diffused_armv6m_tables),
             .properties = 0,
             .round_key_bytes = {{176, 176, 352}, {208, 208, 416}, {240, 240, 480}});
#endif
