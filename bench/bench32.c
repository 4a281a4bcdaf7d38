/* SPDX-License-Identifier: MIT */
/* The cores as a 32-bit program sees them: core cycles per block and per key, AES-128.
 *
 *   bench32                  a table of all cores that need no special instructions
 *   bench32 CORE OP COUNT    one operation COUNT times and no output, to count instructions
 *                            under valgrind; OP: key-encrypt key-both encrypt decrypt
 *
 * Encryption and decryption: one block a call, each block the input of the next; "bulk": 64
 * blocks a call.  Built with -m32 by bench32.sh. */
#include "core.h"
#include "cycle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BULK_BLOCKS = 64, BATCHES = 41, ATTEMPTS = 2000 };

typedef enum bench32_op {
    KEY_ENCRYPT,
    KEY_BOTH,
    ENCRYPT,
    DECRYPT,
    ENCRYPT_BULK,
    DECRYPT_BULK,
    OPS
} bench32_op;

static const char *const op_names[OPS] = {"key-encrypt", "key-both",     "encrypt",
                                          "decrypt",     "encrypt-bulk", "decrypt-bulk"};

/* Operations in a batch: some 50 us, well below the length of a slow period. */
static const unsigned op_batch[OPS] = {200, 100, 200, 200, 4, 4};

static aesfit_key key;
static uint8_t data[16 * BULK_BLOCKS];
static const uint8_t key_bytes[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                      0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};

static void run(const aesfit_core *core, bench32_op op, unsigned count)
{
    while (count-- > 0) {
        switch (op) {
        case KEY_ENCRYPT:
            core->expand_key(&key, key_bytes, AESFIT_ENCRYPT);
            break;
        case KEY_BOTH:
            core->expand_key(&key, key_bytes, AESFIT_BOTH);
            break;
        case ENCRYPT:
            core->encrypt(&key, data, data, 1);
            break;
        case DECRYPT:
            core->decrypt(&key, data, data, 1);
            break;
        case ENCRYPT_BULK:
            core->encrypt(&key, data, data, BULK_BLOCKS);
            break;
        default:
            core->decrypt(&key, data, data, BULK_BLOCKS);
        }
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median core cycles of one operation, over batches between two probes that both ran at the
 * usual speed; dirty batches are repeated.  0 when the machine was never quiet. */
static double median_cycles(const aesfit_core *core, bench32_op op)
{
    static uint64_t shortest = UINT64_MAX;
    double clean[BATCHES];
    unsigned found = 0;
    run(core, op, op_batch[op]); /* warms caches and predictors */
    for (unsigned attempt = 0; attempt < ATTEMPTS && found < BATCHES; attempt++) {
        uint64_t before = host_probe();
        uint64_t start = host_now();
        run(core, op, op_batch[op]);
        uint64_t batch = host_now() - start;
        uint64_t after = host_probe();
        if (before < shortest)
            shortest = before;
        if (before > shortest + shortest / 16 || after > shortest + shortest / 16)
            continue;
        double cycle = (double)(before + after) / (2.0 * HOST_PROBE_CYCLES);
        clean[found++] = (double)batch / cycle / op_batch[op];
    }
    if (found < BATCHES)
        return 0;
    qsort(clean, found, sizeof clean[0], by_value);
    return clean[found / 2] / (op >= ENCRYPT_BULK ? BULK_BLOCKS : 1);
}

static void print_table(void)
{
    const host_cycle cycle = host_cycle_measure();
    printf("core cycles, AES-128, %u-bit build\n", (unsigned)(8 * sizeof(void *)));
    cycle_print(&cycle);
    printf("%-20s%12s%12s%12s%12s%14s%14s\n", "core", op_names[0], op_names[1], op_names[2],
           op_names[3], op_names[4], op_names[5]);
    for (size_t i = 0; i < aesfit_core_count(); i++) {
        const aesfit_core *core = aesfit_core_at(i);
        if (core->needs[0] != '\0' ||
            aesfit_expand_key(&key, core, key_bytes, sizeof key_bytes, AESFIT_BOTH) != AESFIT_OK)
            continue;
        printf("%-20s", core->name);
        for (int op = 0; op < OPS; op++)
            printf(op < ENCRYPT_BULK ? "%12.0f" : "%14.0f", median_cycles(core, (bench32_op)op));
        printf("\n");
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    if (argc == 1) {
        print_table();
        return 0;
    }
    const aesfit_core *core = argc == 4 ? aesfit_core_by_name(argv[1]) : NULL;
    int op = 0;
    while (argc == 4 && op < ENCRYPT_BULK && strcmp(argv[2], op_names[op]) != 0)
        op++;
    if (core == NULL || op == ENCRYPT_BULK ||
        aesfit_expand_key(&key, core, key_bytes, sizeof key_bytes, AESFIT_BOTH) != AESFIT_OK) {
        fprintf(stderr, "usage: bench32 [CORE key-encrypt|key-both|encrypt|decrypt COUNT]\n");
        return 2;
    }
    run(core, (bench32_op)op, (unsigned)strtoul(argv[3], NULL, 10));
    return 0;
}
