/*
 * command_report.c - fhec report: counts every kernel on every map and prints the comparison.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ckks_options.h"
#include "interrupt.h"
#include "machine_options.h"
#include "message.h"
#include "nearest.h"
#include "options.h"
#include "output.h"
#include "progress.h"
#include "report_form.h"
#include "report_times.h"
#include "seconds.h"
#include "workload.h"

static const char doc[] =
    "Compares the instructions that maps take. ROW is one of:\n"
    "  kernels     transforms, base conversion, CKKS primitives and multi-word products, run on "
    "every map and verified against the C reference (the default)\n"
    "  bootstrap   one bootstrap, composed from primitives that are counted on every map\n"
    "  lr          two iterations of training a logistic regression, likewise\n"
    "  resnet20    inference by ResNet20, likewise\n"
    "  bert-tiny   inference by BERT-Tiny, likewise\n"
    "  FILE.json   an application of one's own\n"
    "or `all`: all of these but files. With --time the kernels are Rescale, Rotate and HEMult, and "
    "without a ROW the bootstrap is there, too."
    "\vThe parameters are those of the published figures unless others are given. A FILE of --out "
    "is written in the form that its extension names: .txt, .md, .json or .svg; --out can be "
    "repeated. Without --out the report goes to standard output.";

enum {
    OPTION_BITS = 1,
    OPTION_WIDE_BITS,
    OPTION_MAPS,
    OPTION_WORDS,
    OPTION_SEED,
    OPTION_NO_VERIFY,
    OPTION_FORMAT,
    OPTION_OUT,
    OPTION_TIME,
    OPTION_SENSITIVITY,
    OPTION_STATS
};
enum { DEFAULT_BITS = 30, DEFAULT_WIDE_BITS = 60 };
static const struct argp_option options[] = {
    {"bits", OPTION_BITS, "BITS", 0, "Size of the primes of 32-bit maps (default 30)", 0},
    {"wide-bits", OPTION_WIDE_BITS, "BITS", 0, "Size of the primes of 64-bit maps (default 60)", 0},
    {"maps", OPTION_MAPS, "MAP[,MAP...]", 0, "The maps and their order (default: all)", 1},
    {"words", OPTION_WORDS, "W[,W...]", 0, "Sizes of multi-word products (default 3,4,8,16,32,64)",
     1},
    {"seed", OPTION_SEED, "S", 0, "Seed of all operands (default 1)", 2},
    {"no-verify", OPTION_NO_VERIFY, NULL, 0, "Do not compare with the C reference", 2},
    {"format", OPTION_FORMAT, "FORMAT", 0, "text (default), markdown, json or svg", 3},
    {"out", OPTION_OUT, "FILE", 0, "Write the report to FILE", 3},
    {"time", OPTION_TIME, "MACHINE,MACHINE", OPTION_ARG_OPTIONAL,
     "Times instead of counts, on a machine without FHEC and one with it (default "
     "a100,a100+fhecore), beside the published ones; --maps names a map for each (default "
     "cuda64,fhec16)",
     4},
    {"sensitivity", OPTION_SENSITIVITY, NULL, 0,
     "With --time: also with what nobody states of the machines changed, line by line", 4},
    {"stats", OPTION_STATS, "json", OPTION_ARG_OPTIONAL | OPTION_HIDDEN, NULL, 4}, /* is refused */
    {0},
};

enum form { FORM_TEXT, FORM_MARKDOWN, FORM_JSON, FORM_SVG, FORM_NONE };
static const char *const forms[] = {"text", "markdown", "json", "svg", NULL};

static const fh_golden_ckks_params default_chain = {
    .log2_n = 16, .limbs = 11, .alpha = 4, .dnum = 3};

enum { MAX_MAPS = 32, MAX_OUTPUTS = 16, MAX_SIZES = 10, MAX_APPS = 16 };

struct report_options {
    struct fh_cli *cli;
    struct fh_cli_machine machine;
    struct fh_comparison_params params;
    struct fh_comparison rotate; /* beside the published one, of one limb more */
    const struct fh_map *maps[MAX_MAPS];
    size_t map_count;
    bool maps_given;
    uint64_t *words;
    const char *out[MAX_OUTPUTS];
    size_t out_count;
    enum form form;
    struct fh_cli_progress *line;
    bool kernels; /* are asked for */
    const char *names[MAX_APPS];
    char own[MAX_APPS][64]; /* names of the tool's applications */
    size_t name_count;
    struct fh_cli_apps apps;
    bool timed, sensitivity;
    const char *machines[FH_CLI_TIME_SIDES];
    struct fh_cli_times *times; /* NULL: counts */
};

