/*
 * ckks_embedding.c - the canonical embedding in long double: slots to real coefficients and back.
 *
 * A polynomial m with N real coefficients has the values m(zeta^(2t+1)), t = 0 .. N-1: a Fourier
 * transform of length N after coefficient k was multiplied by zeta^k. Slot j is the value with
 * 2t + 1 = 5^j mod 2N; its conjugate sits at N - 1 - t, and together they are all of them.
 */
#include "ckks_internal.h"

#include <math.h>
#include <stdlib.h>

fh_golden_status fh_golden_embedding_make(size_t n, fh_golden_embedding *made) {
    made->n = n;
    made->log2_n = 0;
    made->powers = NULL;
    made->slots = NULL;
    made->values = malloc((2 * n + n / 2) * sizeof *made->values);
    if (made->values == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    (void)fh_golden_log2(n, &made->log2_n);
    made->powers = made->values + n;
    made->slots = made->powers + n;
    long double quarter = atanl(1.0L); /* pi / 4 */
    for (size_t k = 0; k < n; k++) {
        long double angle = 4 * quarter * (long double)k / (long double)n;
        made->powers[k] = (fh_golden_wide_complex){cosl(angle), sinl(angle)};
    }
    return FH_GOLDEN_OK;
}

void fh_golden_embedding_free(fh_golden_embedding *e) {
    free(e->values);
    e->values = NULL;
}

/* values[t] = sum_k values[k] w^(tk), w = zeta^2, or its conjugate for the inverse direction
 * (without the factor 1/N). Radix 2, decimation in time. */
static void fourier(const fh_golden_embedding *e, bool inverse) {
    for (size_t i = 0; i < e->n; i++) {
        size_t j = (size_t)fh_golden_bitrev(i, e->log2_n);
        if (i < j) {
            fh_golden_wide_complex held = e->values[i];
            e->values[i] = e->values[j];
            e->values[j] = held;
        }
    }
    for (size_t half = 1; half < e->n; half *= 2) {
        for (size_t start = 0; start < e->n; start += 2 * half) {
            for (size_t j = 0; j < half; j++) {
                /* The (2 half)-th root to the j: zeta^(2N / (2 half) * j). */
                fh_golden_wide_complex root = e->powers[e->n / half * j];
                fh_golden_wide_complex *low = e->values + start + j;
                fh_golden_wide_complex *high = low + half;
                fh_golden_wide_complex product =
                    wide_multiply(*high, inverse ? wide_conjugate(root) : root);
                *high = (fh_golden_wide_complex){low->re - product.re, low->im - product.im};
                *low = (fh_golden_wide_complex){low->re + product.re, low->im + product.im};
            }
        }
    }
}

void fh_golden_embedding_to_coefficients(fh_golden_embedding *e) {
    size_t n = e->n;
    uint64_t power = 1; /* 5^j mod 2N */
    for (size_t j = 0; j < n / 2; j++) {
        size_t t = (size_t)(power - 1) / 2;
        e->values[t] = e->slots[j];
        e->values[n - 1 - t] = wide_conjugate(e->slots[j]);
        power = power * 5 % (2 * n);
    }
    fourier(e, true);
    for (size_t k = 0; k < n; k++) {
        fh_golden_wide_complex value = wide_multiply(e->values[k], wide_conjugate(e->powers[k]));
        e->values[k] = (fh_golden_wide_complex){value.re / (long double)n, 0};
    }
}

void fh_golden_embedding_to_slots(fh_golden_embedding *e, const long double *coefficients) {
    size_t n = e->n;
    for (size_t k = 0; k < n; k++) {
        e->values[k] = wide_multiply(e->powers[k], (fh_golden_wide_complex){coefficients[k], 0});
    }
    fourier(e, false);
    uint64_t power = 1; /* 5^j mod 2N */
    for (size_t j = 0; j < n / 2; j++) {
        e->slots[j] = e->values[(power - 1) / 2];
        power = power * 5 % (2 * n);
    }
}
