/*
 * script_words.c - what the commands of a launch script do with their words.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "nearest.h"
#include "options.h"
#include "script_parts.h"

fhec_status fh_cli_script_wrong(const struct fh_cli_script_run *run, const char *format, ...) {
    char message[600];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    return fh_cli_error(run->cli, FHEC_BAD_INPUT, "%s", message);
}

fhec_status fh_cli_script_expect_words(const struct fh_cli_script_run *run,
                                       const struct fh_cli_script_words *words, size_t least,
                                       size_t most, const char *form) {
    return words->count < least || words->count > most
               ? fh_cli_script_wrong(run, "expected `%s`", form)
               : FHEC_OK;
}

fhec_status fh_cli_script_options(const struct fh_cli_script_run *run,
                                  const struct fh_cli_script_words *words, size_t from,
                                  struct fh_cli_script_option *options, size_t count) {
    for (size_t i = from; i < words->count; i++) {
        const char *word = words->list[i];
        const char *names[16];
        size_t k = 0;
        for (; k < count && strcmp(options[k].key, word) != 0; k++)
            names[k] = options[k].key;
        if (k == count)
            return fh_cli_script_wrong(run, "unknown word \"%s\"%s", word,
                                       fh_cli_hint(fh_nearest_of(word, names, count)).text);
        if (options[k].value)
            return fh_cli_script_wrong(run, "%s is given twice", word);
        if (!options[k].flag && ++i == words->count)
            return fh_cli_script_wrong(run, "%s: which?", word);
        options[k].value = words->list[i];
    }
    return FHEC_OK;
}

fhec_status fh_cli_script_bytes(const struct fh_cli_script_run *run, const char *what,
                                const char *text, uint64_t *bytes) {
    return fh_cli_bytes(text, bytes)
               ? FHEC_OK
               : fh_cli_script_wrong(
                     run, "%s: \"%s\" is not a number of bytes, which may end in K, M or G", what,
                     text);
}

char *fh_cli_script_path(const struct fh_cli_script_run *run, const char *path) {
    const char *own = run->script->path, *slash = path[0] == '/' ? NULL : strrchr(own, '/');
    char *joined;
    return asprintf(&joined, "%.*s%s", slash ? (int)(slash - own) + 1 : 0, slash ? own : "", path) <
                   0
               ? NULL
               : joined;
}
