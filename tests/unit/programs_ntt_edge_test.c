/*
 * The transforms of every map where shapes do not matter: other engines, every unit vector, roots
 * that are not the smallest, the way there and back in place, and what another library calculated.
 */
#include "programs_util.h"

static const struct fh_map *map_at(size_t index) {
    return programs_map(FH_WORKLOAD_NTT, index);
}

/* A modulus of every kind that the map tells apart, the largest of its size. */
static unsigned bits_of(const struct fh_map *map, unsigned kind) {
    static const unsigned bits[2][4] = {{28, 30, 31, 32}, {33, 45, 59, 60}};
    return bits[map->word_bits == 64][kind];
}

/* Three limbs of random words in every form. */
static void check_forms(fhec_machine *machine, const struct fh_map *map, unsigned log2_n,
                        unsigned forms) {
    enum { LIMBS = 3 };
    size_t n = (size_t)1 << log2_n;
    uint64_t q[LIMBS], *in = malloc(LIMBS * n * sizeof *in);
    assert_non_null(in);
    for (unsigned form = 0; form < 4; form++) {
        for (unsigned limb = 0; limb < LIMBS; limb++) {
            q[limb] = programs_prime(n, bits_of(map, (limb + form + log2_n) % 4), limb);
            for (size_t i = 0; i < n; i++)
                in[limb * n + i] = fh_golden_random_word(log2_n, limb, i) >> (64 - map->word_bits);
        }
        const struct fh_ntt_params params = {
            .map = map->name,
            .n = n,
            .limbs = LIMBS,
            .q = q,
            .inverse = form & 1,
            .order = form & 2 ? FH_GOLDEN_NATURAL : FH_GOLDEN_BITREV,
        };
        if (forms >> form & 1)
            programs_check_ntt(machine, &params, in, "random words of seed log2 N");
    }
    free(in);
}

/* Sizes with each of the kernels; 2^13 and 2^14 have two of a map's. */
static void reference_engine_agrees(void **state) {
    (void)state;
    const struct fh_map *map;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_REF, 1);
    for (size_t i = 0; (map = map_at(i)) != NULL; i++) {
        for (unsigned log2_n = 8; log2_n <= (SLOW_BUILD ? 9 : 11); log2_n++)
            check_forms(machine, map, log2_n, log2_n == 8 ? 15 : 1u << (log2_n + i) % 4);
        if (!SLOW_BUILD)
            check_forms(machine, map, 13, 1u << i % 4);
    }
    fhec_machine_free(machine);
}

static void portable_lanes_agree(void **state) {
    (void)state;
    const struct fh_map *map;
    const fhec_machine_options options = {.simd = FHEC_SIMD_PORTABLE};
    fhec_machine *machine;
    assert_int_equal(fhec_machine_new(&options, &machine), FHEC_OK);
    for (size_t i = 0; (map = map_at(i)) != NULL; i++) {
        check_forms(machine, map, 9, 15);
        check_forms(machine, map, SLOW_BUILD ? 12 : 14, 1u << i % 4);
    }
    fhec_machine_free(machine);
}

/* Primes of 32 bits, of which fhec16 leaves products of up to 32 bits where q^2 + 2^32 q fits 64:
 * the largest of these = 1 mod 2^14, the smallest, and the same with one that does not fit. */
static void below_the_golden_ratio(void **state) {
    (void)state;
    enum { LIMBS = 4 };
    static const uint64_t loose[] = {2654404609, 2654322689, 2654199809, 2147565569};
    static const fh_golden_pattern patterns[] = {FH_GOLDEN_ALL_MAX, FH_GOLDEN_RANDOM};
    const struct fh_map *map;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    for (size_t i = 0; (map = map_at(i)) != NULL; i++)
        for (unsigned form = 0; form < 16; form++) {
            size_t n = form & 8 ? 4096 : 256;
            uint64_t q[LIMBS], *in = malloc(LIMBS * n * sizeof *in);
            assert_non_null(in);
            memcpy(q, loose, sizeof q);
            q[1] = form == 3 ? 4293918721 : q[1];
            for (unsigned limb = 0; limb < LIMBS; limb++)
                programs_fill(patterns[form >> 2 & 1], form, limb, q[limb], n, in + limb * n);
            const struct fh_ntt_params params = {
                .map = map->name,
                .n = n,
                .limbs = LIMBS,
                .q = q,
                .inverse = form & 1,
                .order = form & 2 ? FH_GOLDEN_NATURAL : FH_GOLDEN_BITREV,
            };
            programs_check_ntt(machine, &params, in, "primes below 0.618 2^32");
            free(in);
        }
    fhec_machine_free(machine);
}

