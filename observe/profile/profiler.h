/*
 * profiler.h - counting where the instructions of launches go, on one machine or several.
 *
 *     new -> attach (a machine) -> launches -> detach -> ... -> code, to be written -> free
 *
 * Instructions are counted by the machine; of memory instructions the addresses of every execution
 * are looked at, and of control instructions whether lanes part. Launches may use several host
 * threads.
 */
#ifndef FH_PROFILER_H
#define FH_PROFILER_H

#include "profiled_code.h"

struct fh_profiler;
struct fh_profiler *fh_profiler_new(void); /* NULL without host memory */
void fh_profiler_free(struct fh_profiler *profiler);

/* Counts what the machine launches from now on. A profiler has one machine at a time. */
fhec_status fh_profiler_attach(struct fh_profiler *profiler, fhec_machine *machine);
/* To be called before the machine is freed; without a machine it does nothing. */
void fh_profiler_detach(struct fh_profiler *profiler);
/* Makes all kernels of the program known, so that those that are never launched are told of, too.
 */
void fh_profiler_know(struct fh_profiler *profiler, const fhec_program *program);

/* Adds what another profiler has counted of a kernel. */
void fh_profiler_merge(struct fh_profiler *profiler, const struct fh_profiled_kernel *from);
/* Forgets what was counted. */
void fh_profiler_clear(struct fh_profiler *profiler);

/* Everything so far. It belongs to the profiler, and is complete between launches. */
const struct fh_profiled_code *fh_profiler_code(const struct fh_profiler *profiler);

#endif
