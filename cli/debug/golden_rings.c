/*
 * golden_rings.c - golden.NAME(...): transforms and their tables, polynomials, base conversion, and
 * CKKS. Orders are those of the library: natural coefficients, bit-reversed evaluations.
 */
#include <stdlib.h>
#include <string.h>

#include "ckks.h"
#include "golden_call.h"

/* ---------------------------------------------------------------- transforms */

static bool transform(struct fh_cli_golden_call *call, bool inverse, fh_golden_order order) {
    const size_t limbs = call->lengths[1], n = fh_cli_golden_columns(call, 0, limbs);
    if (call->count > 2 && call->lengths[2] != limbs)
        return fh_cli_golden_wrong(call, "there is a root for each modulus, or none");
    uint64_t *out = n ? fh_cli_golden_result(call, limbs, n) : NULL;
    return out &&
           fh_cli_golden_status(call, fh_golden_ntt_limbs(inverse, order, n, limbs, call->arrays[1],
                                                          call->count > 2 ? call->arrays[2] : NULL,
                                                          call->arrays[0], out));
}

static bool ntt(struct fh_cli_golden_call *call) {
    return transform(call, false, FH_GOLDEN_BITREV);
}
static bool intt(struct fh_cli_golden_call *call) {
    return transform(call, true, FH_GOLDEN_BITREV);
}
static bool ntt_natural(struct fh_cli_golden_call *call) {
    return transform(call, false, FH_GOLDEN_NATURAL);
}
static bool intt_natural(struct fh_cli_golden_call *call) {
    return transform(call, true, FH_GOLDEN_NATURAL);
}

static bool product(struct fh_cli_golden_call *call, fh_golden_ring ring) {
    const size_t limbs = call->lengths[2], n = fh_cli_golden_columns(call, 0, limbs);
    if (n && call->lengths[1] != call->lengths[0])
        return fh_cli_golden_wrong(call, "the arrays are not of one length");
    if (n > 1 << 14)
        return fh_cli_golden_wrong(call, "by the definition, up to 2^14 coefficients");
    uint64_t *out = n ? fh_cli_golden_result(call, limbs, n) : NULL;
    bool good = out != NULL;
    for (size_t i = 0; good && i < limbs; i++)
        good = fh_cli_golden_status(call, fh_golden_poly_mul(ring, n, call->arrays[2][i],
                                                             call->arrays[0] + i * n,
                                                             call->arrays[1] + i * n, out + i * n));
    return good;
}

static bool poly_mul(struct fh_cli_golden_call *call) {
    return product(call, FH_GOLDEN_NEGACYCLIC);
}
static bool poly_mul_cyclic(struct fh_cli_golden_call *call) {
    return product(call, FH_GOLDEN_CYCLIC);
}

static bool twiddle_table(struct fh_cli_golden_call *call, bool inverse) {
    const size_t n = (size_t)call->numbers[0];
    const uint64_t q = call->numbers[1];
    uint64_t psi = call->numbers[2];
    unsigned bits = 0;
    fh_golden_status status = fh_golden_log2(n, &bits);
    if (status == FH_GOLDEN_OK)
        status =
            call->count > 2 ? fh_golden_check_root(n, q, psi) : fh_golden_smallest_root(n, q, &psi);
    if (status == FH_GOLDEN_OK && inverse)
        status = fh_golden_invmod(psi, q, &psi);
    uint64_t *out = fh_cli_golden_status(call, status) ? fh_cli_golden_result(call, 1, n) : NULL;
    uint64_t power = 1;
    for (size_t i = 0; out && i < n; i++) {
        out[fh_golden_bitrev(i, bits)] = power;
        power = fh_golden_mulmod(power, psi, q);
    }
    return out != NULL;
}

static bool twiddles(struct fh_cli_golden_call *call) {
    return twiddle_table(call, false);
}
static bool inverse_twiddles(struct fh_cli_golden_call *call) {
    return twiddle_table(call, true);
}

