/*
 * timing_util.h - what the tests of the timing engine share: machines by name, launches with times.
 */
#ifndef FH_TESTS_TIMING_UTIL_H
#define FH_TESTS_TIMING_UTIL_H

#include "emu_util.h"
#include "time_report.h"

/* A machine that is part of the tool, with lines that change it, up to a NULL; both must be right.
 */
void timing_machine(struct fh_time_machine *machine, const char *name, const char *const *changes);

/* One launch of kernel 0 of a program, with a buffer of 64 KiB as its parameter if it has one. */
struct timing_launch {
    const char *text;
    uint32_t blocks, threads;
    fhec_engine engine;
    fhec_simd simd;
    unsigned host_threads;
};
/* The launch must end well and be timed. The timer, to be freed. */
struct fh_timer *timing_run(const struct fh_time_machine *machine,
                            const struct timing_launch *launch);
/* Its cycles alone. */
uint64_t timing_cycles(const struct fh_time_machine *machine, const char *text, uint32_t blocks,
                       uint32_t threads);

/* What holds of all results: issued and stalled cycles of each scheduler are all there are, sums
 * are those of the instructions, no bound is undercut. */
void timing_check(const struct fh_timer *timer);

/* `count` copies of `line` between the head and the tail of a kernel; to be freed. */
char *timing_chain(const char *head, const char *line, uint32_t count);

#endif
