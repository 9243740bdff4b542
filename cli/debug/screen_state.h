/*
 * screen_state.h - what the files of the full-screen mode know of it: debug_screen.c has the keys,
 * screen_draw.c the picture.
 */
#ifndef FH_CLI_SCREEN_STATE_H
#define FH_CLI_SCREEN_STATE_H

#include "debug_console.h"
#include "pane.h"
#include "screen_log.h"

enum fh_screen_data { FH_SCREEN_REGISTERS, FH_SCREEN_FRAGMENTS, FH_SCREEN_MEMORY, FH_SCREEN_DATA };

struct fh_screen {
    struct fh_cli_console console;
    struct fh_debugger *debugger;
    struct fh_pane pane;                  /* the one that is drawn */
    struct fh_pane_before *before, *next; /* at the last stop; at the one that may become it */
    struct fh_pane_view view;
    enum fh_screen_data
        data;   /* the one that keys are about, and alone where there is little room */
    int scroll; /* lines of the source */
    struct fh_screen_log log;
    size_t log_scroll;
    bool typing; /* a command, instead of keys */
    char input[512];
    size_t length;
    bool running;
};

/* Draws everything, for the size that the terminal has. */
void fh_screen_draw(struct fh_screen *screen);

#endif