/* ---------------------------------------------------------------- options */

static void add_app(struct report_options *report, const struct argp_state *state,
                    const char *name) {
    for (size_t i = 0; i < report->name_count; i++)
        if (!strcmp(report->names[i], name))
            argp_error(state, "%s is named twice", name);
    if (report->name_count == MAX_APPS)
        argp_error(state, "more than %d applications", MAX_APPS);
    report->names[report->name_count++] = name;
}

/* A row: the kernels, an application of the tool, a file. */
static void add_row(struct report_options *report, const struct argp_state *state,
                    const char *name) {
    const char *names[MAX_APPS + 2] = {"kernels", "all"};
    const char *dot = strrchr(name, '.');
    size_t own = 0;
    bool known = strchr(name, '/') || (dot && !strcmp(dot, ".json"));
    for (; own < MAX_APPS && fh_cli_app_own(own, report->own[own]); own++) {
        names[2 + own] = report->own[own];
        known = known || !strcmp(name, report->own[own]);
    }
    if (!strcmp(name, "kernels") || !strcmp(name, "all"))
        report->kernels = true;
    else if (known)
        add_app(report, state, name);
    else
        argp_error(state, "there is no row \"%s\"%s", name,
                   fh_cli_hint(fh_nearest_of(name, names, 2 + own)).text);
    for (size_t i = 0; !strcmp(name, "all") && i < own; i++)
        add_app(report, state, report->own[i]);
}

static void find_maps(struct report_options *report, const struct argp_state *state, char *list) {
    report->map_count = 0;
    report->maps_given = true;
    for (char *name; (name = strsep(&list, ",")) != NULL;) {
        const char *names[MAX_MAPS];
        size_t count = 0;
        const struct fh_map *map = fh_map_find(name);
        for (const struct fh_map *any; count < MAX_MAPS && (any = fh_map_get(count)) != NULL;)
            names[count++] = any->name;
        const char *near = map ? NULL : fh_nearest_of(name, names, count);
        if (!map)
            argp_error(state, "--maps: there is no map \"%s\"%s", name, fh_cli_hint(near).text);
        for (size_t i = 0; i < report->map_count; i++)
            if (report->maps[i] == map)
                argp_error(state, "--maps: %s is named twice", name);
        if (report->map_count == MAX_MAPS)
            argp_error(state, "--maps: more than %d of them", MAX_MAPS);
        report->maps[report->map_count++] = map;
    }
}

static enum form form_of(const char *path) {
    static const struct {
        const char *extension;
        enum form form;
    } extensions[] = {
        {".txt", FORM_TEXT}, {".md", FORM_MARKDOWN}, {".json", FORM_JSON}, {".svg", FORM_SVG}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof extensions / sizeof *extensions; i++)
        if (!strcmp(dot, extensions[i].extension))
            return extensions[i].form;
    return FORM_NONE;
}

/* NAME,NAME of --time. */
static void find_machines(struct report_options *report, const struct argp_state *state,
                          char *list) {
    report->timed = true;
    for (unsigned side = 0; list && side < FH_CLI_TIME_SIDES; side++)
        report->machines[side] = strsep(&list, ",");
    const bool none = !report->machines[FH_CLI_TIME_BASE];
    if (!none && (list || !report->machines[FH_CLI_TIME_FHEC] ||
                  !*report->machines[FH_CLI_TIME_BASE] || !*report->machines[FH_CLI_TIME_FHEC]))
        argp_error(state, "--time: expected two machines, one without FHEC and one with it");
}

/* Rows, maps and machines that are not given. */
static void default_times(struct report_options *report, const struct argp_state *state) {
    static const char *const maps[FH_CLI_TIME_SIDES] = {FH_CLI_PUBLISHED_BASELINE,
                                                        FH_CLI_PUBLISHED_FHEC};
    static const char *const machines[FH_CLI_TIME_SIDES] = {"a100", "a100+fhecore"};
    if (!report->kernels && !report->name_count) {
        report->kernels = true;
        add_app(report, state, "bootstrap");
    }
    for (unsigned side = 0; side < FH_CLI_TIME_SIDES; side++) {
        if (!report->machines[side])
            report->machines[side] = machines[side];
        if (!report->maps_given)
            report->maps[side] = fh_map_find(maps[side]);
    }
    if (!report->maps_given)
        report->map_count = FH_CLI_TIME_SIDES;
}

