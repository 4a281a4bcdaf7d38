/* SPDX-License-Identifier: MIT */
/* What the sources ask of the compiler: linkage, inlining, and barriers for the optimiser. Barriers
 * compute nothing; compilers without GNU C's extensions ignore them. */
#ifndef AESFIT_PARTS_COMPILER_H
#define AESFIT_PARTS_COMPILER_H

#include <stdint.h>

/* ------------------------------------------------------------------------------- functions */

/* Linkage of everything private to a core, mode or part. */
#if defined(AESFIT_BOUND) && defined(__GNUC__)
#define AESFIT_LOCAL static __attribute__((unused))
#else
#define AESFIT_LOCAL static
#endif
#if defined(__GNUC__)
#define AESFIT_INLINE static inline __attribute__((always_inline, unused))
#else
#define AESFIT_INLINE static inline
#endif

/* Before AESFIT_LOCAL or static: a function stays out of line, so that a rare path takes neither
 * registers nor code from the usual one. */
#if defined(__GNUC__)
#define AESFIT_NOINLINE __attribute__((noinline))
#else
#define AESFIT_NOINLINE
#endif

/* Before AESFIT_LOCAL or static: a function stays out of line, and is compiled for size. */
#if defined(__GNUC__)
#define AESFIT_COLD __attribute__((cold, noinline))
#else
#define AESFIT_COLD
#endif

/* AESFIT_NOINLINE, and the compiler uses nothing it knows of the function where it is called, as if
 * it stood in another file. */
#if defined(__GNUC__) && !defined(__clang__)
#define AESFIT_NOIPA __attribute__((noipa))
#else
#define AESFIT_NOIPA AESFIT_NOINLINE
#endif

/* Microcontrollers, where flash is dearer than a call: what many places use is one copy there, and
 * inlined on the processors of computers. */
#if defined(__i386__) || defined(__x86_64__) || defined(_M_IX86) || defined(_M_X64) ||             \
    defined(__aarch64__) || !defined(__GNUC__)
#define AESFIT_SMALL_CODE 0
#define AESFIT_SHARED AESFIT_INLINE
#else
#define AESFIT_SMALL_CODE 1
#define AESFIT_SHARED AESFIT_LOCAL __attribute__((noinline, unused))
#endif

/* AESFIT_SHARED in the library; inlined in a bound build, where one mode or two use a function. */
#ifdef AESFIT_BOUND
#define AESFIT_LIBRARY_SHARED AESFIT_INLINE
#else
#define AESFIT_LIBRARY_SHARED AESFIT_SHARED
#endif

/* A function whose whole body is assembly, which takes its arguments and returns as the ABI has it.
 * The compiler adds nothing, and knows nothing of what the body does.  For the instruction sets of
 * lib/src/assembly. */
#if defined(__GNUC__) && (defined(__arm__) || defined(__riscv))
#define AESFIT_ASSEMBLY AESFIT_NOIPA static __attribute__((naked, aligned(4), unused))
#define AESFIT_ARGUMENT __attribute__((unused)) /* the compiler does not see its use */
#endif

/* -------------------------------------------------------------------------------- clearing */

/* Linkage of the functions that clear.  On the processors named here they zero all registers that
 * they need not preserve, but for their result, if the compiler can: aesfit's docs/integrating.md
 * has the table.  To know the attribute is not enough: gcc knows it for PowerPC, MIPS and Xtensa
 * too, and refuses a function that has it.  On x86 only registers that the function names in
 * AESFIT_USE_REGISTERS: "all" would empty the x87 stack too, which no code here uses and which
 * takes longer than all others together. */
#if defined(__has_attribute) && (defined(__arm__) || defined(__aarch64__) || defined(__riscv) ||   \
                                 defined(__x86_64__) || defined(__i386__))
#if __has_attribute(zero_call_used_regs)
#if defined(__x86_64__) || defined(__i386__)
#define AESFIT_ZEROED_REGISTERS __attribute__((zero_call_used_regs("used")))
#else
#define AESFIT_ZEROED_REGISTERS __attribute__((zero_call_used_regs("all")))
#endif
#endif
#endif
#ifndef AESFIT_ZEROED_REGISTERS
#define AESFIT_ZEROED_REGISTERS
#endif

/* "Uses" the registers that a function need not preserve on x86: for AESFIT_ZEROED_REGISTERS. */
#if defined(__GNUC__) && defined(__x86_64__)
#define AESFIT_USE_REGISTERS                                                                       \
    __asm__ volatile("" ::                                                                         \
                         : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "xmm0", "xmm1",   \
                           "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",         \
                           "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15")
