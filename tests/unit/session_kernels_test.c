/*
 * session_kernels_test.c - the kernels of programs/ cut into pieces at random places: what they
 * compute and count is what they do in one go, on both engines and at every SIMD level of this
 * host. fhec_run is wrapped for that: each launch becomes a session.
 *
 * The environment can choose: FHEC_TEST_SEED; FHEC_TEST_LONG, for larger transforms and shorter
 * pieces.
 */
#include <inttypes.h>

#include "cut.h"
#include "engine_levels.h"
#include "host_simd.h"
#include "kernel_work.h"

static struct cutter *cutter; /* NULL: launches run in one go */

fhec_status __real_fhec_run(fhec_machine *machine, const fhec_launch *launch);
fhec_status __wrap_fhec_run(fhec_machine *machine, const fhec_launch *launch);
fhec_status __wrap_fhec_run(fhec_machine *machine, const fhec_launch *launch) {
    return cutter ? cut_run(cutter, machine, launch) : __real_fhec_run(machine, launch);
}

/* ---------------------------------------------------------------- comparing */

struct result {
    fhec_machine *machine;
    fhec_stats stats;
    uint8_t out[KERNEL_WORK_BYTES];
};

/* The workload on a machine of its own: with a cutter in pieces. */
static void run(const struct kernel_work *w, size_t engine, struct cutter *by, struct result *r) {
    const fhec_machine_options options = {
        .engine = engine_choices[engine].engine, .simd = engine_choices[engine].simd, .threads = 1};
    assert_int_equal(fhec_machine_new(&options, &r->machine), FHEC_OK);
    fhec_machine_count(r->machine, true);
    cutter = by;
    kernel_work_run(w, r->machine, r->out);
    cutter = NULL;
    assert_int_equal(fhec_machine_stats(r->machine, &r->stats), FHEC_OK);
}

static bool same(const struct result *x, const struct result *y) {
    const fhec_stats *a = &x->stats, *b = &y->stats;
    bool counts = a->launches == b->launches && a->warp_insts == b->warp_insts &&
                  a->thread_insts == b->thread_insts && a->count_count == b->count_count;
    for (size_t i = 0; counts && i < a->count_count; i++)
        counts =
            a->counts[i].warp == b->counts[i].warp && a->counts[i].thread == b->counts[i].thread;
    return counts && memcmp(x->out, y->out, sizeof x->out) == 0;
}

struct totals {
    uint64_t seed, stops, instructions;
    struct emu_rng rng;
};

static bool host_has(size_t engine) {
    fhec_simd simd;
    return fh_host_simd(engine_choices[engine].simd, &simd);
}

static void compare(void *user, const struct kernel_work *w) {
    static struct result whole, pieces;
    struct totals *t = user;
    size_t best = ENGINE_CHOICES - 1;
    while (!host_has(best)) /* every host has the first one */
        best--;
    run(w, best, NULL, &whole);
    for (size_t e = 0; e < ENGINE_CHOICES; e++) {
        if (!host_has(e))
            continue;
        struct cutter by = {.rng = {.state = emu_next(&t->rng) | 1}, .longest = 256};
        run(w, e, &by, &pieces);
        if (by.wrong || !same(&whole, &pieces))
            fail_msg("seed %" PRIu64 ", %s %d, N %zu, map %s, engine %s: %s", t->seed, w->name,
                     w->variant, w->n, w->map->name, engine_choices[e].name,
                     by.wrong ? by.wrong : "results or counts differ");
        t->stops += by.stops;
        fhec_machine_free(pieces.machine);
    }
    t->instructions += whole.stats.warp_insts;
    fhec_machine_free(whole.machine);
}

static void kernels(void **unused) {
    (void)unused;
    const char *seed = getenv("FHEC_TEST_SEED");
    struct totals t = {.seed = seed ? strtoull(seed, NULL, 0) : 20240608};
    const bool thorough = getenv("FHEC_TEST_LONG") != NULL;
    t.rng.state = t.seed | UINT64_C(1) << 63;
    kernel_work_each(thorough, compare, &t);
    print_message("# seed %" PRIu64 ": %" PRIu64 " warp instructions, %" PRIu64 " stops\n", t.seed,
                  t.instructions, t.stops);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels),
    };
    return cmocka_run_group_tests_name("session_kernels", tests, NULL, NULL);
}
