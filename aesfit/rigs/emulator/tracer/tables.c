/* SPDX-License-Identifier: MIT */
/* The tables of a tracer: growing lists, and chains or a hash table over them. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static const size_t MOST_ITEMS = (size_t)1 << 26;

void *tracer_append(tracer_list *list)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 64;
        void *items = room > MOST_ITEMS ? NULL : realloc(list->items, room * list->item_size);
        if (!items) {
            return NULL;
        }
        list->items = items;
        list->room = room;
    }
    return memset((char *)list->items + list->item_size * list->count++, 0, list->item_size);
}

uint32_t tracer_block(aesfit_tracer *t, tracer_slot *slot, uint32_t address, uint32_t size,
                      uint32_t outcome)
{
    aesfit_tracer_block *blocks = t->blocks.items;
    for (uint32_t at = slot->blocks; at; at = blocks[at - 1].chain) {
        if (blocks[at - 1].size == size && blocks[at - 1].outcome == outcome) {
            return at - 1;
        }
    }
    aesfit_tracer_block *block = t->blocks.count < NO_BLOCK ? tracer_append(&t->blocks) : NULL;
    if (!block) {
        return NO_BLOCK;
    }
    *block = (aesfit_tracer_block){address, size, outcome, slot->blocks};
    slot->blocks = (uint32_t)t->blocks.count;
    return slot->blocks - 1;
}

static size_t path_slot(const aesfit_tracer *t, uint64_t key)
{
    const aesfit_tracer_path *paths = t->paths.items;
    /* Fibonacci hashing, of the high half: the low bits of a product know little of the key. */
    size_t at = (size_t)((key * 0x9e3779b97f4a7c15u) >> 32) & (t->path_slots - 1);
    while (t->path_index[at] && paths[t->path_index[at] - 1].key != key) {
        at = (at + 1) & (t->path_slots - 1);
    }
    return at;
}

static bool grow_paths(aesfit_tracer *t)
{
    size_t slots = t->path_slots ? 2 * t->path_slots : 1024;
    uint32_t *index = calloc(slots, sizeof *index);
    if (!index) {
        return false;
    }
    free(t->path_index);
    t->path_index = index;
    t->path_slots = slots;
    const aesfit_tracer_path *paths = t->paths.items;
    for (size_t i = 0; i < t->paths.count; i++) {
        index[path_slot(t, paths[i].key)] = (uint32_t)i + 1;
    }
    return true;
}

bool tracer_count_path(aesfit_tracer *t, uint64_t key)
{
    if (2 * t->paths.count >= t->path_slots && !grow_paths(t)) {
        return false;
    }
    uint32_t *index = &t->path_index[path_slot(t, key)];
    if (!*index) {
        aesfit_tracer_path *path = tracer_append(&t->paths);
        if (!path) {
            return false;
        }
        path->key = key;
        *index = (uint32_t)t->paths.count;
    }
    ((aesfit_tracer_path *)t->paths.items)[*index - 1].count++;
    uint32_t *place = t->record ? tracer_append(&t->order) : NULL;
    if (place) {
        *place = *index - 1;
    }
    return !t->record || place;
}

bool tracer_count(tracer_list *list, uint32_t *chain, uint32_t address, uint32_t kind)
{
    aesfit_tracer_count *counts = list->items;
    for (uint32_t at = *chain; at; at = counts[at - 1].chain) {
        if (counts[at - 1].kind == kind) {
            counts[at - 1].count++;
            return true;
        }
    }
    aesfit_tracer_count *entry = tracer_append(list);
    if (!entry) {
        return false;
    }
    *entry = (aesfit_tracer_count){address, kind, 1, *chain, 0};
    *chain = (uint32_t)list->count;
    return true;
}

static void zero_counts(tracer_list *list)
{
    aesfit_tracer_count *counts = list->items;
    for (size_t i = 0; i < list->count; i++) {
        counts[i].count = 0;
    }
}

/* Before a call.  A large index is cleared entry by entry: most calls touch little of it. */
void tracer_reset(aesfit_tracer *t)
{
    const aesfit_tracer_path *paths = t->paths.items;
    if (t->paths.count > t->path_slots / 8) {
        memset(t->path_index, 0, t->path_slots * sizeof *t->path_index);
    } else {
        /* From the last to the first, so that each is still found behind those it collided with. */
        for (size_t i = t->paths.count; i > 0; i--) {
            t->path_index[path_slot(t, paths[i - 1].key)] = 0;
        }
    }
    t->paths.count = t->records.count = t->order.count = 0;
    zero_counts(&t->operands);
    zero_counts(&t->accesses);
}

const aesfit_tracer_block *aesfit_tracer_blocks(const aesfit_tracer *t)
{
    return t->blocks.items;
}

const aesfit_tracer_path *aesfit_tracer_paths(const aesfit_tracer *t)
{
    return t->paths.items;
}

const aesfit_tracer_count *aesfit_tracer_operands(const aesfit_tracer *t)
{
    return t->operands.items;
}

const aesfit_tracer_count *aesfit_tracer_accesses(const aesfit_tracer *t)
{
    return t->accesses.items;
}

const aesfit_tracer_record *aesfit_tracer_records(const aesfit_tracer *t)
{
    return t->records.items;
}

const uint32_t *aesfit_tracer_order(const aesfit_tracer *t)
{
    return t->order.items;
}
