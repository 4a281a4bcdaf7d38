/* SPDX-License-Identifier: MIT */
/* What is true of a mode, for those who list it, call it, measure it and prove it.
 *
 * modes/<name>.c ends in one of these structs, and modes/modes.def names it.  The library reads
 * none, so only a build with AESFIT_MODE_FACTS has them: that for the Python package, which reads
 * them (aesfit/catalog.py); tests hold them against what the functions accept. */
#ifndef AESFIT_MODE_H
#define AESFIT_MODE_H

#include "core.h"

/* Numbers of bytes: least, least + step, ... up to most.  All zero: there is no such part. */
typedef struct aesfit_sizes {
    uint64_t least, most;
    uint32_t step;
} aesfit_sizes;

#define AESFIT_NO_LIMIT UINT64_MAX

/* A public function that takes a message, and its arguments behind the key, which are separated by
 * spaces: a number, or one of
 *   nonce, ad, in, out, tag   where that part lies; `in` and `out` may be the same
 *   nonce_bytes, ad_bytes, bytes, out_size, tag_bytes   their sizes; `bytes` is that of `in`
 *   &out_bytes                where the size of the result is written
 *   &state                    an object of the type `state`, which `start` makes ready.
 * With AESFIT_MODE_HEADER nonce_bytes is the packet number, and `bytes` is the size of `in` with
 * its header. */
typedef struct aesfit_call {
    const char *function, *arguments;
} aesfit_call;

/* A mode of aesfit_stream, and its name for people. */
typedef struct aesfit_streamed {
    const char *name;
    aesfit_mode mode;
    uint8_t iv; /* bytes of the IV that it begins with */
} aesfit_streamed;

/* properties */
#define AESFIT_MODE_INVERSE 1u       /* decryption needs decrypt() of the core */
#define AESFIT_MODE_VERDICT 2u       /* decryption tells whether a message is valid */
#define AESFIT_MODE_KEYSTREAM 4u     /* a second message under one nonce betrays both */
#define AESFIT_MODE_GHASH 8u         /* multiplies by a GHASH multiplier */
#define AESFIT_MODE_PUBLIC_NONCE 16u /* branches depend on the nonce, which is public */
#define AESFIT_MODE_HEADER 32u       /* `in` begins with the associated data, which are public */
#define AESFIT_MODE_MESSAGE_KEYS 64u /* a message has keys of its own, which no context keeps */

typedef struct aesfit_mode_facts {
    const char *name;     /* as in modes.def and the file name */
    const char *title;    /* as people know it */
    const char *summary;  /* one line */
    const char *standard; /* where it is specified */
    const char *acvp;     /* among NIST's vectors (ACVP), NULL: not, or under several names */
    uint8_t properties;
    uint8_t key_sizes; /* as AESFIT_BOUND_KEY_SIZES: 1, 2 and 4 for 128, 192 and 256 bits */
    uint8_t keys;      /* AES keys, one behind the other */
    aesfit_sizes nonce, ad, tag, payload; /* nonce: IV, counter or tweak; payload: as encrypted */
    uint8_t short_tags[2];                /* sizes beside `tag`, for some uses alone */
    uint8_t grows;                        /* bytes by which the result is longer */
    uint8_t pads_to; /* padded to a multiple of this, by a byte at least; 0: not padded */
    struct {
        uint8_t nonce, ad, tag;
    } usual;                  /* sizes in the messages that are measured */
    const char *nonce_called; /* its name for people and in programs; NULL: there is none */
    const char *nonce_rule;   /* how it is chosen */
    const char *payload_rule; /* what to mind of a payload, or NULL */
    const char *expand_key;
    const char *state;              /* type of what a message keeps between calls, or NULL */
    aesfit_call start;              /* makes a state ready; its arguments are not behind a key */
    aesfit_call encrypt, decrypt;   /* decrypt.function NULL: there is none */
    const char *carries;            /* what goes from a call to the next one of a message: "state",
                                       "nonce" (the call writes the next IV over it), "nothing";
                                       NULL: one call is a whole message */
    const aesfit_streamed *streams; /* NULL: none */
    uint8_t stream_count;
    uint8_t segment;     /* bytes of a step, after which the next input follows; 0: no chain */
    uint8_t block_calls; /* calls of the core for each 16 bytes; 0: other work counts as much */
    uint16_t loops;      /* bytes of a message in which every loop runs again; 0: a short one */
} aesfit_mode_facts;

#define AESFIT_EVERY_KEY_SIZE 7u

#endif
