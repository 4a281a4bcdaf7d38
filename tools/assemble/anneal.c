/* SPDX-License-Identifier: MIT */
/* Simulated annealing of a schedule by a processor's cycles; anneal.py compiles, starts and feeds
 * it.
 *
 * A schedule is a list of tokens.  A token makes copies of values and reads copies, each in a
 * class: 0 registers, 1 further registers that operations do not reach, 2 memory.  A value may have
 * several makers (an operation, a load, another sum that comes to the same), and may be made more
 * than once: a copy lives from its token to the last one that reads it before the next copy.
 *
 * Input, numbers separated by spaces: sizes; costs; tokens; what enters and leaves; the first
 * schedule.  Output: cycles of the best schedule that fits the registers (-1: none), its tokens. */
#include <math.h>
#include <string.h>

#include "anneal_problem.h"

static schedule tried, best;
static uint64_t random_state;
static double excess_price, dearer;
static int fewest = never; /* cycles of the best */

/* splitmix64 */
static uint64_t next_random(void)
{
    uint64_t x = random_state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static int below(int limit)
{
    return (int)((next_random() >> 33) % (uint64_t)limit);
}

static double fraction(void)
{
    return (double)(next_random() >> 11) / 9007199254740992.0;
}

static int reads_place(const token *t, int place)
{
    for (int i = 0; i < t->reads; i++)
        if (t->read[i] == place)
            return 1;
    return 0;
}

/* Cycles of a schedule, -1 where a token reads what nothing made; and how many copies there are too
 * many for the registers, summed up over the tokens.  From the end to the beginning. */
static int cost_of(const schedule *s, int *excess)
{
    static uint8_t alive[classes * most_values];
    int count[classes], cycles = 0, over = 0;
    const token *next = NULL;
    memcpy(alive, leaves, (size_t)(classes * values));
    memcpy(count, leaving, sizeof count);
    for (int at = s->length - 1; at >= 0; at--) {
        const token *t = &token_of[s->at[at]];
        int dead = 0, dies = 0;
        cycles += t->cost;
        if (next != NULL) {
            cycles += follows[t->kind][next->kind];
            if (waits[t->kind][next->kind] && reads_place(next, t->out[t->outs - 1]))
                cycles += waits[t->kind][next->kind];
        }
        for (int i = 0; i < t->outs; i++) {
            dead += !alive[t->out[i]];
            count[t->out[i] % classes] -= alive[t->out[i]];
            alive[t->out[i]] = 0;
        }
        if (dead > 0 && t->out[0] % classes == 0 && count[0] + t->outs > room[0])
            over += count[0] + t->outs - room[0];
        for (int i = 0; i < t->reads; i++)
            if (!alive[t->read[i]]) {
                alive[t->read[i]] = 1;
                count[t->read[i] % classes]++;
                dies |= 1 << i;
            }
        if (t->operands == first_dies && !(dies & 1) && count[0] == room[0])
            over++; /* the copy of the first operand lies beside both */
        if ((t->operands == one_dies && dies == 0) || (t->operands == first_dies && !(dies & 1)))
            cycles += copy_cost;
        if (count[0] > room[0])
            over += count[0] - room[0];
        if (count[1] > room[1])
            over += count[1] - room[1];
        next = t;
    }
    uint8_t lacking = 0;
    for (int place = 0; place < classes * values; place++)
        lacking |= alive[place] & (uint8_t)~enters[place];
    *excess = over;
    return lacking ? -1 : cycles;
}

static void insert(schedule *s, int at, int which)
{
    memmove(&s->at[at + 1], &s->at[at], sizeof(int) * (size_t)(s->length - at));
    s->at[at] = which;
    s->length++;
}

static int take(schedule *s, int at)
{
    int which = s->at[at];
    s->length--;
    memmove(&s->at[at], &s->at[at + 1], sizeof(int) * (size_t)(s->length - at));
    return which;
}

/* A token moves as far as the first one that it depends on, or that depends on it. */
static int bound(const schedule *s, int at, int step)
{
    const token *t = &token_of[s->at[at]];
    int there = at, limit = below(8) == 0 ? 8 * reach : reach;
    while (there + step >= 0 && there + step < s->length && abs(there + step - at) <= limit) {
        const token *other = &token_of[s->at[there + step]];
        const token *first = step < 0 ? other : t, *second = step < 0 ? t : other;
        for (int i = 0; i < first->outs; i++)
            if (reads_place(second, first->out[i]))
                return there;
        there += step;
    }
    return there;
}

static int slide(schedule *s)
{
    int at = below(s->length), low = bound(s, at, -1), high = bound(s, at, 1);
    int goal = low + below(high - low + 1);
    if (goal == at)
        return 0;
    insert(s, goal, take(s, at));
    return 1;
}

/* The first tokens are loads and stores: value v from and to class 1 or 2. */
static int load_of(int value, int from)
{
    return 4 * value + 2 * (from - 1);
}

static int store_of(int value, int to)
{
    return load_of(value, to) + 1;
}

static int is_spill(int which)
{
    return which < 4 * values;
}

static int is_store(int which)
{
    return is_spill(which) && which % 2 == 1;
}

static int first_made(const schedule *s, int place, int end)
{
    if (enters[place])
        return -1;
    for (int at = 0; at < end; at++)
        if (makes(&token_of[s->at[at]], place))
            return at;
    return end;
}

/* A copy of a value shortly before a token that reads it. */
static int add_before(schedule *s, int at, int value)
{
    int choice = below(makers[value] + 2), from = 1 + (room[1] == 0 || below(2));
    if (choice >= 2) {
        int goal = at - below(near_use);
        insert(s, goal < 0 ? 0 : goal, maker[value][choice - 2]);
        return 1;
    }
    int there = classes * value + from;
    int made = first_made(s, there, at);
    if (made == at) {
        int origin = first_made(s, classes * value, at);
        if (origin == at)
            return 0;
        made = origin + 1 + below(at - origin);
        insert(s, made, store_of(value, from));
        at++;
    }
    int low = made + 1 > at - near_use ? made + 1 : at - near_use;
    insert(s, low + below(at - low + 1), load_of(value, from));
    return 1;
}

static int add(schedule *s)
{
    int at = below(s->length);
    const token *t = &token_of[s->at[at]];
    if (t->reads == 0)
        return 0;
    int place = t->read[below(t->reads)];
    return place % classes == 0 && s->length < most_length - 2 ? add_before(s, at, place / classes)
                                                               : 0;
}

/* Stores that no load follows any more. */
static void drop_stores(schedule *s, int value)
{
    for (int to = 1; to < classes; to++) {
        int load = load_of(value, to), last = -1;
        for (int at = 0; at < s->length; at++)
            if (s->at[at] == load)
                last = at;
        if (leaves[classes * value + to])
            continue;
        for (int at = s->length - 1; at > last; at--)
            if (s->at[at] == store_of(value, to))
                take(s, at);
    }
}

static int drop(schedule *s, int *value)
{
    int at = below(s->length), which = s->at[at];
    if (is_store(which) || token_of[which].outs > 1)
        return 0;
    *value = token_of[which].out[0] / classes;
    int copies = enters[classes * *value];
    for (int i = 0; i < s->length; i++)
        copies += makes(&token_of[s->at[i]], classes * *value);
    if (copies < 2)
        return 0;
    take(s, at);
    drop_stores(s, *value);
    return 1;
}

/* Another token that makes the same value, at the same place. */
static int exchange(schedule *s)
{
    int at = below(s->length), which = s->at[at];
    if (is_store(which) || token_of[which].outs > 1 || token_of[which].out[0] % classes != 0)
        return 0;
    int value = token_of[which].out[0] / classes;
    if (makers[value] == 0)
        return 0;
    s->at[at] = maker[value][below(makers[value])];
    if (is_spill(which))
        drop_stores(s, value);
    return s->at[at] != which;
}

static int drop_and_add(schedule *s)
{
    int value;
    if (!drop(s, &value))
        return 0;
    for (int tries = 0; tries < 50; tries++) {
        int at = below(s->length);
        if (reads_place(&token_of[s->at[at]], classes * value))
            return add_before(s, at, value);
    }
    return 1;
}

static int move(schedule *s)
{
    int chance = below(100), value;
    if (chance < 72)
        return slide(s);
    if (chance < 80)
        return add(s);
    if (chance < 88)
        return drop(s, &value);
    if (chance < 93)
        return exchange(s);
    return drop_and_add(s);
}

/* Values too many may become dearer, so that in the end there are none. */
static double price_of(int cycles, int excess, double done)
{
    return cycles + (excess_price + dearer * done) * excess;
}

static void anneal(int steps, double hot, double cold)
{
    int excess = 0, cycles = cost_of(&now, &excess), now_cycles = cycles, now_excess = excess;
    if (cycles < 0)
        exit(1);
    for (int step = 0; step < steps; step++) {
        const double done = (double)step / steps, heat = hot * pow(cold / hot, done);
        tried.length = now.length;
        memcpy(tried.at, now.at, sizeof(int) * (size_t)now.length);
        if (!move(&tried) || (cycles = cost_of(&tried, &excess)) < 0)
            continue;
        const double more = price_of(cycles, excess, done) - price_of(now_cycles, now_excess, done);
        if (more > 0 && fraction() >= exp(-more / heat))
            continue;
        now_cycles = cycles, now_excess = excess;
        now.length = tried.length;
        memcpy(now.at, tried.at, sizeof(int) * (size_t)tried.length);
        if (excess == 0 && cycles < fewest)
            fewest = cycles, best = now;
    }
}

/* Leaves out tokens whose copies nobody reads: stores, which no move takes away by themselves. */
static void drop_useless(schedule *s)
{
    uint8_t alive[classes * most_values];
    memcpy(alive, leaves, sizeof alive);
    for (int at = s->length - 1; at >= 0; at--) {
        const token *t = &token_of[s->at[at]];
        int used = 0;
        for (int i = 0; i < t->outs; i++)
            used |= alive[t->out[i]];
        for (int i = 0; used && i < t->outs; i++)
            alive[t->out[i]] = 0;
        for (int i = 0; used && i < t->reads; i++)
            alive[t->read[i]] = 1;
        if (!used)
            take(s, at);
    }
}

int main(void)
{
    if (!read_problem())
        return 1;
    random_state = (uint64_t)number();
    const int steps = number();
    const double hot = number() / 1000.0, cold = number() / 1000.0;
    excess_price = number() / 1000.0, dearer = number() / 1000.0;
    int excess, cycles = cost_of(&now, &excess);
    if (cycles >= 0 && excess == 0)
        fewest = cycles, best = now;
    anneal(steps, hot, cold);
    drop_useless(&best);
    fewest = fewest == never ? never : cost_of(&best, &excess);
    printf("%d", fewest == never ? -1 : fewest);
    for (int i = 0; i < best.length; i++)
        printf(" %d", best.at[i]);
    printf("\n");
    return 0;
}
