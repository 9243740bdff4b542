/*
 * matrix_product.c - the values of the matrix multiply instructions, on plain row-major matrices.
 *
 * Nothing here knows about lanes, registers or fragments.
 */
#include "golden.h"

typedef fh_golden_u128 u128;

uint64_t fh_golden_barrett_mu(uint32_t q) {
    return (uint64_t)(((u128)1 << 64) / q);
}

uint32_t fh_golden_barrett_step(fh_golden_modulus modulus, uint32_t r, uint32_t a, uint32_t b) {
    uint64_t z = (uint64_t)a * b + r; /* (2^32-1)^2 + 2^32-1 < 2^64 */
    uint64_t t = (uint64_t)((u128)z * modulus.mu >> 64);
    /* Modulo 2^64 is enough: 2^33 divides it. */
    uint64_t v = (z - t * modulus.q) & (((uint64_t)1 << 33) - 1);
    return (uint32_t)(v >= modulus.q ? v - modulus.q : v);
}

/* Whether a modulus that is used is 0. */
static bool zero_modulus(fh_golden_shape shape, bool mixed, const fh_golden_modulus *moduli) {
    for (size_t column = 0; column < (mixed ? shape.n : 1); column++) {
        if (moduli[column].q == 0) {
            return true;
        }
    }
    return false;
}

fh_golden_status fh_golden_fhec_steps(fh_golden_shape shape, bool mixed,
                                      const fh_golden_modulus *moduli, const uint32_t *a,
                                      const uint32_t *b, const uint32_t *c, uint32_t *d) {
    if (zero_modulus(shape, mixed, moduli)) {
        return FH_GOLDEN_ERR_MODULUS;
    }
    for (size_t row = 0; row < shape.m; row++) {
        for (size_t column = 0; column < shape.n; column++) {
            fh_golden_modulus modulus = moduli[mixed ? column : 0];
            uint32_t r = c[row * shape.n + column];
            for (size_t i = 0; i < shape.k; i++) {
                r = fh_golden_barrett_step(modulus, r, a[row * shape.k + i],
                                           b[i * shape.n + column]);
            }
            d[row * shape.n + column] = r;
        }
    }
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_fhec_plain(fh_golden_shape shape, bool mixed,
                                      const fh_golden_modulus *moduli, const uint32_t *a,
                                      const uint32_t *b, const uint32_t *c, uint32_t *d) {
    if (zero_modulus(shape, mixed, moduli)) {
        return FH_GOLDEN_ERR_MODULUS;
    }
    for (size_t row = 0; row < shape.m; row++) {
        for (size_t column = 0; column < shape.n; column++) {
            u128 sum = c[row * shape.n + column];
            for (size_t i = 0; i < shape.k; i++) {
                /* Products are below 2^64, so that 2^63 of them cannot overflow. */
                sum += (u128)a[row * shape.k + i] * b[i * shape.n + column];
            }
            d[row * shape.n + column] = (uint32_t)(sum % moduli[mixed ? column : 0].q);
        }
    }
    return FH_GOLDEN_OK;
}

/* The byte as a signed or an unsigned number. */
static int64_t byte_value(uint8_t byte, bool is_signed) {
    return is_signed && byte >= 128 ? (int64_t)byte - 256 : (int64_t)byte;
}

void fh_golden_imma_value(const fh_golden_imma *imma, const uint8_t *a, const uint8_t *b,
                          const int32_t *c, int32_t *d) {
    fh_golden_shape shape = imma->shape;
    for (size_t row = 0; row < shape.m; row++) {
        for (size_t column = 0; column < shape.n; column++) {
            int64_t sum = c[row * shape.n + column];
            for (size_t i = 0; i < shape.k; i++) {
                sum += byte_value(a[row * shape.k + i], imma->a_signed) *
                       byte_value(b[i * shape.n + column], imma->b_signed);
            }
            if (imma->saturate) {
                sum = sum > INT32_MAX ? INT32_MAX : sum;
                sum = sum < INT32_MIN ? INT32_MIN : sum;
            }
            /* Wraps: the low 32 bits, read as two's complement. */
            uint32_t low = (uint32_t)((uint64_t)sum & UINT32_MAX);
            d[row * shape.n + column] =
                low > INT32_MAX ? (int32_t)((int64_t)low - ((int64_t)1 << 32)) : (int32_t)low;
        }
    }
}
