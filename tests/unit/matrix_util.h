/*
 * matrix_util.h - what the tests of the matrix instructions share: the fragments of the
 * instruction sheet, spelled out a second time and not taken from the layout tables; a warp to run
 * handlers on; random numbers.
 *
 * Matrices are row-major, one element in a word.
 */
#ifndef FH_TESTS_MATRIX_UTIL_H
#define FH_TESTS_MATRIX_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine_levels.h"
#include "golden.h"
#include "isa_names.h"
#include "launch.h"
#include "matrix_fhec.h"
#include "warp.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* An op of the instruction's first form, with no operands yet. */
static inline struct fh_op op_of(unsigned insn, struct fh_inst *inst) {
    *inst = (struct fh_inst){.form = &fh_forms[fh_insns[insn].first_form], .guard = FH_PT};
    return (struct fh_op){.inst = inst, .guard = FH_PT};
}

/* Executes the op, whose rows and modifiers are filled in, for the lanes of `active`. */
static inline bool execute(const struct level *level, struct fh_warp *w, const struct fh_op *op,
                           uint32_t active) {
    struct fh_op bound = *op;
    fh_engine_bind(&level->engine, &bound);
    return bound.exec(w, op, active);
}

/* ---------------------------------------------------------------- random numbers */

struct random {
    uint64_t seed, at;
};

static inline uint64_t random64(struct random *r) {
    return fh_golden_random_word(r->seed, 77, r->at++);
}

static inline uint32_t random32(struct random *r) {
    return (uint32_t)(random64(r) >> 32);
}

static inline uint32_t below(struct random *r, uint32_t limit) {
    return (uint32_t)(random64(r) % limit);
}

/* ---------------------------------------------------------------- fragments of FHEC */

static inline uint32_t *at_a(fh_row *a, uint32_t m, uint32_t k) {
    return &a[m / 8 + 2 * (k / 4)][4 * (m % 8) + k % 4];
}

static inline uint32_t *at_b(fh_row *b, uint32_t k, uint32_t n) {
    return &b[k / 4][4 * n + k % 4];
}

/* C and D of every matrix instruction. */
static inline uint32_t *at_c(fh_row *c, uint32_t m, uint32_t n) {
    return &c[2 * (m / 8) + n % 2][4 * (m % 8) + n / 2];
}

/* ---------------------------------------------------------------- a warp */

/* A warp with all that a matrix handler looks at, and shared memory. */
struct bench {
    struct fh_flow flow; /* flow.w is the warp */
    struct fh_image image;
    struct fh_launch_state launch;
    struct fh_block block;
    uint8_t shared[8192];
};

static inline struct bench *bench_new(void) {
    struct bench *bench = aligned_alloc(64, (sizeof *bench + 63) / 64 * 64);
    assert_non_null(bench);
    memset(bench, 0, sizeof *bench);
    bench->image.shared_bytes = sizeof bench->shared;
    bench->launch.image = &bench->image;
    bench->block.launch = &bench->launch;
    bench->block.shared = bench->shared;
    bench->flow.w.block = &bench->block;
    bench->flow.w.launch = &bench->launch;
    return bench;
}

/* Registers become random, except for those that read zero. */
static inline void scramble(struct bench *bench, struct random *r) {
    for (uint32_t row = 0; row < FH_RZ; row++)
        for (uint32_t l = 0; l < FH_LANES; l++)
            bench->flow.w.r[row][l] = random32(r);
    for (uint32_t i = 0; i < 63; i++)
        bench->flow.w.ur[i] = random32(r);
}

/* The handler refuses: nothing but the fault record has changed. */
static inline void require_fault(struct bench *bench, const struct level *level,
                                 const struct fh_op *op, uint32_t active, fhec_fault_kind kind,
                                 uint32_t lanes) {
    struct fh_warp *before = aligned_alloc(64, sizeof *before);
    assert_non_null(before);
    *before = bench->flow.w;
    bench->launch.fault = (struct fh_fault_record){0};
    assert_false(execute(level, &bench->flow.w, op, active));
    assert_int_equal(bench->launch.fault.kind, kind);
    assert_int_equal(bench->launch.fault.lanes, lanes);
    assert_ptr_equal(bench->launch.fault.op, op);
    assert_true(bench->launch.fault.message[0] != 0);
    assert_memory_equal(before, &bench->flow.w, sizeof *before);
    free(before);
}

#endif
