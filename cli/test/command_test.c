/*
 * command_test.c - fhec test: runs the cases that kernels carry, side by side, and reports.
 */
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arrays.h"
#include "check_run.h"
#include "children.h"
#include "machine_options.h"
#include "message.h"
#include "options.h"
#include "profile_run.h"
#include "test_case.h"
#include "test_report.h"
#include "test_sarif.h"
#include "test_script.h"
#include "test_suite.h"
#include "test_update.h"
#include "why_run.h"

static const char doc[] =
    "Runs kernels against the expectations beside them: `.test` lines in the source, or the same "
    "lines in NAME.test beside NAME.sass or NAME.cubin. PATH is one of these, or a folder, of "
    "which all that has such lines is run; or a launch script, NAME.fhec."
    "\vExpected values come from the C references or from the user's own, never from the emulator. "
    "With --update, pinned hashes of references are brought up to date and the difference is "
    "printed; inputs and everything else stay as they are. A case ends after a minute or 2^27 warp "
    "instructions, if --timeout and --max-steps say nothing else. It runs on machines of two "
    "seeds, "
    "as of --seed-machine 1 and 2 if nothing else is said, and a result that changes between them "
    "is an error of its own kind. The last line counts; the exit "
    "status is 1 if a case failed, 3 if checkers or lint found something.";

enum {
    OPTION_UPDATE = 1,
    OPTION_CASE,
    OPTION_LIST,
    OPTION_JUNIT,
    OPTION_FORMAT,
    OPTION_TIMEOUT,
    OPTION_LINT,
    OPTION_PYTHON,
};
static const struct argp_option options[] = {
    {"case", OPTION_CASE, "PATTERN", 0, "Only cases whose name fits, as file names do in a shell",
     0},
    {"jobs", 'j', "N", 0, "So many cases at once (default: one per core)", 0},
    {"list", OPTION_LIST, NULL, 0, "List the cases, and run none", 0},
    {"format", OPTION_FORMAT, "text|tap|json", 0, "How verdicts are printed", 0},
    {"junit", OPTION_JUNIT, "FILE", 0, "Write the verdicts to FILE, too, as JUnit does", 0},
    {"timeout", OPTION_TIMEOUT, "SECONDS", 0, "Time limit of a case (default 60); 0: none", 0},
    {"lint", OPTION_LINT, NULL, 0, "Check the scheduling fields of each program, too", 0},
    {"python", OPTION_PYTHON, "PROGRAM", 0, "What runs references in Python (default python3)", 0},
    {"update", OPTION_UPDATE, NULL, 0, "Bring pinned hashes of references up to date", 0},
    {"include", 'I', "DIR", 0, "Look for .include files in DIR too", 0},
    {0},
};

enum { DEFAULT_SECONDS = 60, DEFAULT_SEED = 1 };
#define DEFAULT_STEPS (UINT64_C(1) << 27)

struct test_options {
    struct fh_cli *cli;
    struct fh_cli_machine machine;
    struct fh_cli_check_options check;
    struct fh_cli_profile_options profiling;
    struct fh_cli_profile *profile; /* NULL: none is wanted */
    struct fh_cli_test_suite suite;
    struct fh_cli_test_report report;
    char **paths;
    size_t path_count;
    const char *python;
    uint64_t seconds;
    unsigned jobs;
    bool update, list;
    bool update_failed;
};

static const char **add_word(const struct argp_state *state, const char **words, size_t *count,
                             const char *word) {
    words = fh_cli_grow(state, words, *count, sizeof *words);
    words[(*count)++] = word;
    return words;
}

