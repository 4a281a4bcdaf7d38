/* SPDX-License-Identifier: MIT */
/* Every switch of a build, once, with its default and meaning, and the sizes of contexts, which
 * follow from them.
 *
 * The library and its callers must be compiled with the same switches.  CMake, Meson, ESP-IDF and
 * Zephyr write a copy of this file that begins with what was chosen, and install it.  Other builds
 * give all their files the same -D options.  tools/make_config.py writes this file from the
 * registers and from what cores and multipliers say of themselves. */
#ifndef AESFIT_CONFIG_H
#define AESFIT_CONFIG_H

/* Chosen by the build: nothing. */

#ifndef AESFIT_BOUND
/* ------------------------------------------------------- cores: 1 built, 0 left out */
/* What is built is what aesfit_core_by_name() knows and what a key has room for.  A program links
 * the cores that it names and, where it asks for one by a string, all that are built. */
/* 1: also the cores of src/cores/study, which exist for the papers. */
#ifndef AESFIT_STUDY_CORES
#define AESFIT_STUDY_CORES 0
#endif
#if defined(__x86_64__) || defined(__i386__)
#define AESFIT_ON_X86 1
#else
#define AESFIT_ON_X86 0
#endif
#ifndef AESFIT_CORE_bytewise
#define AESFIT_CORE_bytewise AESFIT_STUDY_CORES
#endif
#ifndef AESFIT_CORE_bytewise_alt1
#define AESFIT_CORE_bytewise_alt1 AESFIT_STUDY_CORES
#endif
#ifndef AESFIT_CORE_bytewise_alt2
#define AESFIT_CORE_bytewise_alt2 AESFIT_STUDY_CORES
#endif
#ifndef AESFIT_CORE_bytewise_unrolled
#define AESFIT_CORE_bytewise_unrolled AESFIT_STUDY_CORES
#endif
#ifndef AESFIT_CORE_compact
#define AESFIT_CORE_compact AESFIT_STUDY_CORES
#endif
#ifndef AESFIT_CORE_mobile
#define AESFIT_CORE_mobile AESFIT_STUDY_CORES
#endif
#ifndef AESFIT_CORE_sbox_columns
#define AESFIT_CORE_sbox_columns 1
#endif
#ifndef AESFIT_CORE_sbox_columns_dsp
#define AESFIT_CORE_sbox_columns_dsp 1
#endif
#ifndef AESFIT_CORE_sbox_columns_mul
#define AESFIT_CORE_sbox_columns_mul 1
#endif
#ifndef AESFIT_CORE_sbox_columns_otf
#define AESFIT_CORE_sbox_columns_otf 1
#endif
#ifndef AESFIT_CORE_sbox_columns_paper
#define AESFIT_CORE_sbox_columns_paper AESFIT_STUDY_CORES
#endif
#ifndef AESFIT_CORE_sbox_inverses
#define AESFIT_CORE_sbox_inverses AESFIT_STUDY_CORES
#endif
#ifndef AESFIT_CORE_transposed
#define AESFIT_CORE_transposed 1
#endif
#ifndef AESFIT_CORE_transposed_armv4
#define AESFIT_CORE_transposed_armv4 1
#endif
#ifndef AESFIT_CORE_transposed_armv6m
#define AESFIT_CORE_transposed_armv6m 1
#endif
#ifndef AESFIT_CORE_transposed_otf
#define AESFIT_CORE_transposed_otf 1
#endif
#ifndef AESFIT_CORE_transposed_paper
#define AESFIT_CORE_transposed_paper AESFIT_STUDY_CORES
#endif
#ifndef AESFIT_CORE_equivalent_inverse
#define AESFIT_CORE_equivalent_inverse AESFIT_STUDY_CORES
#endif
#ifndef AESFIT_CORE_ttable1
#define AESFIT_CORE_ttable1 1
#endif
#ifndef AESFIT_CORE_ttable1_armv4
#define AESFIT_CORE_ttable1_armv4 1
#endif
#ifndef AESFIT_CORE_ttable1_armv7m
#define AESFIT_CORE_ttable1_armv7m 1
#endif
#ifndef AESFIT_CORE_ttable1_armv8m
#define AESFIT_CORE_ttable1_armv8m 1
#endif
#ifndef AESFIT_CORE_ttable1_otf
#define AESFIT_CORE_ttable1_otf 1
#endif
#ifndef AESFIT_CORE_ttable1_wide
#define AESFIT_CORE_ttable1_wide 1
#endif
#ifndef AESFIT_CORE_ttable4
#define AESFIT_CORE_ttable4 1
#endif
#ifndef AESFIT_CORE_ttable4_wide
#define AESFIT_CORE_ttable4_wide 1
#endif
#ifndef AESFIT_CORE_ttable8
#define AESFIT_CORE_ttable8 1
#endif
#ifndef AESFIT_CORE_ttable_diffused
#define AESFIT_CORE_ttable_diffused 1
#endif
#ifndef AESFIT_CORE_ttable_diffused_armv6m
#define AESFIT_CORE_ttable_diffused_armv6m 1
#endif
#ifndef AESFIT_CORE_ttable_diffused_rv32
#define AESFIT_CORE_ttable_diffused_rv32 1
#endif
#ifndef AESFIT_CORE_tiny
#define AESFIT_CORE_tiny 1
#endif
#ifndef AESFIT_CORE_tableless
#define AESFIT_CORE_tableless AESFIT_STUDY_CORES
#endif
#ifndef AESFIT_CORE_fixslice
#define AESFIT_CORE_fixslice 1
#endif
#ifndef AESFIT_CORE_fixslice_armv7m
#define AESFIT_CORE_fixslice_armv7m 1
#endif
#ifndef AESFIT_CORE_fixslice_4k_armv7m
#define AESFIT_CORE_fixslice_4k_armv7m 1
#endif
#ifndef AESFIT_CORE_fixslice_armv4
#define AESFIT_CORE_fixslice_armv4 1
#endif
#ifndef AESFIT_CORE_fixslice_rv32
#define AESFIT_CORE_fixslice_rv32 1
#endif
#ifndef AESFIT_CORE_fixslice_armv6m
#define AESFIT_CORE_fixslice_armv6m 1
#endif
#ifndef AESFIT_CORE_bitslice_rv32
#define AESFIT_CORE_bitslice_rv32 0
#endif
#ifndef AESFIT_CORE_aesni
#define AESFIT_CORE_aesni AESFIT_ON_X86
#endif
/* 1: the default core is in C, also where one in assembly is faster (src/default.c). */
#ifndef AESFIT_DEFAULT_IN_C
#define AESFIT_DEFAULT_IN_C 0
#endif

