/*
 * trace_options.c - see trace_options.h.
 */
#include "trace_options.h"

#include <string.h>

#include "describe.h"
#include "options.h"

/* Keys; those of subjects are SUBJECT and its number. */
enum { WHAT = 0x2000, OUT_FILE, FORMAT, PACKED, UNIT, SUBJECT };

#define SUBJECT_OPTIONS(prefix)                                                                    \
    {prefix "pc", SUBJECT + FH_TRACE_BY_PC, "PC[-PC],...", 0, "Only these pcs, hexadecimal", 8},   \
        {prefix "line",                                                                            \
         SUBJECT + FH_TRACE_BY_LINE,                                                               \
         "[FILE:]LINE[-LINE],...",                                                                 \
         0,                                                                                        \
         "Only what was written there, or came of a macro there",                                  \
         8},                                                                                       \
        {prefix "register",                                                                        \
         SUBJECT + FH_TRACE_BY_REGISTER,                                                           \
         "R4-R7,UR3,P0,...",                                                                       \
         0,                                                                                        \
         "Only what writes one of these (or reads it, where reads are wanted)",                    \
         8},                                                                                       \
        {prefix "lane",                                                                            \
         SUBJECT + FH_TRACE_BY_LANE,                                                               \
         "N[-N],...",                                                                              \
         0,                                                                                        \
         "Only what one of these lanes executes, and of memory their accesses",                    \
         8},                                                                                       \
        {prefix "opcode",                                                                          \
         SUBJECT + FH_TRACE_BY_OPCODE,                                                             \
         "NAME,...",                                                                               \
         0,                                                                                        \
         "Only these mnemonics, or what they begin with up to a dot",                              \
         8},                                                                                       \
        {prefix "memory",                                                                          \
         SUBJECT + FH_TRACE_BY_MEMORY,                                                             \
         "PLACE,...",                                                                              \
         0,                                                                                        \
         "Only what accesses one of these: BUFFER[FIRST[-LAST]], elements of 32 bits or of "       \
         "BUFFER:TYPE (u8 ... u64); 0xADDRESS[-0xADDRESS]; shared, local and constant are "        \
         "buffers, too",                                                                           \
         8},                                                                                       \
        {prefix "kernel", SUBJECT + FH_TRACE_BY_KERNEL, "NAME,...", 0, "Only these kernels", 8}, { \
        prefix "launch", SUBJECT + FH_TRACE_BY_LAUNCH, "N[-N],...", 0,                             \
            "Only these launches, counted from 1", 8                                               \
    }

static const struct argp_option run_options[] = {
    {"trace", WHAT, "WHAT", OPTION_ARG_OPTIONAL,
     "Commit log of fetch, regs, mem, reads, constants, sync, flow, blocks, host (a list; default "
     "the first three) on stderr; or accelsim:DIR: traces for Accel-Sim in that folder",
     7},
    {"trace-xz", PACKED, 0, 0, "Traces for Accel-Sim are packed: .traceg.xz", 7},
    {"trace-fhec", UNIT, "NAME", 0,
     "What FHEC is called in traces for Accel-Sim: fhec (default), or imma, which an Accel-Sim "
     "without FHEC reads",
     7},
    {"trace-file", OUT_FILE, "FILE", 0, "The log goes to FILE", 7},
    {"trace-format", FORMAT, "FORMAT", 0,
     "text (default), wide (the 32 lanes on one line), json (an object a line), or log, a compact "
     "log of everything that `fhec trace` reads",
     7},
    {"trace-warp", SUBJECT + FH_TRACE_BY_WARP, "N[-N],...", 0, "Only warp N of each block", 7},
    {"trace-block", SUBJECT + FH_TRACE_BY_BLOCK, "N[-N],...", 0, "Only block N, counted x first",
     7},
    SUBJECT_OPTIONS("trace-"),
    {0},
};

static const struct argp_option filter_options[] = {
    {"warp", SUBJECT + FH_TRACE_BY_WARP, "N[-N],...", 0, "Only warp N of each block", 8},
    {"block", SUBJECT + FH_TRACE_BY_BLOCK, "N[-N],...", 0, "Only block N, counted x first", 8},
    SUBJECT_OPTIONS(""),
    {0},
};

static const struct argp_option show_options[] = {
    {"what", WHAT, "WHAT", 0,
     "A list of fetch, regs, mem (default: these), reads, constants, sync, flow, blocks, host", 7},
    {"format", FORMAT, "FORMAT", 0,
     "text (default), wide (the 32 lanes on one line) or json (an object a line)", 7},
    {0},
};

/* A list of parts. */
static void parse_parts(const struct argp_state *state, const char *option, const char *text,
                        struct fh_cli_trace_options *o) {
    const char *at = text;
    while (*at) {
        const size_t length = strcspn(at, ",");
        const unsigned part = fh_trace_part(at, length);
        if (!part)
            break;
        o->parts |= part;
        at += length;
        at += *at == ',';
    }
    if (*at || !*text)
        argp_error(state, "%s%s: expected a list of %s", option, text, fh_trace_part_names);
}