/* What --time needs, and what of the other options it cannot have. */
static void check_timed(struct report_options *report, const struct argp_state *state) {
    const struct fh_golden_ckks_params *chain = &report->params.chain;
    bool drawn = report->form == FORM_SVG;
    if (chain->limbs != default_chain.limbs || chain->alpha != default_chain.alpha ||
        chain->dnum != default_chain.dnum)
        argp_error(state, "--limbs, --alpha and --dnum: with --time the chains are those of the "
                          "published primitives and of the applications");
    if (report->params.bits_32 != DEFAULT_BITS || report->params.bits_64 != DEFAULT_WIDE_BITS ||
        report->words)
        argp_error(state,
                   "--bits, --wide-bits and --words: with --time primes have 30 and 60 bits, "
                   "and there are no multi-word products");
    for (size_t i = 0; i < report->out_count; i++)
        drawn = drawn || (report->form == FORM_NONE && form_of(report->out[i]) == FORM_SVG);
    if (drawn)
        argp_error(state, "--time has no drawing: text, markdown or json");
    if (report->map_count != FH_CLI_TIME_SIDES || report->maps[FH_CLI_TIME_BASE]->word_bits != 64 ||
        report->maps[FH_CLI_TIME_FHEC]->word_bits != 32)
        argp_error(state,
                   "--maps: with --time one map with words of 64 bits, and one with words of "
                   "32 bits");
    for (size_t i = 0; i < report->map_count; i++)
        if (!(report->maps[i]->workloads & FH_WORKLOAD_CKKS))
            argp_error(state, "--maps: %s has no CKKS primitives", report->maps[i]->name);
}

static void check_complete(struct report_options *report, const struct argp_state *state) {
    if (report->sensitivity && !(report->timed && report->kernels))
        argp_error(state, "--sensitivity needs --time, and the kernels among its rows");
    if (report->timed)
        check_timed(report, state);
    for (size_t i = 0; i < report->out_count; i++)
        if (report->form == FORM_NONE && form_of(report->out[i]) == FORM_NONE)
            argp_error(state,
                       "--out %s: expected a name in .txt, .md, .json or .svg, or --format beside "
                       "it",
                       report->out[i]);
    if (report->params.word_count > MAX_SIZES)
        argp_error(state, "--words: more than %d sizes", MAX_SIZES);
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct report_options *report = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &report->params.chain;
        state->child_inputs[1] = &report->machine;
        state->child_inputs[2] = report->cli;
        return 0;
    case OPTION_BITS:
        report->params.bits_32 = (unsigned)fh_cli_number_option(state, "--bits", arg, 2, 32);
        return 0;
    case OPTION_WIDE_BITS:
        report->params.bits_64 =
            (unsigned)fh_cli_number_option(state, "--wide-bits", arg, 2, FH_MAX_MODULUS_BITS_64);
        return 0;
    case OPTION_MAPS: find_maps(report, state, arg); return 0;
    case OPTION_WORDS:
        free(report->words);
        report->words = fh_cli_list_option(state, "--words", arg, FH_BIGINT_MIN_WORDS,
                                           FH_BIGINT_MAX_WORDS, &report->params.word_count);
        report->params.words = report->words;
        return 0;
    case OPTION_SEED:
        report->params.seed = fh_cli_number_option(state, "--seed", arg, 0, INT64_MAX);
        return 0;
    case OPTION_NO_VERIFY: report->params.verify = false; return 0;
    case OPTION_FORMAT:
        report->form = (enum form)fh_cli_choice_option(state, "--format", arg, forms);
        return 0;
    case OPTION_OUT:
        if (report->out_count == MAX_OUTPUTS)
            argp_error(state, "--out: more than %d files", MAX_OUTPUTS);
        report->out[report->out_count++] = arg;
        return 0;
    case OPTION_TIME: find_machines(report, state, arg); return 0;
    case OPTION_SENSITIVITY: report->sensitivity = true; return 0;
    case OPTION_STATS:
        argp_error(state, "--stats: the report consists of them; see --format");
        return 0;
    case ARGP_KEY_ARG: add_row(report, state, arg); return 0;
    case ARGP_KEY_END:
        if (report->timed)
            default_times(report, state);
        report->kernels = report->kernels || !report->name_count;
        check_complete(report, state);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&fh_cli_chain_argp, 0, NULL, 0},
                                             {&fh_cli_bare_machine_argp, 0, NULL, 0},
                                             {&fh_cli_common_argp, 0, NULL, 0},
                                             {0}};
static const struct argp argp = {options, parse_option, "[ROW...]", doc, children, NULL, NULL};

