/*
 * Residues four at a time (golden/residues.h) against the operators / and % on 128 bits: moduli
 * from the smallest to the largest, operands at the ends of their range, and where the fast loops
 * must leave the elements to others.
 */
#include "golden_util.h"
#include "residues.h"

typedef fh_golden_u128 u128;

enum { N = 53, TERMS = 64 };

static const uint64_t moduli[] = {
    65537,      65539,      99999,      (1 << 20) + 1, 536903681,  1073741823, 1073741825,
    2013265921, 2147483647, 2147483649, 2265579521,    4293918721, 4294967293, 4294967295,
};

/* Elements below `bound`: the ends first, then random ones. */
static void fill(uint64_t seed, uint64_t bound, uint64_t *out) {
    for (size_t i = 0; i < N; i++) {
        out[i] = i == 0 ? 0 : i < 4 ? bound - i : fh_golden_random_residue(seed, 1, i, bound);
    }
    for (size_t i = 4; i < 12; i++) { /* every end with every other one in two arrays */
        out[i] = bound - 1 - (i * (seed + 1)) % 3;
    }
}

/* All six operations on all elements: what is done is right, and all whole pieces are done where
 * there is AVX2. */
static void operations(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof moduli / sizeof moduli[0]; k++) {
        uint64_t q = moduli[k], a[N], b[N], c[N], out[6][N];
        fill(k, q, a);
        fill(k + 1, q, b);
        fill(k + 2, q, c);
        const uint64_t scalar = UINT64_MAX - k;
        const size_t done[6] = {
            fh_golden_residues_add(N, q, a, b, out[0]),
            fh_golden_residues_sub(N, q, a, b, out[1]),
            fh_golden_residues_mul(N, q, a, b, out[2]),
            fh_golden_residues_mac(N, q, a, b, c, out[3]),
            fh_golden_residues_add_scalar(N, q, a, scalar, out[4]),
            fh_golden_residues_mul_scalar(N, q, a, scalar, out[5]),
        };
        for (size_t i = 0; i < N; i++) {
            const uint64_t want[6] = {
                (a[i] + b[i]) % q,
                (a[i] + q - b[i]) % q,
                (uint64_t)((u128)a[i] * b[i] % q),
                (uint64_t)(((u128)a[i] * b[i] + c[i]) % q),
                (uint64_t)(((u128)a[i] + scalar) % q),
                (uint64_t)((u128)a[i] * scalar % q),
            };
            for (size_t f = 0; f < 6; f++) {
                assert_true(done[f] == 0 || done[f] == N / 16 * 16);
                assert_int_equal(done[f], done[0]);
                if (i < done[f] && out[f][i] != want[f]) {
                    fail_msg("operation %zu modulo %llu, element %zu: %llu instead of %llu", f,
                             (unsigned long long)q, i, (unsigned long long)out[f][i],
                             (unsigned long long)want[f]);
                }
            }
        }
    }
}

/* An operand that is not reduced ends the fast part before its piece, and leaves the rest as it
 * was; moduli out of range have none. */
static void left_to_others(void **state) {
    (void)state;
    static const uint64_t high[] = {2147483649, (uint64_t)1 << 32, (uint64_t)1 << 63, UINT64_MAX};
    for (size_t k = 0; k < 4; k++) {
        for (size_t at = 0; at < 48; at += 5) {
            uint64_t a[N] = {0}, b[N] = {0}, c[N] = {0}, out[N] = {0};
            uint64_t *const operands[] = {a, b, c};
            for (size_t o = 0; o < 3; o++) {
                operands[o][at] = high[k];
                out[at] = 77;
                const size_t most = at / 16 * 16;
                assert_true(fh_golden_residues_mac(N, 2147483649, a, b, c, out) <= most);
                assert_true(o == 2 || fh_golden_residues_mul(N, 2147483649, a, b, out) <= most);
                assert_true(o == 2 || fh_golden_residues_add(N, 2147483649, a, b, out) <= most);
                assert_true(o == 2 || fh_golden_residues_sub(N, 2147483649, a, b, out) <= most);
                assert_true(o > 0 ||
                            fh_golden_residues_mul_scalar(N, 2147483649, a, 5, out) <= most);
                assert_true(o > 0 ||
                            fh_golden_residues_add_scalar(N, 2147483649, a, 5, out) <= most);
                assert_true(o > 0 ||
                            fh_golden_residues_switch(N, 2147483649, 65537, a, out) <= most);
                assert_int_equal(out[at], 77);
                operands[o][at] = 0;
            }
        }
    }
    uint64_t a[N] = {0}, out[N];
    static const uint64_t outside[] = {2, 65535, 65536, (uint64_t)1 << 31,
                                       ((uint64_t)1 << 32) + 15};
    for (size_t k = 0; k < sizeof outside / sizeof outside[0]; k++) {
        assert_int_equal(fh_golden_residues_mul(N, outside[k], a, a, out), 0);
        assert_int_equal(fh_golden_residues_switch(N, outside[k], 65537, a, out), 0);
        assert_int_equal(fh_golden_residues_switch(N, 65537, outside[k], a, out), 0);
        assert_int_equal(fh_golden_residues_combine(N, outside[k], 0, a, N, a, out), 0);
    }
}

static void switches(void **state) {
    (void)state;
    const size_t count = sizeof moduli / sizeof moduli[0];
    for (size_t k = 0; k < count * count; k++) {
        const uint64_t last = moduli[k / count], q = moduli[k % count];
        uint64_t in[N], out[N];
        fill(k, last, in);
        in[12] = last / 2; /* the largest that stays, and the smallest that does not */
        in[13] = last / 2 + 1;
        in[14] = q < last ? q : 0;
        in[15] = q < last ? last - q : 0;
        const size_t done = fh_golden_residues_switch(N, last, q, in, out);
        for (size_t i = 0; i < done; i++) {
            const __int128 value = in[i] <= last / 2 ? (__int128)in[i] : (__int128)in[i] - last;
            const __int128 rest = value % (__int128)q;
            assert_int_equal(out[i], (uint64_t)(rest < 0 ? rest + (__int128)q : rest));
        }
    }
}

/* Sums of products, y up to 2^32 - 1. */
static void sums(void **state) {
    (void)state;
    static uint64_t y[TERMS * N];
    for (size_t k = 0; k < sizeof moduli / sizeof moduli[0]; k++) {
        const uint64_t q = moduli[k];
        for (size_t terms = 0; terms <= TERMS; terms = terms * 2 + 1) {
            uint64_t factor[TERMS], out[N];
            for (size_t j = 0; j < terms; j++) {
                fill(k + j, (uint64_t)1 << 32, y + j * N);
                factor[j] = j % 3 == 0 ? q - 1 : fh_golden_random_residue(k, 2, j, q);
            }
            for (size_t j = 0; j < terms && terms > 20; j++) { /* the largest sum */
                factor[j] = q - 1;
                y[j * N + 20] = UINT32_MAX;
            }
            const size_t done = fh_golden_residues_combine(N, q, terms, y, N, factor, out);
            for (size_t i = 0; i < done; i++) {
                u128 sum = 0;
                for (size_t j = 0; j < terms; j++) {
                    sum += (u128)y[j * N + i] * factor[j];
                }
                assert_int_equal(out[i], (uint64_t)(sum % q));
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations),
        cmocka_unit_test(left_to_others),
        cmocka_unit_test(switches),
        cmocka_unit_test(sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
