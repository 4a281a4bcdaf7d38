/* SPDX-License-Identifier: MIT */
/* Counts the table reads of every core, key size and direction and compares them with what the
 * core declares.  Linked with a library built with AESFIT_COUNT_READS, where each read of a table
 * at a secret index calls aesfit_count_read() with the table's name. */
#include "core.h"
#include "parts/steps/read.h"
#include "test.h"

enum { MAX_TABLES = 24, MAX_BLOCKS = 4 * AESFIT_MAX_LANES + 1 };

static struct {
    const char *table;
    unsigned long reads;
} counts[MAX_TABLES];
static size_t count_used;

void aesfit_count_read(const char *table)
{
    size_t i = 0;
    while (i < count_used && strcmp(counts[i].table, table) != 0)
        i++;
    if (i == MAX_TABLES) {
        printf("more than %d tables\n", MAX_TABLES);
        exit(2);
    }
    if (i == count_used) {
        counts[count_used].table = table;
        counts[count_used++].reads = 0;
    }
    counts[i].reads++;
}

static unsigned long reads_of(const char *table)
{
    for (size_t i = 0; i < count_used; i++)
        if (strcmp(counts[i].table, table) == 0)
            return counts[i].reads;
    return 0;
}

/* The core's entry for a table, or NULL; `directions` is a set of AESFIT_ENCRYPT, ... */
static const aesfit_table *declared(const aesfit_core *core, const char *table, unsigned directions)
{
    for (size_t i = 0; i < core->table_count; i++)
        if (strcmp(core->tables[i].name, table) == 0 && (core->tables[i].direction & directions))
            return &core->tables[i];
    return NULL;
}

static void run_core(const aesfit_key *key, unsigned direction, size_t blocks)
{
    static uint8_t in[16 * MAX_BLOCKS], out[16 * MAX_BLOCKS];
    random_fill(in, sizeof in);
    count_used = 0;
    (direction == AESFIT_ENCRYPT ? key->core->encrypt : key->core->decrypt)(key, out, in, blocks);
}

/* --------------------------------------------------- counted against declared */

static void check_block_reads(const aesfit_key *key, unsigned direction, size_t blocks)
{
    const aesfit_core *core = key->core;
    run_core(key, direction, blocks);
    for (size_t i = 0; i < core->table_count; i++) {
        const aesfit_table *table = &core->tables[i];
        long expected = (key->rounds - 1) * table->reads_middle_round + table->reads_last_round +
                        table->reads_correction[key->key_words / 2 - 2];
        test_context("%s, %u-bit key, %u rounds, direction %u, %u blocks: %s", core->name,
                     32u * key->key_words, key->rounds, direction, (unsigned)blocks, table->name);
        if (table->direction == direction &&
            !CHECK((long)reads_of(table->name) == expected * (long)blocks))
            printf("    counted %lu, declared %ld a block\n", reads_of(table->name), expected);
    }
    for (size_t i = 0; i < count_used; i++) {
        test_context("%s, direction %u: undeclared %s", core->name, direction, counts[i].table);
        CHECK(declared(core, counts[i].table, direction) != NULL);
    }
}

static void check_expansion_reads(const aesfit_core *core, size_t key_bytes, unsigned directions)
{
    aesfit_key key;
    uint8_t bytes[32];
    random_fill(bytes, sizeof bytes);
    count_used = 0;
    test_context("%s, %u-byte key", core->name, (unsigned)key_bytes);
    CHECK_STATUS(aesfit_expand_key(&key, core, bytes, key_bytes, directions), AESFIT_OK);
    for (size_t i = 0; i < count_used; i++) {
        test_context("%s, key schedule: undeclared %s", core->name, counts[i].table);
        CHECK(declared(core, counts[i].table, AESFIT_KEY_SCHEDULE) != NULL);
    }
}

/* An entry is consistent: one direction, a name only once per direction, no reads by a block in an
 * entry of the key schedule; and the key schedule reads its tables (rcon is not read at secret
 * indices). */
