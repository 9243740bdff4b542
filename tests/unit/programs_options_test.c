/*
 * programs_options_test.c - the kernels of programs/ have the reference's results whatever fresh
 * registers and memory hold and wherever allocations are: every map, both engines, every SIMD
 * level, one host thread and several.
 */
#include "bigint.h"
#include "programs_convert.h"

static const fhec_machine_options variants[] = {
    {.fill_registers = {FHEC_FILL_WORD, UINT32_MAX},
     .fill_shared = {FHEC_FILL_WORD, UINT32_MAX},
     .fill_local = {FHEC_FILL_WORD, UINT32_MAX},
     .fill_global = {FHEC_FILL_WORD, UINT32_MAX},
     .placement = {.gap = 1}},
    {.fill_registers = {FHEC_FILL_SEED, 1},
     .fill_shared = {FHEC_FILL_SEED, 2},
     .fill_local = {FHEC_FILL_SEED, 3},
     .fill_global = {FHEC_FILL_SEED, 4},
     .placement = {.seed = 5, .gap = 4096, .alignment = 512}},
};

/* The index-th machine; NULL past the last. *label says which. */
static fhec_machine *machine_of(size_t index, const char **label) {
    static const struct {
        const char *label;
        fhec_engine engine;
        fhec_simd simd;
        unsigned threads;
    } kinds[] = {
        {"ref", FHEC_ENGINE_REF, FHEC_SIMD_BEST, 2},
        {"portable", FHEC_ENGINE_FAST, FHEC_SIMD_PORTABLE, 1},
        {"avx2", FHEC_ENGINE_FAST, FHEC_SIMD_AVX2, 3},
        {"avx512", FHEC_ENGINE_FAST, FHEC_SIMD_AVX512, 1},
        {"best", FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 3},
    };
    for (;; index += COUNT_OF(variants)) {
        fhec_machine *machine = NULL;
        const size_t kind = index / COUNT_OF(variants);
        if (kind >= COUNT_OF(kinds))
            return NULL;
        fhec_machine_options options = variants[index % COUNT_OF(variants)];
        options.engine = kinds[kind].engine;
        options.simd = kinds[kind].simd;
        options.threads = kinds[kind].threads;
        *label = kinds[kind].label;
        if (fhec_machine_new(&options, &machine) == FHEC_OK) {
            fhec_machine_count(machine, true);
            return machine;
        }
    }
}

static void transforms(fhec_machine *machine, const char *label) {
    const struct fh_map *map;
    enum { N = 512, LIMBS = 3 };
    for (size_t m = 0; (map = programs_map(FH_WORKLOAD_NTT, m)) != NULL; m++) {
        uint64_t q[LIMBS], in[LIMBS * N];
        for (size_t i = 0; i < LIMBS; i++) {
            q[i] = programs_prime(N, map->word_bits == 32 ? 30 : 59, i);
            programs_fill(FH_GOLDEN_RANDOM, m, i, q[i], N, in + i * N);
        }
        for (int inverse = 0; inverse < 2; inverse++) {
            const struct fh_ntt_params params = {
                .map = map->name, .n = N, .limbs = LIMBS, .q = q, .inverse = inverse};
            programs_check_ntt(machine, &params, in, label);
        }
    }
}

static void conversions(fhec_machine *machine, const char *label) {
    for (unsigned word_bits = 32; word_bits <= 64; word_bits += 32) {
        struct programs_conversion c;
        programs_begin_conversion(&c, word_bits, 48, 5, 9);
        programs_choose_primes(&c, 1);
        programs_fill_conversion(&c, RESIDUES, word_bits);
        programs_convert_all(&c, machine, label);
        programs_end_conversion(&c);
    }
}

