/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "board.h"

extern char inside_begin[], inside_end[]; /* the linker script */

static volatile unsigned hits;
static uint32_t seen[2048]; /* a bit for each half-word of code, up to 128 KiB */

unsigned interrupted(uintptr_t at)
{
    uintptr_t offset = at - (uintptr_t)inside_begin;
    if (offset < (uintptr_t)(inside_end - inside_begin)) {
        seen[offset / 64 % 2048] |= 1u << (offset / 2 % 32);
        hits++;
    }
    return PERIOD;
}

void disturb_begin(unsigned first)
{
    timer_start(first);
}

void disturb_end(void)
{
    timer_stop();
}

unsigned inside(void)
{
    return hits;
}

void print_addresses(void)
{
    size_t words = ((size_t)(inside_end - inside_begin) + 63) / 64;
    for (size_t i = 0; i < words; i++)
        print("addresses\n", seen[i % 2048]);
}

int equal(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    while (bytes > 0 && a[bytes - 1] == b[bytes - 1])
        bytes--;
    return bytes == 0;
}

void print(const char *name, unsigned number)
{
    enum { SYS_WRITE0 = 4 };
    char text[12] = "", *digit = text + 10;
    *digit = ' ';
    do
        *--digit = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    semihosting(SYS_WRITE0, digit);
    semihosting(SYS_WRITE0, name);
}

void leave(int code)
{
    enum { SYS_EXIT_EXTENDED = 0x20, ADP_STOPPED_APPLICATION_EXIT = 0x20026 };
    const uintptr_t block[2] = {ADP_STOPPED_APPLICATION_EXIT, (uintptr_t)code};
    for (;;)
        semihosting(SYS_EXIT_EXTENDED, block);
}

void unexpected(void)
{
    leave(3);
}
