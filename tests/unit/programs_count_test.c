/*
 * How many instructions the transform kernels issue: matrix instructions exactly as often as the
 * mathematics asks, and all of them together within a budget, for every map; and how many launches.
 */
#include "programs_util.h"

/* A transform of some limbs. */
struct job {
    const struct fh_map *map;
    unsigned log2_n, form; /* form: 1 inverse, 2 natural order */
    unsigned bits;
    size_t limbs;
};

/* Runs it on zeros and leaves the counters of it in the machine. */
static void run(fhec_machine *machine, const struct job *job) {
    size_t n = (size_t)1 << job->log2_n, bytes = job->limbs * n * job->map->word_bits / 8;
    uint64_t q[MAX_LIMBS];
    void *data = calloc(1, bytes);
    struct fh_error error;
    assert_non_null(data);
    assert_int_equal(fh_golden_prime_chain(n, job->bits, job->limbs, q), FH_GOLDEN_OK);
    const struct fh_ntt_params params = {
        .map = job->map->name,
        .n = n,
        .limbs = job->limbs,
        .q = q,
        .inverse = job->form & 1,
        .order = job->form & 2 ? FH_GOLDEN_NATURAL : FH_GOLDEN_BITREV,
    };
    fhec_machine_clear_stats(machine);
    assert_int_equal(fh_ntt_run(machine, &params, data, bytes, data, &error), FHEC_OK);
    free(data);
}

/* ---------------------------------------------------------------- matrix instructions */

/* Products of 16 x 16 x 16 of a limb, in units of a stage's: a stage of radix 2, 4 or 8 has only
 * two diagonal quarters, which bytes make use of. */
static uint64_t products(const struct fh_map *map, unsigned log2_n) {
    uint64_t n = UINT64_C(1) << log2_n, tiles = n / 256, n2 = UINT64_C(1) << log2_n / 2;
    if (strstr(map->name, "256"))
        return tiles * (n2 + n / n2) / 16;
    return tiles * ((log2_n + 3) / 4);
}

/* Two FHEC each; or sixteen pairs of bytes, two IMMA each. */
static uint64_t matrix_instructions(const struct fh_map *map, unsigned log2_n) {
    uint64_t all = products(map, log2_n);
    if (map->matrix == FH_MATRIX_FHEC)
        return 2 * all;
    if (map->matrix != FH_MATRIX_IMMA)
        return 0;
    bool half = !strstr(map->name, "256") && log2_n % 4;
    return 32 * all - (half ? (UINT64_C(1) << log2_n) / 256 * 16 : 0);
}

static void check_matrix_count(fhec_machine *machine, const struct job *job) {
    uint64_t want = job->limbs * matrix_instructions(job->map, job->log2_n);
    run(machine, job);
    uint64_t fhec = programs_count(machine, "FHEC.16816"), imma = programs_count(machine, "IMMA");
    assert_int_equal(imma, programs_count(machine, "IMMA.16816.U8.U8"));
    uint64_t want_fhec = job->map->matrix == FH_MATRIX_FHEC ? want : 0;
    if (fhec != want_fhec || imma != want - want_fhec)
        fail_msg("%s, N 2^%u, form %u: %llu FHEC and %llu IMMA for %zu limbs, not %llu",
                 job->map->name, job->log2_n, job->form, (unsigned long long)fhec,
                 (unsigned long long)imma, job->limbs, (unsigned long long)want);
}

static void matrix_counts(void **state) {
    (void)state;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    struct job job = {.bits = 28};
    for (size_t m = 0; (job.map = programs_map(FH_WORKLOAD_NTT, m)) != NULL; m++)
        for (unsigned log2_n = FH_NTT_MIN_LOG2; log2_n <= (SLOW_BUILD ? 11 : FH_NTT_MAX_LOG2);
             log2_n++)
            for (job.form = 0; job.form < 4; job.form++) {
                job.log2_n = log2_n;
                job.limbs = log2_n < 13 ? 1 + (job.form + m) % 3 : 1;
                if (log2_n < 13 || job.form == (log2_n + m) % 4)
                    check_matrix_count(machine, &job);
            }
    fhec_machine_free(machine);
}

/* The published mappings of 65536 points, forward and inverse, in both orders. */
static void matrix_counts_of_65536(void **state) {
    (void)state;
    static const struct {
        const char *map, *prefix;
        uint64_t count;
    } rows[] = {
        {"fhec16", "FHEC", 2048},  {"fhec256", "FHEC", 16384},  {"fhec16+gme", "FHEC", 2048},
        {"imma16", "IMMA", 32768}, {"imma256", "IMMA", 262144},
    };
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    for (size_t r = 0; r < COUNT_OF(rows); r++)
        for (unsigned form = 0; form < 4; form++) {
            const struct job job = {fh_map_find(rows[r].map), 16, form, 32, 1};
            if (SLOW_BUILD && form != r % 4)
                continue;
            run(machine, &job);
            assert_int_equal(programs_count(machine, rows[r].prefix), rows[r].count);
        }
    fhec_machine_free(machine);
}

