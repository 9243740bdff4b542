/*
 * Counts of the report: sorted by class and part without loss, the exact numbers of matrix
 * instructions that the mathematics asks for, and what is refused.
 */
#include "programs_util.h"

#include "comparison.h"
#include "comparison_data.h"

static const struct fh_map *const none[1] = {NULL};

static struct fh_comparison_params small(const struct fh_map *const *maps, size_t count) {
    return (struct fh_comparison_params){
        .maps = maps,
        .map_count = count,
        .chain = {.log2_n = 9, .limbs = 6, .alpha = 2, .dnum = 3},
        .bits_32 = 30,
        .bits_64 = 60,
        .seed = 5,
        .verify = true,
    };
}

/* The column that the report's manual names for an instruction, written down by hand. */
static enum fh_class expected_class(const char *mnemonic) {
    static const struct {
        const char *prefix;
        enum fh_class klass;
    } rows[] = {
        {"FHEC", FH_CLASS_MATRIX},    {"IMMA", FH_CLASS_MATRIX},    {"MOD", FH_CLASS_MODULAR},
        {"MONT", FH_CLASS_MODULAR},   {"LDG", FH_CLASS_MEMORY},     {"STG", FH_CLASS_MEMORY},
        {"LDS", FH_CLASS_MEMORY},     {"STS", FH_CLASS_MEMORY},     {"SHFL", FH_CLASS_MEMORY},
        {"VOTE", FH_CLASS_MEMORY},    {"LDC", FH_CLASS_MEMORY},     {"BAR", FH_CLASS_CONTROL},
        {"EXIT", FH_CLASS_CONTROL},   {"BRA", FH_CLASS_CONTROL},    {"BSSY", FH_CLASS_CONTROL},
        {"BSYNC", FH_CLASS_CONTROL},  {"NOP", FH_CLASS_CONTROL},    {"WARPSYNC", FH_CLASS_CONTROL},
        {"UMOV", FH_CLASS_UNIFORM},   {"UIADD3", FH_CLASS_UNIFORM}, {"UIMAD", FH_CLASS_UNIFORM},
        {"UISETP", FH_CLASS_UNIFORM}, {"ULOP3", FH_CLASS_UNIFORM},  {"USHF", FH_CLASS_UNIFORM},
        {"ULDC", FH_CLASS_UNIFORM},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (strncmp(mnemonic, rows[i].prefix, strlen(rows[i].prefix)) == 0)
            return rows[i].klass;
    return FH_CLASS_INTEGER;
}

/* A transform with the collector has the counts of the same transform without it. */
static void nothing_is_lost(void **state) {
    (void)state;
    enum { N = 1024 };
    static uint64_t wide[N];
    static uint32_t narrow[N];
    for (size_t i = 0; i < N; i++)
        narrow[i] = (uint32_t)(wide[i] = i * i * 7919 + 31);
    const struct fh_map *map;
    unsigned maps = 0;
    for (size_t m = 0; (map = fh_map_get(m)) != NULL; m++) {
        if (!(map->workloads & FH_WORKLOAD_NTT))
            continue;
        fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
        bool is_wide = map->word_bits == 64;
        const void *in = is_wide ? (const void *)wide : narrow;
        size_t bytes = is_wide ? sizeof wide : sizeof narrow;
        uint64_t q = programs_prime(N, is_wide ? 50 : 29, 1);
        struct fh_error error = {""};
        struct fh_ntt_params params = {.map = map->name, .n = N, .limbs = 1, .q = &q};
        static uint64_t out[N];
        struct fh_part_profile want = {.launches = 0};
        fhec_stats stats;
        fhec_machine_clear_stats(machine);
        assert_int_equal(fh_ntt_run(machine, &params, in, bytes, out, &error), FHEC_OK);
        assert_int_equal(fhec_machine_stats(machine, &stats), FHEC_OK);
        for (size_t i = 0; i < stats.count_count; i++) {
            enum fh_class klass = expected_class(stats.counts[i].mnemonic);
            want.warp[klass] += stats.counts[i].warp;
            want.thread[klass] += stats.counts[i].thread;
        }
        want.launches = stats.launches;
        struct fh_collector collector;
        struct fh_profile got;
        params.options = fh_profile_begin(&collector, machine, &params.options);
        assert_int_equal(fh_ntt_run(machine, &params, in, bytes, out, &error), FHEC_OK);
        assert_int_equal(fh_profile_end(&collector, &got, &error), FHEC_OK);
        const struct fh_part_profile *part = &got.part[FH_PART_TRANSFORM];
        for (unsigned k = 0; k < FH_CLASSES; k++)
            if (part->warp[k] != want.warp[k] || part->thread[k] != want.thread[k])
                fail_msg("%s, %s: %llu warp instructions, expected %llu", map->name,
                         fh_class_name(k), (unsigned long long)part->warp[k],
                         (unsigned long long)want.warp[k]);
        assert_int_equal(part->launches, want.launches);
        assert_int_equal(fh_profile_warp(&got.part[FH_PART_CONVERSION]), 0);
        assert_int_equal(fh_profile_warp(&got.part[FH_PART_ELEMENTS]), 0);
        fhec_machine_free(machine);
        maps++;
    }
    assert_true(maps >= 9);
}

/* Matrix instructions of a radix-16 transform of N = 2^12 points, 3 stages: FHEC 3 x 16 products of
 * 16 x 16 x 16, two instructions each; IMMA 16 byte pairs of each. Conversion 2 -> 6: N / 16 rows,
 * one group of 8 columns. */
static void matrix_counts(void **state) {
    (void)state;
    const struct fh_map *maps[] = {fh_map_find("fhec16"), fh_map_find("imma16")};
    const uint64_t transform[] = {3 * 16 * 2, 3 * 16 * 2 * 16};
    struct fh_comparison_params params = small(maps, 2);
    params.chain.log2_n = 12;
    params.verify = !SLOW_BUILD;
    struct fh_comparison report;
    struct fh_error error = {""};
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    if (fh_comparison_run(machine, &params, &report, &error) != FHEC_OK)
        fail_msg("%s", error.text);
    for (size_t m = 0; m < 2; m++) {
        const struct fh_comparison_cell *cells = report.rows[m].cells;
        const struct fh_profile *ntt = &cells[FH_COMPARISON_NTT].profile;
        const struct fh_profile *hemult = &cells[FH_COMPARISON_HEMULT].profile;
        assert_int_equal(report.rows[m].bits, 30);
        assert_int_equal(ntt->part[FH_PART_TRANSFORM].warp[FH_CLASS_MATRIX], transform[m]);
        /* limbs + 2 alpha inverse, dnum limbs + 2 limbs forward transforms: 10 + 30 */
        assert_int_equal(cells[FH_COMPARISON_HEMULT].work[FH_GOLDEN_CKKS_INTT], 10);
        assert_int_equal(cells[FH_COMPARISON_HEMULT].work[FH_GOLDEN_CKKS_NTT], 30);
        assert_int_equal(hemult->part[FH_PART_TRANSFORM].warp[FH_CLASS_MATRIX], 40 * transform[m]);
        assert_int_equal(hemult->part[FH_PART_ELEMENTS].warp[FH_CLASS_MATRIX], 0);
        assert_int_equal(cells[FH_COMPARISON_RESCALE].profile.part[FH_PART_CONVERSION].launches, 0);
    }
    const struct fh_comparison_cell *fhec = report.rows[0].cells;
    assert_int_equal(
        fhec[FH_COMPARISON_BCONV].profile.part[FH_PART_CONVERSION].warp[FH_CLASS_MATRIX],
        4096 / 16);
    assert_int_equal(
        fhec[FH_COMPARISON_HEMULT].profile.part[FH_PART_CONVERSION].warp[FH_CLASS_MATRIX],
        5 * 4096 / 16);
    fh_comparison_free(&report);
    fhec_machine_free(machine);
}

/* A wrong element is found, wherever it is, and named. */
static void differences(void **state) {
    (void)state;
    struct fh_comparison_params params = small(none, 0);
    struct fh_comparison_data data;
    struct fh_error error = {""};
    assert_int_equal(fh_comparison_primes(&params, 4, &data, &error), FHEC_OK);
    assert_int_equal(fh_comparison_operands(&params, true, &data, &error), FHEC_OK);
    const struct {
        enum fh_comparison_kernel kernel;
        size_t elements;
    } kernels[] = {{FH_COMPARISON_NTT, 512},         {FH_COMPARISON_INTT, 512},
                   {FH_COMPARISON_BCONV, 6 * 512},   {FH_COMPARISON_RESCALE, 10 * 512},
                   {FH_COMPARISON_ROTATE, 12 * 512}, {FH_COMPARISON_HEMULT, 12 * 512}};
    for (size_t k = 0; k < COUNT_OF(kernels); k++) {
        enum fh_comparison_kernel kernel = kernels[k].kernel;
        size_t count = fh_comparison_elements(&data, kernel);
        assert_int_equal(count, kernels[k].elements);
        uint64_t *got = malloc(count * sizeof *got);
        assert_non_null(got);
        memcpy(got, data.expected[kernel], count * sizeof *got);
        assert_int_equal(fh_comparison_compare(&data, kernel, "m", got, &error), FHEC_OK);
        for (size_t at = 0; at < count; at += count - 1) {
            char place[64];
            got[at] ^= 1;
            assert_int_equal(fh_comparison_compare(&data, kernel, "m", got, &error), FHEC_DIFFERS);
            snprintf(place, sizeof place, "map m, %s: element %zu of limb %zu is ",
                     fh_comparison_kernel_name(kernel), at % 512, at / 512);
            assert_non_null(strstr(error.text, place));
            got[at] ^= 1;
        }
        free(got);
    }
    fh_comparison_data_free(&data);
}

static void refused(const struct fh_comparison_params *params, const char *why) {
    struct fh_comparison report;
    struct fh_error error = {""};
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    assert_int_equal(fh_comparison_run(machine, params, &report, &error), FHEC_BAD_INPUT);
    if (!strstr(error.text, why))
        fail_msg("\"%s\" does not say \"%s\"", error.text, why);
    fh_comparison_free(&report);
    fhec_machine_free(machine);
}

static void wrong_parameters(void **state) {
    (void)state;
    const struct fh_map *maps[] = {fh_map_find("cuda32"), fh_map_find("fhec16")};
    const uint64_t two = 2;
    struct fh_comparison_params params = small(maps, 2);
    params.chain.limbs = 1;
    refused(&params, "limbs: 1");
    params = small(maps, 2);
    params.chain.alpha = 0;
    refused(&params, "alpha is 0");
    params = small(maps, 2);
    params.chain.dnum = 4;
    refused(&params, "dnum is 4");
    params = small(maps, 2);
    params.chain.log2_n = 18;
    refused(&params, "must be 8 to 17, not 18");
    params = small(maps, 2);
    params.bits_32 = 33;
    refused(&params, "33 bits");
    params = small(maps, 2);
    params.words = &two;
    params.word_count = 1;
    refused(&params, "3 to 64 words, not 2");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost), cmocka_unit_test(matrix_counts),
        cmocka_unit_test(differences), cmocka_unit_test(wrong_parameters)};
    return cmocka_run_group_tests_name("report_counts", tests, NULL, NULL);
}
