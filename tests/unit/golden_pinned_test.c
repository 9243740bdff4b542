/*
 * The generator, the hash, and every pinned row. Pinned rows are recomputed, and justified by
 * something other than the code that computed them: small transforms by the definition, base
 * conversions by the exact conversion, the rest by their formulas.
 */
#include "golden_util.h"

static void generator_values(void **state) {
    (void)state;
    /* Computed from the documented formula by a separate program. */
    assert_true(fh_golden_random_word(0, 0, 0) == 0x238275bc38fcbe91ULL);
    assert_true(fh_golden_random_word(0, 0, 1) == 0xf89a2566b5822c54ULL);
    assert_true(fh_golden_random_word(1, 0, 0) == 0xb18a02f46d8d86c3ULL);
    assert_true(fh_golden_random_word(0, 1, 0) == 0x2f101fe21496ea20ULL);
    assert_true(fh_golden_random_word(12345, 7, 1000) == 0x93b2c2210a027918ULL);
    assert_true(fh_golden_random_word(UINT64_MAX, UINT64_MAX, 3) == 0x4871d564e65965dbULL);
    static const uint64_t narrow[] = {419392622, 535457162, 451177538, 365968816};
    static const uint64_t wide[] = {1088360745753528909ULL, 858298575759871055ULL,
                                    111950257771504562ULL, 297383255705699152ULL};
    uint64_t out[4];
    require_ok("narrow", fh_golden_generate(FH_GOLDEN_RANDOM, 1, 0, 1073479681, 4, out));
    require_array("narrow", 1073479681, 1, 4, out, narrow);
    require_ok("wide", fh_golden_generate(FH_GOLDEN_RANDOM, 1, 2, 1152921504606584833ULL, 4, out));
    require_array("wide", 1152921504606584833ULL, 1, 4, out, wide);
}

/* An element does not depend on how much is generated; other seeds and streams differ. */
static void generator_independence(void **state) {
    (void)state;
    enum { COUNT = 300 };
    static const uint64_t q[] = {1073479681, 1152921504606584833ULL, 97};
    uint64_t all[3 * COUNT];
    uint64_t part[COUNT];
    require_ok("limbs", fh_golden_generate_limbs(FH_GOLDEN_RANDOM, 42, 3, q, COUNT, all));
    for (size_t j = 0; j < 3; j++) {
        require_ok("part", fh_golden_generate(FH_GOLDEN_RANDOM, 42, j, q[j], 10 + j, part));
        require_array("prefix", q[j], 42, 10 + j, part, all + j * COUNT);
        for (size_t i = 0; i < COUNT; i++) {
            require_u64("element", 42, i, fh_golden_random_residue(42, j, i, q[j]),
                        all[j * COUNT + i]);
            assert_true(all[j * COUNT + i] < q[j]);
        }
    }
    for (unsigned other = 0; other < 2; other++) {
        require_ok("other",
                   fh_golden_generate(FH_GOLDEN_RANDOM, 42 + other, 1 - other, q[0], COUNT, part));
        size_t equal = 0;
        for (size_t i = 0; i < COUNT; i++) {
            equal += part[i] == all[i] ? 1 : 0;
        }
        assert_true(equal <= 1);
    }
}

/* Sixteen bins of a 60-bit range: chi-square with 15 degrees of freedom stays below 50. */
static void generator_uniformity(void **state) {
    (void)state;
    static const uint64_t moduli[] = {1152921504606584833ULL, 1073479681, 48};
    for (size_t m = 0; m < COUNT_OF(moduli); m++) {
        double bins[16] = {0};
        const double expected = 1000;
        for (uint64_t i = 0; i < 16000; i++) {
            uint64_t x = fh_golden_random_residue(7, 3, i, moduli[m]);
            bins[(fh_golden_u128)x * 16 / moduli[m]] += 1;
        }
        double chi_square = 0;
        for (size_t i = 0; i < 16; i++) {
            chi_square += (bins[i] - expected) * (bins[i] - expected) / expected;
        }
        assert_true(chi_square < 50);
    }
}