/* ---------------------------------------------------------------- all instructions */

/* Everything included, per limb of 65536 points. The limits are what the kernels need today, and a
 * little more: who makes them longer should notice. */
static void instruction_budget(void **state) {
    (void)state;
    static const struct {
        const char *map;
        unsigned bits;
        uint64_t forward, inverse;
    } rows[] = {
        {"fhec16", 28, 19300, 18700},     {"fhec16", 31, 19300, 18700},
        {"fhec16", 32, 21600, 21000},     {"fhec16+gme", 30, 15100, 14500},
        {"fhec16+gme", 32, 15100, 14500}, {"fhec256", 30, 42300, 39100},
        {"fhec256", 32, 44400, 41100},    {"cuda32", 28, 78300, 80700},
        {"cuda32", 30, 90500, 96100},     {"cuda32", 32, 140300, 147700},
        {"gme32", 32, 40100, 44300},      {"cuda64", 33, 205300, 215200},
        {"cuda64", 45, 197100, 207000},   {"cuda64", 50, 197100, 207000},
        {"cuda64", 59, 203300, 215000},   {"cuda64", 60, 212500, 225700},
        {"gme64", 60, 48700, 53700},      {"imma16", 31, 88600, 88700},
        {"imma16", 32, 90600, 90700},     {"imma256", 31, 328900, 329100},
        {"imma256", 32, 330900, 331200},
    };
    enum { BUDGET = 90000, LIMBS = 2 };
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    uint64_t fhec16[2] = {0};
    for (unsigned c = 0; c < 2 * COUNT_OF(rows); c++) {
        unsigned form = c & 1;
        const struct job job = {fh_map_find(rows[c / 2].map), 16, form, rows[c / 2].bits, LIMBS};
        if (SLOW_BUILD && c > 10 && c % 5) /* counts are the same in every build */
            continue;
        run(machine, &job);
        uint64_t each = programs_warp_insts(machine) / LIMBS;
        print_message("# %s, N 2^16, %u bits, %s: %llu warp instructions per limb\n", job.map->name,
                      job.bits, form ? "inverse" : "forward", (unsigned long long)each);
        assert_true(each <= (form ? rows[c / 2].inverse : rows[c / 2].forward));
        if (!strcmp(job.map->name, "fhec16")) {
            fhec16[form] = each;
            assert_true(each <= BUDGET);
        }
        if (!strcmp(job.map->name, "fhec16+gme"))
            assert_true(each < fhec16[form]);
    }
    fhec_machine_free(machine);
}

/* Natural order costs fhec16 little: 128 bits a lane, brought together by moves. */
static void natural_order(void **state) {
    (void)state;
    static const struct {
        const char *map;
        uint64_t limit;
    } rows[] = {{"fhec16", 21000}, {"fhec16+gme", 16800}};
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    for (unsigned c = 0; c < 2 * COUNT_OF(rows); c++) {
        const struct job job = {fh_map_find(rows[c / 2].map), 16, 2 + (c & 1), 30, 1};
        run(machine, &job);
        assert_true(programs_warp_insts(machine) <= rows[c / 2].limit);
        /* Two for the 256 evaluations of a tile; the tables' loads are .CONSTANT. */
        assert_int_equal(c & 1 ? programs_count(machine, "LDG.E.128") -
                                     programs_count(machine, "LDG.E.128.CONSTANT")
                               : programs_count(machine, "STG.E.128"),
                         2 * (1 << 16) / 256);
    }
    fhec_machine_free(machine);
}

/* A launch serves all limbs, whatever their number: at most two passes over the data up to 2^16. */
static void launches(void **state) {
    (void)state;
    static const struct {
        const char *map;
        unsigned log2_n, launches;
    } rows[] = {{"fhec16", 8, 1},  {"fhec16", 9, 2},   {"fhec16", 16, 2}, {"fhec16", 17, 3},
                {"fhec256", 8, 2}, {"fhec256", 17, 2}, {"imma16", 16, 2}, {"imma256", 12, 2},
                {"cuda32", 12, 1}, {"cuda32", 13, 2},  {"cuda64", 8, 1},  {"cuda64", 17, 2},
                {"gme32", 11, 1},  {"gme64", 16, 2}};
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        fhec_stats stats;
        const struct job job = {fh_map_find(rows[i].map), rows[i].log2_n, i & 1, 30, 1 + i % 4};
        run(machine, &job);
        assert_int_equal(fhec_machine_stats(machine, &stats), FHEC_OK);
        assert_int_equal(stats.launches, rows[i].launches);
    }
    fhec_machine_free(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrix_counts),      cmocka_unit_test(matrix_counts_of_65536),
        cmocka_unit_test(instruction_budget), cmocka_unit_test(natural_order),
        cmocka_unit_test(launches),
    };
    return cmocka_run_group_tests_name("programs_count", tests, NULL, NULL);
}
