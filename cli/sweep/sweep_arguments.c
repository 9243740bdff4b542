/*
 * sweep_arguments.c - see sweep_arguments.h.
 */
#include "sweep_arguments.h"

#include <stdlib.h>
#include <string.h>

bool fh_cli_sweep_arguments_read(struct fh_cli_sweep_arguments *arguments, const char *text) {
    arguments->list = json_loads(text, 0, NULL);
    const size_t count = json_array_size(arguments->list);
    arguments->words = calloc(count + 1, sizeof *arguments->words);
    bool good = arguments->list && arguments->words;
    for (size_t i = 0; i < count && good; i++) {
        arguments->words[i] = (char *)json_string_value(json_array_get(arguments->list, i));
        good = arguments->words[i] != NULL;
    }
    if (!good)
        fh_cli_sweep_arguments_free(arguments);
    return good;
}

void fh_cli_sweep_arguments_free(struct fh_cli_sweep_arguments *arguments) {
    free(arguments->words);
    json_decref(arguments->list);
    *arguments = (struct fh_cli_sweep_arguments){NULL, NULL};
}

void fh_cli_sweep_print_word(FILE *to, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./=,:@%+";
    if (*word && !word[strspn(word, plain)]) {
        fputs(word, to);
        return;
    }
    fputc('\'', to);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", to);
        else
            fputc(*word, to);
    fputc('\'', to);
}

char *fh_cli_sweep_arguments_text(const char *text) {
    struct fh_cli_sweep_arguments arguments;
    char *words = NULL;
    size_t length;
    if (!fh_cli_sweep_arguments_read(&arguments, text))
        return NULL;
    FILE *to = open_memstream(&words, &length);
    for (size_t i = 0; to && arguments.words[i]; i++) {
        if (i)
            fputc(' ', to);
        fh_cli_sweep_print_word(to, arguments.words[i]);
    }
    fh_cli_sweep_arguments_free(&arguments);
    if (to && fclose(to) == 0)
        return words;
    free(words);
    return NULL;
}
