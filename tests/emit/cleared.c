/* SPDX-License-Identifier: MIT */
/* Whether calls of a drop-in leave secrets on the stack, on whatever machine it was compiled for,
 * as tests/c/test_clear.c asks of the library: each call runs with different keys and data at the
 * same addresses, on a stack of zeros.  Ends with the number of the first call after which a byte
 * below the caller's frame depends on them, and with 0 if there is none. */
#include "aesfit.h"

enum { REACH = 8192, TEXT = 100, FAILED = 99 };

static aesfit_key key;
static aesfit_ctr state;
static uint8_t secret[16], nonce[16], text[TEXT], out[TEXT], tag[16];
static uint8_t now[REACH], before[REACH];
static volatile unsigned run; /* volatile: no register holds it, for a call to save */

static int set_up(void)
{
    return aesfit_expand_key(&key, NULL, secret, 16, AESFIT_ENCRYPT);
}

static int seal(void)
{
    return aesfit_ccm_encrypt(&key, nonce, 12, nonce, 5, out, text, TEXT, tag, 16);
}

static int count(void)
{
    int status = aesfit_ctr_start(&state, nonce, 128);
    return status + aesfit_ctr_crypt(&key, &state, out, text, TEXT);
}

static int (*const calls[])(void) = {set_up, seal, count};

__attribute__((noinline)) static void lay_zeros(void)
{
    volatile uint8_t area[2 * REACH];
    for (unsigned i = 0; i < sizeof area; i++)
        area[i] = 0;
}

__attribute__((noinline)) static int leave(int (*call)(void))
{
    volatile uint8_t here = 0;
    int status = call();
    const volatile uint8_t *below = (const volatile uint8_t *)((uintptr_t)&here - REACH);
    for (unsigned i = 0; i < REACH; i++)
        now[i] = below[i];
    return status;
}

__attribute__((noinline)) static void fill(void)
{
    unsigned seed = run;
    for (unsigned i = 0; i < TEXT; i++)
        text[i] = (uint8_t)(seed * 29 + 7 * i);
    for (unsigned i = 0; i < sizeof secret; i++)
        secret[i] = (uint8_t)(seed * 101 + 13 * i * (i + seed));
}

/* The calls up to this one. */
static int run_calls(unsigned last)
{
    int status = AESFIT_OK;
    for (unsigned i = 0; i <= last; i++) {
        lay_zeros();
        status |= leave(calls[i]);
    }
    return status;
}

/* 1: a byte differs. */
static int differs(void)
{
    int found = 0;
    for (unsigned i = 0; i < REACH; i++) {
        found |= now[i] != before[i];
        before[i] = now[i];
    }
    return found;
}

#ifdef HOSTED
int main(void)
#else
int driver_main(void);
int driver_main(void)
#endif
{
    for (unsigned last = 0; last < sizeof calls / sizeof calls[0]; last++)
        for (run = 1; run <= 3; run++) {
            fill();
            if (run_calls(last) != AESFIT_OK)
                return FAILED;
            if (differs() && run > 2) /* the first run resolves lazily linked symbols */
                return (int)last + 1;
        }
    return 0;
}
