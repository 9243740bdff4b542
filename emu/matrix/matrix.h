/*
 * matrix.h - the matrix instructions: FHEC, FHEC.MIX, IMMA, BMMA and LDSM.
 *
 * Two layers:
 *   values    functions from fragments to fragments. A fragment is an operand as the registers
 *             hold it: row i of the array is register i of all 32 lanes. They know no warp, check
 *             nothing, and can be tested and timed alone. One set per SIMD level.
 *   handlers  fh_exec_fn: check that all 32 lanes are active and no modulus is 0, collect the
 *             modulus descriptors, call the value function on the warp's registers in place. IMMA
 * with AVX-512 has one per combination of modifiers, with the values computed in it.
 *
 * Every destination may overlap every source: sources are read before anything is written.
 *
 * The decoder asks fh_matrix_for once per machine and takes the handler of an instruction from
 * there by the name that its .isa block gives (`handler fhec`, `fhec_mix`, `imma`, ...). The
 * functions fh_exec_fhec, ... that the generated tables name are those of the reference engine.
 */
#ifndef FH_MATRIX_H
#define FH_MATRIX_H

#include "exec.h"

/* ---------------------------------------------------------------- handlers */

/* What X-macro lists of the matrix handlers are made of: X(name) per .isa handler. */
#define FH_MATRIX_HANDLERS(X) X(fhec) X(fhec_mix) X(imma) X(imma4) X(bmma) X(ldsm)

struct fh_imma;
/* The handler for one combination of types, shape and .SAT. */
typedef fh_exec_fn *fh_imma_select_fn(const struct fh_imma *imma);

struct fh_matrix_ops {
    const char *level; /* "ref", "portable", "avx2", "avx512" */
#define X(name) fh_exec_fn *name;
    FH_MATRIX_HANDLERS(X)
#undef X
    fh_imma_select_fn *select_imma; /* NULL: `imma` is the one for all combinations */
};

extern const struct fh_matrix_ops fh_matrix_ref, fh_matrix_portable;

/* The handlers of an engine at a SIMD level; the reference engine has one set, whatever `simd` is.
 * FHEC_SIMD_BEST: the best that this host can run. NULL: the host cannot run that level. */
const struct fh_matrix_ops *fh_matrix_for(fhec_engine engine, fhec_simd simd);

/* The handler of this set in place of the reference engine's `exec`, for what `op` is; `exec` if
 * it is none of matrices. */
fh_exec_fn *fh_matrix_select(const struct fh_matrix_ops *ops, fh_exec_fn *exec,
                             const struct fh_op *op);

/* The reference engine's handlers. */
#define X(name) fh_exec_fn fh_exec_##name;
FH_MATRIX_HANDLERS(X)
#undef X

/* ---------------------------------------------------------------- values */

typedef uint32_t fh_row[FH_LANES];

/* FHEC: D, C 16x8, A 16x16, B 16x8. */
enum { FH_TILE_ROWS = 16, FH_TILE_COLUMNS = 8, FH_TILE_DEPTH = 16 };

struct fh_modulus {
    uint32_t q;  /* not 0, in an instruction: that faults */
    uint64_t mu; /* floor(2^64 / q), or anything: the value is defined by the steps */
};

__extension__ typedef unsigned __int128 fh_u128;

/* Whether mu = floor(2^64 / q) and q >= 2, which is 2^64 - mu q in 0..q-1. Then all steps together
 * give (C + sum A B) mod q for all operands, and a value function may compute that instead. */
static inline bool fh_modulus_exact(struct fh_modulus modulus) {
    fh_u128 product = (fh_u128)modulus.mu * modulus.q;
    uint64_t rest = 0 - (uint64_t)product;
    /* The product is 2^64 - rest: below 2^64, or 2^64 itself when q is a power of two. */
    return modulus.q >= 2 && rest < modulus.q && (uint64_t)(product >> 64) == (rest == 0);
}

/* One product step: z = r + a b; t = (z mu) >> 64; v = (z - t q) mod 2^33; the low 32 bits of
 * (v >= q ? v - q : v). */
static inline uint32_t fh_fhec_step(struct fh_modulus modulus, uint32_t r, uint32_t a, uint32_t b) {
    uint64_t z = (uint64_t)a * b + r; /* at most (2^32-1)^2 + 2^32-1 < 2^64 */
    uint64_t t = (uint64_t)((fh_u128)z * modulus.mu >> 64);
    uint64_t v = (z - t * modulus.q) & UINT64_C(0x1ffffffff);
    return (uint32_t)(v >= modulus.q ? v - modulus.q : v);
}

/* d = the steps for k = 0..15 from c. a: 8 rows, b, c, d: 4 rows. */
typedef void fh_fhec_fn(const fh_row *a, const fh_row *b, const fh_row *c, fh_row *d,
                        struct fh_modulus modulus);
/* The same with the modulus of column n from lane 4n of the descriptor's four rows m:
 * q, ignored, low and high half of mu. */
typedef void fh_fhec_mix_fn(const fh_row *a, const fh_row *b, const fh_row *c, fh_row *d,
                            const fh_row *m);

fh_fhec_fn fh_fhec_portable, fh_fhec_avx2, fh_fhec_avx512;
fh_fhec_mix_fn fh_fhec_mix_portable, fh_fhec_mix_avx2, fh_fhec_mix_avx512;

/* The eight columns' descriptors out of the rows m. */
void fh_fhec_descriptors(const fh_row *m, struct fh_modulus modulus[FH_TILE_COLUMNS]);
/* The steps as written, column n by modulus[n]: what every level falls back to. */
void fh_fhec_steps(const fh_row *a, const fh_row *b, const fh_row *c, fh_row *d,
                   const struct fh_modulus modulus[FH_TILE_COLUMNS]);

/* The reference: the array of processing elements, cycle by cycle. Returns the cycles until the
 * last result was ready. */
uint32_t fh_fhec_array(const fh_row *a, const fh_row *b, const fh_row *c, fh_row *d,
                       const struct fh_modulus modulus[FH_TILE_COLUMNS]);

/* IMMA of 8-bit elements. */
struct fh_imma {
    uint8_t rows;  /* 8 or 16 */
    uint8_t depth; /* 16 or 32 */
    bool a_signed, b_signed;
    bool saturate; /* clamp the exact sum to int32, else wrap */
};

/* a: rows/8 * depth/16 rows, b: depth/16, c and d: rows/4. */
typedef void fh_imma_fn(const struct fh_imma *imma, const fh_row *a, const fh_row *b,
                        const fh_row *c, fh_row *d);
fh_imma_fn fh_imma_ref, fh_imma_portable, fh_imma_avx2;

#endif
