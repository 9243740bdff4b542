/*
 * test_line.c - a line of expectations: its words, the options among them, lists of numbers.
 */
#include "test_line.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "nearest.h"
#include "options.h"

bool fh_cli_test_cut(const char *text, const char *file, uint32_t line,
                     struct fh_cli_test_line *cut) {
    *cut = (struct fh_cli_test_line){.file = file, .line = line, .text = strdup(text)};
    char *rest = cut->text, *word;
    while (rest && (word = strsep(&rest, " \t\r")) != NULL) {
        if (!*word)
            continue;
        if (cut->count == FH_CLI_TEST_WORDS)
            return false;
        cut->words[cut->count++] = word;
    }
    return cut->text != NULL;
}

fhec_status fh_cli_test_error(const struct fh_cli *cli, const struct fh_cli_test_line *line,
                              const char *format, ...) {
    char message[512];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    return fh_cli_error(cli, FHEC_BAD_INPUT, "%s:%u: %s", line->file, line->line, message);
}

const char *fh_cli_test_option(const struct fh_cli_test_line *line, size_t from, const char *key) {
    for (size_t i = from; i + 1 < line->count; i++)
        if (!strcmp(line->words[i], key))
            return line->words[i + 1];
    return NULL;
}

static size_t find(const char *word, const char *const *names) {
    size_t i = 0;
    while (names[i] && strcmp(names[i], word) != 0)
        i++;
    return i;
}

fhec_status fh_cli_test_unknown(const struct fh_cli *cli, const struct fh_cli_test_line *line,
                                const char *what, const char *word, const char *const *names) {
    size_t count = 0;
    while (names[count])
        count++;
    const char *near = fh_nearest_of(word, names, count);
    return fh_cli_test_error(cli, line, "unknown %s \"%s\"%s", what, word, fh_cli_hint(near).text);
}

fhec_status fh_cli_test_options(const struct fh_cli *cli, const struct fh_cli_test_line *line,
                                size_t from, const char *const *keys) {
    static const char *const none[] = {NULL};
    for (size_t i = from; i < line->count; i += 2) {
        const char *word = line->words[i];
        if (!keys[find(word, keys)])
            return fh_cli_test_unknown(cli, line, "word", word, keys[0] ? keys : none);
        if (i + 1 == line->count)
            return fh_cli_test_error(cli, line, "%s: which?", word);
        for (size_t k = from; k < i; k += 2)
            if (!strcmp(line->words[k], word))
                return fh_cli_test_error(cli, line, "%s is given twice", word);
    }
    return FHEC_OK;
}

fhec_status fh_cli_test_end(const struct fh_cli *cli, const struct fh_cli_test_line *line,
                            size_t count) {
    return line->count <= count
               ? FHEC_OK
               : fh_cli_test_error(cli, line, "\"%s\" is one word too many", line->words[count]);
}

char *fh_cli_test_path(const struct fh_cli_test_line *line, const char *path) {
    const char *slash = path[0] == '/' ? NULL : strrchr(line->file, '/');
    char *joined;
    return asprintf(&joined, "%.*s%s", slash ? (int)(slash - line->file) + 1 : 0,
                    slash ? line->file : "", path) < 0
               ? NULL
               : joined;
}

fhec_status fh_cli_test_list(const struct fh_cli *cli, const struct fh_cli_test_line *line,
                             const char *text, uint64_t **values, size_t *count) {
    char *copy = strdup(text), *rest = copy, *word;
    size_t most = 1;
    for (const char *c = text; *c; c++)
        most += *c == ',';
    *values = calloc(most, sizeof **values);
    *count = 0;
    fhec_status status = copy && *values ? FHEC_OK : fh_cli_no_memory(cli);
    while (status == FHEC_OK && (word = strsep(&rest, ",")) != NULL)
        if (!fh_cli_number(word, &(*values)[(*count)++]))
            status = fh_cli_test_error(cli, line, "\"%s\" is not a number", word);
    free(copy);
    if (status != FHEC_OK) {
        free(*values);
        *values = NULL;
    }
    return status;
}
