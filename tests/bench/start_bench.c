/*
 * start_bench.c - what it takes to start a warp, a block and a launch, apart from what they
 * execute; and kernels that consist of little else: many short blocks, and many barriers of the
 * block.
 *
 * A start is what a warp or block more takes in a launch of a kernel that only ends, its end
 * included; a block, with its only warp. The first launch of a kernel is that of a new machine,
 * which it makes and frees; a repeated one is that of the same kernel of one warp.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum {
    BLOCKS = 4096,
    WARPS = 16,
    LONG = 5000,
    SCANNED = 1024,
    SCAN_BLOCKS = 1024,
    REPEATED = 64,
    PARTED = 1024
};

struct starts {
    fhec_machine *machine;
    fhec_program *program;
    uint64_t params[2];
    uint32_t blocks, threads, times;
};

static void run(void *context) {
    const struct starts *s = context;
    const fhec_launch launch = {.program = s->program,
                                .grid = {s->blocks, 1, 1},
                                .block = {s->threads, 1, 1},
                                .params = s->params,
                                .param_bytes = sizeof s->params};
    for (uint32_t i = 0; i < s->times; i++)
        if (fhec_run(s->machine, &launch) != FHEC_OK)
            bench_die("the kernel failed");
}

static void run_first(void *context) {
    struct starts s = *(const struct starts *)context;
    s.machine = bench_machine(1);
    run(&s);
    fhec_machine_free(s.machine);
}

#define KERNEL(shared, body)                                                                       \
    ".target sm_80\n.kernel K\n.param in, 8\n.param out, 8\n" shared body "EXIT ;\n.end\n"

static const char ends[] = KERNEL("", "");
static const char ends_shared[] = KERNEL(".shared room, 4096\n", "");
/* As many short blocks do: each thread writes a word. */
static const char few[] = KERNEL("", "S2R R0, SR_CTAID.X ;\nS2R R2, SR_TID.X ;\n"
                                     "IMAD R0, R0, 0x20, R2 ;\nMOV R4, 0x4 ;\n"
                                     "IMAD.WIDE.U32 R2, R0, R4, out ;\nSTG.E [R2.64], R0 ;\n");
static const char straight[] = KERNEL("", "S2R R0, SR_TID.X ;\n.rept 1250, i\n"
                                          "IADD3 R1, R0, \\i, RZ ;\n"
                                          "LOP3.LUT R2, R1, R0, RZ, 0x3c, !PT ;\n"
                                          "IMAD R3, R2, 0x9e3779b1, R1 ;\n"
                                          "ISETP.NE.AND P0, PT, R3, RZ, PT ;\n.endr\n");

/* Lanes part and meet again, PARTED times. */
static const char parts[] =
    KERNEL("", "S2R R0, SR_TID.X ;\nISETP.LT.U32.AND P0, PT, R0, 0xb, PT ;\n.rept 1024\n"
               "BSSY B0, 3f ;\n@P0 BRA 1f ;\nIADD3 R1, R0, 0x1, RZ ;\nBRA 2f ;\n"
               "1:\nIADD3 R1, R0, 0x2, RZ ;\n2:\nBSYNC B0 ;\n3:\n.endr\n");

/* Sums of what lies before, as compilers make them: 256 threads with four words each; sums of the
 * threads by way of shared memory, each half of which a thread reads from where another one wrote,
 * with a barrier before and behind. R8: its place in shared memory. */
#define STEP(offset)                                                                               \
    "BAR.SYNC 0x0 ;\nLDS R9, [R8] ;\nLDS R10, [R8 - 4 * " offset "] ;\nIADD3 R9, R9, R10, RZ ;\n"  \
    "BAR.SYNC 0x0 ;\nSTS [R8], R9 ;\n"
static const char scan[] = KERNEL(
    ".shared room, 2048\n",
    "S2R R0, SR_CTAID.X ;\nS2R R1, SR_TID.X ;\nIMAD R0, R0, 0x100, R1 ;\nMOV R2, 0x10 ;\n"
    "IMAD.WIDE.U32 R2, R0, R2, in ;\nLDG.E.128 R4, [R2.64] ;\n"
    "IADD3 R5, R4, R5, RZ ;\nIADD3 R6, R5, R6, RZ ;\nIADD3 R7, R6, R7, RZ ;\n"
    "SHF.L.U32 R8, R1, 0x2, RZ ;\nSTS [R8], RZ ;\nIADD3 R8, R8, 0x400, RZ ;\n"
    "STS [R8], R7 ;\n" STEP("1") STEP("2") STEP("4") STEP("8") STEP("16") STEP("32") STEP("64")
        STEP("128") "IADD3 R9, R9, -R7, RZ ;\nIADD3 R4, R4, R9, RZ ;\nIADD3 R5, R5, R9, RZ ;\n"
                    "IADD3 R6, R6, R9, RZ ;\nIADD3 R7, R7, R9, RZ ;\nMOV R2, 0x10 ;\n"
                    "IMAD.WIDE.U32 R2, R0, R2, out ;\nSTG.E.128 [R2.64], R4 ;\n");
