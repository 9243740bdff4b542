/*
 * bench.h - measuring, and the rows and the table of what was measured; shared by the programs of
 * this folder.
 *
 *     NAME_bench ROWS.json [PATTERN]     measures what matches the pattern (a glob; all by default)
 *
 * Times are those of the process on its processor, so that what else runs on the machine counts
 * only as far as it takes caches and clock away; work on several threads, and whole processes, are
 * timed by the wall clock. A figure is the median of many short runs, with the quartiles; a ratio
 * is the median of ratios of runs that took turns. Never pass or fail.
 */
#ifndef FH_TESTS_BENCH_H
#define FH_TESTS_BENCH_H

#include <stdbool.h>
#include <stdio.h>

#include "fhec.h"

enum { BENCH_RUNS = 401 };

struct bench {
    FILE *rows;
    const char *pattern;
    double seconds; /* that one measurement may take */
    bool wall;      /* measure by the wall clock */
};

struct bench_timing {
    double median, low, high; /* seconds; low and high are the quartiles */
    unsigned runs;
};

typedef void bench_work(void *context);

struct bench bench_begin(int argc, char **argv);
/* The exit status. */
int bench_end(struct bench *b);
void bench_die(const char *what);
double bench_wall_clock(void);

/* Whether a measurement of this name is wanted. */
bool bench_wants(const struct bench *b, const char *name);

/* Runs `work` at least five times, until the seconds have passed. */
struct bench_timing bench_time(const struct bench *b, bench_work *work, void *context);
/* The two in turns: how long each takes, and the ratio of the first to the second. */
struct bench_timing bench_ratio(const struct bench *b, bench_work *work, void *context,
                                bench_work *base, void *base_context, struct bench_timing both[2]);

/* One line of the table and one row of the file. target 0: none; timing NULL: the value is exact.
 */
void bench_row(struct bench *b, const char *name, double value, const char *unit, double target,
               const struct bench_timing *timing);

/* ---------------------------------------------------------------- guests */

fhec_machine *bench_machine(unsigned threads);
/* For the assembler: tells on stderr. */
void bench_complain(void *user, const fhec_diagnostic *diagnostic);
fhec_program *bench_assemble(const char *text);
/* Warp instructions of one call of `work`, which uses the machine. */
double bench_count(fhec_machine *machine, bench_work *work, void *context);

#endif
