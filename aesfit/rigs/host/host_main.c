/* SPDX-License-Identifier: MIT */
/* Runs one measured operation on this processor, driven by aesfit/rigs/host/child.py over standard
 * input and output.  It is linked with a measured translation unit; the entry points that the unit
 * does not have are null.  Arguments: the operation's name and, for "load", a file.  Input:
 *
 * - nine decimal numbers on one line: the words nonce_bytes and ad_bytes of a message, the room for
 *   its output, then how many bytes there are of key, nonce, associated data, data, data of a
 *   second message, which `both` decrypts, and tag;
 * - these bytes, and then the tags of the two messages, 16 bytes each;
 * - commands, one a line.  "run N": N calls between two probes; the answer is ticks, probe, core
 *   cycles, instructions, and whether the last two were counted.  "output": one call from the
 *   beginning; the answer is its status, the number of bytes that follow on the next line, and
 *   the bytes: blocks, output, tag (16 bytes), output of the second message.  "time N": N calls,
 *   each on the same message and timed by itself; the answer is one line of nanoseconds: the least
 *   of N windows without a call, the calls, and the processor's time that this program had over
 *   all of them.  "load N": likewise, and in each window the data is first read from the beginning
 *   of the file, which is opened and closed.
 *
 * Blocks are worked on in place, so that each call waits for the one before; messages go from one
 * buffer to another. */
#define _DEFAULT_SOURCE /* syscall() */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"
#include "host_clock.h"

#define HOST_WEAK __attribute__((weak))
extern const uint32_t rig_context_bytes;
HOST_WEAK void rig_prepare(void *key);
HOST_WEAK void rig_key_setup_encrypt(void *key, const uint8_t *bytes);
HOST_WEAK void rig_key_setup_decrypt(void *key, const uint8_t *bytes);
HOST_WEAK void rig_encrypt_block(const void *key, uint8_t *out, const uint8_t *in, size_t blocks);
HOST_WEAK void rig_decrypt_block(const void *key, uint8_t *out, const uint8_t *in, size_t blocks);
HOST_WEAK int rig_key_setup(void *key, const rig_message *m);
HOST_WEAK int rig_encrypt(const void *key, rig_message *m);
HOST_WEAK int rig_decrypt(const void *key, rig_message *m);

enum { HOST_ALIGN = 64, HOST_TAG_BYTES = 16 };

static void *host_key;
static uint8_t *host_work; /* blocks */
static uint8_t *host_in;
static const char *host_file;
static const uint8_t *host_nonce, *host_tag;
static size_t host_nonce_bytes;
static rig_message host_message, host_back;

static void host_fail(const char *why)
{
    fprintf(stderr, "host_main: %s\n", why);
    exit(1);
}

static uint8_t *host_buffer(size_t bytes)
{
    size_t rounded = (bytes + HOST_ALIGN) / HOST_ALIGN * HOST_ALIGN;
    uint8_t *buffer = (uint8_t *)aligned_alloc(HOST_ALIGN, rounded);
    if (buffer == NULL)
        host_fail("out of memory");
    memset(buffer, 0, rounded);
    return buffer;
}

static uint8_t *host_read(size_t bytes)
{
    uint8_t *buffer = host_buffer(bytes);
    if (fread(buffer, 1, bytes, stdin) != bytes)
        host_fail("the input ended early");
    return buffer;
}

/* ---------------------------------------------------------------- operations */

static int host_key_setup_encrypt(void)
{
    rig_key_setup_encrypt(host_key, host_message.key);
    return 0;
}

static int host_key_setup_decrypt(void)
{
    rig_key_setup_decrypt(host_key, host_message.key);
    return 0;
}

static int host_encrypt_block(void)
{
    rig_encrypt_block(host_key, host_work, host_work, host_message.bytes / 16);
    return 0;
}

static int host_decrypt_block(void)
{
    rig_decrypt_block(host_key, host_work, host_work, host_message.bytes / 16);
    return 0;
}

static int host_key_setup(void)
{
    return rig_key_setup(host_key, &host_message);
}

static int host_encrypt(void)
{
    return rig_encrypt(host_key, &host_message);
}

static int host_decrypt(void)
{
    return rig_decrypt(host_key, &host_message);
}

static int host_whole_message(void)
{
    return host_key_setup() | host_encrypt();
}

static int host_both(void)
{
    return host_encrypt() | rig_decrypt(host_key, &host_back);
}

/* after: what shows the key that an operation left. */
typedef struct host_operation {
    const char *name;
    int (*before)(void), (*step)(void), (*after)(void);
} host_operation;

static const host_operation host_operations[] = {
    {"key-setup-encrypt", NULL, host_key_setup_encrypt, host_encrypt_block},
    {"key-setup-decrypt", NULL, host_key_setup_decrypt, host_decrypt_block},
    {"encrypt-block", host_key_setup_encrypt, host_encrypt_block, NULL},
    {"decrypt-block", host_key_setup_decrypt, host_decrypt_block, NULL},
    {"key-setup", NULL, host_key_setup, host_encrypt},
    {"message", NULL, host_whole_message, NULL},
    {"encrypt", host_key_setup, host_encrypt, NULL},
    {"decrypt", host_key_setup, host_decrypt, NULL},
    {"both", host_key_setup, host_both, NULL},
};

/* ------------------------------------------------------------------ messages */