/* ------------------------------------------ GHASH multipliers: 1 built, 0 left out */
#ifndef AESFIT_GHASH_clmul
#define AESFIT_GHASH_clmul AESFIT_ON_X86
#endif
#ifndef AESFIT_GHASH_shift32
#define AESFIT_GHASH_shift32 1
#endif
#ifndef AESFIT_GHASH_mul32
#define AESFIT_GHASH_mul32 1
#endif
#ifndef AESFIT_GHASH_mul_low
#define AESFIT_GHASH_mul_low 1
#endif
#ifndef AESFIT_GHASH_table4
#define AESFIT_GHASH_table4 1
#endif
#ifndef AESFIT_GHASH_table8
#define AESFIT_GHASH_table8 0
#endif
#endif

/* ------------------------------------------------------------- keys and directions */
/* Key sizes, a sum of 1: 128 bits, 2: 192 bits, 4: 256 bits.  Keys of another size are refused. */
#ifndef AESFIT_BOUND_KEY_SIZES
#define AESFIT_BOUND_KEY_SIZES 7
#endif
/* Directions that keys may be expanded for, AESFIT_ENCRYPT + AESFIT_DECRYPT.
 * aesfit_xts_expand_key() needs the first in any case, for the tweak. */
#ifndef AESFIT_BOUND_DIRECTIONS
#define AESFIT_BOUND_DIRECTIONS 3
#endif
/* 1: AESFIT_BOTH is allowed, so a key has room for the round keys of both directions.
 * 0: a key is expanded for one direction at a time, and AESFIT_BOTH is refused. */
