/*
 * profile_bench.c - what a profile costs: the launches of a transform with a profiler, as a
 * multiple of the same launches without one.
 */
#include <stdlib.h>

#include "bench.h"
#include "device.h"
#include "profiler.h"

enum { N = 65536 };

struct transform {
    struct fh_plan plan;
    struct fh_error error;
    fhec_machine *machine;
    uint64_t data; /* of the guest */
    struct fh_profiler *profiler;
};

static void must(fhec_status status, const struct fh_error *error) {
    if (status != FHEC_OK)
        bench_die(error->text[0] ? error->text : "the guest failed");
}

static void launches(void *context) {
    struct transform *t = context;
    must(fh_plan_run(&t->plan, 0, t->plan.limbs, t->data, t->data), &t->error);
}

static void profiled(void *context) {
    struct transform *t = context;
    if (fh_profiler_attach(t->profiler, t->machine) != FHEC_OK)
        bench_die("no observer");
    launches(t);
    fh_profiler_detach(t->profiler);
}

static void measure(struct bench *b, const char *map) {
    static const struct fh_run_options options;
    struct transform t = {.machine = bench_machine(1), .profiler = fh_profiler_new()};
    struct bench_timing both[2], ratio;
    uint64_t q;
    uint32_t *values = calloc(N, sizeof *values);
    char name[64];
    snprintf(name, sizeof name, "profile.ntt65536.%s", map);
    if (!bench_wants(b, name)) {
        fh_profiler_free(t.profiler);
        fhec_machine_free(t.machine);
        free(values);
        return;
    }
    if (!values || !t.profiler || fh_golden_prime_chain(N, 30, 1, &q) != FH_GOLDEN_OK)
        bench_die("no input");
    for (uint32_t i = 0; i < N; i++)
        values[i] = (uint32_t)((i * UINT64_C(2654435761)) % q);
    struct fh_ntt_params params = {.map = map, .n = N, .limbs = 1, .q = &q, .reduced = true};
    fh_plan_begin(&t.plan, t.machine, &options, &t.error);
    must(fh_ntt_plan(&t.plan, &params), &t.error);
    must(fh_guest_alloc(&t.plan.guest, "data", N * sizeof *values, &t.data), &t.error);
    must(fh_guest_write(&t.plan.guest, t.data, values, N * sizeof *values), &t.error);
    ratio = bench_ratio(b, profiled, &t, launches, &t, both);
    bench_row(b, name, ratio.median, "x", 3, &ratio);
    fh_plan_free(&t.plan);
    fh_profiler_free(t.profiler);
    fhec_machine_free(t.machine);
    free(values);
}

int main(int argc, char **argv) {
    struct bench b = bench_begin(argc, argv);
    measure(&b, "fhec16");
    measure(&b, "cuda32");
    return bench_end(&b);
}
