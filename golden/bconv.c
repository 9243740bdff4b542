/*
 * bconv.c - RNS base conversion: fast (Halevi-Polyakov-Shoup, Bajard-Eynard-Hasan-Zucca), exact,
 * and the check that the first is the second plus a small multiple of P.
 *
 * The exact value does not come from the y_j of the fast one: it is built digit by digit in mixed
 * radix as a multi-word integer, x = d_0 + d_1 p_0 + d_2 p_0 p_1 + ..., which lies in [0, P) by
 * construction.
 */
#include "bconv_fast.h"
#include "golden.h"
#include "residues.h"
#include "wide_rest.h"

#include <stdlib.h>
#include <string.h>

typedef fh_golden_u128 u128;

/* Moduli are below 2^61, so a product of 64 of them fits 61 words of 64 bits; one spare word lets a
 * carry be stored without a test. */
#define WORDS (FH_GOLDEN_MAX_LIMBS + 1U)

/* Little-endian, words[used..WORDS-1] are zero. */
typedef struct integer {
    size_t used;
    uint64_t words[WORDS];
} integer;

/* Constants of the mixed-radix reconstruction. */
typedef struct radix_tables {
    integer partial[FH_GOLDEN_MAX_LIMBS + 1U]; /* partial[k] = p_0 ... p_{k-1}; [alpha] = P */
    uint64_t inverse[FH_GOLDEN_MAX_LIMBS];     /* partial[k]^-1 mod p_k */
} radix_tables;

