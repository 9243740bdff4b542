/*
 * The transforms on Tensor Cores against the reference: every size, direction and order, moduli
 * from the smallest possible to the largest below 2^32, inputs at the edges, several limbs in a
 * launch, all engines.
 */
#include "programs_util.h"

static const char *const map_names[] = {"imma16", "imma256"};

/* Above this a word between two products may need 33 bits, which has code of its own. */
static const uint64_t tight = UINT32_MAX - (1 << 14);

/* The first prime = 1 mod 2N from `from` on, upwards or downwards. */
static uint64_t prime_from(size_t n, uint64_t from, bool up) {
    uint64_t step = 2 * n, q = from / step * step + 1;
    while (!fh_golden_is_prime(q))
        q = up ? q + step : q - step;
    return q;
}

/* Up to 31 bits (lazy products fit a register), up to 32 (they do not), and the extremes: the
 * smallest prime, the largest one that is not tight, and the largest one. */
enum { SETS = 3 };
static size_t moduli_of(size_t n, unsigned set, uint64_t q[MAX_LIMBS]) {
    switch (set) {
    case 0:
        for (unsigned i = 0; i < 4; i++)
            q[i] = programs_prime(n, 28 + i, i & 1);
        return 4;
    case 1:
        for (unsigned i = 0; i < 3; i++)
            q[i] = programs_prime(n, i == 1 ? 29 : 32, i);
        q[0] = prime_from(n, tight - 2 * n, false);
        return 3;
    default:
        q[0] = prime_from(n, 2 * n, true);
        q[1] = programs_prime(n, 32, 0);
        return 2;
    }
}

static void check_shape(fhec_machine *machine, const char *map, unsigned log2_n, unsigned form,
                        unsigned set) {
    static const fh_golden_pattern patterns[] = {FH_GOLDEN_RANDOM, FH_GOLDEN_ALL_MAX,
                                                 FH_GOLDEN_ALTERNATING, FH_GOLDEN_ONE_HOT,
                                                 FH_GOLDEN_RAMP};
    size_t n = (size_t)1 << log2_n;
    uint64_t *in, q[MAX_LIMBS], seed = 1000 * log2_n + 100 * set + form;
    char label[64];
    size_t limbs = moduli_of(n, set, q);
    in = malloc(limbs * n * sizeof *in);
    assert_non_null(in);
    for (size_t limb = 0; limb < limbs; limb++) {
        /* Which pattern meets which modulus changes from shape to shape. */
        fh_golden_pattern pattern = patterns[(limb + set + form + log2_n) % COUNT_OF(patterns)];
        programs_fill(pattern, seed + 7 * limb, limb, q[limb], n, in + limb * n);
    }
    const struct fh_ntt_params params = {.map = map,
                                         .n = n,
                                         .limbs = limbs,
                                         .q = q,
                                         .inverse = form & 1,
                                         .order = form & 2 ? FH_GOLDEN_NATURAL : FH_GOLDEN_BITREV};
    snprintf(label, sizeof label, "set %u, seed %llu", set, (unsigned long long)seed);
    programs_check_ntt(machine, &params, in, label);
    free(in);
}

/* Above 2^most the sets take turns. */
static void check_map(const char *map, unsigned most) {
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 0);
    for (unsigned log2_n = FH_NTT_MIN_LOG2; log2_n <= FH_NTT_MAX_LOG2; log2_n++)
        for (unsigned form = 0; form < 4; form++)
            for (unsigned set = 0; set < SETS; set++)
                if (log2_n <= most || set == (form + log2_n) % SETS)
                    check_shape(machine, map, log2_n, form, set);
    fhec_machine_free(machine);
}

static void imma16_equals_golden(void **state) {
    (void)state;
    check_map("imma16", SLOW_BUILD ? 13 : 15);
}

static void imma256_equals_golden(void **state) {
    (void)state;
    check_map("imma256", SLOW_BUILD ? 12 : 13);
}

/* The sizes for which there are tight moduli, so that the sets above have them, and no others: the
 * kernel of two stages takes none. */
static void tight_moduli(void **state) {
    (void)state;
    for (unsigned log2_n = FH_NTT_MIN_LOG2; log2_n <= FH_NTT_MAX_LOG2; log2_n++) {
        uint64_t q[MAX_LIMBS];
        size_t n = (size_t)1 << log2_n;
        moduli_of(n, 2, q);
        assert_int_equal(q[1] > tight, log2_n <= 11);
        moduli_of(n, 1, q);
        assert_true(q[0] < tight && q[0] > UINT64_C(1) << 31);
    }
}

