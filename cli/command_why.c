/*
 * command_why.c - fhec why: how an element of a buffer came about.
 */
#include <stdlib.h>
#include <string.h>

#include "fhec_observe.h"
#include "journal.h"
#include "message.h"
#include "options.h"
#include "runner.h"
#include "slice.h"
#include "slice_text.h"

static const char doc[] =
    "Runs a kernel of FILE as `fhec run` with the same options does, and prints what the element "
    "of a buffer was made of: the instruction that stored it last, what made the register that it "
    "stored, and so on, back to the inputs."
    "\vBUFFER[ROW, COLUMN] goes with .npy files of two dimensions. Elements of matrix instructions "
    "are shown with the row and the column that they were made of, and whether they are right for "
    "these. Loads are followed through memory to the stores. No file is written.";

enum {
    OPTION_DEPTH = 0x2600,
    OPTION_NODES,
    OPTION_ADDRESSES,
    OPTION_GUARDS,
    OPTION_FORMAT,
    OPTION_MEMORY,
};

static const struct argp_option options[] = {
    {"depth", OPTION_DEPTH, "N", 0, "So many steps back at most (default 16)", 20},
    {"nodes", OPTION_NODES, "N", 0, "So many values at most (default 400)", 20},
    {"addresses", OPTION_ADDRESSES, NULL, 0, "Follow addresses, too", 20},
    {"guards", OPTION_GUARDS, NULL, 0, "Follow guards, too", 20},
    {"format", OPTION_FORMAT, "FORM", 0, "text, json, or dot for Graphviz", 20},
    {"memory", OPTION_MEMORY, "BYTES", 0,
     "How much of what ran is kept (default 1G); what is oldest is forgotten", 20},
    {0},
};

struct why {
    struct fh_cli *cli;
    struct fh_cli_run_options run;
    const char *element;
    struct fh_slice_limits limits;
    size_t format;
    uint64_t memory;
};

static bool is_element(const char *text) {
    return text[strlen(text) - (*text != 0)] == ']';
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    static const char *const formats[] = {"text", "json", "dot", NULL};
    struct why *why = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &why->run; return 0;
    case ARGP_KEY_ARG:
        if (why->element && (is_element(why->element) || !is_element(arg)))
            return ARGP_ERR_UNKNOWN; /* FILE */
        if (why->element)            /* FILE came first */
            why->run.source.path = why->element;
        why->element = arg;
        return 0;
    case OPTION_DEPTH:
        why->limits.depth = (uint32_t)fh_cli_number_option(state, "--depth", arg, 1, UINT32_MAX);
        return 0;
    case OPTION_NODES:
        why->limits.nodes = fh_cli_number_option(state, "--nodes", arg, 1, UINT32_MAX / 2);
        return 0;
    case OPTION_ADDRESSES: why->limits.addresses = true; return 0;
    case OPTION_GUARDS: why->limits.guards = true; return 0;
    case OPTION_FORMAT:
        why->format = fh_cli_choice_option(state, "--format", arg, formats);
        return 0;
    case OPTION_MEMORY:
        why->memory =
            fh_cli_bytes_option(state, "--memory", arg, UINT64_C(1) << 20, UINT64_C(1) << 46);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&fh_cli_run_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {options, parse_option, "BUFFER[INDEX] FILE", doc, children,
                                 NULL,    NULL};

static fhec_status print(const struct why *why, const struct fh_journal *journal,
                         const struct fh_cli_memory *memory, const struct fh_cli_buffer *buffer,
                         size_t index) {
    struct fh_slice slice;
    char name[160];
    const uint64_t offset = index * buffer->data.width;
    fh_cli_element_name(memory, buffer->name, offset, name, sizeof name);
    bool fine = fh_slice_make(&slice, journal, buffer->address + offset, buffer->data.width,
                              fh_cli_data_get(&buffer->data, index), &why->limits) &&
                fh_journal_complete(journal);
    const struct fh_cli_slice shown = {&slice, journal, memory, name};
    if (fine && why->format == 0)
        fh_cli_slice_text(&shown, stdout);
    else if (fine && why->format == 1)
        fine = fh_cli_slice_json(&shown, stdout);
    else if (fine)
        fh_cli_slice_dot(&shown, stdout);
    fh_slice_free(&slice);
    return fine ? FHEC_OK : fh_cli_no_memory(why->cli);
}

static fhec_status run_and_print(struct why *why) {
    struct fh_cli_runner *runner = NULL;
    struct fh_journal *journal = NULL;
    fhec_machine *machine = NULL;
    const struct fh_cli_buffer *buffer;
    size_t index;
    fhec_status status = fh_cli_runner_open(why->cli, &why->run, &runner);
    if (status != FHEC_OK)
        return status;
    struct fh_cli_memory *memory = fh_cli_runner_memory(runner);
    status = fh_cli_find_element(why->cli, memory, why->element, &buffer, &index);
    if (status == FHEC_OK)
        status = fh_cli_machine_new(why->cli, &why->run.machine, &machine);
    if (status == FHEC_OK && fh_journal_begin(machine, why->memory, &journal) != FHEC_OK)
        status = fh_cli_no_memory(why->cli);
    if (status == FHEC_OK)
        status = fh_cli_runner_launch(runner, machine);
    if (status == FHEC_OK) {
        fh_journal_stop(journal);
        status = print(why, journal, memory, buffer, index);
    }
    fh_journal_free(journal);
    fhec_machine_free(machine);
    fh_cli_runner_close(runner);
    return status;
}

fhec_status fh_cli_why(struct fh_cli *cli, int argc, char **argv) {
    struct why why = {.cli = cli,
                      .run = {.cli = cli},
                      .limits = {.depth = 16, .nodes = 400},
                      .memory = UINT64_C(1) << 30};
    fh_cli_parse(cli, &argp, argc, argv, &why);
    fhec_status status = run_and_print(&why);
    fh_cli_run_options_free(&why.run);
    return status;
}
