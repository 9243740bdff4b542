/*
 * trace_kernels_test.c - logs of the kernels of programs/ and of random programs: both engines, at
 * every SIMD level of this host, leave the same log byte by byte; it holds all that the launches
 * have done, and does not differ from itself.
 *
 * The environment can choose: FHEC_TEST_SEED.
 */
#include <inttypes.h>

#include "emu_util.h"
#include "host_simd.h"
#include "kernel_work.h"
#include "random_program.h"
#include "trace_util.h"

static const struct fh_trace_select everything;

static const struct {
    fhec_engine engine;
    fhec_simd simd;
} engines[] = {
    {FHEC_ENGINE_REF, FHEC_SIMD_BEST},
    {FHEC_ENGINE_FAST, FHEC_SIMD_PORTABLE},
    {FHEC_ENGINE_FAST, FHEC_SIMD_AVX2},
    {FHEC_ENGINE_FAST, FHEC_SIMD_AVX512},
};

/* What runs while it is recorded. */
typedef void run_fn(fhec_machine *m, const void *what);

static uint64_t record(size_t engine, run_fn *run, const void *what, struct fh_trace_bytes *log) {
    const fhec_machine_options options = {
        .engine = engines[engine].engine, .simd = engines[engine].simd, .threads = 1};
    fhec_machine *m;
    fhec_stats stats;
    struct fh_trace_recorder *recorder;
    assert_int_equal(fhec_machine_new(&options, &m), FHEC_OK);
    struct fh_trace_log_writer *writer =
        fh_trace_log_new((struct fh_trace_out){log, trace_collect});
    assert_non_null(writer);
    assert_int_equal(
        fh_trace_record(m, FH_TRACE_ALL, &everything, fh_trace_log_sink(writer), &recorder),
        FHEC_OK);
    fhec_machine_count(m, true);
    run(m, what);
    assert_int_equal(fhec_machine_stats(m, &stats), FHEC_OK);
    assert_true(fh_trace_log_end(writer, fh_trace_recorder_names(recorder)));
    assert_true(fh_trace_record_end(recorder));
    fhec_machine_free(m);
    return stats.warp_insts;
}

/* Instructions in the log, and those that its launches say that they have had. */
static void count(const struct fh_trace_bytes *bytes, uint64_t *records, uint64_t *said) {
    struct fh_trace_log *log;
    char why[FH_TRACE_WHY];
    const struct fh_trace_record *r;
    *records = *said = 0;
    assert_int_equal(trace_open(bytes, &log, why), FHEC_OK);
    for (;;) {
        if (fh_trace_log_next(log, &everything, &r, why) != FHEC_OK)
            fail_msg("%s", why);
        if (!r)
            break;
        *records += r->kind == FHEC_EVENT_RETIRE;
        *said += r->kind == FHEC_EVENT_LAUNCH_END ? r->numbers[1] : 0;
    }
    fh_trace_log_free(log);
}

static void require_same(const struct fh_trace_bytes *a, const struct fh_trace_bytes *b,
                         const char *name) {
    struct fh_trace_log *logs[2];
    char why[FH_TRACE_WHY];
    struct fh_trace_difference difference;
    unsigned which;
    assert_int_equal(trace_open(a, &logs[0], why), FHEC_OK);
    assert_int_equal(trace_open(b, &logs[1], why), FHEC_OK);
    assert_int_equal(fh_trace_compare(logs, &everything, 1, &difference, &which, why), FHEC_OK);
    if (difference.warps)
        fail_msg("%s: engines differ\n%.*s", name, (int)difference.text.count,
                 (const char *)difference.text.bytes);
    fh_trace_bytes_free(&difference.text);
    fh_trace_log_free(logs[0]);
    fh_trace_log_free(logs[1]);
    if (a->count != b->count || memcmp(a->bytes, b->bytes, a->count) != 0)
        fail_msg("%s: other events differ", name);
}

struct totals {
    uint64_t instructions, bytes;
};

static void check(run_fn *run, const void *what, const char *name, struct totals *totals) {
    struct fh_trace_bytes first = {0}, log = {0};
    uint64_t records, said;
    const uint64_t issued = record(0, run, what, &first);
    count(&first, &records, &said);
    if (records != issued || said != issued)
        fail_msg("%s: %" PRIu64 " instructions, %" PRIu64 " records, %" PRIu64 " said", name,
                 issued, records, said);
    for (size_t e = 1; e < COUNT_OF(engines); e++) {
        fhec_simd simd;
        if (!fh_host_simd(engines[e].simd, &simd))
            continue;
        log.count = 0;
        (void)record(e, run, what, &log);
        require_same(&first, &log, name);
    }
    totals->instructions += issued;
    totals->bytes += first.count;
    fh_trace_bytes_free(&first);
    fh_trace_bytes_free(&log);
}

/* ---------------------------------------------------------------- programs/ */

static void run_work(fhec_machine *m, const void *what) {
    static uint8_t out[KERNEL_WORK_BYTES];
    kernel_work_run(what, m, out);
}

/* One variant of each. */
static void check_work(void *user, const struct kernel_work *w) {
    if (w->variant < 2)
        check(run_work, w, w->name, user);
}

static void test_kernels(void **unused) {
    (void)unused;
    struct totals t = {0};
    kernel_work_each(false, check_work, &t);
    print_message("# %" PRIu64 " warp instructions in %" PRIu64 " bytes\n", t.instructions,
                  t.bytes);
}

/* ---------------------------------------------------------------- random programs */

struct random_run {
    const struct random_program *program;
    fhec_program *loaded;
    uint64_t number;
};

static void run_random(fhec_machine *m, const void *what) {
    const struct random_run *r = what;
    struct emu_rng rng = {.state = r->number | UINT64_C(1) << 63};
    uint32_t params[RP_PARAMS / 4];
    uint64_t buffer;
    assert_int_equal(fhec_alloc(m, "buffer", RP_GLOBAL, 0, &buffer), FHEC_OK);
    for (size_t i = 0; i < COUNT_OF(params); i++)
        params[i] = emu_value(&rng);
    memcpy(params, &buffer, sizeof buffer);
    const fhec_launch launch = {.program = r->loaded,
                                .grid = {r->program->blocks, 1, 1},
                                .block = {r->program->threads, 1, 1},
                                .params = params,
                                .param_bytes = sizeof params,
                                .max_steps = 20000};
    const fhec_status status = fhec_run(m, &launch);
    assert_true(status == FHEC_OK || status == FHEC_GUEST_FAULT);
}

static void test_random_programs(void **unused) {
    (void)unused;
    const char *given = getenv("FHEC_TEST_SEED");
    const uint64_t seed = given ? strtoull(given, NULL, 0) : 20261122;
    static struct random_program program;
    struct totals t = {0};
    for (uint64_t i = 0; i < 40; i++) {
        struct emu_rng rng = {.state = (seed + i) * UINT64_C(0x9e3779b97f4a7c15) | 1};
        char name[60];
        random_program(&rng, 200, 3, &program);
        snprintf(name, sizeof name, "seed %" PRIu64 ", program %" PRIu64, seed, i);
        struct random_run run = {&program, random_program_load(&program), seed + i};
        check(run_random, &run, name, &t);
        fhec_program_free(run.loaded);
    }
    print_message("# %" PRIu64 " warp instructions in %" PRIu64 " bytes\n", t.instructions,
                  t.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_random_programs),
    };
    return cmocka_run_group_tests_name("trace_kernels", tests, NULL, NULL);
}
