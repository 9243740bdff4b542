/*
 * Parameters of the CKKS references: the chain, every refusal, constants, the shapes of the base
 * conversions at every level, the layout of keys, seeded polynomials, and the work of each
 * primitive at the published shape.
 */
#include "ckks.h"

#include "golden_util.h"

static fh_golden_status chain_status(fh_golden_ckks_params params) {
    uint64_t chain[FH_GOLDEN_CKKS_MAX_CHAIN];
    fh_golden_ckks *ckks = (fh_golden_ckks *)&params; /* not NULL, so that NULL was written */
    fh_golden_status status = fh_golden_ckks_chain(&params, chain);
    require_status("create says the same", fh_golden_ckks_create(&ckks, &params), status);
    assert_true((ckks == NULL) == (status != FH_GOLDEN_OK));
    fh_golden_ckks_free(ckks);
    return status;
}

static void refusals(void **state) {
    (void)state;
    static const uint64_t good[] = {97, 193, 257}; /* = 1 mod 32, so N = 16 */
    static const uint64_t repeated[] = {97, 193, 97};
    static const uint64_t composite[] = {97, 33, 193};
    static const uint64_t wrong_class[] = {97, 193, 113}; /* 113 = 17 mod 32 */
    static const uint64_t wide[] = {97, 193, (1ULL << 61) + 1};
    static const struct {
        const char *what;
        fh_golden_ckks_params params;
        fh_golden_status status;
    } cases[] = {
        {"N 1", {0, 30, 4, 2, 2, NULL}, FH_GOLDEN_ERR_SIZE},
        {"N 2^25", {25, 30, 4, 2, 2, NULL}, FH_GOLDEN_ERR_SIZE},
        {"no limbs", {4, 30, 0, 2, 2, NULL}, FH_GOLDEN_ERR_LIMBS},
        {"65 limbs", {4, 30, 65, 65, 1, NULL}, FH_GOLDEN_ERR_LIMBS},
        {"no digits", {4, 30, 4, 2, 0, NULL}, FH_GOLDEN_ERR_DIGITS},
        {"4 limbs in 3 digits", {4, 30, 4, 2, 3, NULL}, FH_GOLDEN_ERR_DIGITS},
        {"5 limbs in 4 digits", {4, 30, 5, 2, 4, NULL}, FH_GOLDEN_ERR_DIGITS},
        {"5 limbs in 3 digits", {4, 30, 5, 2, 3, NULL}, FH_GOLDEN_OK},
        {"5 limbs in 2 digits", {4, 30, 5, 3, 2, NULL}, FH_GOLDEN_OK},
        {"extension below the first digit", {4, 30, 5, 2, 2, NULL}, FH_GOLDEN_ERR_EXTENSION},
        {"the last digit to 64", {4, 30, 61, 4, 31, NULL}, FH_GOLDEN_OK},
        {"the last digit to 65", {4, 30, 61, 5, 31, NULL}, FH_GOLDEN_ERR_EXTENSION},
        {"more digits than limbs", {4, 30, 4, 2, 8, NULL}, FH_GOLDEN_ERR_DIGITS},
        {"no extension", {4, 30, 4, 0, 4, NULL}, FH_GOLDEN_ERR_EXTENSION},
        {"extension below a digit", {4, 30, 4, 1, 2, NULL}, FH_GOLDEN_ERR_EXTENSION},
        {"extension of 65", {4, 30, 1, 65, 1, NULL}, FH_GOLDEN_ERR_EXTENSION},
        {"conversion to 65", {4, 30, 60, 7, 30, NULL}, FH_GOLDEN_ERR_EXTENSION},
        {"conversion to 64", {4, 30, 60, 6, 30, NULL}, FH_GOLDEN_OK},
        {"64 + 64", {4, 30, 64, 64, 1, NULL}, FH_GOLDEN_OK},
        {"bits 1", {4, 1, 4, 2, 2, NULL}, FH_GOLDEN_ERR_ARGUMENT},
        {"bits 62", {4, 62, 4, 2, 2, NULL}, FH_GOLDEN_ERR_ARGUMENT},
        /* 97, 193, 257, 353, 449 are all that 9 bits hold. */
        {"five primes", {4, 9, 3, 2, 3, NULL}, FH_GOLDEN_OK},
        {"too few primes", {4, 9, 3, 3, 1, NULL}, FH_GOLDEN_ERR_TOO_FEW_PRIMES},
        {"none at all", {16, 16, 1, 1, 1, NULL}, FH_GOLDEN_ERR_TOO_FEW_PRIMES},
        {"given chain", {4, 0, 2, 1, 2, good}, FH_GOLDEN_OK},
        {"given twice", {4, 0, 2, 1, 2, repeated}, FH_GOLDEN_ERR_REPEATED},
        {"given 33", {4, 0, 2, 1, 2, composite}, FH_GOLDEN_ERR_NOT_PRIME},
        {"given 113", {4, 0, 2, 1, 2, wrong_class}, FH_GOLDEN_ERR_CONGRUENCE},
        {"given 2^61 + 1", {4, 0, 2, 1, 2, wide}, FH_GOLDEN_ERR_MODULUS},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        require_status(cases[i].what, chain_status(cases[i].params), cases[i].status);
    }
}