/* The same with shuffles within warps, and two barriers. */
#define SHUFFLE(offset) "SHFL.UP P0, R10, R9, " offset ", RZ ;\n@P0 IADD3 R9, R9, R10, RZ ;\n"
static const char scan_shuffles[] = KERNEL(
    ".shared room, 128\n",
    "S2R R0, SR_CTAID.X ;\nS2R R1, SR_TID.X ;\nIMAD R0, R0, 0x100, R1 ;\nMOV R2, 0x10 ;\n"
    "IMAD.WIDE.U32 R2, R0, R2, in ;\nLDG.E.128 R4, [R2.64] ;\n"
    "IADD3 R5, R4, R5, RZ ;\nIADD3 R6, R5, R6, RZ ;\nIADD3 R7, R6, R7, RZ ;\nMOV R9, R7 "
    ";\n" SHUFFLE("0x1") SHUFFLE("0x2") SHUFFLE("0x4") SHUFFLE("0x8") SHUFFLE(
        "0x10") "LOP3.LUT P1, R11, R1, 0x1f, RZ, 0xc0, !PT ;\nISETP.NE.AND P1, PT, R11, 0x1f, PT "
                ";\n"
                "SHF.R.U32.HI R12, RZ, 0x5, R1 ;\nSHF.L.U32 R13, R12, 0x2, RZ ;\n"
                "@!P1 STS [R13], R9 ;\nBAR.SYNC 0x0 ;\nMOV R15, R9 ;\n"
                "ISETP.NE.AND P2, PT, R12, RZ, PT ;\nBSSY B0, 1f ;\n@P2 BRA 1f ;\n"
                "SHF.L.U32 R14, R1, 0x2, RZ ;\nISETP.GT.U32.AND P3, PT, R1, 0x7, PT ;\n"
                "MOV R9, RZ ;\n@!P3 LDS R9, [R14] ;\n" SHUFFLE("0x1") SHUFFLE("0x2") SHUFFLE(
                    "0x4") "@!P3 STS [R14], R9 ;\n1:\nBSYNC B0 ;\nBAR.SYNC 0x0 ;\nMOV R9, RZ ;\n"
                           "@P2 LDS R9, [R13 - 4] ;\nIADD3 R9, R9, R15, -R7 ;\n"
                           "IADD3 R4, R4, R9, RZ ;\nIADD3 R5, R5, R9, RZ ;\nIADD3 R6, R6, R9, RZ "
                           ";\n"
                           "IADD3 R7, R7, R9, RZ ;\nMOV R2, 0x10 ;\n"
                           "IMAD.WIDE.U32 R2, R0, R2, out ;\nSTG.E.128 [R2.64], R4 ;\n");

/* ---------------------------------------------------------------- starts */

/* Seconds that each of `more` blocks or warps takes beyond those of a smaller launch. */
static void slope(struct bench *b, const char *name, double target, struct starts small,
                  struct starts large, uint32_t more) {
    struct bench_timing both[2];
    if (!bench_wants(b, name))
        return;
    (void)bench_ratio(b, run, &large, run, &small, both);
    const double ns = (both[0].median - both[1].median) / more * 1e9;
    bench_row(b, name, ns, "ns", target, NULL);
}

static void measure_starts(struct bench *b, unsigned threads, const char *tail) {
    struct starts s = {.machine = bench_machine(threads), .threads = 32, .times = 1};
    const struct {
        const char *name, *text;
        double target;
    } blocks[] = {{"start.block", ends, 150},
                  {"start.block.shared4k", ends_shared, 150},
                  {"start.block.few_insts", few, 0}};
    char name[64];
    if (fhec_alloc(s.machine, "out", BLOCKS * 32 * 4, 0, &s.params[1]) != FHEC_OK)
        bench_die("no memory for the guest");
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        s.program = bench_assemble(blocks[i].text);
        struct starts small = s, large = s;
        small.blocks = BLOCKS / 4;
        large.blocks = BLOCKS;
        snprintf(name, sizeof name, "%s%s.ns", blocks[i].name, tail);
        slope(b, name, blocks[i].target, small, large, large.blocks - small.blocks);
        fhec_program_free(s.program);
    }
    s.program = bench_assemble(ends);
    struct starts small = s, large = s;
    small.blocks = large.blocks = BLOCKS / WARPS;
    large.threads = 32 * WARPS;
    snprintf(name, sizeof name, "start.warp%s.ns", tail);
    slope(b, name, 40, small, large, small.blocks * (WARPS - 1));
    fhec_program_free(s.program);
    fhec_machine_free(s.machine);
}

