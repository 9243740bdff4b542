/*
 * command_mutate.c - fhec mutate: changes a kernel in one place, and runs what would have to
 * notice.
 */
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "children.h"
#include "interrupt.h"
#include "message.h"
#include "mutants.h"
#include "mutation.h"
#include "mutation_report.h"
#include "options.h"
#include "other_command.h"

static const char doc[] =
    "Changes kernels in one place (a register, an operand, a modifier, a guard, an immediate, an "
    "instruction deleted or doubled, a barrier left out), runs their tests, and tells which "
    "mutants no test sees. PATH is what `fhec test` takes; or any command that runs kernels and "
    "verifies the result stands there, with its arguments: `fhec mutate ntt --n 1024`."
    "\vEach mutant runs in a process of its own, with all checkers, on machines by seed, and with "
    "limits of time and steps. Only instructions that run are mutated. Scheduling fields are not. "
    "The last lines count: how many are detected, and how many of these by a message that names "
    "the "
    "changed line, the changed instruction or one that uses its result: directly (a finding, a "
    "fault, the store of the first wrong element), or as one of the at most five suspects of a "
    "difference.";

enum { OPTION_LIMIT = 1, OPTION_SEED, OPTION_TIMEOUT, OPTION_FORMAT, OPTION_CHECK, OPTION_KERNEL };
static const struct argp_option options[] = {
    {"limit", OPTION_LIMIT, "N", 0, "So many mutants at most (default 200), drawn by the seed", 0},
    {"seed", OPTION_SEED, "S", 0, "Which mutants are drawn (default 1)", 0},
    {"jobs", 'j', "N", 0, "So many at once (default: one per core)", 0},
    {"timeout", OPTION_TIMEOUT, "SECONDS", 0, "Time limit of a mutant (default 30)", 0},
    {"kernel", OPTION_KERNEL, "NAME", 0, "Only mutants of this kernel", 0},
    {"check", OPTION_CHECK, "LIST|none", 0, "The checkers that look (default: all)", 0},
    {"format", OPTION_FORMAT, "text|json", 0, "Survivors and the score, or all mutants, as JSON",
     0},
    {0},
};

enum { MORE_ARGUMENTS = 8 };

struct mutate {
    struct fh_cli *cli;
    fh_cli_command *command;
    const char *name;
    char **arguments; /* of the command; its name is not among them */
    int argument_count;
    uint64_t limit, seed, seconds;
    unsigned jobs;
    bool json;
    const char *check, *kernel;
    struct fh_cli_mutation mutation;
    struct fh_cli_mutation_seen *seen;
    json_t *baseline; /* {status, programs} */
    char *baseline_said;
    struct fh_cli_mutants mutants;
    struct fh_cli_mutation_report report;
    size_t not_reached;
};

