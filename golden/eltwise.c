/*
 * eltwise.c - element-wise operations and the automorphisms of Z_q[X]/(X^N + 1).
 */
#include "golden.h"
#include "residues.h"
#include "wide_rest.h"

typedef fh_golden_u128 u128;

static bool modulus_in_range(uint64_t q) {
    return q >= 2 && q >> FH_GOLDEN_MAX_MODULUS_BITS == 0;
}

fh_golden_status fh_golden_add(size_t n, uint64_t q, const uint64_t *a, const uint64_t *b,
                               uint64_t *out) {
    if (!modulus_in_range(q)) {
        return FH_GOLDEN_ERR_MODULUS;
    }
    for (size_t i = fh_golden_residues_add(n, q, a, b, out); i < n; i++) {
        out[i] = fh_golden_rest((u128)a[i] + b[i], q);
    }
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_sub(size_t n, uint64_t q, const uint64_t *a, const uint64_t *b,
                               uint64_t *out) {
    if (!modulus_in_range(q)) {
        return FH_GOLDEN_ERR_MODULUS;
    }
    for (size_t i = fh_golden_residues_sub(n, q, a, b, out); i < n; i++) {
        out[i] = fh_golden_rest((u128)a[i] + (q - b[i] % q), q);
    }
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_mul(size_t n, uint64_t q, const uint64_t *a, const uint64_t *b,
                               uint64_t *out) {
    if (!modulus_in_range(q)) {
        return FH_GOLDEN_ERR_MODULUS;
    }
    for (size_t i = fh_golden_residues_mul(n, q, a, b, out); i < n; i++) {
        out[i] = fh_golden_rest((u128)a[i] * b[i], q);
    }
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_mac(size_t n, uint64_t q, const uint64_t *a, const uint64_t *b,
                               const uint64_t *c, uint64_t *out) {
    if (!modulus_in_range(q)) {
        return FH_GOLDEN_ERR_MODULUS;
    }
    for (size_t i = fh_golden_residues_mac(n, q, a, b, c, out); i < n; i++) {
        /* (2^64-1)^2 + 2^64-1 < 2^128. */
        out[i] = fh_golden_rest((u128)a[i] * b[i] + c[i], q);
    }
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_add_scalar(size_t n, uint64_t q, const uint64_t *a, uint64_t scalar,
                                      uint64_t *out) {
    if (!modulus_in_range(q)) {
        return FH_GOLDEN_ERR_MODULUS;
    }
    for (size_t i = fh_golden_residues_add_scalar(n, q, a, scalar, out); i < n; i++) {
        out[i] = fh_golden_rest((u128)a[i] + scalar, q);
    }
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_mul_scalar(size_t n, uint64_t q, const uint64_t *a, uint64_t scalar,
                                      uint64_t *out) {
    if (!modulus_in_range(q)) {
        return FH_GOLDEN_ERR_MODULUS;
    }
    for (size_t i = fh_golden_residues_mul_scalar(n, q, a, scalar, out); i < n; i++) {
        out[i] = fh_golden_rest((u128)a[i] * scalar, q);
    }
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_galois_element(size_t n, uint64_t r, uint64_t *g) {
    unsigned log2_n;
    fh_golden_status status = fh_golden_log2(n, &log2_n);
    if (status == FH_GOLDEN_OK) {
        *g = fh_golden_powmod(5, r, (uint64_t)2 * n);
    }
    return status;
}

/* Checks n and g; *log2_n and *reduced = g mod 2N. */
static fh_golden_status check_automorphism(size_t n, uint64_t g, unsigned *log2_n,
                                           uint64_t *reduced) {
    fh_golden_status status = fh_golden_log2(n, log2_n);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    *reduced = g % ((uint64_t)2 * n);
    return (g & 1) != 0 ? FH_GOLDEN_OK : FH_GOLDEN_ERR_ARGUMENT;
}

fh_golden_status fh_golden_automorphism_eval(size_t n, uint64_t g, fh_golden_order order,
                                             const uint64_t *in, uint64_t *out) {
    unsigned log2_n;
    uint64_t reduced;
    fh_golden_status status = check_automorphism(n, g, &log2_n, &reduced);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    for (size_t x = 0; x < n; x++) {
        /* Position x of the natural order is the evaluation at psi^(2x+1), and a(X^g) there is
         * a(X) at psi^(g(2x+1)). */
        uint64_t source = (reduced * (2 * x + 1) % (2 * n) - 1) / 2;
        if (order == FH_GOLDEN_NATURAL) {
            out[x] = in[source];
        } else {
            out[fh_golden_bitrev(x, log2_n)] = in[fh_golden_bitrev(source, log2_n)];
        }
    }
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_automorphism_coeff(size_t n, uint64_t q, uint64_t g, const uint64_t *in,
                                              uint64_t *out) {
    unsigned log2_n;
    uint64_t reduced;
    fh_golden_status status = check_automorphism(n, g, &log2_n, &reduced);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    if (!modulus_in_range(q)) {
        return FH_GOLDEN_ERR_MODULUS;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t exponent = reduced * i % (2 * n);
        uint64_t value = in[i] % q;
        /* X^N = -1, and exponents lie below 2N, so at most one sign change. */
        if (exponent < n) {
            out[exponent] = value;
        } else {
            out[exponent - n] = (q - value) % q;
        }
    }
    return FH_GOLDEN_OK;
}
