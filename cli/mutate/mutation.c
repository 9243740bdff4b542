/*
 * mutation.c - see mutation.h.
 */
#include "mutation.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "uses.h"

uint32_t fh_cli_mutation_number(const struct fh_cli_mutation *mutation, size_t program,
                                size_t kernel, uint64_t pc) {
    if (program >= mutation->program_count)
        return 0;
    const struct fh_cli_mutation_program *p = &mutation->programs[program];
    if (kernel >= p->kernel_count)
        return 0;
    const uint64_t number = p->kernels[kernel] + pc / sizeof(fhec_word);
    return number < FH_CLI_MUTATION_MOST ? (uint32_t)number : 0;
}

bool fh_cli_mutation_uses(const struct fh_cli_mutation_seen *seen, uint32_t writer,
                          uint32_t reader) {
    return writer && reader && (seen->used[writer][reader / 8] >> (reader % 8) & 1);
}

void fh_cli_mutation_free(struct fh_cli_mutation *mutation) {
    for (size_t i = 0; i < mutation->program_count; i++) {
        free(mutation->programs[i].kernels);
    }
    mutation->program_count = 0;
}

/* ---------------------------------------------------------------- programs */

static fhec_status take_down(const struct fh_cli *cli, struct fh_cli_mutation *mutation,
                             const fhec_program *program) {
    struct fh_cli_mutation_program *p = &mutation->programs[mutation->program_count];
    fhec_kernel_info info;
    size_t length;
    *p = (struct fh_cli_mutation_program){.program = program,
                                          .kernel_count = fhec_kernel_count(program)};
    p->kernels = calloc(p->kernel_count + 1, sizeof *p->kernels);
    if (!p->kernels)
        return fh_cli_no_memory(cli);
    mutation->program_count++;
    for (size_t k = 0; fhec_kernel_get(program, k, &info) == FHEC_OK; k++) {
        p->kernels[k] = mutation->instructions + 1;
        mutation->instructions += info.word_count;
    }
    char *text = NULL;
    fhec_status status = fhec_disassemble_program(program, FHEC_DIS_LINES, fh_cli_diagnostic,
                                                  (void *)cli, &text, &length);
    if (status == FHEC_OK)
        status = mutation->taken(mutation->taken_user, program, text);
    free(text);
    return status;
}

fhec_status fh_cli_mutation_program(const struct fh_cli *cli, fhec_program **program) {
    struct fh_cli_mutation *mutation = cli->mutation;
    if (!mutation || mutation->program_count == FH_CLI_MUTATION_PROGRAMS)
        return FHEC_OK;
    if (mutation->seen)
        return take_down(cli, mutation, *program);
    if (mutation->program_count++ != mutation->target)
        return FHEC_OK;
    fhec_program *mutant;
    const fhec_assemble_options options = {.diagnostic = fh_cli_diagnostic, .user = (void *)cli};
    fhec_status status =
        fhec_assemble("mutant", mutation->text, strlen(mutation->text), &options, &mutant);
    if (status != FHEC_OK)
        return status;
    fhec_program_free(*program);
    *program = mutant;
    return FHEC_OK;
}

void fh_cli_mutation_again(const struct fh_cli *cli) {
    if (cli->mutation && !cli->mutation->seen)
        cli->mutation->program_count = 0;
}

/* ---------------------------------------------------------------- what is used */

static uint32_t number_of(void *user, const fhec_launch *launch, uint64_t pc) {
    const struct fh_cli_mutation *mutation = user;
    for (size_t i = mutation->program_count; i-- > 0;)
        if (mutation->programs[i].program == launch->program)
            return fh_cli_mutation_number(mutation, i, launch->kernel, pc);
    return 0;
}

static void note_run(void *user, uint32_t number) {
    const struct fh_cli_mutation *mutation = user;
    mutation->seen->ran[number] = 1;
}

static void note_use(void *user, uint32_t writer, uint32_t reader) {
    const struct fh_cli_mutation *mutation = user;
    mutation->seen->used[writer][reader / 8] |= (uint8_t)(1u << (reader % 8));
}

static void note_end(void *user, uint64_t instructions) {
    const struct fh_cli_mutation *mutation = user;
    if (instructions > mutation->seen->most_instructions)
        mutation->seen->most_instructions = instructions;
}

fhec_status fh_cli_mutation_machine(const struct fh_cli *cli, fhec_machine *machine) {
    const struct fh_uses_ask ask = {cli->mutation, number_of, note_run, note_use, note_end};
    struct fh_uses *uses; /* lives as long as the process, which runs this once */
    if (!cli->mutation || !cli->mutation->seen)
        return FHEC_OK;
    fhec_status status = fh_uses_begin(machine, &ask, &uses);
    return status == FHEC_OK ? status : fh_cli_no_memory(cli);
}
