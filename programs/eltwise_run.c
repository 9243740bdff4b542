/*
 * eltwise_run.c - element-wise arithmetic: checks, and one launch of a kernel of poly.sass. How the
 * kernels work is explained there.
 */
#include "parameters.h"
#include "poly.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_N = 1 << 24, MAX_OPERANDS = 3 };

typedef unsigned long long ull;

/* What an operation takes, and its kernel. */
static const struct operation {
    enum fh_poly_kernel kernel;
    unsigned operands; /* a, b, addend: the first so many */
    bool scalar, automorphism;
} operations[] = {
    [FH_ELTWISE_ADD] = {FH_POLY_ADD, 2, false, false},
    [FH_ELTWISE_SUB] = {FH_POLY_SUBTRACT, 2, false, false},
    [FH_ELTWISE_MUL] = {FH_POLY_MULTIPLY, 2, false, false},
    [FH_ELTWISE_MAC] = {FH_POLY_MULTIPLY_ADD, 3, false, false},
    [FH_ELTWISE_ADD_SCALAR] = {FH_POLY_ADD_SCALAR, 1, true, false},
    [FH_ELTWISE_MUL_SCALAR] = {FH_POLY_MULTIPLY_SCALAR, 1, true, false},
    [FH_ELTWISE_AUTOMORPHISM] = {FH_POLY_AUTOMORPHISM, 1, false, true},
    [FH_ELTWISE_INVERSE_AUTOMORPHISM] = {FH_POLY_AUTOMORPHISM, 1, false, true},
};

/* ---------------------------------------------------------------- checks */

static bool transform_size(size_t n) {
    return (n & (n - 1)) == 0 && n >> FH_NTT_MIN_LOG2 && n <= (size_t)1 << FH_NTT_MAX_LOG2;
}

static fhec_status check_moduli(const struct fh_eltwise_params *params, const struct fh_map *map,
                                struct fh_error *error) {
    unsigned bits = map->word_bits == 64 ? FH_MAX_MODULUS_BITS_64 : 32;
    if (!params->q)
        return fh_fail(error, FHEC_BAD_INPUT, "there must be a modulus for each limb");
    for (size_t i = 0; i < params->limbs; i++)
        if (params->q[i] < 2 || params->q[i] >> bits)
            return fh_fail(error, FHEC_BAD_INPUT,
                           "q of limb %zu is %llu; it must be at least 2 and below 2^%u", i,
                           (ull)params->q[i], bits);
    return FHEC_OK;
}

static fhec_status check_scalars(const struct fh_eltwise_params *params, struct fh_error *error) {
    if (!params->scalars)
        return fh_fail(error, FHEC_BAD_INPUT, "there must be a scalar for each limb");
    for (size_t i = 0; i < params->limbs; i++)
        if (params->scalars[i] >= params->q[i])
            return fh_fail(error, FHEC_BAD_INPUT,
                           "the scalar of limb %zu is %llu; it must be below q = %llu", i,
                           (ull)params->scalars[i], (ull)params->q[i]);
    return FHEC_OK;
}

/* Finds the map, too. */
static fhec_status check(const struct fh_eltwise_params *params, const struct fh_map **map,
                         struct fh_error *error) {
    error->text[0] = 0;
    fhec_status status = fh_check_map(params->map, FH_WORKLOAD_ELTWISE, map, error);
    if (status != FHEC_OK || params->options.checked)
        return status;
    if ((unsigned)params->op >= sizeof operations / sizeof *operations)
        return fh_fail(error, FHEC_BAD_INPUT, "there is no operation of the number %u",
                       (unsigned)params->op);
    const struct operation *operation = &operations[params->op];
    if (params->n == 0 || params->n % 4 || params->n > MAX_N)
        return fh_fail(error, FHEC_BAD_INPUT, "N must be a multiple of 4 from 4 to %d, not %zu",
                       MAX_N, params->n);
    if (operation->automorphism && !transform_size(params->n))
        return fh_fail(error, FHEC_BAD_INPUT,
                       "N of an automorphism must be a power of two from 2^%d to 2^%d, not %zu",
                       FH_NTT_MIN_LOG2, FH_NTT_MAX_LOG2, params->n);
    if (operation->automorphism && !(params->galois & 1))
        return fh_fail(error, FHEC_BAD_INPUT, "X -> X^g needs an odd g, not %llu",
                       (ull)params->galois);
    status = fh_check_limbs(params->limbs, params->n, error);
    if (status == FHEC_OK)
        status = check_moduli(params, *map, error);
    if (status == FHEC_OK && operation->scalar)
        status = check_scalars(params, error);
    return status;
}

fhec_status fh_eltwise_check(const struct fh_eltwise_params *params, struct fh_error *error) {
    const struct fh_map *map;
    return check(params, &map, error);
}

