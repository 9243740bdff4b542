/*
 * command_compare.c - fhec compare: two runs, and the first instruction that does something else.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "divergence.h"
#include "log_format.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "runner.h"

static const char doc[] =
    "Runs two versions of a kernel, or one in two ways, and finds, for each warp, the first "
    "instruction whose effect is another one: a register, the lanes that execute it, an address, "
    "or the path."
    "\vThe options are those of `fhec run`. What stands behind --with counts for the second run "
    "alone: another engine, other data, another --define; --in, --out, --inout, --pointers, --arg, "
    "--set and --define replace those of the same name. Instructions of two sources are paired by "
    "their text, so that one that was inserted does not move the others apart; one that was "
    "changed is compared by what it does. Two logs of `fhec run --trace-format=log` are compared "
    "as by `fhec trace diff`. Exit status: 0 if nothing differs, 1 if something does.";

enum { OPTION_WITH = 0x2800, OPTION_DIFFERENCES, OPTION_FORMAT, OPTION_MEMORY };

static const struct argp_option options[] = {
    {"with", OPTION_WITH, NULL, 0, "What follows is for the second run alone", 20},
    {"differences", OPTION_DIFFERENCES, "N", 0,
     "Tell the first difference of up to N warps (default 1)", 20},
    {"format", OPTION_FORMAT, "FORM", 0, "text or json", 20},
    {"memory", OPTION_MEMORY, "BYTES", 0, "How much is kept of each run (default 1G)", 20},
    {0},
};

/* One of the two runs. */
struct compared {
    struct fh_cli_run_options run;
    struct fh_cli_runner *runner;
    struct fh_journal *journal;
    uint64_t memory, differences;
    size_t format;
};

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    static const char *const formats[] = {"text", "json", NULL};
    struct compared *c = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        c->run.source.several = true;
        state->child_inputs[0] = &c->run;
        return 0;
    case OPTION_WITH: return 0; /* the arguments have been divided there */
    case OPTION_DIFFERENCES:
        c->differences = fh_cli_number_option(state, "--differences", arg, 1, SIZE_MAX);
        return 0;
    case OPTION_FORMAT: c->format = fh_cli_choice_option(state, "--format", arg, formats); return 0;
    case OPTION_MEMORY:
        c->memory =
            fh_cli_bytes_option(state, "--memory", arg, UINT64_C(1) << 20, UINT64_C(1) << 46);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {options, parse_option, "FILE [FILE]", doc, fh_cli_run_children,
                                 NULL,    NULL};

/* ---------------------------------------------------------------- arguments */

/* "--in x=..." as "in" and "x": false if the argument is no option that sets something by name.
 * *words is how many arguments it is. */
static bool names_something(char **args, size_t left, const char **option, const char **name,
                            size_t *length, size_t *words) {
    static const char *const known[] = {"--in",  "--out", "--inout",  "--pointers",
                                        "--arg", "--set", "--define", "-D"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const size_t size = strlen(known[i]);
        if (strncmp(args[0], known[i], size) != 0)
            continue;
        *option = i < 4 ? "buffer" : i < 6 ? known[i] : "define";
        if (!args[0][size] && left > 1) {
            *name = args[1];
            *words = 2;
        } else if (args[0][size] == '=' || (i == 7 && args[0][size])) {
            *name = args[0] + size + (args[0][size] == '=');
            *words = 1;
        } else {
            continue;
        }
        *length = strcspn(*name, "=");
        return true;
    }
    return false;
}

/* The last argument from `from` on that sets the same, and how many words it is; `count`: none. */
static size_t replacement(char **args, size_t from, size_t count, const char *option,
                          const char *name, size_t length, size_t *words) {
    size_t found = count;
    for (size_t i = from, step; i < count; i += step) {
        const char *other, *other_name;
        size_t other_length;
        step = 1;
        if (!names_something(args + i, count - i, &other, &other_name, &other_length, &step))
            continue;
        if (strcmp(option, other) != 0 || length != other_length ||
            strncmp(name, other_name, length) != 0)
            continue;
        found = i;
        *words = step;
    }
    return found;
}

/* The arguments of the second run: those of the first, what is replaced in its place, so that
 * buffers lie where they lay; and the rest of its own. */
static size_t second_arguments(char **args, size_t with, size_t count, char **second, bool *used) {
    size_t n = 0;
    for (size_t i = 0, words; i < with; i += words) {
        const char *option, *name;
        size_t length, from = i, many = 1;
        words = 1;
        if (i && names_something(args + i, with - i, &option, &name, &length, &words)) {
            from = replacement(args, with + 1, count, option, name, length, &many);
            from = from < count && !used[from] ? from : i;
        }
        many = from == i ? words : many;
        for (size_t k = 0; k < many; k++) {
            used[from + k] = true;
            second[n++] = args[from + k];
        }
    }
    for (size_t i = with + 1; i < count; i++)
        if (!used[i])
            second[n++] = args[i];
    second[n] = NULL;
    return n;
}

