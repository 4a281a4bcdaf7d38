/* SPDX-License-Identifier: MIT */
/* Runs ARM functions on the ARM7TDMI of libmgba and prints the cycles that it counts.
 *
 * It is the independent witness for aesfit/rigs/emulator/timing/arm7tdmi.py: code, data and stack
 * lie in the Game Boy Advance's 32-bit internal RAM, where every access takes one cycle.  libmgba
 * is under the MPL-2.0; this program links it, is built for the comparison only and is part of no
 * package.
 *
 * Commands on standard input, one a line, numbers in hexadecimal:
 *   write ADDRESS BYTES             fills memory
 *   call ENTRY STACK R0 R1 R2 R3    answers "CYCLES INSTRUCTIONS RESULT", in decimal but RESULT
 *   read ADDRESS COUNT              answers COUNT bytes
 *   version                         answers libmgba's
 * The window of a call is from the function's first instruction to its return, both included. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <mgba/core/core.h>
#include <mgba/core/log.h>
#include <mgba/core/version.h>
#include <mgba/gba/core.h>
#include <mgba/internal/arm/arm.h>
#include <mgba/internal/arm/isa-inlines.h>
#include <mgba/internal/gba/gba.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RETURN_ADDRESS = BASE_WORKING_IRAM + SIZE_WORKING_IRAM - 4,
    MOST_INSTRUCTIONS = 100000000, /* at most 17 cycles each: their sum stays within int32_t */
};

static void fail(const char *why, uint32_t where)
{
    fprintf(stderr, "mgba: %s at %08" PRIx32 "\n", why, where);
    exit(1);
}

static void be_silent(struct mLogger *logger, int category, enum mLogLevel level,
                      const char *format, va_list arguments)
{
    (void)logger, (void)category, (void)level, (void)format, (void)arguments;
}

static struct mCore *boot(void)
{
    static struct mLogger silent = {.log = be_silent};
    mLogSetDefaultLogger(&silent);
    struct mCore *core = GBACoreCreate();
    if (!core || !core->init(core)) {
        fail("no core", 0);
    }
    mCoreInitConfig(core, NULL);
    core->reset(core);
    return core;
}

static uint8_t *memory_at(struct mCore *core, uint32_t address, size_t bytes)
{
    struct GBA *gba = core->board;
    size_t offset = address - (uint32_t)BASE_WORKING_IRAM;
    if (offset > SIZE_WORKING_IRAM || bytes > SIZE_WORKING_IRAM - offset) {
        fail("not in internal RAM", address);
    }
    return (uint8_t *)gba->memory.iwram + offset;
}

static void write_memory(struct mCore *core, uint32_t address, const char *hex)
{
    size_t bytes = strlen(hex) / 2;
    uint8_t *to = memory_at(core, address, bytes);
    for (size_t i = 0; i < bytes; i++) {
        unsigned value;
        if (sscanf(hex + 2 * i, "%2x", &value) != 1) {
            fail("not hexadecimal", address);
        }
        to[i] = (uint8_t)value;
    }
}

static void read_memory(struct mCore *core, uint32_t address, size_t bytes)
{
    const uint8_t *from = memory_at(core, address, bytes);
    for (size_t i = 0; i < bytes; i++) {
        printf("%02x", from[i]);
    }
    printf("\n");
}

/* `registers`: entry, stack, r0 to r3. */
static void call(struct mCore *core, const uint32_t registers[6])
{
    struct ARMCore *cpu = core->cpu;
    memcpy(cpu->gprs, registers + 2, 4 * sizeof *cpu->gprs);
    cpu->gprs[ARM_SP] = (int32_t)registers[1];
    cpu->gprs[ARM_LR] = RETURN_ADDRESS;
    cpu->gprs[ARM_PC] = (int32_t)registers[0];
    ARMWritePC(cpu);
    cpu->cycles = 0;
    cpu->nextEvent = INT32_MAX; /* no video, timers or interrupts */
    uint32_t executed = 0;
    for (; (uint32_t)cpu->gprs[ARM_PC] != RETURN_ADDRESS + WORD_SIZE_ARM; executed++) {
        if (executed == MOST_INSTRUCTIONS || cpu->executionMode != MODE_ARM) {
            fail("does not return, or leaves ARM state", (uint32_t)cpu->gprs[ARM_PC]);
        }
        memory_at(core, (uint32_t)cpu->gprs[ARM_PC] - WORD_SIZE_ARM, WORD_SIZE_ARM);
        ARMRun(cpu);
    }
    printf("%" PRId32 " %" PRIu32 " %08" PRIx32 "\n", cpu->cycles, executed,
           (uint32_t)cpu->gprs[0]);
}

static void obey(struct mCore *core, char *line)
{
    uint32_t n[6];
    int after = 0;
    if (sscanf(line, "write %" SCNx32 " %n", &n[0], &after) == 1 && after) {
        line[strcspn(line, "\n")] = 0;
        write_memory(core, n[0], line + after);
    } else if (sscanf(line, "read %" SCNx32 " %" SCNx32, &n[0], &n[1]) == 2) {
        read_memory(core, n[0], n[1]);
    } else if (sscanf(line,
                      "call %" SCNx32 " %" SCNx32 " %" SCNx32 " %" SCNx32 " %" SCNx32 " %" SCNx32,
                      &n[0], &n[1], &n[2], &n[3], &n[4], &n[5]) == 6) {
        call(core, n);
    } else if (strcmp(line, "version\n") == 0) {
        printf("%s\n", projectVersion);
    } else {
        fail("not a command", 0);
    }
}

int main(void)
{
    struct mCore *core = boot();
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        obey(core, line);
    }
    free(line);
    core->deinit(core);
    return 0;
}
