/*
 * bench.c - measuring, and the rows and the table of what was measured.
 */
#include "bench.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double clock_of(clockid_t id) {
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double bench_wall_clock(void) {
    return clock_of(CLOCK_MONOTONIC);
}

void bench_die(const char *what) {
    fprintf(stderr, "benchmark: %s\n", what);
    exit(1);
}

struct bench bench_begin(int argc, char **argv) {
    struct bench b = {.pattern = argc == 3 ? argv[2] : "*", .seconds = 1};
    if (argc < 2 || argc > 3)
        bench_die("usage: NAME_bench ROWS.json [PATTERN]");
    b.rows = fopen(argv[1], "w");
    if (!b.rows)
        bench_die("the file of rows cannot be written");
    setvbuf(stdout, NULL, _IOLBF, 0);
    return b;
}

int bench_end(struct bench *b) {
    return fclose(b->rows) == 0 ? 0 : 1;
}

bool bench_wants(const struct bench *b, const char *name) {
    return fnmatch(b->pattern, name, 0) == 0;
}

/* ---------------------------------------------------------------- times */

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static struct bench_timing timing_of(double *times, unsigned runs) {
    qsort(times, runs, sizeof *times, ascending);
    return (struct bench_timing){times[runs / 2], times[runs / 4], times[runs - 1 - runs / 4],
                                 runs};
}

static double once(const struct bench *b, bench_work *work, void *context) {
    const clockid_t id = b->wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;
    double start = clock_of(id);
    work(context);
    return clock_of(id) - start;
}

struct bench_timing bench_time(const struct bench *b, bench_work *work, void *context) {
    double times[BENCH_RUNS], begin = bench_wall_clock();
    unsigned runs = 0;
    work(context); /* warms caches, and makes what is made once */
    while (runs < BENCH_RUNS && (runs < 5 || bench_wall_clock() - begin < b->seconds))
        times[runs++] = once(b, work, context);
    return timing_of(times, runs);
}

struct bench_timing bench_ratio(const struct bench *b, bench_work *work, void *context,
                                bench_work *base, void *base_context, struct bench_timing both[2]) {
    static double times[3][BENCH_RUNS];
    double begin = bench_wall_clock();
    unsigned runs = 0;
    work(context);
    base(base_context);
    while (runs < BENCH_RUNS && (runs < 5 || bench_wall_clock() - begin < b->seconds)) {
        times[0][runs] = once(b, work, context);
        times[1][runs] = once(b, base, base_context);
        times[2][runs] = times[0][runs] / times[1][runs];
        runs++;
    }
    both[0] = timing_of(times[0], runs);
    both[1] = timing_of(times[1], runs);
    return timing_of(times[2], runs);
}

/* ---------------------------------------------------------------- results */

void bench_row(struct bench *b, const char *name, double value, const char *unit, double target,
               const struct bench_timing *timing) {
    char goal[32] = "";
    if (target > 0)
        snprintf(goal, sizeof goal, "target %g", target);
    printf("%-42s %11.4g %-8s %-15s", name, value, unit, goal);
    if (timing)
        printf(" %+.0f%% %+.0f%%, %u runs", (timing->low / timing->median - 1) * 100,
               (timing->high / timing->median - 1) * 100, timing->runs);
    putchar('\n');
    fprintf(b->rows, "{\"name\": \"%s\", \"value\": %.6g, \"unit\": \"%s\", \"target\": ", name,
            value, unit);
    fprintf(b->rows, target > 0 ? "%g}\n" : "null}\n", target);
}

/* ---------------------------------------------------------------- guests */

fhec_machine *bench_machine(unsigned threads) {
    fhec_machine_options options = {.threads = threads};
    fhec_machine *machine;
    if (fhec_machine_new(&options, &machine) != FHEC_OK)
        bench_die("no machine");
    return machine;
}

void bench_complain(void *user, const fhec_diagnostic *diagnostic) {
    (void)user;
    fprintf(stderr, "benchmark: line %u: %s\n", diagnostic->at.line, diagnostic->message);
}

fhec_program *bench_assemble(const char *text) {
    const fhec_assemble_options options = {.diagnostic = bench_complain};
    fhec_program *program;
    if (fhec_assemble("benchmark", text, strlen(text), &options, &program) != FHEC_OK)
        bench_die("the kernel does not assemble");
    return program;
}

double bench_count(fhec_machine *machine, bench_work *work, void *context) {
    fhec_stats stats;
    fhec_machine_clear_stats(machine);
    fhec_machine_count(machine, true);
    work(context);
    if (fhec_machine_stats(machine, &stats) != FHEC_OK)
        bench_die("no statistics");
    fhec_machine_count(machine, false);
    return (double)stats.warp_insts;
}
