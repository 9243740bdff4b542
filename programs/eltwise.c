/*
 * eltwise.c - element-wise arithmetic: checks, the moduli's constants, and the launch of
 * eltwise.sass, where the formulas are explained.
 */
#include "check.h"
#include "guest.h"
#include "residue.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_N = 1 << 24, LANE_ELEMENTS = 4, MAX_WARPS = 4, MAX_VECTORS = 4 };

/* The values of OP in eltwise.sass. */
enum { OP_ADD, OP_SUB, OP_MUL };

typedef unsigned long long ull;

/* ---------------------------------------------------------------- checks */

static bool known_op(enum fh_eltwise_op op) {
    return op == FH_ELTWISE_ADD || op == FH_ELTWISE_SUB || op == FH_ELTWISE_MUL;
}

fhec_status fh_eltwise_check(const struct fh_eltwise_params *params, struct fh_error *error) {
    const struct fh_map *map;
    error->text[0] = 0;
    fhec_status status = fh_check_map(params->map, FH_WORKLOAD_ELTWISE, &map, error);
    if (status != FHEC_OK)
        return status;
    if (!known_op(params->op))
        return fh_fail(error, FHEC_BAD_INPUT, "the operation must be add, sub or mul");
    if (params->n == 0 || params->n % LANE_ELEMENTS || params->n > MAX_N)
        return fh_fail(error, FHEC_BAD_INPUT, "N must be a multiple of 4 from 4 to %d, not %zu",
                       MAX_N, params->n);
    status = fh_check_limbs(params->limbs, params->n, error);
    if (status == FHEC_OK && !params->q)
        return fh_fail(error, FHEC_BAD_INPUT, "there must be a modulus for each limb");
    for (size_t i = 0; i < params->limbs && status == FHEC_OK; i++)
        if (params->q[i] < 2 || params->q[i] >> 32)
            status = fh_fail(error, FHEC_BAD_INPUT,
                             "q of limb %zu is %llu; it must be at least 2 and below 2^32", i,
                             (ull)params->q[i]);
    return status;
}

static fhec_status check_operand(const struct fh_eltwise_params *params, const char *name,
                                 const uint32_t *elements, struct fh_error *error) {
    for (size_t limb = 0; limb < params->limbs; limb++)
        for (size_t i = 0; i < params->n; i++)
            if (elements[limb * params->n + i] >= params->q[limb])
                return fh_fail(error, FHEC_BAD_INPUT,
                               "element %zu of limb %zu of %s is %u; it must be below q = %llu", i,
                               limb, name, elements[limb * params->n + i], (ull)params->q[limb]);
    return FHEC_OK;
}

/* ---------------------------------------------------------------- tables */

/* A modulus and what the launch's kind of product needs to reduce by it. */
struct constants {
    uint32_t q, words[3];
};

static unsigned bit_length(uint64_t x) {
    unsigned bits = 0;
    for (; x; x >>= 1)
        bits++;
    return bits;
}

/* The shift of MULTIPLY_30, q < 2^30: the largest s with 2^s < q and 2^s / q + h / 2^32 <= 1 for
 * every h. There is one: with q between 2^(k-1) and 2^k, k - 1 or k - 2. */
static unsigned barrett_shift(uint32_t q) {
    unsigned s = bit_length(q) - 1;
    uint64_t most = (uint64_t)(q - 1) * (q - 1);
    while ((uint64_t)1 << s >= q || ((uint64_t)1 << (s + 32)) + (most >> s) * q > (uint64_t)q << 32)
        s--;
    return s;
}

static struct constants constants_of(uint32_t q, unsigned modulus_bits) {
    struct constants c = {.q = q};
    if (modulus_bits <= 30) {
        c.words[1] = barrett_shift(q);
        c.words[0] = (uint32_t)(((uint64_t)1 << (c.words[1] + 32)) / q);
        return c;
    }
    fh_u128 quotient = ((fh_u128)1 << 96) / q + (modulus_bits == 31);
    for (unsigned i = 0; i < 3; i++)
        c.words[i] = (uint32_t)(quotient >> 32 * i);
    return c;
}

