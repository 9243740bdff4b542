/*
 * sweep_options.c - see sweep_options.h.
 */
#include "sweep_options.h"

#include <stdlib.h>
#include <string.h>

#include "literal.h"
#include "options.h"
#include "sweep_reader.h"

static const char doc[] =
    "Runs a command of fhec for all combinations of parameters that PLAN, a file in JSON, has, and "
    "keeps the results in FILE, from which they are taken when they are known. Under mpirun the "
    "runs are spread over all ranks."
    "\vWithout PLAN the outputs are of all results in FILE. A column is the name of an option, "
    "command, build, state, seconds, peak_kib, stderr and others, or a place in what --stats=json "
    "prints, such as warp_insts or opcodes.EXIT.warp. Exit status: 0 all points are good, 1 some "
    "have failed, 2 the plan or an option is wrong, 4 a result could not be kept, 130 interrupted; "
    "what was done is kept in any case.";

enum {
    OPTION_DB = 1,
    OPTION_TIMEOUT,
    OPTION_ATTEMPTS,
    OPTION_RETRY,
    OPTION_SHARE,
    OPTION_KNOWN,
    OPTION_NO_RUN,
    OPTION_LIST,
    OPTION_FORMAT,
    OPTION_OUT,
    OPTION_COLUMNS,
    OPTION_WHERE,
    OPTION_PLOT,
    OPTION_X,
    OPTION_Y,
    OPTION_SERIES,
    OPTION_SCALE,
    OPTION_MERGE,
    OPTION_SLURM,
    OPTION_TASKS
};

static const struct argp_option table[] = {
    {"db", OPTION_DB, "FILE", 0, "The results, an SQLite file", 0},
    {"jobs", 'j', "N", 0, "Runs at once (default: all cores; 1 on each rank under mpirun)", 1},
    {"timeout", OPTION_TIMEOUT, "SECONDS", 0, "End a run that takes longer; it has failed", 1},
    {"attempts", OPTION_ATTEMPTS, "N", 0, "Times that a run is started if it is killed (default 3)",
     1},
    {"retry", OPTION_RETRY, NULL, 0, "Run again what has failed", 1},
    {"share", OPTION_SHARE, "I/N", 0, "Only every N-th point, from point I on", 1},
    {"known", OPTION_KNOWN, "FILE", 0, "Do not run what is known in FILE either", 1},
    {"no-run", OPTION_NO_RUN, NULL, 0, "Only show what is known", 2},
    {"list", OPTION_LIST, NULL, 0, "Print the points, and which are known; run nothing", 2},
    {"format", OPTION_FORMAT, "FORMAT", 0, "Print the results: table, csv or json", 3},
    {"out", OPTION_OUT, "FILE", 0, "Write them to FILE", 3},
    {"columns", OPTION_COLUMNS, "NAME[,NAME...]", 0, "Columns (default: what varies, and counts)",
     3},
    {"where", OPTION_WHERE, "NAME=VALUE[,VALUE...]", 0, "Only results with one of these values", 3},
    {"plot", OPTION_PLOT, "FILE", 0, "Draw results as lines, an SVG file", 4},
    {"x", OPTION_X, "NAME", 0, "The column along the horizontal axis", 4},
    {"y", OPTION_Y, "NAME", 0, "The column along the vertical axis (default warp_insts)", 4},
    {"series", OPTION_SERIES, "NAME[,NAME...]", 0, "One line for each of their values", 4},
    {"scale", OPTION_SCALE, "X,Y", 0, "auto, linear or log, for both axes", 4},
    {"merge", OPTION_MERGE, NULL, 0, "Add the results of other files, the arguments, to FILE", 5},
    {"slurm", OPTION_SLURM, "SCRIPT", 0, "Write the batch script of a Slurm job array", 6},
    {"tasks", OPTION_TASKS, "N", 0, "Tasks of the array (default 16, or one a point)", 6},
    {0},
};

