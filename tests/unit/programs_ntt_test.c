/*
 * The transform kernels against the reference: every map, size, direction and order, moduli of 28
 * to 32 bits, inputs at the edges, several limbs in a launch, both engines.
 */
#include "programs_util.h"

static const char *const map_names[] = {"fhec16", "fhec256"};

/* One launch for each of two sets of moduli: up to 31 bits (lazy products fit a register) and up to
 * 32 (they do not), each limb with its own modulus and its own kind of input. */
static void check_shape(fhec_machine *machine, const char *map, unsigned log2_n, bool inverse,
                        fh_golden_order order) {
    static const struct {
        unsigned bits;
        size_t index;
    } sets[2][4] = {{{28, 0}, {29, 1}, {30, 0}, {31, 0}}, {{32, 0}, {32, 1}, {28, 1}, {31, 1}}};
    static const fh_golden_pattern patterns[] = {FH_GOLDEN_RANDOM, FH_GOLDEN_ALL_MAX,
                                                 FH_GOLDEN_ALTERNATING, FH_GOLDEN_ONE_HOT,
                                                 FH_GOLDEN_RAMP};
    size_t n = (size_t)1 << log2_n;
    uint64_t *in = malloc(4 * n * sizeof *in), q[4];
    assert_non_null(in);
    for (unsigned set = 0; set < 2; set++) {
        if (SLOW_BUILD && log2_n >= 14 && (log2_n + inverse + (unsigned)order) % 2 != set)
            continue;
        char label[64];
        uint64_t seed = 1000 * log2_n + 100 * set + 10 * (unsigned)inverse + (unsigned)order;
        for (unsigned limb = 0; limb < 4; limb++) {
            /* Which pattern meets which modulus changes from shape to shape. */
            fh_golden_pattern pattern = patterns[(limb + set + log2_n) % COUNT_OF(patterns)];
            q[limb] = programs_prime(n, sets[set][limb].bits, sets[set][limb].index);
            programs_fill(pattern, seed + 7 * limb, limb, q[limb], n, in + limb * n);
        }
        const struct fh_ntt_params params = {
            .map = map, .n = n, .limbs = 4, .q = q, .inverse = inverse, .order = order};
        snprintf(label, sizeof label, "set %u, seed %llu", set, (unsigned long long)seed);
        programs_check_ntt(machine, &params, in, label);
    }
    free(in);
}

static void check_map(const char *map, fhec_engine engine, unsigned least, unsigned most) {
    fhec_machine *machine = programs_machine(engine, 0);
    for (unsigned log2_n = least; log2_n <= most; log2_n++)
        for (unsigned inverse = 0; inverse < 2; inverse++)
            for (unsigned order = 0; order < 2; order++)
                check_shape(machine, map, log2_n, inverse, (fh_golden_order)order);
    fhec_machine_free(machine);
}

static void fhec16_equals_golden(void **state) {
    (void)state;
    check_map("fhec16", FHEC_ENGINE_FAST, FH_NTT_MIN_LOG2, FH_NTT_MAX_LOG2);
}

static void fhec256_equals_golden(void **state) {
    (void)state;
    check_map("fhec256", FHEC_ENGINE_FAST, FH_NTT_MIN_LOG2, FH_NTT_MAX_LOG2);
}

/* Sizes with every kernel of fhec16: one stage (2^9, 2^11), two (2^13). */
static void reference_engine_agrees(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(map_names); i++) {
        check_map(map_names[i], FHEC_ENGINE_REF, 8, 9);
        check_map(map_names[i], FHEC_ENGINE_REF, 11, 11);
    }
    fhec_machine *machine = programs_machine(FHEC_ENGINE_REF, 0);
    check_shape(machine, "fhec16", 13, false, FH_GOLDEN_BITREV);
    check_shape(machine, "fhec16", 13, true, FH_GOLDEN_NATURAL);
    fhec_machine_free(machine);
}

/* Every position of a one-hot input has a column of the transform of its own. */
static void every_unit_vector(void **state) {
    (void)state;
    enum { N = 256 };
    uint64_t in[N] = {0}, q = programs_prime(N, 30, 0);
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    for (size_t i = 0; i < COUNT_OF(map_names); i++)
        for (unsigned x = 0; x < N; x++) {
            char label[32];
            const struct fh_ntt_params params = {
                .map = map_names[i], .n = N, .limbs = 1, .q = &q, .inverse = x & 1};
            snprintf(label, sizeof label, "unit vector %u", x);
            in[x] = q - 1 - x;
            programs_check_ntt(machine, &params, in, label);
            in[x] = 0;
        }
    fhec_machine_free(machine);
}

/* Elements need not be reduced: every 32-bit value stands for its residue. */
static void unreduced_input(void **state) {
    (void)state;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 0);
    for (unsigned log2_n = 8; log2_n <= 14; log2_n += 3)
        for (unsigned c = 0; c < 4; c++) {
            size_t n = (size_t)1 << log2_n;
            uint64_t *in = malloc(n * sizeof *in), q = programs_prime(n, c & 2 ? 32 : 28, 0);
            const struct fh_ntt_params params = {
                .map = map_names[c & 1], .n = n, .limbs = 1, .q = &q, .inverse = c & 1};
            assert_non_null(in);
            for (size_t i = 0; i < n; i++)
                in[i] = i % 3 ? fh_golden_random_word(c, 5, i) >> 32 : UINT32_MAX;
            programs_check_ntt(machine, &params, in, "unreduced input");
            free(in);
        }
    fhec_machine_free(machine);
}