static fh_golden_ckks *make(unsigned log2_n, unsigned bits, size_t limbs, size_t alpha,
                            size_t dnum) {
    const fh_golden_ckks_params params = {log2_n, bits, limbs, alpha, dnum, NULL};
    fh_golden_ckks *ckks = NULL;
    require_ok("create", fh_golden_ckks_create(&ckks, &params));
    return ckks;
}

static void constants(void **state) {
    (void)state;
    static const uint64_t chain[] = {449, 353, 257, 193, 97};
    fh_golden_ckks *ckks = make(4, 9, 3, 2, 3);
    require_array("largest first", 0, 0, 5, ckks->moduli, chain);
    require_u64("digit", 0, 0, ckks->digit, 1);
    for (size_t i = 0; i < 3; i++) {
        uint64_t q = chain[i];
        require_u64("P", q, i, ckks->p_residue[i], 18721 % q); /* 193 * 97 */
        require_u64("P^-1", q, i, ckks->p_inverse[i] * (18721 % q) % q, 1);
        for (size_t l = 0; l < 3; l++) {
            uint64_t want = l == i ? 0 : 1;
            require_u64("q^-1", l, i, ckks->q_inverse[l][i] * (chain[l] % q) % q, want);
        }
    }
    for (size_t j = 0; j < 5; j++) {
        uint64_t psi = 0;
        require_ok("root", fh_golden_smallest_root(16, chain[j], &psi));
        require_u64("psi", 0, j, ckks->psi[j], psi);
    }
    assert_null(ckks->counts);
    fh_golden_ckks_free(ckks);
    fh_golden_ckks_free(NULL);
}

/* By hand: 6 limbs in 3 digits, extension 3, level 5: q0 q1 | q2 q3 | q4, then p at 5, 6, 7. */
static void conversions_by_hand(void **state) {
    (void)state;
    fh_golden_ckks *ckks = make(4, 30, 6, 3, 3);
    fh_golden_ckks_conversion up;
    require_u64("digits", 0, 0, fh_golden_ckks_digits(ckks, 5), 3);
    require_ok("digit 1", fh_golden_ckks_mod_up_bases(ckks, 5, 1, &up));
    static const size_t from[] = {2, 3};
    static const size_t to[] = {0, 1, 4, 5, 6, 7};
    require_u64("from", 5, 1, up.from_count, 2);
    require_u64("to", 5, 1, up.to_count, 6);
    assert_memory_equal(up.from_limb, from, sizeof from);
    assert_memory_equal(up.to_limb, to, sizeof to);
    static const size_t chain_of_to[] = {0, 1, 4, 6, 7, 8}; /* q5 is gone */
    for (size_t i = 0; i < 6; i++) {
        require_u64("target modulus", 5, i, up.to[i], ckks->moduli[chain_of_to[i]]);
    }
    require_ok("digit 2", fh_golden_ckks_mod_up_bases(ckks, 5, 2, &up));
    require_u64("a short digit", 5, 2, up.from_count, 1);
    require_u64("its modulus", 5, 2, up.from[0], ckks->moduli[4]);
    require_status("digit 3", fh_golden_ckks_mod_up_bases(ckks, 5, 3, &up), FH_GOLDEN_ERR_DIGITS);
    require_status("digit 2 of level 4", fh_golden_ckks_mod_up_bases(ckks, 4, 2, &up),
                   FH_GOLDEN_ERR_DIGITS);
    require_status("level 0", fh_golden_ckks_mod_up_bases(ckks, 0, 0, &up), FH_GOLDEN_ERR_LEVEL);
    require_status("level 7", fh_golden_ckks_mod_up_bases(ckks, 7, 0, &up), FH_GOLDEN_ERR_LEVEL);
    fh_golden_ckks_free(ckks);
}

