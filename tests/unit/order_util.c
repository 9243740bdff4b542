/* order_util.c - see order_util.h. */
#include "order_util.h"

/* ---------------------------------------------------------------- runs */

const struct order_engine order_engines[ORDER_ENGINES] = {
    {"ref", FHEC_ENGINE_REF, FHEC_SIMD_BEST, 1},
    {"portable", FHEC_ENGINE_FAST, FHEC_SIMD_PORTABLE, 1},
    {"avx2", FHEC_ENGINE_FAST, FHEC_SIMD_AVX2, 3},
    {"avx512", FHEC_ENGINE_FAST, FHEC_SIMD_AVX512, 2},
};

void order_run_on(const struct order_work *w, size_t engine, struct order_outcome *o) {
    const fhec_machine_options options = {.engine = order_engines[engine].engine,
                                          .simd = order_engines[engine].simd,
                                          .threads = order_engines[engine].threads,
                                          .order = w->order};
    fhec_machine *machine;
    fhec_stats stats;
    uint64_t data;
    assert_int_equal(fhec_machine_new(&options, &machine), FHEC_OK);
    assert_int_equal(fhec_alloc(machine, "data", 4 * WORDS, 0, &data), FHEC_OK);
    fhec_machine_count(machine, true);
    const fhec_launch launch = {.program = w->program,
                                .grid = {w->blocks, 1, 1},
                                .block = {w->threads, 1, 1},
                                .params = &data,
                                .param_bytes = sizeof data,
                                .max_steps = w->max_steps};
    memset(o, 0, sizeof *o);
    o->status = fhec_run(machine, &launch);
    const fhec_fault *fault = fhec_machine_fault(machine);
    o->fault = fault ? fault->kind : FHEC_FAULT_NONE;
    snprintf(o->message, sizeof o->message, "%s",
             fault ? fault->message : fhec_machine_error(machine));
    assert_int_equal(fhec_machine_stats(machine, &stats), FHEC_OK);
    o->instructions = stats.warp_insts;
    o->thread_instructions = stats.thread_insts;
    assert_int_equal(fhec_read(machine, data, o->words, sizeof o->words), FHEC_OK);
    fhec_machine_free(machine);
}

struct order_outcome order_run(const struct order_work *w) {
    static struct order_outcome o;
    order_run_on(w, 1, &o);
    return o;
}

void order_expect_same(const char *what, const struct order_outcome *a,
                       const struct order_outcome *b) {
    if (a->status != b->status || a->fault != b->fault || strcmp(a->message, b->message) != 0)
        fail_msg("%s: %d (%s), not %d (%s)", what, b->status, b->message, a->status, a->message);
    if (a->instructions != b->instructions || a->thread_instructions != b->thread_instructions)
        fail_msg("%s: %llu instructions, not %llu", what, (unsigned long long)b->instructions,
                 (unsigned long long)a->instructions);
    assert_memory_equal(a->words, b->words, sizeof a->words);
}

/* The same run on all engines. */
struct order_outcome order_run_everywhere(const struct order_work *w) {
    static struct order_outcome first, other;
    order_run_on(w, 0, &first);
    for (size_t e = 1; e < ORDER_ENGINES; e++)
        if (emu_has_simd(order_engines[e].simd)) {
            order_run_on(w, e, &other);
            order_expect_same(order_engines[e].name, &first, &other);
        }
    return first;
}

fhec_order order_seeded(uint64_t seed) {
    return (fhec_order){.kind = FHEC_ORDER_SEED, .seed = seed};
}

void order_expect_deadlock(const struct order_outcome *o, const char *why) {
    assert_int_equal(o->status, FHEC_GUEST_FAULT);
    assert_int_equal(o->fault, FHEC_FAULT_DEADLOCK);
    if (!strstr(o->message, why))
        fail_msg("%s", o->message);
    assert_true(o->instructions < FAST_DEADLOCK);
}

void order_begin(struct order_guest *g, const char *text, uint32_t blocks, uint32_t threads,
                 const fhec_order *order) {
    const fhec_machine_options options = {.threads = 1, .order = *order};
    g->program = emu_assemble(text);
    assert_int_equal(fhec_machine_new(&options, &g->machine), FHEC_OK);
    assert_int_equal(fhec_alloc(g->machine, "data", 4 * WORDS, 0, &g->data), FHEC_OK);
    g->launch = (fhec_launch){.program = g->program,
                              .grid = {blocks, 1, 1},
                              .block = {threads, 1, 1},
                              .params = &g->data,
                              .param_bytes = sizeof g->data};
}

void order_end(struct order_guest *g) {
    fhec_machine_free(g->machine);
    fhec_program_free(g->program);
}

/* ---------------------------------------------------------------- kernels */

/* Word 0 counts, with loads and stores that others can come between: 4 * 4 warps, 50 times each. */
const char order_racing[] =
    BEGIN "MOV R8, 0x32 ;\nloop: LDG.E R9, [R6.64] ;\nIADD3 R9, R9, 0x1, RZ ;\n"
          "STG.E [R6.64], R9 ;\nIADD3 R8, R8, -0x1, RZ ;\nISETP.NE.AND P0, PT, R8, RZ, PT ;\n"
          "@P0 BRA loop ;\nEXIT ;\n.end\n";

