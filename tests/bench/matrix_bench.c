/*
 * matrix_bench.c - how long one matrix instruction takes: the handlers of every level that this
 * host can run, on a warp's registers, without decoding and scheduling around them. Names without a
 * level are those of the best one; NAME.floor is the time that the multiplies alone take.
 */
#include <stdlib.h>
#include <string.h>

#if defined __x86_64__
#include <immintrin.h>
#endif

#include "bench.h"
#include "engine.h"
#include "isa_names.h"
#include "launch.h"
#include "warp.h"

enum { COUNT = 2000, A = 0, B = 8, C = 12, D = 16, M = 20 };

struct call {
    fh_exec_fn *exec;
    struct fh_warp *w;
    const struct fh_op *op;
};

/* The engine of one level, and the warp that it works on. */
struct level {
    struct bench *b;
    struct fh_engine engine;
    const char *prefix; /* of the names */
    struct fh_warp *w;
};

static void repeat(void *context) {
    const struct call *c = context;
    for (unsigned i = 0; i < COUNT; i++)
        if (!c->exec(c->w, c->op, UINT32_MAX))
            bench_die("the instruction faults");
}

static void measure(const struct level *level, const char *name, double target, unsigned insn,
                    struct fh_op op) {
    char full[64];
    const struct fh_inst inst = {.form = &fh_forms[fh_insns[insn].first_form], .guard = FH_PT};
    op.inst = &inst;
    op.guard = FH_PT;
    fh_engine_bind(&level->engine, &op);
    struct call call = {op.exec, level->w, &op};
    snprintf(full, sizeof full, "%s%s", level->prefix, name);
    if (!bench_wants(level->b, full))
        return;
    struct bench quick = *level->b;
    quick.seconds = 0.2;
    struct bench_timing t = bench_time(&quick, repeat, &call);
    bench_row(level->b, full, t.median / COUNT * 1e9, "ns", *level->prefix ? 0 : target, &t);
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

static void fhec(const struct level *level) {
    static const struct {
        const char *name, *mix;
        uint32_t q;
        bool wrong;
        double target, mix_target;
    } cases[] = {
        {"fhec16816.ns", "fhec16816.mix", 2147352577, false, 80, 110},
        {"fhec16816.q30", "fhec16816.mix.q30", 1073479681, false, 0, 0},
        {"fhec16816.q32", "fhec16816.mix.q32", 4294828033U, false, 0, 0},
        {"fhec16816.wrong_mu", "fhec16816.mix.wrong_mu", 1073479681, true, 0, 0},
    };
    struct fh_op op = {
        .row = {[FH_FHEC_Rd] = D, [FH_FHEC_A] = A, [FH_FHEC_B] = B, [FH_FHEC_C] = C}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fill(level->w, cases[i].q);
        set_modulus(level->w, cases[i].q, UINT64_MAX / cases[i].q - cases[i].wrong);
        op.row[FH_FHEC_M] = 0;
        measure(level, cases[i].name, cases[i].target, FH_INSN_FHEC, op);
        op.row[FH_FHEC_MIX_M] = M;
        measure(level, cases[i].mix, cases[i].mix_target, FH_INSN_FHEC_MIX, op);
    }
}

static void imma(const struct level *level) {
    static const struct {
        const char *name;
        double target;
        uint32_t mod[4]; /* shape, types of A and B, SAT */
    } cases[] = {
        {"imma16816.ns", 12, {FH_IMMA_shape_16816, FH_IMMA_ta_U8, FH_IMMA_tb_U8, 0}},
        {"imma16816.u8.s8", 0, {FH_IMMA_shape_16816, FH_IMMA_ta_U8, FH_IMMA_tb_S8, 0}},
        {"imma16816.s8.s8.sat", 0, {FH_IMMA_shape_16816, FH_IMMA_ta_S8, FH_IMMA_tb_S8, 1}},
        {"imma8816.u8.u8", 0, {FH_IMMA_shape_8816, FH_IMMA_ta_U8, FH_IMMA_tb_U8, 0}},
        {"imma16832.u8.u8", 0, {FH_IMMA_shape_16832, FH_IMMA_ta_U8, FH_IMMA_tb_U8, 0}},
    };
    struct fh_op op = {
        .row = {[FH_IMMA_Rd] = D, [FH_IMMA_A] = A, [FH_IMMA_B] = B, [FH_IMMA_C] = C}};
    fill(level->w, UINT32_MAX);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        op.mod[FH_IMMA_m_shape] = cases[i].mod[0];
        op.mod[FH_IMMA_m_ta] = cases[i].mod[1];
        op.mod[FH_IMMA_m_tb] = cases[i].mod[2];
        op.mod[FH_IMMA_m_SAT] = cases[i].mod[3];
        measure(level, cases[i].name, cases[i].target, FH_INSN_IMMA, op);
    }
}

