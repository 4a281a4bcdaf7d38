/* SPDX-License-Identifier: MIT */
/* Runs a drop-in on whatever machine it was compiled for: its self-test, then records of known
 * answers from standard input, each encrypted and decrypted, apart and in place, and with a wrong
 * tag.  Written as for the library; tests/python/emitting/dropin_run.py puts the prefix of the
 * drop-in into the names, and defines MODE_<mode> (the number that records carry) for what the
 * drop-in holds:
 *   PLAIN_KEY     some mode takes an aesfit_key
 *   ENCRYPT_ONLY  it holds nothing that decrypts or verifies
 *   SEPARATE_KEYS its keys hold one direction at a time
 *   SELF_TEST     it holds its self-test
 *   KEY_DIRECTIONS  what its keys are expanded for
 *   ALL_FUNCTIONS  it holds the streamed calls too, as modes of their own
 *   HOSTED        there is a libc
 *   IN_MEMORY     a rig calls, and has put the records into memory
 * Without the last two start.S calls, and is called. */
#include "aesfit.h"
#include "driver.h"

static record r;
static field out;
static uint8_t iv[16]; /* for the call that replaces it */
static unsigned long records, checks, failures;

#ifdef PLAIN_KEY
static aesfit_key key;
#endif
#ifdef MODE_xts
static aesfit_xts_key xts_key;
#endif
#ifdef MODE_gcm
static aesfit_gcm_key gcm_key;
#endif
#ifdef MODE_gcm_siv
static aesfit_gcm_siv_key siv_key;
#endif

#define TRY(call)                                                                                  \
    do {                                                                                           \
        int tried = (call);                                                                        \
        if (tried != AESFIT_OK)                                                                    \
            return tried;                                                                          \
    } while (0)

#include "calls.h"

static void check(int good, const char *what)
{
    checks++;
    if (good)
        return;
    failures++;
    say("record ");
    say_number(records);
    say(": ");
    say(what);
    say("\n");
}

static int equal(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    while (bytes > 0 && a[bytes - 1] == b[bytes - 1])
        bytes--;
    return bytes == 0;
}

static void copy(uint8_t *to, const uint8_t *from, size_t bytes)
{
    while (bytes-- > 0)
        *to++ = *from++;
}

/* Puts `from` where the call reads it: over what it writes, or apart. */
static const uint8_t *placed(const field *from, int in_place)
{
    copy(iv, r.nonce.bytes, sizeof iv);
    if (in_place)
        copy(out.bytes, from->bytes, from->length);
    return in_place ? out.bytes : from->bytes;
}

static void check_seal(int in_place, const char *what)
{
    uint8_t tag[16] = {0};
    const uint8_t *in = placed(&r.plain, in_place);
    out.length = r.cipher.length;
    check(seal(in, tag) == AESFIT_OK, what);
    check(out.length == r.cipher.length && equal(out.bytes, r.cipher.bytes, out.length), what);
    check(equal(tag, r.tag.bytes, r.tag.length), what);
}

#ifndef ENCRYPT_ONLY
static void check_open(int in_place, const char *what)
{
    const uint8_t *in = placed(&r.cipher, in_place);
    out.length = r.plain.length;
    check(open_sealed(in) == AESFIT_OK, what);
    if (r.verify_only == 0)
        check(out.length == r.plain.length && equal(out.bytes, r.plain.bytes, out.length), what);
}

/* One bit of the tag, or of what takes its place, is turned. */
static void check_wrong(unsigned bit, const char *what)
{
    field *f = r.tag.length > 0 ? &r.tag : &r.cipher;
    uint8_t *byte = &f->bytes[bit == 0 ? f->length - 1 : f->length - 4];
    *byte ^= (uint8_t)(1u << bit);
    check(open_sealed(r.cipher.bytes) == AESFIT_ERR_AUTHENTICATION, what);
    *byte ^= (uint8_t)(1u << bit);
}

static void check_decryption(void)
{
    if (r.refused) {
        check(open_sealed(r.cipher.bytes) == AESFIT_ERR_AUTHENTICATION, "accepted");
        return;
    }
    if (!has_opposite())
        return;
    check_open(0, "decryption");
    if (r.verify_only == 0)
        check_open(1, "decryption in place");
    if (r.authentic) {
        check_wrong(0, "wrong last bit accepted");
        check_wrong(7, "wrong high bit accepted");
    }
}
#endif

static void check_record(void)
{
#ifdef SEPARATE_KEYS
    check(expand(3) == AESFIT_ERR_ARGUMENT, "both directions refused");
    check(expand(AESFIT_ENCRYPT) == AESFIT_OK, "key expansion");
#else
    check(expand(KEY_DIRECTIONS) == AESFIT_OK, "key expansion");
#endif
    if (!r.refused) {
        check_seal(0, "encryption");
        if (r.verify_only == 0)
            check_seal(1, "encryption in place");
    }
#ifdef SEPARATE_KEYS
    check(expand(AESFIT_DECRYPT) == AESFIT_OK, "key expansion");
#endif
#ifndef ENCRYPT_ONLY
    check_decryption();
#endif
}

#ifdef SELF_TEST
static void check_self(void)
{
    const char *failed = "";
    check(aesfit_self_test(&failed) == AESFIT_OK && failed == NULL, "self-test");
    check(aesfit_self_test(NULL) == AESFIT_OK, "self-test");
}
#endif

static int run(void)
{
#ifdef SELF_TEST
    check_self();
#endif
    for (records = 1; take_record(&r); records++)
        check_record();
    aesfit_wipe(&r.key, sizeof r.key);
    check(r.key.length == 0 && r.key.bytes[0] == 0, "wipe");
    say("records ");
    say_number(records - 1);
    say(" checks ");
    say_number(checks);
    say(" failures ");
    say_number(failures);
    say("\n");
    return failures != 0;
}

#ifdef HOSTED
int main(void)
{
    return run();
}
#elif defined(IN_MEMORY)
int driver_main(const uint8_t *bytes, size_t size, char *text)
{
    given = bytes;
    given_bytes = size;
    said = text;
    return run();
}
#else
int driver_main(void)
{
    return run();
}
#endif