/* ---------------------------------------------------------------- running and printing */

static void show_progress(void *user, const char *map, const char *what, size_t step,
                          size_t steps) {
    struct report_options *report = user;
    fh_cli_progress_stop(report->line);
    report->line =
        fh_cli_progress_start(report->cli, NULL, "%s: %zu of %zu: %s%s%s", report->cli->command,
                              step, steps, map ? map : "", map ? ", " : "", what);
}

/* The report in one form as bytes; the caller frees them. */
static fhec_status format(const struct report_options *report, const struct fh_comparison *counts,
                          enum form form, char **text, size_t *length) {
    const struct fh_cli_report_view view = {&report->params, counts, &report->rotate,
                                            &report->apps};
    FILE *to = open_memstream(text, length);
    bool good = to != NULL;
    if (!good)
        return fh_cli_no_memory(report->cli);
    if (report->times)
        good = form == FORM_JSON ? fh_cli_times_json(report->times, to)
                                 : fh_cli_times_text(report->times, to, form == FORM_MARKDOWN);
    else if (form == FORM_JSON)
        good = fh_cli_report_json(&view, to);
    else if (form == FORM_SVG)
        good = fh_cli_report_svg(&view, to);
    else
        good = fh_cli_report_text(&view, to, form == FORM_MARKDOWN);
    good = !ferror(to) && good;
    good = fclose(to) == 0 && good;
    return good ? FHEC_OK : fh_cli_no_memory(report->cli);
}

static fhec_status add_outputs(const struct report_options *report,
                               struct fh_cli_outputs *outputs) {
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < report->out_count && status == FHEC_OK; i++)
        status = fh_cli_output_add(report->cli, outputs, report->out[i]);
    return report->out_count ? status : fh_cli_output_add(report->cli, outputs, "-");
}

static fhec_status write_report(const struct report_options *report,
                                const struct fh_comparison *counts,
                                struct fh_cli_outputs *outputs) {
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < outputs->count && status == FHEC_OK; i++) {
        const char *path = outputs->files[i].path;
        enum form form = form_of(path);
        char *text = NULL;
        size_t length = 0;
        if (form == FORM_NONE)
            form = report->form == FORM_NONE ? FORM_TEXT : report->form;
        status = format(report, counts, form, &text, &length);
        if (status == FHEC_OK)
            status = fh_cli_output_write(report->cli, outputs, path, text, length);
        free(text);
    }
    return status;
}

/* The published Rotate has another number of limbs than the other primitives. It is run on the maps
 * that stand beside it if the chain is that of these others. */
static fhec_status run_published_rotate(struct report_options *report, fhec_machine *machine,
                                        struct fh_error *error) {
    const fh_golden_ckks_params *chain = &report->params.chain;
    struct fh_comparison_params params = report->params;
    const struct fh_map *maps[FH_CLI_PUBLISHED_MAP_COUNT];
    const struct fh_cli_published *rotate = NULL;
    for (size_t i = 0; i < FH_CLI_PUBLISHED_COUNT; i++)
        if (fh_cli_published[i].kernel == FH_COMPARISON_ROTATE)
            rotate = &fh_cli_published[i];
    if (chain->log2_n != default_chain.log2_n || chain->limbs != default_chain.limbs ||
        chain->alpha != default_chain.alpha || chain->dnum != default_chain.dnum)
        return FHEC_OK;
    params.maps = maps;
    params.map_count = 0;
    for (size_t i = 0; i < report->map_count; i++)
        for (size_t k = 0; k < FH_CLI_PUBLISHED_MAP_COUNT; k++)
            if (!strcmp(report->maps[i]->name, fh_cli_published_maps[k]))
                maps[params.map_count++] = report->maps[i];
    params.kernels = 1u << FH_COMPARISON_ROTATE;
    params.chain.limbs = rotate->limbs;
    params.chain.alpha = rotate->alpha;
    params.chain.dnum = rotate->dnum;
    return params.map_count ? fh_comparison_run(machine, &params, &report->rotate, error) : FHEC_OK;
}