#ifndef AESFIT_KEYS_FOR_BOTH
#define AESFIT_KEYS_FOR_BOTH 1
#endif
/* 1: messages are only encrypted; nothing is decrypted, unwrapped or verified. */
#ifndef AESFIT_BOUND_ENCRYPT_ONLY
#define AESFIT_BOUND_ENCRYPT_ONLY 0
#endif

/* 1: modes use a core's own paths over many blocks, which `aesni` alone has. */
#ifndef AESFIT_WITH_BULK
#ifdef AESFIT_BOUND
#define AESFIT_WITH_BULK 0
#else
#define AESFIT_WITH_BULK AESFIT_CORE_aesni
#endif
#endif

/* Which calls clear the stack and the registers that they used (parts/clear.h):
 * 0 none; 1 key set-up, messages and streams; 2 ECB too, whose calls may be as short as a block. */
#ifndef AESFIT_CLEAR
#define AESFIT_CLEAR 1
#endif

/* ------------------------------------------------ switches that are off by default */
/* AESFIT_NO_WIDE         leave out the paths on 512-bit registers (x86-64)
 * AESFIT_CLEAR_BYTES     bytes of stack that a call clears, a multiple of 32, in the place of what
 *                        parts/clear.h says; code without optimisation needs 8192 */
/* AESFIT_CHECK_OVERLAP   report buffers that overlap without being equal (AESFIT_ERR_OVERLAP)
 * AESFIT_WITHOUT_<MODE>  the self-test skips the mode, whose file is left out:
 *     AESFIT_WITHOUT_ECB, AESFIT_WITHOUT_CBC, AESFIT_WITHOUT_PKCS7, AESFIT_WITHOUT_CBC_CS3,
 *     AESFIT_WITHOUT_CTR, AESFIT_WITHOUT_CFB, AESFIT_WITHOUT_CFB8, AESFIT_WITHOUT_OFB,
 *     AESFIT_WITHOUT_XTS, AESFIT_WITHOUT_CBC_MAC, AESFIT_WITHOUT_CMAC, AESFIT_WITHOUT_CCM,
 *     AESFIT_WITHOUT_GCM, AESFIT_WITHOUT_GCM_SIV, AESFIT_WITHOUT_KW, AESFIT_WITHOUT_CCMP
 * AESFIT_BOUND           a core's name: the one core of a build in one translation unit (core.h)
 * AESFIT_BOUND_GHASH     its GHASH multiplier
 * AESFIT_MODE_FACTS      what modes say of themselves (mode.h), for the Python package
 * For tests: AESFIT_COUNT_READS (count reads of tables), AESFIT_CTGRIND (mark secrets for
 * valgrind). For experiments (parts/steps/ says what they do): AESFIT_AS_PRINTED,
 * AESFIT_STEPS_APART, AESFIT_ROTATIONS_APART, AESFIT_TEMPORARIES, AESFIT_DATA_TRANSPOSED. */

/* ----------------------------------------------------------------- sizes, in words */
#if (AESFIT_BOUND_KEY_SIZES & 4) != 0
#define AESFIT_BY_KEY_SIZE(size128, size192, size256) (size256)
#elif (AESFIT_BOUND_KEY_SIZES & 2) != 0
#define AESFIT_BY_KEY_SIZE(size128, size192, size256) (size192)
#else
#define AESFIT_BY_KEY_SIZE(size128, size192, size256) (size128)
#endif
#if AESFIT_BOUND_DIRECTIONS == 3 && AESFIT_KEYS_FOR_BOTH
#define AESFIT_KEY_SETS 2
#else
#define AESFIT_KEY_SETS 1
#endif
#define AESFIT_PASTE_(a, b) a##b
#define AESFIT_PASTE(a, b) AESFIT_PASTE_(a, b)

