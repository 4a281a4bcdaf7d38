/* SPDX-License-Identifier: MIT */
/* Nothing secret stays on the stack, or in a register that calls may change (parts/clear.h).
 *
 * Each call runs twice with different keys and data at the same addresses, on a stack of zeros.  A
 * byte below the caller's frame, or of a register, that differs afterwards depends on a secret. */
#include "core.h"
#include "test.h"

enum { reach = 8192, text_bytes = 545, registers_bytes = 9 * 8 + 16 * 16 + 32 * 64 };

typedef int (*clear_call)(void);

static const aesfit_core *core;
static aesfit_key key, inverse;
static aesfit_gcm_key gcm;
static aesfit_gcm_siv_key siv;
static aesfit_xts_key xts;
static uint8_t secret[32], text[text_bytes], out[text_bytes + 32], back[text_bytes + 32];
static uint8_t iv[16], tag[16];
static size_t written;
static uint8_t stack_now[reach], stack_before[reach];
static uint8_t registers_now[registers_bytes], registers_before[registers_bytes];
static volatile unsigned run; /* volatile: no register holds it, for a call to save */

/* ------------------------------------------------------------------- calls */

static int set_up_key(void)
{
    return aesfit_expand_key(&key, core, secret, 16, AESFIT_ENCRYPT) +
           aesfit_expand_key(&inverse, core, secret, 16, AESFIT_BOTH);
}

static int set_up_gcm(void)
{
    return aesfit_gcm_expand_key(&gcm, core, NULL, secret, 16);
}

static int set_up_gcm_siv(void)
{
    return aesfit_gcm_siv_expand_key(&siv, core, NULL, secret, 16);
}

static int set_up_xts(void)
{
    return aesfit_xts_expand_key(&xts, core, secret, 32, AESFIT_DECRYPT);
}

static int cbc(void)
{
    uint8_t chain[16] = {0};
    return aesfit_cbc_pkcs7_encrypt(&key, chain, out, sizeof out, &written, text, text_bytes);
}

static int cbc_back(void)
{
    return aesfit_cbc_pkcs7_decrypt(&inverse, iv, back, sizeof back, &written, out, written);
}

static int ctr(void)
{
    static aesfit_ctr state;
    return aesfit_ctr_start(&state, iv, 128) +
           aesfit_ctr_crypt(&key, &state, out, text, text_bytes);
}

static int cmac(void)
{
    return aesfit_cmac(&key, text, text_bytes, tag, 16);
}

static int cmac_back(void)
{
    return aesfit_cmac_verify(&key, text, text_bytes, tag, 16);
}

static int ccm(void)
{
    return aesfit_ccm_encrypt(&key, iv, 12, iv, 5, out, text, text_bytes, tag, 16);
}

static int ccm_back(void)
{
    return aesfit_ccm_decrypt(&key, iv, 12, iv, 5, back, out, text_bytes, tag, 16);
}

static int gcm_there(void)
{
    return aesfit_gcm_encrypt(&gcm, iv, 12, iv, 5, out, text, text_bytes, tag, 16);
}

static int gcm_back(void)
{
    return aesfit_gcm_decrypt(&gcm, iv, 12, iv, 5, back, out, text_bytes, tag, 16);
}

static int gcm_siv(void)
{
    return aesfit_gcm_siv_encrypt(&siv, iv, iv, 5, out, text, text_bytes, tag);
}

static int gcm_siv_back(void)
{
    return aesfit_gcm_siv_decrypt(&siv, iv, iv, 5, back, out, text_bytes, tag);
}

static int xts_back(void)
{
    return aesfit_xts_decrypt(&xts, iv, back, text, text_bytes);
}

static int wrapped(void)
{
    return aesfit_key_wrap(&key, out, sizeof out, &written, text, 40);
}

static int unwrapped(void)
{
    return aesfit_key_unwrap(&inverse, back, sizeof back, &written, out, written);
}

static int streamed(void)
{
    static aesfit_stream stream;
    size_t n;
    return aesfit_stream_start(&stream, AESFIT_CBC_CS3, AESFIT_ENCRYPT, &key, iv) +
           aesfit_stream_update(&stream, out, sizeof out, &n, text, text_bytes) +
           aesfit_stream_finish(&stream, out, sizeof out, &n);
}

/* A function that is not cleared, with a round key on its stack, where compilers put what registers
 * do not hold: the method must find it. */
static int bare_block(void)
{
    volatile uint32_t spilled = key.schedule[0];
    (void)spilled;
    core->encrypt(&key, out, text, 1);
    return AESFIT_OK;
}

static const struct {
    const char *name;
    clear_call call;
} calls[] = {{"key set-up", set_up_key},
             {"GCM key set-up", set_up_gcm},
             {"GCM-SIV key set-up", set_up_gcm_siv},
             {"XTS key set-up", set_up_xts},
             {"CBC, PKCS#7", cbc},
             {"CBC, PKCS#7, back", cbc_back},
             {"CTR", ctr},
             {"CMAC", cmac},
             {"CMAC, verified", cmac_back},
             {"CCM", ccm},
             {"CCM, back", ccm_back},
             {"GCM", gcm_there},
             {"GCM, back", gcm_back},
             {"GCM-SIV", gcm_siv},
             {"GCM-SIV, back", gcm_siv_back},
             {"XTS, back", xts_back},
             {"KW", wrapped},
             {"KW, back", unwrapped},
             {"stream", streamed},
             {"a bare block", bare_block}};

enum { bare = sizeof calls / sizeof calls[0] - 1 };