static bool fourstep_matrix(struct fh_cli_golden_call *call, unsigned which) {
    const size_t n1 = (size_t)call->numbers[0], n2 = (size_t)call->numbers[1];
    const uint64_t q = call->numbers[2];
    size_t n;
    uint64_t psi;
    if (__builtin_mul_overflow(n1, n2, &n))
        return fh_cli_golden_wrong(call, "n1 n2 is too large");
    if (!fh_cli_golden_status(call, fh_golden_smallest_root(n, q, &psi)))
        return false;
    uint64_t *out = fh_cli_golden_result(call, which == 2 ? n1 : n2, which ? n1 : n2);
    return out &&
           fh_cli_golden_status(call, fh_golden_fourstep_matrices(
                                          FH_GOLDEN_BITREV, n1, n2, q, psi, which == 0 ? out : NULL,
                                          which == 1 ? out : NULL, which == 2 ? out : NULL));
}

static bool fourstep_w1(struct fh_cli_golden_call *call) {
    return fourstep_matrix(call, 0);
}
static bool fourstep_w2(struct fh_cli_golden_call *call) {
    return fourstep_matrix(call, 1);
}
static bool fourstep_w3(struct fh_cli_golden_call *call) {
    return fourstep_matrix(call, 2);
}

static bool bitrev_order(struct fh_cli_golden_call *call) {
    const struct fh_query_array *a = &call->arguments[0].array;
    const size_t n = (size_t)a->shape[a->rank - 1], rows = call->lengths[0] / n;
    unsigned bits;
    if (!fh_cli_golden_status(call, fh_golden_log2(n, &bits)))
        return false;
    uint64_t *out = fh_cli_golden_result(call, rows, n);
    for (size_t i = 0; out && i < call->lengths[0]; i++)
        out[i - i % n + fh_golden_bitrev(i % n, bits)] = call->arrays[0][i];
    return out != NULL;
}

/* ---------------------------------------------------------------- automorphisms */

/* Of evaluations a permutation, limb by limb of the array's shape. */
static bool permute(struct fh_cli_golden_call *call, fh_golden_order order) {
    const struct fh_query_array *a = &call->arguments[0].array;
    const size_t n = (size_t)a->shape[a->rank - 1], limbs = call->lengths[0] / n;
    uint64_t *out = fh_cli_golden_result(call, limbs, n);
    bool good = out != NULL;
    for (size_t i = 0; good && i < limbs; i++)
        good = fh_cli_golden_status(call, fh_golden_automorphism_eval(n, call->numbers[1], order,
                                                                      call->arrays[0] + i * n,
                                                                      out + i * n));
    return good;
}

static bool automorphism(struct fh_cli_golden_call *call) {
    return permute(call, FH_GOLDEN_BITREV);
}
static bool automorphism_natural(struct fh_cli_golden_call *call) {
    return permute(call, FH_GOLDEN_NATURAL);
}

static bool automorphism_coeff(struct fh_cli_golden_call *call) {
    const size_t limbs = call->lengths[2], n = fh_cli_golden_columns(call, 0, limbs);
    uint64_t *out = n ? fh_cli_golden_result(call, limbs, n) : NULL;
    bool good = out != NULL;
    for (size_t i = 0; good && i < limbs; i++)
        good = fh_cli_golden_status(
            call, fh_golden_automorphism_coeff(n, call->arrays[2][i], call->numbers[1],
                                               call->arrays[0] + i * n, out + i * n));
    return good;
}

/* ---------------------------------------------------------------- base conversion, matrices */

static bool convert(struct fh_cli_golden_call *call, bool exact) {
    const fh_golden_bases bases = {.alpha = call->lengths[1],
                                   .from = call->arrays[1],
                                   .target = call->lengths[2],
                                   .to = call->arrays[2]};
    const size_t n = fh_cli_golden_columns(call, 0, bases.alpha);
    uint64_t *out = n ? fh_cli_golden_result(call, bases.target, n) : NULL;
    return out && fh_cli_golden_status(
                      call, exact ? fh_golden_bconv_exact(&bases, n, call->arrays[0], out)
                                  : fh_golden_bconv_fast(&bases, n, call->arrays[0], out));
}

static bool bconv(struct fh_cli_golden_call *call) {
    return convert(call, false);
}
static bool bconv_exact(struct fh_cli_golden_call *call) {
    return convert(call, true);
}

