/*
 * command_patch.c - fhec patch: the calls of cuda/fhec.cuh's functions in an object become the
 * instructions that they stand for.
 */
#include <stdio.h>
#include <stdlib.h>

#include "fhec_patch.h"

#include "input.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "program_file.h"

static const char doc[] =
    "Puts FHE instructions in the place of the calls of cuda/fhec.cuh's functions in FILE, an "
    "object that nvcc made."
    "\vThe object goes to OUT, and how many calls became instructions to standard error. A call "
    "that cannot become its instruction is an error, with its source line where the object has "
    "lines (nvcc -lineinfo); then no file is written and the exit status is 2.";

static const struct argp_option options[] = {
    {"output", 'o', "OUT", 0, "Write the object to OUT (- for standard output)", 0},
    {0},
};

struct patch_options {
    struct fh_cli *cli;
    struct fh_cli_source source;
    const char *output;
};

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct patch_options *patch = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &patch->source;
        state->child_inputs[1] = patch->cli;
        return 0;
    case 'o': patch->output = arg; return 0;
    case ARGP_KEY_END:
        if (!patch->output)
            argp_error(state, "-o OUT is missing: where the object goes");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&fh_cli_source_argp, 0, NULL, 0}, {&fh_cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {options, parse_option, "FILE", doc, children, NULL, NULL};

static fhec_status write_object(struct patch_options *patch, const fhec_program *program) {
    struct fh_cli_outputs outputs = {NULL, 0};
    uint8_t *bytes;
    size_t length;
    if (fhec_program_write(program, &bytes, &length) != FHEC_OK)
        return fh_cli_no_memory(patch->cli);
    fhec_status status = fh_cli_output_add(patch->cli, &outputs, patch->output);
    if (status == FHEC_OK)
        status = fh_cli_source_spare(patch->cli, &patch->source, &outputs);
    if (status == FHEC_OK)
        status = fh_cli_output_write(patch->cli, &outputs, patch->output, bytes, length);
    if (status == FHEC_OK)
        status = fh_cli_output_commit(patch->cli, &outputs);
    else
        fh_cli_output_discard(&outputs);
    free(bytes);
    return status;
}

fhec_status fh_cli_patch(struct fh_cli *cli, int argc, char **argv) {
    struct patch_options patch = {.cli = cli};
    fh_cli_parse(cli, &argp, argc, argv, &patch);
    fhec_program *program = NULL;
    size_t count = 0;
    fhec_status status = fh_cli_load(cli, &patch.source, &program);
    if (status == FHEC_OK) {
        status = fhec_patch_calls(program, fh_cli_diagnostic, cli, &count);
        if (status == FHEC_HOST_ERROR)
            (void)fh_cli_no_memory(cli);
    }
    if (status == FHEC_OK)
        status = write_object(&patch, program);
    if (status == FHEC_OK)
        fprintf(stderr, "%zu calls became instructions\n", count);
    fhec_program_free(program);
    fh_cli_source_free(&patch.source);
    return status;
}
