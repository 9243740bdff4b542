/*
 * op_bench.c - what one warp instruction takes, in nanoseconds on one host thread: straight code of
 * many of the same instruction in a loop, so that its end does not count.
 */
#include "bench.h"

enum { BLOCKS = 4, THREADS = 256 };

struct loop {
    fhec_machine *machine;
    fhec_program *program;
    uint64_t params[1];
};

static void run(void *context) {
    const struct loop *l = context;
    const fhec_launch launch = {.program = l->program,
                                .grid = {BLOCKS, 1, 1},
                                .block = {THREADS, 1, 1},
                                .params = l->params,
                                .param_bytes = sizeof l->params};
    if (fhec_run(l->machine, &launch) != FHEC_OK)
        bench_die("the kernel failed");
}

/* R0 is the thread's number, R4 to R8 differ in all lanes and from each other, R10 and R12 are the
 * addresses of the thread's word of the data and of shared memory; P1 holds in a third of the
 * lanes. */
#define KERNEL(body)                                                                               \
    ".target sm_80\n.kernel K\n.param data, 8\n.shared room, 16384\n"                              \
    "S2R R0, SR_TID.X ;\nIMAD R4, R0, 0x9e3779b1, RZ ;\nIMAD R5, R4, R4, R0 ;\n"                   \
    "LOP3.LUT R6, R4, 0x5a5a5a5a, R5, 0x96, !PT ;\nIMAD R7, R6, R5, R4 ;\nMOV R8, 0x11 ;\n"        \
    "MOV R10, data ;\nIMAD R10, R0, 0x4, R10 ;\nMOV R11, data+4 ;\nIMAD R12, R0, 0x4, RZ ;\n"      \
    "ISETP.LT.U32.AND P1, PT, R5, 0x55555555, PT ;\nMOV R30, 64 ;\n"                               \
    "again:\n.rept 64\n" body " ;\n.endr\nIADD3 R30, R30, -0x1, RZ ;\n"                            \
    "ISETP.NE.AND P0, PT, R30, RZ, PT ;\n@P0 BRA again ;\nEXIT ;\n.end\n"

static const struct {
    const char *name, *text;
    double target; /* nanoseconds */
} ops[] = {
    {"op.hfma2.mma.constant.ns", KERNEL("HFMA2.MMA R20, -RZ, RZ, 1.5, 0.25"), 5},
    {"op.iadd3.x.ns", KERNEL("IADD3.X R20, R4, R5, R6, P1, !PT"), 6},
    {"op.imad.wide.u32.ns", KERNEL("IMAD.WIDE.U32 R20, R4, R5, R6"), 6},
    {"op.shfl.idx.ns", KERNEL("SHFL.IDX PT, R20, R4, R5, 0x1f"), 15},
    {"op.vote.any.ns", KERNEL("VOTE.ANY R20, PT, P1"), 8},
    {"op.redux.sum.ns", KERNEL("REDUX.SUM UR4, R5"), 15},
    {"op.match.any.ns", KERNEL("MATCH.ANY R20, R8"), 40},
    {"op.flo.u32.ns", KERNEL("FLO.U32 R20, R5"), 10},
    {"op.popc.ns", KERNEL("POPC R20, R5"), 8},
    {"op.s2r.ns", KERNEL("S2R R20, SR_LANEID"), 8},
    {"op.ldg.e.ns", KERNEL("LDG.E R20, [R10.64]"), 0},
    {"op.ldg.e.guarded.ns", KERNEL("@P1 LDG.E R20, [R10.64]"), 0},
    {"op.lds.u8.ns", KERNEL("LDS.U8 R20, [R12]"), 0},
    {"op.fadd.ns", KERNEL("FADD R20, R4, R5"), 12},
    {"op.fmul.ns", KERNEL("FMUL R20, R4, R5"), 12},
    {"op.ffma.ns", KERNEL("FFMA R20, R4, R5, R6"), 12},
    {"op.fsetp.gt.and.ns", KERNEL("FSETP.GT.AND P2, PT, R4, R5, PT"), 12},
    {"op.hadd2.ns", KERNEL("HADD2 R20, R4, R5"), 15},
    {"op.hfma2.ns", KERNEL("HFMA2 R20, R4, R5, R6"), 15},
    {"op.dadd.ns", KERNEL("DADD R20, R4, R6"), 25},
    {"op.dfma.ns", KERNEL("DFMA R20, R4, R6, R4"), 25},
    {"op.dsetp.gt.and.ns", KERNEL("DSETP.GT.AND P2, PT, R4, R6, PT"), 25},
    {"op.mufu.rcp.ns", KERNEL("MUFU.RCP R20, R5"), 80},
    {"op.i2f.u32.ns", KERNEL("I2F.U32 R20, R5"), 25},
    {"op.i2f.f64.u64.ns", KERNEL("I2F.F64.U64 R20, R4"), 25},
    {"op.f2i.u32.trunc.ns", KERNEL("F2I.U32.TRUNC.NTZ R20, R5"), 25},
};

static void measure(struct bench *b, size_t i) {
    struct loop l = {.machine = bench_machine(1), .program = bench_assemble(ops[i].text)};
    if (fhec_alloc(l.machine, "data", 1 << 16, 0, &l.params[0]) != FHEC_OK)
        bench_die("no memory for the guest");
    const double insts = bench_count(l.machine, run, &l);
    const struct bench_timing t = bench_time(b, run, &l);
    bench_row(b, ops[i].name, t.median / insts * 1e9, "ns", ops[i].target, &t);
    fhec_machine_free(l.machine);
    fhec_program_free(l.program);
}

int main(int argc, char **argv) {
    struct bench b = bench_begin(argc, argv);
    b.seconds = 0.2;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (bench_wants(&b, ops[i].name))
            measure(&b, i);
    return bench_end(&b);
}