static void measure_launches(struct bench *b) {
    struct starts s = {.blocks = 1, .threads = 32, .times = 1};
    if (bench_wants(b, "start.launch.first.us")) {
        s.program = bench_assemble(straight);
        const struct bench_timing t = bench_time(b, run_first, &s);
        bench_row(b, "start.launch.first.us", t.median * 1e6, "us", 300, &t);
        fhec_program_free(s.program);
    }
    s.times = REPEATED;
    for (unsigned threads = 1; threads <= 2; threads++) {
        const char *const name =
            threads == 1 ? "start.launch.repeated.us" : "start.launch.repeated.2threads.us";
        if (!bench_wants(b, name))
            continue;
        s.program = bench_assemble(few);
        s.machine = bench_machine(threads);
        if (fhec_alloc(s.machine, "out", 32 * 4, 0, &s.params[1]) != FHEC_OK)
            bench_die("no memory for the guest");
        const struct bench_timing t = bench_time(b, run, &s);
        bench_row(b, name, t.median / REPEATED * 1e6, "us", 10, &t);
        fhec_machine_free(s.machine);
        fhec_program_free(s.program);
    }
}

/* ---------------------------------------------------------------- kernels */

static void measure_parting(struct bench *b) {
    struct starts s = {.blocks = 1, .threads = 32, .times = 1};
    if (!bench_wants(b, "start.part_and_meet.ns"))
        return;
    s.program = bench_assemble(parts);
    s.machine = bench_machine(1);
    const struct bench_timing t = bench_time(b, run, &s);
    bench_row(b, "start.part_and_meet.ns", t.median / PARTED * 1e9, "ns", 0, &t);
    fhec_machine_free(s.machine);
    fhec_program_free(s.program);
}

/* Checks what the scans gave: the input was words of 1. */
static void check_scan(const struct starts *s) {
    static uint32_t out[SCANNED * SCAN_BLOCKS];
    if (fhec_read(s->machine, s->params[1], out, sizeof out) != FHEC_OK)
        bench_die("the result cannot be read");
    for (uint32_t i = 0; i < SCANNED * SCAN_BLOCKS; i++)
        if (out[i] != i % SCANNED + 1)
            bench_die("a scan is wrong");
}

static void measure_scan(struct bench *b, const char *name, const char *text, unsigned threads) {
    static uint32_t ones[SCANNED * SCAN_BLOCKS];
    struct starts s = {.blocks = SCAN_BLOCKS, .threads = 256, .times = 1};
    if (!bench_wants(b, name))
        return;
    s.machine = bench_machine(threads);
    s.program = bench_assemble(text);
    for (uint32_t i = 0; i < SCANNED * SCAN_BLOCKS; i++)
        ones[i] = 1;
    if (fhec_alloc(s.machine, "in", sizeof ones, 0, &s.params[0]) != FHEC_OK ||
        fhec_alloc(s.machine, "out", sizeof ones, 0, &s.params[1]) != FHEC_OK ||
        fhec_write(s.machine, s.params[0], ones, sizeof ones) != FHEC_OK)
        bench_die("no memory for the guest");
    struct bench timed = *b;
    timed.wall = threads > 1;
    const double insts = bench_count(s.machine, run, &s);
    const struct bench_timing t = bench_time(&timed, run, &s);
    check_scan(&s);
    bench_row(b, name, insts / t.median, "/s", threads > 1 ? 30e6 : 0, &t);
    fhec_machine_free(s.machine);
    fhec_program_free(s.program);
}

int main(int argc, char **argv) {
    struct bench b = bench_begin(argc, argv);
    b.seconds = 0.5;
    measure_starts(&b, 1, "");
    struct bench by_wall = b;
    by_wall.wall = true;
    measure_starts(&by_wall, 2, ".2threads");
    measure_launches(&b);
    measure_parting(&b);
    measure_scan(&b, "start.scan.warp_insts_per_s", scan, 1);
    measure_scan(&b, "start.scan.2threads.warp_insts_per_s", scan, 2);
    measure_scan(&b, "start.scan_shuffles.warp_insts_per_s", scan_shuffles, 1);
    measure_scan(&b, "start.scan_shuffles.2threads.warp_insts_per_s", scan_shuffles, 2);
    return bench_end(&b);
}