static bool bconv_phat(struct fh_cli_golden_call *call) {
    const fh_golden_bases bases = {.alpha = call->lengths[0],
                                   .from = call->arrays[0],
                                   .target = call->lengths[1],
                                   .to = call->arrays[1]};
    uint64_t *out = fh_cli_golden_result(call, bases.alpha, bases.target);
    return out && fh_cli_golden_status(call, fh_golden_bconv_constants(&bases, NULL, out));
}

static bool bconv_phat_inverse(struct fh_cli_golden_call *call) {
    const fh_golden_bases bases = {
        .alpha = call->lengths[0], .from = call->arrays[0], .target = 1, .to = call->arrays[0]};
    uint64_t *out = fh_cli_golden_result(call, 1, bases.alpha);
    return out && fh_cli_golden_status(call, fh_golden_bconv_constants(&bases, out, NULL));
}

/* a b + c of residues, by the definition. */
static bool fhec(struct fh_cli_golden_call *call) {
    const struct fh_query_array *a = &call->arguments[0].array, *b = &call->arguments[1].array;
    const struct fh_query_array *c = &call->arguments[2].array;
    if (a->rank != 2 || b->rank != 2 || c->rank != 2 || a->shape[1] != b->shape[0] ||
        c->shape[0] != a->shape[0] || c->shape[1] != b->shape[1])
        return fh_cli_golden_wrong(call, "the matrices are m x k, k x n and m x n");
    const size_t m = (size_t)a->shape[0], n = (size_t)b->shape[1], k = (size_t)a->shape[1];
    const uint64_t q = call->numbers[3];
    uint64_t *out = q ? fh_cli_golden_result(call, m, n) : NULL;
    for (size_t i = 0; out && i < m * n; i++) {
        const uint64_t *row = call->arrays[0] + i / n * k, *column = call->arrays[1] + i % n;
        uint64_t sum = call->arrays[2][i];
        for (size_t j = 0; j < k; j++)
            (void)fh_golden_modmad(row[j], column[j * n], sum, q, &sum);
        out[i] = sum % q;
    }
    return out || (!q && fh_cli_golden_wrong(call, "the modulus is 0"));
}

/* ---------------------------------------------------------------- CKKS */

/* How a primitive of ckks.h sees its arguments: array 0 has `polynomials` polynomials of `level`
 * limbs, extended ones with alpha more. */
struct ckks_use {
    fh_golden_ckks *ckks;
    size_t n, level;
};

/* The last arguments: moduli, alpha, dnum. The array's last dimension is n; of an array of one
 * dimension the level is that of all moduli. */
static bool ckks_begin(struct fh_cli_golden_call *call, size_t polynomials, bool extended,
                       struct ckks_use *use) {
    const struct fh_query_array *a = &call->arguments[0].array;
    const size_t moduli = call->count - 3, chain = call->lengths[moduli];
    const uint64_t alpha = call->numbers[moduli + 1], dnum = call->numbers[moduli + 2];
    *use = (struct ckks_use){.ckks = NULL};
    if (!alpha || alpha >= chain)
        return fh_cli_golden_wrong(call, "of the moduli, alpha are the extension, and others are "
                                         "before them");
    const size_t limbs = chain - (size_t)alpha, more = extended ? (size_t)alpha : 0;
    const size_t rows = polynomials * (limbs + more);
    use->n = a->rank > 1 ? (size_t)a->shape[a->rank - 1] : call->lengths[0] / rows;
    if (!use->n || call->lengths[0] % (use->n * polynomials))
        return fh_cli_golden_wrong(call, "the array's elements are no multiple of its limbs'");
    const size_t each = call->lengths[0] / use->n / polynomials;
    unsigned bits;
    if (each <= more || each - more > limbs || each * use->n * polynomials != call->lengths[0])
        return fh_cli_golden_wrong(call, "the array does not have the limbs of a level");
    use->level = each - more;
    if (!fh_cli_golden_status(call, fh_golden_log2(use->n, &bits)))
        return false;
    const fh_golden_ckks_params params = {.log2_n = bits,
                                          .limbs = limbs,
                                          .alpha = (size_t)alpha,
                                          .dnum = (size_t)dnum,
                                          .moduli = call->arrays[moduli]};
    return fh_cli_golden_status(call, fh_golden_ckks_create(&use->ckks, &params));
}

