/*
 * screen_log.h - what a console has said, line by line, for a screen to show the end of it.
 */
#ifndef FH_CLI_SCREEN_LOG_H
#define FH_CLI_SCREEN_LOG_H

#include <stddef.h>

enum { FH_SCREEN_LOG_LINES = 2000 };

struct fh_screen_log {
    char *lines[FH_SCREEN_LOG_LINES]; /* the oldest ones make way */
    size_t first, count;
};

/* Adds each line of a text; without host memory some are missing. */
void fh_screen_log_add(struct fh_screen_log *log, const char *text);
/* The index-th line from the end, 0 being the last one; NULL: there are fewer. */
const char *fh_screen_log_line(const struct fh_screen_log *log, size_t index);
void fh_screen_log_free(struct fh_screen_log *log);

#endif
