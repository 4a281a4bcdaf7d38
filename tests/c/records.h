/* SPDX-License-Identifier: MIT */
/* Reads records of "name value" lines from a file of known answers; a blank line ends a record,
 * # starts a comment. */
#ifndef AESFIT_TEST_RECORDS_H
#define AESFIT_TEST_RECORDS_H

#include "test.h"

typedef struct field {
    uint8_t bytes[128];
    size_t length;
} field;

typedef struct record {
    char mode[16];
    field key, nonce, ad, plain, cipher, tag;
} record;

static inline void record_take(record *r, const char *name, const char *value)
{
    static const char *const names[] = {"key", "nonce", "ad", "plain", "cipher", "tag"};
    field *const fields[] = {&r->key, &r->nonce, &r->ad, &r->plain, &r->cipher, &r->tag};
    size_t i = 0;
    if (strcmp(name, "mode") == 0) {
        snprintf(r->mode, sizeof r->mode, "%s", value);
        return;
    }
    while (i < 6 && strcmp(names[i], name) != 0)
        i++;
    if (CHECK(i < 6))
        fields[i]->length = hex_parse(fields[i]->bytes, sizeof fields[i]->bytes, value);
}

/* Calls check() for each record of tests/vectors/<name>; returns how many. */
static inline size_t for_each_record(const char *name,
                                     void (*check)(const record *r, size_t number))
{
    char path[1000], line[400];
    size_t records = 0;
    record r;
    FILE *file;
    snprintf(path, sizeof path, "%s/%s", test_vectors, name);
    file = fopen(path, "r");
    if (!CHECK(file != NULL))
        return 0;
    memset(&r, 0, sizeof r);
    for (;;) {
        const char *got = fgets(line, sizeof line, file);
        char *value = got != NULL ? strchr(line, ' ') : NULL;
        line[strcspn(line, "\r\n")] = '\0';
        if (value != NULL && line[0] != '#') {
            *value++ = '\0';
            record_take(&r, line, value);
        } else if ((got == NULL || line[0] == '\0') && r.mode[0] != '\0') {
            check(&r, ++records);
            memset(&r, 0, sizeof r);
        }
        if (got == NULL)
            break;
    }
    fclose(file);
    return records;
}

#endif