/* At every level the digits partition the q limbs, each conversion has every limb once, and its
 * moduli are fit for a conversion. */
static void conversions_partition(void **state) {
    (void)state;
    fh_golden_ckks *ckks = make(4, 30, 12, 5, 3);
    for (size_t level = 1; level <= 12; level++) {
        size_t covered = 0;
        for (size_t digit = 0; digit <= fh_golden_ckks_digits(ckks, level); digit++) {
            fh_golden_ckks_conversion c;
            bool down = digit == fh_golden_ckks_digits(ckks, level);
            require_ok("bases", down ? fh_golden_ckks_mod_down_bases(ckks, level, &c)
                                     : fh_golden_ckks_mod_up_bases(ckks, level, digit, &c));
            const fh_golden_bases bases = {c.from_count, c.from, c.to_count, c.to};
            require_ok("fit", fh_golden_bconv_check_bases(&bases));
            unsigned seen = 0;
            for (size_t i = 0; i < c.from_count + c.to_count; i++) {
                bool source = i < c.from_count;
                size_t limb = source ? c.from_limb[i] : c.to_limb[i - c.from_count];
                uint64_t modulus = source ? c.from[i] : c.to[i - c.from_count];
                size_t place = limb < level ? limb : 12 + (limb - level);
                require_u64("modulus", level, digit, modulus, ckks->moduli[place]);
                seen |= 1U << limb;
                covered += source && !down ? 1 : 0;
                assert_true(!source || (down ? limb >= level : limb / 4 == digit));
            }
            require_u64("every limb once", level, digit, seen, (1U << (level + 5)) - 1);
            require_u64("no limb twice", level, digit, c.from_count + c.to_count, level + 5);
        }
        require_u64("digits cover the limbs", level, 0, covered, level);
    }
    fh_golden_ckks_conversion c;
    require_status("down 0", fh_golden_ckks_mod_down_bases(ckks, 0, &c), FH_GOLDEN_ERR_LEVEL);
    require_status("down 13", fh_golden_ckks_mod_down_bases(ckks, 13, &c), FH_GOLDEN_ERR_LEVEL);
    fh_golden_ckks_free(ckks);
}

static void key_layout(void **state) {
    (void)state;
    fh_golden_ckks *ckks = make(4, 30, 6, 3, 3);
    size_t next = 0;
    for (size_t digit = 0; digit < 3; digit++) {
        for (size_t component = 0; component < 2; component++) {
            for (size_t limb = 0; limb < 9; limb++, next += 16) {
                require_u64("offset", digit, limb,
                            fh_golden_ckks_key_offset(ckks, digit, component, limb), next);
            }
        }
    }
    require_u64("elements", 0, 0, fh_golden_ckks_key_elements(ckks), next);
    fh_golden_ckks_free(ckks);
}

/* Element i of limb j of polynomial k is residue (seed, k * 9 + chain limb, i). */
static void generator(void **state) {
    (void)state;
    fh_golden_ckks *ckks = make(4, 30, 6, 3, 3);
    for (size_t level = 1; level <= 6; level++) {
        for (size_t extended = 0; extended < 2; extended++) {
            size_t limbs = level + 3 * extended;
            uint64_t *out = make_array(2 * limbs * 16);
            require_ok("generate", fh_golden_ckks_generate(ckks, FH_GOLDEN_RANDOM, 8, level,
                                                           extended != 0, 2, out));
            for (size_t e = 0; e < 2 * limbs * 16; e++) {
                size_t j = e / 16 % limbs;
                size_t limb = j < level ? j : 6 + (j - level);
                uint64_t stream = e / 16 / limbs * 9 + limb;
                require_u64("element", level, e, out[e],
                            fh_golden_random_residue(8, stream, e % 16, ckks->moduli[limb]));
            }
            free(out);
        }
    }
    uint64_t out[16];
    require_status("level 0", fh_golden_ckks_generate(ckks, FH_GOLDEN_RANDOM, 8, 0, false, 1, out),
                   FH_GOLDEN_ERR_LEVEL);
    require_status("level 7", fh_golden_ckks_generate(ckks, FH_GOLDEN_RANDOM, 8, 7, false, 1, out),
                   FH_GOLDEN_ERR_LEVEL);
    require_status("pattern",
                   fh_golden_ckks_generate(ckks, FH_GOLDEN_PATTERN_COUNT, 8, 1, false, 1, out),
                   FH_GOLDEN_ERR_ARGUMENT);
    fh_golden_ckks_free(ckks);
}