static error_t parse_rest(int key, char *arg, struct argp_state *state) {
    struct test_options *o = state->input;
    switch (key) {
    case OPTION_UPDATE: o->update = true; return 0;
    case OPTION_LIST: o->list = true; return 0;
    case OPTION_LINT: o->suite.lint = true; return 0;
    case OPTION_PYTHON: o->python = arg; return 0;
    case OPTION_JUNIT: o->report.junit = arg; return 0;
    case OPTION_TIMEOUT:
        o->seconds = fh_cli_number_option(state, "--timeout", arg, 0, 1000000);
        return 0;
    case ARGP_KEY_ARG:
        o->paths = fh_cli_grow(state, o->paths, o->path_count, sizeof *o->paths);
        o->paths[o->path_count++] = arg;
        return 0;
    case ARGP_KEY_END:
        if (!o->path_count)
            argp_error(state, "which PATH?");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct test_options *o = state->input;
    static const char *const formats[] = {"text", "tap", "json", NULL};
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->machine;
        state->child_inputs[1] = o->cli;
        state->child_inputs[2] = &o->check;
        state->child_inputs[3] = &o->profiling;
        return 0;
    case OPTION_CASE:
        o->suite.patterns = add_word(state, o->suite.patterns, &o->suite.pattern_count, arg);
        return 0;
    case 'I':
        o->suite.include_dirs =
            add_word(state, o->suite.include_dirs, &o->suite.include_count, arg);
        return 0;
    case 'j': o->jobs = (unsigned)fh_cli_number_option(state, "--jobs", arg, 1, 1024); return 0;
    case OPTION_FORMAT:
        o->report.format =
            (enum fh_cli_test_format)fh_cli_choice_option(state, "--format", arg, formats);
        return 0;
    default: return parse_rest(key, arg, state);
    }
}

static const struct argp_child children[] = {{&fh_cli_machine_argp, 0, NULL, 0},
                                             {&fh_cli_common_argp, 0, NULL, 0},
                                             {&fh_cli_check_argp, 0, NULL, 0},
                                             {&fh_cli_profile_argp, 0, NULL, 0},
                                             {0}};
static const struct argp argp = {options, parse_option, "PATH...", doc, children, NULL, NULL};

/* ---------------------------------------------------------------- one case, in its process */

static void say_lint(void *user, const fhec_diagnostic *d) {
    const struct test_options *o = user;
    fh_cli_diagnostic(o->cli, d);
}

static enum fh_cli_verdict lint(struct test_options *o, const fhec_program *program) {
    fhec_status status = fhec_lint(program, say_lint, o);
    return status == FHEC_OK        ? FH_CLI_PASSED
           : status == FHEC_DIFFERS ? FH_CLI_FOUND
                                    : FH_CLI_MALFORMED;
}

static struct fh_cli_test_run run_of(const struct test_options *o,
                                     const struct fh_cli_test_file *file) {
    return (struct fh_cli_test_run){.cli = o->cli,
                                    .machine = &o->machine,
                                    .check = &o->check,
                                    .profile = o->profile,
                                    .program = file->program,
                                    .source = &file->source,
                                    .python = o->python,
                                    .update = o->update};
}

static bool run_item(void *user, size_t index, FILE *out) {
    struct test_options *o = user;
    const struct fh_cli_test_item *item = &o->suite.items[index];
    const struct fh_cli_test_file *file = &o->suite.files[item->file];
    struct fh_cli_test_run run = run_of(o, file);
    enum fh_cli_verdict verdict = FH_CLI_MALFORMED;
    o->cli->file = file->path;
    fh_cli_profile_restart(o->profile);
    run.result = json_pack("{s:[], s:[]}", "differences", "updates");
    if (o->check.sarif)
        json_object_set_new(run.result, "sarif", json_array());
    if (item->kind == FH_CLI_TEST_LINT)
        verdict = lint(o, file->program);
    else if (item->kind == FH_CLI_TEST_CASE && run.result)
        verdict = fh_cli_test_case(&run, &file->lines[item->first], item->count);
    else if (item->kind == FH_CLI_TEST_SCRIPT && run.result)
        verdict = fh_cli_test_script(&run, file->path);
    json_t *whole = json_pack("{s:i, s:O, s:o*}", "verdict", (int)verdict, "result", run.result,
                              "profile", fh_cli_profile_part(o->profile));
    if (!whole || json_dumpf(whole, out, JSON_COMPACT) != 0)
        fh_cli_no_memory(o->cli);
    json_decref(whole);
    json_decref(run.result);
    return run.interrupted;
}

/* ---------------------------------------------------------------- what came of it */

static void bring_up_to_date(struct test_options *o, const struct fh_cli_test_item *item,
                             const json_t *result) {
    const json_t *updates = json_object_get(result, "updates");
    for (size_t i = 0; i < json_array_size(updates); i++) {
        const json_t *update = json_array_get(updates, i);
        size_t line = (size_t)json_integer_value(json_object_get(update, "line"));
        const char *hex = json_string_value(json_object_get(update, "hash"));
        const struct fh_cli_test_file *file = &o->suite.files[item->file];
        if (fh_cli_test_update(o->cli, &file->lines[item->first + line], hex) != FHEC_OK)
            o->update_failed = true;
    }
}