/* From the first word that is no option on, everything is the command's. */
static void take_command(struct mutate *m, struct argp_state *state, const char *word) {
    m->command = fh_cli_test;
    m->name = "test";
    const struct fh_cli_other run = {"run", "fhec run", fh_cli_run};
    const struct fh_cli_other *named = strcmp(word, run.name) ? fh_cli_other_find(word) : &run;
    if (named) {
        m->command = named->run;
        m->name = named->name;
    }
    m->arguments = state->argv + state->next - (named ? 0 : 1);
    m->argument_count = state->argc - state->next + (named ? 0 : 1);
    state->next = state->argc;
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct mutate *m = state->input;
    static const char *const formats[] = {"text", "json", NULL};
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = m->cli; return 0;
    case OPTION_LIMIT:
        m->limit = fh_cli_number_option(state, "--limit", arg, 1, 10000000);
        return 0;
    case OPTION_SEED: m->seed = fh_cli_number_option(state, "--seed", arg, 0, UINT64_MAX); return 0;
    case OPTION_TIMEOUT:
        m->seconds = fh_cli_number_option(state, "--timeout", arg, 1, 1000000);
        return 0;
    case OPTION_KERNEL: m->kernel = arg; return 0;
    case OPTION_CHECK: m->check = arg; return 0;
    case OPTION_FORMAT:
        m->json = fh_cli_choice_option(state, "--format", arg, formats) == 1;
        return 0;
    case 'j': m->jobs = (unsigned)fh_cli_number_option(state, "--jobs", arg, 1, 1024); return 0;
    case ARGP_KEY_ARG: take_command(m, state, arg); return 0;
    case ARGP_KEY_END:
        if (!m->command)
            argp_error(state, "which PATH, or which command?");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child argp_children[] = {{&fh_cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    options, parse_option, "PATH...\nCOMMAND ARGUMENT...", doc, argp_children, NULL, NULL};

/* ---------------------------------------------------------------- in a child */

/* The command with its arguments, and what all runs have. */
static fhec_status run_command(struct mutate *m, uint64_t max_steps) {
    char steps[40], check[120];
    const bool tests = m->command == fh_cli_test;
    char **argv = calloc((size_t)m->argument_count + MORE_ARGUMENTS + 2, sizeof *argv);
    int argc = 0;
    if (!argv)
        return fh_cli_no_memory(m->cli);
    snprintf(steps, sizeof steps, "--max-steps=%llu", (unsigned long long)max_steps);
    snprintf(check, sizeof check, m->check ? "--check=%s" : "--check", m->check);
    argv[argc++] = (char *)m->name;
    argv[argc++] = (char *)"--diag=json";
    argv[argc++] = (char *)"--threads=1";
    argv[argc++] = tests ? (char *)"--jobs=1" : (char *)"--seed-machine=1";
    if (tests)
        argv[argc++] = (char *)"--timeout=0";
    if (!m->check || strcmp(m->check, "none") != 0)
        argv[argc++] = check;
    if (max_steps)
        argv[argc++] = steps;
    memcpy(argv + argc, m->arguments, (size_t)m->argument_count * sizeof *argv);
    argc += m->argument_count;
    const fhec_status status = m->command(m->cli, argc, argv);
    free(argv);
    return status;
}

static json_t *kernel_json(const fhec_program *program, size_t kernel) {
    fhec_kernel_info info;
    json_t *places = json_array();
    if (fhec_kernel_get(program, kernel, &info) != FHEC_OK)
        return NULL;
    for (uint32_t i = 0; i < info.word_count; i++) {
        const fhec_location at = fhec_kernel_location(program, kernel, i);
        fhec_expansion steps[FHEC_MAX_EXPANSIONS];
        char text[600];
        const size_t count = fhec_kernel_expansions(program, kernel, i, steps, FHEC_MAX_EXPANSIONS);
        fhec_format_location(&at, steps, count, text, sizeof text);
        json_array_append_new(places, json_string(at.file ? text : ""));
    }
    return json_pack("{s:s, s:I, s:o}", "name", info.name, "words", (json_int_t)info.word_count,
                     "places", places);
}

/* The programs are taken down when they are made: they may be gone by the end. */
static fhec_status take_down(void *user, const fhec_program *program, const char *text) {
    json_t *kernels = json_array();
    for (size_t k = 0; k < fhec_kernel_count(program); k++)
        json_array_append_new(kernels, kernel_json(program, k));
    return json_array_append_new(user, json_pack("{s:s, s:o}", "text", text, "kernels", kernels))
               ? FHEC_HOST_ERROR
               : FHEC_OK;
}

/* The run without a mutant. */
static bool run_baseline(void *user, size_t index, FILE *result) {
    struct mutate *m = user;
    json_t *programs = json_array();
    (void)index;
    m->mutation.seen = m->seen;
    m->mutation.taken = take_down;
    m->mutation.taken_user = programs;
    m->cli->mutation = &m->mutation;
    const fhec_status status = run_command(m, 0);
    json_t *whole = json_pack("{s:i, s:o}", "status", (int)status, "programs", programs);
    if (!whole || json_dumpf(whole, result, JSON_COMPACT) != 0)
        fh_cli_no_memory(m->cli);
    return status == FHEC_CANCELLED;
}

static bool run_mutant(void *user, size_t index, FILE *result) {
    enum { TIMES = 8, AT_LEAST = 100000 };
    struct mutate *m = user;
    const struct fh_cli_mutant *mutant = &m->mutants.list[index];
    const json_t *program =
        json_array_get(json_object_get(m->baseline, "programs"), mutant->program);
    char *text = fh_cli_mutant_text(mutant, json_string_value(json_object_get(program, "text")));
    struct fh_cli_mutation mutation = {.target = mutant->program, .text = text};
    m->cli->mutation = &mutation;
    const fhec_status status =
        text ? run_command(m, TIMES * m->seen->most_instructions + AT_LEAST) : FHEC_HOST_ERROR;
    fprintf(result, "%d", (int)status);
    return status == FHEC_CANCELLED && !fh_cli_interrupt_was_late();
}

/* ---------------------------------------------------------------- in the parent */

static void baseline_done(void *user, const struct fh_cli_child_end *end) {
    struct mutate *m = user;
    m->baseline = json_loads(end->text[FH_CLI_CHILD_RESULT], 0, NULL);
    m->baseline_said = strdup(end->text[FH_CLI_CHILD_STDERR]);
}

static void mutant_done(void *user, const struct fh_cli_child_end *end) {
    struct mutate *m = user;
    const char *result = end->text[FH_CLI_CHILD_RESULT];
    /* A process that ends without a word was refused by the options, or ended from outside. */
    const fhec_status status = *result          ? (fhec_status)atoi(result)
                               : end->timed_out ? FHEC_CANCELLED
                               : end->signal    ? FHEC_HOST_ERROR
                                                : FHEC_BAD_INPUT;
    if (end->signal != SIGINT)
        fh_cli_mutation_report_add(&m->report, &m->mutants.list[end->index], status,
                                   end->text[FH_CLI_CHILD_STDERR]);
}

static bool is_wanted(void *user, size_t program, size_t kernel, uint32_t instruction) {
    struct mutate *m = user;
    const uint32_t number =
        fh_cli_mutation_number(&m->mutation, program, kernel, instruction * sizeof(fhec_word));
    const uint32_t first = fh_cli_mutation_number(&m->mutation, program, kernel, 0);
    const json_t *at = json_array_get(
        json_object_get(json_array_get(json_object_get(m->baseline, "programs"), program),
                        "kernels"),
        kernel);
    const char *name = json_string_value(json_object_get(at, "name"));
    if (!number || !m->seen->ran[first] || (m->kernel && name && strcmp(m->kernel, name) != 0))
        return false;
    m->not_reached += !m->seen->ran[number];
    return m->seen->ran[number];
}

/* The numbers of instructions, as the run without a mutant gave them. */
static fhec_status number_programs(struct mutate *m) {
    const json_t *programs = json_object_get(m->baseline, "programs");
    for (size_t i = 0; i < json_array_size(programs) && i < FH_CLI_MUTATION_PROGRAMS; i++) {
        const json_t *kernels = json_object_get(json_array_get(programs, i), "kernels");
        struct fh_cli_mutation_program *p = &m->mutation.programs[m->mutation.program_count];
        *p = (struct fh_cli_mutation_program){.kernel_count = json_array_size(kernels)};
        p->kernels = calloc(p->kernel_count + 1, sizeof *p->kernels);
        if (!p->kernels)
            return fh_cli_no_memory(m->cli);
        m->mutation.program_count++;
        for (size_t k = 0; k < p->kernel_count; k++) {
            p->kernels[k] = m->mutation.instructions + 1;
            m->mutation.instructions +=
                (uint32_t)json_integer_value(json_object_get(json_array_get(kernels, k), "words"));
        }
    }
    if (m->mutation.instructions >= FH_CLI_MUTATION_MOST)
        fh_cli_note(m->cli, "only the first %d instructions of the programs are mutated",
                    FH_CLI_MUTATION_MOST);
    return FHEC_OK;
}

static bool same_words(const fhec_program *a, const fhec_program *b) {
    fhec_kernel_info x, y;
    for (size_t k = 0; fhec_kernel_get(a, k, &x) == FHEC_OK; k++) {
        if (fhec_kernel_get(b, k, &y) != FHEC_OK || x.word_count != y.word_count)
            return false;
        for (uint32_t i = 0; i < x.word_count; i++) { /* scheduling is no part of it */
            const uint64_t fields = (UINT64_C(1) << 41) - 1;
            if (x.words[i].lo != y.words[i].lo || ((x.words[i].hi ^ y.words[i].hi) & fields))
                return false;
        }
    }
    return true;
}

/* Whether the edit is an instruction, and another one. */
static bool is_mutant(const struct fh_cli_mutant *mutant, const char *text) {
    const fhec_assemble_options none = {0};
    char *changed = fh_cli_mutant_text(mutant, text);
    fhec_program *before = NULL, *after = NULL;
    bool good = changed && fhec_assemble("before", text, strlen(text), &none, &before) == FHEC_OK &&
                fhec_assemble("mutant", changed, strlen(changed), &none, &after) == FHEC_OK &&
                !same_words(before, after);
    fhec_program_free(before);
    fhec_program_free(after);
    free(changed);
    return good;
}

/* Draws the mutants. */
static fhec_status choose(struct mutate *m) {
    const json_t *programs = json_object_get(m->baseline, "programs");
    fhec_status status = number_programs(m);
    for (size_t i = 0; i < json_array_size(programs) && status == FHEC_OK; i++)
        status = fh_cli_mutants_add(
            m->cli, &m->mutants, i,
            json_string_value(json_object_get(json_array_get(programs, i), "text")), is_wanted, m);
    if (status != FHEC_OK)
        return status;
    fh_cli_mutants_shuffle(&m->mutants, m->seed);
    size_t kept = 0;
    for (size_t i = 0; i < m->mutants.count; i++) {
        struct fh_cli_mutant *mutant = &m->mutants.list[i];
        const json_t *program = json_array_get(programs, mutant->program);
        if (kept < m->limit &&
            is_mutant(mutant, json_string_value(json_object_get(program, "text")))) {
            const struct fh_cli_mutant moved = *mutant;
            *mutant = m->mutants.list[kept];
            m->mutants.list[kept++] = moved;
        }
    }
    for (size_t i = kept; i < m->mutants.count; i++)
        free(m->mutants.list[i].after);
    m->mutants.count = kept;
    return kept ? FHEC_OK
                : fh_cli_error(m->cli, FHEC_BAD_INPUT, "there is nothing that can be mutated");
}

static fhec_status run_first(struct mutate *m) {
    const struct fh_cli_children one = {
        .count = 1, .jobs = 1, .run = run_baseline, .done = baseline_done, .user = m};
    fhec_status status = fh_cli_children_run(m->cli, &one);
    if (status != FHEC_OK)
        return status;
    status = m->baseline ? (fhec_status)json_integer_value(json_object_get(m->baseline, "status"))
                         : FHEC_BAD_INPUT;
    if (status == FHEC_OK)
        return status;
    fputs(m->baseline_said ? m->baseline_said : "", stderr);
    return fh_cli_error(m->cli, status, "the run fails without a mutant: nothing can be concluded");
}

static fhec_status run_mutants(struct mutate *m) {
    const struct fh_cli_children all = {
        .count = m->mutants.count,
        .jobs = m->jobs,
        .seconds = (double)m->seconds,
        .run = run_mutant,
        .done = mutant_done,
        .user = m,
    };
    m->report = (struct fh_cli_mutation_report){
        .cli = m->cli,
        .json = m->json,
        .mutation = &m->mutation,
        .seen = m->seen,
        .programs = json_object_get(m->baseline, "programs"),
    };
    fhec_status status = fh_cli_children_run(m->cli, &all);
    if (status == FHEC_OK)
        fh_cli_mutation_report_end(&m->report, m->seed, m->not_reached);
    return status == FHEC_OK && m->report.failed ? FHEC_HOST_ERROR : status;
}

fhec_status fh_cli_mutate(struct fh_cli *cli, int argc, char **argv) {
    struct mutate m = {.cli = cli, .limit = 200, .seed = 1, .seconds = 30};
    fh_cli_parse_in_order(cli, &argp, argc, argv, &m);
    cli->terminal = cli->color = false;
    m.seen = mmap(NULL, sizeof *m.seen, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (m.seen == MAP_FAILED)
        return fh_cli_no_memory(cli);
    fhec_status status = run_first(&m);
    if (status == FHEC_OK)
        status = choose(&m);
    if (status == FHEC_OK)
        status = run_mutants(&m);
    munmap(m.seen, sizeof *m.seen);
    fh_cli_mutation_free(&m.mutation);
    fh_cli_mutants_free(&m.mutants);
    json_decref(m.baseline);
    free(m.baseline_said);
    return status;
}