static void patterns(void **state) {
    (void)state;
    static const uint64_t want[][6] = {
        {4, 4, 4, 4, 4, 4}, {0, 0, 1, 0, 0, 0}, {0, 4, 0, 4, 0, 4}, {0, 1, 2, 3, 4, 0}};
    uint64_t out[6];
    for (unsigned p = 0; p < COUNT_OF(want); p++) {
        fh_golden_pattern pattern = (fh_golden_pattern)(FH_GOLDEN_ALL_MAX + p);
        require_ok("pattern", fh_golden_generate(pattern, 8, 0, 5, 6, out));
        require_array("pattern", 5, 8, 6, out, want[p]);
        require_ok("empty", fh_golden_generate(pattern, 8, 0, 5, 0, out));
        require_ok("q = 1", fh_golden_generate(pattern, 2, 0, 1, 6, out));
        for (size_t i = 0; i < 6; i++) {
            assert_int_equal(out[i], 0);
        }
    }
    static const uint64_t zero[] = {7, 0};
    require_status("q = 0", fh_golden_generate(FH_GOLDEN_RAMP, 1, 0, 0, 6, out),
                   FH_GOLDEN_ERR_MODULUS);
    require_status("q = 0", fh_golden_generate_limbs(FH_GOLDEN_RAMP, 1, 2, zero, 3, out),
                   FH_GOLDEN_ERR_MODULUS);
    require_status("pattern", fh_golden_generate(FH_GOLDEN_PATTERN_COUNT, 1, 0, 5, 6, out),
                   FH_GOLDEN_ERR_ARGUMENT);
}

/* The values that xxhsum -H2 prints for these bytes. */
static void hash_vectors(void **state) {
    (void)state;
    char hex[FH_GOLDEN_HASH_CHARS];
    fh_golden_hash_bytes("", 0, hex);
    assert_string_equal(hex, "99aa06d3014798d86001c324468d497f");
    fh_golden_hash_bytes("abc", 3, hex);
    assert_string_equal(hex, "06b05ab6733a618578af5f94892f3950");
    unsigned char bytes[5000];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)(i * 7 + 3);
    }
    fh_golden_hash_bytes(bytes, sizeof bytes, hex);
    assert_string_equal(hex, "c98ae385d09887cc799aaddd7339581d");
    uint64_t elements[1500];
    for (uint64_t i = 0; i < COUNT_OF(elements); i++) {
        elements[i] = (i * 2654435761U + 1) & UINT32_MAX;
    }
    require_ok("u32", fh_golden_hash_elements(4, COUNT_OF(elements), elements, hex));
    assert_string_equal(hex, "a4f68be9b6f866e4c881ad7b52d72100");
    for (size_t i = 0; i < COUNT_OF(elements); i++) {
        elements[i] |= elements[i] << 32;
    }
    require_ok("u64", fh_golden_hash_elements(8, COUNT_OF(elements), elements, hex));
    assert_string_equal(hex, "05f77e13f6c47ef20e502a7854bfdc87");
    require_ok("none", fh_golden_hash_elements(4, 0, NULL, hex));
    assert_string_equal(hex, "99aa06d3014798d86001c324468d497f");
    require_status("too wide", fh_golden_hash_elements(4, 1500, elements, hex),
                   FH_GOLDEN_ERR_ARGUMENT);
    require_status("2 bytes", fh_golden_hash_elements(2, 1, elements, hex), FH_GOLDEN_ERR_ARGUMENT);
}

/* ------------------------------------------------------------------------------ pinned rows */

static void describe(const fh_golden_pinned *row, char *text, size_t size) {
    (void)snprintf(text, size, "%s log2n %u bits %u limbs %u target %u %s seed %llu",
                   fh_golden_workload_name(row->workload), row->log2_n, row->bits, row->limbs,
                   row->target, row->order == FH_GOLDEN_NATURAL ? "natural" : "bitrev",
                   (unsigned long long)row->seed);
}