/* The next word of a list, cut off in place. */
static const char *next_name(const struct argp_state *state, const char *option, char **list) {
    const char *name = strsep(list, ",");
    if (name && !*name)
        argp_error(state, "%s: an empty name", option);
    return name;
}

static void read_names(const struct argp_state *state, const char *option, char *list,
                       const char **names, size_t *count) {
    *count = 0;
    for (const char *name; (name = next_name(state, option, &list)) != NULL;) {
        if (*count == FH_CLI_SWEEP_MOST_COLUMNS)
            argp_error(state, "%s: more than %d names", option, FH_CLI_SWEEP_MOST_COLUMNS);
        names[(*count)++] = name;
    }
}

static void read_where(struct fh_cli_sweep_options *options, const struct argp_state *state,
                       char *arg) {
    const char *values;
    char *name = fh_cli_assignment_option(state, "--where", arg, &values), *list = strdup(values);
    json_t *wanted = json_array();
    if (!options->view.where)
        options->view.where = json_object();
    char *rest = list;
    for (const char *value; list && (value = next_name(state, "--where", &rest)) != NULL;)
        json_array_append_new(wanted, !strcmp(value, "true") ? json_true()
                                                             : fh_cli_sweep_scalar_text(value));
    if (!list || json_object_set_new(options->view.where, name, wanted) != 0)
        argp_failure(state, FHEC_HOST_ERROR, 0, "out of memory");
    free(list);
    free(name);
}

static void read_share(struct fh_cli_sweep_options *options, const struct argp_state *state,
                       const char *arg) {
    const char *slash = strchr(arg, '/');
    uint64_t share = 0, shares = 0;
    char *first = slash ? strndup(arg, (size_t)(slash - arg)) : NULL;
    if (!first || !fh_cli_number(first, &share) || !fh_cli_number(slash + 1, &shares) ||
        share >= shares || shares > FH_CLI_SWEEP_MOST_POINTS)
        argp_error(state, "--share %s: expected I/N, I from 0 to N - 1", arg);
    free(first);
    options->share = share;
    options->shares = shares;
}

static void read_scale(struct fh_cli_sweep_plot *plot, const struct argp_state *state, char *arg) {
    static const char *const scales[] = {"auto", "linear", "log", NULL};
    const char *x = strsep(&arg, ",");
    plot->x_scale = (enum fh_cli_sweep_scale)fh_cli_choice_option(state, "--scale", x, scales);
    plot->y_scale =
        (enum fh_cli_sweep_scale)fh_cli_choice_option(state, "--scale", arg ? arg : x, scales);
}

static void set_act(struct fh_cli_sweep_options *options, const struct argp_state *state,
                    enum fh_cli_sweep_act act) {
    if (options->act != FH_CLI_SWEEP_ACT_RUN && options->act != act)
        argp_error(state, "--no-run, --list, --merge and --slurm do not go together");
    options->act = act;
}

static void check_complete(struct fh_cli_sweep_options *options, const struct argp_state *state) {
    const bool merge = options->act == FH_CLI_SWEEP_ACT_MERGE;
    const bool outputs = options->formatted || options->plot.path;
    if (!options->db)
        argp_error(state, "which file has the results? --db=FILE");
    if (merge && !options->file_count)
        argp_error(state, "--merge: which files are to be added?");
    if (!merge && options->file_count > 1)
        argp_error(state, "one plan at a time: %s, %s", options->files[0], options->files[1]);
    options->plan = !merge && options->file_count ? options->files[0] : NULL;
    if (!merge && !options->plan && !(outputs && options->act != FH_CLI_SWEEP_ACT_SLURM))
        argp_error(state, "which plan? (without one --format and --plot show all of FILE)");
    if (options->out && !options->formatted)
        argp_error(state, "--out goes with --format");
    if (options->view.column_count && !options->formatted)
        argp_error(state, "--columns goes with --format");
    if (!options->plot.path && (options->plot.x || options->plot.y || options->plot.series_given))
        argp_error(state, "--x, --y and --series go with --plot");
    if (options->plot.path && !options->plot.x)
        argp_error(state, "--plot: which column is --x?");
    if (options->tasks && !options->slurm)
        argp_error(state, "--tasks goes with --slurm");
    if (options->plot.path && !options->plot.y)
        options->plot.y = "warp_insts";
}

