/*
 * emu_events_threads_test.c - the same events, with the same values, on the reference engine, on
 * the fast engine at every SIMD level and on several host threads: random programs, and kernels of
 * programs/. Runs under TSan, too.
 */
#include "event_log.h"
#include "programs_util.h"
#include "random_program.h"

enum { PROGRAMS = SLOW_BUILD ? 8 : 60, STEPS = 20000 };

static const struct level {
    fhec_engine engine;
    fhec_simd simd;
    unsigned threads;
} levels[] = {
    {FHEC_ENGINE_REF, FHEC_SIMD_BEST, 1},  {FHEC_ENGINE_FAST, FHEC_SIMD_PORTABLE, 1},
    {FHEC_ENGINE_FAST, FHEC_SIMD_AVX2, 1}, {FHEC_ENGINE_FAST, FHEC_SIMD_AVX512, 1},
    {FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 4}, {FHEC_ENGINE_REF, FHEC_SIMD_BEST, 3},
};

static fhec_order order; /* of warps; the default one at first */

/* One observed run of something on a machine of the level. */
typedef void work(fhec_machine *machine, const void *what);

static struct event_log *observed(const struct level *level, uint32_t kinds, size_t wanted,
                                  work *run, const void *what) {
    struct event_log *log = event_log_new(wanted);
    fhec_observer observer = event_log_observer(log, level->threads > 1);
    const fhec_machine_options options = {
        .engine = level->engine, .simd = level->simd, .threads = level->threads, .order = order};
    fhec_machine *m;
    assert_int_equal(fhec_machine_new(&options, &m), FHEC_OK);
    observer.filter.kinds = kinds;
    assert_int_equal(fhec_observe(m, &observer, NULL), FHEC_OK);
    run(m, what);
    fhec_machine_free(m);
    return log;
}

/* Compares all levels with the first one; `kinds` of events. */
static void compare(const char *name, uint32_t kinds, work *run, const void *what) {
    struct event_log *first = observed(&levels[0], kinds, SIZE_MAX - 1, run, what);
    for (size_t i = 1; i < COUNT_OF(levels); i++) {
        if (levels[i].engine == FHEC_ENGINE_FAST && !emu_has_simd(levels[i].simd))
            continue;
        struct event_log *log = observed(&levels[i], kinds, SIZE_MAX - 1, run, what);
        const size_t at = event_log_differ(first, log);
        if (at != SIZE_MAX) {
            const struct level alone = {levels[i].engine, levels[i].simd, 1};
            fail_msg("%s, level %zu, event %zu of %zu and %zu:\n%s\n%s", name, i, at, first->count,
                     log->count, observed(&levels[0], kinds, at, run, what)->text,
                     observed(&alone, kinds, at, run, what)->text);
        }
        event_log_free(log);
    }
    event_log_free(first);
}

/* ---------------------------------------------------------------- random programs */

static void run_random(fhec_machine *m, const void *what) {
    const struct random_program *random = what;
    fhec_program *program = random_program_load(random);
    uint8_t params[RP_PARAMS];
    uint64_t buffer;
    for (size_t i = 0; i < sizeof params; i++)
        params[i] = (uint8_t)(i * 37 | 1);
    assert_int_equal(fhec_alloc(m, "buffer", RP_GLOBAL, 0, &buffer), FHEC_OK);
    memcpy(params, &buffer, sizeof buffer);
    const fhec_launch launch = {.program = program,
                                .grid = {4 * random->blocks, 1, 1},
                                .block = {random->threads, 1, 1},
                                .params = params,
                                .param_bytes = sizeof params,
                                .max_steps = STEPS};
    const fhec_status status = fhec_run(m, &launch);
    assert_true(status == FHEC_OK || status == FHEC_GUEST_FAULT);
    fhec_program_free(program);
}

static void test_random_programs(void **state) {
    (void)state;
    static const uint32_t kinds[] = {
        FHEC_EVENT_ALL,
        FHEC_EVENT_BIT(FHEC_EVENT_INSTRUCTION),
        FHEC_EVENT_BIT(FHEC_EVENT_ACCESS) | FHEC_EVENT_BIT(FHEC_EVENT_CONVERGE),
        FHEC_EVENT_BIT(FHEC_EVENT_INSTRUCTION) | FHEC_EVENT_BIT(FHEC_EVENT_DIVERGE) |
            FHEC_EVENT_BIT(FHEC_EVENT_BLOCK_END) | FHEC_EVENT_BIT(FHEC_EVENT_ARRIVE),
    };
    static struct random_program random;
    struct emu_rng rng = {.state = 19700101};
    for (unsigned n = 0; n < PROGRAMS; n++) {
        char name[40];
        snprintf(name, sizeof name, "random program %u", n);
        random_program(&rng, 150, n % 3 ? 10 : 1, &random);
        if (n % 5 == 0)
            order = (fhec_order){.kind = FHEC_ORDER_SEED, .seed = n};
        compare(name, kinds[n % COUNT_OF(kinds)], run_random, &random);
        order = (fhec_order){0};
    }
}

/* ---------------------------------------------------------------- kernels of programs/ */

static void run_transform(fhec_machine *m, const void *what) {
    const struct fh_map *map = what;
    enum { N = 256 };
    uint64_t q = programs_prime(N, 28, 0), in[N];
    struct fh_error error = {""};
    for (size_t i = 0; i < N; i++)
        in[i] = (i * i + 7) % q;
    void *data = programs_pack(map, in, N);
    const struct fh_ntt_params params = {.map = map->name, .n = N, .limbs = 1, .q = &q};
    if (fh_ntt_run(m, &params, data, N * map->word_bits / 8, data, &error) != FHEC_OK)
        fail_msg("%s: %s", map->name, error.text);
    free(data);
}

static void test_transforms(void **state) {
    (void)state;
    const struct fh_map *map;
    for (size_t i = 0; (map = programs_map(FH_WORKLOAD_NTT, i)) != NULL; i++)
        if (!SLOW_BUILD || i < 2)
            compare(map->name, FHEC_EVENT_ALL, run_transform, map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_programs),
        cmocka_unit_test(test_transforms),
    };
    return cmocka_run_group_tests_name("emu_events", tests, NULL, NULL);
}
