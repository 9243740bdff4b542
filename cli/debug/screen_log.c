/*
 * screen_log.c - see screen_log.h.
 */
#include "screen_log.h"

#include <stdlib.h>
#include <string.h>

static void add_line(struct fh_screen_log *log, const char *text, size_t length) {
    char *line = strndup(text, length);
    if (!line)
        return;
    if (log->count == FH_SCREEN_LOG_LINES) {
        free(log->lines[log->first]);
        log->lines[log->first] = line;
        log->first = (log->first + 1) % FH_SCREEN_LOG_LINES;
        return;
    }
    log->lines[(log->first + log->count++) % FH_SCREEN_LOG_LINES] = line;
}

void fh_screen_log_add(struct fh_screen_log *log, const char *text) {
    while (*text) {
        const size_t length = strcspn(text, "\n");
        add_line(log, text, length);
        text += length + (text[length] != 0);
    }
}

const char *fh_screen_log_line(const struct fh_screen_log *log, size_t index) {
    if (index >= log->count)
        return NULL;
    return log->lines[(log->first + log->count - 1 - index) % FH_SCREEN_LOG_LINES];
}

void fh_screen_log_free(struct fh_screen_log *log) {
    for (size_t i = 0; i < log->count; i++)
        free(log->lines[(log->first + i) % FH_SCREEN_LOG_LINES]);
    *log = (struct fh_screen_log){.count = 0};
}
