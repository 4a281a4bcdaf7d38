/* SPDX-License-Identifier: MIT */
/* A plugin of QEMU that counts the packets of calls on Hexagon and writes down what they touch.
 *
 * Arguments: control=FILE, which holds one `control` and is shared with who runs QEMU
 * (machine.py), and records=FILE for the trace of the last call.
 *
 * A call begins after the packet at `enter`, which calls the function, and ends before the packet
 * at `leave`.  QEMU translates Hexagon packet by packet, so what it names an instruction is one. */
#define _POSIX_C_SOURCE 200809L /* ftruncate() */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "qemu_plugin.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

enum { WAITING, CALLED, RETURNED, LIMIT, NO_RECORDS };

/* The first part is written by who runs QEMU, the second here; machine.py has the same order. */
typedef struct {
    uint32_t enter, leave;
    uint32_t stack_low, stack_high; /* the callee's stack */
    uint32_t record;                /* write the next call's records */
    uint32_t reserved;
    uint64_t limit; /* packets after which a call is given up */

    uint64_t packets, instructions, loads, stores, records;
    uint64_t packet_trace, address_trace; /* digests of both sequences */
    uint32_t lowest;                      /* address of the stack that was touched */
    uint32_t state;
} control;

/* As the tracer of the emulated processors writes them (tracer.h). */
enum { EXECUTED, LOAD, STORE };

typedef struct {
    uint32_t address;
    uint16_t size, kind;
} record;

typedef struct {
    uint32_t address;
    uint16_t size, instructions;
} packet;

static control *shared;
static FILE *records;
static bool within, recording;

static uint64_t digest(uint64_t before, uint64_t value)
{
    uint64_t mixed = (before ^ value) * UINT64_C(0x9e3779b97f4a7c15); /* 2^64 by the golden ratio */
    return mixed ^ mixed >> 29;
}

static void stop(uint32_t state)
{
    shared->state = state;
    _exit(1);
}

static void write_record(uint32_t address, uint16_t size, uint16_t kind)
{
    record entry = {address, size, kind};
    if (fwrite(&entry, sizeof entry, 1, records) != 1) {
        stop(NO_RECORDS);
    }
    shared->records++;
}

/* Instructions of a packet.  Qualcomm Hexagon Programmer's Reference Manual, chapter on instruction
 * encoding, duplexes and constant extenders: bits 15:14 of a word are 00 where it holds a duplex,
 * two instructions; otherwise class 0 in bits 31:28 is a constant extender, which belongs to the
 * word after it. */
static uint16_t instructions_of(const uint8_t *bytes, size_t size)
{
    unsigned count = 0;
    for (size_t at = 0; at + 4 <= size; at += 4) {
        uint32_t word;
        memcpy(&word, bytes + at, sizeof word);
        bool duplex = (word >> 14 & 3) == 0, extender = !duplex && word >> 28 == 0;
        count += duplex ? 2u : extender ? 0u : 1u;
    }
    return (uint16_t)count;
}

static void on_packet(unsigned int cpu, void *user)
{
    (void)cpu;
    const packet *p = user;
    if (!within) {
        return;
    }
    if (++shared->packets > shared->limit) {
        stop(LIMIT);
    }
    shared->instructions += p->instructions;
    shared->packet_trace = digest(shared->packet_trace, p->address);
    if (recording) {
        write_record(p->address, p->size, EXECUTED);
    }
}

static void on_access(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *user)
{
    (void)cpu;
    (void)user;
    if (!within) {
        return;
    }
    uint32_t at = (uint32_t)address, size = UINT32_C(1) << qemu_plugin_mem_size_shift(info);
    bool store = qemu_plugin_mem_is_store(info);
    *(store ? &shared->stores : &shared->loads) += 1;
    shared->address_trace =
        digest(shared->address_trace, at | (uint64_t)size << 32 | (uint64_t)store << 40);
    if (at >= shared->stack_low && at < shared->stack_high && at < shared->lowest) {
        shared->lowest = at;
    }
    if (recording) {
        write_record(at, (uint16_t)size, store ? STORE : LOAD);
    }
}

static void on_enter(unsigned int cpu, void *user)
{
    (void)cpu;
    (void)user;
    shared->packets = shared->instructions = shared->loads = shared->stores = shared->records = 0;
    shared->packet_trace = shared->address_trace = 0;
    shared->lowest = shared->stack_high;
    shared->state = CALLED;
    recording = shared->record != 0;
    rewind(records);
    if (ftruncate(fileno(records), 0)) {
        stop(NO_RECORDS);
    }
    within = true;
}

static void on_leave(unsigned int cpu, void *user)
{
    (void)cpu;
    (void)user;
    within = false;
    if (fflush(records)) {
        stop(NO_RECORDS);
    }
    shared->state = RETURNED;
}

static void watch(struct qemu_plugin_insn *insn)
{
    packet *p = malloc(sizeof *p); /* QEMU keeps it as long as the translated code */
    if (!p) {
        abort();
    }
    p->address = (uint32_t)qemu_plugin_insn_vaddr(insn);
    p->size = (uint16_t)qemu_plugin_insn_size(insn);
    p->instructions = instructions_of(qemu_plugin_insn_data(insn), p->size);
    qemu_plugin_register_vcpu_insn_exec_cb(insn, on_packet, QEMU_PLUGIN_CB_NO_REGS, p);
    qemu_plugin_register_vcpu_mem_cb(insn, on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
                                     NULL);
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint64_t address = qemu_plugin_insn_vaddr(insn);
        if (address == shared->enter || address == shared->leave) {
            qemu_plugin_register_vcpu_insn_exec_cb(
                insn, address == shared->enter ? on_enter : on_leave, QEMU_PLUGIN_CB_NO_REGS, NULL);
        } else {
            watch(insn);
        }
    }
}

static const char *argument(int argc, char **argv, const char *name)
{
    size_t length = strlen(name);
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], name, length) == 0 && argv[i][length] == '=') {
            return argv[i] + length + 1;
        }
    }
    return "";
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
    (void)info;
    int file = open(argument(argc, argv, "control"), O_RDWR | O_CLOEXEC);
    void *at = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    records = fopen(argument(argc, argv, "records"), "wb");
    if (file < 0 || at == MAP_FAILED || !records) {
        fprintf(stderr, "the plugin cannot open its files\n");
        return 1;
    }
    shared = at;
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    return 0;
}
