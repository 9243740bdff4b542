/*
 * test_suite.c - see test_suite.h.
 */
#include "test_suite.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arrays.h"
#include "input.h"
#include "message.h"
#include "mutation.h"

/* ---------------------------------------------------------------- names */

static bool ends_in(const char *path, const char *end) {
    size_t length = strlen(path), tail = strlen(end);
    return length > tail && !strcmp(path + length - tail, end);
}

static bool is_program(const char *path) {
    return ends_in(path, ".sass") || ends_in(path, ".cubin");
}

static bool is_script(const char *path) {
    return ends_in(path, ".fhec");
}

static bool exists(const char *path) {
    struct stat status;
    return path && stat(path, &status) == 0;
}

/* "x/NAME.sass" -> "x/NAME" and the extension; malloc'd. */
static char *with_extension(const char *path, const char *extension) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    int length = dot && (!slash || dot > slash) ? (int)(dot - path) : (int)strlen(path);
    char *name;
    return asprintf(&name, "%.*s%s", length, path, extension) < 0 ? NULL : name;
}

/* ---------------------------------------------------------------- lines */

static fhec_status add_line(const struct fh_cli *cli, struct fh_cli_test_file *file,
                            const char *text, const char *name, uint32_t number) {
    struct fh_cli_test_line line;
    bool good = fh_cli_test_cut(text, name, number, &line);
    if (good && !line.count) {
        free(line.text);
        return FHEC_OK;
    }
    void *larger = fh_cli_more(file->lines, file->line_count, sizeof *file->lines);
    if (!larger || !line.text) {
        free(line.text);
        return fh_cli_no_memory(cli);
    }
    file->lines = larger;
    file->lines[file->line_count++] = line;
    return good ? FHEC_OK : fh_cli_test_error(cli, &line, "too many words");
}

static fhec_status program_lines(const struct fh_cli *cli, struct fh_cli_test_file *file) {
    fhec_location at;
    const char *text;
    fhec_status status = FHEC_OK;
    for (size_t i = 0;
         status == FHEC_OK && (text = fhec_program_test(file->program, i, &at)) != NULL; i++)
        status = add_line(cli, file, text, at.file ? at.file : "", at.line);
    return status;
}

struct companion_file {
    const struct fh_cli *cli;
    struct fh_cli_test_file *file;
};

static fhec_status companion_line(void *user, char *line, uint32_t number) {
    const struct companion_file *companion = user;
    line[strcspn(line, "#")] = 0;
    return add_line(companion->cli, companion->file, line, companion->file->beside, number);
}

/* ---------------------------------------------------------------- items */

static fhec_status add_item(struct fh_cli_test_suite *suite, struct fh_cli_test_item item) {
    void *larger = fh_cli_more(suite->items, suite->item_count, sizeof *suite->items);
    if (!larger)
        return fh_cli_no_memory(suite->cli);
    suite->items = larger;
    suite->items[suite->item_count++] = item;
    return FHEC_OK;
}

static fhec_status add_broken(struct fh_cli_test_suite *suite) {
    return add_item(suite, (struct fh_cli_test_item){FH_CLI_TEST_BROKEN, suite->file_count - 1, 0,
                                                     0, "cannot be read"});
}

static bool is_wanted(struct fh_cli_test_suite *suite, const char *name) {
    for (size_t i = 0; i < suite->pattern_count; i++)
        if (fnmatch(suite->patterns[i], name, 0) == 0)
            return true;
    suite->skipped |= suite->pattern_count != 0;
    return !suite->pattern_count;
}

/* The cases of a file's lines. */
static fhec_status add_cases(struct fh_cli_test_suite *suite, const struct fh_cli_test_file *file) {
    const size_t number = suite->file_count - 1;
    fhec_status status = FHEC_OK;
    if (file->line_count && strcmp(file->lines[0].words[0], "case") != 0) {
        fh_cli_test_error(suite->cli, &file->lines[0], "the first line must be a `case`");
        return add_broken(suite);
    }
    for (size_t i = 0, next; i < file->line_count && status == FHEC_OK; i = next) {
        for (next = i + 1; next < file->line_count; next++)
            if (!strcmp(file->lines[next].words[0], "case"))
                break;
        const char *name = file->lines[i].count > 1 ? file->lines[i].words[1] : "?";
        for (size_t k = 0; k < suite->item_count; k++)
            if (suite->items[k].file == number && !strcmp(suite->items[k].name, name))
                return fh_cli_test_error(suite->cli, &file->lines[i],
                                         "a case called %s is there already", name);
        if (is_wanted(suite, name))
            status = add_item(
                suite, (struct fh_cli_test_item){FH_CLI_TEST_CASE, number, i, next - i, name});
    }
    return status;
}

/* ---------------------------------------------------------------- files */

static struct fh_cli_test_file *new_file(struct fh_cli_test_suite *suite, const char *path) {
    struct fh_cli_test_file *files =
        fh_cli_more(suite->files, suite->file_count, sizeof *suite->files);
    if (!files)
        return NULL;
    suite->files = files;
    struct fh_cli_test_file *file = &files[suite->file_count++];
    *file =
        (struct fh_cli_test_file){.path = strdup(path), .beside = with_extension(path, ".test")};
    return file->path && file->beside ? file : NULL;
}