/* A process that left no verdict: why, as one more message. */
static char *said_at_the_end(const struct fh_cli_child_end *end, const char *command) {
    char *said = NULL;
    int length = end->timed_out
                     ? asprintf(&said, "%s%s: error: the time limit is over (--timeout)\n",
                                end->text[FH_CLI_CHILD_STDERR], command)
                     : asprintf(&said, "%s%s: error: the process of the case ended by signal %d\n",
                                end->text[FH_CLI_CHILD_STDERR], command, end->signal);
    return length < 0 ? NULL : said;
}

static void add_sarif(struct test_options *o, const struct fh_cli_test_item *item,
                      const struct fh_cli_test_verdict *verdict) {
    const struct fh_cli_test_file *file = &o->suite.files[item->file];
    const bool is_case = item->kind == FH_CLI_TEST_CASE;
    json_t *findings = json_incref(json_object_get(verdict->result, "sarif"));
    json_object_del(verdict->result, "sarif"); /* the other reports have them as messages */
    fh_cli_test_sarif_add(o->report.results, verdict, findings,
                          is_case ? file->lines[item->first].file : file->path,
                          is_case ? file->lines[item->first].line : 1);
    json_decref(findings);
}

static void item_done(void *user, const struct fh_cli_child_end *end) {
    struct test_options *o = user;
    const struct fh_cli_test_item *item = &o->suite.items[end->index];
    json_t *whole = json_loads(end->text[FH_CLI_CHILD_RESULT], 0, NULL);
    char *more = whole ? NULL : said_at_the_end(end, o->cli->command);
    struct fh_cli_test_verdict verdict = {
        .path = o->suite.files[item->file].path,
        .name = item->name,
        .verdict = end->timed_out ? FH_CLI_FAILED : FH_CLI_MALFORMED,
        .seconds = end->seconds,
        .result = json_object_get(whole, "result"),
        .said = more ? more : end->text[FH_CLI_CHILD_STDERR],
        .printed = end->text[FH_CLI_CHILD_STDOUT],
    };
    if (end->signal == SIGINT) { /* what an interrupt ends has no verdict */
        fputs(verdict.said, stderr);
        free(more);
        return;
    }
    if (whole)
        verdict.verdict =
            (enum fh_cli_verdict)json_integer_value(json_object_get(whole, "verdict"));
    if (o->report.results)
        add_sarif(o, item, &verdict);
    fh_cli_test_report_add(&o->report, &verdict);
    fh_cli_profile_add(o->profile, json_object_get(whole, "profile"));
    if (o->update)
        bring_up_to_date(o, item, verdict.result);
    json_decref(whole);
    free(more);
}

/* ---------------------------------------------------------------- all of them */

static void list(const struct test_options *o) {
    for (size_t i = 0; i < o->suite.item_count; i++) {
        const struct fh_cli_test_item *item = &o->suite.items[i];
        const struct fh_cli_test_file *file = &o->suite.files[item->file];
        const struct fh_cli_test_line *line = &file->lines[item->first];
        if (item->kind != FH_CLI_TEST_CASE)
            continue;
        if (o->report.format == FH_CLI_TEST_JSON) {
            json_t *object =
                json_pack("{s:s, s:s, s:s, s:I}", "file", file->path, "case", item->name, "at",
                          line->file, "line", (json_int_t)line->line);
            json_dumpf(object, stdout, JSON_COMPACT);
            putchar('\n');
            json_decref(object);
        } else {
            printf("%s: %s\n", file->path, item->name);
        }
    }
}

static bool is_broken(const struct fh_cli_test_suite *suite) {
    for (size_t i = 0; i < suite->item_count; i++)
        if (suite->items[i].kind == FH_CLI_TEST_BROKEN)
            return true;
    return false;
}

