/*
 * sweep_help.c - see sweep_help.h. Lines of options are those of argp:
 *
 *       --n=N                  The size
 *   -j, --jobs=N               So many at once
 *       --stats[=json]         Counts
 */
#include "sweep_help.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "sweep_child.h"

char *fh_cli_sweep_help(const struct fh_cli_sweep_build *build, char *const *words, size_t count,
                        char why[FH_CLI_SWEEP_WHY]) {
    static char fhec[] = "fhec", help[] = "--help";
    struct fh_cli_sweep_children *child = fh_cli_sweep_children_new(1, 60);
    char **arguments = calloc(count + 3, sizeof *arguments), *text = NULL;
    struct fh_cli_sweep_end end = {0};
    errno = ENOMEM;
    if (child && arguments) {
        arguments[0] = fhec;
        for (size_t i = 0; i < count; i++)
            arguments[i + 1] = words[i];
        arguments[count + 1] = help;
    }
    if (child && arguments && fh_cli_sweep_children_start(child, 0, build->file, arguments)) {
        while (!fh_cli_sweep_children_ended(child, &end))
            fh_cli_sweep_children_wait(child, 60);
        if (end.signal || end.status || !end.out)
            snprintf(why, FH_CLI_SWEEP_WHY, "%.*s", end.err ? (int)strcspn(end.err, "\n") : 0,
                     end.err ? end.err : "");
        else
            text = strdup(end.out);
        fh_cli_sweep_end_free(&end);
    } else {
        snprintf(why, FH_CLI_SWEEP_WHY, "%s", strerror(errno));
    }
    fh_cli_sweep_children_free(child);
    free(arguments);
    return text;
}

/* The name of the long option that the line begins with, of *length letters; NULL: there is none.
 */
static const char *option_of(const char *line, size_t *length) {
    while (*line == ' ')
        line++;
    if (line[0] == '-' && line[1] && !strncmp(line + 2, ", ", 2))
        line += 4;
    if (line[0] != '-' || line[1] != '-')
        return NULL;
    line += 2;
    for (*length = 0; isalnum((unsigned char)line[*length]) || line[*length] == '-';)
        ++*length;
    return *length ? line : NULL;
}

static const char *next_line(const char *line) {
    line += strcspn(line, "\n");
    return *line ? line + 1 : NULL;
}

enum fh_cli_sweep_takes fh_cli_sweep_help_option(const char *help, const char *name) {
    for (const char *line = help; line; line = next_line(line)) {
        size_t length;
        const char *option = option_of(line, &length);
        if (!option || length != strlen(name) || strncmp(option, name, length) != 0)
            continue;
        switch (option[length]) {
        case '=': return FH_CLI_SWEEP_VALUE;
        case '[': return FH_CLI_SWEEP_EITHER;
        default: return FH_CLI_SWEEP_FLAG;
        }
    }
    return FH_CLI_SWEEP_UNKNOWN;
}

char *fh_cli_sweep_help_nearest(const char *help, const char *name) {
    struct fh_nearest near;
    fh_nearest_begin(&near, name, strlen(name));
    for (const char *line = help; line; line = next_line(line)) {
        size_t length;
        const char *option = option_of(line, &length);
        if (option)
            fh_nearest_try(&near, option, length);
    }
    return near.best ? strndup(near.best, near.best_length) : NULL;
}
