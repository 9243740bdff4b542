/*
 * op_bench.c - what one warp instruction takes, in nanoseconds on one host thread: straight code of
 * many of the same instruction in a loop, whose own three instructions in 64 count with it. Each
 * instruction reads what no other of them writes, so that none waits for the one before it.
 *
 * Operands differ in all lanes and are what kernels have: numbers in floating point are between 1
 * and 2 or -2 and -1, so that neither special values nor zeros shorten or lengthen the work. A row
 * "avx2.op.X" or "portable.op.X" is that of another SIMD level; their bars are 3 and 20 times those
 * of AVX-512.
 */
#include "bench.h"

#include <stdio.h>

enum { BLOCKS = 4, THREADS = 256 };
#define MANY 2e-3 /* seconds of a warp, from which on it is enough */

struct loop {
    fhec_machine *machine;
    fhec_program *program;
    uint64_t params[1];
    bool small; /* one warp is enough */
};

static void run(void *context) {
    const struct loop *l = context;
    const fhec_launch launch = {.program = l->program,
                                .grid = {l->small ? 1 : BLOCKS, 1, 1},
                                .block = {l->small ? FHEC_WARP_LANES : THREADS, 1, 1},
                                .params = l->params,
                                .param_bytes = sizeof l->params};
    if (fhec_run(l->machine, &launch) != FHEC_OK)
        bench_die("the kernel failed");
}

/* R0: number of the thread. R4 to R7: integers. R8: one of four values. R10, R12: addresses of the
 * thread's word of the data and of shared memory, R34, R38 and R36: of its byte, 64 and 128 bits of
 * data, R44: of the first word, R13 and R32: of any 128 bits of 2 KiB, some of them several
 * threads'. R17: 128 bits of shared memory. R30: 4. R14 to R16: floats. R18 to R23, by twos:
 * doubles. R24 to R26: pairs of halves. P1 holds in a third of the lanes, in other ones in each
 * warp. */
#define KERNEL(body)                                                                               \
    ".target sm_80\n.kernel K\n.param data, 8\n.shared room, 16384\n.local 64\n"                   \
    "S2R R0, SR_TID.X ;\nIMAD R4, R0, 0x9e3779b1, RZ ;\nIMAD R5, R4, R4, R0 ;\n"                   \
    "LOP3.LUT R6, R4, 0x5a5a5a5a, R5, 0x96, !PT ;\nIMAD R7, R6, R5, R4 ;\n"                        \
    "LOP3.LUT R8, R5, 0x300, RZ, 0xc0, !PT ;\n"                                                    \
    "MOV R10, data ;\nIMAD R10, R0, 0x4, R10 ;\nMOV R11, data+4 ;\nIMAD R12, R0, 0x4, RZ ;\n"      \
    "MOV R9, 0x3f800000 ;\n"                                                                       \
    "LOP3.LUT R14, R4, 0x807fffff, R9, 0xea, !PT ;\n"                                              \
    "LOP3.LUT R15, R5, 0x807fffff, R9, 0xea, !PT ;\n"                                              \
    "LOP3.LUT R16, R7, 0x807fffff, R9, 0xea, !PT ;\n"                                              \
    "MOV R9, 0x3ff00000 ;\nMOV R18, R7 ;\nMOV R20, R6 ;\nMOV R22, R5 ;\n"                          \
    "LOP3.LUT R19, R4, 0x800fffff, R9, 0xea, !PT ;\n"                                              \
    "LOP3.LUT R21, R5, 0x800fffff, R9, 0xea, !PT ;\n"                                              \
    "LOP3.LUT R23, R7, 0x800fffff, R9, 0xea, !PT ;\n"                                              \
    "MOV R9, 0x3c003c00 ;\n"                                                                       \
    "LOP3.LUT R24, R4, 0x83ff83ff, R9, 0xea, !PT ;\n"                                              \
    "LOP3.LUT R25, R5, 0x83ff83ff, R9, 0xea, !PT ;\n"                                              \
    "LOP3.LUT R26, R7, 0x83ff83ff, R9, 0xea, !PT ;\n"                                              \
    "LOP3.LUT R13, R5, 0x7f0, RZ, 0xc0, !PT ;\nMOV R33, data+4 ;\nMOV R30, 0x4 ;\n"                \
    "MOV R32, data ;\nIADD3 R32, R32, R13, RZ ;\n"                                                 \
    "MOV R35, data+4 ;\nMOV R34, data ;\nIADD3 R34, R34, R0, RZ ;\n"                               \
    "MOV R37, data+4 ;\nMOV R36, data ;\nIMAD R36, R0, 0x10, R36 ;\n"                              \
    "MOV R39, data+4 ;\nMOV R38, data ;\nIMAD R38, R0, 0x8, R38 ;\n"                               \
    "MOV R44, data ;\nMOV R45, data+4 ;\nIMAD R17, R0, 0x10, RZ ;\n"                               \
    "ISETP.LT.U32.AND P1, PT, R5, 0x55555555, PT ;\nMOV R31, 64 ;\n"                               \
    "again:\n.rept 64\n" body " ;\n.endr\nIADD3 R31, R31, -0x1, RZ ;\n"                            \
    "ISETP.NE.AND P0, PT, R31, RZ, PT ;\n@P0 BRA again ;\nEXIT ;\n.end\n"

