/*
 * kernels_bench.c - how long the emulator takes for what fhec is about, beside native code doing
 * the same on one core. Medians with their spread; never pass or fail.
 *
 * A kernel's figure is a whole call: tables, assembly, copies and launches. Everything runs on one
 * host thread, so that ratios do not depend on the machine's other work more than need be.
 *
 *     kernels_bench ROWS.json      prints a table, writes one JSON object a line
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "golden.h"
#include "programs.h"

enum { N = 65536, ALPHA = 9, TARGET = 27, MAX_RUNS = 99 };

struct bench {
    FILE *rows;
    fhec_machine *machine;
    uint64_t chain[ALPHA + TARGET];
    uint32_t *in, *out;
    uint64_t *wide_in, *wide_out;
    double native_ntt, native_bconv; /* seconds */
};

static void die(const char *what) {
    fprintf(stderr, "kernels_bench: %s\n", what);
    exit(1);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct timing {
    double median, low, high; /* seconds; low and high are the quartiles */
    unsigned runs;
};

/* Runs `work` until about a second has passed, at least five times. */
static struct timing measure(struct bench *b, void (*work)(struct bench *, const void *),
                             const void *argument) {
    double times[MAX_RUNS], begin = now();
    unsigned runs = 0;
    work(b, argument);
    while (runs < MAX_RUNS && (runs < 5 || now() - begin < 1.0)) {
        double start = now();
        work(b, argument);
        times[runs++] = now() - start;
    }
    qsort(times, runs, sizeof *times, ascending);
    return (struct timing){times[runs / 2], times[runs / 4], times[runs - 1 - runs / 4], runs};
}

/* One line of the table and one row; target 0: none. */
static void report(struct bench *b, const char *name, double value, const char *unit, double target,
                   const struct timing *t) {
    char goal[32] = "";
    if (target > 0)
        snprintf(goal, sizeof goal, "target %g", target);
    printf("%-40s %12.4g %-8s %-14s", name, value, unit, goal);
    if (t)
        printf(" quartiles %+.0f%% %+.0f%%, %u runs", (t->low / t->median - 1) * 100,
               (t->high / t->median - 1) * 100, t->runs);
    putchar('\n');
    fprintf(b->rows, "{\"name\": \"%s\", \"value\": %.6g, \"unit\": \"%s\", \"target\": ", name,
            value, unit);
    fprintf(b->rows, target > 0 ? "%g}\n" : "null}\n", target);
}

static void native_ntt(struct bench *b, const void *plan) {
    fh_golden_ntt32_forward(plan, b->out);
}

static void native_bconv(struct bench *b, const void *bases) {
    if (fh_golden_bconv_fast(bases, N, b->wide_in, b->wide_out) != FH_GOLDEN_OK)
        die("the reference failed");
}

static void emulated_ntt(struct bench *b, const void *map) {
    struct fh_error error;
    struct fh_ntt_params params = {.map = map, .n = N, .limbs = 1, .q = b->chain};
    if (fh_ntt_run(b->machine, &params, b->in, N * sizeof *b->in, b->out, &error) != FHEC_OK)
        die(error.text);
}

static void emulated_bconv(struct bench *b, const void *map) {
    struct fh_error error;
    struct fh_bconv_params params = {.map = map,
                                     .n = N,
                                     .alpha = ALPHA,
                                     .target = TARGET,
                                     .from = b->chain,
                                     .to = b->chain + ALPHA};
    if (fh_bconv_run(b->machine, &params, b->in, ALPHA * N * sizeof *b->in, b->out, &error) !=
        FHEC_OK)
        die(error.text);
}

/* Warp instructions of one call. */
static uint64_t count(struct bench *b, void (*work)(struct bench *, const void *),
                      const void *argument) {
    fhec_stats stats;
    fhec_machine_clear_stats(b->machine);
    fhec_machine_count(b->machine, true);
    work(b, argument);
    if (fhec_machine_stats(b->machine, &stats) != FHEC_OK)
        die("no statistics");
    fhec_machine_count(b->machine, false);
    return stats.warp_insts;
}

static void native(struct bench *b) {
    uint64_t psi;
    fh_golden_ntt32_plan *plan;
    fh_golden_bases bases = {ALPHA, b->chain, TARGET, b->chain + ALPHA};
    if (fh_golden_smallest_root(N, b->chain[0], &psi) != FH_GOLDEN_OK ||
        fh_golden_ntt32_plan_create(&plan, N, b->chain[0], psi) != FH_GOLDEN_OK)
        die("no plan");
    for (size_t i = 0; i < N; i++)
        b->out[i] = (uint32_t)(b->wide_in[i] % b->chain[0]);
    struct timing t = measure(b, native_ntt, plan);
    b->native_ntt = t.median;
    report(b, "ntt65536.native_scalar", t.median * 1e3, "ms", 0, &t);
    fh_golden_ntt32_plan_free(plan);
    t = measure(b, native_bconv, &bases);
    b->native_bconv = t.median;
    report(b, "bconv9to27.native", t.median * 1e3, "ms", 0, &t);
}

static void emulated(struct bench *b, const struct fh_map *map, bool ntt) {
    void (*work)(struct bench *, const void *) = ntt ? emulated_ntt : emulated_bconv;
    const char *prefix = ntt ? "ntt65536" : "bconv9to27";
    char name[96];
    struct timing t = measure(b, work, map->name);
    snprintf(name, sizeof name, "%s.%s.call", prefix, map->name);
    report(b, name, t.median * 1e3, "ms", 0, &t);
    snprintf(name, sizeof name, "%s.%s.call_ratio_to_native", prefix, map->name);
    report(b, name, t.median / (ntt ? b->native_ntt : b->native_bconv), "x", 0, NULL);
    snprintf(name, sizeof name, "%s.%s.warp_insts", prefix, map->name);
    report(b, name, (double)count(b, work, map->name), "", 0, NULL);
}

int main(int argc, char **argv) {
    struct bench b = {.rows = argc == 2 ? fopen(argv[1], "w") : NULL};
    fhec_machine_options options = {.threads = 1};
    const struct fh_map *map;
    if (!b.rows)
        die("usage: kernels_bench ROWS.json");
    b.in = calloc(TARGET * N, sizeof *b.in);
    b.out = calloc(TARGET * N, sizeof *b.out);
    b.wide_in = calloc(TARGET * N, sizeof *b.wide_in);
    b.wide_out = calloc(TARGET * N, sizeof *b.wide_out);
    if (!b.in || !b.out || !b.wide_in || !b.wide_out ||
        fhec_machine_new(&options, &b.machine) != FHEC_OK)
        die("out of memory");
    if (fh_golden_prime_chain(N, 30, ALPHA + TARGET, b.chain) != FH_GOLDEN_OK ||
        fh_golden_generate_limbs(FH_GOLDEN_RANDOM, 1, ALPHA, b.chain, N, b.wide_in) != FH_GOLDEN_OK)
        die("no input");
    for (size_t i = 0; i < ALPHA * N; i++)
        b.in[i] = (uint32_t)b.wide_in[i];
    native(&b);
    for (size_t i = 0; (map = fh_map_get(i)) != NULL; i++)
        if (map->workloads & FH_WORKLOAD_NTT)
            emulated(&b, map, true);
    for (size_t i = 0; (map = fh_map_get(i)) != NULL; i++)
        if (map->workloads & FH_WORKLOAD_BCONV)
            emulated(&b, map, false);
    fhec_machine_free(b.machine);
    free(b.in);
    free(b.out);
    free(b.wide_in);
    free(b.wide_out);
    return fclose(b.rows) == 0 ? 0 : 1;
}
