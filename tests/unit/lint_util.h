/*
 * lint_util.h - what the tests of scheduling fields share: findings, and one field of a program's
 * words made worse.
 */
#ifndef FH_TESTS_LINT_UTIL_H
#define FH_TESTS_LINT_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"

struct lint_found {
    unsigned count, errors;
    char ids[256];     /* of the first ones, with a space behind each */
    char message[512]; /* of the first one, and its notes */
};

/* Findings of the whole program; a failure of the host fails the test. */
void lint_program(const fhec_program *program, struct lint_found *found);

/* Fails unless nothing is found. */
void lint_expect_silence(const fhec_program *program, const char *name);

/* How fields can be made worse. */
enum lint_mutation { LINT_LESS_STALL, LINT_NO_WAIT, LINT_NO_WRITE_BARRIER, LINT_NO_READ_BARRIER };
enum { LINT_MUTATIONS = 4 };

struct lint_score {
    unsigned tried[LINT_MUTATIONS], found[LINT_MUTATIONS];
};

/* Makes a field worse in each word of the program in turn, every `step`-th one, and counts how
 * often that is found. What is tried: a stall of 4 or more of an operation with a
 * result of fixed latency becomes 1, a wait mask empty, a scoreboard none. */
void lint_mutate(fhec_program *program, unsigned step, struct lint_score *score);
void lint_print_score(const char *what, const struct lint_score *score);

#endif
