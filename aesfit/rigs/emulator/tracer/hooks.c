/* SPDX-License-Identifier: MIT */
/* What is done at every instruction.  There is one hook of a kind, because then Unicorn calls it
 * straight from the translated code.  The instruction hook alone decides what was
 * executed; of a block hook only the order is used, so how Unicorn cuts them changes nothing. */
#include "hooks.h"

enum { NO_HISTORY = -1, ARM_PREFETCH_ABORT = 3, RISCV_ILLEGAL_INSTRUCTION = 2 };

static void stop(aesfit_tracer *t, aesfit_tracer_stop why, uint32_t fault, uint32_t size)
{
    if (t->result.stop == AESFIT_RETURNED) {
        t->result.stop = why;
        t->result.fault = fault;
        t->result.fault_size = size;
    }
    uc_emu_stop(t->uc);
}

/* One step of a digest: a bijection of the state for each value, and it depends on the order. */
static inline uint64_t digest(uint64_t state, uint64_t value)
{
    state = (state ^ value) * 0x9e3779b97f4a7c15u;
    return state ^ state >> 29;
}

static void record(aesfit_tracer *t, uint32_t address, uint32_t size, unsigned kind)
{
    aesfit_tracer_record *entry = tracer_append(&t->records);
    if (!entry) {
        stop(t, AESFIT_TOO_MUCH, address, 0);
        return;
    }
    *entry = (aesfit_tracer_record){address, (uint16_t)size, (uint16_t)kind};
}

/* Counts the block that has just ended, before the one at `next`; with it the neighbours of the one
 * before are known. */
static void end_block(aesfit_tracer *t, uint32_t next)
{
    tracer_memory *memory = t->end != t->start ? tracer_memory_at(t, t->start) : NULL;
    if (!memory) {
        return;
    }
    tracer_slot *slot = &memory->slots[(t->start - memory->is.start) / 2];
    bool predicted = t->predictor && tracer_predicted(t, next);
    uint32_t outcome =
        (t->skipped ? AESFIT_SKIPPED_FIRST : 0u) | (predicted ? AESFIT_PREDICTED_LAST : 0u);
    uint32_t block = tracer_block(t, slot, t->start, t->end - t->start, outcome);
    uint64_t path = t->history << 16 | block;
    bool first = (t->history & NO_BLOCK) == NO_BLOCK;
    if (block == NO_BLOCK || (!first && !tracer_count_path(t, path))) {
        stop(t, AESFIT_TOO_MUCH, t->start, 0);
    }
    t->history = path;
}

static void sample_stack(aesfit_tracer *t)
{
    uint32_t sp = tracer_read(t, t->stack_register);
    t->stack_moved = false;
    if (sp < t->result.lowest_stack_pointer) {
        t->result.lowest_stack_pointer = sp;
    }
    if (sp < t->stack_limit) {
        stop(t, AESFIT_STACK, sp, 0);
    }
}

/* The least bytes that hold `value`, the rest being zeros, or also, when `sign`, all ones. */
static unsigned bytes_of(uint32_t value, bool sign)
{
    value = sign && value >> 31 ? ~value : value;
    return value >> 24 ? 4 : value >> 16 ? 3 : value >> 8 ? 2 : 1;
}

/* What the time of a division may depend on of one operand. */
static uint32_t class_of(aesfit_tracer *t, unsigned reg, bool is_signed)
{
    uint32_t value = tracer_read(t, tracer_register(t, reg));
    bool negative = is_signed && value >> 31;
    uint32_t magnitude = negative ? 0 - value : value, bits = 0;
    while (bits < 32 && magnitude >> bits) {
        bits++;
    }
    bool power = negative && !(magnitude & (magnitude - 1));
    return bits + (negative ? AESFIT_NEGATIVE : 0) + (power ? AESFIT_POWER : 0);
}

static uint32_t kind_of_operand(aesfit_tracer *t, const tracer_slot *slot, uint32_t pc)
{
    if (slot->operand == DIVISION) {
        tracer_division it = tracer_division_at(t, t->code, pc);
        return AESFIT_DIVISION + class_of(t, it.dividend, it.is_signed) * 256 +
               class_of(t, it.divisor, it.is_signed);
    }
    uint32_t value = tracer_read(t, tracer_register(t, slot->operand));
    return bytes_of(value, false) * 8 + bytes_of(value, true);
}

static void count_operand(aesfit_tracer *t, tracer_slot *slot, uint32_t pc)
{
    uint32_t kind = kind_of_operand(t, slot, pc);
    if (!tracer_count(&t->operands, &slot->operands, pc, kind)) {
        stop(t, AESFIT_TOO_MUCH, pc, 0);
    }
}

