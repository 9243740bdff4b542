/*
 * test_line.c - a line of expectations: its words, the options among them, lists of numbers.
 */
#include "test_line.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
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
