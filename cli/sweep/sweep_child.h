/*
 * sweep_child.h - runs of a sweep as processes of their own: started in any order, told of in the
 * order in which they end.
 *
 * Tasks of children.h are forked and told of in their order; these are executed, are told of at
 * once, so that their results can be kept at once, and what they took is measured.
 */
#ifndef FH_CLI_SWEEP_CHILD_H
#define FH_CLI_SWEEP_CHILD_H

#include <stddef.h>

#include "cli.h"

/* How a run ended. Texts are UTF-8 without NUL: bytes that are not are question marks. */
struct fh_cli_sweep_end {
    size_t task;    /* as it was started */
    int status;     /* exit status, if no signal ended it */
    int signal;     /* that ended it; 0: none */
    bool timed_out; /* it was ended because it took too long */
    double seconds, user_s, system_s;
    uint64_t peak_kib; /* most memory that it had at once */
    char *out, *err;   /* what it printed, malloc'd; NULL: no memory for it */
    size_t out_length, err_length;
};
void fh_cli_sweep_end_free(struct fh_cli_sweep_end *end);

struct fh_cli_sweep_children;
/* `jobs` at once; each is ended after so many seconds (0: never). NULL: no memory. */
struct fh_cli_sweep_children *fh_cli_sweep_children_new(unsigned jobs, double seconds);
/* Ends those that run, without a word. */
void fh_cli_sweep_children_free(struct fh_cli_sweep_children *children);

/* Each is ended after so many seconds from here on. */
void fh_cli_sweep_children_limit(struct fh_cli_sweep_children *children, double seconds);

/* How many run, and how many more may be started. */
unsigned fh_cli_sweep_children_running(const struct fh_cli_sweep_children *children);
unsigned fh_cli_sweep_children_free_slots(const struct fh_cli_sweep_children *children);
/* Executes the open file with arguments up to NULL, in this folder, with nothing to read, in a
 * process group of its own, which ends with this process. False with errno. */
bool fh_cli_sweep_children_start(struct fh_cli_sweep_children *children, size_t task, int file,
                                 char *const *arguments);
/* Waits for what they print and for their ends, until one ends or so many seconds have gone by. */
void fh_cli_sweep_children_wait(struct fh_cli_sweep_children *children, double seconds);
/* One that has ended, which is the caller's to free; false: there is none. */
bool fh_cli_sweep_children_ended(struct fh_cli_sweep_children *children,
                                 struct fh_cli_sweep_end *end);
/* Asks all to end (SIGTERM), and makes them (SIGKILL) when they have not after two seconds. Their
 * ends are not told. */
void fh_cli_sweep_children_stop(struct fh_cli_sweep_children *children);

#endif