static bool is_thumb(aesfit_tracer *t)
{
    return t->isa != AESFIT_ARMV4T || tracer_read(t, UC_ARM_REG_CPSR) >> 5 & 1;
}

static void decode(aesfit_tracer *t, uint32_t pc)
{
    tracer_decode(t, t->code, pc, is_thumb(t));
}

static tracer_slot *code_slot(aesfit_tracer *t, uint32_t pc)
{
    if (!t->code || !tracer_inside(t->code, pc)) {
        t->code = tracer_memory_at(t, pc);
    }
    if (!t->code || !t->code->slots) {
        return NULL;
    }
    tracer_slot *slot = &t->code->slots[(pc - t->code->is.start) / 2];
    if (!slot->flags) {
        decode(t, pc);
    }
    return slot;
}

/* Counts one instruction; a conditional one begins a block, which bounds how many there are. */
static void step(aesfit_tracer *t, tracer_slot *slot, uint32_t pc, uint32_t size, bool skipped)
{
    if (t->fresh || slot->flags & CONDITIONAL) {
        end_block(t, pc);
        t->start = pc;
        t->fresh = false;
        t->skipped = skipped;
    }
    t->end = pc + size;
    t->result.pc = pc;
    t->result.instructions++;
    t->result.instruction_trace =
        digest(t->result.instruction_trace, pc | (uint64_t)size << 32 | (uint64_t)skipped << 40);
    if (t->record) {
        record(t, pc, size, skipped ? AESFIT_SKIPPED : AESFIT_EXECUTED);
    }
}

/* Counts the instructions under IT that were skipped since the last hook: they follow the last
 * instruction, because only the last one under an IT can be a branch. */
static void step_over_it(aesfit_tracer *t, uint32_t next)
{
    while (t->in_it && t->end != next && tracer_inside(t->code, t->end)) {
        tracer_slot *slot = &t->code->slots[(t->end - t->code->is.start) / 2];
        t->in_it = slot->flags & IN_IT;
        if (t->in_it) {
            step(t, slot, t->end, slot->size, true);
        }
    }
}

/* Aligned accesses beyond the first that an access is made as: a word at an odd address is a byte,
 * a half-word and a byte (DDI 0439D 3.3.2).  Double words are two words. */
static unsigned splits(uint32_t address, uint32_t width)
{
    return width >= 4 ? (address & 1 ? 2 : address >> 1 & 1) : address & (width - 1);
}

static void count_access(aesfit_tracer *t, tracer_slot *slot, uint32_t address, uint32_t width,
                         bool store)
{
    if (!t->data || !tracer_inside(t->data, address)) {
        t->data = tracer_memory_at(t, address);
    }
    if (!t->data) {
        stop(t, store ? AESFIT_UNMAPPED_WRITE : AESFIT_UNMAPPED_READ, address, width);
        return;
    }
    unsigned further = splits(address, width);
    if (further && (t->aligned_only || slot->flags & ALIGNED)) {
        stop(t, AESFIT_UNALIGNED, address, width);
        return;
    }
    unsigned words = width > 4 ? width / 4 : 1;
    *(store ? &t->result.stores : &t->result.loads) += words;
    t->result.address_trace =
        digest(t->result.address_trace, address | (uint64_t)width << 32 | (uint64_t)store << 40);
    uint32_t kind = (t->data->is.region * 3 + further) * 2 + store;
    for (unsigned i = 0; i < words; i++) {
        if (!tracer_count(&t->accesses, &slot->accesses, t->result.pc, kind)) {
            stop(t, AESFIT_TOO_MUCH, address, 0);
        }
    }
    if (t->record) {
        record(t, address, width, store ? AESFIT_STORE : AESFIT_LOAD);
    }
}

static void count_accesses(aesfit_tracer *t, tracer_slot *slot, uint32_t pc)
{
    bool thumb = !slot->form && t->isa < AESFIT_RV32I && is_thumb(t);
    const tracer_form *form = tracer_form_at(t, slot, pc, thumb);
    if (!form) {
        stop(t, AESFIT_TOO_MUCH, pc, 0);
        return;
    }
    if (!form->kinds) {
        return;
    }
    uint32_t address = tracer_address(t, form);
    for (unsigned i = 0; i < form->count && t->result.stop == AESFIT_RETURNED; i++) {
        for (unsigned kind = READS; kind <= WRITES; kind++) {
            if (form->kinds & kind) {
                count_access(t, slot, address, form->width, kind == WRITES);
            }
        }
        address += form->width;
    }
}