/* Round keys of each core. */
#define AESFIT_SCHEDULE_bytewise (AESFIT_BY_KEY_SIZE(44, 52, 60))
#define AESFIT_SCHEDULE_bytewise_alt1 (AESFIT_BY_KEY_SIZE(44, 52, 60))
#define AESFIT_SCHEDULE_bytewise_alt2 (AESFIT_BY_KEY_SIZE(44, 52, 60))
#define AESFIT_SCHEDULE_bytewise_unrolled (AESFIT_BY_KEY_SIZE(44, 52, 60))
#define AESFIT_SCHEDULE_compact (AESFIT_BY_KEY_SIZE(44, 52, 60))
#define AESFIT_SCHEDULE_mobile (AESFIT_BY_KEY_SIZE(44, 52, 60))
#define AESFIT_SCHEDULE_sbox_columns (AESFIT_BY_KEY_SIZE(44, 52, 60))
#define AESFIT_SCHEDULE_sbox_columns_dsp (AESFIT_BY_KEY_SIZE(44, 52, 60))
#define AESFIT_SCHEDULE_sbox_columns_mul (AESFIT_BY_KEY_SIZE(44, 52, 60))
#define AESFIT_SCHEDULE_sbox_columns_otf (AESFIT_BY_KEY_SIZE(4, 6, 8) * AESFIT_KEY_SETS)
#define AESFIT_SCHEDULE_sbox_columns_paper (AESFIT_BY_KEY_SIZE(44, 52, 60))
#define AESFIT_SCHEDULE_sbox_inverses (AESFIT_BY_KEY_SIZE(44, 52, 60))
#define AESFIT_SCHEDULE_transposed (AESFIT_BY_KEY_SIZE(44, 52, 60))
#define AESFIT_SCHEDULE_transposed_armv4 (AESFIT_BY_KEY_SIZE(44, 52, 60))
#define AESFIT_SCHEDULE_transposed_armv6m (AESFIT_BY_KEY_SIZE(44, 52, 60))
#define AESFIT_SCHEDULE_transposed_otf (AESFIT_BY_KEY_SIZE(4, 6, 8) * AESFIT_KEY_SETS)
#define AESFIT_SCHEDULE_transposed_paper (AESFIT_BY_KEY_SIZE(44, 52, 60))
#define AESFIT_SCHEDULE_equivalent_inverse (AESFIT_BY_KEY_SIZE(88, 104, 120))
#define AESFIT_SCHEDULE_ttable1 (AESFIT_BY_KEY_SIZE(44, 52, 60) * AESFIT_KEY_SETS)
#define AESFIT_SCHEDULE_ttable1_armv4 (AESFIT_BY_KEY_SIZE(44, 52, 60) * AESFIT_KEY_SETS)
#define AESFIT_SCHEDULE_ttable1_armv7m (AESFIT_BY_KEY_SIZE(44, 52, 60) * AESFIT_KEY_SETS)
#define AESFIT_SCHEDULE_ttable1_armv8m (AESFIT_BY_KEY_SIZE(44, 52, 60) * AESFIT_KEY_SETS)
#define AESFIT_SCHEDULE_ttable1_otf (AESFIT_BY_KEY_SIZE(4, 6, 8) * AESFIT_KEY_SETS)
#define AESFIT_SCHEDULE_ttable1_wide (AESFIT_BY_KEY_SIZE(44, 52, 60) * AESFIT_KEY_SETS)
#define AESFIT_SCHEDULE_ttable4 (AESFIT_BY_KEY_SIZE(44, 52, 60) * AESFIT_KEY_SETS)
#define AESFIT_SCHEDULE_ttable4_wide (AESFIT_BY_KEY_SIZE(44, 52, 60) * AESFIT_KEY_SETS)
#define AESFIT_SCHEDULE_ttable8 (AESFIT_BY_KEY_SIZE(44, 52, 60) * AESFIT_KEY_SETS)
#define AESFIT_SCHEDULE_ttable_diffused (AESFIT_BY_KEY_SIZE(44, 52, 60) * AESFIT_KEY_SETS)
#define AESFIT_SCHEDULE_ttable_diffused_armv6m (AESFIT_BY_KEY_SIZE(44, 52, 60) * AESFIT_KEY_SETS)
#define AESFIT_SCHEDULE_ttable_diffused_rv32 (AESFIT_BY_KEY_SIZE(44, 52, 60) * AESFIT_KEY_SETS)
#define AESFIT_SCHEDULE_tiny (AESFIT_BY_KEY_SIZE(44, 52, 60))
#define AESFIT_SCHEDULE_tableless (AESFIT_BY_KEY_SIZE(44, 52, 60))
#define AESFIT_SCHEDULE_fixslice (AESFIT_BY_KEY_SIZE(88, 104, 120))
#define AESFIT_SCHEDULE_fixslice_armv7m (AESFIT_BY_KEY_SIZE(88, 104, 120))
#define AESFIT_SCHEDULE_fixslice_4k_armv7m (AESFIT_BY_KEY_SIZE(88, 104, 120))
#define AESFIT_SCHEDULE_fixslice_armv4 (AESFIT_BY_KEY_SIZE(88, 104, 120))
#define AESFIT_SCHEDULE_fixslice_rv32 (AESFIT_BY_KEY_SIZE(88, 104, 120))
#define AESFIT_SCHEDULE_fixslice_armv6m (AESFIT_BY_KEY_SIZE(88, 104, 120))
#define AESFIT_SCHEDULE_bitslice_rv32 (AESFIT_BY_KEY_SIZE(296, 360, 424))
#define AESFIT_SCHEDULE_aesni (AESFIT_BY_KEY_SIZE(44, 52, 60) * AESFIT_KEY_SETS)
/* The longest of those that are built. */
#ifdef AESFIT_BOUND
#define AESFIT_LONGEST_SCHEDULE AESFIT_PASTE(AESFIT_SCHEDULE_, AESFIT_BOUND)
#elif AESFIT_CORE_bitslice_rv32
#define AESFIT_LONGEST_SCHEDULE (AESFIT_BY_KEY_SIZE(296, 360, 424))
#elif AESFIT_CORE_equivalent_inverse || AESFIT_CORE_fixslice || AESFIT_CORE_fixslice_armv7m ||     \
    AESFIT_CORE_fixslice_4k_armv7m || AESFIT_CORE_fixslice_armv4 || AESFIT_CORE_fixslice_rv32 ||   \
    AESFIT_CORE_fixslice_armv6m
