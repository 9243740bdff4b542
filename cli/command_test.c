/*
 * command_test.c - fhec test: finds kernels with expectations beside them, runs the cases, counts.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arrays.h"
#include "input.h"
#include "machine_options.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "program_file.h"
#include "statistics.h"
#include "test_case.h"
#include "test_line.h"

static const char doc[] =
    "Runs kernels against the expectations beside them: `.test` lines in the source, or the same "
    "lines in NAME.test beside NAME.sass. PATH is a source, or a folder whose sources (*.sass) are "
    "all looked at."
    "\vExpected values come from the C references, never from the emulator. With --update, pinned "
    "hashes of references are brought up to date and the difference is printed; inputs and "
    "everything else stay as they are. The last line counts; the exit status is 1 if a case "
    "failed.";

enum { OPTION_UPDATE = 1 };
static const struct argp_option options[] = {
    {"update", OPTION_UPDATE, NULL, 0, "Bring pinned hashes of references up to date", 0},
    {"include", 'I', "DIR", 0, "Look for .include files in DIR too", 0},
    {0},
};

struct test_options {
    struct fh_cli *cli;
    struct fh_cli_machine machine;
    struct fh_cli_source source;
    char **paths;
    size_t path_count;
    bool update;
    size_t passed, failed, malformed;
    bool interrupted;
};

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct test_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->machine;
        state->child_inputs[1] = o->cli;
        return 0;
    case OPTION_UPDATE: o->update = true; return 0;
    case 'I':
        o->source.include_dirs =
            fh_cli_grow(state, o->source.include_dirs, o->source.include_count, sizeof(char *));
        o->source.include_dirs[o->source.include_count++] = arg;
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

static const struct argp_child children[] = {
    {&fh_cli_machine_argp, 0, NULL, 0}, {&fh_cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {options, parse_option, "PATH...", doc, children, NULL, NULL};

/* ---------------------------------------------------------------- collecting lines */

struct line_list {
    struct fh_cli_test_line *lines;
    size_t count;
};

static fhec_status add_line(const struct fh_cli *cli, struct line_list *list, const char *text,
                            const char *file, uint32_t number) {
    struct fh_cli_test_line line;
    bool good = fh_cli_test_cut(text, file, number, &line);
    if (good && !line.count) {
        free(line.text);
        return FHEC_OK;
    }
    void *larger = fh_cli_more(list->lines, list->count, sizeof *list->lines);
    if (!larger || !line.text) {
        free(line.text);
        return fh_cli_no_memory(cli);
    }
    list->lines = larger;
    list->lines[list->count++] = line;
    return good ? FHEC_OK : fh_cli_test_error(cli, &line, "too many words");
}

static fhec_status program_lines(const struct fh_cli *cli, const fhec_program *program,
                                 struct line_list *list) {
    fhec_location at;
    const char *text;
    fhec_status status = FHEC_OK;
    for (size_t i = 0; status == FHEC_OK && (text = fhec_program_test(program, i, &at)) != NULL;
         i++)
        status = add_line(cli, list, text, at.file ? at.file : "", at.line);
    return status;
}

/* "x/NAME.sass" -> "x/NAME.test"; malloc'd. */
static char *companion(const char *path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    int length = dot && (!slash || dot > slash) ? (int)(dot - path) : (int)strlen(path);
    char *name;
    return asprintf(&name, "%.*s.test", length, path) < 0 ? NULL : name;
}

struct companion_file {
    const struct fh_cli *cli;
    const char *path;
    struct line_list *list;
};

static fhec_status companion_line(void *user, char *line, uint32_t number) {
    const struct companion_file *file = user;
    line[strcspn(line, "#")] = 0;
    return add_line(file->cli, file->list, line, file->path, number);
}

/* ---------------------------------------------------------------- --update */

/* The word behind the last `hash` of the line, in `text`, which begins at the line. */
static char *find_pin(char *text, size_t length) {
    for (char *at = text + length; at-- > text + 1;)
        if ((at[-1] == ' ' || at[-1] == '\t') && !strncmp(at, "hash", 4) &&
            (at[4] == ' ' || at[4] == '\t'))
            return at + 4 + strspn(at + 4, " \t");
    return NULL;
}

/* Writes the new hash into the line's file and shows the difference. */
static fhec_status update_pin(const struct fh_cli *cli, const struct fh_cli_test_update *update) {
    char *text, *changed = NULL;
    size_t length;
    struct fh_cli_outputs outputs = {NULL, 0};
    fhec_status status = fh_cli_read_file(cli, update->line->file, &text, &length);
    if (status != FHEC_OK)
        return status;
    char *line = text;
    for (uint32_t i = 1; i < update->line->line && line; i++)
        line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
    size_t line_length = line ? strcspn(line, "\r\n") : 0;
    char *pin = line ? find_pin(line, line_length) : NULL;
    if (!pin) {
        free(text);
        return fh_cli_test_error(cli, update->line, "the pinned hash is not found here any more");
    }
    size_t old = strcspn(pin, " \t\r\n");
    int made = asprintf(&changed, "%.*s%s%s", (int)(pin - text), text, update->hex, pin + old);
    printf("--- %s:%u\n-%.*s\n+%.*s%s%.*s\n", update->line->file, update->line->line,
           (int)line_length, line, (int)(pin - line), line, update->hex,
           (int)(line + line_length - pin - (long)old), pin + old);
    status =
        made < 0 ? fh_cli_no_memory(cli) : fh_cli_output_add(cli, &outputs, update->line->file);
    if (status == FHEC_OK)
        status = fh_cli_output_write(cli, &outputs, update->line->file, changed, (size_t)made);
    if (status == FHEC_OK)
        status = fh_cli_output_commit(cli, &outputs);
    fh_cli_output_discard(&outputs);
    free(changed);
    free(text);
    return status;
}

