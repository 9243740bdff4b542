/*
 * debug_tasks.h - what the launches of a plan are to do, as the reference can do it, too; and which
 * of them do not.
 */
#ifndef FH_CLI_DEBUG_TASKS_H
#define FH_CLI_DEBUG_TASKS_H

#include "debug_console.h"
#include "programs.h"

struct fh_cli_debug_task {
    struct fh_task is; /* its moduli are ours */
    size_t launch;     /* its first, from 0 */
};
struct fh_cli_debug_tasks {
    const fhec_record *record; /* whose launches they are */
    struct fh_cli_debug_task *list;
    size_t count, capacity;
    bool no_memory;
};

/* fh_run_options.task; `user` are the tasks. */
void fh_cli_debug_task_done(void *user, const struct fh_task *task);
void fh_cli_debug_tasks_free(struct fh_cli_debug_tasks *tasks);

#endif
