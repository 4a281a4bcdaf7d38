/* SPDX-License-Identifier: MIT */
/* What the harness and its modes share.  One translation unit is, in this order: core.h, this
 * header, the calls of a mode (aesfit/building/calls.py), the core, the GHASH multiplier, key.c,
 * the modes, harness.c (aesfit/building/unit.py writes it).  It needs AESFIT_BOUND      the core
 *   RIG_KEY_BITS      128, 192 or 256
 *   RIG_DIRECTIONS    the directions that keys are expanded for
 *   RIG_MODE          defined when a mode is measured, not a core alone,
 *   RIG_SET_UP        then: the library's function that expands the mode's key,
 * and takes
 *   RIG_ROUNDS        rounds of a core alone, for study; the standard's otherwise.
 *
 * What a rig adds to a firmware stands in sections .harness.*, so that it is told from what the
 * firmware would carry without it. */
#ifndef AESFIT_RIG_HARNESS_H
#define AESFIT_RIG_HARNESS_H

#define RIG_TEXT_(x) #x
#define RIG_TEXT(x) RIG_TEXT_(x)

/* Before what a rig asks for by name: the unit is compiled as a whole program (-fwhole-program),
 * so that what nobody calls is gone. */
#if defined(__clang__)
#define RIG_SEEN __attribute__((used))
#else
#define RIG_SEEN __attribute__((externally_visible))
#endif

/* Before a function or constant of the rig itself. */
#define RIG_OWN(name) RIG_SEEN __attribute__((section(".harness." #name)))

/* A public function of the library that the harness calls: compiled as for callers in other
 * files, so neither put into the harness nor made to measure for its arguments. */
#if defined(__clang__)
#define RIG_PUBLIC(name) __typeof__(name) name __attribute__((noinline))
#else
#define RIG_PUBLIC(name) __typeof__(name) name __attribute__((noipa))
#endif

#ifdef RIG_MODE
RIG_PUBLIC(RIG_SET_UP);
#endif

/* One message and where its parts lie: twelve machine words and one that comes back.
 * jobs/message.py packs it. */
typedef struct rig_message {
    const uint8_t *key;
    uint8_t *nonce;     /* IV, counter or tweak too; CBC writes it */
    size_t nonce_bytes; /* CCMP: the packet number */
    const uint8_t *ad;  /* CCMP: the header starts `in` */
    size_t ad_bytes;
    uint8_t *out;
    size_t out_size;
    const uint8_t *in;
    size_t bytes;
    uint8_t *tag;
    size_t tag_bytes;
    size_t out_bytes; /* written by modes that change the length */
} rig_message;

#endif
