/*
 * Base conversion on every map: the longest sums and limbs, both engines, pinned hashes, and how
 * many instructions there are.
 */
#include "programs_convert.h"

enum { MOST = FH_GOLDEN_MAX_LIMBS };

/* The longest sums: 64 sources and targets of the largest size. */
static void largest_sums(void **state) {
    (void)state;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    for (unsigned word_bits = 32; word_bits <= 64; word_bits += 32)
        for (unsigned p = 0; p < PATTERNS; p++) {
            struct programs_conversion c;
            if (p != ALL_MAX && (SLOW_BUILD || p != ONES))
                continue;
            programs_begin_conversion(&c, word_bits, 64, MOST, SLOW_BUILD ? 9 : MOST);
            programs_choose_primes(&c, 0);
            programs_fill_conversion(&c, p, 64);
            programs_convert_all(&c, machine, "64 to 64");
            programs_end_conversion(&c);
        }
    fhec_machine_free(machine);
}

/* Addresses that are too far apart for one instruction's offset. */
static void long_limbs(void **state) {
    (void)state;
    static const struct {
        size_t n, alpha, target;
    } cases[] = {{262128, 2, 10}, {262144, 5, 9}, {FH_BCONV_MAX_N, 3, 2}};
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    for (size_t i = 0; i < 2 * COUNT_OF(cases); i++) {
        struct programs_conversion c;
        unsigned word_bits = i % 2 ? 64 : 32;
        if (SLOW_BUILD && i / 2 != 1)
            continue;
        programs_begin_conversion(&c, word_bits, cases[i / 2].n, cases[i / 2].alpha,
                                  cases[i / 2].target);
        programs_choose_primes(&c, (unsigned)i);
        programs_fill_conversion(&c, i % 2 ? UNREDUCED : RESIDUES, i);
        programs_convert_all(&c, machine, "long limbs");
        programs_end_conversion(&c);
    }
    fhec_machine_free(machine);
}

static void engines_and_threads_agree(void **state) {
    (void)state;
    static const size_t shapes[][3] = {{112, 9, 27}, {80, 17, 9}, {144, 5, 2}, {48, 64, 3}};
    const struct fh_map *map;
    fhec_machine *ref = programs_machine(FHEC_ENGINE_REF, 1);
    fhec_machine *fast = programs_machine(FHEC_ENGINE_FAST, 3);
    for (size_t i = 0; i < COUNT_OF(shapes); i++)
        for (size_t m = 0; (map = programs_map(FH_WORKLOAD_BCONV, m)) != NULL; m++) {
            struct programs_conversion c;
            fhec_stats a, b;
            programs_begin_conversion(&c, map->word_bits, shapes[i][0], shapes[i][1], shapes[i][2]);
            programs_choose_primes(&c, (unsigned)(i + m));
            programs_fill_conversion(&c, UNREDUCED, i);
            programs_convert(&c, map, ref, "reference engine");
            programs_convert(&c, map, fast, "fast engine, 3 threads");
            assert_int_equal(fhec_machine_stats(ref, &a), FHEC_OK);
            assert_int_equal(fhec_machine_stats(fast, &b), FHEC_OK);
            assert_int_equal(a.warp_insts, b.warp_insts);
            assert_int_equal(a.thread_insts, b.thread_insts);
            assert_int_equal(a.launches, 1);
            programs_end_conversion(&c);
        }
    fhec_machine_free(ref);
    fhec_machine_free(fast);
}

/* The pinned hashes justify what `want` has; each map that can hold the words must have it. */
static void pinned_hashes(void **state) {
    (void)state;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    unsigned rows = 0;
    for (size_t r = 0; r < fh_golden_pinned_count(); r++) {
        const fh_golden_pinned *row = fh_golden_pinned_row(r);
        size_t n = (size_t)1 << row->log2_n;
        char hex[FH_GOLDEN_HASH_CHARS];
        if (row->workload != FH_GOLDEN_BCONV || row->bits > FH_MAX_MODULUS_BITS_64 ||
            (SLOW_BUILD && n > 4096))
            continue;
        for (unsigned word_bits = row->bits > 32 ? 64 : 32; word_bits <= 64; word_bits += 32) {
            struct programs_conversion c;
            programs_begin_conversion(&c, word_bits, n, row->limbs, row->target);
            size_t moduli = (size_t)row->limbs + row->target, count = row->target * n;
            assert_int_equal(fh_golden_prime_chain(n, row->bits, moduli, c.moduli), FH_GOLDEN_OK);
            assert_int_equal(fh_golden_generate_limbs(FH_GOLDEN_RANDOM, row->seed, row->limbs,
                                                      c.moduli, n, c.in),
                             FH_GOLDEN_OK);
            assert_int_equal(fh_golden_bconv_fast(&c.bases, n, c.in, c.want), FH_GOLDEN_OK);
            uint32_t *narrow = row->bits > 32 ? NULL : programs_narrow(c.want, count);
            fh_golden_hash_bytes(narrow ? (void *)narrow : c.want,
                                 count * fh_golden_pinned_element_bytes(row), hex);
            assert_string_equal(hex, row->hash);
            programs_convert_all(&c, machine, "pinned");
            free(narrow);
            programs_end_conversion(&c);
        }
        rows++;
    }
    assert_true(rows >= (SLOW_BUILD ? 3 : 10));
    fhec_machine_free(machine);
}

/* 9 -> 27 limbs of 65536 coefficients, everything included: what the kernels need today and a
 * little more; who makes them longer should notice. */
static void counts_of_65536(void **state) {
    (void)state;
    static const struct {
        const char *map;
        unsigned round; /* 2: primes of 30 bits, 0: of 60 */
        uint64_t limit;
    } rows[] = {
        {"fhec16", 2, 197000}, {"fhec256", 2, 197000}, {"fhec16+gme", 2, 158500},
        {"cuda32", 2, 798000}, {"gme32", 2, 554000},   {"cuda64", 0, 3091000},
        {"gme64", 0, 624000},  {"imma16", 2, 664000},  {"imma256", 2, 664000},
    };
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct fh_map *map = fh_map_find(rows[i].map);
        struct programs_conversion c;
        programs_begin_conversion(&c, map->word_bits, 65536, 9, 27);
        programs_choose_primes(&c, rows[i].round);
        programs_fill_conversion(&c, RESIDUES, i);
        programs_convert(&c, map, machine, "9 to 27");
        uint64_t all = programs_warp_insts(machine);
        print_message("# %s, 9 -> 27 limbs, N 2^16: %llu warp instructions\n", map->name,
                      (unsigned long long)all);
        assert_true(all <= rows[i].limit);
        if (map->matrix == FH_MATRIX_FHEC)
            assert_int_equal(programs_count(machine, "FHEC"), 16384);
        if (map->matrix == FH_MATRIX_IMMA)
            assert_int_equal(programs_count(machine, "IMMA"), 196608);
        programs_end_conversion(&c);
    }
    fhec_machine_free(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(largest_sums),
        cmocka_unit_test(long_limbs),
        cmocka_unit_test(engines_and_threads_agree),
        cmocka_unit_test(pinned_hashes),
        cmocka_unit_test(counts_of_65536),
    };
    return cmocka_run_group_tests_name("programs_bconv_long", tests, NULL, NULL);
}
