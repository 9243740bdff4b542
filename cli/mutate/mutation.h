/*
 * mutation.h - what `fhec mutate` does inside a command that it runs: it takes down the programs
 * and what their instructions use of each other, or puts a mutant in the place of one of them.
 *
 * A program is known by how many were there before it in the run, an instruction by its kernel and
 * its place there. Programs are mutated as text, so that one instruction more moves the others.
 */
#ifndef FH_CLI_MUTATION_H
#define FH_CLI_MUTATION_H

#include "cli.h"

/* Instructions of all programs together, and programs, that are looked at; others are not mutated.
 */
enum { FH_CLI_MUTATION_MOST = 1 << 14, FH_CLI_MUTATION_PROGRAMS = 64 };

/* Memory that the processes of a run share. */
struct fh_cli_mutation_seen {
    uint64_t most_instructions;            /* of one launch */
    uint8_t ran[FH_CLI_MUTATION_MOST + 1]; /* by number of the instruction, from 1 */
    uint8_t used[FH_CLI_MUTATION_MOST + 1][FH_CLI_MUTATION_MOST / 8 + 1]; /* bits of the readers */
};

struct fh_cli_mutation_program {
    uint32_t *kernels; /* the number of the first instruction of each */
    size_t kernel_count;
    const fhec_program *program; /* in this process */
};

struct fh_cli_mutation {
    struct fh_cli_mutation_seen *seen; /* NULL: a mutant runs */
    struct fh_cli_mutation_program programs[FH_CLI_MUTATION_PROGRAMS];
    size_t program_count;
    uint32_t instructions;
    /* With `seen`: a program has been made, whose disassembly is `text`. */
    fhec_status (*taken)(void *user, const fhec_program *program, const char *text);
    void *taken_user;
    size_t target;    /* the program that `text` stands for */
    const char *text; /* of a mutant */
};

/* To be called with every program that is about to run, once in each run: cli->mutation NULL is
 * fine. May replace the program. */
fhec_status fh_cli_mutation_program(const struct fh_cli *cli, fhec_program **program);
/* Before a run that makes its programs once more, which are then those of the run before. */
void fh_cli_mutation_again(const struct fh_cli *cli);
/* To be called with every machine, before anything runs there. */
fhec_status fh_cli_mutation_machine(const struct fh_cli *cli, fhec_machine *machine);

/* The number of an instruction; 0: it has none. */
uint32_t fh_cli_mutation_number(const struct fh_cli_mutation *mutation, size_t program,
                                size_t kernel, uint64_t pc);
bool fh_cli_mutation_uses(const struct fh_cli_mutation_seen *seen, uint32_t writer,
                          uint32_t reader);
void fh_cli_mutation_free(struct fh_cli_mutation *mutation);

#endif
