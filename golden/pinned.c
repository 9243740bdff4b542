/*
 * pinned.c - the table of pinned hashes, and how a row's values are computed again.
 *
 * A pinned hash fixes the meaning of a workload for good: kernels are compared with it without
 * running the reference, and a change of the reference, of the generator or of the default root
 * shows as a changed row.
 */
#include "golden.h"

#include <stdlib.h>

static const fh_golden_pinned rows[] = {
#define PIN(workload, log2_n, bits, limbs, target, order, seed, hash)                              \
    {FH_GOLDEN_##workload, log2_n, bits, limbs, target, FH_GOLDEN_##order, seed, hash},
#include "pinned.def"
#undef PIN
};

size_t fh_golden_pinned_count(void) {
    return sizeof rows / sizeof rows[0];
}

const fh_golden_pinned *fh_golden_pinned_row(size_t index) {
    return index < fh_golden_pinned_count() ? &rows[index] : NULL;
}

const char *fh_golden_pinned_find(const fh_golden_pinned *wanted) {
    for (size_t i = 0; i < fh_golden_pinned_count(); i++) {
        const fh_golden_pinned *row = &rows[i];
        if (row->workload == wanted->workload && row->log2_n == wanted->log2_n &&
            row->bits == wanted->bits && row->limbs == wanted->limbs &&
            row->target == wanted->target && row->order == wanted->order &&
            row->seed == wanted->seed) {
            return row->hash;
        }
    }
    return NULL;
}

const char *fh_golden_workload_name(fh_golden_workload workload) {
    switch (workload) {
    case FH_GOLDEN_NTT: return "ntt";
    case FH_GOLDEN_INTT: return "intt";
    case FH_GOLDEN_BCONV: return "bconv";
    case FH_GOLDEN_ELT_ADD: return "add";
    case FH_GOLDEN_ELT_SUB: return "sub";
    case FH_GOLDEN_ELT_MUL: return "mul";
    case FH_GOLDEN_ELT_MAC: return "mac";
    case FH_GOLDEN_ROTATE: return "rotate";
    case FH_GOLDEN_WORKLOAD_COUNT: break;
    }
    return "unknown";
}

size_t fh_golden_pinned_result_limbs(const fh_golden_pinned *row) {
    return row->workload == FH_GOLDEN_BCONV ? row->target : row->limbs;
}

size_t fh_golden_pinned_element_bytes(const fh_golden_pinned *row) {
    return row->bits <= 32 ? 4 : 8;
}

/* One limb of an element-wise row; a and b are operands, c is added for MAC. */
static fh_golden_status compute_elementwise(const fh_golden_pinned *row, size_t limb, uint64_t q,
                                            const uint64_t *a, uint64_t *out) {
    size_t n = (size_t)1 << row->log2_n;
    uint64_t *b = calloc(2 * n, sizeof *b);
    if (b == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    uint64_t *c = b + n;
    (void)fh_golden_generate(FH_GOLDEN_RANDOM, row->seed + 1, limb, q, n, b);
    (void)fh_golden_generate(FH_GOLDEN_RANDOM, row->seed + 2, limb, q, n, c);
    fh_golden_status status = FH_GOLDEN_ERR_ARGUMENT;
    if (row->workload == FH_GOLDEN_ELT_ADD) {
        status = fh_golden_add(n, q, a, b, out);
    } else if (row->workload == FH_GOLDEN_ELT_SUB) {
        status = fh_golden_sub(n, q, a, b, out);
    } else if (row->workload == FH_GOLDEN_ELT_MUL) {
        status = fh_golden_mul(n, q, a, b, out);
    } else if (row->workload == FH_GOLDEN_ELT_MAC) {
        status = fh_golden_mac(n, q, a, b, c, out);
    }
    free(b);
    return status;
}

/* The row's result from its input (limbs x n) and moduli (source, then target). */
static fh_golden_status compute_from(const fh_golden_pinned *row, const uint64_t *moduli,
                                     const uint64_t *in, uint64_t *out) {
    size_t n = (size_t)1 << row->log2_n;
    if (row->workload == FH_GOLDEN_NTT || row->workload == FH_GOLDEN_INTT) {
        return fh_golden_ntt_limbs(row->workload == FH_GOLDEN_INTT, row->order, n, row->limbs,
                                   moduli, NULL, in, out);
    }
    if (row->workload == FH_GOLDEN_BCONV) {
        fh_golden_bases bases = {row->limbs, moduli, row->target, moduli + row->limbs};
        return fh_golden_bconv_fast(&bases, n, in, out);
    }
    uint64_t g = 1;
    fh_golden_status status = fh_golden_galois_element(n, row->target, &g);
    for (size_t j = 0; j < row->limbs && status == FH_GOLDEN_OK; j++) {
        if (row->workload == FH_GOLDEN_ROTATE) {
            status = fh_golden_automorphism_eval(n, g, row->order, in + j * n, out + j * n);
        } else {
            status = compute_elementwise(row, j, moduli[j], in + j * n, out + j * n);
        }
    }
    return status;
}

fh_golden_status fh_golden_pinned_compute(const fh_golden_pinned *row, uint64_t *out) {
    if (row->log2_n < 1 || row->log2_n > 24) {
        return FH_GOLDEN_ERR_SIZE;
    }
    size_t n = (size_t)1 << row->log2_n;
    bool converts = row->workload == FH_GOLDEN_BCONV;
    if (row->limbs < 1 || row->limbs > FH_GOLDEN_MAX_LIMBS ||
        (converts && (row->target < 1 || row->target > FH_GOLDEN_MAX_LIMBS))) {
        return FH_GOLDEN_ERR_LIMBS;
    }
    if (row->workload >= FH_GOLDEN_WORKLOAD_COUNT) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    uint64_t moduli[2 * FH_GOLDEN_MAX_LIMBS];
    size_t moduli_count = row->limbs + (converts ? row->target : 0);
    fh_golden_status status = fh_golden_prime_chain(n, row->bits, moduli_count, moduli);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    uint64_t *in = calloc(n * row->limbs, sizeof *in);
    if (in == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    status = fh_golden_generate_limbs(FH_GOLDEN_RANDOM, row->seed, row->limbs, moduli, n, in);
    if (status == FH_GOLDEN_OK) {
        status = compute_from(row, moduli, in, out);
    }
    free(in);
    return status;
}