/* The transform rows by the definition, or for large N by the way back to the input. */
static void justify_transform(const char *text, const fh_golden_pinned *row, uint64_t q,
                              const uint64_t *in, const uint64_t *out) {
    size_t n = (size_t)1 << row->log2_n;
    bool inverse = row->workload == FH_GOLDEN_INTT;
    uint64_t *want = make_array(n);
    fh_golden_ntt_params params = make_params(FH_GOLDEN_NEGACYCLIC, n, q);
    if (row->log2_n > 10) {
        require_ok(text,
                   fh_golden_ntt_limbs(!inverse, row->order, n, 1, &q, &params.psi, out, want));
        require_array(text, q, row->seed, n, want, in);
    } else {
        require_ok(text, inverse ? fh_golden_intt_schoolbook(&params, row->order, in, want)
                                 : fh_golden_ntt_schoolbook(&params, row->order, in, want));
        require_array(text, q, row->seed, n, out, want);
    }
    free(want);
}

/* A rotation of evaluations is the automorphism of the coefficients. */
static void justify_rotation(const char *text, const fh_golden_pinned *row, uint64_t q,
                             const uint64_t *in, const uint64_t *out) {
    size_t n = (size_t)1 << row->log2_n;
    uint64_t *work = make_array(2 * n);
    uint64_t *want = work + n;
    uint64_t g = fh_golden_powmod(5, row->target, 2 * (uint64_t)n);
    require_ok(text, fh_golden_ntt_limbs(true, row->order, n, 1, &q, NULL, in, work));
    require_ok(text, fh_golden_automorphism_coeff(n, q, g, work, want));
    require_ok(text, fh_golden_ntt_limbs(false, row->order, n, 1, &q, NULL, want, want));
    require_array(text, q, row->seed, n, out, want);
    free(work);
}

static void justify_elementwise(const char *text, const fh_golden_pinned *row, uint64_t limb,
                                uint64_t q, const uint64_t *in, const uint64_t *out) {
    for (size_t i = 0; i < (size_t)1 << row->log2_n; i++) {
        fh_golden_u128 value = in[i];
        uint64_t b = fh_golden_random_residue(row->seed + 1, limb, i, q);
        uint64_t c = fh_golden_random_residue(row->seed + 2, limb, i, q);
        if (row->workload == FH_GOLDEN_ELT_ADD) {
            value += b;
        } else if (row->workload == FH_GOLDEN_ELT_SUB) {
            value += q - b;
        } else {
            value *= b;
            value += row->workload == FH_GOLDEN_ELT_MAC ? c : 0;
        }
        require_u64(text, row->seed, i, out[i], (uint64_t)(value % q));
    }
}

static void justify(const char *text, const fh_golden_pinned *row, const uint64_t *out) {
    size_t n = (size_t)1 << row->log2_n;
    uint64_t moduli[2 * FH_GOLDEN_MAX_LIMBS];
    bool converts = row->workload == FH_GOLDEN_BCONV;
    require_ok(text, fh_golden_prime_chain(n, row->bits, row->limbs + (converts ? row->target : 0),
                                           moduli));
    uint64_t *in = make_array(n * row->limbs);
    require_ok(text,
               fh_golden_generate_limbs(FH_GOLDEN_RANDOM, row->seed, row->limbs, moduli, n, in));
    if (converts) {
        fh_golden_bases bases = {row->limbs, moduli, row->target, moduli + row->limbs};
        require_ok(text, fh_golden_bconv_check(&bases, n, in, out, NULL));
    }
    for (size_t j = 0; j < row->limbs && !converts; j++) {
        const uint64_t *limb_in = in + j * n;
        const uint64_t *limb_out = out + j * n;
        if (row->workload == FH_GOLDEN_NTT || row->workload == FH_GOLDEN_INTT) {
            justify_transform(text, row, moduli[j], limb_in, limb_out);
        } else if (row->workload == FH_GOLDEN_ROTATE) {
            justify_rotation(text, row, moduli[j], limb_in, limb_out);
        } else {
            justify_elementwise(text, row, j, moduli[j], limb_in, limb_out);
        }
    }
    free(in);
}

