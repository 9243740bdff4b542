/*
 * children.h - many tasks side by side, each in a process of its own, forked from this one: so that
 * one that never ends, or that ends the process, is one result among others.
 */
#ifndef FH_CLI_CHILDREN_H
#define FH_CLI_CHILDREN_H

#include <stdio.h>

#include "cli.h"

/* What a child leaves: bytes that the task wrote for its parent, and its standard streams. */
enum { FH_CLI_CHILD_RESULT, FH_CLI_CHILD_STDOUT, FH_CLI_CHILD_STDERR, FH_CLI_CHILD_STREAMS };

struct fh_cli_child_end {
    size_t index;
    int signal;     /* that ended it; 0: it came to its end */
    bool timed_out; /* it was ended from outside because its time was over */
    double seconds;
    char *text[FH_CLI_CHILD_STREAMS]; /* with a NUL behind it; not NULL */
    size_t length[FH_CLI_CHILD_STREAMS];
};

struct fh_cli_children {
    size_t count;   /* of tasks */
    unsigned jobs;  /* as many at once; 0: as many as there are processors */
    double seconds; /* for each of them; 0: no limit. Then the machine that runs in it is cancelled
                       (interrupt.h), and a little later the process is ended */
    /* In the child: task `index`, which may write to `result`. True: stop all the others. */
    bool (*run)(void *user, size_t index, FILE *result);
    /* In the parent, in the order of the tasks. */
    void (*done)(void *user, const struct fh_cli_child_end *end);
    void *user;
};

/* FHEC_CANCELLED if a task asked for a stop or an interrupt came: the tasks that were under way
 * have been told to `done`, the others have not run. Other failures have been said. */
fhec_status fh_cli_children_run(const struct fh_cli *cli, const struct fh_cli_children *children);

/* As many as `jobs` stands for. */
unsigned fh_cli_children_jobs(unsigned jobs);

#endif
