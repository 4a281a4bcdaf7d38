/* SPDX-License-Identifier: MIT */
/* The published answers of tests/vectors/modes.txt, over every core: at once, in place, and as a
 * stream cut into single bytes. */
#include "modes.h"

typedef struct record {
    aesfit_mode mode;
    uint8_t key[64], iv[16], plain[64], cipher[80];
    size_t key_bytes, iv_bytes, plain_bytes, cipher_bytes;
} record;

static void check_direction(const mode_key *key, const record *r, int encrypt)
{
    const uint8_t *in = encrypt ? r->plain : r->cipher, *want = encrypt ? r->cipher : r->plain;
    size_t bytes = encrypt ? r->plain_bytes : r->cipher_bytes;
    size_t expected = encrypt ? r->cipher_bytes : r->plain_bytes, written;
    uint8_t out[64 + AESFIT_STREAM_HELD + 16];

    CHECK_STATUS(mode_crypt(key, r->mode, encrypt, r->iv, out, &written, in, bytes), AESFIT_OK);
    CHECK(written == expected);
    CHECK_BYTES(out, want, expected);

    memcpy(out, in, bytes);
    CHECK_STATUS(mode_crypt(key, r->mode, encrypt, r->iv, out, &written, out, bytes), AESFIT_OK);
    CHECK(written == expected);
    CHECK_BYTES(out, want, expected);

    CHECK_STATUS(mode_stream(key, r->mode, encrypt, r->iv, out, &written, in, bytes, 1), AESFIT_OK);
    CHECK(written == expected);
    CHECK_BYTES(out, want, expected);
}

static void check_record(const record *r, size_t number)
{
    for (size_t i = 0; i < aesfit_core_count(); i++) {
        const aesfit_core *core = aesfit_core_at(i);
        size_t key_bytes = r->mode == AESFIT_XTS ? r->key_bytes / 2 : r->key_bytes;
        mode_key key;
        if (!aesfit_core_available(core))
            continue;
        test_context("record %lu, %s, %s", (unsigned long)number, mode_names[r->mode],
                     aesfit_core_name(core));
        if (!CHECK_STATUS(mode_expand(&key, r->mode, core, r->key, key_bytes), AESFIT_OK))
            continue;
        check_direction(&key, r, 1);
        check_direction(&key, r, 0);
    }
}

static aesfit_mode mode_by_name(const char *name)
{
    int mode = 0;
    while (mode < AESFIT_MODE_COUNT && strcmp(mode_names[mode], name) != 0)
        mode++;
    CHECK(mode < AESFIT_MODE_COUNT);
    return (aesfit_mode)mode;
}

/* Adds one line to the record; 0 if it is empty. */
static int take_line(record *r, char *line)
{
    char *value = strchr(line, ' ');
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '\0' || line[0] == '#' || value == NULL)
        return line[0] != '\0';
    *value++ = '\0';
    if (strcmp(line, "mode") == 0)
        r->mode = mode_by_name(value);
    else if (strcmp(line, "key") == 0)
        r->key_bytes = hex_parse(r->key, sizeof r->key, value);
    else if (strcmp(line, "iv") == 0)
        r->iv_bytes = hex_parse(r->iv, sizeof r->iv, value);
    else if (strcmp(line, "plain") == 0)
        r->plain_bytes = hex_parse(r->plain, sizeof r->plain, value);
    else if (strcmp(line, "cipher") == 0)
        r->cipher_bytes = hex_parse(r->cipher, sizeof r->cipher, value);
    else
        CHECK(strcmp(line, "one of the names above") == 0);
    return 1;
}

int main(int argc, char **argv)
{
    char path[1000], line[300];
    record r;
    size_t records = 0;
    FILE *file;
    test_begin(argc, argv);
    snprintf(path, sizeof path, "%s/modes.txt", test_vectors);
    file = fopen(path, "r");
    if (!CHECK(file != NULL))
        return test_end();
    memset(&r, 0, sizeof r);
    for (;;) {
        const char *got = fgets(line, sizeof line, file);
        if (got != NULL && take_line(&r, line))
            continue;
        if (r.key_bytes > 0)
            check_record(&r, ++records);
        memset(&r, 0, sizeof r);
        if (got == NULL)
            break;
    }
    fclose(file);
    CHECK(records == 50);
    return test_end();
}