static void read_seconds(struct fh_cli_sweep_options *options, const struct argp_state *state,
                         const char *arg) {
    if (!fh_parse_real(arg, &options->seconds) || !(options->seconds > 0) || options->seconds > 1e9)
        argp_error(state, "--timeout %s: expected seconds", arg);
}

static error_t parse_output(struct fh_cli_sweep_options *options, const struct argp_state *state,
                            int key, char *arg) {
    static const char *const forms[] = {"table", "csv", "json", NULL};
    switch (key) {
    case OPTION_FORMAT:
        options->form = (enum fh_cli_sweep_form)fh_cli_choice_option(state, "--format", arg, forms);
        options->formatted = true;
        return 0;
    case OPTION_OUT: options->out = arg; return 0;
    case OPTION_COLUMNS:
        read_names(state, "--columns", arg, options->view.columns, &options->view.column_count);
        options->view.named = true;
        return 0;
    case OPTION_WHERE: read_where(options, state, arg); return 0;
    case OPTION_PLOT: options->plot.path = arg; return 0;
    case OPTION_X: options->plot.x = arg; return 0;
    case OPTION_Y: options->plot.y = arg; return 0;
    case OPTION_SERIES:
        read_names(state, "--series", arg, options->plot.series, &options->plot.series_count);
        options->plot.series_given = true;
        return 0;
    case OPTION_SCALE: read_scale(&options->plot, state, arg); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct fh_cli_sweep_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = options->cli; return 0;
    case OPTION_DB: options->db = arg; return 0;
    case 'j':
        options->jobs = (unsigned)fh_cli_number_option(state, "--jobs", arg, 1, 4096);
        return 0;
    case OPTION_TIMEOUT: read_seconds(options, state, arg); return 0;
    case OPTION_ATTEMPTS:
        options->attempts = (unsigned)fh_cli_number_option(state, "--attempts", arg, 1, 100);
        return 0;
    case OPTION_RETRY: options->retry = true; return 0;
    case OPTION_SHARE: read_share(options, state, arg); return 0;
    case OPTION_KNOWN: options->known = arg; return 0;
    case OPTION_NO_RUN: set_act(options, state, FH_CLI_SWEEP_ACT_SHOW); return 0;
    case OPTION_LIST: set_act(options, state, FH_CLI_SWEEP_ACT_LIST); return 0;
    case OPTION_MERGE: set_act(options, state, FH_CLI_SWEEP_ACT_MERGE); return 0;
    case OPTION_SLURM:
        set_act(options, state, FH_CLI_SWEEP_ACT_SLURM);
        options->slurm = arg;
        return 0;
    case OPTION_TASKS:
        options->tasks = fh_cli_number_option(state, "--tasks", arg, 1, FH_CLI_SWEEP_MOST_POINTS);
        return 0;
    case ARGP_KEY_ARG:
        options->files =
            fh_cli_grow(state, options->files, options->file_count, sizeof *options->files);
        options->files[options->file_count++] = arg;
        return 0;
    case ARGP_KEY_END: check_complete(options, state); return 0;
    default: return parse_output(options, state, key, arg);
    }
}

static const char usage[] = "[PLAN] --db=FILE\n--merge --db=FILE OTHER...";
static const struct argp_child children[] = {{&fh_cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {table, parse_option, usage, doc, children, NULL, NULL};

void fh_cli_sweep_options_read(struct fh_cli *cli, int argc, char **argv,
                               struct fh_cli_sweep_options *options) {
    *options =
        (struct fh_cli_sweep_options){.cli = cli, .attempts = 3, .shares = 1, .view = {.cli = cli}};
    fh_cli_parse(cli, &argp, argc, argv, options);
}

void fh_cli_sweep_options_free(struct fh_cli_sweep_options *options) {
    free(options->files);
    json_decref(options->view.where);
}
