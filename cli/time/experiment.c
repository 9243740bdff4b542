/*
 * experiment.c - see experiment.h.
 */
#include "experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "message.h"
#include "time_measure.h"

enum { MOST_WORDS = 64, WHERE = 400 };

struct experiments {
    struct fh_cli *cli;
    const char *path;
    bool differs; /* some line does */
};

/* Cuts a line into words; blanks in double quotes are part of one. Returns how many. */
static int split(char *line, char *words[MOST_WORDS]) {
    int count = 0;
    while (*line && count < MOST_WORDS) {
        line += strspn(line, " \t");
        if (!*line)
            break;
        char *to = line;
        words[count++] = to;
        bool quoted = false, more = true;
        while (more) {
            const char c = *line++;
            quoted ^= c == '"';
            more = c && (quoted || (c != ' ' && c != '\t'));
            if (c != '"' && more)
                *to++ = c;
            if (!c)
                line--;
        }
        *to = 0;
    }
    return count;
}

/* The path of a file that lies beside the experiments; malloc'd. */
static char *beside(const char *path, const char *file) {
    const char *slash = strrchr(path, '/');
    const size_t folder = slash && *file != '/' ? (size_t)(slash - path) + 1 : 0;
    char *made = malloc(folder + strlen(file) + 1);
    if (made) {
        memcpy(made, path, folder);
        strcpy(made + folder, file);
    }
    return made;
}

static fhec_status run_line(void *user, char *line, uint32_t number) {
    struct experiments *e = user;
    char *words[MOST_WORDS + 2], where[WHERE];
    const char *command = e->cli->command;
    double cycles = 0, expected = -1;
    static char name[] = "time";
    words[0] = name;
    int count = split(line, words + 1);
    if (!count)
        return FHEC_OK;
    char *file = beside(e->path, words[1]);
    if (!file)
        return fh_cli_no_memory(e->cli);
    words[1] = file;
    words[count + 1] = NULL;
    snprintf(where, sizeof where, "%s:%u", e->path, number);
    printf("%-8u", number);
    for (int i = 2; i <= count; i++)
        printf(" %s", words[i]);
    e->cli->command = where;
    const fhec_status status =
        fh_cli_time_measure(e->cli, count + 1, words, true, &cycles, &expected);
    e->cli->command = command;
    if (status <= FHEC_DIFFERS)
        printf(": %.10g cycles%s\n", cycles,
               status == FHEC_DIFFERS ? " - DIFFERS"
               : expected >= 0        ? ", as expected"
                                      : "");
    free(file);
    return status;
}

/* Every line, whatever becomes of those before it. */
static fhec_status worst_line(void *user, char *line, uint32_t number) {
    struct experiments *e = user;
    const fhec_status status = run_line(user, line, number);
    if (status == FHEC_DIFFERS)
        e->differs = true;
    return status == FHEC_DIFFERS ? FHEC_OK : status;
}

fhec_status fh_cli_experiments(struct fh_cli *cli, int count, char **files) {
    struct experiments e = {.cli = cli};
    fhec_status status = FHEC_OK;
    if (count < 1)
        return fh_cli_error(cli, FHEC_BAD_INPUT, "--experiment needs a file");
    for (int i = 0; i < count && status == FHEC_OK; i++) {
        e.path = files[i];
        printf("%s\n", files[i]);
        status = fh_cli_each_line(cli, files[i], worst_line, &e);
    }
    return status == FHEC_OK && e.differs ? FHEC_DIFFERS : status;
}
