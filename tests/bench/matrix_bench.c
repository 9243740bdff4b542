/*
 * How long one matrix instruction takes: the handlers of every level that this host can run, on a
 * warp's registers, without decoding and scheduling around them. Prints one line per measurement,
 *
 *     NAME  MEDIAN  MIN  ns
 *
 * of REPEATS timings of about a millisecond each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "isa_names.h"
#include "launch.h"
#include "matrix.h"
#include "warp.h"

enum { REPEATS = 15, A = 0, B = 8, C = 12, D = 16, M = 20 };

static uint64_t nanoseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static uint64_t run(fh_exec_fn *exec, struct fh_warp *w, const struct fh_op *op, uint64_t count) {
    uint64_t start = nanoseconds();
    for (uint64_t i = 0; i < count; i++)
        if (!exec(w, op, UINT32_MAX))
            exit(1);
    return nanoseconds() - start;
}

static void measure(const char *name, const char *level, fh_exec_fn *exec, struct fh_warp *w,
                    const struct fh_op *op) {
    uint64_t count = 1;
    while (run(exec, w, op, count) < 1000000)
        count *= 2;
    double each[REPEATS];
    for (int i = 0; i < REPEATS; i++)
        each[i] = (double)run(exec, w, op, count) / (double)count;
    qsort(each, REPEATS, sizeof *each, by_value);
    printf("%-28s %-9s %9.1f %9.1f  ns\n", name, level, each[REPEATS / 2], each[0]);
}

/* ---------------------------------------------------------------- operands */

static uint64_t next(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static void fill(struct fh_warp *w, uint64_t limit) {
    uint64_t state = limit;
    for (int row = A; row < D; row++)
        for (int l = 0; l < FH_LANES; l++)
            w->r[row][l] = (uint32_t)((next(&state) << 20 ^ next(&state)) % limit);
}

static void set_modulus(struct fh_warp *w, uint32_t q, uint64_t mu) {
    for (int l = 0; l < FH_LANES; l++) {
        w->r[M][l] = q;
        w->r[M + 2][l] = (uint32_t)mu;
        w->r[M + 3][l] = (uint32_t)(mu >> 32);
    }
    w->ur[0] = q;
    w->ur[2] = (uint32_t)mu;
    w->ur[3] = (uint32_t)(mu >> 32);
}

static void fhec(const struct fh_matrix_ops *ops, struct fh_warp *w) {
    static const struct {
        const char *name, *mix;
        uint32_t q;
        bool wrong;
    } cases[] = {
        {"fhec16816 q < 2^30", "fhec16816.mix q < 2^30", 1073479681, false},
        {"fhec16816 q < 2^31", "fhec16816.mix q < 2^31", 2147352577, false},
        {"fhec16816 q < 2^32", "fhec16816.mix q < 2^32", 4294828033U, false},
        {"fhec16816 wrong mu", "fhec16816.mix wrong mu", 1073479681, true},
    };
    struct fh_op op = {
        .row = {[FH_FHEC_Rd] = D, [FH_FHEC_A] = A, [FH_FHEC_B] = B, [FH_FHEC_C] = C}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fill(w, cases[i].q);
        set_modulus(w, cases[i].q, UINT64_MAX / cases[i].q - cases[i].wrong);
        op.row[FH_FHEC_M] = 0;
        measure(cases[i].name, ops->level, ops->fhec, w, &op);
        op.row[FH_FHEC_MIX_M] = M;
        measure(cases[i].mix, ops->level, ops->fhec_mix, w, &op);
    }
}

static void imma(const struct fh_matrix_ops *ops, struct fh_warp *w) {
    static const struct {
        const char *name;
        uint32_t mod[4]; /* shape, types of A and B, SAT */
    } cases[] = {
        {"imma8816.u8.u8", {FH_IMMA_shape_8816, FH_IMMA_ta_U8, FH_IMMA_tb_U8, 0}},
        {"imma16816.u8.u8", {FH_IMMA_shape_16816, FH_IMMA_ta_U8, FH_IMMA_tb_U8, 0}},
        {"imma16816.u8.s8", {FH_IMMA_shape_16816, FH_IMMA_ta_U8, FH_IMMA_tb_S8, 0}},
        {"imma16816.s8.s8.sat", {FH_IMMA_shape_16816, FH_IMMA_ta_S8, FH_IMMA_tb_S8, 1}},
        {"imma16832.u8.u8", {FH_IMMA_shape_16832, FH_IMMA_ta_U8, FH_IMMA_tb_U8, 0}},
    };
    struct fh_op op = {
        .row = {[FH_IMMA_Rd] = D, [FH_IMMA_A] = A, [FH_IMMA_B] = B, [FH_IMMA_C] = C}};
    fill(w, UINT32_MAX);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        op.mod[FH_IMMA_m_shape] = cases[i].mod[0];
        op.mod[FH_IMMA_m_ta] = cases[i].mod[1];
        op.mod[FH_IMMA_m_tb] = cases[i].mod[2];
        op.mod[FH_IMMA_m_SAT] = cases[i].mod[3];
        measure(cases[i].name, ops->level, ops->imma, w, &op);
    }
}

static void ldsm(const struct fh_matrix_ops *ops, struct fh_warp *w) {
    struct fh_op op = {.row = {[FH_LDSM_Rd] = D},
                       .address = {.base = A, .ureg = FH_ZERO_UREG, .bytes = 16, .data = D}};
    for (uint32_t l = 0; l < FH_LANES; l++)
        w->r[A][l] = 16 * l;
    op.mod[FH_LDSM_m_count] = FH_LDSM_count_4;
    op.mod[FH_LDSM_m_mode] = FH_LDSM_mode_M88;
    measure("ldsm.m88.4", ops->level, ops->ldsm, w, &op);
    op.mod[FH_LDSM_m_mode] = FH_LDSM_mode_MT88;
    measure("ldsm.mt88.4", ops->level, ops->ldsm, w, &op);
}

int main(void) {
    static const fhec_simd simd[] = {FHEC_SIMD_AVX512, FHEC_SIMD_AVX2, FHEC_SIMD_PORTABLE};
    static struct fh_warp warp;
    static uint8_t shared[1024];
    struct fh_image image = {.shared_bytes = sizeof shared};
    struct fh_launch_state launch = {.image = &image};
    struct fh_block block = {.launch = &launch, .shared = shared};
    warp.block = &block;
    warp.launch = &launch;
    for (int i = 0; i < 4; i++) {
        image.ref = i == 3;
        const struct fh_matrix_ops *ops = image.ref ? fh_matrix_for(FHEC_ENGINE_REF, FHEC_SIMD_BEST)
                                                    : fh_matrix_for(FHEC_ENGINE_FAST, simd[i]);
        if (!ops)
            continue;
        fhec(ops, &warp);
        imma(ops, &warp);
        ldsm(ops, &warp);
    }
    return 0;
}
