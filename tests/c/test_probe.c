/* SPDX-License-Identifier: MIT */
/* Which lengths of a core cycle the host's clock rejects (aesfit/rigs/host/probe.h), on plausible
 * figures of processors: no time is measured here. */
#include "test.h"

#if defined(__x86_64__) || defined(__i386__)
#include "probe.h"

static void check(const char *what, double rotations, double multiplications, double least,
                  const char *expected)
{
    const host_cycle cycle = {rotations, multiplications, least};
    const char *doubt = host_cycle_doubt(&cycle);
    test_context("%s", what);
    CHECK((doubt != NULL) == (expected != NULL));
    CHECK(doubt == NULL || expected == NULL || strstr(doubt, expected) != NULL);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    check("rates alike", 1, 1, 0, NULL);
    check("the core above the counter's rate", 0.715, 0.716, 0, NULL);
    check("a step of the clock apart", 0.715, 0.73, 0, NULL);
    check("at the maximum clock", 0.68, 0.68, 0.684, NULL);
    check("below the maximum clock", 1.3, 1.3, 0.684, NULL);
    check("instructions executed at rename", 0.2, 0.97, 0, "the probes differ");
    check("multiplications of four cycles", 0.75, 1, 0, "the probes differ");
    check("both shorter than a cycle can be", 0.2, 0.2, 0.684, "shorter");
    return test_end();
}
#else
int main(void)
{
    printf("skipped: the probes are those of x86 processors\n");
    return 0;
}
#endif
