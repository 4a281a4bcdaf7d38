/* SPDX-License-Identifier: MIT */
#ifndef AESFIT_TRACER_INTERNAL_H
#define AESFIT_TRACER_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <unicorn/unicorn.h>

#include "tracer.h"

enum { MOST_MEMORIES = 16, NO_BLOCK = 0xffff, PAGE = 4096 };

/* What the tracer must do at an instruction, decoded when it is first executed. */
enum {
    DECODED = 1,
    CONDITIONAL = 2, /* by the flags: slot.condition; on RISC-V by comparing registers */
    MULTIPLY = 4,    /* slot.operand is the register of the multiplier, or DIVISION */
    MOVES_STACK = 8, /* writes the stack pointer */
    INVALID = 16,    /* Unicorn would run it, the processor does not have it */
    IS_IT = 32,
    IN_IT = 64,   /* governed by an IT; Unicorn calls no hook when it is skipped */
    ALIGNED = 128 /* needs aligned addresses where other accesses do not */
};

enum { DIVISION = 32 }; /* no register: both operands of the instruction count */

/* One for every half-word of executable memory.  Chains begin with an index plus one; 0 is none. */
typedef struct {
    uint8_t flags, condition, operand, size;
    uint32_t blocks, operands, accesses;
    uint32_t form; /* of its accesses, an index plus one; 0 until it is executed */
} tracer_slot;

enum { READS = 1, WRITES = 2 };

/* The accesses that an instruction makes, one behind another in memory. */
typedef struct {
    uint8_t kinds; /* none, READS, WRITES, or both: first it reads, then it writes */
    uint8_t base, index;
    uint8_t shift, by; /* of the index, as ARM encodes them */
    bool down;         /* the index is subtracted */
    uint8_t width, count;
    int32_t offset;
} tracer_form;

/* The registers of a division, and whether it takes their values as signed. */
typedef struct {
    unsigned dividend, divisor;
    bool is_signed;
} tracer_division;

typedef struct {
    aesfit_tracer_memory is;
    const uint8_t *bytes; /* of `is.start` */
    tracer_slot *slots;   /* executable memory */
} tracer_memory;

typedef struct {
    void *items;
    size_t count, room, item_size;
} tracer_list;

struct aesfit_tracer {
    uc_engine *uc;
    aesfit_tracer_isa isa;
    bool watch_memory, record, predictor, aligned_only;
    int pc_register, stack_register;

    /* The call that runs. */
    bool fresh;                     /* the next instruction begins a block */
    bool stack_moved;               /* the last instruction wrote the stack pointer */
    bool in_it;                     /* the last instruction was IT or governed by one */
    bool skipped;                   /* the condition of the block's first instruction failed */
    uint32_t start;                 /* of the block */
    uint32_t end;                   /* behind the last instruction executed */
    uint32_t remembered, jumped_to; /* by the predictor; by the last jump that it did not make */
    uint32_t return_address, stack_limit;
    uint64_t limit;
    uint64_t history; /* the last three blocks, the last one lowest */
    aesfit_tracer_result result;
    tracer_memory *code, *data; /* last used */

    tracer_memory memories[MOST_MEMORIES];
    size_t memory_count;
    tracer_list blocks, paths, operands, accesses, records, order, forms;
    uint32_t *path_index; /* open addressing; entry plus one */
    size_t path_slots;    /* a power of two */
};

/* decode.c: fills in `slot` from the code at `pc`; `thumb` tells the state on ARM. */
void tracer_decode(aesfit_tracer *t, tracer_memory *memory, uint32_t pc, bool thumb);
/* decode.c: whether the conditional instruction at `pc` is executed. */
bool tracer_condition(aesfit_tracer *t, const tracer_memory *memory, uint32_t pc,
                      const tracer_slot *slot);

/* decode.c: the division at `pc`. */
tracer_division tracer_division_at(const aesfit_tracer *t, const tracer_memory *memory,
                                   uint32_t pc);

/* accesses.c: what the instruction at `pc`, which `slot` belongs to, accesses; NULL when memory ran
 * out. */
const tracer_form *tracer_form_at(aesfit_tracer *t, tracer_slot *slot, uint32_t pc, bool thumb);
/* accesses.c: the first address, from the registers as they are. */
uint32_t tracer_address(aesfit_tracer *t, const tracer_form *form);

/* predictor.c: begins with nothing remembered and a jump to `entry`; whether the last instruction,
 * which `next` follows, was predicted to jump. */
void tracer_predictor_begin(aesfit_tracer *t, uint32_t entry);
bool tracer_predicted(aesfit_tracer *t, uint32_t next);

/* bits.c: does the instruction that was begun last, and steps over it, if it is one of "B", of
 * which Unicorn has none. */
bool tracer_manipulate_bits(aesfit_tracer *t);

/* wch.c: the full instruction that a compressed one of WCH's own stands for; 0 where it is none. */
uint32_t tracer_wch_full(uint32_t half);
/* wch.c: does the instruction that was begun last, and steps over it, if it is one of these; what
 * it cannot access stops the call. */
void tracer_wch_access(aesfit_tracer *t);

/* tables.c: false when memory ran out or a table is full. */
void *tracer_append(tracer_list *list);
uint32_t tracer_block(aesfit_tracer *t, tracer_slot *slot, uint32_t address, uint32_t size,
                      uint32_t outcome); /* NO_BLOCK when it is full */
bool tracer_count_path(aesfit_tracer *t, uint64_t key);
bool tracer_count(tracer_list *list, uint32_t *chain, uint32_t address, uint32_t kind);
void tracer_reset(aesfit_tracer *t);

/* processor.c: Unicorn's name of a register by its number; the memory that holds an address, or
 * NULL. */
int tracer_register(const aesfit_tracer *t, unsigned number);
tracer_memory *tracer_memory_at(aesfit_tracer *t, uint32_t address);
static inline bool tracer_inside(const tracer_memory *memory, uint32_t address)
{
    return address - memory->is.start < memory->is.size;
}

static inline bool in(uint32_t word, uint32_t mask, uint32_t value)
{
    return (word & mask) == value;
}

static inline unsigned tracer_half(const tracer_memory *memory, uint32_t pc)
{
    const uint8_t *at = memory->bytes + (pc - memory->is.start);
    return pc - memory->is.start + 1 < memory->is.size ? (unsigned)(at[0] | at[1] << 8) : 0;
}

static inline uint32_t tracer_word(const tracer_memory *memory, uint32_t pc)
{
    return tracer_half(memory, pc) | (uint32_t)tracer_half(memory, pc + 2) << 16;
}

static inline uint32_t tracer_read(aesfit_tracer *t, int reg)
{
    uint32_t value = 0;
    uc_reg_read(t->uc, reg, &value);
    return value;
}

#endif
