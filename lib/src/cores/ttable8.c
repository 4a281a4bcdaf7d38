/* SPDX-License-Identifier: MIT */
/* ttable8: four tables of 256 words for the middle rounds, four for the last.
 *
 * Idea: every read gives a word ready to be added, so that nothing is rotated, and only the indices
 * are shifted and masked.  The key schedule reads the tables of the last round; decryption keys
 * come from four tables of InvMixColumns.
 * Source: version 6 ("AES6") of Bertoni et al., About the Performances of AES in
 * Embedded Systems with Cache Memory, section 3; the tables of InvMixColumns: "Gladman with
 * tables", about 20 KB, in Bertoni et al., CHES 2002, table 2; decryption: FIPS 197, 5.3.5.
 * Cost per block (AES-128): 36 reads of each table of the middle rounds, 4 of each of the last.
 * Memory per direction: 8 KiB; decryption keys need 4 KiB of InvMixColumns, and the tables of
 * encryption's last round.
 * Constant-time: no; table addresses depend on secrets. */
#include "../parts/steps/packed_bytes.h"
#include "../parts/tables/im4.h"
#include "../parts/tables/td_last4.h"
#include "../parts/tables/te_last4.h"
#include "../parts/steps/ttable.h"
#include "../parts/steps/ttable4.h"

enum { ttable8_lanes = 1 };

AESFIT_INLINE uint32_t ttable8_last(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return READ_HELD(te_last0, word_index(a, 0)) | READ_HELD(te_last1, word_index(b, 1)) |
           READ_HELD(te_last2, word_index(c, 2)) | READ_HELD(te_last3, word_index(d, 3));
}

AESFIT_INLINE uint32_t ttable8_inv_last(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return READ_HELD(td_last0, word_index(a, 0)) | READ_HELD(td_last1, word_index(b, 1)) |
           READ_HELD(td_last2, word_index(c, 2)) | READ_HELD(td_last3, word_index(d, 3));
}

AESFIT_INLINE uint32_t ttable8_sub_word(uint32_t x, uint32_t constant)
{
    return ttable8_last(x, x, x, x) ^ constant;
}

AESFIT_INLINE uint32_t ttable8_inv_mix_column(uint32_t x)
{
    return READ_HELD(im0, word_index(x, 0)) ^ READ_HELD(im1, word_index(x, 1)) ^
           READ_HELD(im2, word_index(x, 2)) ^ READ_HELD(im3, word_index(x, 3));
}

AESFIT_LOCAL void ttable8_expand_key(aesfit_key *key, const uint8_t *bytes, unsigned directions)
{
    ttable_expand_key(key, bytes, directions, ttable8_sub_word,
                      BOUND_INVERSE(ttable8_inv_mix_column));
}

AESFIT_LOCAL void ttable8_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                  size_t blocks)
{
    ttable_encrypt(key, out, in, blocks, ttable4_mix, ttable8_last);
}

AESFIT_LOCAL void ttable8_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                  size_t blocks)
{
    ttable_decrypt(key, out, in, blocks, ttable4_inv_mix, ttable8_inv_last);
}

#ifndef AESFIT_BOUND
static const aesfit_table ttable8_tables[] = {
    {"te0", 1024, AESFIT_ENCRYPT, 4, 0, {0, 0, 0}},
    {"te1", 1024, AESFIT_ENCRYPT, 4, 0, {0, 0, 0}},
    {"te2", 1024, AESFIT_ENCRYPT, 4, 0, {0, 0, 0}},
    {"te3", 1024, AESFIT_ENCRYPT, 4, 0, {0, 0, 0}},
    {"te_last0", 1024, AESFIT_ENCRYPT, 0, 4, {0, 0, 0}},
    {"te_last1", 1024, AESFIT_ENCRYPT, 0, 4, {0, 0, 0}},
    {"te_last2", 1024, AESFIT_ENCRYPT, 0, 4, {0, 0, 0}},
    {"te_last3", 1024, AESFIT_ENCRYPT, 0, 4, {0, 0, 0}},
    {"td0", 1024, AESFIT_DECRYPT, 4, 0, {0, 0, 0}},
    {"td1", 1024, AESFIT_DECRYPT, 4, 0, {0, 0, 0}},
    {"td2", 1024, AESFIT_DECRYPT, 4, 0, {0, 0, 0}},
    {"td3", 1024, AESFIT_DECRYPT, 4, 0, {0, 0, 0}},
    {"td_last0", 1024, AESFIT_DECRYPT, 0, 4, {0, 0, 0}},
    {"td_last1", 1024, AESFIT_DECRYPT, 0, 4, {0, 0, 0}},
    {"td_last2", 1024, AESFIT_DECRYPT, 0, 4, {0, 0, 0}},
    {"td_last3", 1024, AESFIT_DECRYPT, 0, 4, {0, 0, 0}},
    {"te_last0", 1024, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"te_last1", 1024, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"te_last2", 1024, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"te_last3", 1024, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"im0", 1024, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"im1", 1024, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"im2", 1024, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"im3", 1024, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
    {"rcon", 10, AESFIT_KEY_SCHEDULE, 0, 0, {0, 0, 0}},
};

CORE_OBJECTS(
    ttable8,
    (.summary = "four tables of 256 words for the middle rounds, four more for the last",
     .source =
         "Bertoni et al., cache memory paper, section 3, version 6 (AES6); CHES 2002, table 2",
     .needs = "", .table_count = sizeof ttable8_tables / sizeof ttable8_tables[0],
     .tables = ttable8_tables),
    .properties = 0, .round_key_bytes = {{176, 176, 352}, {208, 208, 416}, {240, 240, 480}});
#endif