static const struct {
    const char *name, *text;
    double target; /* nanoseconds at AVX-512; 0: none */
} ops[] = {
    {"op.fadd.ns", KERNEL("FADD R28, R14, R15"), 12},
    {"op.fmul.ns", KERNEL("FMUL R28, R14, R15"), 12},
    {"op.ffma.ns", KERNEL("FFMA R28, R14, R15, R16"), 12},
    {"op.fadd.rm.ns", KERNEL("FADD.RM R28, R14, R15"), 12},
    {"op.fmul.d2.ns", KERNEL("FMUL.D2 R28, R14, R15"), 12},
    {"op.ffma.ftz.sat.ns", KERNEL("FFMA.FTZ.SAT R28, R14, -R15, R16"), 12},
    {"op.fsetp.gt.and.ns", KERNEL("FSETP.GT.AND P2, PT, R14, R15, PT"), 12},
    {"op.fmnmx.ns", KERNEL("FMNMX R28, R14, R15, P1"), 12},
    {"op.hadd2.ns", KERNEL("HADD2 R28, R24, R25"), 15},
    {"op.hmul2.ns", KERNEL("HMUL2 R28, R24, R25"), 15},
    {"op.hfma2.ns", KERNEL("HFMA2 R28, R24, R25, R26"), 15},
    {"op.hfma2.signs.ns", KERNEL("HFMA2 R28, R24, -R25, |R26|"), 15},
    {"op.hfma2.relu.ns", KERNEL("HFMA2.RELU R28, R24, R25, R26"), 15},
    {"op.hset2.bf.gt.and.ns", KERNEL("HSET2.BF.GT.AND R28, R24, R25, PT"), 15},
    {"op.hsetp2.gt.and.ns", KERNEL("HSETP2.GT.AND P2, P3, R24, R25, PT"), 15},
    {"op.hfma2.mma.constant.ns", KERNEL("HFMA2.MMA R28, -RZ, RZ, 1.5, 0.25"), 5},
    {"op.dadd.ns", KERNEL("DADD R28, R18, R20"), 25},
    {"op.dmul.ns", KERNEL("DMUL R28, R18, R20"), 25},
    {"op.dfma.ns", KERNEL("DFMA R28, R18, R20, R22"), 25},
    {"op.dadd.rz.ns", KERNEL("DADD.RZ R28, R18, R20"), 25},
    {"op.dmul.rp.ns", KERNEL("DMUL.RP R28, R18, R20"), 25},
    {"op.dfma.rm.ns", KERNEL("DFMA.RM R28, R18, R20, R22"), 25},
    {"op.dsetp.gt.and.ns", KERNEL("DSETP.GT.AND P2, PT, R18, R20, PT"), 25},
    {"op.mufu.rcp.ns", KERNEL("MUFU.RCP R28, R14"), 80},
    {"op.mufu.rsq.ns", KERNEL("MUFU.RSQ R28, |R14|"), 80},
    {"op.mufu.sqrt.ns", KERNEL("MUFU.SQRT R28, |R14|"), 80},
    {"op.mufu.ex2.ns", KERNEL("MUFU.EX2 R28, R14"), 80},
    {"op.mufu.lg2.ns", KERNEL("MUFU.LG2 R28, |R14|"), 80},
    {"op.mufu.sin.ns", KERNEL("MUFU.SIN R28, R14"), 80},
    {"op.mufu.cos.ns", KERNEL("MUFU.COS R28, R14"), 80},
    {"op.mufu.tanh.ns", KERNEL("MUFU.TANH R28, R14"), 80},
    {"op.mufu.ex2.f16.ns", KERNEL("MUFU.EX2.F16 R28, R24"), 80},
    {"op.mufu.rsq64h.ns", KERNEL("MUFU.RSQ64H R28, |R19|"), 80},
    {"op.mufu.rcp64h.ns", KERNEL("MUFU.RCP64H R28, R19"), 80},
    {"op.i2f.u32.ns", KERNEL("I2F.U32 R28, R5"), 25},
    {"op.i2f.f64.u64.ns", KERNEL("I2F.F64.U64 R28, R4"), 25},
    {"op.i2f.u64.rp.ns", KERNEL("I2F.U64.RP R28, R4"), 25},
    {"op.f2i.u32.trunc.ns", KERNEL("F2I.U32.TRUNC.NTZ R28, R14"), 25},
    {"op.f2i.u64.trunc.ns", KERNEL("F2I.U64.TRUNC R28, R14"), 25},
    {"op.f2i.s64.f64.ns", KERNEL("F2I.S64.F64 R28, R18"), 25},
    {"op.f2f.f64.f32.ns", KERNEL("F2F.F64.F32 R28, R14"), 25},
    {"op.f2f.f32.f64.ns", KERNEL("F2F.F32.F64 R28, R18"), 25},
    {"op.f2f.f16.f64.ns", KERNEL("F2F.F16.F64 R28, R18"), 25},
    {"op.f2fp.pack_ab.ns", KERNEL("F2FP.PACK_AB R28, R14, R15"), 25},
    {"op.frnd.f64.ns", KERNEL("FRND.F64.FLOOR R28, R18"), 25},
    {"op.frnd.ns", KERNEL("FRND R28, R14"), 25},
    {"op.match.any.ns", KERNEL("MATCH.ANY R28, R8"), 40},
    {"op.match.any.distinct.ns", KERNEL("MATCH.ANY R28, R5"), 40},
    {"op.redux.sum.ns", KERNEL("REDUX.SUM UR4, R5"), 15},
    {"op.flo.u32.ns", KERNEL("FLO.U32 R28, R5"), 10},
    {"op.popc.ns", KERNEL("POPC R28, R5"), 8},
    {"op.s2r.ns", KERNEL("S2R R28, SR_TID.X"), 8},
    {"op.s2r.laneid.ns", KERNEL("S2R R28, SR_LANEID"), 8},
    {"op.p2r.ns", KERNEL("P2R R28, PR, R4, 0x7f"), 0},
    {"op.r2p.ns", KERNEL("R2P PR, R4, 0x7c"), 0},
    {"op.prmt.register.ns", KERNEL("PRMT R28, R4, R6, R5"), 0},
    {"op.shfl.idx.ns", KERNEL("SHFL.IDX PT, R28, R4, R5, 0x1f"), 15},
    {"op.shfl.bfly.ns", KERNEL("SHFL.BFLY PT, R28, R4, 0x4, 0x1f"), 15},
    {"op.vote.any.ns", KERNEL("VOTE.ANY R28, PT, P1"), 8},
    {"op.bssy_bsync.ns", KERNEL("BSSY B0, 1f ;\n1: BSYNC B0"), 12},
    {"op.if.ns", KERNEL("BSSY B0, 1f ;\n@P1 BRA 1f ;\nNOP ;\n1: BSYNC B0"), 0},
    {"op.warpsync.ns", KERNEL("WARPSYNC 0xffffffff"), 0},
    {"op.imad.wide.u32.ns", KERNEL("IMAD.WIDE.U32 R28, R4, R5, R6"), 6},
    {"op.iadd3.x.ns", KERNEL("IADD3.X R28, R4, R5, R6, P1, !PT"), 6},
    {"op.ldg.e.ns", KERNEL("LDG.E R28, [R10.64]"), 0},
    {"op.ldg.e.guarded.ns", KERNEL("@P1 LDG.E R28, [R10.64]"), 5},
    {"op.stg.e.ns", KERNEL("STG.E [R10.64], R5"), 0},
    {"op.stg.e.guarded.ns", KERNEL("@P1 STG.E [R10.64], R5"), 5},
    {"op.ldg.e.64.guarded.ns", KERNEL("@P1 LDG.E.64 R28, [R38.64]"), 6},
    {"op.ldg.e.128.ns", KERNEL("LDG.E.128 R40, [R36.64]"), 0},
    {"op.ldg.e.128.guarded.ns", KERNEL("@P1 LDG.E.128 R40, [R36.64]"), 8},
    {"op.stg.e.128.guarded.ns", KERNEL("@P1 STG.E.128 [R36.64], R4"), 8},
    {"op.ldg.e.scattered.ns", KERNEL("LDG.E R28, [R32.64]"), 40},
    {"op.ldg.e.scattered.guarded.ns", KERNEL("@P1 LDG.E R28, [R32.64]"), 40},
    {"op.stg.e.scattered.guarded.ns", KERNEL("@P1 STG.E [R32.64], R5"), 40},
    {"op.ldg.e.128.scattered.ns", KERNEL("LDG.E.128 R40, [R32.64]"), 40},
    {"op.ldg.e.128.scattered.guarded.ns", KERNEL("@P1 LDG.E.128 R40, [R32.64]"), 40},
    {"op.stg.e.128.scattered.ns", KERNEL("STG.E.128 [R32.64], R4"), 40},
    {"op.stg.e.128.scattered.guarded.ns", KERNEL("@P1 STG.E.128 [R32.64], R4"), 40},
    {"op.ldg.e.once.ns", KERNEL("IADD3 R10, R10, RZ, RZ ;\nLDG.E R28, [R10.64]"), 0},
    {"op.ldg.e.once.guarded.ns", KERNEL("IADD3 R10, R10, RZ, RZ ;\n@P1 LDG.E R28, [R10.64]"), 0},
    {"op.lds.u8.once.ns", KERNEL("IADD3 R13, R13, RZ, RZ ;\nLDS.U8 R28, [R13]"), 0},
    {"op.sts.u8.once.ns", KERNEL("IADD3 R13, R13, RZ, RZ ;\nSTS.U8 [R13], R5"), 0},
    {"op.lds.once.ns", KERNEL("IADD3 R12, R12, RZ, RZ ;\nLDS R28, [R12]"), 0},
    {"op.stg.e.128.once.ns", KERNEL("IADD3 R36, R36, RZ, RZ ;\nSTG.E.128 [R36.64], R4"), 0},
    {"op.ldg.e.u8.ns", KERNEL("LDG.E.U8 R28, [R34.64]"), 0},
    {"op.ldg.e.s16.scattered.ns", KERNEL("LDG.E.S16 R28, [R32.64]"), 0},
    {"op.stg.e.u8.ns", KERNEL("STG.E.U8 [R34.64], R5"), 0},
    {"op.stg.e.u16.scattered.ns", KERNEL("STG.E.U16 [R32.64], R5"), 0},
    {"op.ld.e.ns", KERNEL("LD.E R28, [R10.64]"), 0},
    {"op.st.e.ns", KERNEL("ST.E [R10.64], R5"), 0},
    {"op.lds.ns", KERNEL("LDS R28, [R12]"), 0},
    {"op.lds.guarded.ns", KERNEL("@P1 LDS R28, [R12]"), 5},
    {"op.sts.guarded.ns", KERNEL("@P1 STS [R12], R5"), 5},
    {"op.lds.u8.ns", KERNEL("LDS.U8 R28, [R12]"), 0},
    {"op.lds.u8.scattered.ns", KERNEL("LDS.U8 R28, [R13]"), 0},
    {"op.lds.u8.guarded.ns", KERNEL("@P1 LDS.U8 R28, [R12]"), 0},
    {"op.sts.u8.ns", KERNEL("STS.U8 [R12], R5"), 0},
    {"op.ldl.ns", KERNEL("LDL R28, [0x10]"), 0},
    {"op.stl.128.ns", KERNEL("STL.128 [0x10], R4"), 0},
    {"op.ldc.ns", KERNEL("LDC R28, c[0x0][R30+0x160]"), 0},
    {"op.ldsm.4.ns", KERNEL("LDSM.16.M88.4 R40, [R17]"), 0},
    {"op.ldsm.mt88.4.ns", KERNEL("LDSM.16.MT88.4 R40, [R17]"), 0},
    {"op.atoms.add.one_word.ns", KERNEL("ATOMS.ADD R28, [RZ], R5"), 0},
    {"op.atoms.add.ns", KERNEL("ATOMS.ADD R28, [R12], R5"), 0},
    {"op.atoms.add.scattered.ns", KERNEL("ATOMS.ADD R28, [R13], R5"), 0},
    {"op.atoms.popc.inc.scattered.ns", KERNEL("ATOMS.POPC.INC.32 RZ, [R13]"), 0},
    {"op.atoms.cas.scattered.ns", KERNEL("ATOMS.CAS R28, [R13], R5, R6"), 0},
    {"op.atomg.e.add.guarded.ns", KERNEL("@P1 ATOMG.E.ADD.STRONG.GPU PT, R28, [R10.64], R5"), 0},
    {"op.atomg.e.cas.scattered.ns", KERNEL("ATOMG.E.CAS.STRONG.GPU PT, R28, [R32], R5, R6"), 0},
    {"op.red.e.add.scattered.ns", KERNEL("RED.E.ADD.STRONG.GPU [R32.64], R5"), 0},
    {"op.red.e.add.64.scattered.ns", KERNEL("RED.E.ADD.64.STRONG.GPU [R32.64], R4"), 0},
    {"op.red.e.max.one_word.ns", KERNEL("RED.E.MAX.STRONG.GPU [R44.64], R5"), 0},
    {"op.red.e.add.f32.ns", KERNEL("RED.E.ADD.F32.FTZ.RN.STRONG.GPU [R10.64], R14"), 0},
    {"op.red.e.add.ns", KERNEL("RED.E.ADD.STRONG.GPU [R10.64], R5"), 0},
};

