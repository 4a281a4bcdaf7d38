/* SPDX-License-Identifier: MIT */
/* GHASH with a table of 16 multiples of H per key, four bits at a time.
 *
 * Idea: Lopez and Dahab's comb, which shifts once for four digits; parts/ghash_comb.h explains it.
 * On ARMv7-M blocks are added by a function in assembly (tools/assemble).
 * Source: McGrew and Viega, The Galois/Counter Mode of Operation, section 4.1 (Shoup's tables);
 * Lopez and Dahab, High-Speed Software Multiplication in F2m, 2000.
 * Cost: per block 32 reads of 16 bytes and 7 shifts of 32 bytes; the key is 256 bytes.
 * Constant-time: no; the addresses depend on the data and on H. */
#include "../parts/ghash_comb.h"
#include "ghash.h"

#if AESFIT_TAKES_ARMV7M
#include "../assembly/table4_armv7m.h"
#include "../parts/ghash_assembly.h"
#define TABLE4_ASSEMBLY table4_armv7m_add_blocks
#endif

AESFIT_LOCAL void table4_init(uint32_t *state, const uint8_t h[16])
{
    ghash_comb_init(state, h, 4);
}

AESFIT_LOCAL void table4_update(const uint32_t *state, uint8_t y[16], const uint8_t *in,
                                size_t blocks)
{
#ifdef TABLE4_ASSEMBLY
    ghash_assembly_update(TABLE4_ASSEMBLY, state, y, in, blocks);
#else
    ghash_comb_update(state, y, in, blocks, 4);
#endif
}

#undef TABLE4_ASSEMBLY

#ifndef AESFIT_BOUND_GHASH
const aesfit_ghash aesfit_ghash_table4 = {
    .name = "table4",
    .summary = "16 multiples of H per key, four bits at a time",
    .source = "McGrew and Viega, GCM, section 4.1; Lopez and Dahab 2000 (the comb)",
    .needs = "",
    .properties = 0,
    .key_bytes = 4 * GHASH_COMB_KEY(4),
    .table_bytes = 0,
    .supported = NULL,
    .init = table4_init,
    .update = table4_update,
};
#endif
