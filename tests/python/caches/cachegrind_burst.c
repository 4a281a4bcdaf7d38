/* SPDX-License-Identifier: MIT */
/* A whole program without a libc for test_cache_simulator.py: key set-up and a row of blocks by one
 * core, then buffers that straddle lines of every size.  Valgrind watches it. */
#include <stddef.h>
#include <stdint.h>

enum { BLOCKS = 150, CONTEXT_BYTES = 2048, EXIT = 1 };

void rig_key_setup_encrypt(void *key, const uint8_t *bytes);
void rig_encrypt_block(const void *key, uint8_t *out, const uint8_t *in, size_t blocks);

static uint32_t burst_context[CONTEXT_BYTES / 4];
static uint8_t burst_key[16], burst_text[16 * BLOCKS + 16];

static void burst_straddle(void)
{
    typedef uint32_t __attribute__((aligned(1), may_alias)) word;
    for (size_t at = 0; at + 4 <= sizeof burst_text; at += 29)
        *(volatile word *)(void *)(burst_text + at) += 1;
}

_Noreturn void burst_run(void);
_Noreturn void burst_run(void)
{
    rig_key_setup_encrypt(burst_context, burst_key);
    for (size_t i = 0; i < BLOCKS; i++)
        rig_encrypt_block(burst_context, burst_text + 16 * i + 16, burst_text + 16 * i, 1);
    burst_straddle();
    for (;;)
        __asm__ volatile("int $0x80" : : "a"(EXIT), "b"(0));
}

/* The entry of a process: its stack pointer is aligned for a call, not as after one. */
__asm__(".globl _start\n_start:\n\tcall burst_run\n");
