/*
 * mutants.h - one-edit mutants of a program's text as fhec disassembles it: one line an
 * instruction.
 */
#ifndef FH_CLI_MUTANTS_H
#define FH_CLI_MUTANTS_H

#include "cli.h"

/* One line of the text, in the place of which another one or two stand. */
struct fh_cli_mutant {
    const char *kind; /* "register", "missing barrier", ... */
    size_t program, kernel;
    uint32_t instruction; /* of the kernel */
    size_t line, length;  /* where the line lies in the text, without its end */
    char *after;          /* malloc'd */
    bool doubled;         /* the line stands there twice */
};

struct fh_cli_mutants {
    struct fh_cli_mutant *list;
    size_t count;
};

/* Adds the edits of every instruction for which `wanted` says so. Not all of them are instructions;
 * those that cannot make a difference are left out as far as the text tells. */
fhec_status fh_cli_mutants_add(
    const struct fh_cli *cli, struct fh_cli_mutants *mutants, size_t program, const char *text,
    bool (*wanted)(void *user, size_t program, size_t kernel, uint32_t instruction), void *user);
void fh_cli_mutants_free(struct fh_cli_mutants *mutants);
/* Another order, by the seed. */
void fh_cli_mutants_shuffle(struct fh_cli_mutants *mutants, uint64_t seed);
/* The text with the edit; malloc'd. */
char *fh_cli_mutant_text(const struct fh_cli_mutant *mutant, const char *text);

#endif
