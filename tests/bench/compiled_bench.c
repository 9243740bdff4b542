/*
 * compiled_bench.c - compiled kernels, tests/bench/compiled: warp instructions a second of their
 * launches on one host thread, the time beside that of the twin in plain C, and the geometric mean;
 * and stand-ins for public programs, on two threads by the wall clock. Each is compared with its
 * twin before it is measured.
 */
#include <math.h>
#include <stdlib.h>

#include "bench.h"
#include "compiled.h"

static void launch(void *context) {
    struct compiled_run *r = context;
    r->kernel->launch(r);
}

static void twin(void *context) {
    struct compiled_run *r = context;
    r->kernel->twin(r);
}

static void open_checked(struct compiled_run *r, const struct compiled_kernel *kernel) {
    compiled_open(r, kernel, true,
                  &(const fhec_machine_options){.threads = kernel->program ? 2 : 1});
    launch(r);
    twin(r);
    if (compiled_difference(r))
        bench_die("a compiled kernel and its twin differ");
}

/* Returns warp instructions a second; 0 if nobody wants them. */
static double kernel_rows(struct bench *b, const struct compiled_kernel *kernel) {
    char rate_row[64], ratio_row[64];
    struct compiled_run r;
    struct bench_timing both[2], ratio;
    snprintf(rate_row, sizeof rate_row, "compiled.%s.warp_insts_per_s", kernel->name);
    snprintf(ratio_row, sizeof ratio_row, "compiled.%s.ratio_to_native", kernel->name);
    if (!bench_wants(b, rate_row) && !bench_wants(b, ratio_row))
        return 0;
    open_checked(&r, kernel);
    const double insts = bench_count(r.machine, launch, &r);
    ratio = bench_ratio(b, launch, &r, twin, &r, both);
    const double rate = insts / both[0].median;
    bench_row(b, rate_row, rate, "/s", kernel->target, &both[0]);
    bench_row(b, ratio_row, ratio.median, "x", 0, &ratio);
    compiled_close(&r);
    return rate;
}

static void program_row(const struct bench *b, const struct compiled_kernel *kernel) {
    char row[64];
    struct compiled_run r;
    snprintf(row, sizeof row, "program.%s.warp_insts_per_s", kernel->name);
    if (!bench_wants(b, row))
        return;
    struct bench by_wall = *b;
    by_wall.wall = true;
    open_checked(&r, kernel);
    const double insts = bench_count(r.machine, launch, &r);
    const struct bench_timing t = bench_time(&by_wall, launch, &r);
    bench_row(&by_wall, row, insts / t.median, "/s", kernel->target, &t);
    compiled_close(&r);
}

int main(int argc, char **argv) {
    struct bench b = bench_begin(argc, argv);
    double logs = 0;
    unsigned measured = 0, kernels = 0;
    b.seconds = 0.5;
    for (const struct compiled_kernel *const *k = compiled_kernels; *k; k++) {
        if ((*k)->program) {
            program_row(&b, *k);
            continue;
        }
        const double rate = kernel_rows(&b, *k);
        kernels++;
        if (rate > 0) {
            measured++;
            logs += log(rate);
        }
    }
    if (measured == kernels)
        bench_row(&b, "compiled.geomean_warp_insts_per_s", exp(logs / kernels), "/s", 60e6, NULL);
    return bench_end(&b);
}
