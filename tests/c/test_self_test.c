/* SPDX-License-Identifier: MIT */
/* The library's own known-answer test passes, and every status has its own text. */
#include "test.h"

int main(int argc, char **argv)
{
    const char *failed = "nothing was run";
    uint8_t secret[9];
    test_begin(argc, argv);
    CHECK_STATUS(aesfit_self_test(&failed), AESFIT_OK);
    CHECK(failed == NULL);
    CHECK_STATUS(aesfit_self_test(NULL), AESFIT_OK);
    for (int a = AESFIT_ERR_ARGUMENT - 1; a <= AESFIT_OK; a++) {
        const char *sentence = aesfit_strerror(a);
        CHECK(sentence != NULL && sentence[strlen(sentence) - 1] == '.');
        for (int b = a + 1; b <= AESFIT_OK; b++)
            CHECK(strcmp(sentence, aesfit_strerror(b)) != 0);
    }
    CHECK(strcmp(aesfit_strerror(1), aesfit_strerror(-1000)) == 0);
    memset(secret, 1, sizeof secret);
    aesfit_wipe(secret, 8);
    aesfit_wipe(NULL, 0);
    aesfit_wipe(NULL, 8);
    CHECK_BYTES(secret, "\0\0\0\0\0\0\0\0\1", 9);
    return test_end();
}