static fhec_status upload_constants(struct fh_guest *guest, const struct fh_eltwise_params *params,
                                    unsigned modulus_bits, uint64_t *address) {
    struct constants *constants = fh_table(params->limbs, sizeof *constants);
    if (!constants)
        return fh_fail_memory(guest->error);
    for (size_t i = 0; i < params->limbs; i++)
        constants[i] = constants_of((uint32_t)params->q[i], modulus_bits);
    fhec_status status =
        fh_guest_table(guest, "moduli", constants, params->limbs * sizeof *constants, address);
    free(constants);
    return status;
}

/* ---------------------------------------------------------------- running */

static unsigned op_code(enum fh_eltwise_op op) {
    switch (op) {
    case FH_ELTWISE_ADD: return OP_ADD;
    case FH_ELTWISE_SUB: return OP_SUB;
    case FH_ELTWISE_MUL: break;
    }
    return OP_MUL;
}

/* 30, 31 or 32: which product serves all limbs. */
static unsigned widest(const struct fh_eltwise_params *params) {
    unsigned bits = 30;
    for (size_t i = 0; i < params->limbs; i++)
        if (bit_length(params->q[i]) > bits)
            bits = bit_length(params->q[i]);
    return bits;
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

struct operands {
    const void *a, *b;
    void *out;
    size_t bytes; /* of each */
};

static fhec_status run_kernel(struct fh_guest *guest, const struct fh_eltwise_params *params,
                              bool gme, const struct operands *operands) {
    /* As many elements a block as there are, up to 4 warps and 4 vectors a lane. */
    size_t warp_elements = FHEC_WARP_LANES * LANE_ELEMENTS;
    size_t warps = least((params->n + warp_elements - 1) / warp_elements, MAX_WARPS);
    size_t round = warps * warp_elements;
    size_t vectors = least((params->n + round - 1) / round, MAX_VECTORS);
    unsigned modulus_bits = widest(params);
    const struct fh_define defines[] = {
        {"OP", op_code(params->op)},    {"GME", gme},
        {"MODULUS_BITS", modulus_bits}, {"N", (unsigned)params->n},
        {"WARPS", (unsigned)warps},     {"VECTORS", (unsigned)vectors},
    };
    uint64_t addresses[4];
    fhec_status status =
        fh_guest_assemble(guest, "eltwise.sass", defines, sizeof defines / sizeof *defines);
    if (status == FHEC_OK)
        status = fh_guest_table(guest, "a", operands->a, operands->bytes, &addresses[0]);
    if (status == FHEC_OK)
        status = fh_guest_table(guest, "b", operands->b, operands->bytes, &addresses[1]);
    if (status == FHEC_OK)
        status = fh_guest_alloc(guest, "out", operands->bytes, &addresses[2]);
    if (status == FHEC_OK)
        status = upload_constants(guest, params, modulus_bits, &addresses[3]);
    struct fh_guest_launch launch = {
        .kernel = "eltwise",
        .grid_x = (uint32_t)((params->n + vectors * round - 1) / (vectors * round)),
        .grid_y = (uint32_t)params->limbs,
        .warps = (uint32_t)warps,
        .params = addresses,
        .param_count = sizeof addresses / sizeof *addresses,
    };
    if (status == FHEC_OK)
        status = fh_guest_run(guest, &launch);
    if (status == FHEC_OK)
        status = fh_guest_read(guest, addresses[2], operands->out, operands->bytes);
    return status;
}

fhec_status fh_eltwise_run(fhec_machine *machine, const struct fh_eltwise_params *params,
                           const void *a, const void *b, size_t in_bytes, void *out,
                           struct fh_error *error) {
    const struct fh_map *map = NULL;
    fhec_status status = fh_eltwise_check(params, error);
    if (status == FHEC_OK)
        status = fh_check_map(params->map, FH_WORKLOAD_ELTWISE, &map, error);
    if (status == FHEC_OK)
        status =
            fh_check_bytes(map, params->limbs, params->n, in_bytes, "each of the operands", error);
    if (status == FHEC_OK)
        status = check_operand(params, "a", a, error);
    if (status == FHEC_OK)
        status = check_operand(params, "b", b, error);
    if (status != FHEC_OK)
        return status;
    struct operands operands = {a, b, out, in_bytes};
    struct fh_guest guest = {.machine = machine, .options = &params->options, .error = error};
    status = run_kernel(&guest, params, strcmp(map->name, "gme32") == 0, &operands);
    fh_guest_end(&guest);
    return status;
}
