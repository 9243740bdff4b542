/*
 * ckks_ops.c - homomorphic operations on ciphertexts in evaluation form.
 */
#include "ckks_internal.h"
#include "residues.h"
#include "room.h"

#include <stdlib.h>

/* x mod `last`, taken as the integer nearest to zero, modulo q. */
static uint64_t switch_modulus(uint64_t x, uint64_t last, uint64_t q) {
    if (x <= last / 2) {
        return x % q;
    }
    return (q - (last - x) % q) % q;
}

typedef struct rescale_job {
    const fh_golden_ckks *ckks;
    size_t last;
    const uint64_t *dropped; /* coefficients of the last limb */
    const uint64_t *from;    /* one component */
    uint64_t *to;
} rescale_job;

static void rescale_limb(void *context, size_t i) {
    const rescale_job *job = context;
    const fh_golden_ckks *ckks = job->ckks;
    size_t n = ckks->n;
    uint64_t q = ckks->moduli[i];
    uint64_t q_last = ckks->moduli[job->last];
    uint64_t *to = job->to + i * n;
    for (size_t c = fh_golden_residues_switch(n, q_last, q, job->dropped, to); c < n; c++) {
        to[c] = switch_modulus(job->dropped[c], q_last, q);
    }
    to_evaluations(ckks, i, to, to);
    correct(ckks, q, ckks->q_inverse[job->last][i], job->from + i * n, to, to);
}

