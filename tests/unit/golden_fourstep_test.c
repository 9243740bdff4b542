/*
 * The matrix forms of the transform: the 4-step form for every split, and the radix-R form (stages
 * of small matrices with twiddles between them), both against the definition or the fast transform.
 */
#include "golden_util.h"

static void by_definition(void **state) {
    (void)state;
    static const unsigned bits[] = {28, 32, 60};
    size_t turn = 0;
    for (size_t n = 2; n <= 256; n *= 2) {
        uint64_t q = chain_prime(n, bits[turn++ % 3], 0);
        fh_golden_ntt_params params = make_params(FH_GOLDEN_NEGACYCLIC, n, q);
        uint64_t *in = make_array(3 * n);
        uint64_t *want = in + n;
        uint64_t *got = want + n;
        require_ok("in", fh_golden_generate(FH_GOLDEN_RANDOM, n, 0, q, n, in));
        for (unsigned order = 0; order < 2; order++) {
            fh_golden_order o = (fh_golden_order)order;
            require_ok("want", fh_golden_ntt_schoolbook(&params, o, in, want));
            for (size_t n1 = 1; n1 <= n; n1 *= 2) {
                require_ok("fourstep", fh_golden_fourstep(o, n1, n / n1, q, params.psi, in, got));
                require_array("4-step", q, n, n, got, want);
            }
        }
        free(in);
    }
}

static void larger_sizes(void **state) {
    (void)state;
    static const size_t splits[][2] = {{16, 32}, {32, 32},  {64, 32},
                                       {64, 64}, {256, 16}, {256, 256}};
    for (size_t i = 0; i < COUNT_OF(splits); i++) {
        size_t n = splits[i][0] * splits[i][1];
        uint64_t q = chain_prime(n, 30, i);
        fh_golden_ntt_params params = make_params(FH_GOLDEN_NEGACYCLIC, n, q);
        fh_golden_ntt_plan *plan = NULL;
        require_ok("plan", fh_golden_ntt_plan_create(&plan, &params));
        uint64_t *in = make_array(3 * n);
        uint64_t *want = in + n;
        uint64_t *got = want + n;
        require_ok("in", fh_golden_generate(FH_GOLDEN_RANDOM, i, 0, q, n, in));
        fh_golden_ntt_forward(plan, FH_GOLDEN_BITREV, in, want);
        require_ok("fourstep", fh_golden_fourstep(FH_GOLDEN_BITREV, splits[i][0], splits[i][1], q,
                                                  params.psi, in, got));
        require_array("4-step", q, i, n, got, want);
        fh_golden_ntt_plan_free(plan);
        free(in);
    }
}

/* First rows and columns that follow from the formulas alone. */
static void matrices(void **state) {
    (void)state;
    enum { N1 = 2, N2 = 4 };
    uint64_t q = 17;
    uint64_t psi = 3; /* order 16 */
    uint64_t w1[N2 * N2];
    uint64_t w2[N2 * N1];
    uint64_t w3[N1 * N1];
    /* psi_8 = 9, psi_4 = 13; rows k2 = 0, 2, 1, 3 of 9^((2 k2 + 1) j) and 3^((2 k2 + 1) j) */
    static const uint64_t want1[] = {1, 9, 13, 15, 1, 8, 13, 2, 1, 15, 4, 9, 1, 2, 4, 8};
    static const uint64_t want2[] = {1, 3, 1, 5, 1, 10, 1, 11};
    static const uint64_t want3[] = {1, 1, 1, 16};
    require_ok("matrices",
               fh_golden_fourstep_matrices(FH_GOLDEN_BITREV, N1, N2, q, psi, w1, w2, w3));
    require_array("W1", q, 0, (size_t)N2 * N2, w1, want1);
    require_array("W2", q, 0, (size_t)N2 * N1, w2, want2);
    require_array("W3", q, 0, (size_t)N1 * N1, w3, want3);
    require_ok("none",
               fh_golden_fourstep_matrices(FH_GOLDEN_NATURAL, N1, N2, q, psi, NULL, NULL, NULL));
}

/* One stage: blocks of `length` elements, in each a radix x radix matrix down the columns, with
 * rows in bit-reversed order, then the twiddles. Stage 0 is negacyclic. */
