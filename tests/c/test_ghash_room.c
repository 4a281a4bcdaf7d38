/* SPDX-License-Identifier: MIT */
/* A library whose GCM keys have no room for a multiplier's key does not offer it: the register,
 * compiled again with the words that aesfit.h has by default. */
#undef AESFIT_GHASH_WORDS
#define AESFIT_GHASH_WORDS 128
#include "test.h"
#include <register.c>

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    CHECK(sizeof((aesfit_gcm_key *)NULL)->h == 512);
    for (size_t i = 0; i < aesfit_ghash_count(); i++) {
        const aesfit_ghash *ghash = aesfit_ghash_at(i);
        int runs = ghash->supported == NULL || ghash->supported();
        test_context("%s", ghash->name);
        CHECK(aesfit_ghash_available(ghash) == (runs && ghash->key_bytes <= 512));
    }
    CHECK(!aesfit_ghash_available(aesfit_ghash_by_name("table8")));
    CHECK(aesfit_ghash_available(aesfit_ghash_by_name("table4")));
    return test_end();
}