static const struct {
    const char *prefix;
    fhec_simd simd;
    double bars; /* of AVX-512 */
} levels[] = {
    {"", FHEC_SIMD_BEST, 1}, {"avx2.", FHEC_SIMD_AVX2, 3}, {"portable.", FHEC_SIMD_PORTABLE, 20}};

static void measure(struct bench *b, const char *name, fhec_simd simd, size_t i, double target) {
    struct loop l = {.program = bench_assemble(ops[i].text), .small = true};
    const fhec_machine_options options = {.simd = simd, .threads = 1};
    if (fhec_machine_new(&options, &l.machine) != FHEC_OK)
        return; /* this host has no such level */
    if (fhec_alloc(l.machine, "data", THREADS * 16, 0, &l.params[0]) != FHEC_OK)
        bench_die("no memory for the guest");
    const double before = bench_wall_clock();
    run(&l);
    l.small = bench_wall_clock() - before > MANY;
    const double insts = bench_count(l.machine, run, &l);
    const struct bench_timing t = bench_time(b, run, &l);
    bench_row(b, name, t.median / insts * 1e9, "ns", target, &t);
    fhec_machine_free(l.machine);
    fhec_program_free(l.program);
}

int main(int argc, char **argv) {
    struct bench b = bench_begin(argc, argv);
    b.seconds = 0.2;
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++)
        for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
            char name[64];
            snprintf(name, sizeof name, "%s%s", levels[k].prefix, ops[i].name);
            if (bench_wants(&b, name))
                measure(&b, name, levels[k].simd, i, levels[k].bars * ops[i].target);
        }
    return bench_end(&b);
}