static fhec_status run_all(struct test_options *o) {
    const struct fh_cli_children all = {
        .count = o->suite.item_count,
        .jobs = fh_cli_children_jobs(o->jobs),
        .seconds = (double)o->seconds,
        .run = run_item,
        .done = item_done,
        .user = o,
    };
    o->report.cli = o->cli;
    o->report.sarif = o->check.sarif;
    o->report.profile = o->profiling.path;
    if (o->machine.seeded)
        snprintf(o->report.machine, sizeof o->report.machine, "--seed-machine %llu",
                 (unsigned long long)o->machine.seed);
    if (!o->machine.max_steps)
        o->machine.max_steps = DEFAULT_STEPS;
    if (!o->machine.options.threads && all.jobs > 1)
        o->machine.options.threads = 1;
    o->cli->terminal = false; /* no progress: the verdicts are */
    o->cli->json |= o->report.format == FH_CLI_TEST_JSON;
    o->cli->color &= o->report.format == FH_CLI_TEST_TEXT && !o->report.junit;
    fhec_status status = fh_cli_profile_open(o->cli, &o->profiling, &o->profile);
    for (size_t i = 0; i < o->suite.file_count && status == FHEC_OK; i++)
        if (o->suite.files[i].program)
            fh_cli_profile_know(o->profile, o->suite.files[i].program);
    if (status == FHEC_OK)
        status = fh_cli_test_report_begin(&o->report, all.count);
    if (status == FHEC_OK)
        status = fh_cli_children_run(o->cli, &all);
    status = fh_cli_profile_close(o->profile, status);
    if (status == FHEC_OK)
        status = fh_cli_test_report_end(&o->report);
    return status == FHEC_OK && o->update_failed ? FHEC_BAD_INPUT : status;
}

/* What `fhec why` or `fhec debug` asks of the only case. */
static fhec_status explain(struct test_options *o) {
    const struct fh_cli_test_item *item = NULL;
    for (size_t i = 0; i < o->suite.item_count; i++) {
        if (o->suite.items[i].kind == FH_CLI_TEST_BROKEN)
            return FHEC_BAD_INPUT;
        if (item)
            return fh_cli_error(o->cli, FHEC_BAD_INPUT,
                                "which of the cases? PATH:CASE names one, --list tells them");
        item = &o->suite.items[i];
    }
    if (item->kind == FH_CLI_TEST_SCRIPT)
        return fh_cli_error(o->cli, FHEC_BAD_INPUT,
                            "launch scripts are for `fhec run` and "
                            "`fhec test` only");
    const struct fh_cli_test_file *file = &o->suite.files[item->file];
    struct fh_cli_test_run run = run_of(o, file);
    o->cli->file = file->path;
    if (o->cli->debug)
        return fh_cli_test_debug(o->cli, &run, &file->lines[item->first], item->count);
    return fh_cli_test_why(&run, &file->lines[item->first], item->count);
}

/* PATH:CASE is a path with a pattern, if nothing is called that. */
static fhec_status add_path(struct test_options *o, char *path) {
    char *colon = strrchr(path, ':');
    const bool cut = colon && access(path, F_OK) != 0;
    if (cut) {
        *colon = 0;
        const char **patterns =
            fh_cli_more(o->suite.patterns, o->suite.pattern_count, sizeof *patterns);
        if (!patterns)
            return fh_cli_no_memory(o->cli);
        o->suite.patterns = patterns;
        patterns[o->suite.pattern_count++] = colon + 1;
    }
    const fhec_status status = fh_cli_test_suite_add(&o->suite, path);
    o->suite.pattern_count -= cut;
    return status;
}

fhec_status fh_cli_test(struct fh_cli *cli, int argc, char **argv) {
    struct test_options o = {.cli = cli, .python = "python3", .seconds = DEFAULT_SECONDS};
    o.machine.seeded = o.machine.seed_is_told = true;
    o.machine.seed = DEFAULT_SEED;
    o.check.sarif_alone = true;
    fhec_status status = FHEC_OK;
    fh_cli_parse(cli, &argp, argc, argv, &o);
    o.suite.cli = cli;
    for (size_t i = 0; i < o.path_count && status == FHEC_OK; i++)
        status = add_path(&o, o.paths[i]);
    if (status == FHEC_OK && !o.suite.item_count)
        status = fh_cli_error(cli, FHEC_BAD_INPUT,
                              o.suite.skipped ? "no case has such a name; --list tells them"
                                              : "no case is written there");
    else if (status == FHEC_OK && (cli->question || cli->debug))
        status = explain(&o);
    else if (status == FHEC_OK && o.list)
        list(&o);
    else if (status == FHEC_OK)
        status = run_all(&o);
    if (status == FHEC_OK && o.list && is_broken(&o.suite))
        status = FHEC_BAD_INPUT;
    fh_cli_test_report_free(&o.report);
    fh_cli_test_suite_free(&o.suite);
    fh_cli_check_options_free(&o.check);
    free(o.paths);
    return status;
}
