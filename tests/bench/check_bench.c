/*
 * check_bench.c - what checkers cost: the launches of a transform of 65,536 points with one of them
 * at work, over the same launches without.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "checkers.h"
#include "device.h"

enum { N = 65536 };

/* A transform in a machine of its own. */
struct transform {
    struct fh_plan plan;
    struct fh_error error;
    fhec_machine *machine;
    uint64_t q, data;
};

static void must(fhec_status status, const struct fh_error *error) {
    if (status != FHEC_OK)
        bench_die(error->text[0] ? error->text : "the guest failed");
}

static void launches(void *context) {
    struct transform *t = context;
    must(fh_plan_run(&t->plan, 0, t->plan.limbs, t->data, t->data), &t->error);
}

static void prepare(struct transform *t, const char *map) {
    static const struct fh_run_options options;
    static uint64_t values[N];
    static uint32_t words[N];
    if (fh_golden_prime_chain(N, 30, 1, &t->q) != FH_GOLDEN_OK ||
        fh_golden_generate_limbs(FH_GOLDEN_RANDOM, 1, 1, &t->q, N, values) != FH_GOLDEN_OK)
        bench_die("no input");
    for (size_t i = 0; i < N; i++)
        words[i] = (uint32_t)values[i];
    const struct fh_ntt_params ntt = {.map = map, .n = N, .limbs = 1, .q = &t->q, .reduced = true};
    fh_plan_begin(&t->plan, t->machine, &options, &t->error);
    must(fh_ntt_plan(&t->plan, &ntt), &t->error);
    must(fh_guest_alloc(&t->plan.guest, "data", sizeof words, &t->data), &t->error);
    must(fh_guest_write(&t->plan.guest, t->data, words, sizeof words), &t->error);
}

static void discard(struct transform *t) {
    fh_plan_free(&t->plan);
    fhec_machine_free(t->machine);
}

static void measure(struct bench *b, enum fh_checker checker, const char *map, double target) {
    static struct transform plain, checked;
    struct fh_findings *findings = fh_findings_new();
    struct fh_checkers *checkers = NULL;
    struct bench_timing both[2];
    char name[96];
    snprintf(name, sizeof name, "check.%s.%s", fh_checker_name(checker), map);
    if (bench_wants(b, name) && fh_checkers_present() & FH_CHECK_BIT(checker)) {
        plain.machine = bench_machine(1);
        checked.machine = bench_machine(1);
        if (!findings || fh_checkers_begin(checked.machine, FH_CHECK_BIT(checker), findings,
                                           &checkers) != FHEC_OK)
            bench_die("no checker");
        prepare(&plain, map); /* the checker sees what is allocated and written */
        prepare(&checked, map);
        launches(&checked); /* instructions are decoded once for all launches */
        struct bench_timing ratio = bench_ratio(b, launches, &checked, launches, &plain, both);
        bench_row(b, name, ratio.median, "x", target, &ratio);
        if (fh_checkers_end(checkers) != FHEC_OK)
            bench_die("no memory for the checker");
        discard(&plain);
        discard(&checked);
    }
    fh_findings_free(findings);
}

int main(int argc, char **argv) {
    static const struct {
        enum fh_checker checker;
        double target; /* of fhec16 */
    } rows[] = {
        {FH_CHECK_INIT, 8},     {FH_CHECK_RACE, 15},      {FH_CHECK_BOUNDS, 0},
        {FH_CHECK_OPERANDS, 0}, {FH_CHECK_FRAGMENTS, 10},
    };
    struct bench b = bench_begin(argc, argv);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        measure(&b, rows[i].checker, "fhec16", rows[i].target);
        measure(&b, rows[i].checker, "cuda32", 0);
    }
    return bench_end(&b);
}