enum { N = 512, LIMBS = 27, ALPHA = 9, DNUM = 3 };

/* The counts at 27 limbs, alpha 9, dnum 3, as the literature has them: columns INTT, NTT, base
 * conversions, pre-multiplies, key products, corrections, products, additions, permutations. */
static void published_work(void **state) {
    (void)state;
    static const uint64_t want[][FH_GOLDEN_CKKS_WORK_COUNT] = {
        {2, 52, 0, 0, 0, 52, 0, 0, 0},                        /* Rescale */
        {27 + 18, 81 + 54, 5, 45, 216, 54, 0, 0, 0},          /* KeySwitch */
        {45, 135, 5, 45, 216, 54, 0, 27, 54},                 /* Rotate */
        {45, 135, 5, 45, 216, 54, 108, 27 + 54, 0},           /* HEMult */
        {47, 135 + 52, 5, 45, 216, 54 + 52, 108, 27 + 54, 0}, /* and Rescale */
        {0, 0, 0, 0, 0, 0, 54, 0, 0},                         /* PtMult */
        {0, 0, 0, 0, 0, 0, 0, 27, 0},                         /* PtAdd */
        {0, 0, 0, 0, 0, 0, 0, 54, 0},                         /* HEAdd */
    };
    fh_golden_ckks *ckks = make(9, 32, LIMBS, ALPHA, DNUM);
    uint64_t *a = make_array((size_t)2 * LIMBS * N);
    uint64_t *b = make_array((size_t)2 * LIMBS * N);
    uint64_t *out = make_array((size_t)2 * LIMBS * N);
    uint64_t *key = make_array(fh_golden_ckks_key_elements(ckks));
    require_ok("a", fh_golden_ckks_generate(ckks, FH_GOLDEN_RANDOM, 1, LIMBS, false, 2, a));
    require_ok("b", fh_golden_ckks_generate(ckks, FH_GOLDEN_RANDOM, 2, LIMBS, false, 2, b));
    require_ok("key", fh_golden_ckks_generate(ckks, FH_GOLDEN_RANDOM, 3, LIMBS, true,
                                              (size_t)2 * DNUM, key));
    for (size_t i = 0; i < COUNT_OF(want); i++) {
        uint64_t counts[FH_GOLDEN_CKKS_WORK_COUNT] = {0};
        fh_golden_status status = FH_GOLDEN_ERR_MISMATCH;
        ckks->counts = counts;
        switch (i) {
        case 0: status = fh_golden_ckks_rescale(ckks, LIMBS, a, out); break;
        case 1: status = fh_golden_ckks_key_switch(ckks, LIMBS, a, key, out); break;
        case 2: status = fh_golden_ckks_rotate(ckks, LIMBS, 7, a, key, out); break;
        case 3: status = fh_golden_ckks_hemult(ckks, LIMBS, a, b, key, out); break;
        case 4: status = fh_golden_ckks_hemult_rescale(ckks, LIMBS, a, b, key, out); break;
        case 5: status = fh_golden_ckks_ptmult(ckks, LIMBS, a, b, out); break;
        case 6: status = fh_golden_ckks_ptadd(ckks, LIMBS, a, b, out); break;
        case 7: status = fh_golden_ckks_headd(ckks, LIMBS, a, b, out); break;
        default: break;
        }
        ckks->counts = NULL;
        require_ok("operation", status);
        require_array("work", 0, i, FH_GOLDEN_CKKS_WORK_COUNT, counts, want[i]);
    }
    free(a);
    free(b);
    free(out);
    free(key);
    fh_golden_ckks_free(ckks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),
        cmocka_unit_test(constants),
        cmocka_unit_test(conversions_by_hand),
        cmocka_unit_test(conversions_partition),
        cmocka_unit_test(key_layout),
        cmocka_unit_test(generator),
        cmocka_unit_test(published_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