static void parse_subject(const struct argp_state *state, const char *prefix, int key,
                          const char *text, struct fh_cli_trace_options *o) {
    static const char *const names[FH_TRACE_SUBJECTS] = {
        [FH_TRACE_BY_PC] = "pc",
        [FH_TRACE_BY_LINE] = "line",
        [FH_TRACE_BY_REGISTER] = "register",
        [FH_TRACE_BY_LANE] = "lane",
        [FH_TRACE_BY_WARP] = "warp",
        [FH_TRACE_BY_BLOCK] = "block",
        [FH_TRACE_BY_OPCODE] = "opcode",
        [FH_TRACE_BY_MEMORY] = "memory",
        [FH_TRACE_BY_KERNEL] = "kernel",
        [FH_TRACE_BY_LAUNCH] = "launch",
    };
    const enum fh_trace_subject subject = (enum fh_trace_subject)(key - SUBJECT);
    const char *expected = fh_trace_select_add(&o->select, subject, text);
    if (expected)
        argp_error(state, "--%s%s %s: expected %s", prefix, names[subject], text, expected);
    o->wanted |= subject != FH_TRACE_BY_WARP && subject != FH_TRACE_BY_BLOCK;
}

static error_t parse_filter(int key, char *arg, struct argp_state *state) {
    if (key < SUBJECT || key >= SUBJECT + FH_TRACE_SUBJECTS)
        return ARGP_ERR_UNKNOWN;
    parse_subject(state, "", key, arg, state->input);
    return 0;
}

static error_t parse_show(int key, char *arg, struct argp_state *state) {
    static const char *const formats[] = {"text", "wide", "json", NULL};
    struct fh_cli_trace_options *o = state->input;
    switch (key) {
    case WHAT: parse_parts(state, "--what ", arg, o); return 0;
    case FORMAT:
        o->format = (enum fh_cli_trace_format)fh_cli_choice_option(state, "--format", arg, formats);
        return 0;
    case ARGP_KEY_INIT: state->child_inputs[0] = o; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* A trace for Accel-Sim has all of a launch. */
static void check_accelsim(const struct argp_state *state, const struct fh_cli_trace_options *o) {
    bool chosen = o->path || o->format != FH_CLI_TRACE_TEXT || o->parts || o->all;
    for (unsigned i = 0; i < FH_TRACE_SUBJECTS; i++)
        chosen |= i != FH_TRACE_BY_KERNEL && i != FH_TRACE_BY_LAUNCH && o->select.counts[i];
    if (!o->accelsim && (o->packed || o->imma))
        argp_error(state, "--trace-xz and --trace-fhec are of --trace=accelsim:DIR");
    if (o->accelsim && chosen)
        argp_error(state, "--trace=accelsim:DIR: of the other options of traces only "
                          "--trace-kernel and --trace-launch go with it");
}

static void parse_what(const struct argp_state *state, const char *arg,
                       struct fh_cli_trace_options *o) {
    static const char prefix[] = "accelsim:";
    if (!arg) {
        o->all = true;
    } else if (strncmp(arg, prefix, strlen(prefix)) == 0) {
        o->accelsim = arg + strlen(prefix);
        if (!*o->accelsim)
            argp_error(state, "--trace=%s: expected a folder behind the colon", arg);
    } else {
        parse_parts(state, "--trace=", arg, o);
    }
}

static error_t parse_run(int key, char *arg, struct argp_state *state) {
    static const char *const formats[] = {"text", "wide", "json", "log", NULL};
    static const char *const units[] = {"fhec", "imma", NULL};
    struct fh_cli_trace_options *o = state->input;
    if (key >= SUBJECT && key < SUBJECT + FH_TRACE_SUBJECTS) {
        parse_subject(state, "trace-", key, arg, o);
        return 0;
    }
    switch (key) {
    case WHAT: parse_what(state, arg, o); return 0;
    case OUT_FILE: o->path = arg; return 0;
    case PACKED: o->packed = true; return 0;
    case UNIT: o->imma = fh_cli_choice_option(state, "--trace-fhec", arg, units) == 1; return 0;
    case FORMAT:
        o->format =
            (enum fh_cli_trace_format)fh_cli_choice_option(state, "--trace-format", arg, formats);
        o->wanted = true;
        return 0;
    case ARGP_KEY_END:
        if (o->format == FH_CLI_TRACE_LOG && !o->path)
            argp_error(state, "--trace-format=log needs --trace-file");
        check_accelsim(state, o);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child show_children[] = {{&fh_cli_trace_filter_argp, 0, NULL, 8}, {0}};
const struct argp fh_cli_trace_run_argp = {run_options, parse_run, NULL, NULL, NULL, NULL, NULL};
const struct argp fh_cli_trace_filter_argp = {filter_options, parse_filter, NULL, NULL,
                                              NULL,           NULL,         NULL};
const struct argp fh_cli_trace_show_argp = {show_options,  parse_show, NULL, NULL,
                                            show_children, NULL,       NULL};

void fh_cli_trace_options_free(struct fh_cli_trace_options *options) {
    fh_trace_select_free(&options->select);
}

bool fh_cli_trace_is_wanted(const struct fh_cli_trace_options *options) {
    return options->parts || options->all || options->wanted || options->accelsim;
}

unsigned fh_cli_trace_printed(const struct fh_cli_trace_options *options) {
    const unsigned usual = FH_TRACE_FETCH | FH_TRACE_REGS | FH_TRACE_MEM;
    return options->parts | (options->all || !options->parts ? usual : 0);
}

unsigned fh_cli_trace_recorded(const struct fh_cli_trace_options *options) {
    unsigned parts = fh_cli_trace_printed(options);
    if (options->format == FH_CLI_TRACE_LOG)
        parts = options->parts && !options->all ? options->parts : FH_TRACE_ALL;
    if (options->select.counts[FH_TRACE_BY_REGISTER])
        parts |= FH_TRACE_REGS;
    if (options->select.counts[FH_TRACE_BY_MEMORY])
        parts |= FH_TRACE_MEM | FH_TRACE_CONSTANTS;
    return parts;
}
