/*
 * fourstep.c - the negacyclic NTT as two matrix products and one element-wise product.
 *
 * With n = j1 + N1 * j2 (M[j2][j1]) and k = k2 + N2 * k1 the exponent (2k + 1) n of psi, modulo 2N,
 * is (2 k2 + 1) N1 j2  +  (2 k2 + 1) j1  +  2 N2 k1 j1: one factor for each of W1, W2 and W3. (The
 * term 2 N1 N2 k1 j2 is a multiple of 2N.)
 */
#include "golden.h"

#include <stdlib.h>

static unsigned log2_of(size_t power_of_two) {
    unsigned bits = 0;
    while (power_of_two >> bits > 1) {
        bits++;
    }
    return bits;
}

static bool is_power_of_two(size_t n) {
    return n != 0 && (n & (n - 1)) == 0;
}

/* The index that row or column `place` of a matrix of the given size stands for. */
static uint64_t stands_for(fh_golden_order order, size_t place, size_t size) {
    return order == FH_GOLDEN_NATURAL ? place : fh_golden_bitrev(place, log2_of(size));
}

static fh_golden_status check_shape(size_t n1, size_t n2, uint64_t q, uint64_t psi) {
    if (!is_power_of_two(n1) || !is_power_of_two(n2) || n1 > FH_GOLDEN_MAX_SIZE / n2) {
        return FH_GOLDEN_ERR_SIZE;
    }
    return fh_golden_check_root(n1 * n2, q, psi);
}

fh_golden_status fh_golden_fourstep_matrices(fh_golden_order order, size_t n1, size_t n2,
                                             uint64_t q, uint64_t psi, uint64_t *w1, uint64_t *w2,
                                             uint64_t *w3) {
    fh_golden_status status = check_shape(n1, n2, q, psi);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    uint64_t psi_n2 = fh_golden_powmod(psi, n1, q); /* psi_{2 N2} = psi^(N / N2) */
    uint64_t psi_n1 = fh_golden_powmod(psi, n2, q); /* psi_{2 N1} = psi^(N / N1) */
    for (size_t row = 0; row < n2; row++) {
        uint64_t k2 = stands_for(order, row, n2);
        for (size_t j = 0; w1 != NULL && j < n2; j++) {
            w1[row * n2 + j] = fh_golden_powmod(psi_n2, (2 * k2 + 1) * j, q);
        }
        for (size_t j = 0; w2 != NULL && j < n1; j++) {
            w2[row * n1 + j] = fh_golden_powmod(psi, (2 * k2 + 1) * j, q);
        }
    }
    for (size_t j = 0; w3 != NULL && j < n1; j++) {
        for (size_t column = 0; column < n1; column++) {
            uint64_t k1 = stands_for(order, column, n1);
            w3[j * n1 + column] = fh_golden_powmod(psi_n1, 2 * j * k1, q);
        }
    }
    return FH_GOLDEN_OK;
}

/* out[rows x columns] = a[rows x inner] * b[inner x columns] mod q. */
static void matrix_product(size_t rows, size_t inner, size_t columns, uint64_t q, const uint64_t *a,
                           const uint64_t *b, uint64_t *out) {
    for (size_t row = 0; row < rows; row++) {
        for (size_t column = 0; column < columns; column++) {
            uint64_t sum = 0;
            for (size_t i = 0; i < inner; i++) {
                sum = (sum + fh_golden_mulmod(a[row * inner + i], b[i * columns + column], q)) % q;
            }
            out[row * columns + column] = sum;
        }
    }
}

fh_golden_status fh_golden_fourstep(fh_golden_order order, size_t n1, size_t n2, uint64_t q,
                                    uint64_t psi, const uint64_t *in, uint64_t *out) {
    fh_golden_status status = check_shape(n1, n2, q, psi);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    size_t n = n1 * n2;
    uint64_t *memory = calloc(n2 * n2 + n1 * n1 + 3 * n, sizeof *memory);
    if (memory == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    uint64_t *w1 = memory;
    uint64_t *w3 = w1 + n2 * n2;
    uint64_t *w2 = w3 + n1 * n1;
    uint64_t *scaled = w2 + n;
    uint64_t *result = scaled + n;
    status = fh_golden_fourstep_matrices(order, n1, n2, q, psi, w1, w2, w3);
    if (status == FH_GOLDEN_OK) {
        matrix_product(n2, n2, n1, q, w1, in, scaled);
        for (size_t i = 0; i < n; i++) {
            scaled[i] = fh_golden_mulmod(scaled[i], w2[i], q);
        }
        matrix_product(n2, n1, n1, q, scaled, w3, result);
        for (size_t place = 0; place < n; place++) {
            size_t k2 = place / n1;
            size_t k1 = place % n1;
            /* Bit-reversed rows and columns already are the bit-reversed order in memory. */
            out[order == FH_GOLDEN_NATURAL ? k2 + n2 * k1 : place] = result[place];
        }
    }
    free(memory);
    return status;
}