/* Every position of a one-hot input has a column of the transform of its own; each limb of a launch
 * has another one. */
static void every_unit_vector(void **state) {
    (void)state;
    enum { N = 256, LIMBS = 64 };
    const struct fh_map *map;
    uint64_t q[LIMBS], *in = calloc((size_t)N * LIMBS, sizeof *in);
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    assert_non_null(in);
    for (size_t i = 0; (map = map_at(i)) != NULL; i++)
        for (unsigned first = 0; first < (SLOW_BUILD ? LIMBS : 4 * N); first += LIMBS) {
            unsigned form = first / N;
            const struct fh_ntt_params params = {
                .map = map->name,
                .n = N,
                .limbs = LIMBS,
                .q = q,
                .inverse = form & 1,
                .order = form & 2 ? FH_GOLDEN_NATURAL : FH_GOLDEN_BITREV,
            };
            memset(in, 0, (size_t)N * LIMBS * sizeof *in);
            for (unsigned limb = 0; limb < LIMBS; limb++) {
                unsigned x = (first + limb) % N;
                q[limb] = programs_prime(N, bits_of(map, (first / LIMBS + limb) % 4), limb % 3);
                in[limb * N + x] = q[limb] - 1 - x;
            }
            programs_check_ntt(machine, &params, in, "unit vectors, one in a limb");
        }
    free(in);
    fhec_machine_free(machine);
}

/* Inverse of forward is the identity, with roots other than the smallest, the result written over
 * the input, whatever the number of host threads. */
static void round_trip_in_place(void **state) {
    (void)state;
    enum { N = 1 << 13, LIMBS = 5 };
    const struct fh_map *map;
    uint64_t *in = malloc((size_t)LIMBS * N * sizeof *in);
    assert_non_null(in);
    for (size_t m = 0; (map = map_at(m)) != NULL; m++) {
        uint64_t q[LIMBS], psi[LIMBS];
        size_t count = (size_t)LIMBS * N, bytes = count * map->word_bits / 8;
        for (unsigned limb = 0; limb < LIMBS; limb++) {
            uint64_t smallest;
            q[limb] = programs_prime(N, bits_of(map, limb % 4), limb);
            assert_int_equal(fh_golden_smallest_root(N, q[limb], &smallest), FH_GOLDEN_OK);
            psi[limb] = fh_golden_powmod(smallest, 2 * limb + 5, q[limb]);
            programs_fill(FH_GOLDEN_RANDOM, 31, limb, q[limb], N, in + limb * N);
        }
        struct fh_ntt_params params = {
            .map = map->name, .n = N, .limbs = LIMBS, .q = q, .psi = psi};
        fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 3);
        programs_check_ntt(machine, &params, in, "chosen roots, seed 31");
        void *data = programs_pack(map, in, count);
        for (unsigned inverse = 0; inverse < 2; inverse++) {
            struct fh_error error;
            params.inverse = inverse;
            assert_int_equal(fh_ntt_run(machine, &params, data, bytes, data, &error), FHEC_OK);
            fhec_machine_free(machine);
            machine = programs_machine(FHEC_ENGINE_FAST, 1);
        }
        fhec_machine_free(machine);
        for (size_t x = 0; x < count; x++)
            if (programs_element(map, data, x) != in[x])
                fail_msg("%s, seed 31: element %zu comes back as %llu, not %llu", map->name, x,
                         (unsigned long long)programs_element(map, data, x),
                         (unsigned long long)in[x]);
        free(data);
    }
    free(in);
}

/* ---------------------------------------------------------------- outside */

struct outside {
    unsigned log2_n, bits;
    uint64_t q, t;
    uint64_t first, second, last, digest;
};

