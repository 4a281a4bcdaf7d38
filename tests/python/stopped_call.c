/* SPDX-License-Identifier: MIT */
/* Memory that stops the thread that first touches it, until another thread lets it go on: what
 * tests/python/stopped_call.py stops calls in the middle with. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

int stopped_call_guard(void *begin, size_t bytes, int told, int go, int (*locked)(void));

static char *guarded;
static size_t guarded_bytes;
static int tell, wait_for;
static int (*holds_the_lock)(void);
static struct sigaction before;

/* Runs in the thread that touched the memory.  One that holds the interpreter's lock is not made to
 * wait, because nobody could let it go on. */
static void touched(int number, siginfo_t *info, void *context)
{
    char *at = info->si_addr;
    char answer = (char)holds_the_lock();

    (void)number, (void)context;
    sigaction(SIGSEGV, &before, NULL);
    if (at < guarded || at >= guarded + guarded_bytes)
        return; /* a true fault: it comes again, and ends the program */
    mprotect(guarded, guarded_bytes, PROT_READ | PROT_WRITE);
    if (write(tell, &answer, 1) == 1 && !answer)
        (void)!read(wait_for, &answer, 1);
}

/* `begin` and `bytes` are whole pages; `told` gets one byte, what `locked` says there. */
int stopped_call_guard(void *begin, size_t bytes, int told, int go, int (*locked)(void))
{
    struct sigaction action = {.sa_sigaction = touched, .sa_flags = SA_SIGINFO};

    guarded = begin;
    guarded_bytes = bytes;
    tell = told;
    wait_for = go;
    holds_the_lock = locked;
    return sigaction(SIGSEGV, &action, &before) || mprotect(begin, bytes, PROT_NONE);
}