static void check_entries(const aesfit_core *core)
{
    aesfit_key key;
    uint8_t bytes[32] = {0};
    count_used = 0;
    CHECK_STATUS(aesfit_expand_key(&key, core, bytes, 32, AESFIT_BOTH), AESFIT_OK);
    for (size_t i = 0; i < core->table_count; i++) {
        const aesfit_table *t = &core->tables[i];
        test_context("%s, entry %u: %s", core->name, (unsigned)i, t->name);
        CHECK(t->bytes > 0);
        CHECK(t->direction == AESFIT_ENCRYPT || t->direction == AESFIT_DECRYPT ||
              t->direction == AESFIT_KEY_SCHEDULE);
        CHECK(declared(core, t->name, t->direction) == t);
        CHECK((t->reads_middle_round + t->reads_last_round == 0) ==
              (t->direction == AESFIT_KEY_SCHEDULE || strcmp(t->name, "rcon") == 0));
        if (t->direction == AESFIT_KEY_SCHEDULE && strcmp(t->name, "rcon") != 0)
            CHECK(reads_of(t->name) > 0);
    }
}

static void test_core(const aesfit_core *core)
{
    check_entries(core);
    for (size_t key_bytes = 16; key_bytes <= 32; key_bytes += 8) {
        aesfit_key key;
        uint8_t bytes[32];
        unsigned standard = (unsigned)key_bytes / 4 + 6;
        random_fill(bytes, sizeof bytes);
        for (unsigned direction = AESFIT_ENCRYPT; direction <= AESFIT_DECRYPT; direction++) {
            check_expansion_reads(core, key_bytes, direction);
            CHECK_STATUS(aesfit_expand_key(&key, core, bytes, key_bytes, direction), AESFIT_OK);
            check_block_reads(&key, direction, 1);
            check_block_reads(&key, direction, 4u * core->lanes + 1);
        }
        check_expansion_reads(core, key_bytes, AESFIT_BOTH);
        /* With fewer rounds the corrections for on-the-fly keys do not apply. */
        for (unsigned rounds = 1; rounds < standard; rounds++) {
            if ((core->properties & (AESFIT_STUDY_ROUNDS | AESFIT_ON_THE_FLY_KEYS)) !=
                AESFIT_STUDY_ROUNDS)
                continue;
            CHECK_STATUS(aesfit_study_expand_key(&key, core, bytes, key_bytes, AESFIT_BOTH, rounds),
                         0);
            check_block_reads(&key, AESFIT_ENCRYPT, 2);
            check_block_reads(&key, AESFIT_DECRYPT, 2);
        }
    }
}

/* ------------------------------------------------------- totals of the standard */

/* A table of field products only; all others give the S-box, or products of it. */
static int is_product(const char *table)
{
    return strncmp(table, "mul", 3) == 0;
}

/* FIPS 197 substitutes 16 bytes in each of 10 rounds of a 128-bit key, and 4 for each round key,
 * which on-the-fly cores look up too.  A core without tables reads none. Products are for
 * MixColumns: a whole number of each byte of 9 rounds.  Bertoni et al., table 2 of the cache paper,
 * has the same totals. */
static void check_total(const aesfit_core *core, unsigned direction)
{
    aesfit_key key;
    uint8_t bytes[16];
    unsigned long substituted = 0;
    unsigned long wanted = (core->properties & AESFIT_ON_THE_FLY_KEYS) != 0 ? 200 : 160;
    random_fill(bytes, sizeof bytes);
    CHECK_STATUS(aesfit_expand_key(&key, core, bytes, 16, direction), AESFIT_OK);
    run_core(&key, direction, 1);
    for (size_t i = 0; i < count_used; i++) {
        test_context("%s, direction %u: %s", core->name, direction, counts[i].table);
        if (is_product(counts[i].table))
            CHECK(counts[i].reads % (9 * 16) == 0);
        else
            substituted += counts[i].reads;
    }
    test_context("%s, direction %u: bytes substituted", core->name, direction);
    CHECK(substituted == (core->table_count > 0 ? wanted : 0));
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    for (size_t i = 0; i < aesfit_core_count(); i++) {
        const aesfit_core *core = aesfit_core_at(i);
        if (!aesfit_core_available(core))
            continue;
        test_core(core);
        for (unsigned direction = AESFIT_ENCRYPT; direction <= AESFIT_DECRYPT; direction++)
            check_total(core, direction);
    }
    return test_end();
}
