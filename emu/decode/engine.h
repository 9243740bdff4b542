/*
 * engine.h - from a form to the function that executes it, for each engine.
 */
#ifndef FH_ENGINE_H
#define FH_ENGINE_H

#include "exec.h"

struct fh_threading;
struct fh_matrix_ops;
struct fh_space_ops;

struct fh_engine {
    bool ref;
    fhec_simd simd;           /* of the fast engine; never FHEC_SIMD_BEST */
    fh_exec_fn *const *table; /* reference engine: by form id */
    /* Fast engine, else NULL: what is generated for the form, modifiers and operands of an op. */
    struct fh_functions (*select)(const struct fh_op *op);
    /* What takes the place of that, by form; NULL: nothing does. */
    fh_exec_fn *(*modular)(const struct fh_op *op);   /* fast engine: modular lane instructions */
    fh_exec_fn *(*warp_rows)(const struct fh_op *op); /* fast engine: of kind `warp` */
    const struct fh_matrix_ops *matrix;
    const struct fh_threading *threading; /* of the fast engine */
    const struct fh_space_ops *space;
};

/* False if this host does not have the SIMD level. */
bool fh_engine_choose(fhec_engine engine, fhec_simd simd, struct fh_engine *out);

/* Sets op->access and op->access_space; op->inst and op->control are set. */
void fh_op_access(struct fh_op *op);

/* Sets op->at and op->scalar from inst, row and imm. */
void fh_op_place(struct fh_op *op);

/* Sets op->exec, op->enter and op->control, the rest of `op` being resolved. */
void fh_engine_bind(const struct fh_engine *engine, struct fh_op *op);

#endif