/* The first lane of each warp takes tickets; words 1024 on say who had which. */
const char order_tickets[] =
    BEGIN "LOP3.LUT R8, R1, 0x1f, RZ, 0xc0, !PT ;\nISETP.NE.AND P0, PT, R8, RZ, PT ;\n@P0 EXIT ;\n"
          "MOV R8, 0x1 ;\nMOV R10, 0x4 ;\n"
          "loop: ATOMG.E.ADD.STRONG.GPU PT, R9, [R6.64], R8 ;\n"
          "IMAD.WIDE.U32 R12, R9, R3, R6 ;\nSTG.E [R12.64+0x1000], R2 ;\n"
          "IADD3 R10, R10, -0x1, RZ ;\nISETP.NE.AND P0, PT, R10, RZ, PT ;\n@P0 BRA loop ;\n"
          "EXIT ;\n.end\n";

/* The first lane of each warp adds 1 to word 1, holding the lock in word 0, 5 times. */
const char order_locking[] =
    BEGIN "LOP3.LUT R8, R1, 0x1f, RZ, 0xc0, !PT ;\nISETP.NE.AND P0, PT, R8, RZ, PT ;\n@P0 EXIT ;\n"
          "MOV R8, RZ ;\nMOV R9, 0x1 ;\nMOV R12, 0x5 ;\n"
          "try: ATOMG.E.CAS.STRONG.GPU PT, R10, [R6], R8, R9 ;\n"
          "ISETP.NE.AND P0, PT, R10, RZ, PT ;\n@P0 BRA try ;\n"
          "LDG.E.STRONG.GPU R11, [R6.64+0x4] ;\nIADD3 R11, R11, 0x1, RZ ;\n"
          "STG.E.STRONG.GPU [R6.64+0x4], R11 ;\nMEMBAR.SC.GPU ;\n"
          "STG.E.STRONG.GPU [R6.64], RZ ;\nIADD3 R12, R12, -0x1, RZ ;\n"
          "ISETP.NE.AND P0, PT, R12, RZ, PT ;\n@P0 BRA try ;\nEXIT ;\n.end\n";

/* Five rounds: each thread counts at word 0, and waits until all of the grid have. What it sees
 * then is the same for all, and goes to its word. */
const char order_meeting[] =
    BEGIN "MOV R8, 0x1 ;\nMOV R12, c[0x0][0xc] ;\nIMAD R12, R12, c[0x0][0x0], RZ ;\n"
          "MOV R13, R12 ;\nMOV R15, RZ ;\nMOV R16, 0x5 ;\n"
          "loop: RED.E.ADD.STRONG.GPU [R6.64], R8 ;\n"
          "wait: LDG.E.STRONG.GPU R9, [R6.64] ;\nISETP.LT.U32.AND P0, PT, R9, R13, PT ;\n"
          "@P0 BRA wait ;\nIADD3 R15, R15, R13, RZ ;\nIADD3 R13, R13, R12, RZ ;\n"
          "IADD3 R16, R16, -0x1, RZ ;\nISETP.NE.AND P0, PT, R16, RZ, PT ;\n@P0 BRA loop ;\n"
          "STG.E [R4.64], R15 ;\nEXIT ;\n.end\n";

/* No races: each thread sums its block's numbers from shared memory, between barriers, 4 times; odd
 * lanes take another way and come together again. */
const char order_summing[] =
    BEGIN "IMAD R10, R1, 0x4, RZ ;\nMOV R8, R2 ;\nMOV R16, 0x4 ;\n"
          "loop: STS [R10], R8 ;\nBAR.SYNC 0x0 ;\nMOV R11, RZ ;\nMOV R12, RZ ;\n"
          "sum: LDS R13, [R12] ;\nIADD3 R11, R11, R13, R1 ;\nIADD3 R12, R12, 0x4, RZ ;\n"
          "ISETP.LT.U32.AND P0, PT, R12, 0x180, PT ;\n@P0 BRA sum ;\n"
          "BSSY B0, join ;\nLOP3.LUT R14, R1, 0x1, RZ, 0xc0, !PT ;\n"
          "ISETP.NE.AND P0, PT, R14, RZ, PT ;\n@P0 BRA odd ;\n"
          "IMAD R8, R11, 0x3, R8 ;\nBSYNC B0 ;\nodd: IMAD R8, R11, 0x5, R8 ;\n"
          "join: BSYNC B0 ;\nBAR.SYNC 0x0 ;\nIADD3 R16, R16, -0x1, RZ ;\n"
          "ISETP.NE.AND P0, PT, R16, RZ, PT ;\n@P0 BRA loop ;\nSTG.E [R4.64], R8 ;\nEXIT ;\n.end\n";

/* Waits for what nobody writes. */
const char order_stuck[] =
    BEGIN "wait: LDG.E.STRONG.GPU R9, [R6.64] ;\nISETP.EQ.AND P0, PT, R9, RZ, PT ;\n"
          "@P0 BRA wait ;\nEXIT ;\n.end\n";

/* The first warp ends; the others wait for a barrier of more threads than there are. */
const char order_uncrossed[] = BEGIN
    "ISETP.LT.U32.AND P0, PT, R1, 0x20, PT ;\n@P0 EXIT ;\nBAR.SYNC 0x1, 0x80 ;\nEXIT ;\n.end\n";