static void host_read_messages(void)
{
    rig_message *m = &host_message, *back = &host_back;
    size_t key_bytes, ad_bytes;
    if (scanf("%zu %zu %zu %zu %zu %zu %zu %zu", &m->nonce_bytes, &m->ad_bytes, &m->out_size,
              &key_bytes, &host_nonce_bytes, &ad_bytes, &m->bytes, &back->bytes) != 8 ||
        scanf("%zu", &m->tag_bytes) != 1 || getchar() != '\n')
        host_fail("nine numbers are wanted first");
    *back = (rig_message){.bytes = back->bytes,
                          .nonce_bytes = m->nonce_bytes,
                          .ad_bytes = m->ad_bytes,
                          .out_size = m->out_size,
                          .tag_bytes = m->tag_bytes};
    back->key = m->key = host_read(key_bytes);
    host_nonce = host_read(host_nonce_bytes);
    back->ad = m->ad = host_read(ad_bytes);
    m->in = host_in = host_read(m->bytes);
    back->in = host_read(back->bytes);
    host_tag = host_read(HOST_TAG_BYTES);
    back->tag = host_read(HOST_TAG_BYTES);
    host_work = host_buffer(m->bytes);
    m->tag = host_buffer(HOST_TAG_BYTES);
    m->nonce = host_buffer(host_nonce_bytes);
    back->nonce = host_buffer(host_nonce_bytes);
    m->out = host_buffer(m->out_size);
    back->out = host_buffer(m->out_size);
}

/* Everything as it was before the first call. */
static void host_rewind(void)
{
    memcpy(host_work, host_message.in, host_message.bytes);
    memcpy(host_message.nonce, host_nonce, host_nonce_bytes);
    memcpy(host_back.nonce, host_nonce, host_nonce_bytes);
    memcpy(host_message.tag, host_tag, HOST_TAG_BYTES);
}

static void host_output(const host_operation *operation)
{
    const rig_message *m = &host_message;
    int status;
    host_rewind();
    status = operation->step();
    if (operation->after != NULL)
        status |= operation->after();
    printf("%d %zu\n", status, m->bytes + 2 * m->out_size + HOST_TAG_BYTES);
    fwrite(host_work, 1, m->bytes, stdout);
    fwrite(m->out, 1, m->out_size, stdout);
    fwrite(m->tag, 1, HOST_TAG_BYTES, stdout);
    fwrite(host_back.out, 1, m->out_size, stdout);
    fflush(stdout);
}

/* -------------------------------------------------------------------- batches */

static void host_run(const host_operation *operation, unsigned long calls)
{
    int (*step)(void) = operation->step;
    host_batch batch;
    (void)step(); /* warms caches and predictors */
    host_batch_begin(&batch);
    for (unsigned long i = 0; i < calls; i++)
        (void)step();
    host_batch_end(&batch);
    printf("%llu %llu %llu %llu %d\n", (unsigned long long)batch.ticks,
           (unsigned long long)batch.probe, (unsigned long long)batch.count.core_cycles,
           (unsigned long long)batch.count.instructions, batch.count.valid);
    fflush(stdout);
}

/* -------------------------------------------------------------- single calls */

static uint64_t host_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t host_nanoseconds(void)
{
    return host_clock(CLOCK_MONOTONIC);
}

static void host_load(void)
{
    size_t done = 0;
    int file = open(host_file, O_RDONLY);
    while (file >= 0 && done < host_message.bytes) {
        ssize_t got = read(file, host_in + done, host_message.bytes - done);
        if (got <= 0)
            host_fail("the file ended early or cannot be read");
        done += (size_t)got;
    }
    if (file < 0 || close(file) != 0)
        host_fail("the file cannot be opened");
}

static uint64_t host_least_window(unsigned long windows)
{
    uint64_t least = UINT64_MAX;
    for (unsigned long i = 0; i < windows; i++) {
        uint64_t start = host_nanoseconds(), took = host_nanoseconds() - start;
        least = took < least ? took : least;
    }
    return least;
}

static void host_time(const host_operation *operation, unsigned long calls, int loads)
{
    uint64_t had;
    printf("%llu", (unsigned long long)host_least_window(calls));
    had = host_clock(CLOCK_PROCESS_CPUTIME_ID);
    if (loads) /* what is there afterwards came from the file */
        memset(host_in, 0, host_message.bytes);
    for (unsigned long i = 0; i < calls; i++) {
        uint64_t start;
        memcpy(host_message.nonce, host_nonce, host_nonce_bytes);
        start = host_nanoseconds();
        if (loads)
            host_load();
        if (operation->step() != 0)
            host_fail("a call was refused");
        printf(" %llu", (unsigned long long)(host_nanoseconds() - start));
    }
    printf(" %llu\n", (unsigned long long)(host_clock(CLOCK_PROCESS_CPUTIME_ID) - had));
    fflush(stdout);
}

static const host_operation *host_operation_of(const char *name)
{
    for (size_t i = 0; i < sizeof host_operations / sizeof host_operations[0]; i++)
        if (strcmp(host_operations[i].name, name) == 0)
            return &host_operations[i];
    return NULL;
}

int main(int argc, char **argv)
{
    const host_operation *operation = argc >= 2 ? host_operation_of(argv[1]) : NULL;
    char line[64];
    if (operation == NULL)
        host_fail("no such operation");
    host_file = argc > 2 ? argv[2] : "";
    host_key = host_buffer(rig_context_bytes);
    if (rig_prepare != NULL)
        rig_prepare(host_key);
    host_read_messages();
    host_rewind();
    if (operation->before != NULL && operation->before() != 0)
        host_fail("the key was refused");
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strncmp(line, "run ", 4) == 0)
            host_run(operation, strtoul(line + 4, NULL, 10));
        else if (strncmp(line, "time ", 5) == 0 || strncmp(line, "load ", 5) == 0)
            host_time(operation, strtoul(line + 5, NULL, 10), line[0] == 'l');
        else if (strcmp(line, "output\n") == 0)
            host_output(operation);
        else
            host_fail("unknown command");
    }
    return 0;
}