/* -------------------------------------------------------------- what stays */

AESFIT_NOINLINE static void lay_zeros(void)
{
    volatile uint8_t area[2 * reach];
    for (size_t i = 0; i < sizeof area; i++)
        area[i] = 0;
}

/* The 512-bit registers, if there are any.  xmm0 to xmm15 are part of the first 16. */
AESFIT_INLINE void keep_wide_registers(uint8_t *kept)
{
#if defined(__x86_64__) && defined(__GNUC__)
#define KEEP_ZMM(number) "vmovups %%zmm" #number ", 64*" #number "(%0)\n"
    if (__builtin_cpu_supports("avx512f"))
        __asm__ volatile(KEEP_ZMM(0) KEEP_ZMM(1) KEEP_ZMM(2) KEEP_ZMM(3) KEEP_ZMM(4) KEEP_ZMM(5)
                             KEEP_ZMM(6) KEEP_ZMM(7) KEEP_ZMM(8) KEEP_ZMM(9) KEEP_ZMM(10)
                                 KEEP_ZMM(11) KEEP_ZMM(12) KEEP_ZMM(13) KEEP_ZMM(14) KEEP_ZMM(15)
                                     KEEP_ZMM(16) KEEP_ZMM(17) KEEP_ZMM(18) KEEP_ZMM(19)
                                         KEEP_ZMM(20) KEEP_ZMM(21) KEEP_ZMM(22) KEEP_ZMM(23)
                                             KEEP_ZMM(24) KEEP_ZMM(25) KEEP_ZMM(26) KEEP_ZMM(27)
                                                 KEEP_ZMM(28) KEEP_ZMM(29) KEEP_ZMM(30) KEEP_ZMM(31)
                         :
                         : "a"(kept)
                         : "memory");
#undef KEEP_ZMM
#else
    (void)kept;
#endif
}

/* Only registers that a called function may change; the ABI defines their number. */
AESFIT_INLINE void keep_registers(uint8_t *kept)
{
#if defined(__x86_64__) && defined(__GNUC__)
#define KEEP(name, at) "movq %%" name ", " #at "(%0)\n"
#define KEEP_XMM(number, at) "movups %%xmm" #number ", " #at "(%0)\n"
    __asm__ volatile(
        KEEP("rcx", 0) KEEP("rdx", 8) KEEP("rsi", 16) KEEP("rdi", 24) KEEP("r8", 32) KEEP("r9", 40)
            KEEP("r10", 48) KEEP("r11", 56) KEEP_XMM(0, 72) KEEP_XMM(1, 88) KEEP_XMM(2, 104)
                KEEP_XMM(3, 120) KEEP_XMM(4, 136) KEEP_XMM(5, 152) KEEP_XMM(6, 168) KEEP_XMM(7, 184)
                    KEEP_XMM(8, 200) KEEP_XMM(9, 216) KEEP_XMM(10, 232) KEEP_XMM(11, 248)
                        KEEP_XMM(12, 264) KEEP_XMM(13, 280) KEEP_XMM(14, 296) KEEP_XMM(15, 312)
        :
        : "a"(kept)
        : "memory");
#undef KEEP
#undef KEEP_XMM
#else
    (void)kept;
#endif
}

AESFIT_NOINLINE static int leave(clear_call call)
{
    volatile uint8_t here = 0;
    int status = call();
    keep_registers(registers_now);
    keep_wide_registers(registers_now + 9 * 8 + 16 * 16);
    const volatile uint8_t *below = (const volatile uint8_t *)((uintptr_t)&here - reach);
    for (size_t i = 0; i < reach; i++)
        stack_now[i] = below[i];
    return status;
}

AESFIT_NOINLINE static void fill(void)
{
    unsigned seed = run;
    for (size_t i = 0; i < text_bytes; i++)
        text[i] = (uint8_t)(seed * 29 + 7 * i + (i * i >> 4));
    for (size_t i = 0; i < sizeof secret; i++)
        secret[i] = (uint8_t)(seed * 101 + 13 * i * (i + seed));
}

static size_t differing(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    size_t count = 0;
    for (size_t i = 0; i < bytes; i++)
        count += a[i] != b[i];
    return count;
}

static void run_call(clear_call call)
{
    lay_zeros();
    CHECK_STATUS(leave(call), AESFIT_OK);
}

/* Runs the calls up to this one on three secrets; the first run resolves lazily linked symbols. */
static void compare(size_t index)
{
    for (run = 1; run <= 3; run++) {
        memcpy(stack_before, stack_now, reach);
        memcpy(registers_before, registers_now, registers_bytes);
        fill();
        for (size_t before = 0; before <= index; before++)
            run_call(calls[before].call);
    }
}

static void check_call(size_t index)
{
    test_context("%s, %s", core->name, calls[index].name);
    compare(index);
    CHECK(differing(stack_before, stack_now, reach) == 0);
#if defined(__has_attribute)
#if __has_attribute(zero_call_used_regs)
    CHECK(differing(registers_before, registers_now, registers_bytes) == 0);
#endif
#endif
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    for (size_t i = 0; i < aesfit_core_count(); i++) {
        core = aesfit_core_at(i);
        if (!aesfit_core_available(core))
            continue;
        for (size_t index = 0; index < bare; index++)
            check_call(index);
    }
    core = aesfit_core_by_name("fixslice");
    test_context("fixslice, %s", calls[bare].name);
    compare(bare);
    CHECK(differing(stack_before, stack_now, reach) > 0);
    return test_end();
}