/* The program at the path, with its lines; it has some, or somebody named it. */
static fhec_status add_file(struct fh_cli_test_suite *suite, const char *path) {
    struct fh_cli_test_file *file = new_file(suite, path);
    if (!file)
        return fh_cli_no_memory(suite->cli);
    file->source.path = file->path;
    file->source.include_dirs = suite->include_dirs;
    file->source.include_count = suite->include_count;
    fhec_status status = fh_cli_load(suite->cli, &file->source, &file->program);
    if (status == FHEC_OK && suite->lint)
        status = add_item(suite, (struct fh_cli_test_item){FH_CLI_TEST_LINT, suite->file_count - 1,
                                                           0, 0, "lint"});
    if (status == FHEC_OK)
        status = program_lines(suite->cli, file);
    if (status == FHEC_OK && exists(file->beside))
        status = fh_cli_each_line(suite->cli, file->beside, companion_line,
                                  &(struct companion_file){suite->cli, file});
    if (status == FHEC_OK)
        status = fh_cli_mutation_program(suite->cli, &file->program);
    if (status == FHEC_OK)
        status = add_cases(suite, file);
    return status == FHEC_OK ? FHEC_OK : add_broken(suite);
}

/* Expectations without a kernel. */
static fhec_status add_orphan(struct fh_cli_test_suite *suite, const char *path) {
    if (!new_file(suite, path))
        return fh_cli_no_memory(suite->cli);
    if (exists(path))
        fh_cli_error(suite->cli, FHEC_BAD_INPUT, "%s has no .sass or .cubin of its name beside it",
                     path);
    else
        fh_cli_error(suite->cli, FHEC_HOST_ERROR, "cannot read %s: %s", path, strerror(errno));
    return add_broken(suite);
}

/* A .test stands for the program beside it. */
static fhec_status add_expectations(struct fh_cli_test_suite *suite, const char *path,
                                    bool only_orphans) {
    static const char *const extensions[] = {".sass", ".cubin"};
    for (size_t i = 0; i < 2; i++) {
        char *program = with_extension(path, extensions[i]);
        if (!program)
            return fh_cli_no_memory(suite->cli);
        bool there = exists(program);
        fhec_status status = there && !only_orphans ? add_file(suite, program) : FHEC_OK;
        free(program);
        if (there)
            return status;
    }
    return add_orphan(suite, path);
}

/* Whether a program in a folder has cases; files to be included have neither these nor a kernel. */
static bool has_cases(const struct fh_cli *cli, const char *path) {
    char *beside = with_extension(path, ".test"), *text = NULL;
    size_t length;
    bool has = exists(beside);
    if (!has && ends_in(path, ".sass") && fh_cli_read_file(cli, path, &text, &length) == FHEC_OK)
        has = strstr(text, ".test") != NULL;
    free(text);
    free(beside);
    return has;
}

static int is_candidate(const struct dirent *entry) {
    return entry->d_name[0] != '.' &&
           (entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN || is_program(entry->d_name) ||
            ends_in(entry->d_name, ".test") || is_script(entry->d_name));
}

/* A launch script is one case. */
static fhec_status add_script(struct fh_cli_test_suite *suite, const char *path) {
    if (!new_file(suite, path))
        return fh_cli_no_memory(suite->cli);
    return is_wanted(suite, "script")
               ? add_item(suite, (struct fh_cli_test_item){FH_CLI_TEST_SCRIPT,
                                                           suite->file_count - 1, 0, 0, "script"})
               : FHEC_OK;
}

static fhec_status add_inside(struct fh_cli_test_suite *suite, const char *path);

/* Files by name, folders in their place among them. */
static fhec_status add_folder(struct fh_cli_test_suite *suite, const char *path) {
    struct dirent **entries;
    fhec_status status = FHEC_OK;
    int count = scandir(path, &entries, is_candidate, alphasort);
    if (count < 0) {
        if (!new_file(suite, path))
            return fh_cli_no_memory(suite->cli);
        fh_cli_error(suite->cli, FHEC_HOST_ERROR, "cannot read the folder %s", path);
        return add_broken(suite);
    }
    for (int i = 0; i < count; i++) {
        char *inside = NULL;
        if (status == FHEC_OK && asprintf(&inside, "%s/%s", path, entries[i]->d_name) < 0)
            status = fh_cli_no_memory(suite->cli);
        else if (status == FHEC_OK)
            status = add_inside(suite, inside);
        free(inside);
        free(entries[i]);
    }
    free(entries);
    return status;
}

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static fhec_status add_inside(struct fh_cli_test_suite *suite, const char *path) {
    if (is_folder(path))
        return add_folder(suite, path);
    if (ends_in(path, ".test"))
        return add_expectations(suite, path, true);
    if (is_script(path))
        return add_script(suite, path);
    return is_program(path) && has_cases(suite->cli, path) ? add_file(suite, path) : FHEC_OK;
}

fhec_status fh_cli_test_suite_add(struct fh_cli_test_suite *suite, const char *path) {
    if (is_folder(path))
        return add_folder(suite, path);
    if (is_script(path))
        return add_script(suite, path);
    return ends_in(path, ".test") ? add_expectations(suite, path, false) : add_file(suite, path);
}

void fh_cli_test_suite_free(struct fh_cli_test_suite *suite) {
    for (size_t i = 0; i < suite->file_count; i++) {
        struct fh_cli_test_file *file = &suite->files[i];
        for (size_t k = 0; k < file->line_count; k++)
            free(file->lines[k].text);
        free(file->lines);
        file->source.include_dirs = NULL; /* the suite's */
        fh_cli_source_free(&file->source);
        fhec_program_free(file->program);
        free(file->path);
        free(file->beside);
    }
    free(suite->files);
    free(suite->items);
    free(suite->include_dirs);
    free(suite->patterns);
}