static fh_golden_status check_side(size_t limbs, const uint64_t *moduli, uint64_t least) {
    if (limbs == 0 || limbs > FH_GOLDEN_MAX_LIMBS) {
        return FH_GOLDEN_ERR_LIMBS;
    }
    for (size_t j = 0; j < limbs; j++) {
        if (moduli[j] < least || moduli[j] >> FH_GOLDEN_MAX_MODULUS_BITS != 0) {
            return FH_GOLDEN_ERR_MODULUS;
        }
        for (size_t i = 0; i < j; i++) {
            if (moduli[i] == moduli[j]) {
                return FH_GOLDEN_ERR_REPEATED;
            }
        }
    }
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_bconv_check_bases(const fh_golden_bases *bases) {
    fh_golden_status status = check_side(bases->alpha, bases->from, 2);
    if (status == FH_GOLDEN_OK) {
        status = check_side(bases->target, bases->to, 2);
    }
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    for (size_t j = 0; j < bases->alpha; j++) {
        if ((bases->from[j] & 1) == 0) {
            return FH_GOLDEN_ERR_EVEN_MODULUS;
        }
    }
    for (size_t j = 0; j < bases->alpha; j++) {
        for (size_t i = 0; i < j; i++) {
            if (fh_golden_gcd(bases->from[i], bases->from[j]) != 1) {
                return FH_GOLDEN_ERR_NOT_COPRIME;
            }
        }
    }
    return FH_GOLDEN_OK;
}

/* ------------------------------------------------------------------------------- the fast one */

/* P / p_j mod `modulus`. */
static uint64_t phat_modulo(const fh_golden_bases *bases, size_t j, uint64_t modulus) {
    uint64_t product = 1 % modulus;
    for (size_t i = 0; i < bases->alpha; i++) {
        if (i != j) {
            product = fh_golden_mulmod(product, bases->from[i], modulus);
        }
    }
    return product;
}

fh_golden_status fh_golden_bconv_constants(const fh_golden_bases *bases, uint64_t *phat_inverse,
                                           uint64_t *phat) {
    fh_golden_status status = fh_golden_bconv_check_bases(bases);
    for (size_t j = 0; status == FH_GOLDEN_OK && j < bases->alpha; j++) {
        uint64_t p = bases->from[j];
        if (phat_inverse != NULL) {
            status = fh_golden_invmod(phat_modulo(bases, j, p), p, &phat_inverse[j]);
        }
        for (size_t i = 0; phat != NULL && i < bases->target; i++) {
            phat[j * bases->target + i] = phat_modulo(bases, j, bases->to[i]);
        }
    }
    return status;
}

enum { BLOCK = 128 }; /* elements of a limb at a time, so that the y_j of them stay in a cache */

fh_golden_status fh_golden_bconv_fast_begin(const fh_golden_bases *bases,
                                            fh_golden_fast_conversion *conversion) {
    conversion->bases = bases;
    conversion->words = true;
    fh_golden_status status =
        fh_golden_bconv_constants(bases, conversion->phat_inverse, conversion->phat);
    for (size_t j = 0; j < bases->alpha && status == FH_GOLDEN_OK; j++) {
        conversion->words = conversion->words && bases->from[j] >> 32 == 0;
    }
    return status;
}

/* to[x] = sum_j y_j phat_j mod q_i for `count` elements. */
static void combine(const fh_golden_fast_conversion *c, size_t i, const uint64_t *y, size_t count,
                    uint64_t *to) {
    const size_t alpha = c->bases->alpha;
    const uint64_t q = c->bases->to[i];
    uint64_t factors[FH_GOLDEN_MAX_LIMBS];
    for (size_t j = 0; j < alpha; j++) {
        factors[j] = c->phat[j * c->bases->target + i];
    }
    size_t x = c->words ? fh_golden_residues_combine(count, q, alpha, y, BLOCK, factors, to) : 0;
    for (; x < count; x++) {
        u128 sum = 0; /* at most 64 products below 2^122 */
        for (size_t j = 0; j < alpha; j++) {
            sum += (u128)y[j * BLOCK + x] * factors[j];
        }
        to[x] = fh_golden_rest(sum, q);
    }
}

void fh_golden_bconv_fast_part(const fh_golden_fast_conversion *conversion, size_t n, size_t first,
                               size_t end, const uint64_t *in, uint64_t *const *out) {
    const fh_golden_bases *bases = conversion->bases;
    uint64_t y[FH_GOLDEN_MAX_LIMBS * BLOCK];
    for (size_t x = first; x < end; x += BLOCK) {
        size_t count = end - x < BLOCK ? end - x : BLOCK;
        for (size_t j = 0; j < bases->alpha; j++) {
            (void)fh_golden_mul_scalar(count, bases->from[j], in + j * n + x,
                                       conversion->phat_inverse[j], y + j * BLOCK);
        }
        for (size_t i = 0; i < bases->target; i++) {
            combine(conversion, i, y, count, out[i] + x);
        }
    }
}

fh_golden_status fh_golden_bconv_fast(const fh_golden_bases *bases, size_t n, const uint64_t *in,
                                      uint64_t *out) {
    fh_golden_fast_conversion conversion;
    uint64_t *limbs[FH_GOLDEN_MAX_LIMBS];
    fh_golden_status status = fh_golden_bconv_fast_begin(bases, &conversion);
    if (status == FH_GOLDEN_OK) {
        for (size_t i = 0; i < bases->target; i++) {
            limbs[i] = out + i * n;
        }
        fh_golden_bconv_fast_part(&conversion, n, 0, n, in, limbs);
    }
    return status;
}

/* ------------------------------------------------------------------------------ the exact one */

static uint64_t integer_modulo(const integer *x, uint64_t modulus) {
    uint64_t rest = 0;
    for (size_t i = x->used; i-- > 0;) {
        rest = (uint64_t)(((u128)rest << 64 | x->words[i]) % modulus);
    }
    return rest;
}

/* x += y * factor. */
static void add_multiple(integer *x, const integer *y, uint64_t factor) {
    u128 carry = 0;
    size_t i = 0;
    for (; i < y->used || carry != 0; i++) {
        /* (2^64-1)^2 + 2 (2^64-1) < 2^128 */
        carry += (u128)y->words[i] * factor + x->words[i];
        x->words[i] = (uint64_t)carry;
        carry >>= 64;
    }
    if (i > x->used) {
        x->used = i;
    }
}

/* *tables is owned by the caller (free). Requires checked bases. */
static fh_golden_status make_tables(const fh_golden_bases *bases, radix_tables **tables) {
    radix_tables *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    made->partial[0].used = 1;
    made->partial[0].words[0] = 1;
    for (size_t k = 0; k < bases->alpha; k++) {
        uint64_t p = bases->from[k];
        add_multiple(&made->partial[k + 1], &made->partial[k], p);
        /* Pairwise coprime moduli make this invertible. */
        (void)fh_golden_invmod(integer_modulo(&made->partial[k], p), p, &made->inverse[k]);
    }
    *tables = made;
    return FH_GOLDEN_OK;
}

/* x = the integer in [0, P) with the residues in[k * stride]. */
static void reconstruct(const fh_golden_bases *bases, const radix_tables *tables,
                        const uint64_t *in, size_t stride, integer *x) {
    memset(x, 0, sizeof *x);
    for (size_t k = 0; k < bases->alpha; k++) {
        /* x already has the first k residues; the digit corrects residue k and, being a multiple of
         * p_0 ... p_{k-1}, disturbs none of them. */
        uint64_t p = bases->from[k];
        uint64_t missing = (in[k * stride] % p + (p - integer_modulo(x, p))) % p;
        add_multiple(x, &tables->partial[k], fh_golden_mulmod(missing, tables->inverse[k], p));
    }
}

fh_golden_status fh_golden_bconv_exact(const fh_golden_bases *bases, size_t n, const uint64_t *in,
                                       uint64_t *out) {
    radix_tables *tables = NULL;
    fh_golden_status status = fh_golden_bconv_check_bases(bases);
    if (status == FH_GOLDEN_OK) {
        status = make_tables(bases, &tables);
    }
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    for (size_t c = 0; c < n; c++) {
        integer x;
        reconstruct(bases, tables, in + c, n, &x);
        for (size_t i = 0; i < bases->target; i++) {
            out[i * n + c] = integer_modulo(&x, bases->to[i]);
        }
    }
    free(tables);
    return FH_GOLDEN_OK;
}

/* Whether converted[i * stride] = exact[i] + u * product[i] mod q_i for all i with this u. */
static bool matches(const fh_golden_bases *bases, const uint64_t *exact, const uint64_t *product,
                    uint64_t u, const uint64_t *converted, size_t stride) {
    for (size_t i = 0; i < bases->target; i++) {
        uint64_t q = bases->to[i];
        if (converted[i * stride] != fh_golden_rest((u128)u * product[i] + exact[i], q)) {
            return false;
        }
    }
    return true;
}

fh_golden_status fh_golden_bconv_check(const fh_golden_bases *bases, size_t n, const uint64_t *in,
                                       const uint64_t *converted, size_t *bad) {
    radix_tables *tables = NULL;
    fh_golden_status status = fh_golden_bconv_check_bases(bases);
    if (status == FH_GOLDEN_OK) {
        status = make_tables(bases, &tables);
    }
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    uint64_t product[FH_GOLDEN_MAX_LIMBS];
    for (size_t i = 0; i < bases->target; i++) {
        product[i] = integer_modulo(&tables->partial[bases->alpha], bases->to[i]);
    }
    for (size_t c = 0; c < n && status == FH_GOLDEN_OK; c++) {
        integer x;
        uint64_t exact[FH_GOLDEN_MAX_LIMBS];
        reconstruct(bases, tables, in + c, n, &x);
        for (size_t i = 0; i < bases->target; i++) {
            exact[i] = integer_modulo(&x, bases->to[i]);
        }
        bool found = false;
        for (uint64_t u = 0; u < bases->alpha && !found; u++) {
            found = matches(bases, exact, product, u, converted + c, n);
        }
        if (!found) {
            status = FH_GOLDEN_ERR_MISMATCH;
            if (bad != NULL) {
                *bad = c;
            }
        }
    }
    free(tables);
    return status;
}
