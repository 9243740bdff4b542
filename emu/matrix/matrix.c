/*
 * matrix.c - the hand-written handlers of matrix instructions for every engine and SIMD level, and
 * the choice among them. Values are computed elsewhere: matrix_array.c (reference),
 * matrix_portable.c, matrix_*_avx2.c, matrix_*_avx512.c.
 */
#include "matrix.h"

#include <stdio.h>

#include "fault.h"
#include "host_simd.h"
#include "isa_names.h"
#include "matrix_array.h"
#include "matrix_handlers.h"
#include "matrix_imma.h"
#include "space.h"

/* ---------------------------------------------------------------- FHEC */

static bool fault_modulus(struct fh_warp *w, const struct fh_op *op, uint32_t lanes,
                          const char *where) {
    char message[64];
    snprintf(message, sizeof message, "the modulus is 0%s", where);
    return fh_fault_lanes(w, op, FHEC_FAULT_MODULUS, lanes, message);
}

static struct fh_modulus uniform_modulus(const struct fh_warp *w, const struct fh_op *op) {
    const uint32_t *m = &w->ur[op->row[FH_FHEC_M]];
    return (struct fh_modulus){m[0], (uint64_t)m[3] << 32 | m[2]};
}

/* Whether FHEC may be executed: with all lanes, and a modulus. */
static inline bool may_fhec(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    if (!fh_all_lanes(w, op, active))
        return false;
    return w->ur[op->row[FH_FHEC_M]] || fault_modulus(w, op, UINT32_MAX, "");
}

/* The columns' moduli are in lanes 0, 4, .. 28 of the first row. */
static __attribute__((noinline)) bool fault_moduli(struct fh_warp *w, const struct fh_op *op) {
    const uint32_t *q = w->r[op->row[FH_FHEC_MIX_M]];
    uint32_t lanes = 0;
    char where[32];
    for (uint32_t l = 0; l < FH_LANES; l += 4)
        lanes |= q[l] ? 0 : 1u << l;
    snprintf(where, sizeof where, ", that of column %d", __builtin_ctz(lanes) / 4);
    return fault_modulus(w, op, lanes, where);
}

static inline bool may_fhec_mix(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    if (!fh_all_lanes(w, op, active))
        return false;
    const uint32_t *q = w->r[op->row[FH_FHEC_MIX_M]];
    uint64_t below = 0; /* bit 63: a modulus is 0 */
    for (uint32_t l = 0; l < FH_LANES; l += 4)
        below |= (uint64_t)q[l] - 1;
    return !(below >> 63) || fault_moduli(w, op);
}

static inline bool exec_fhec(struct fh_warp *w, const struct fh_op *op, uint32_t active,
                             fh_fhec_fn *value) {
    if (!may_fhec(w, op, active))
        return false;
    value(&w->r[op->row[FH_FHEC_A]], &w->r[op->row[FH_FHEC_B]], &w->r[op->row[FH_FHEC_C]],
          &w->r[op->row[FH_FHEC_Rd]], uniform_modulus(w, op));
    return true;
}

static inline bool exec_fhec_mix(struct fh_warp *w, const struct fh_op *op, uint32_t active,
                                 fh_fhec_mix_fn *value) {
    if (!may_fhec_mix(w, op, active))
        return false;
    value(&w->r[op->row[FH_FHEC_MIX_A]], &w->r[op->row[FH_FHEC_MIX_B]],
          &w->r[op->row[FH_FHEC_MIX_C]], &w->r[op->row[FH_FHEC_MIX_Rd]],
          &w->r[op->row[FH_FHEC_MIX_M]]);
    return true;
}

static bool fhec_ref(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    if (!may_fhec(w, op, active))
        return false;
    struct fh_modulus modulus[FH_TILE_COLUMNS];
    for (uint32_t n = 0; n < FH_TILE_COLUMNS; n++)
        modulus[n] = uniform_modulus(w, op);
    uint32_t cycles = fh_fhec_array(w, op->row[FH_FHEC_A], op->row[FH_FHEC_B], op->row[FH_FHEC_C],
                                    op->row[FH_FHEC_Rd], modulus);
    fh_add_array_cycles(w, cycles);
    return true;
}