/* A root other than the smallest, and another order of limbs. */
static void chosen_roots(void **state) {
    (void)state;
    enum { LOG2_N = 10, N = 1 << LOG2_N, LIMBS = 3 };
    uint64_t q[LIMBS], psi[LIMBS], *in = malloc(LIMBS * N * sizeof *in);
    static const unsigned bits[LIMBS] = {32, 28, 31};
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 0);
    assert_non_null(in);
    for (unsigned limb = 0; limb < LIMBS; limb++) {
        uint64_t smallest;
        q[limb] = programs_prime(N, bits[limb], limb);
        assert_int_equal(fh_golden_smallest_root(N, q[limb], &smallest), FH_GOLDEN_OK);
        psi[limb] = fh_golden_powmod(smallest, 2 * limb + 5, q[limb]);
        programs_fill(FH_GOLDEN_RANDOM, 77, limb, q[limb], N, in + limb * N);
    }
    for (unsigned c = 0; c < 4; c++) {
        const struct fh_ntt_params params = {
            .map = map_names[c & 1], .n = N, .limbs = LIMBS, .q = q, .psi = psi, .inverse = c & 2};
        programs_check_ntt(machine, &params, in, "chosen roots, seed 77");
    }
    free(in);
    fhec_machine_free(machine);
}

/* Inverse of forward is the identity, the result written over the input, and host threads do not
 * matter. */
static void round_trip_in_place(void **state) {
    (void)state;
    enum { N = 1 << 14, LIMBS = 5 };
    uint64_t q[LIMBS], *in = malloc((size_t)LIMBS * N * sizeof *in);
    assert_non_null(in);
    for (unsigned limb = 0; limb < LIMBS; limb++) {
        q[limb] = programs_prime(N, 28 + limb, 2);
        programs_fill(FH_GOLDEN_RANDOM, 31, limb, q[limb], N, in + limb * N);
    }
    for (size_t i = 0; i < COUNT_OF(map_names); i++) {
        uint32_t *data = programs_narrow(in, (size_t)LIMBS * N);
        for (unsigned inverse = 0; inverse < 2; inverse++) {
            struct fh_error error;
            struct fh_ntt_params params = {
                .map = map_names[i], .n = N, .limbs = LIMBS, .q = q, .inverse = inverse};
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

/* The pinned hashes, which the reference justifies by the definition, from the kernels. */
static void pinned_hashes(void **state) {
    (void)state;
    unsigned checked = 0;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 0);
    for (size_t r = 0; r < fh_golden_pinned_count(); r++) {
        const struct fh_golden_pinned *row = fh_golden_pinned_row(r);
        if ((row->workload != FH_GOLDEN_NTT && row->workload != FH_GOLDEN_INTT) || row->bits > 32 ||
            row->log2_n < FH_NTT_MIN_LOG2 || row->log2_n > FH_NTT_MAX_LOG2 ||
            row->limbs > MAX_LIMBS || (SLOW_BUILD && row->log2_n > 13))
            continue;
        size_t n = (size_t)1 << row->log2_n, count = row->limbs * n;
        uint64_t q[MAX_LIMBS], *in = malloc(count * sizeof *in);
        char hex[FH_GOLDEN_HASH_CHARS];
        struct fh_error error;
        assert_non_null(in);
        assert_int_equal(fh_golden_prime_chain(n, row->bits, row->limbs, q), FH_GOLDEN_OK);
        assert_int_equal(
            fh_golden_generate_limbs(FH_GOLDEN_RANDOM, row->seed, row->limbs, q, n, in),
            FH_GOLDEN_OK);
        uint32_t *data = programs_narrow(in, count);
        const struct fh_ntt_params params = {.map = map_names[checked % 2],
                                             .n = n,
                                             .limbs = row->limbs,
                                             .q = q,
                                             .inverse = row->workload == FH_GOLDEN_INTT,
                                             .order = row->order};
        assert_int_equal(fh_ntt_run(machine, &params, data, count * 4, data, &error), FHEC_OK);
        fh_golden_hash_bytes(data, count * 4, hex);
        if (strcmp(hex, row->hash) != 0)
            fail_msg("pinned row %zu (log2 N %u, %u bits) by %s: %s, not %s", r, row->log2_n,
                     row->bits, params.map, hex, row->hash);
        checked++;
        free(data);
        free(in);
    }
    fhec_machine_free(machine);
    assert_true(checked > 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fhec16_equals_golden),    cmocka_unit_test(fhec256_equals_golden),
        cmocka_unit_test(reference_engine_agrees), cmocka_unit_test(every_unit_vector),
        cmocka_unit_test(unreduced_input),         cmocka_unit_test(chosen_roots),
        cmocka_unit_test(round_trip_in_place),     cmocka_unit_test(pinned_hashes),
    };
    return cmocka_run_group_tests_name("programs_ntt", tests, NULL, NULL);
}