/* Whether array `index` has so many polynomials of the level. */
static bool has(struct fh_cli_golden_call *call, size_t index, size_t elements) {
    return call->lengths[index] == elements ||
           fh_cli_golden_wrong(call, "an array does not have the elements that the first one asks "
                                     "for");
}

static bool mod_up(struct fh_cli_golden_call *call) {
    struct ckks_use u;
    bool good = ckks_begin(call, 1, false, &u);
    uint64_t *out = good ? fh_cli_golden_result(call, u.level + u.ckks->alpha, u.n) : NULL;
    good = out && fh_cli_golden_status(call, fh_golden_ckks_mod_up(u.ckks, u.level,
                                                                   (size_t)call->numbers[1],
                                                                   call->arrays[0], out));
    fh_golden_ckks_free(u.ckks);
    return good;
}

static bool mod_down(struct fh_cli_golden_call *call) {
    struct ckks_use u;
    bool good = ckks_begin(call, 1, true, &u);
    uint64_t *out = good ? fh_cli_golden_result(call, u.level, u.n) : NULL;
    good = out && fh_cli_golden_status(
                      call, fh_golden_ckks_mod_down(u.ckks, u.level, call->arrays[0], out));
    fh_golden_ckks_free(u.ckks);
    return good;
}

static bool rescale(struct fh_cli_golden_call *call) {
    struct ckks_use u;
    bool good = ckks_begin(call, 2, false, &u);
    if (good && u.level < 2)
        good = fh_cli_golden_status(call, FH_GOLDEN_ERR_LEVEL);
    uint64_t *out = good ? fh_cli_golden_result(call, 2 * (u.level - 1), u.n) : NULL;
    good = out && fh_cli_golden_status(
                      call, fh_golden_ckks_rescale(u.ckks, u.level, call->arrays[0], out));
    fh_golden_ckks_free(u.ckks);
    return good;
}

/* A sum over digits: the first array has one polynomial, extended, for each digit of the level. */
static bool inner_product(struct fh_cli_golden_call *call) {
    struct ckks_use u;
    const uint64_t dnum = call->numbers[4];
    bool good = dnum && dnum <= FH_GOLDEN_MAX_LIMBS
                    ? ckks_begin(call, (size_t)dnum, true, &u)
                    : fh_cli_golden_status(call, FH_GOLDEN_ERR_DIGITS);
    if (!good)
        return false;
    good = has(call, 1, fh_golden_ckks_key_elements(u.ckks)) &&
           (fh_golden_ckks_digits(u.ckks, u.level) == dnum ||
            fh_cli_golden_status(call, FH_GOLDEN_ERR_DIGITS));
    uint64_t *out = good ? fh_cli_golden_result(call, 2 * (u.level + u.ckks->alpha), u.n) : NULL;
    good = out &&
           fh_cli_golden_status(call, fh_golden_ckks_inner_product(u.ckks, u.level, call->arrays[0],
                                                                   call->arrays[1], out));
    fh_golden_ckks_free(u.ckks);
    return good;
}

static bool key_switch(struct fh_cli_golden_call *call) {
    struct ckks_use u;
    bool good = ckks_begin(call, 1, false, &u) && has(call, 1, fh_golden_ckks_key_elements(u.ckks));
    uint64_t *out = good ? fh_cli_golden_result(call, 2 * u.level, u.n) : NULL;
    good = out &&
           fh_cli_golden_status(call, fh_golden_ckks_key_switch(u.ckks, u.level, call->arrays[0],
                                                                call->arrays[1], out));
    fh_golden_ckks_free(u.ckks);
    return good;
}