static void on_instruction(uc_engine *uc, uint64_t address, uint32_t size, void *user)
{
    (void)uc;
    aesfit_tracer *t = user;
    uint32_t pc = (uint32_t)address;
    if (t->in_it) {
        step_over_it(t, pc);
    }
    tracer_slot *slot = code_slot(t, pc);
    if (!slot || slot->flags & INVALID) {
        stop(t, slot ? AESFIT_INVALID : AESFIT_UNMAPPED_FETCH, pc, size);
        return;
    }
    if (t->result.instructions >= t->limit) {
        stop(t, AESFIT_BUDGET, pc, 0);
        return;
    }
    bool skipped = slot->flags & CONDITIONAL && !tracer_condition(t, t->code, pc, slot);
    step(t, slot, pc, size, skipped);
    if (t->stack_moved) {
        sample_stack(t);
    }
    t->stack_moved = slot->flags & MOVES_STACK;
    t->in_it = slot->flags & (IN_IT | IS_IT);
    if (slot->flags & MULTIPLY && !skipped) {
        count_operand(t, slot, pc);
    }
    if (t->watch_memory && !skipped) {
        count_accesses(t, slot, pc);
    }
    if (t->isa == AESFIT_RV32EC && t->result.stop == AESFIT_RETURNED) {
        tracer_wch_access(t);
    }
}

static void on_block(uc_engine *uc, uint64_t address, uint32_t size, void *user)
{
    (void)uc, (void)address, (void)size;
    ((aesfit_tracer *)user)->fresh = true;
}

/* An access that Unicorn cannot make; the kinds are listed in unicorn.h in this order. */
static bool on_fault(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                     void *user)
{
    (void)uc, (void)value;
    bool write = type == UC_MEM_WRITE_UNMAPPED || type == UC_MEM_WRITE_PROT;
    bool fetch = type == UC_MEM_FETCH_UNMAPPED || type == UC_MEM_FETCH_PROT;
    stop(user,
         fetch   ? AESFIT_UNMAPPED_FETCH
         : write ? AESFIT_UNMAPPED_WRITE
                 : AESFIT_UNMAPPED_READ,
         (uint32_t)address, (uint32_t)size);
    return false;
}

static void on_exception(uc_engine *uc, uint32_t number, void *user)
{
    (void)uc;
    aesfit_tracer *t = user;
    if (number == ARM_PREFETCH_ABORT && t->isa < AESFIT_RV32I) {
        stop(t, AESFIT_UNMAPPED_FETCH, tracer_read(t, t->pc_register), 0);
    } else if (number != RISCV_ILLEGAL_INSTRUCTION || t->isa != AESFIT_RV32IMB ||
               !tracer_manipulate_bits(t)) {
        stop(t, AESFIT_EXCEPTION, number, 0);
    }
}

static uc_err add(aesfit_tracer *t, int kinds, void (*callback)(void))
{
    uc_hook handle;
    /* Unicorn takes callbacks as void *, which C11 cannot convert a function pointer to. */
    union {
        void (*function)(void);
        void *pointer;
    } as = {callback};
    /* All addresses: begin is above end. */
    return uc_hook_add(t->uc, &handle, kinds, as.pointer, t, 1, 0);
}

uc_err tracer_hook(aesfit_tracer *t)
{
    uc_err error = add(t, UC_HOOK_BLOCK, (void (*)(void))on_block);
    error = error ? error : add(t, UC_HOOK_CODE, (void (*)(void))on_instruction);
    error = error ? error : add(t, UC_HOOK_MEM_INVALID, (void (*)(void))on_fault);
    error = error ? error : add(t, UC_HOOK_INTR, (void (*)(void))on_exception);
    return error;
}

void tracer_begin(aesfit_tracer *t, const aesfit_tracer_call *call)
{
    t->result = (aesfit_tracer_result){.lowest_stack_pointer = call->stack_pointer,
                                       .pc = call->entry & ~1u};
    t->fresh = true;
    t->stack_moved = t->skipped = t->in_it = false;
    t->start = t->end = 0;
    tracer_predictor_begin(t, call->entry);
    t->history = (uint64_t)NO_HISTORY;
    t->limit = call->limit;
    t->return_address = call->return_address;
    t->stack_limit = call->stack_limit;
}

/* The last block of the window has no next one. */
void tracer_end(aesfit_tracer *t)
{
    if (t->stack_moved) {
        sample_stack(t);
    }
    step_over_it(t, t->return_address);
    end_block(t, t->return_address);
    if ((t->history & NO_BLOCK) != NO_BLOCK && !tracer_count_path(t, t->history << 16 | NO_BLOCK)) {
        stop(t, AESFIT_TOO_MUCH, t->start, 0);
    }
}