static const struct outside outside[] = {
#define SEAL_NTT(log2_n, bits, q, t, first, second, last, digest)                                  \
    {log2_n, bits, q, t, first, second, last, digest},
#include "vectors/ntt_seal.def"
#undef SEAL_NTT
};

/* The next two are those of tests/vectors/ntt_seal.js, whose library raises the upper half. */
static void outside_inputs(const struct outside *row, uint64_t *in) {
    size_t n = (size_t)1 << row->log2_n;
    uint64_t x = n + row->bits;
    for (size_t i = 0; i < n; i++) {
        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint64_t v = (x >> 2) % row->t;
        in[i] = v < (row->t + 1) / 2 ? v : v + row->q - row->t;
    }
}

static uint64_t outside_digest(const struct fh_map *map, const void *data, size_t n) {
    uint64_t h = 0;
    for (size_t i = 0; i < n; i++) {
        h = (h ^ programs_element(map, data, i)) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 32;
    }
    return h;
}

/* Forward gives the other library's result, and its inverse gives the input again: for half of the
 * rows, of every size and of every number of bits. */
static void check_outside(fhec_machine *machine, const struct fh_map *map,
                          const struct outside *row, const uint64_t *in) {
    size_t n = (size_t)1 << row->log2_n, bytes = n * map->word_bits / 8;
    void *data = programs_pack(map, in, n);
    struct fh_error error;
    struct fh_ntt_params params = {
        .map = map->name, .n = n, .limbs = 1, .q = &row->q, .options = programs_options()};
    assert_int_equal(fh_ntt_run(machine, &params, data, bytes, data, &error), FHEC_OK);
    assert_int_equal(programs_element(map, data, 0), row->first);
    assert_int_equal(programs_element(map, data, 1), row->second);
    assert_int_equal(programs_element(map, data, n - 1), row->last);
    if (outside_digest(map, data, n) != row->digest)
        fail_msg("%s, log2 N %u, q %llu: not what the other library has", map->name, row->log2_n,
                 (unsigned long long)row->q);
    params.inverse = true;
    bool again = (row->log2_n + row->bits) % 2 || row->log2_n == FH_NTT_MIN_LOG2;
    if (again)
        assert_int_equal(fh_ntt_run(machine, &params, data, bytes, data, &error), FHEC_OK);
    for (size_t i = 0; i < n && again; i++)
        if (programs_element(map, data, i) != in[i])
            fail_msg("%s, log2 N %u, q %llu, inverse: element %zu", map->name, row->log2_n,
                     (unsigned long long)row->q, i);
    free(data);
}

/* One map after the other: kernels of one size and kind of modulus are assembled once. But for long
 * runs a map gets half of the vectors, the next map the others. */
static void outside_vectors(void **state) {
    (void)state;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    const struct fh_map *map;
    uint64_t *inputs[COUNT_OF(outside)];
    const size_t parts = SLOW_BUILD || getenv("FHEC_TEST_LONG") ? 1 : 2;
    for (size_t r = 0; r < COUNT_OF(outside); r++) {
        const struct outside *row = &outside[r];
        inputs[r] = malloc(((size_t)1 << row->log2_n) * sizeof *inputs[r]);
        assert_non_null(inputs[r]);
        outside_inputs(row, inputs[r]);
        assert_int_equal(row->q, programs_prime((size_t)1 << row->log2_n, row->bits, 0));
    }
    for (size_t i = 0; (map = map_at(i)) != NULL; i++)
        for (size_t r = 0; r < COUNT_OF(outside); r++)
            if (outside[r].bits <= map->word_bits && (outside[r].log2_n + r + i) % parts == 0 &&
                (!SLOW_BUILD || (outside[r].log2_n <= 11 && (r + i) % 3 == 0)))
                check_outside(machine, map, &outside[r], inputs[r]);
    for (size_t r = 0; r < COUNT_OF(outside); r++)
        free(inputs[r]);
    fhec_machine_free(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_engine_agrees), cmocka_unit_test(portable_lanes_agree),
        cmocka_unit_test(below_the_golden_ratio),  cmocka_unit_test(every_unit_vector),
        cmocka_unit_test(round_trip_in_place),     cmocka_unit_test(outside_vectors),
    };
    return cmocka_run_group_tests_name("programs_ntt_edge", tests, NULL, NULL);
}