/* ---------------------------------------------------------------- running */

static fhec_status run(struct fh_cli *cli, struct compared *c) {
    fhec_machine *machine = NULL;
    fhec_status status = fh_cli_runner_open_unwatched(cli, &c->run, &c->runner);
    if (status == FHEC_OK)
        status = fh_cli_machine_new(cli, &c->run.machine, &machine);
    if (status == FHEC_OK && fh_journal_begin(machine, c->memory, &c->journal) != FHEC_OK)
        status = fh_cli_no_memory(cli);
    if (status == FHEC_OK)
        status = fh_cli_runner_launch(c->runner, machine);
    if (c->journal)
        fh_journal_stop(c->journal);
    fhec_machine_free(machine);
    if (status == FHEC_OK && !fh_journal_complete(c->journal))
        status = fh_cli_no_memory(cli);
    if (status == FHEC_OK && fh_journal_oldest(c->journal))
        status = fh_cli_error(cli, FHEC_BAD_INPUT,
                              "the run is too long for this memory: --memory keeps more");
    return status;
}

/* ---------------------------------------------------------------- saying it */

static const char *kind_name(enum fh_divergence_kind kind) {
    static const char *const names[] = {"value", "lanes", "address", "path", "end"};
    return names[kind];
}

static const char *register_file(fhec_register_file file) {
    return file == FHEC_FILE_R    ? "R"
           : file == FHEC_FILE_P  ? "P"
           : file == FHEC_FILE_UR ? "UR"
           : file == FHEC_FILE_UP ? "UP"
                                  : "B";
}

/* "lane 13: R11 = 0xab" */
static void effect_text(const struct fh_divergence *d, unsigned side, char *text, size_t size) {
    const unsigned long long value = d->value[side];
    const bool uniform = d->file == FHEC_FILE_UR || d->file == FHEC_FILE_UP;
    text[0] = 0;
    if (d->kind == FH_DIVERGES_VALUE && uniform)
        snprintf(text, size, "%s%u = 0x%llx", register_file(d->file), d->reg, value);
    else if (d->kind == FH_DIVERGES_VALUE)
        snprintf(text, size, "lane %u: %s%u = 0x%llx", d->lane, register_file(d->file), d->reg,
                 value);
    else if (d->kind == FH_DIVERGES_LANES)
        snprintf(text, size, "lanes 0x%08llx", value);
    else if (d->kind == FH_DIVERGES_ADDRESS)
        snprintf(text, size, "lane %u: address 0x%llx", d->lane, value);
}

static void print_side(const struct compared *c, const struct fh_divergence *d, unsigned side) {
    static const char *const names[] = {"first ", "second"};
    char effect[96];
    effect_text(d, side, effect, sizeof effect);
    if (d->step[side] == FH_NO_STEP) {
        printf("  %s: nothing more\n", names[side]);
        return;
    }
    const struct fh_journal_site *site = fh_journal_site(c[side].journal, d->step[side]);
    printf("  %s: %s%s%s ;  (0x%04llx)%s%s\n", names[side], site->where, site->where[0] ? ": " : "",
           site->instruction.text, (unsigned long long)site->instruction.pc, effect[0] ? "  " : "",
           effect);
}

static void print_text(const struct compared *c, const struct fh_divergences *found) {
    static const char *const what[] = {"another value", "other lanes", "another address",
                                       "another path", "one of them has ended"};
    for (size_t i = 0; i < found->count && i < c->differences; i++) {
        const struct fh_divergence *d = &found->list[i];
        printf("warp %u, block %u,%u,%u", d->warp.warp, d->warp.block[0], d->warp.block[1],
               d->warp.block[2]);
        if (d->warp.launch > 1)
            printf(", launch %llu", (unsigned long long)d->warp.launch);
        printf(": %s\n", what[d->kind]);
        print_side(c, d, 0);
        print_side(c, d, 1);
    }
    if (found->count)
        printf("%zu of %zu warps differ\n", found->count, fh_journal_warp_count(c->journal));
}

