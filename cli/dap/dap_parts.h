/*
 * dap_parts.h - what the files of `fhec dap` have of each other: handlers, by file, and what moves,
 * threads and variables are made of.
 */
#ifndef FH_CLI_DAP_PARTS_H
#define FH_CLI_DAP_PARTS_H

#include "dap.h"

/* dap_requests.c: answers one message. */
void fh_dap_take(struct fh_dap *dap, const json_t *message);
/* Answers and moves until the session is over. */
void fh_dap_serve(struct fh_dap *dap);

/* dap_launch.c */
fh_dap_handler fh_dap_initialize, fh_dap_launch, fh_dap_attach, fh_dap_configuration_done,
    fh_dap_restart, fh_dap_terminate, fh_dap_disconnect;

/* dap_move.c */
fh_dap_handler fh_dap_continue, fh_dap_next_step, fh_dap_step_in, fh_dap_step_out, fh_dap_step_back,
    fh_dap_reverse_continue, fh_dap_pause, fh_dap_cancel, fh_dap_exception_info;
/* Phase MOVING: runs the guest until it stops, or until a request may want something. */
void fh_dap_go(struct fh_dap *dap);
/* Around what moves the guest within a request: the requests that end a move end that one, and
 * `title` is told as its progress; it must stay until the end. */
void fh_dap_within_begin(struct fh_dap *dap, const char *title);
void fh_dap_within_end(struct fh_dap *dap);
/* Tells the client of the last stop, behind which it stands. A breakpoint whose condition, hit
 * condition or log message says that it is none is told as a step. */
void fh_dap_tell_stop(struct fh_dap *dap);
/* The thread that a request names becomes the focus: its warp is what moves. FH_DAP_NO_SUCH has
 * been said if there is none. */
bool fh_dap_focus_thread(struct fh_dap *dap, const json_t *arguments);
/* dap_goto.c */
fh_dap_handler fh_dap_goto_targets, fh_dap_goto;
/* dap_tell.c */
/* The guest stands: reason "entry", "pause" ...; text may be NULL. */
void fh_dap_tell_stopped(struct fh_dap *dap, const char *reason, const char *text);
/* The last launch has ended, or failed, with the exit status of the process that it would be. */
void fh_dap_end(struct fh_dap *dap, int status);

/* dap_breakpoints.c */
fh_dap_handler fh_dap_set_breakpoints, fh_dap_set_function_breakpoints,
    fh_dap_set_instruction_breakpoints, fh_dap_set_exception_breakpoints,
    fh_dap_set_data_breakpoints, fh_dap_data_breakpoint_info, fh_dap_breakpoint_locations;
struct fh_dap_stops *fh_dap_stops_new(void); /* NULL: no memory */
void fh_dap_stops_free(struct fh_dap_stops *stops);
/* Tries breakpoints again that no launch had until now, or, after a restart, all; the client is
 * told of those that are good now, or not any more. */
void fh_dap_stops_again(struct fh_dap *dap, bool all);
/* The debugger is about to go, and its numbers with it. */
void fh_dap_stops_forget(struct fh_dap *dap);
bool fh_dap_stops_at_faults(const struct fh_dap *dap);
/* What the client is told of a stop at breakpoint `number`. Log points have been printed. */
struct fh_dap_hit {
    const char *reason; /* "breakpoint"; NULL: it does not stop */
    const char *description;
    json_int_t id;
};
struct fh_dap_hit fh_dap_stops_hit(struct fh_dap *dap, unsigned number);

/* dap_stack.c */
fh_dap_handler fh_dap_threads, fh_dap_stack_trace, fh_dap_scopes;
json_int_t fh_dap_thread_id(const struct fh_dap *dap, const uint32_t block[3], uint32_t warp);
/* FH_DAP_NO_SUCH has been said if there is no such warp. */
bool fh_dap_thread_of(struct fh_dap *dap, json_int_t id, uint32_t block[3], uint32_t *warp);
/* The lowest lane that issues next, or, if none can, that has not ended. */
uint32_t fh_dap_first_lane(struct fh_dap *dap, const uint32_t block[3], uint32_t warp);
/* dap_sources.c */
fh_dap_handler fh_dap_source, fh_dap_loaded_sources;
/* A path as the client wants paths; NULL: no memory. */
json_t *fh_dap_path_json(const struct fh_dap *dap, const char *path);
/* A Source of the protocol for a file of the guest's; NULL: no memory. */
json_t *fh_dap_source_json(struct fh_dap *dap, const char *file);
/* The guest's name of the file that a Source of the client stands for; NULL: it has none. Belongs
 * to the guest's programs. */
const char *fh_dap_source_file(struct fh_dap *dap, const json_t *source);
/* Calls `each` with every instruction of every kernel that is launched, until it returns false. */
struct fh_dap_place {
    const fhec_program *program;
    size_t kernel; /* of the program */
    size_t code;   /* number of the kernel among all */
    uint32_t word;
    fhec_kernel_info info;
};
void fh_dap_each_place(struct fh_dap *dap, bool (*each)(void *user, const struct fh_dap_place *at),
                       void *user);

/* dap_modules.c */
fh_dap_handler fh_dap_modules;
/* Tells the client of the modules and sources of what has been launched: reason "new", or "removed"
 * when it is about to go. */
void fh_dap_tell_modules(struct fh_dap *dap, const char *reason);
/* The number of the module that a program is, from 1 on. */
json_int_t fh_dap_module_id(struct fh_dap *dap, const fhec_program *program);

/* dap_variables.c */
fh_dap_handler fh_dap_variables, fh_dap_set_variable;
/* dap_evaluate.c */
fh_dap_handler fh_dap_evaluate, fh_dap_set_expression, fh_dap_completions;
/* dap_console.c: the console of the client, which keeps what one line leaves for the next; false:
 * no memory. */
bool fh_dap_console_open(struct fh_dap *dap);
void fh_dap_console_close(struct fh_dap *dap);
/* Whether a line has asked for the end of the session. */
bool fh_dap_console_quits(const struct fh_dap *dap);
/* A line of the line mode, and the value of an expression as its `print` says it; malloc'd, NULL
 * without memory. `status` says whether it did what it should. */
char *fh_dap_run_line(struct fh_dap *dap, const char *line, fhec_status *status);
char *fh_dap_run_print(struct fh_dap *dap, const char *expression, fhec_status *status);
/* The value of an expression, or what is wrong with it; its length, less than `size`. */
size_t fh_dap_value_text(struct fh_dap *dap, const char *expression, char *to, size_t size);
/* dap_memory.c */
fh_dap_handler fh_dap_read_memory, fh_dap_write_memory, fh_dap_disassemble;

#endif