static fhec_status check_operand(const struct fh_eltwise_params *params, const struct fh_map *map,
                                 const char *name, const void *elements, struct fh_error *error) {
    if (!elements)
        return fh_fail(error, FHEC_BAD_INPUT, "this operation needs the operand %s", name);
    size_t i = fh_first_unreduced(map, params->q, params->limbs, params->n, elements);
    if (i == params->limbs * params->n)
        return FHEC_OK;
    uint64_t x =
        map->word_bits == 64 ? ((const uint64_t *)elements)[i] : ((const uint32_t *)elements)[i];
    return fh_fail(error, FHEC_BAD_INPUT,
                   "element %zu of limb %zu of %s is %llu; it must be below q = %llu",
                   i % params->n, i / params->n, name, (ull)x, (ull)params->q[i / params->n]);
}

/* ---------------------------------------------------------------- running */

static struct fh_poly_params poly_params(const struct fh_eltwise_params *params,
                                         const struct fh_map *map) {
    struct fh_poly_params p = {.n = params->n, .unit = fh_poly_unit(map), .least_bits = 64};
    for (size_t i = 0; i < params->limbs; i++) {
        unsigned bits = 64 - (unsigned)__builtin_clzll(params->q[i]);
        p.modulus_bits = bits > p.modulus_bits ? bits : p.modulus_bits;
        p.least_bits = bits < p.least_bits ? bits : p.least_bits;
    }
    if (operations[params->op].automorphism) {
        p.rotated = params->limbs;
        p.log2_n = (unsigned)__builtin_ctzll(params->n);
    }
    return p;
}

/* The limbs' constants, as the kernel wants them. */
static fhec_status upload_table(struct fh_poly *poly, const struct fh_eltwise_params *params,
                                uint64_t *address) {
    size_t bytes = fh_poly_entry_bytes(&poly->params);
    unsigned char *entries = fh_table(params->limbs, bytes);
    if (!entries)
        return fh_fail_memory(poly->guest.error);
    for (size_t i = 0; i < params->limbs; i++) {
        void *entry = entries + i * bytes;
        uint64_t q = params->q[i];
        if (params->op == FH_ELTWISE_ADD_SCALAR)
            fh_poly_scalar(&poly->params, q, params->scalars[i], entry);
        else if (params->op == FH_ELTWISE_MUL_SCALAR)
            fh_poly_factor(&poly->params, q, params->scalars[i], entry);
        else
            fh_poly_modulus(&poly->params, q, entry);
    }
    fhec_status status =
        fh_guest_table(&poly->guest, "moduli", entries, params->limbs * bytes, address);
    free(entries);
    return status;
}

/* The last parameter of an automorphism: {g, (g - 1) / 2}, g below 2N. */
static uint64_t element_of(const struct fh_eltwise_params *params) {
    uint64_t g = params->galois, inverse = g; /* right in three bits; each step doubles them */
    for (int i = 0; i < 5; i++)
        inverse *= 2 - g * inverse;
    if (params->op == FH_ELTWISE_INVERSE_AUTOMORPHISM)
        g = inverse;
    g &= 2 * params->n - 1;
    return g | g >> 1 << 32;
}

static fhec_status run_kernel(struct fh_poly *poly, const struct fh_eltwise_params *params,
                              const void *const *operands, size_t bytes, void *out) {
    static const char *const names[MAX_OPERANDS] = {"a", "b", "addend"};
    const struct operation *operation = &operations[params->op];
    unsigned count = operation->operands;
    uint64_t addresses[MAX_OPERANDS + 2];
    fhec_status status = FHEC_OK;
    for (unsigned i = 0; i < count && status == FHEC_OK; i++)
        status = fh_guest_table(&poly->guest, names[i], operands[i], bytes, &addresses[i]);
    if (status == FHEC_OK)
        status = fh_guest_alloc(&poly->guest, "out", bytes, &addresses[count]);
    if (operation->automorphism)
        addresses[count + 1] = element_of(params);
    else if (status == FHEC_OK)
        status = upload_table(poly, params, &addresses[count + 1]);
    if (status == FHEC_OK)
        status = fh_poly_run(poly, operation->kernel, params->limbs, addresses, count + 2);
    if (status == FHEC_OK)
        status = fh_guest_read(&poly->guest, addresses[count], out, bytes);
    return status;
}

fhec_status fh_eltwise_run(fhec_machine *machine, const struct fh_eltwise_params *params,
                           const void *a, const void *b, size_t in_bytes, void *out,
                           struct fh_error *error) {
    static const char *const names[MAX_OPERANDS] = {"a", "b", "the addend"};
    const void *const operands[MAX_OPERANDS] = {a, b, params->addend};
    const struct fh_map *map;
    struct fh_poly poly;
    fhec_status status = check(params, &map, error);
    if (status == FHEC_OK)
        status =
            fh_check_bytes(map, params->limbs, params->n, in_bytes, "each of the operands", error);
    for (unsigned i = 0; status == FHEC_OK && i < operations[params->op].operands; i++)
        status = check_operand(params, map, names[i], operands[i], error);
    if (status != FHEC_OK)
        return status;
    const struct fh_poly_params shape = poly_params(params, map);
    status = fh_poly_make(&poly, &shape, machine, &params->options, error);
    if (status == FHEC_OK)
        status = run_kernel(&poly, params, operands, in_bytes, out);
    fh_poly_free(&poly);
    return status;
}
