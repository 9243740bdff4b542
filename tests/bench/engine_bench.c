/*
 * engine_bench.c - the engine by itself: loops of lane instructions, of memory instructions and of
 * modular ones, on one host thread, in warp instructions per second; and what counters and
 * observers cost.
 */
#include <stdlib.h>

#include "bench.h"
#include "fhec_observe.h"

enum { BLOCKS = 4, THREADS = 256, WARPS = THREADS / 32, TURNS = 64 };

struct loop {
    fhec_machine *machine;
    fhec_program *program;
    uint64_t params[2]; /* address of the data, 64-bit modulus */
    uint32_t blocks, threads;
};

static void run(void *context) {
    const struct loop *l = context;
    const fhec_launch launch = {.program = l->program,
                                .grid = {l->blocks, 1, 1},
                                .block = {l->threads, 1, 1},
                                .params = l->params,
                                .param_bytes = sizeof l->params};
    if (fhec_run(l->machine, &launch) != FHEC_OK)
        bench_die("the kernel failed");
}

/* A kernel around a body of instructions that is run TURNS times. R0 is the thread's number, R2 the
 * address of its own 64 bytes of the data, R32 the same of shared memory. */
#define KERNEL(body)                                                                               \
    ".target sm_80, gme, mont\n.kernel K\n.param data, 8\n.param q, 8\n.shared room, 16384\n"      \
    "S2R R0, SR_TID.X ;\nMOV R1, 0x40 ;\nIMAD.WIDE.U32 R2, R0, R1, data ;\n"                       \
    "IMAD R32, R0, 0x4, RZ ;\nMOV R4, 0x1234567 ;\nMOV R5, R0 ;\nMOV R6, 0x89abcd ;\n"             \
    "MOV R7, 0x7f ;\nMOV R40, 0x3 ;\nMOV R30, 64 ;\n"                                              \
    "MOV R8, R0 ;\nMOV R9, 0x5 ;\nMOV R10, 0x123 ;\nMOV R11, 0x77 ;\n"                             \
    "MOV R12, data ;\nIMAD R12, R0, 0x4, R12 ;\nMOV R13, data+4 ;\n"                               \
    "again:\n" body "IADD3 R30, R30, -0x1, RZ ;\nISETP.NE.AND P0, PT, R30, RZ, PT ;\n"             \
    "@P0 BRA again ;\nEXIT ;\n.end\n"

/* Every instruction needs the result of the one before it. */
static const char alu_text[] = KERNEL(".rept 8\n"
                                      "IADD3 R4, R4, R5, R6 ;\n"
                                      "LOP3.LUT R5, R4, 0x5a5a5a5a, R6, 0x96, !PT ;\n"
                                      "IMAD R6, R5, R4, R7 ;\n"
                                      "SHF.L.U32 R4, R6, 0x3, RZ ;\n"
                                      "IADD3 R4, R4, 0x1234567, R5 ;\n"
                                      "SHF.R.U32.HI R5, RZ, 0x5, R4 ;\n"
                                      "IMNMX.U32 R6, R5, R4, PT ;\n"
                                      "ISETP.GE.U32.AND P1, PT, R6, R7, PT ;\n"
                                      "@P1 IADD3 R6, R6, -R5, RZ ;\n"
                                      "SEL R5, R6, R4, P1 ;\n"
                                      "LOP3.LUT R4, R5, R6, R7, 0xe8, !PT ;\n"
                                      "IMAD R5, R4, 0x9e3779b1, R6 ;\n"
                                      ".endr\n");
static const char global_load[] =
    KERNEL(".rept 32, i\nLDG.E R4, [R12.64 + 0x400 * \\i] ;\n.endr\n");
static const char global_load128[] =
    KERNEL("MOV R1, 0x10 ;\nIMAD.WIDE.U32 R2, R0, R1, data ;\n"
           ".rept 32, i\nLDG.E.128 R4, [R2.64 + 0x1000 * (\\i & 7)] ;\n.endr\n");
static const char global_store[] =
    KERNEL(".rept 32, i\nSTG.E [R12.64 + 0x400 * \\i], R4 ;\n.endr\n");
