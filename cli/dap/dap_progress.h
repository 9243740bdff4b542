/*
 * dap_progress.h - progress events of a move that takes long: a thread of its own sends them while
 * the guest runs, if the client has said that it wants them.
 */
#ifndef FH_CLI_DAP_PROGRESS_H
#define FH_CLI_DAP_PROGRESS_H

#include "dap.h"

/* False: no thread for it. */
bool fh_dap_progress_start(struct fh_dap *dap);
void fh_dap_progress_stop(struct fh_dap *dap);
/* Around every slice of a move. `title` must stay until the move is over. */
void fh_dap_progress_begin(struct fh_dap *dap, const char *title);
void fh_dap_progress_pause(struct fh_dap *dap);
/* The move is over: what comes next is another one. */
void fh_dap_progress_end(struct fh_dap *dap);
/* Whether `id` is what the client was told of. */
bool fh_dap_progress_is(struct fh_dap *dap, const char *id);

#endif