fh_golden_status fh_golden_ckks_rescale(const fh_golden_ckks *ckks, size_t level,
                                        const uint64_t *in, uint64_t *out) {
    if (level < 2 || level > ckks->limbs) {
        return FH_GOLDEN_ERR_LEVEL;
    }
    size_t n = ckks->n;
    size_t last = level - 1;
    uint64_t *dropped = malloc(n * sizeof *dropped);
    if (dropped == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    for (size_t component = 0; component < 2; component++) {
        rescale_job job = {ckks, last, dropped, in + component * level * n,
                           out + component * last * n};
        to_coefficients(ckks, last, job.from + last * n, dropped);
        for_each_limb(ckks, last, rescale_limb, &job);
    }
    free(dropped);
    return FH_GOLDEN_OK;
}

/* to (level x n) += a, limb by limb. */
static void add_polynomial(const fh_golden_ckks *ckks, size_t level, const uint64_t *a,
                           uint64_t *to) {
    for (size_t j = 0; j < level; j++) {
        uint64_t *limb = to + j * ckks->n;
        (void)fh_golden_add(ckks->n, ckks->moduli[j], limb, a + j * ckks->n, limb);
    }
    tally(ckks, FH_GOLDEN_CKKS_ADDITION, level);
}

fh_golden_status fh_golden_ckks_galois(const fh_golden_ckks *ckks, size_t level, uint64_t g,
                                       const uint64_t *in, const uint64_t *key, uint64_t *out) {
    fh_golden_status status = check_level(ckks, level);
    if (status == FH_GOLDEN_OK && (g & 1) == 0) {
        status = FH_GOLDEN_ERR_ARGUMENT;
    }
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    size_t n = ckks->n;
    uint64_t *permuted = fh_golden_room(2 * level * n, sizeof *permuted);
    if (permuted == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    status = fh_golden_ckks_permute(ckks, 2 * level, g, in, permuted);
    if (status == FH_GOLDEN_OK) {
        status = fh_golden_ckks_key_switch(ckks, level, permuted + level * n, key, out);
    }
    if (status == FH_GOLDEN_OK) {
        add_polynomial(ckks, level, permuted, out);
    }
    free(permuted);
    return status;
}

fh_golden_status fh_golden_ckks_rotate(const fh_golden_ckks *ckks, size_t level, uint64_t r,
                                       const uint64_t *in, const uint64_t *key, uint64_t *out) {
    uint64_t g = 0;
    fh_golden_status status = fh_golden_galois_element(ckks->n, r, &g);
    return status != FH_GOLDEN_OK ? status : fh_golden_ckks_galois(ckks, level, g, in, key, out);
}

/* product (three polynomials): d0, d1, d2. */
static void tensor(const fh_golden_ckks *ckks, size_t level, const uint64_t *a, const uint64_t *b,
                   uint64_t *product) {
    size_t n = ckks->n;
    for (size_t j = 0; j < level; j++) {
        uint64_t q = ckks->moduli[j];
        const uint64_t *a0 = a + j * n;
        const uint64_t *a1 = a + (level + j) * n;
        const uint64_t *b0 = b + j * n;
        const uint64_t *b1 = b + (level + j) * n;
        uint64_t *d1 = product + (level + j) * n;
        (void)fh_golden_mul(n, q, a0, b0, product + j * n);
        (void)fh_golden_mul(n, q, a0, b1, d1);
        (void)fh_golden_mac(n, q, a1, b0, d1, d1);
        (void)fh_golden_mul(n, q, a1, b1, product + (2 * level + j) * n);
    }
    tally(ckks, FH_GOLDEN_CKKS_PRODUCT, 4 * level);
    tally(ckks, FH_GOLDEN_CKKS_ADDITION, level);
}

fh_golden_status fh_golden_ckks_hemult(const fh_golden_ckks *ckks, size_t level, const uint64_t *a,
                                       const uint64_t *b, const uint64_t *key, uint64_t *out) {
    fh_golden_status status = check_level(ckks, level);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    size_t polynomial = level * ckks->n;
    uint64_t *product = fh_golden_room(3 * polynomial, sizeof *product);
    if (product == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    tensor(ckks, level, a, b, product);
    status = fh_golden_ckks_key_switch(ckks, level, product + 2 * polynomial, key, out);
    if (status == FH_GOLDEN_OK) {
        add_polynomial(ckks, level, product, out);
        add_polynomial(ckks, level, product + polynomial, out + polynomial);
    }
    free(product);
    return status;
}

fh_golden_status fh_golden_ckks_hemult_rescale(const fh_golden_ckks *ckks, size_t level,
                                               const uint64_t *a, const uint64_t *b,
                                               const uint64_t *key, uint64_t *out) {
    if (level < 2 || level > ckks->limbs) {
        return FH_GOLDEN_ERR_LEVEL;
    }
    uint64_t *product = fh_golden_room(2 * level * ckks->n, sizeof *product);
    if (product == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    fh_golden_status status = fh_golden_ckks_hemult(ckks, level, a, b, key, product);
    if (status == FH_GOLDEN_OK) {
        status = fh_golden_ckks_rescale(ckks, level, product, out);
    }
    free(product);
    return status;
}

fh_golden_status fh_golden_ckks_ptmult(const fh_golden_ckks *ckks, size_t level, const uint64_t *in,
                                       const uint64_t *plain, uint64_t *out) {
    fh_golden_status status = check_level(ckks, level);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    for (size_t j = 0; j < 2 * level; j++) {
        (void)fh_golden_mul(ckks->n, ckks->moduli[j % level], in + j * ckks->n,
                            plain + j % level * ckks->n, out + j * ckks->n);
    }
    tally(ckks, FH_GOLDEN_CKKS_PRODUCT, 2 * level);
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_ckks_ptadd(const fh_golden_ckks *ckks, size_t level, const uint64_t *in,
                                      const uint64_t *plain, uint64_t *out) {
    fh_golden_status status = check_level(ckks, level);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    size_t n = ckks->n;
    for (size_t j = 0; j < level; j++) {
        uint64_t q = ckks->moduli[j];
        const uint64_t *second = in + (level + j) * n;
        (void)fh_golden_add(n, q, in + j * n, plain + j * n, out + j * n);
        (void)fh_golden_add_scalar(n, q, second, 0, out + (level + j) * n);
    }
    tally(ckks, FH_GOLDEN_CKKS_ADDITION, level);
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_ckks_headd(const fh_golden_ckks *ckks, size_t level, const uint64_t *a,
                                      const uint64_t *b, uint64_t *out) {
    fh_golden_status status = check_level(ckks, level);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    for (size_t j = 0; j < 2 * level; j++) {
        (void)fh_golden_add(ckks->n, ckks->moduli[j % level], a + j * ckks->n, b + j * ckks->n,
                            out + j * ckks->n);
    }
    tally(ckks, FH_GOLDEN_CKKS_ADDITION, 2 * level);
    return FH_GOLDEN_OK;
}