static void every_row(void **state) {
    (void)state;
    assert_true(fh_golden_pinned_count() > 200);
    for (size_t i = 0; i < fh_golden_pinned_count(); i++) {
        const fh_golden_pinned *row = fh_golden_pinned_row(i);
        char text[160];
        describe(row, text, sizeof text);
        size_t count = fh_golden_pinned_result_limbs(row) << row->log2_n;
        uint64_t *out = make_array(count);
        char hex[FH_GOLDEN_HASH_CHARS];
        require_ok(text, fh_golden_pinned_compute(row, out));
        require_ok(text,
                   fh_golden_hash_elements(fh_golden_pinned_element_bytes(row), count, out, hex));
        if (strcmp(hex, row->hash) != 0) {
            fail_msg("%s: computed %s, pinned %s", text, hex, row->hash);
        }
        justify(text, row, out);
        free(out);
        /* Rows are distinct: the first match is this one. */
        if (fh_golden_pinned_find(row) != row->hash) {
            fail_msg("%s: pinned twice", text);
        }
    }
}

static void lookup(void **state) {
    (void)state;
    assert_null(fh_golden_pinned_row(fh_golden_pinned_count()));
    fh_golden_pinned wanted = *fh_golden_pinned_row(0);
    wanted.hash = NULL;
    assert_string_equal(fh_golden_pinned_find(&wanted), fh_golden_pinned_row(0)->hash);
    wanted.seed = 999;
    assert_null(fh_golden_pinned_find(&wanted));
    for (unsigned w = 0; w < FH_GOLDEN_WORKLOAD_COUNT; w++) {
        assert_string_not_equal(fh_golden_workload_name((fh_golden_workload)w), "unknown");
    }
    assert_string_equal(fh_golden_workload_name(FH_GOLDEN_WORKLOAD_COUNT), "unknown");
}

static void compute_errors(void **state) {
    (void)state;
    uint64_t out[64];
    const fh_golden_pinned good = {FH_GOLDEN_NTT, 3, 30, 2, 0, FH_GOLDEN_BITREV, 1, NULL};
    fh_golden_pinned row = good;
    require_ok("good", fh_golden_pinned_compute(&row, out));
    row.log2_n = 0;
    require_status("log2 0", fh_golden_pinned_compute(&row, out), FH_GOLDEN_ERR_SIZE);
    row.log2_n = 25;
    require_status("log2 25", fh_golden_pinned_compute(&row, out), FH_GOLDEN_ERR_SIZE);
    row = good;
    row.limbs = 0;
    require_status("limbs 0", fh_golden_pinned_compute(&row, out), FH_GOLDEN_ERR_LIMBS);
    row.limbs = 65;
    require_status("limbs 65", fh_golden_pinned_compute(&row, out), FH_GOLDEN_ERR_LIMBS);
    row = good;
    row.workload = FH_GOLDEN_BCONV;
    require_status("target 0", fh_golden_pinned_compute(&row, out), FH_GOLDEN_ERR_LIMBS);
    row = good;
    row.bits = 62;
    require_status("bits 62", fh_golden_pinned_compute(&row, out), FH_GOLDEN_ERR_ARGUMENT);
    row.bits = 5;
    require_status("bits 5", fh_golden_pinned_compute(&row, out), FH_GOLDEN_ERR_TOO_FEW_PRIMES);
    row = good;
    row.workload = FH_GOLDEN_WORKLOAD_COUNT;
    require_status("workload", fh_golden_pinned_compute(&row, out), FH_GOLDEN_ERR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generator_values),
        cmocka_unit_test(generator_independence),
        cmocka_unit_test(generator_uniformity),
        cmocka_unit_test(patterns),
        cmocka_unit_test(hash_vectors),
        cmocka_unit_test(every_row),
        cmocka_unit_test(lookup),
        cmocka_unit_test(compute_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
