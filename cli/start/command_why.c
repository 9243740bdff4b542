/*
 * command_why.c - fhec why: how an element of a buffer came about.
 */
#include <string.h>

#include "message.h"
#include "options.h"
#include "other_command.h"
#include "runner.h"
#include "why_run.h"

static const char doc[] =
    "Runs a kernel of FILE as `fhec run` with the same options does, and prints what the element "
    "of a buffer was made of: the instruction that stored it last, what made the register that it "
    "stored, and so on, back to the inputs."
    "\vBUFFER[ROW, COLUMN] goes with .npy files of two dimensions. Elements of matrix instructions "
    "are shown with the row and the column that they were made of, and whether they are right for "
    "these. Loads are followed through memory to the stores, through the launches of a run. With "
    "the name of another command and its options instead of FILE, that is what runs: `fhec why "
    "'result[5]' ntt --n 1024`, `fhec why 'y[3]' test FILE:CASE`. No file is written.";

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
    struct fh_cli_question question;
};

static bool is_element(const char *text) {
    return text[strlen(text) - (*text != 0)] == ']';
}

static error_t parse_own(int key, char *arg, struct argp_state *state) {
    static const char *const formats[] = {"text", "json", "dot", NULL};
    struct why *why = state->input;
    switch (key) {
    case OPTION_DEPTH:
        why->question.limits.depth =
            (uint32_t)fh_cli_number_option(state, "--depth", arg, 1, UINT32_MAX);
        return 0;
    case OPTION_NODES:
        why->question.limits.nodes = fh_cli_number_option(state, "--nodes", arg, 1, UINT32_MAX / 2);
        return 0;
    case OPTION_ADDRESSES: why->question.limits.addresses = true; return 0;
    case OPTION_GUARDS: why->question.limits.guards = true; return 0;
    case OPTION_FORMAT:
        why->question.format = fh_cli_choice_option(state, "--format", arg, formats);
        return 0;
    case OPTION_MEMORY:
        why->question.memory =
            fh_cli_bytes_option(state, "--memory", arg, UINT64_C(1) << 20, UINT64_C(1) << 46);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct why *why = state->input;
    const char **element = &why->question.element;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &why->run; return 0;
    case ARGP_KEY_ARG:
        if (*element && (is_element(*element) || !is_element(arg)))
            return ARGP_ERR_UNKNOWN; /* FILE */
        if (*element)                /* FILE came first */
            why->run.source.path = *element;
        *element = arg;
        return 0;
    default: return parse_own(key, arg, state);
    }
}

static error_t parse_element(int key, char *arg, struct argp_state *state) {
    struct why *why = state->input;
    if (key != ARGP_KEY_ARG)
        return parse_own(key, arg, state);
    why->question.element = arg;
    return 0;
}

static const struct argp own_argp = {options, parse_element, "BUFFER[INDEX] COMMAND ...", doc, NULL,
                                     NULL,    NULL};
static const struct argp argp = {
    options,
    parse_option,
    "BUFFER[INDEX] FILE\nBUFFER[INDEX] ntt|bconv|eltwise|ckks|bigint|test ...",
    doc,
    fh_cli_run_children,
    NULL,
    NULL};

/* ---------------------------------------------------------------- of `fhec run` */

static fhec_status run_and_print(struct why *why) {
    struct fh_cli_runner *runner = NULL;
    struct fh_journal *journal = NULL;
    fhec_machine *machine = NULL;
    const struct fh_cli_buffer *buffer;
    size_t index;
    fhec_status status = fh_cli_runner_open_unwatched(why->cli, &why->run, &runner);
    if (status != FHEC_OK)
        return status;
    struct fh_cli_memory *memory = fh_cli_runner_memory(runner);
    status = fh_cli_find_element(why->cli, memory, why->question.element, &buffer, &index);
    if (status == FHEC_OK)
        status = fh_cli_machine_new(why->cli, &why->run.machine, &machine);
    if (status == FHEC_OK)
        status = fh_cli_why_begin(why->cli, machine, &journal);
    if (status == FHEC_OK)
        status = fh_cli_runner_launch(runner, machine);
    if (status == FHEC_OK)
        status = fh_cli_why_buffer(why->cli, journal, memory);
    fh_journal_free(journal);
    fhec_machine_free(machine);
    fh_cli_runner_close(runner);
    return status;
}

/* ---------------------------------------------------------------- of other commands */

/* Where the other command's name stands: behind the element and options of this command. 0: there
 * is none, and all is about `fhec run`. */
static int find_command(int argc, char **argv) {
    bool element = false;
    for (int i = 1; i < argc;) {
        const int own = fh_cli_own_option(options, argv[i], i + 1 < argc);
        if (!own && element && fh_cli_other_find(argv[i]))
            return i;
        if (!own && (element || !is_element(argv[i])))
            return 0;
        element |= !own;
        i += own ? own : 1;
    }
    return 0;
}

/* Options of this command may stand anywhere; all others are the other's, whose name is argv[at].
 */
static fhec_status ask(struct why *why, int argc, char **argv, int at) {
    struct fh_cli_split split;
    fhec_status status = fh_cli_split(why->cli, options, argc, argv, at, &split);
    if (status == FHEC_OK) {
        fh_cli_parse(why->cli, &own_argp, split.mine_count, split.mine, why);
        why->cli->question = &why->question;
        status = fh_cli_other_run(why->cli, fh_cli_other_find(argv[at]), &split);
    }
    fh_cli_split_free(&split);
    return status;
}

fhec_status fh_cli_why(struct fh_cli *cli, int argc, char **argv) {
    struct why why = {
        .cli = cli,
        .run = {.cli = cli},
        .question = {.limits = {.depth = 16, .nodes = 400}, .memory = UINT64_C(1) << 30}};
    const int at = find_command(argc, argv);
    if (at)
        return ask(&why, argc, argv, at);
    fh_cli_parse(cli, &argp, argc, argv, &why);
    if (!why.question.element)
        return fh_cli_error(cli, FHEC_BAD_INPUT, "which BUFFER[INDEX]?");
    cli->question = &why.question;
    fhec_status status = run_and_print(&why);
    fh_cli_run_options_free(&why.run);
    return status;
}
