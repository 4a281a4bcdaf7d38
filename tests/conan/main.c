/* SPDX-License-Identifier: MIT */
/* A program of someone who uses the library: whatever it was built of works.  With the name of a
 * core, that core has to be there. */
#include <aesfit.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    const char *failed = NULL;
    int status = aesfit_self_test(&failed);
    if (status == AESFIT_OK && argc > 1 && aesfit_core_by_name(argv[1]) == NULL)
        status = AESFIT_ERR_UNKNOWN_CORE;
    printf("aesfit %s, %u cores: %s\n", AESFIT_VERSION, (unsigned)aesfit_core_count(),
           aesfit_strerror(status));
    return status == AESFIT_OK ? 0 : 1;
}