/* Each kernel of imma16: one stage (2^9, 2^11), two with 2, 4 and 8 as the second radix. */
static void other_engines_agree(void **state) {
    (void)state;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_REF, 0);
    for (unsigned form = 0; form < 4; form++) {
        for (unsigned log2_n = 8; log2_n <= 11; log2_n++)
            check_shape(machine, "imma16", log2_n, form, 2);
        for (unsigned log2_n = 8; log2_n <= 10; log2_n++)
            check_shape(machine, "imma256", log2_n, form, 2);
    }
    check_shape(machine, "imma16", SLOW_BUILD ? 13 : 14, 1, 2);
    fhec_machine_free(machine);
    const fhec_machine_options options = {.simd = FHEC_SIMD_PORTABLE};
    assert_int_equal(fhec_machine_new(&options, &machine), FHEC_OK);
    for (unsigned log2_n = 13; log2_n <= (SLOW_BUILD ? 13 : 15); log2_n++)
        check_shape(machine, "imma16", log2_n, log2_n & 3, 2);
    check_shape(machine, "imma256", 11, 2, 2);
    fhec_machine_free(machine);
}

/* Every position of a one-hot input has a column of the transform of its own. */
static void every_unit_vector(void **state) {
    (void)state;
    enum { N = 256 };
    uint64_t in[N] = {0}, q = programs_prime(N, 32, 0);
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    for (size_t i = 0; i < COUNT_OF(map_names); i++)
        for (unsigned x = 0; x < N; x++) {
            char label[32];
            const struct fh_ntt_params params = {.map = map_names[i],
                                                 .n = N,
                                                 .limbs = 1,
                                                 .q = &q,
                                                 .inverse = x & 1,
                                                 .order = (fh_golden_order)(x >> 1 & 1)};
            snprintf(label, sizeof label, "unit vector %u", x);
            in[x] = q - 1 - x;
            programs_check_ntt(machine, &params, in, label);
            in[x] = 0;
        }
    fhec_machine_free(machine);
}

/* Elements need not be reduced: every 32-bit value stands for its residue. Words of ones make the
 * largest sums. */
static void unreduced_input(void **state) {
    (void)state;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 0);
    for (unsigned log2_n = 8; log2_n <= 14; log2_n += 3)
        for (unsigned c = 0; c < 16; c++) {
            size_t n = (size_t)1 << log2_n;
            uint64_t *in = malloc(n * sizeof *in), q = programs_prime(n, c & 2 ? 32 : 28, 0);
            const struct fh_ntt_params params = {.map = map_names[c & 1],
                                                 .n = n,
                                                 .limbs = 1,
                                                 .q = &q,
                                                 .inverse = c & 4,
                                                 .order = (fh_golden_order)(c >> 3)};
            assert_non_null(in);
            for (unsigned ones = 0; ones < 2; ones++) {
                for (size_t i = 0; i < n; i++)
                    in[i] = ones || i % 3 == 0 ? UINT32_MAX : fh_golden_random_word(c, 5, i) >> 32;
                programs_check_ntt(machine, &params, in, ones ? "ones" : "unreduced input");
            }
            free(in);
        }
    fhec_machine_free(machine);
}

/* Inverse of forward is the identity, with roots other than the smallest, the result written over
 * the input, and host threads do not matter. */
static void round_trip_in_place(void **state) {
    (void)state;
    enum { N = 1 << 13, LIMBS = 5 };
    uint64_t q[LIMBS], psi[LIMBS], *in = malloc((size_t)LIMBS * N * sizeof *in);
    assert_non_null(in);
    for (unsigned limb = 0; limb < LIMBS; limb++) {
        uint64_t smallest;
        q[limb] = programs_prime(N, 28 + limb, 2);
        assert_int_equal(fh_golden_smallest_root(N, q[limb], &smallest), FH_GOLDEN_OK);
        psi[limb] = fh_golden_powmod(smallest, 2 * limb + 5, q[limb]);
        programs_fill(FH_GOLDEN_RANDOM, 31, limb, q[limb], N, in + limb * N);
    }
    for (size_t i = 0; i < COUNT_OF(map_names); i++) {
        uint32_t *data = programs_narrow(in, (size_t)LIMBS * N);
        for (unsigned inverse = 0; inverse < 2; inverse++) {
            struct fh_error error;
            struct fh_ntt_params params = {.map = map_names[i],
                                           .n = N,
                                           .limbs = LIMBS,
                                           .q = q,
                                           .psi = psi,
                                           .inverse = inverse};
            fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, inverse ? 1 : 3);
            assert_int_equal(
                fh_ntt_run(machine, &params, data, (size_t)LIMBS * N * 4, data, &error), FHEC_OK);
            fhec_machine_free(machine);
        }
        for (size_t x = 0; x < (size_t)LIMBS * N; x++)
            if (data[x] != in[x])
                fail_msg("%s, seed 31: element %zu comes back as %u, not %llu", map_names[i], x,
                         data[x], (unsigned long long)in[x]);
        free(data);
    }
    free(in);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(imma16_equals_golden), cmocka_unit_test(imma256_equals_golden),
        cmocka_unit_test(tight_moduli),         cmocka_unit_test(other_engines_agree),
        cmocka_unit_test(every_unit_vector),    cmocka_unit_test(unreduced_input),
        cmocka_unit_test(round_trip_in_place),
    };
    return cmocka_run_group_tests_name("programs_imma_ntt", tests, NULL, NULL);
}
