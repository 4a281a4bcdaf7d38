/* SPDX-License-Identifier: MIT */
/* Encrypts a note with AES-256-GCM, opens it again, and shows that a changed one is refused. */
#include <aesfit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY = 32, NONCE = 12, TAG = 16, LONGEST = 1024 };

typedef struct sealed_note {
    uint8_t nonce[NONCE], text[LONGEST], tag[TAG];
    size_t bytes; /* of text */
} sealed_note;

static const uint8_t label[] = {'n', 'o', 't', 'e'}; /* authenticated, not encrypted */

/* Without randomness there is nothing to go on with.  Windows: BCryptGenRandom(). */
static void random_bytes(uint8_t *out, size_t bytes)
{
    FILE *source = fopen("/dev/urandom", "rb");
    if (source == NULL || fread(out, 1, bytes, source) != bytes) {
        fprintf(stderr, "the system gives no random bytes\n");
        exit(1);
    }
    fclose(source);
}

/* A fresh nonce each time: under one key none may come twice. */
static int seal(const aesfit_gcm_key *key, sealed_note *note, const char *text)
{
    note->bytes = strlen(text);
    if (note->bytes > LONGEST)
        return AESFIT_ERR_LENGTH;
    random_bytes(note->nonce, NONCE);
    return aesfit_gcm_encrypt(key, note->nonce, NONCE, label, sizeof label, note->text,
                              (const uint8_t *)text, note->bytes, note->tag, TAG);
}

static int unseal(const aesfit_gcm_key *key, char text[LONGEST + 1], const sealed_note *note)
{
    text[note->bytes] = '\0';
    return aesfit_gcm_decrypt(key, note->nonce, NONCE, label, sizeof label, (uint8_t *)text,
                              note->text, note->bytes, note->tag, TAG);
}

static void print_hex(const char *name, const uint8_t *bytes, size_t count)
{
    printf("%-9s", name);
    for (size_t i = 0; i < count; i++)
        printf("%02x", bytes[i]);
    printf("\n");
}

static int make_key(aesfit_gcm_key *key)
{
    uint8_t bytes[KEY];
    random_bytes(bytes, KEY);
    /* NULL: the core and the multiplier that suit this processor, constant-time always. */
    int status = aesfit_gcm_expand_key(key, NULL, NULL, bytes, KEY);
    aesfit_wipe(bytes, KEY);
    return status;
}

static int failed(const char *what, int status)
{
    fprintf(stderr, "%s: %s\n", what, aesfit_strerror(status));
    return 1;
}

int main(int argc, char **argv)
{
    const char *text = argc > 1 ? argv[1] : "Meet me at the lighthouse.";
    char opened[LONGEST + 1];
    sealed_note note;
    aesfit_gcm_key key;
    int status;
    if ((status = make_key(&key)) != AESFIT_OK)
        return failed("key", status);
    if ((status = seal(&key, &note, text)) != AESFIT_OK)
        return failed("sealing", status);
    print_hex("nonce", note.nonce, NONCE);
    print_hex("sealed", note.text, note.bytes);
    print_hex("tag", note.tag, TAG);
    if ((status = unseal(&key, opened, &note)) != AESFIT_OK)
        return failed("opening", status);
    printf("%-9s%s\n", "opened", opened);

    note.tag[0] ^= 1;
    status = unseal(&key, opened, &note);
    printf("%-9s%s\n", "changed", aesfit_strerror(status));
    aesfit_wipe(&key, sizeof key);
    return status != AESFIT_ERR_AUTHENTICATION;
}
