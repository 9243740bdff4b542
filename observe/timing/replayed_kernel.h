/*
 * replayed_kernel.h - a kernel that traces tell of: its instructions, from all of its traces, and
 * what the machine makes of them.
 */
#ifndef FH_REPLAYED_KERNEL_H
#define FH_REPLAYED_KERNEL_H

#include "timer_state.h"
#include "trace_code.h"

struct fh_replayed_kernel {
    struct fh_accelsim_table table;
    bool has_code;                /* of traces of fhec: its words are those of the code */
    bool whole_barriers;          /* all its barriers are for all threads that have not ended */
    struct fh_profiled_kernel of; /* else a word for each instruction of the table */
    struct fh_timed_kernel *timed;
    struct fh_timed_name *names;
    struct fh_trace_bytes texts; /* of the names */
};

struct fh_replayed_kernel *fh_replayed_new(const struct fh_accelsim_kernel *header);
void fh_replayed_free(struct fh_replayed_kernel *kernel);
/* Whether a trace is one of this kernel: of the same name, and code. */
bool fh_replayed_is(const struct fh_replayed_kernel *kernel,
                    const struct fh_accelsim_kernel *header);
/* The table has grown: gives the timer all instructions. False without host memory. */
bool fh_replayed_ready(struct fh_replayed_kernel *kernel, struct fh_timer *timer,
                       const struct fh_time_machine *machine);
/* The word of an instruction of the table; of those that came behind `ready`, none of the kernel.
 */
uint32_t fh_replayed_word(const struct fh_replayed_kernel *kernel, uint32_t instruction);

#endif
