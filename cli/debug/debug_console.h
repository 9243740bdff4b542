/*
 * debug_console.h - the commands of fhec debug: one table, which help and the manual are made of,
 * and a console that runs lines of them on a debugger. What a command answers goes to `out`, so
 * that other faces can run commands, too; none of them reads anything.
 */
#ifndef FH_CLI_DEBUG_CONSOLE_H
#define FH_CLI_DEBUG_CONSOLE_H

#include <stdio.h>

#include "cli.h"
#include "debugger.h"

struct fh_cli_debug_command;
struct fh_show_warp;
struct fh_cli_console {
    struct fh_cli *cli;
    const struct fh_cli_debug_command *commands; /* fh_cli_debug_commands */
    struct fh_debugger *debugger;
    FILE *out;
    FILE *errors;       /* what is wrong */
    bool color;         /* `out` is a terminal that wants colours */
    bool quit;          /* no more lines are wanted */
    bool ended;         /* the last launch has ended at least once */
    bool told;          /* the list of findings has been printed */
    bool interrupted;   /* Ctrl-C has ended a move of the last line */
    fhec_status status; /* what the last stop means for the exit status */
    char *last;         /* the last line, which an empty one repeats */
    unsigned number;    /* of the breakpoint that was made last */
    unsigned depth;     /* of files that run files */
    /* The lines that follow are a breakpoint's commands, up to `end`; 0: they are not. */
    unsigned collecting;
    char *collected;
    struct fh_show_warp *shown; /* registers that were shown last, of this warp; NULL: none */
    uint32_t shown_block[3], shown_warp;
    char *pending; /* commands of the last stop, which are run behind the one that led there */
};

enum fh_cli_debug_group {
    FH_DEBUG_MOVING,
    FH_DEBUG_STOPS,
    FH_DEBUG_LOOKING,
    FH_DEBUG_CHANGING,
    FH_DEBUG_OTHER,
};

/* A command: what its words are, and what it does with the rest of a line. FHEC_BAD_INPUT: what was
 * wrong has been said. */
struct fh_cli_debug_command {
    const char *name;  /* "reverse-step" */
    const char *alias; /* "rs"; NULL: none */
    const char *usage; /* of what follows the name: "[N]" */
    const char *help;  /* one line */
    enum fh_cli_debug_group group;
    bool repeats; /* an empty line does it once more */
    fhec_status (*run)(struct fh_cli_console *console, char *arguments);
};

/* The table, which a NULL name ends (debug_commands.c). */
extern const struct fh_cli_debug_command fh_cli_debug_commands[];

/* What a console is at first; and what it owns, freed. */
void fh_cli_console_open(struct fh_cli_console *console, struct fh_cli *cli,
                         struct fh_debugger *debugger, FILE *out, FILE *errors);
void fh_cli_console_close(struct fh_cli_console *console);
/* Words that may go on the line: at most `most`, static or as long as the debugger stays as it is.
 */
size_t fh_cli_console_complete(const struct fh_cli_console *console, const char *line,
                               const char **words, size_t most);
/* Runs one line; an empty one repeats the last command that can be repeated. */
fhec_status fh_cli_console_run(struct fh_cli_console *console, const char *line);
/* Says what is wrong and returns FHEC_BAD_INPUT. */
fhec_status fh_cli_console_error(const struct fh_cli_console *console, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Says fh_debugger_error and returns the status. */
fhec_status fh_cli_console_failed(const struct fh_cli_console *console, fhec_status status);
/* Prints where the focus is, with its instruction. */
void fh_cli_console_place(const struct fh_cli_console *console);
/* Prints where and why the debugger has stopped, with the instruction that comes next. */
void fh_cli_console_stopped(struct fh_cli_console *console, const struct fh_debug_stop *stop);

#endif