static json_t *side_json(const struct compared *c, const struct fh_divergence *d, unsigned side) {
    if (d->step[side] == FH_NO_STEP)
        return json_null();
    const struct fh_journal_site *site = fh_journal_site(c[side].journal, d->step[side]);
    char value[24];
    snprintf(value, sizeof value, "0x%llx", (unsigned long long)d->value[side]);
    json_t *object =
        json_pack("{s:s, s:I, s:s}", "kernel", site->kernel, "pc", (json_int_t)site->instruction.pc,
                  "instruction", site->instruction.text);
    if (object && site->file[0]) {
        json_object_set_new(object, "file", json_string(site->file));
        json_object_set_new(object, "line", json_integer(site->line));
    }
    if (object && d->kind <= FH_DIVERGES_ADDRESS)
        json_object_set_new(object, "value", json_string(value));
    return object;
}

static bool print_json(const struct compared *c, const struct fh_divergences *found) {
    json_t *list = json_array();
    for (size_t i = 0; i < found->count && i < c->differences; i++) {
        const struct fh_divergence *d = &found->list[i];
        json_t *one =
            json_pack("{s:s, s:I, s:[i,i,i], s:i, s:o, s:o}", "kind", kind_name(d->kind), "launch",
                      (json_int_t)d->warp.launch, "block", (int)d->warp.block[0],
                      (int)d->warp.block[1], (int)d->warp.block[2], "warp", (int)d->warp.warp,
                      "first", side_json(c, d, 0), "second", side_json(c, d, 1));
        if (one && (d->kind == FH_DIVERGES_VALUE || d->kind == FH_DIVERGES_ADDRESS))
            json_object_set_new(one, "lane", json_integer(d->lane));
        if (one && d->kind == FH_DIVERGES_VALUE)
            json_object_set_new(one, "register",
                                json_sprintf("%s%u", register_file(d->file), d->reg));
        json_array_append_new(list, one);
    }
    json_t *whole = json_pack("{s:I, s:o}", "warps", (json_int_t)found->count, "differences", list);
    return fh_cli_print_json(stdout, whole, JSON_COMPACT);
}

static fhec_status compare(struct fh_cli *cli, struct compared *c) {
    struct fh_divergences found = {0};
    fhec_status status = run(cli, &c[0]);
    if (status == FHEC_OK)
        status = run(cli, &c[1]);
    if (status != FHEC_OK)
        return status;
    bool fine = fh_journals_compare(c[0].journal, c[1].journal, &found);
    if (fine && c->format == 0)
        print_text(c, &found);
    else if (fine)
        fine = print_json(c, &found);
    const size_t differ = found.count;
    fh_divergences_free(&found);
    if (!fine)
        return fh_cli_no_memory(cli);
    return differ ? FHEC_DIFFERS : FHEC_OK;
}

/* Whether the file is a log of a trace. */
static bool is_log(const char *path) {
    char magic[FH_MAGIC_BYTES] = "";
    FILE *file = fopen(path, "rb");
    const bool log = file && fread(magic, 1, sizeof magic, file) == sizeof magic &&
                     !memcmp(magic, FH_TRACE_MAGIC, FH_MAGIC_BYTES - 1);
    if (file)
        (void)fclose(file);
    return log;
}

fhec_status fh_cli_compare(struct fh_cli *cli, int argc, char **argv) {
    struct compared c[2] = {{.run = {.cli = cli}, .memory = UINT64_C(1) << 30, .differences = 1}};
    const size_t count = (size_t)argc;
    size_t with = 1;
    if (argc == 3 && is_log(argv[1]) && is_log(argv[2])) {
        char trace[] = "trace", diff[] = "diff", *args[] = {trace, diff, argv[1], argv[2], NULL};
        return fh_cli_trace(cli, 4, args);
    }
    while (with < count && strcmp(argv[with], "--with") != 0)
        with++;
    char **second = calloc(count + 1, sizeof *second), *none = NULL;
    bool *used = calloc(count + 1, sizeof *used);
    if (!second || !used) {
        free(second);
        free(used);
        return fh_cli_no_memory(cli);
    }
    c[1] = c[0];
    const size_t second_count = second_arguments(argv, with, count, second, used);
    free(used);
    char *const behind = with < count ? argv[with] : NULL;
    if (behind)
        argv[with] = none;
    fh_cli_parse(cli, &argp, (int)with, argv, &c[0]);
    fh_cli_parse(cli, &argp, (int)second_count, second, &c[1]);
    if (behind)
        argv[with] = behind;
    struct fh_cli_source *b = &c[1].run.source;
    if (b->more_count)
        b->path = b->more[b->more_count - 1];
    c[0].run.source.more_count = b->more_count = 0; /* each of the two is one FILE */
    fhec_status status = compare(cli, c);
    for (unsigned i = 0; i < 2; i++) {
        fh_journal_free(c[i].journal);
        fh_cli_runner_close(c[i].runner);
        fh_cli_run_options_free(&c[i].run);
    }
    free(second);
    return status;
}
