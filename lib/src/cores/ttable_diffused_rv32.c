/* SPDX-License-Identifier: MIT */
/* ttable_diffused_rv32: ttable_diffused with its rounds in assembly for RV32I (E31, PicoRV32,
 * VexRiscv).
 *
 * Idea: the words of a byte's four rows are neighbours, so nothing is rotated, which takes three
 * instructions there, and one address does for all rows.  The rounds stand one after the other, in
 * an order that a program wrote (tools/assemble): no instruction waits for a load, and fifteen
 * registers are enough, so that none is saved.  The last round reads the S-box, which stands in
 * front of the words.  Elsewhere C rounds with the same reads stand in.
 * Source: the layout is published as "d4T" by jnk0le, cortexm-AES; decryption: FIPS 197, 5.3.5.
 * Order and registers are ours.
 * Cost per block (AES-128): 144 word reads and 16 byte reads; a round takes 84 instructions; 3.5 KB
 * of code for each direction, 1.1 to 1.6 KB to set up each size of key.
 * Memory per direction: 4.25 KiB; the key schedule reads an S-box of its own.
 * Constant-time: no; table addresses depend on secrets. */
#include "../parts/steps/field.h"
#include "../parts/steps/sub_word.h"
#include "../parts/steps/ttable.h"
#include "../parts/steps/ttable_diffused_boxed.h"

#if AESFIT_TAKES_RV32
#include "../assembly/ttable_diffused_rv32.h"
#include "../parts/steps/assembly_run.h"
#include "../parts/steps/ttable_assembly_keys.h"
#endif

enum { ttable_diffused_rv32_lanes = 1 };

AESFIT_LOCAL void ttable_diffused_rv32_expand_key(aesfit_key *key, const uint8_t *bytes,
                                                  unsigned directions)
{
#if AESFIT_TAKES_RV32
    ttable_assembly_keys expand = {ttable_diffused_rv32_expand_128, ttable_diffused_rv32_expand_192,
                                   ttable_diffused_rv32_expand_256};
    ttable_assembly_expand_key(key, bytes, directions, expand, BOUND_INVERSE(inv_mix_column));
#else
    ttable_expand_key(key, bytes, directions, sub_word, BOUND_INVERSE(inv_mix_column));
#endif
}

#if AESFIT_TAKES_RV32
/* The round key with which ten rounds begin is 4 words a round from the first one that is added. */
AESFIT_LOCAL void ttable_diffused_rv32_forward(const aesfit_key *key, uint8_t *out,
                                               const uint8_t *in, size_t blocks)
{
    const uint32_t *k = key->schedule;
    ttable_diffused_rv32_encrypt_blocks(k, out, in, blocks, te_diffused_boxed + 64,
                                        k + 4 * (key->rounds - 10u));
}

AESFIT_LOCAL void ttable_diffused_rv32_back(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                            size_t blocks)
{
    const uint32_t *k = key->schedule;
    k += (4 * key->rounds + 4u) & (0u - (key->directions & AESFIT_ENCRYPT)); /* without a branch */
    ttable_diffused_rv32_decrypt_blocks(k + 4 * key->rounds, out, in, blocks,
                                        td_diffused_boxed + 64, k + 40);
}
#endif

AESFIT_LOCAL void ttable_diffused_rv32_encrypt(const aesfit_key *key, uint8_t *out,
                                               const uint8_t *in, size_t blocks)
{
#if AESFIT_TAKES_RV32
    assembly_run(ttable_diffused_rv32_forward, key, out, in, blocks);
#else
    ttable_encrypt(key, out, in, blocks, diffused_boxed_mix, diffused_boxed_last);
#endif
}

AESFIT_LOCAL void ttable_diffused_rv32_decrypt(const aesfit_key *key, uint8_t *out,
                                               const uint8_t *in, size_t blocks)
{
#if AESFIT_TAKES_RV32
    assembly_run(ttable_diffused_rv32_back, key, out, in, blocks);
#else
    ttable_decrypt(key, out, in, blocks, diffused_boxed_inv_mix, diffused_boxed_inv_last);
#endif
}

#ifndef AESFIT_BOUND
static const aesfit_table ttable_diffused_rv32_tables[] = {
    {"te_diffused_boxed", 4352, AESFIT_ENCRYPT, 16, 16, {0, 0, 0}},
    {"td_diffused_boxed", 4352, AESFIT_DECRYPT, 16, 16, {0, 0, 0}},
    {"sbox", 256, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

CORE_OBJECTS(ttable_diffused_rv32,
             (.summary = "ttable_diffused with its rounds in assembly for RV32I",
              .source = "jnk0le, cortexm-AES, d4T (layout); FIPS 197, 5.3.5", .needs = "RV32I",
              .table_count = sizeof ttable_diffused_rv32_tables /
                             sizeof ttable_diffused_rv32_tables[0],
              .tables = ttable_diffused_rv32_tables),
             .properties = 0,
             .round_key_bytes = {{176, 176, 352}, {208, 208, 416}, {240, 240, 480}});
#endif