#define AESFIT_LONGEST_SCHEDULE (AESFIT_BY_KEY_SIZE(88, 104, 120))
#elif AESFIT_CORE_ttable1 || AESFIT_CORE_ttable1_armv4 || AESFIT_CORE_ttable1_armv7m ||            \
    AESFIT_CORE_ttable1_armv8m || AESFIT_CORE_ttable1_wide || AESFIT_CORE_ttable4 ||               \
    AESFIT_CORE_ttable4_wide || AESFIT_CORE_ttable8 || AESFIT_CORE_ttable_diffused ||              \
    AESFIT_CORE_ttable_diffused_armv6m || AESFIT_CORE_ttable_diffused_rv32 || AESFIT_CORE_aesni
#define AESFIT_LONGEST_SCHEDULE (AESFIT_BY_KEY_SIZE(44, 52, 60) * AESFIT_KEY_SETS)
#elif AESFIT_CORE_bytewise || AESFIT_CORE_bytewise_alt1 || AESFIT_CORE_bytewise_alt2 ||            \
    AESFIT_CORE_bytewise_unrolled || AESFIT_CORE_compact || AESFIT_CORE_mobile ||                  \
    AESFIT_CORE_sbox_columns || AESFIT_CORE_sbox_columns_dsp || AESFIT_CORE_sbox_columns_mul ||    \
    AESFIT_CORE_sbox_columns_paper || AESFIT_CORE_sbox_inverses || AESFIT_CORE_transposed ||       \
    AESFIT_CORE_transposed_armv4 || AESFIT_CORE_transposed_armv6m ||                               \
    AESFIT_CORE_transposed_paper || AESFIT_CORE_tiny || AESFIT_CORE_tableless