#elif defined(__GNUC__) && defined(__i386__) && defined(__SSE2__)
#define AESFIT_USE_REGISTERS                                                                       \
    __asm__ volatile("" ::                                                                         \
                         : "ecx", "edx", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",   \
                           "xmm7")
#elif defined(__GNUC__) && defined(__i386__)
#define AESFIT_USE_REGISTERS __asm__ volatile("" ::: "ecx", "edx")
#else
#define AESFIT_USE_REGISTERS ((void)0)
#endif
#if defined(__GNUC__)
#define AESFIT_CLEARING                                                                            \
    static __attribute__((noinline, unused)) AESFIT_ZEROED_REGISTERS AESFIT_NOIPA
#else
#define AESFIT_CLEARING static
#endif

/* -------------------------------------------------------------------------------- barriers */

/* From here on the optimiser does not know what the variable x holds.  In a short loop, on its
 * counter: -O3 neither unrolls nor vectorises the loop into hundreds of bytes, nor makes it a call
 * of memcpy or memset. */
#if defined(__GNUC__)
#define AESFIT_BARRIER(x) __asm__("" : "+r"(x))
#else
#define AESFIT_BARRIER(x) ((void)0)
#endif

/* AESFIT_BARRIER(x), in the order of the source among such barriers. */
#if defined(__GNUC__)
#define AESFIT_ORDERED_BARRIER(x) __asm__ volatile("" : "+r"(x))
#else
#define AESFIT_ORDERED_BARRIER(x) ((void)0)
#endif

/* x.  The optimiser cannot make a branch of a mask that was computed from it, nor load a constant
 * as an immediate again where one register serves better. */
AESFIT_INLINE uint32_t value_barrier(uint32_t x)
{
    AESFIT_BARRIER(x);
    return x;
}

/* The same, and computed before the next ordered_barrier(): of two sums that share terms neither
 * runs ahead, and no term is kept in a register for the other. */
AESFIT_INLINE uint32_t ordered_barrier(uint32_t x)
{
    AESFIT_ORDERED_BARRIER(x);
    return x;
}

/* Barriers that shape the code of ARM state (ARM7TDMI, ARM9TDMI) and Thumb-2 (Cortex-M3, M4), and
 * are nothing on other machines.  A round of AES just fits the 14 registers of these, provided that
 * sums are made in the order written (compilers reorder exclusive ORs by other measures, and then
 * spill or miss that a shifted operand is free), and that constants that are no immediates are
 * loaded once.
 * Where reads of tables are counted there is no assembly, which counts none. */
#if defined(__GNUC__) && defined(__arm__) && !defined(__thumb__) && !defined(AESFIT_COUNT_READS)
#define AESFIT_ARM_STATE 1
#else
#define AESFIT_ARM_STATE 0
#endif

#if defined(__GNUC__) && defined(__thumb2__) && !defined(AESFIT_COUNT_READS)
#define AESFIT_THUMB2 1
#else
#define AESFIT_THUMB2 0
#endif

/* AESFIT_ASSEMBLY in ARM state, where there is one that returns to Thumb state too; gcc changes the
 * state for a function. */
#if AESFIT_ARM_STATE && (defined(__ARM_ARCH_4T__) || __ARM_ARCH >= 5)
#define AESFIT_ARM_ASSEMBLY AESFIT_ASSEMBLY
#elif defined(__GNUC__) && !defined(__clang__) && defined(__thumb__) && defined(__ARM_ARCH_ISA_ARM)
#define AESFIT_ARM_ASSEMBLY AESFIT_ASSEMBLY __attribute__((target("arm")))
#endif

/* 1 where the compiler takes the functions of lib/src/assembly for an instruction set; all but
 * those for RV32 need little-endian words. */
#if AESFIT_THUMB2 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define AESFIT_TAKES_ARMV7M 1
#else
#define AESFIT_TAKES_ARMV7M 0
#endif

#if defined(__GNUC__) && defined(__thumb__) && defined(__ARM_ARCH_6M__) &&                         \
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define AESFIT_TAKES_ARMV6M 1
#else
#define AESFIT_TAKES_ARMV6M 0
#endif

#if defined(AESFIT_ARM_ASSEMBLY) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define AESFIT_TAKES_ARMV4 1
#else
#define AESFIT_TAKES_ARMV4 0
#endif

#if defined(__GNUC__) && defined(__riscv) && __riscv_xlen == 32 && !defined(__riscv_32e)
#define AESFIT_TAKES_RV32 1
#else
#define AESFIT_TAKES_RV32 0
#endif

/* Assembly that needs nearly all registers: gcc keeps some without optimisation or with -fPIC,
 * clang keeps one for the frame. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) && !defined(__PIC__)
#define AESFIT_LONG_ASSEMBLY 1
#else
#define AESFIT_LONG_ASSEMBLY 0
#endif

AESFIT_INLINE uint32_t arm_value_barrier(uint32_t x)
{
    if (AESFIT_ARM_STATE || AESFIT_THUMB2)
        AESFIT_BARRIER(x);
    return x;
}

AESFIT_INLINE uint32_t arm_ordered_barrier(uint32_t x)
{
    if (AESFIT_ARM_STATE || AESFIT_THUMB2)
        AESFIT_ORDERED_BARRIER(x);
    return x;
}

/* Four words, all computed before any is used: Thumb-2 machines overlap loads that follow one
 * another, and wait a cycle for an address that was computed just before. */
#if AESFIT_THUMB2
#define AESFIT_BARRIER4(a, b, c, d) __asm__("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d))
#define AESFIT_ORDERED_BARRIER4(a, b, c, d)                                                        \
    __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d)) /* in the order of the source */
#else
#define AESFIT_BARRIER4(a, b, c, d) ((void)0)
#define AESFIT_ORDERED_BARRIER4(a, b, c, d) ((void)0)
#endif

#endif