static fhec_status run_report(struct report_options *report) {
    struct fh_comparison counts = {.rows = NULL};
    struct fh_error error = {""};
    struct fh_cli_outputs outputs = {NULL, 0};
    fhec_machine *machine = NULL;
    double started = fh_cli_now();
#ifdef M_MMAP_THRESHOLD
    /* Maps come and go with arrays of many sizes: each large one shall go back to the system. */
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
    fhec_status status =
        fh_cli_apps_read(report->cli, report->names, report->name_count, &report->apps);
    if (status == FHEC_OK)
        status = add_outputs(report, &outputs);
    if (status == FHEC_OK)
        status = fh_cli_machine_new(report->cli, &report->machine, &machine);
    if (status == FHEC_OK && report->kernels) {
        fh_cli_interrupt_begin(machine);
        status = fh_comparison_run(machine, &report->params, &counts, &error);
        if (status == FHEC_OK)
            status = run_published_rotate(report, machine, &error);
        fh_cli_interrupt_end();
        fh_cli_progress_stop(report->line);
        status = fh_cli_program_error(report->cli, machine, status, &error);
    }
    if (status == FHEC_OK)
        status = fh_cli_apps_add_all(report->cli, &report->apps, report->maps, report->map_count);
    if (status == FHEC_OK && report->name_count)
        status = fh_cli_apps_count(report->cli, machine, report->params.chain.log2_n,
                                   &report->params.options, NULL, &report->apps);
    if (status == FHEC_OK)
        status = write_report(report, &counts, &outputs);
    if (status == FHEC_OK)
        status = fh_cli_output_commit(report->cli, &outputs);
    fh_cli_output_discard(&outputs);
    if (status == FHEC_OK)
        fh_cli_note(report->cli, "%zu maps, %s, %.1f s", report->map_count,
                    !report->kernels        ? "applications composed"
                    : report->params.verify ? "all results equal to the C reference"
                                            : "not verified",
                    fh_cli_now() - started);
    fh_comparison_free(&counts);
    fh_comparison_free(&report->rotate);
    fhec_machine_free(machine);
    fh_cli_apps_free(&report->apps);
    return status;
}

/* Times instead of counts. */
static fhec_status run_times(struct report_options *report) {
    const struct fh_cli_times_wanted wanted = {
        .machines = {report->machines[FH_CLI_TIME_BASE], report->machines[FH_CLI_TIME_FHEC]},
        .maps = {report->maps[FH_CLI_TIME_BASE], report->maps[FH_CLI_TIME_FHEC]},
        .names = report->names,
        .name_count = report->name_count,
        .primitives = report->kernels,
        .sensitivity = report->sensitivity,
        .log2_n = report->params.chain.log2_n,
        .options = report->params.options,
        .settings = &report->machine,
    };
    struct fh_cli_outputs outputs = {NULL, 0};
    struct fh_cli_times *times = malloc(sizeof *times);
    const double started = fh_cli_now();
    if (!times)
        return fh_cli_no_memory(report->cli);
    fhec_status status = add_outputs(report, &outputs);
    *times = (struct fh_cli_times){.row_count = 0};
    if (status == FHEC_OK)
        status = fh_cli_times_run(report->cli, &wanted, times);
    report->times = times;
    if (status == FHEC_OK)
        status = write_report(report, NULL, &outputs);
    if (status == FHEC_OK)
        status = fh_cli_output_commit(report->cli, &outputs);
    fh_cli_output_discard(&outputs);
    if (status == FHEC_OK)
        fh_cli_note(report->cli, "not verified, %.1f s", fh_cli_now() - started);
    fh_cli_times_free(times);
    free(times);
    return status;
}

fhec_status fh_cli_report(struct fh_cli *cli, int argc, char **argv) {
    static const uint64_t sizes[] = {3, 4, 8, 16, 32, 64};
    struct report_options report = {
        .cli = cli,
        .form = FORM_NONE,
        .params = {.chain = default_chain,
                   .bits_32 = DEFAULT_BITS,
                   .bits_64 = DEFAULT_WIDE_BITS,
                   .words = sizes,
                   .word_count = sizeof sizes / sizeof *sizes,
                   .seed = 1,
                   .verify = true,
                   .progress = show_progress},
    };
    for (const struct fh_map *map;
         report.map_count < MAX_MAPS && (map = fh_map_get(report.map_count)) != NULL;)
        report.maps[report.map_count++] = map;
    fh_cli_parse(cli, &argp, argc, argv, &report);
    report.params.maps = report.maps;
    report.params.map_count = report.map_count;
    report.params.progress_user = &report;
    struct fh_kernel_cache *kernels = fh_kernel_cache_new(); /* without it a report takes longer */
    report.params.options = (struct fh_run_options){.max_steps = report.machine.max_steps,
                                                    .diagnostic = fh_cli_diagnostic,
                                                    .user = cli,
                                                    .kernels = kernels};
    const fhec_status status = report.timed ? run_times(&report) : run_report(&report);
    fh_kernel_cache_free(kernels);
    free(report.words);
    return status;
}