#define AESFIT_LONGEST_SCHEDULE (AESFIT_BY_KEY_SIZE(44, 52, 60))
#elif AESFIT_CORE_sbox_columns_otf || AESFIT_CORE_transposed_otf || AESFIT_CORE_ttable1_otf
#define AESFIT_LONGEST_SCHEDULE (AESFIT_BY_KEY_SIZE(4, 6, 8) * AESFIT_KEY_SETS)
#else
#define AESFIT_LONGEST_SCHEDULE 1
#endif

/* aesfit_key.schedule */
#ifndef AESFIT_KEY_WORDS
#define AESFIT_KEY_WORDS AESFIT_LONGEST_SCHEDULE
#endif

/* GHASH key of each multiplier. */
#define AESFIT_GHASH_KEY_clmul 128
#define AESFIT_GHASH_KEY_shift32 9
#define AESFIT_GHASH_KEY_mul32 9
#define AESFIT_GHASH_KEY_mul_low 9
#define AESFIT_GHASH_KEY_table4 64
#define AESFIT_GHASH_KEY_table8 1024
/* The longest of those that are built. */
#ifdef AESFIT_BOUND_GHASH
#define AESFIT_LONGEST_GHASH_KEY AESFIT_PASTE(AESFIT_GHASH_KEY_, AESFIT_BOUND_GHASH)
#elif defined(AESFIT_BOUND) /* to a core alone: GCM is not there */
#define AESFIT_LONGEST_GHASH_KEY 1
#elif AESFIT_GHASH_table8
#define AESFIT_LONGEST_GHASH_KEY (1024)
#elif AESFIT_GHASH_clmul
#define AESFIT_LONGEST_GHASH_KEY (128)
#elif AESFIT_GHASH_table4
#define AESFIT_LONGEST_GHASH_KEY (64)
#elif AESFIT_GHASH_shift32 || AESFIT_GHASH_mul32 || AESFIT_GHASH_mul_low
#define AESFIT_LONGEST_GHASH_KEY (9)
#else
#define AESFIT_LONGEST_GHASH_KEY 1
#endif

/* aesfit_gcm_key.h */
#ifndef AESFIT_GHASH_WORDS
#define AESFIT_GHASH_WORDS AESFIT_LONGEST_GHASH_KEY
#endif

/* Contexts. */
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#define AESFIT_ALIGNED __attribute__((aligned(16))) /* no SSE load crosses a cache line */
#else
#define AESFIT_ALIGNED
#endif

#ifndef AESFIT_BOUND
/* ------------------------------------------------------------ every name there is */
/* clang-format off */
#define AESFIT_EVERY_CORE(DO) \
    DO(bytewise) DO(bytewise_alt1) DO(bytewise_alt2) DO(bytewise_unrolled) \
    DO(compact) DO(mobile) DO(sbox_columns) DO(sbox_columns_dsp) \
    DO(sbox_columns_mul) DO(sbox_columns_otf) DO(sbox_columns_paper) \
    DO(sbox_inverses) DO(transposed) DO(transposed_armv4) DO(transposed_armv6m) \
    DO(transposed_otf) DO(transposed_paper) DO(equivalent_inverse) DO(ttable1) \
    DO(ttable1_armv4) DO(ttable1_armv7m) DO(ttable1_armv8m) DO(ttable1_otf) \
    DO(ttable1_wide) DO(ttable4) DO(ttable4_wide) DO(ttable8) DO(ttable_diffused) \
    DO(ttable_diffused_armv6m) DO(ttable_diffused_rv32) DO(tiny) DO(tableless) \
    DO(fixslice) DO(fixslice_armv7m) DO(fixslice_4k_armv7m) DO(fixslice_armv4) \
    DO(fixslice_rv32) DO(fixslice_armv6m) DO(bitslice_rv32) DO(aesni)
#define AESFIT_EVERY_GHASH(DO) \
    DO(clmul) DO(shift32) DO(mul32) DO(mul_low) DO(table4) DO(table8)
/* clang-format on */
#endif

#endif
