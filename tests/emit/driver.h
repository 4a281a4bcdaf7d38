/* SPDX-License-Identifier: MIT */
/* Records of known answers as the driver takes them, and its way out of the machine. */
#ifndef DRIVER_H
#define DRIVER_H

#include <stddef.h>
#include <stdint.h>

#define FIELD_BYTES 66000 /* SP 800-38C, example 4, has 64 KiB of associated data */

typedef struct field {
    size_t length;
    uint8_t bytes[FIELD_BYTES];
} field;

/* In the order of the stream: three bytes and a mark, then fields, each with its length in four
 * bytes, the least significant first. */
typedef struct record {
    uint8_t mode, refused, verify_only, authentic;
    field key, nonce, ad, plain, cipher, tag;
} record;

#ifdef HOSTED
#include <stdio.h>
static size_t take(uint8_t *bytes, size_t size)
{
    return fread(bytes, 1, size, stdin);
}

static void say(const char *text)
{
    fputs(text, stdout);
}
#elif defined(IN_MEMORY)
#ifdef __cplusplus
extern "C" int driver_main(const uint8_t *bytes, size_t size, char *text);
#else
int driver_main(const uint8_t *bytes, size_t size, char *text);
#endif

static const uint8_t *given;
static size_t given_bytes;
static char *said;

static size_t take(uint8_t *bytes, size_t size)
{
    size_t taken = 0;
    for (; taken < size && given_bytes > 0; taken++, given_bytes--)
        bytes[taken] = *given++;
    return taken;
}

static void say(const char *text)
{
    while (*text != '\0')
        *said++ = *text++;
}
#else
#ifdef __cplusplus
extern "C" {
#endif
int driver_main(void);
/* Linux system calls of the machine; numbers in start.S. */
long driver_read(long file, void *bytes, size_t size);
long driver_write(long file, const void *bytes, size_t size);
#ifdef __cplusplus
}
#endif

static size_t take(uint8_t *bytes, size_t size)
{
    size_t taken = 0;
    while (taken < size) {
        long got = driver_read(0, bytes + taken, size - taken);
        if (got <= 0)
            break;
        taken += (size_t)got;
    }
    return taken;
}

static void say(const char *text)
{
    size_t length = 0;
    while (text[length] != '\0')
        length++;
    driver_write(1, text, length);
}
#endif

static void say_number(unsigned long number)
{
    char digits[24], *at = digits + sizeof digits;
    *--at = '\0';
    do {
        *--at = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    say(at);
}

static int take_field(field *f)
{
    uint8_t head[4];
    if (take(head, 4) != 4)
        return 0;
    f->length = (size_t)head[0] | (size_t)head[1] << 8 | (size_t)head[2] << 16;
    return f->length <= FIELD_BYTES && take(f->bytes, f->length) == f->length;
}

static int take_record(record *r)
{
    uint8_t head[4];
    if (take(head, 4) != 4)
        return 0;
    r->mode = head[0];
    r->refused = head[1];
    r->verify_only = head[2];
    r->authentic = head[3];
    return take_field(&r->key) && take_field(&r->nonce) && take_field(&r->ad) &&
           take_field(&r->plain) && take_field(&r->cipher) && take_field(&r->tag);
}

#endif