static const char shared_load[] = KERNEL(".rept 32, i\nLDS R4, [R32 + 0x80 * \\i] ;\n.endr\n");
static const char shared_store[] = KERNEL(".rept 32, i\nSTS [R32 + 0x80 * \\i], R4 ;\n.endr\n");
/* One of each in turn, a third of them with strides that are not the width of the access. */
static const char memory_text[] = KERNEL(".rept 8, i\n"
                                         "LDG.E R4, [R12.64 + 0x400 * \\i] ;\n"
                                         "STS [R32 + 0x400], R4 ;\n"
                                         "LDS R5, [R32 + 0x480] ;\n"
                                         "STG.E [R12.64 + 0x400 * \\i], R5 ;\n"
                                         ".endr\n");
static const char gather_text[] =
    KERNEL("IMAD R33, R0, 0x14, RZ ;\n.rept 16, i\nLDS R4, [R33 + 0x80 * \\i] ;\n"
           "STS [R33 + 0x40 * \\i], R4 ;\n.endr\n");
static const char modmul64[] = KERNEL(".rept 16\nMODMUL.U64 R8, R8, R10, q ;\n.endr\n");
static const char montmul64[] = KERNEL(".rept 16\nMONTMUL.U64 R8, R8, R10, q ;\n.endr\n");
static const char modmul32[] = KERNEL(".rept 16\nMODMUL.U32 R8, R8, R10, q ;\n.endr\n");
static const char montmul32[] = KERNEL(".rept 16\nMONTMUL.U32 R8, R8, R10, q ;\n.endr\n");
static const char modadd64[] = KERNEL(".rept 16\nMODADD.U64 R8, R8, R10, q ;\n.endr\n");

/* One instruction again and again, each with the result of the one before it. */
#define ONE(inst) KERNEL(".rept 32\n" inst " ;\n.endr\n")
static const char iadd3[] = ONE("IADD3 R4, R4, R5, R6");
static const char iadd3_carry[] = ONE("IADD3 R4, P1, R4, R5, RZ");
static const char iadd3_x[] = ONE("IADD3.X R4, P1, R4, R5, RZ, P1, !PT");
static const char guarded[] = ONE("@!P1 IADD3 R4, R4, -R5, RZ");
static const char lop3[] = ONE("LOP3.LUT R4, R4, 0x5a5a5a5a, R6, 0x96, !PT");
static const char shf[] = ONE("SHF.L.U64.HI R4, R4, 0x3, R5");
static const char isetp[] = ONE("ISETP.GE.U32.AND P1, PT, R4, R5, P1");
static const char sel[] = ONE("SEL R4, R4, R5, P1");
static const char imad[] = ONE("IMAD R4, R4, R5, R6");
static const char imad_hi[] = ONE("IMAD.HI.U32 R4, R4, R5, R6");
static const char imad_wide[] = ONE("IMAD.WIDE.U32 R4, R4, R5, R6");
static const char imad_wide_carry[] = ONE("IMAD.WIDE.U32 R4, P1, R4, R5, R6");
static const char prmt[] = ONE("PRMT R4, R4, 0x5410, R5");

static const struct {
    const char *name, *text;
    double target; /* warp instructions per second, or nanoseconds for each */
    uint64_t q;    /* 0: the rate is reported, else the time of one instruction */
    uint32_t threads;
} loops[] = {
    {"alu.warp_insts_per_s", alu_text, 250e6, 0, THREADS},
    {"alu.single_warp_insts_per_s", alu_text, 0, 0, 32},
    {"alu.iadd3.ns", iadd3, 0, 1, THREADS},
    {"alu.iadd3_carry.ns", iadd3_carry, 0, 1, THREADS},
    {"alu.iadd3_x.ns", iadd3_x, 0, 1, THREADS},
    {"alu.iadd3_guarded.ns", guarded, 0, 1, THREADS},
    {"alu.lop3.ns", lop3, 0, 1, THREADS},
    {"alu.shf.ns", shf, 0, 1, THREADS},
    {"alu.isetp.ns", isetp, 0, 1, THREADS},
    {"alu.sel.ns", sel, 0, 1, THREADS},
    {"alu.imad.ns", imad, 0, 1, THREADS},
    {"alu.imad_hi.ns", imad_hi, 0, 1, THREADS},
    {"alu.imad_wide.ns", imad_wide, 0, 1, THREADS},
    {"alu.imad_wide_carry.ns", imad_wide_carry, 0, 1, THREADS},
    {"alu.prmt.ns", prmt, 0, 1, THREADS},
    {"memory.warp_insts_per_s", memory_text, 100e6, 0, THREADS},
    {"memory.global_load_per_s", global_load, 100e6, 0, THREADS},
    {"memory.global_store_per_s", global_store, 100e6, 0, THREADS},
    {"memory.shared_load_per_s", shared_load, 100e6, 0, THREADS},
    {"memory.shared_store_per_s", shared_store, 100e6, 0, THREADS},
    {"memory.global_load128_per_s", global_load128, 0, 0, THREADS},
    {"memory.shared_strided_per_s", gather_text, 0, 0, THREADS},
    {"modmul64.ns", modmul64, 40, UINT64_C(1152921504606830593), THREADS},
    {"modadd64.ns", modadd64, 0, UINT64_C(1152921504606830593), THREADS},
    {"modmul32.ns", modmul32, 0, 1073479681, THREADS},
    {"montmul64.ns", montmul64, 0, UINT64_C(1152921504606830593), THREADS},
    {"montmul32.ns", montmul32, 0, 1073479681, THREADS},
};