static bool rotate(struct fh_cli_golden_call *call) {
    struct ckks_use u;
    bool good = ckks_begin(call, 2, false, &u) && has(call, 1, fh_golden_ckks_key_elements(u.ckks));
    uint64_t *out = good ? fh_cli_golden_result(call, 2 * u.level, u.n) : NULL;
    good = out &&
           fh_cli_golden_status(call, fh_golden_ckks_rotate(u.ckks, u.level, call->numbers[2],
                                                            call->arrays[0], call->arrays[1], out));
    fh_golden_ckks_free(u.ckks);
    return good;
}

static bool hemult(struct fh_cli_golden_call *call) {
    struct ckks_use u;
    bool good = ckks_begin(call, 2, false, &u) && has(call, 1, call->lengths[0]) &&
                has(call, 2, fh_golden_ckks_key_elements(u.ckks));
    uint64_t *out = good ? fh_cli_golden_result(call, 2 * u.level, u.n) : NULL;
    good = out &&
           fh_cli_golden_status(call, fh_golden_ckks_hemult(u.ckks, u.level, call->arrays[0],
                                                            call->arrays[1], call->arrays[2], out));
    fh_golden_ckks_free(u.ckks);
    return good;
}

const struct fh_cli_golden_row fh_cli_golden_rings[] = {
    {"ntt", "(x, q[, psi])", "am?m", "negacyclic, evaluations bit-reversed", ntt},
    {"intt", "(x, q[, psi])", "am?m", "its inverse", intt},
    {"ntt_natural", "(x, q[, psi])", "am?m", "evaluations in natural order", ntt_natural},
    {"intt_natural", "(x, q[, psi])", "am?m", "its inverse", intt_natural},
    {"poly_mul", "(x, y, q)", "aam", "x y modulo X^n + 1, of coefficients", poly_mul},
    {"poly_mul_cyclic", "(x, y, q)", "aam", "x y modulo X^n - 1", poly_mul_cyclic},
    {"twiddles", "(n, q[, psi])", "nn?n", "psi^i at bitrev(i)", twiddles},
    {"inverse_twiddles", "(n, q[, psi])", "nn?n", "psi^-i at bitrev(i)", inverse_twiddles},
    {"fourstep_w1", "(n1, n2, q)", "nnn", "matrices of the transform as two products", fourstep_w1},
    {"fourstep_w2", "(n1, n2, q)", "nnn", "its twiddles", fourstep_w2},
    {"fourstep_w3", "(n1, n2, q)", "nnn", "the right matrix", fourstep_w3},
    {"bitrev_order", "(x)", "a", "element i at bitrev(i), row by row", bitrev_order},
    {"automorphism", "(x, g)", "an", "X to X^g on evaluations, bit-reversed", automorphism},
    {"automorphism_natural", "(x, g)", "an", "in natural order", automorphism_natural},
    {"automorphism_coeff", "(x, g, q)", "anm", "on coefficients", automorphism_coeff},
    {"bconv", "(x, from, to)", "amm", "fast base conversion, of lists of moduli", bconv},
    {"bconv_exact", "(x, from, to)", "amm", "the exact one", bconv_exact},
    {"bconv_phat", "(from, to)", "mm", "P / p_j modulo q_i, at [j][i]", bconv_phat},
    {"bconv_phat_inverse", "(from)", "m", "(P / p_j)^-1 modulo p_j", bconv_phat_inverse},
    {"fhec", "(a, b, c, q)", "aaan", "a b + c mod q, of matrices", fhec},
    {"mod_up", "(x, digit, moduli, alpha, dnum)", "anmnn", "CKKS: a digit, raised", mod_up},
    {"mod_down", "(x, moduli, alpha, dnum)", "amnn", "x / P", mod_down},
    {"rescale", "(x, moduli, alpha, dnum)", "amnn", "a ciphertext without its last limb", rescale},
    {"inner_product", "(raised, key, moduli, alpha, dnum)", "aamnn", "with a switching key",
     inner_product},
    {"key_switch", "(x, key, moduli, alpha, dnum)", "aamnn", "all three", key_switch},
    {"rotate", "(x, key, r, moduli, alpha, dnum)", "aanmnn", "of a ciphertext, by r slots", rotate},
    {"hemult", "(x, y, key, moduli, alpha, dnum)", "aaamnn", "product of ciphertexts", hemult},
    {0},
};
