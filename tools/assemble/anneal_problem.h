/* SPDX-License-Identifier: MIT */
/* What anneal.c is asked: the tokens, their costs and places, and the schedules, read as numbers.
 */
#ifndef AESFIT_ANNEAL_PROBLEM_H
#define AESFIT_ANNEAL_PROBLEM_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { most_values = 1024, most_tokens = 16384, most_length = 2048, most_ends = 8, kinds = 8 };
enum { classes = 3, memory = 2, reach = 20, near_use = 4, never = 1 << 28 };
enum { free_choice, first_dies, one_dies }; /* what becomes of the operands' registers */

typedef struct {
    int kind, cost, operands;
    int outs, out[most_ends]; /* places: 3 * value + class */
    int reads, read[most_ends];
} token;

typedef struct {
    int length, at[most_length];
} schedule;

static int values, tokens, room[classes], copy_cost;
static int follows[kinds][kinds]; /* cycles more behind a token of that kind */
static int waits[kinds][kinds];   /* the same where it reads what that one made last */
static token token_of[most_tokens];
static int makers[most_values], *maker[most_values]; /* tokens that make a copy in a register */
static uint8_t enters[classes * most_values], leaves[classes * most_values];
static int leaving[classes];
static schedule now;

static int number(void)
{
    int x;
    if (scanf("%d", &x) != 1)
        exit(1);
    return x;
}

static int makes(const token *t, int place)
{
    for (int i = 0; i < t->outs; i++)
        if (t->out[i] == place)
            return 1;
    return 0;
}

static void read_tokens(void)
{
    tokens = number();
    for (int i = 0; i < tokens; i++) {
        token *t = &token_of[i];
        t->kind = number(), t->cost = number(), t->operands = number(), t->outs = number();
        for (int j = 0; j < t->outs; j++)
            t->out[j] = number();
        t->reads = number();
        for (int j = 0; j < t->reads; j++)
            t->read[j] = number();
    }
    for (int v = 0; v < values; v++) {
        maker[v] = malloc(sizeof(int) * (size_t)tokens);
        for (int i = 4 * values; i < tokens; i++)
            if (makes(&token_of[i], classes * v))
                maker[v][makers[v]++] = i;
    }
}

static void read_places(uint8_t *places)
{
    for (int n = number(); n > 0; n--)
        places[number()] = 1;
}

static int read_problem(void)
{
    values = number(), room[0] = number(), room[1] = number(), room[memory] = never;
    copy_cost = number();
    if (values > most_values)
        return 0;
    for (int i = 0; i < kinds; i++)
        for (int j = 0; j < kinds; j++)
            follows[i][j] = number();
    for (int i = 0; i < kinds; i++)
        for (int j = 0; j < kinds; j++)
            waits[i][j] = number();
    read_tokens();
    read_places(enters);
    read_places(leaves);
    for (int place = 0; place < classes * values; place++)
        leaving[place % classes] += leaves[place];
    now.length = number();
    for (int i = 0; i < now.length; i++)
        now.at[i] = number();
    return 1;
}

#endif