static void radix_stage(uint64_t *data, size_t n, size_t length, size_t radix, bool first,
                        uint64_t q, uint64_t psi) {
    unsigned log2_radix = 0;
    require_ok("radix", fh_golden_log2(radix, &log2_radix));
    size_t columns = length / radix;
    uint64_t psi_block = fh_golden_powmod(psi, n / length, q);    /* psi_{2 length} */
    uint64_t psi_radix = fh_golden_powmod(psi_block, columns, q); /* psi_{2 radix} */
    for (size_t block = 0; block < n; block += length) {
        for (size_t i = 0; i < columns; i++) {
            uint64_t column[16];
            for (size_t row = 0; row < radix; row++) {
                uint64_t k = fh_golden_bitrev(row, log2_radix);
                uint64_t exponent = first ? 2 * k + 1 : 2 * k;
                uint64_t sum = 0;
                for (size_t j = 0; j < radix; j++) {
                    uint64_t constant = fh_golden_powmod(psi_radix, exponent * j, q);
                    uint64_t element = data[block + j * columns + i];
                    sum = (sum + fh_golden_mulmod(constant, element, q)) % q;
                }
                uint64_t twiddle = fh_golden_powmod(psi_block, exponent * i, q);
                column[row] = fh_golden_mulmod(sum, twiddle, q);
            }
            for (size_t row = 0; row < radix; row++) {
                data[block + row * columns + i] = column[row];
            }
        }
    }
}

/* Radix 16 throughout, and one smaller stage at either end for other sizes. */
static void radix_sixteen(void **state) {
    (void)state;
    static const size_t plans[][4] = {{16, 0, 0, 0},  {16, 16, 0, 0}, {16, 16, 16, 0},
                                      {2, 16, 16, 0}, {16, 4, 0, 0},  {16, 16, 8, 0},
                                      {4, 16, 16, 0}};
    for (size_t p = 0; p < COUNT_OF(plans); p++) {
        size_t n = 1;
        for (size_t s = 0; s < 4 && plans[p][s] != 0; s++) {
            n *= plans[p][s];
        }
        uint64_t q = chain_prime(n, 30, p);
        fh_golden_ntt_params params = make_params(FH_GOLDEN_NEGACYCLIC, n, q);
        fh_golden_ntt_plan *plan = NULL;
        require_ok("plan", fh_golden_ntt_plan_create(&plan, &params));
        uint64_t *data = make_array(2 * n);
        uint64_t *want = data + n;
        require_ok("in", fh_golden_generate(FH_GOLDEN_RANDOM, p, 0, q, n, data));
        fh_golden_ntt_forward(plan, FH_GOLDEN_BITREV, data, want);
        size_t length = n;
        for (size_t s = 0; s < 4 && plans[p][s] != 0; s++) {
            radix_stage(data, n, length, plans[p][s], s == 0, q, params.psi);
            length /= plans[p][s];
        }
        require_array("radix form", q, p, n, data, want);
        fh_golden_ntt_plan_free(plan);
        free(data);
    }
}

static void errors(void **state) {
    (void)state;
    uint64_t in[16] = {0};
    uint64_t out[16];
    require_status("n1 0", fh_golden_fourstep(FH_GOLDEN_BITREV, 0, 4, 17, 2, in, out),
                   FH_GOLDEN_ERR_SIZE);
    require_status("n1 3", fh_golden_fourstep(FH_GOLDEN_BITREV, 3, 4, 17, 2, in, out),
                   FH_GOLDEN_ERR_SIZE);
    require_status("n2 6",
                   fh_golden_fourstep_matrices(FH_GOLDEN_BITREV, 2, 6, 17, 2, NULL, NULL, NULL),
                   FH_GOLDEN_ERR_SIZE);
    require_status("1 x 1", fh_golden_fourstep(FH_GOLDEN_BITREV, 1, 1, 17, 2, in, out),
                   FH_GOLDEN_ERR_SIZE);
    require_status(
        "overflow",
        fh_golden_fourstep(FH_GOLDEN_BITREV, (size_t)1 << 40, (size_t)1 << 40, 17, 2, in, out),
        FH_GOLDEN_ERR_SIZE);
    require_status("q 15", fh_golden_fourstep(FH_GOLDEN_BITREV, 2, 2, 15, 2, in, out),
                   FH_GOLDEN_ERR_NOT_PRIME);
    require_status("q 13", fh_golden_fourstep(FH_GOLDEN_BITREV, 2, 2, 13, 2, in, out),
                   FH_GOLDEN_ERR_CONGRUENCE);
    require_status("root", fh_golden_fourstep(FH_GOLDEN_BITREV, 2, 2, 17, 4, in, out),
                   FH_GOLDEN_ERR_ROOT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_definition), cmocka_unit_test(larger_sizes), cmocka_unit_test(matrices),
        cmocka_unit_test(radix_sixteen), cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
