/* SPDX-License-Identifier: MIT */
#ifndef AESFIT_TRACER_H
#define AESFIT_TRACER_H

/* Runs one function on libunicorn and says exactly what was executed.  A tracer is one processor
 * with memory that its owner keeps (several tracers may share it); it keeps the translated code
 * from call to call.  Python's side is aesfit/rigs/emulator/machine.py. */

#include <stdint.h>

typedef struct aesfit_tracer aesfit_tracer;

typedef enum {
    AESFIT_ARMV4T,
    AESFIT_ARMV6_M,
    AESFIT_ARMV7_M,
    AESFIT_ARMV7E_M,
    AESFIT_ARMV8_M_MAIN,
    AESFIT_RV32I,
    AESFIT_RV32IM,
    AESFIT_RV32EC,
    AESFIT_RV32IMB
} aesfit_tracer_isa;

/* What is watched beside the instructions. */
enum { AESFIT_WATCH_MEMORY = 1, AESFIT_WATCH_RECORD = 2, AESFIT_WATCH_PREDICTOR = 4 };

typedef enum {
    AESFIT_RETURNED,
    AESFIT_BUDGET,         /* `limit` instructions were executed */
    AESFIT_UNALIGNED,      /* data access not on a multiple of its size, where that is an error */
    AESFIT_UNMAPPED_READ,  /* also for addresses between the mapped memories of a page */
    AESFIT_UNMAPPED_WRITE, /* also for writes to read-only memory */
    AESFIT_UNMAPPED_FETCH, /* also for code in memory that is not executable */
    AESFIT_INVALID,        /* an instruction that the processor does not have */
    AESFIT_EXCEPTION,      /* software interrupt, breakpoint, environment call; `fault` is Unicorn's
                              number */
    AESFIT_HALTED,         /* stopped without returning: wait for interrupt */
    AESFIT_STACK,          /* the stack pointer went below `stack_limit` */
    AESFIT_TOO_MUCH,       /* a table or record is full, or memory ran out */
    AESFIT_ENGINE          /* Unicorn failed otherwise; `fault` is its error */
} aesfit_tracer_stop;

/* Memory of the processor; `host` stays the caller's and must outlive the tracer. */
typedef struct {
    uint32_t start, size; /* bytes */
    void *host;           /* whole pages of 4096 bytes from `start` rounded down */
    uint32_t region;      /* a number that access counts are kept under */
    uint32_t writable, executable;
} aesfit_tracer_memory;

typedef struct {
    uint32_t entry; /* bit 0 set: Thumb */
    uint32_t registers[8];
    uint32_t stack_pointer, stack_limit;
    uint32_t return_address; /* mapped by the tracer's owner; never executed */
    uint32_t global_pointer; /* RISC-V: gp, from which small data is addressed */
    uint64_t limit;          /* instructions */
} aesfit_tracer_call;

typedef struct {
    uint32_t stop; /* aesfit_tracer_stop */
    uint32_t value;
    uint32_t pc, fault; /* the last instruction, and the data address or number that stopped it */
    uint32_t fault_size;
    uint32_t lowest_stack_pointer;
    uint64_t instructions, loads, stores;
    uint64_t instruction_trace, address_trace;
    uint64_t blocks, paths, operands, accesses, records, order; /* entries of the tables below */
} aesfit_tracer_result;

/* Blocks keep their numbers for the life of the tracer; so do the entries of operands and accesses,
 * whose counts are of the last call.  Paths, records and order are of the last call. */
enum {
    AESFIT_SKIPPED_FIRST = 1, /* the condition of the first instruction failed */
    AESFIT_PREDICTED_LAST = 2 /* the last one was predicted to jump */
};

typedef struct {
    uint32_t address;
    uint32_t size;
    uint32_t outcome; /* of the above */
    uint32_t chain;   /* next block that starts there, plus one */
} aesfit_tracer_block;

typedef struct {
    uint64_t key; /* before last, last, this, next from the top; 16 bits each, 0xffff: none */
    uint64_t count;
} aesfit_tracer_path;

/* Operands: of a multiply, kind is unsigned bytes * 8 + signed bytes; of a division it is
 * AESFIT_DIVISION + dividend * 256 + divisor, each of them the bits of its magnitude, plus
 * AESFIT_NEGATIVE where it is below 0, plus AESFIT_POWER where it also is -1, -2, -4 and so on.
 * Accesses, each of a word at most: kind is
 * (region * 3 + splits) * 2 + store; splits are 0 where the address is aligned, and else the
 * aligned accesses that the processor makes of it beyond the first, 1 or 2. */
enum { AESFIT_NEGATIVE = 64, AESFIT_POWER = 128, AESFIT_DIVISION = 1 << 16 };

typedef struct {
    uint32_t address, kind;
    uint64_t count;
    uint32_t chain, reserved;
} aesfit_tracer_count;

/* Instructions and data accesses in order. */
enum { AESFIT_EXECUTED, AESFIT_LOAD, AESFIT_STORE, AESFIT_SKIPPED };

typedef struct {
    uint32_t address;
    uint16_t size, kind;
} aesfit_tracer_record;

/* The order of paths, where accesses are recorded: 4 bytes each, an index into paths. */

/* The first two return 0 or an error of Unicorn's. */
int aesfit_tracer_open(aesfit_tracer **tracer, aesfit_tracer_isa isa, unsigned watch);
int aesfit_tracer_map(aesfit_tracer *t, const aesfit_tracer_memory *memory);
void aesfit_tracer_close(aesfit_tracer *t);
/* Forgets what was translated and decoded: the code in memory has changed. */
void aesfit_tracer_forget(aesfit_tracer *t);
void aesfit_tracer_run(aesfit_tracer *t, const aesfit_tracer_call *call, aesfit_tracer_result *r);
const aesfit_tracer_block *aesfit_tracer_blocks(const aesfit_tracer *t);
const aesfit_tracer_path *aesfit_tracer_paths(const aesfit_tracer *t);
const aesfit_tracer_count *aesfit_tracer_operands(const aesfit_tracer *t);
const aesfit_tracer_count *aesfit_tracer_accesses(const aesfit_tracer *t);
const aesfit_tracer_record *aesfit_tracer_records(const aesfit_tracer *t);
const uint32_t *aesfit_tracer_order(const aesfit_tracer *t);
const char *aesfit_tracer_engine_error(int error);

#endif