static bool fhec_mix_ref(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    if (!may_fhec_mix(w, op, active))
        return false;
    uint32_t words[4][FH_TILE_COLUMNS];
    struct fh_modulus modulus[FH_TILE_COLUMNS];
    fh_matrix_read_32("FHEC.16816.U32.U32.MIX", "M", w, op->row[FH_FHEC_MIX_M], words[0]);
    for (uint32_t n = 0; n < FH_TILE_COLUMNS; n++)
        modulus[n] = (struct fh_modulus){words[0][n], (uint64_t)words[3][n] << 32 | words[2][n]};
    uint32_t cycles = fh_fhec_array(w, op->row[FH_FHEC_MIX_A], op->row[FH_FHEC_MIX_B],
                                    op->row[FH_FHEC_MIX_C], op->row[FH_FHEC_MIX_Rd], modulus);
    fh_add_array_cycles(w, cycles);
    return true;
}

/* ---------------------------------------------------------------- IMMA */

static struct fh_imma imma_of(const struct fh_op *op) {
    uint32_t shape = op->mod[FH_IMMA_m_shape];
    return (struct fh_imma){
        .rows = shape == FH_IMMA_shape_8816 ? 8 : 16,
        .depth = shape == FH_IMMA_shape_16832 ? 32 : 16,
        .a_signed = op->mod[FH_IMMA_m_ta] == FH_IMMA_ta_S8,
        .b_signed = op->mod[FH_IMMA_m_tb] == FH_IMMA_tb_S8,
        .saturate = op->mod[FH_IMMA_m_SAT] != 0,
    };
}

static inline bool exec_imma(struct fh_warp *w, const struct fh_op *op, uint32_t active,
                             fh_imma_fn *value) {
    if (!fh_all_lanes(w, op, active))
        return false;
    struct fh_imma imma = imma_of(op);
    value(&imma, &w->r[op->row[FH_IMMA_A]], &w->r[op->row[FH_IMMA_B]], &w->r[op->row[FH_IMMA_C]],
          &w->r[op->row[FH_IMMA_Rd]]);
    return true;
}

/* ---------------------------------------------------------------- the sets */

static const struct fh_matrix_ops matrix_ref = {
    .level = "ref", .fhec = fhec_ref, .fhec_mix = fhec_mix_ref};

/* The handlers of one level of the fast engine: each calls that level's value function. */
#define LEVEL(level, imma, select_imma)                                                            \
    static bool fhec_##level(struct fh_warp *w, const struct fh_op *op, uint32_t active) {         \
        return exec_fhec(w, op, active, fh_fhec_##level);                                          \
    }                                                                                              \
    static bool fhec_mix_##level(struct fh_warp *w, const struct fh_op *op, uint32_t active) {     \
        return exec_fhec_mix(w, op, active, fh_fhec_mix_##level);                                  \
    }                                                                                              \
    static const struct fh_matrix_ops matrix_##level = {                                           \
        #level,      fhec_##level, fhec_mix_##level, imma, fh_exec_imma4_fast, fh_exec_bmma_fast,  \
        select_imma,                                                                               \
    };

static bool imma_portable(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    return exec_imma(w, op, active, fh_imma_portable);
}
LEVEL(portable, imma_portable, NULL)

#if defined __x86_64__
static bool imma_avx2(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    return exec_imma(w, op, active, fh_imma_avx2);
}
LEVEL(avx2, imma_avx2, NULL)

LEVEL(avx512, NULL, fh_imma_select_avx512)
#endif

const struct fh_matrix_ops *fh_matrix_for(fhec_engine engine, fhec_simd simd) {
    if (engine == FHEC_ENGINE_REF)
        return &matrix_ref;
    if (!fh_host_simd(simd, &simd))
        return NULL;
    switch (simd) {
#if defined __x86_64__
    case FHEC_SIMD_AVX2: return &matrix_avx2;
    case FHEC_SIMD_AVX512: return &matrix_avx512;
#endif
    default: return &matrix_portable;
    }
}

fh_exec_fn *fh_matrix_override(const struct fh_matrix_ops *ops, const struct fh_op *op) {
    switch (op->inst->form->insn) {
    case FH_INSN_FHEC: return ops->fhec;
    case FH_INSN_FHEC_MIX: return ops->fhec_mix;
    case FH_INSN_IMMA:
        if (ops->select_imma) {
            struct fh_imma imma = imma_of(op);
            return ops->select_imma(&imma);
        }
        return ops->imma;
    case FH_INSN_IMMA_4: return ops->imma4;
    case FH_INSN_BMMA: return ops->bmma;
    default: return NULL;
    }
}