/* a b + c, and an automorphism, whose kernel goes through shared memory. */
static void element_wise(fhec_machine *machine, const char *label) {
    const struct fh_map *map;
    enum { N = 256, GALOIS = 5 };
    for (size_t m = 0; (map = programs_map(FH_WORKLOAD_ELTWISE, m)) != NULL; m++) {
        uint64_t q = programs_prime(N, map->word_bits == 32 ? 31 : 60, 0), a[N], b[N], c[N];
        uint64_t want[2][N], got[N];
        struct fh_error error;
        programs_fill(FH_GOLDEN_RANDOM, 1, m, q, N, a);
        programs_fill(FH_GOLDEN_RANDOM, 2, m, q, N, b);
        programs_fill(FH_GOLDEN_RANDOM, 3, m, q, N, c);
        for (size_t i = 0; i < N; i++)
            want[0][i] = (fh_golden_mulmod(a[i], b[i], q) + c[i]) % q;
        assert_int_equal(fh_golden_automorphism_eval(N, GALOIS, FH_GOLDEN_BITREV, a, want[1]),
                         FH_GOLDEN_OK);
        void *pa = programs_pack(map, a, N), *pb = programs_pack(map, b, N);
        void *pc = programs_pack(map, c, N);
        for (int k = 0; k < 2; k++) {
            const struct fh_eltwise_params params = {
                .map = map->name,
                .op = k ? FH_ELTWISE_AUTOMORPHISM : FH_ELTWISE_MAC,
                .n = N,
                .limbs = 1,
                .q = &q,
                .addend = pc,
                .galois = GALOIS,
            };
            if (fh_eltwise_run(machine, &params, pa, k ? NULL : pb, N * map->word_bits / 8, got,
                               &error) != FHEC_OK)
                fail_msg("%s: map %s, %d: %s", label, map->name, k, error.text);
            for (size_t i = 0; i < N; i++)
                if (programs_element(map, got, i) != want[k][i])
                    fail_msg("%s: map %s, %d: element %zu", label, map->name, k, i);
        }
        free(pa);
        free(pb);
        free(pc);
    }
}

static void integers(fhec_machine *machine, const char *label) {
    const struct fh_map *map;
    enum { WORDS = 8, PAIRS = 50 };
    uint32_t modulus[WORDS], a[PAIRS * WORDS], b[PAIRS * WORDS], got[PAIRS * 2 * WORDS];
    for (size_t i = 0; i < PAIRS * WORDS; i++) {
        a[i] = (uint32_t)fh_golden_random_word(1, 0, i);
        b[i] = (uint32_t)fh_golden_random_word(1, 1, i);
    }
    for (size_t i = 0; i < WORDS; i++)
        modulus[i] = (uint32_t)fh_golden_random_word(1, 2, i) | 1;
    modulus[WORDS - 1] = UINT32_MAX;
    for (size_t i = 0; i < PAIRS; i++) /* below the modulus */
        a[i * WORDS + WORDS - 1] /= 2, b[i * WORDS + WORDS - 1] /= 2;
    for (size_t m = 0; (map = fh_map_get(m)) != NULL; m++)
        for (int op = FH_BIGINT_MUL; op <= FH_BIGINT_MONTMUL; op++) {
            if (!(map->workloads & (op ? FH_WORKLOAD_MONTMUL : FH_WORKLOAD_BIGMUL)))
                continue;
            const struct fh_bigint_params params = {.map = map->name,
                                                    .op = (enum fh_bigint_op)op,
                                                    .words = WORDS,
                                                    .count = PAIRS,
                                                    .modulus = modulus};
            const size_t out_words = fh_bigint_out_words(&params);
            struct fh_error error;
            if (fh_bigint_run(machine, &params, a, b, got, &error) != FHEC_OK)
                fail_msg("%s: map %s, %d: %s", label, map->name, op, error.text);
            for (size_t i = 0; i < PAIRS; i++) {
                uint32_t want[2 * WORDS];
                const uint32_t *x = a + i * WORDS, *y = b + i * WORDS;
                const fh_golden_status status =
                    op ? fh_golden_big_montgomery(WORDS, x, y, modulus, want)
                       : fh_golden_big_mul(WORDS, x, WORDS, y, want);
                assert_int_equal(status, FH_GOLDEN_OK);
                assert_memory_equal(got + i * out_words, want, out_words * sizeof *want);
            }
        }
}

static void test_programs(void **unused) {
    (void)unused;
    const char *label;
    fhec_machine *machine;
    for (size_t i = 0; (machine = machine_of(i, &label)) != NULL; i++) {
        transforms(machine, label);
        conversions(machine, label);
        element_wise(machine, label);
        integers(machine, label);
        fhec_machine_free(machine);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs)};
    return cmocka_run_group_tests_name("programs_options", tests, NULL, NULL);
}