static struct loop make(const char *text, uint64_t q, uint32_t threads) {
    struct loop l = {.machine = bench_machine(1),
                     .program = bench_assemble(text),
                     .params = {0, q},
                     .blocks = BLOCKS * THREADS / threads,
                     .threads = threads};
    if (fhec_alloc(l.machine, "data", 1 << 16, 0, &l.params[0]) != FHEC_OK)
        bench_die("no memory for the guest");
    return l;
}

static void discard(struct loop *l) {
    fhec_machine_free(l->machine);
    fhec_program_free(l->program);
}

static void measure(struct bench *b, size_t i) {
    struct loop l = make(loops[i].text, loops[i].q, loops[i].threads);
    double insts = bench_count(l.machine, run, &l);
    struct bench_timing t = bench_time(b, run, &l);
    if (loops[i].q)
        bench_row(b, loops[i].name, t.median / insts * 1e9, "ns", loops[i].target, &t);
    else
        bench_row(b, loops[i].name, insts / t.median, "/s", loops[i].target, &t);
    discard(&l);
}

/* ---------------------------------------------------------------- observers and counters */

static void counted(void *context) {
    struct loop *l = context;
    fhec_machine_count(l->machine, true);
    run(l);
    fhec_machine_count(l->machine, false);
}

static void issued(void *user, const fhec_event *event) {
    uint64_t *sum = user;
    *sum += event->pc;
}

/* What the instruction has written, too. */
static void retired(void *user, const fhec_event *event) {
    uint64_t *sum = user;
    fhec_values values;
    for (size_t i = 0; fhec_event_registers(event, i, &values); i++)
        *sum += values.values[0];
}

static void observe(struct loop *l, fhec_event_kind kind,
                    void (*event)(void *user, const fhec_event *event)) {
    uint64_t sum = 0;
    unsigned number;
    const fhec_observer observer = {
        .user = &sum, .filter.kinds = FHEC_EVENT_BIT(kind), .event = event};
    if (fhec_observe(l->machine, &observer, &number) != FHEC_OK)
        bench_die("no observer");
    run(l);
    fhec_unobserve(l->machine, number);
}

static void observed(void *context) {
    observe(context, FHEC_EVENT_INSTRUCTION, issued);
}

static void observed_values(void *context) {
    observe(context, FHEC_EVENT_RETIRE, retired);
}

/* A machine whose observer and counters have been used and put away again, beside one that never
 * had any: 1, if they cost nothing when absent. */
static void overhead(struct bench *b) {
    struct bench_timing both[2], ratio;
    struct loop used = make(alu_text, 0, THREADS), fresh = make(alu_text, 0, THREADS);
    counted(&used);
    observed(&used);
    ratio = bench_ratio(b, run, &used, run, &fresh, both);
    bench_row(b, "overhead.unused", ratio.median, "x", 1.02, &ratio);
    ratio = bench_ratio(b, counted, &used, run, &fresh, both);
    bench_row(b, "overhead.counting", ratio.median, "x", 1.1, &ratio);
    ratio = bench_ratio(b, observed, &used, run, &fresh, both);
    bench_row(b, "overhead.observing", ratio.median, "x", 2, &ratio);
    ratio = bench_ratio(b, observed_values, &used, run, &fresh, both);
    bench_row(b, "overhead.observing_values", ratio.median, "x", 0, &ratio);
    discard(&used);
    discard(&fresh);
}

int main(int argc, char **argv) {
    struct bench b = bench_begin(argc, argv);
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        if (bench_wants(&b, loops[i].name))
            measure(&b, i);
    if (bench_wants(&b, "overhead"))
        overhead(&b);
    return bench_end(&b);
}