static void ldsm(const struct level *level) {
    struct fh_op op = {.row = {[FH_LDSM_Rd] = D},
                       .address = {.base = A, .ureg = FH_ZERO_UREG, .bytes = 16, .data = D}};
    for (uint32_t l = 0; l < FH_LANES; l++)
        level->w->r[A][l] = 16 * l;
    op.mod[FH_LDSM_m_count] = FH_LDSM_count_4;
    op.mod[FH_LDSM_m_mode] = FH_LDSM_mode_M88;
    measure(level, "ldsm.m88.4", 0, FH_INSN_LDSM, op);
    op.mod[FH_LDSM_m_mode] = FH_LDSM_mode_MT88;
    measure(level, "ldsm.mt88.4", 0, FH_INSN_LDSM, op);
}

/* ---------------------------------------------------------------- what the processor allows
 *
 * The multiplies that the methods of the AVX-512 handlers cannot do without, and the additions of
 * their products, with operands in registers and nothing around them: what is left of a handler's
 * time is fetching, reducing and storing.
 */
#if defined __x86_64__

#define AVX512 __attribute__((target("avx512f,avx512vnni")))

static inline AVX512 __m512i add(__m512i sum, __m512i product) {
    __asm__ volatile("vpaddq %1, %0, %0" : "+v"(sum) : "v"(product));
    return sum;
}

/* 16 x 16 x 8 products, eight in a multiply: sixteen sums of sixteen. The instructions are spelled
 * out, and so are made here and in this order, the best one known: three additions of four wait for
 * the next multiplies. */
AVX512 static void fhec_floor(void *context) {
    (void)context;
    __m512i sum[16], product[4], late[4], a = _mm512_set1_epi64(3);
#pragma GCC unroll 16
    for (int i = 0; i < 16; i++)
        sum[i] = late[i % 4] = a;
    for (unsigned i = 0; i < COUNT * 16; i++) {
#pragma GCC unroll 4
        for (int row = 0; row < 16; row += 4) {
#pragma GCC unroll 4
            for (int j = 0; j < 4; j++)
                __asm__ volatile("vpmuludq %1, %1, %0" : "=v"(product[j]) : "v"(a));
#pragma GCC unroll 3
            for (int j = 1; j < 4; j++)
                sum[(row + 12 + j) % 16] = add(sum[(row + 12 + j) % 16], late[j]);
            sum[row] = add(sum[row], product[0]);
#pragma GCC unroll 3
            for (int j = 1; j < 4; j++)
                late[j] = product[j];
        }
    }
}

/* The same number of products of bytes, 64 in a multiply that adds, too: eight sums of four. */
AVX512 static void imma_floor(void *context) {
    (void)context;
    __m512i sum[8], a = _mm512_set1_epi64(3);
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++)
        sum[i] = a;
    for (unsigned i = 0; i < COUNT * 4; i++) {
#pragma GCC unroll 8
        for (int j = 0; j < 8; j++)
            __asm__ volatile("vpdpbusd %1, %1, %0" : "+v"(sum[j]) : "v"(a));
    }
}

static void floors(struct bench *b) {
    static const struct {
        const char *name;
        bench_work *work;
    } rows[] = {{"fhec16816.floor", fhec_floor}, {"imma16816.floor", imma_floor}};
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vnni"))
        return;
    struct bench quick = *b;
    quick.seconds = 0.2;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!bench_wants(b, rows[i].name))
            continue;
        struct bench_timing t = bench_time(&quick, rows[i].work, NULL);
        bench_row(b, rows[i].name, t.median / COUNT * 1e9, "ns", 0, &t);
    }
}

#else

static void floors(struct bench *b) {
    (void)b;
}

#endif

int main(int argc, char **argv) {
    static const fhec_simd simd[] = {FHEC_SIMD_BEST, FHEC_SIMD_AVX2, FHEC_SIMD_PORTABLE};
    static const char *const prefix[] = {"", "avx2.", "portable.", "ref."};
    static _Alignas(4096) struct fh_warp warp; /* its rows: in the same place of a page always */
    static uint8_t shared[1024];
    struct bench b = bench_begin(argc, argv);
    struct fh_image image = {.shared_bytes = sizeof shared};
    struct fh_launch_state launch = {.image = &image};
    struct fh_block block = {.launch = &launch, .shared = shared};
    warp.block = &block;
    warp.launch = &launch;
    floors(&b);
    for (int i = 0; i < 4; i++) {
        image.ref = i == 3;
        struct level level = {
            .b = &b,
            .prefix = prefix[i],
            .w = &warp,
        };
        if (!fh_engine_choose(image.ref ? FHEC_ENGINE_REF : FHEC_ENGINE_FAST,
                              image.ref ? FHEC_SIMD_BEST : simd[i], &level.engine))
            continue;
        fhec(&level);
        imma(&level);
        ldsm(&level);
    }
    return bench_end(&b);
}
