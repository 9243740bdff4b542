/*
 * dap.h - `fhec dap`: the debugger's model (debugger.h) as an adapter of the Debug Adapter
 * Protocol.
 *
 *     a request -> its row of the table -> the shape of its arguments, the phase -> handler
 *               -> response -> events
 *
 * One thread answers requests and runs the guest; another one reads (dap_channel.h). Numbers in
 * comments, as in "Request: setBreakpoints", are names of the protocol's specification.
 */
#ifndef FH_CLI_DAP_H
#define FH_CLI_DAP_H

#include "cli.h"
#include "dap_channel.h"
#include "debugger.h"

/* What an error is about: the `id` of the protocol's Message. */
enum fh_dap_error {
    FH_DAP_NO_REQUEST = 1,    /* the message is no request */
    FH_DAP_UNKNOWN = 2,       /* request */
    FH_DAP_ARGUMENTS = 3,     /* of the wrong shape */
    FH_DAP_ORDER = 4,         /* not at this point of a session */
    FH_DAP_NOT_STOPPED = 5,   /* the guest runs */
    FH_DAP_LAUNCH = 6,        /* the program cannot be started */
    FH_DAP_NO_SUCH = 7,       /* thread, frame, variable, memory, source */
    FH_DAP_EXPRESSION = 8,    /* it cannot be evaluated */
    FH_DAP_REFUSED = 9,       /* the guest cannot be changed or moved like that */
    FH_DAP_CANCELLED = 10,    /* by the client */
    FH_DAP_NOT_SUPPORTED = 11 /* the protocol knows it, this debugger does not */
};

enum fh_dap_phase {
    FH_DAP_NEW = 1,         /* nothing has been said */
    FH_DAP_INITIALIZED = 2, /* initialize has been answered */
    FH_DAP_CONFIGURED = 4,  /* launched, and waiting for configurationDone */
    FH_DAP_STOPPED = 8,
    FH_DAP_MOVING = 16,
    FH_DAP_ENDED = 32, /* the guest has ended */
};

/* What a variablesReference stands for, until the guest moves; dap_variables.c. */
struct fh_dap_handle;
/* Breakpoints as the client knows them; dap_breakpoints.c. */
struct fh_dap_stops;
/* What was launched; dap_launch.c. */
struct fh_dap_target;
/* What the process prints while it runs; dap_output.c. */
struct fh_dap_output;
/* Of a move that takes long; dap_progress.c. */
struct fh_dap_progress;
/* Of the lines that are typed in the client's console; debug_console.h. */
struct fh_cli_console;

struct fh_dap {
    struct fh_cli *cli;
    struct fh_dap_channel channel;
    enum fh_dap_phase phase;
    bool done; /* the session is over: the process may end */
    bool left; /* this loop of requests is over; the one around it goes on */
    void (*serve)(struct fh_dap *dap);

    /* Of the request under way. */
    json_int_t request; /* its seq; 0: none is */
    const char *command;
    enum fh_dap_error error;
    char message[600];
    json_t *events; /* to be sent behind the response */

    /* What the client told of itself. */
    bool lines_from_0, columns_from_0, paths_are_uris;
    bool wants_progress, wants_invalidated, wants_memory_event;

    struct fh_debugger *debugger; /* NULL: nothing has been launched, or it has ended */
    struct fh_dap_target *target;
    struct fh_cli_console *console; /* as long as the debugger */
    json_t *launched;               /* the arguments, for a restart */
    json_t *again;                  /* NULL, or what is to be launched next */
    struct fh_dap_stops *stops;
    struct fh_dap_output *output;
    struct fh_dap_progress *progress; /* NULL: the client does not want to know */

    struct fh_move move; /* phase MOVING */
    struct fh_debug_time moved_from;
    bool pause; /* asked for */

    struct fh_dap_handle *handles;
    size_t handle_count, handle_capacity;
};

/* ---------------------------------------------------------------- handlers, and what they say */

/* A handler leaves the response's body, if it has one, and says whether it did what was asked; if
 * not, fh_dap_fail has said why. Its arguments have the shape that the table gives them. */
typedef bool fh_dap_handler(struct fh_dap *dap, const json_t *arguments, json_t **body);
bool fh_dap_fail(struct fh_dap *dap, enum fh_dap_error error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with what the debugger's model says. */
bool fh_dap_model_fail(struct fh_dap *dap, enum fh_dap_error error);

/* The response to the request under way; takes `body`, which may be NULL. */
void fh_dap_respond(struct fh_dap *dap, bool fine, json_t *body);
/* The process is about to end within the request under way: that has failed, and so has all. */
void fh_dap_refuse_and_end(struct fh_dap *dap, const char *why);

/* Takes `body`, which may be NULL. An event behind the response of the request under way, or, if
 * there is none, at once. */
void fh_dap_event(struct fh_dap *dap, const char *name, json_t *body);
/* An output event: category "console", "stdout" ...; the text need not be UTF-8. */
void fh_dap_say(struct fh_dap *dap, const char *category, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Members of objects whose shape is known; what is missing is 0, false or NULL. Numbers beyond 2^61
 * are that: sums of a few of them are numbers, too. */
json_int_t fh_dap_int(const json_t *object, const char *name);
bool fh_dap_bool(const json_t *object, const char *name);
const char *fh_dap_string(const json_t *object, const char *name);
/* A string of bytes that need not be UTF-8; NULL without memory. */
json_t *fh_dap_text(const char *bytes);
json_t *fh_dap_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