/* ---------------------------------------------------------------- running */

static void run_cases(struct test_options *o, struct fh_cli_test_run *run, const char *path,
                      const struct line_list *list) {
    static const char *const words[] = {"ok    ", "FAILED", "ERROR "};
    if (list->count && strcmp(list->lines[0].words[0], "case") != 0) {
        fh_cli_test_error(o->cli, &list->lines[0], "the first line must be a `case`");
        o->malformed++;
        return;
    }
    for (size_t i = 0, next; i < list->count; i = next) {
        for (next = i + 1; next < list->count; next++)
            if (!strcmp(list->lines[next].words[0], "case"))
                break;
        double started = fh_cli_now();
        enum fh_cli_verdict verdict = fh_cli_test_case(run, &list->lines[i], next - i);
        o->interrupted |= run->interrupted;
        if (o->interrupted)
            return;
        printf("%s %s: %s (%.0f ms)\n", words[verdict], path,
               list->lines[i].count > 1 ? list->lines[i].words[1] : "?",
               (fh_cli_now() - started) * 1e3);
        fflush(stdout);
        o->passed += verdict == FH_CLI_PASSED;
        o->failed += verdict == FH_CLI_FAILED;
        o->malformed += verdict == FH_CLI_MALFORMED;
    }
}

static void test_file(struct test_options *o, const char *path) {
    struct line_list list = {NULL, 0};
    struct fh_cli_test_run run = {.cli = o->cli, .machine = &o->machine, .update = o->update};
    fhec_program *program = NULL;
    struct stat status;
    char *beside = companion(path);
    o->source.path = path;
    fhec_status good = beside ? fh_cli_load(o->cli, &o->source, &program) : FHEC_HOST_ERROR;
    if (good == FHEC_OK)
        good = program_lines(o->cli, program, &list);
    if (good == FHEC_OK && stat(beside, &status) == 0)
        good = fh_cli_each_line(o->cli, beside, companion_line,
                                &(struct companion_file){o->cli, beside, &list});
    run.program = program;
    if (good == FHEC_OK)
        run_cases(o, &run, path, &list);
    else
        o->malformed++;
    for (size_t i = 0; i < run.update_count && !o->interrupted; i++)
        if (update_pin(o->cli, &run.updates[i]) != FHEC_OK)
            o->malformed++;
    for (size_t i = 0; i < list.count; i++)
        free(list.lines[i].text);
    free(list.lines);
    free(run.updates);
    free(beside);
    fhec_program_free(program);
}

static int is_source(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return entry->d_name[0] != '.' &&
           (entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN ||
            (length > 5 && !strcmp(entry->d_name + length - 5, ".sass")));
}

/* Whether a source in a folder has cases; files to be included have neither these nor a kernel. */
static bool has_cases(const struct fh_cli *cli, const char *path) {
    char *beside = companion(path), *text = NULL;
    struct stat status;
    size_t length;
    bool has = beside && stat(beside, &status) == 0;
    if (!has && fh_cli_read_file(cli, path, &text, &length) == FHEC_OK)
        has = strstr(text, ".test") != NULL;
    free(text);
    free(beside);
    return has;
}

/* Files by name, folders in their place among them. */
static void test_path(struct test_options *o, const char *path, bool named) {
    struct stat status;
    struct dirent **entries;
    if (o->interrupted)
        return;
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
        size_t length = strlen(path);
        bool source = length > 5 && !strcmp(path + length - 5, ".sass");
        if (named || (source && has_cases(o->cli, path)))
            test_file(o, path);
        return;
    }
    int count = scandir(path, &entries, is_source, alphasort);
    if (count < 0) {
        fh_cli_error(o->cli, FHEC_HOST_ERROR, "cannot read the folder %s", path);
        o->malformed++;
        return;
    }
    for (int i = 0; i < count; i++) {
        char *inside;
        if (asprintf(&inside, "%s/%s", path, entries[i]->d_name) >= 0) {
            test_path(o, inside, false);
            free(inside);
        }
        free(entries[i]);
    }
    free(entries);
}

fhec_status fh_cli_test(struct fh_cli *cli, int argc, char **argv) {
    struct test_options o = {.cli = cli};
    fh_cli_parse(cli, &argp, argc, argv, &o);
    for (size_t i = 0; i < o.path_count; i++)
        test_path(&o, o.paths[i], true);
    free(o.paths);
    fh_cli_source_free(&o.source);
    if (o.interrupted)
        return FHEC_CANCELLED;
    if (!o.passed && !o.failed && !o.malformed)
        return fh_cli_error(cli, FHEC_BAD_INPUT, "no case is written there");
    printf("%zu passed, %zu failed\n", o.passed, o.failed + o.malformed);
    return o.malformed ? FHEC_BAD_INPUT : o.failed ? FHEC_DIFFERS : FHEC_OK;
}
