/*
 * session_snapshot_test.c - launches cut by stops, snapshots and restores at random places are the
 * uninterrupted ones: memory, counts and faults; the same snapshot restored again and again, after
 * others, and after its session has ended. Both engines, every SIMD level.
 */
#include "emu_random.h"
#include "emu_util.h"
#include "fhec_session.h"
#include "random_program.h"
#include "slow_build.h"

enum { KEPT = 6, BYTES = 1 << 14 };

/* A launch, and what it leaves behind when nobody interrupts it. */
struct work {
    const fhec_program *program;
    uint32_t blocks, threads;
    size_t param_bytes;
    uint64_t max_steps;
    fhec_machine_options options;
    const char *label;
};

struct outcome {
    fhec_status status;
    fhec_fault_kind fault;
    uint64_t pc, warp_insts, thread_insts;
    uint32_t lanes;
    uint8_t bytes[BYTES];
};

/* A machine with the same memory each time. */
static fhec_machine *machine_for(const struct work *work, uint64_t *data) {
    fhec_machine *m = NULL;
    uint8_t bytes[BYTES];
    assert_int_equal(fhec_machine_new(&work->options, &m), FHEC_OK);
    fhec_machine_count(m, true);
    assert_int_equal(fhec_alloc(m, "data", BYTES, 0, data), FHEC_OK);
    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (uint8_t)(i < BYTES / 2 ? 0 : i * 7 ^ i >> 6);
    assert_int_equal(fhec_write(m, *data, bytes, BYTES), FHEC_OK);
    return m;
}

static fhec_launch launch_of(const struct work *work, uint64_t *params) {
    return (fhec_launch){
        .program = work->program,
        .grid = {work->blocks, 1, 1},
        .block = {work->threads, 1, 1},
        .params = params,
        .param_bytes = work->param_bytes,
        .max_steps = work->max_steps,
    };
}

static void look(fhec_machine *m, uint64_t data, struct outcome *o) {
    fhec_stats stats;
    assert_int_equal(fhec_machine_stats(m, &stats), FHEC_OK);
    o->warp_insts = stats.warp_insts;
    o->thread_insts = stats.thread_insts;
    assert_int_equal(fhec_read(m, data, o->bytes, BYTES), FHEC_OK);
}

static void note_fault(fhec_machine *m, struct outcome *o) {
    const fhec_fault *fault = fhec_machine_fault(m);
    o->fault = fault ? fault->kind : FHEC_FAULT_NONE;
    o->pc = fault ? fault->pc : 0;
    o->lanes = fault ? fault->lanes : 0;
}

static struct outcome uninterrupted(const struct work *work, uint64_t params[]) {
    struct outcome o = {0};
    fhec_machine *m = machine_for(work, &params[0]);
    const fhec_launch launch = launch_of(work, params);
    o.status = fhec_run(m, &launch);
    note_fault(m, &o);
    look(m, params[0], &o);
    fhec_machine_free(m);
    return o;
}

static void expect_same(const struct work *work, const struct outcome *a, const struct outcome *b,
                        const char *what) {
    if (a->fault != b->fault || a->pc != b->pc || a->lanes != b->lanes)
        fail_msg("%s, %s: fault %d at 0x%llx, not %d at 0x%llx", work->label, what, b->fault,
                 (unsigned long long)b->pc, a->fault, (unsigned long long)a->pc);
    if (a->warp_insts != b->warp_insts || a->thread_insts != b->thread_insts)
        fail_msg("%s, %s: %llu warp instructions of %llu threads, not %llu of %llu", work->label,
                 what, (unsigned long long)b->warp_insts, (unsigned long long)b->thread_insts,
                 (unsigned long long)a->warp_insts, (unsigned long long)a->thread_insts);
    if (memcmp(a->bytes, b->bytes, BYTES) != 0)
        fail_msg("%s, %s: memory differs", work->label, what);
}

/* ---------------------------------------------------------------- pieces */

struct cut {
    const struct work *work;
    const struct outcome *whole;
    struct emu_rng rng;
    fhec_machine *machine;
    fhec_session *session; /* NULL: it has ended */
    uint64_t data;
    struct {
        fhec_snapshot *snapshot;
        uint64_t instructions;
    } kept[KEPT];
    uint64_t instructions;
    unsigned restores; /* that are left */
};

static bool never(void *user, const fhec_difference *d) {
    (void)user;
    fail_msg("a difference of kind %d, block %u, warp %u, lane %u, register %u, 0x%llx", d->kind,
             d->block[0], d->warp, d->lane, d->number, (unsigned long long)d->address);
    return false;
}

static void keep(struct cut *c) {
    const uint32_t k = emu_below(&c->rng, KEPT);
    fhec_snapshot_free(c->kept[k].snapshot);
    assert_int_equal(fhec_snapshot_take(c->machine, &c->kept[k].snapshot), FHEC_OK);
    c->kept[k].instructions = c->instructions;
    assert_int_equal(fhec_snapshot_compare(c->kept[k].snapshot, NULL, never, NULL), FHEC_OK);
}

static void go_back(struct cut *c) {
    const uint32_t k = emu_below(&c->rng, KEPT);
    if (!c->kept[k].snapshot || !c->restores)
        return;
    c->restores--;
    assert_int_equal(fhec_snapshot_restore(c->kept[k].snapshot, &c->session), FHEC_OK);
    assert_non_null(c->session);
    c->instructions = c->kept[k].instructions;
    if (emu_once_in(&c->rng, 4))
        assert_int_equal(fhec_snapshot_compare(c->kept[k].snapshot, NULL, never, NULL), FHEC_OK);
}

/* The launch is over: everything is as without interruption. */
static void expect_end(struct cut *c, const fhec_stop *stop) {
    struct outcome o = {0};
    note_fault(c->machine, &o);
    assert_int_equal(stop->reason == FHEC_STOP_FAULT, c->whole->fault != FHEC_FAULT_NONE);
    assert_int_equal(fhec_session_end(c->session), FHEC_OK);
    c->session = NULL;
    look(c->machine, c->data, &o);
    expect_same(c->work, c->whole, &o, "in pieces");
}

/* Some instructions; the end, or the next place. */
static void go_on(struct cut *c, uint32_t most) {
    fhec_stop stop;
    const fhec_go go = {.instructions = 1 + emu_below(&c->rng, most)};
    assert_int_equal(fhec_session_run(c->session, &go, &stop), FHEC_OK);
    assert_in_range(stop.instructions, c->instructions, c->instructions + go.instructions);
    c->instructions = stop.instructions;
    if (stop.reason == FHEC_STOP_END || stop.reason == FHEC_STOP_FAULT)
        expect_end(c, &stop);
    else
        assert_int_equal(stop.reason, FHEC_STOP_COUNT);
}

/* A run in pieces of up to `most` instructions, with so many restores, also of ended sessions. */
static void run_in_pieces(const struct work *work, const struct outcome *whole, uint64_t params[],
                          uint64_t seed, uint32_t most, unsigned restores) {
    struct cut c = {.work = work, .whole = whole, .rng = {2 * seed + 1}, .restores = restores};
    c.machine = machine_for(work, &params[0]);
    c.data = params[0];
    const fhec_launch launch = launch_of(work, params);
    assert_int_equal(fhec_session_begin(c.machine, &launch, &c.session), FHEC_OK);
    for (;;) {
        const uint32_t what = emu_below(&c.rng, 8);
        if (c.session && what < 4)
            go_on(&c, most);
        else if (c.session && what < 6)
            keep(&c);
        else
            go_back(&c);
        if (!c.session && (!c.restores || !c.kept[emu_below(&c.rng, KEPT)].snapshot))
            break;
    }
    for (unsigned k = 0; k < KEPT; k++)
        fhec_snapshot_free(c.kept[k].snapshot);
    fhec_machine_free(c.machine);
}

/* Answers that follow from what is asked only, so that it can be asked again; all warps come to
 * their turn, since they go on meanwhile. */
static size_t mixed(void *user, const fhec_ready_warp *ready, size_t count,
                    uint32_t *instructions) {
    (void)user;
    uint64_t hash = count;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ ready[i].pc ^ ready[i].active) * UINT64_C(0x9e3779b97f4a7c15);
    *instructions = 1 + (uint32_t)(hash >> 40 & 15);
    return (size_t)((hash >> 32) % count);
}

static const fhec_order orders[] = {
    {0},
    {.kind = FHEC_ORDER_SEED, .seed = 20},
    {.kind = FHEC_ORDER_CALLBACK, .next = mixed},
};

static void every_way(struct work *work, uint32_t most, unsigned restores) {
    uint64_t params[RP_PARAMS / 8] = {0};
    for (size_t i = 1; i < COUNT_OF(params); i++)
        params[i] = i * UINT64_C(0x9e3779b97f4a7c15);
    for (int simd = FHEC_SIMD_PORTABLE; simd <= FHEC_SIMD_AVX512 + 1; simd++) {
        work->options.engine = simd > FHEC_SIMD_AVX512 ? FHEC_ENGINE_REF : FHEC_ENGINE_FAST;
        work->options.simd = simd > FHEC_SIMD_AVX512 ? FHEC_SIMD_BEST : (fhec_simd)simd;
        work->options.threads = 1;
        if (!emu_has_simd(work->options.simd))
            continue;
        const uint64_t max_steps = work->max_steps;
        for (size_t k = 0; k < COUNT_OF(orders); k++, work->max_steps = max_steps) {
            work->options.order = orders[k];
            if (k && !max_steps) /* a seed finds a deadlock late, a callback does not */
                work->max_steps = most < 10000 ? 20000 : 2000000;
            const struct outcome whole = uninterrupted(work, params);
            run_in_pieces(work, &whole, params, (uint64_t)simd * 1000 + most, most, restores);
        }
    }
}

/* ---------------------------------------------------------------- kernels */

#define BEGIN                                                                                      \
    ".target sm_80\n.kernel K\n.param data, 8\n.local 64\n.shared s, 4096\n"                       \
    "S2R R0, SR_TID.X ;\nS2R R1, SR_CTAID.X ;\nIMAD R2, R1, c[0x0][0x0], R0 ;\n"                   \
    "MOV R3, 0x4 ;\nIMAD.WIDE.U32 R4, R2, R3, data ;\nMOV R6, data ;\nMOV R7, data+4 ;\n"

static const struct {
    const char *label, *text;
    uint32_t blocks, threads;
} kernels[] = {
    {"divergence and convergence",
     BEGIN "BSSY B0, join ;\nISETP.LT.U32.AND P0, PT, R0, 0x9, PT ;\n@P0 BRA low ;\n"
           "MOV R8, 0x11 ;\nloop: IADD3 R8, R8, -0x1, RZ ;\nISETP.GT.AND P1, PT, R8, R0, PT ;\n"
           "@P1 BRA loop ;\nBRA join2 ;\nlow: IMAD R8, R0, R0, R1 ;\njoin2: BSYNC B0 ;\n"
           "join: STG.E [R4.64], R8 ;\nEXIT ;\n.end\n",
     3, 70},
    {"barriers and shared memory",
     BEGIN
     "SHF.L.U32 R8, R0, 0x2, RZ ;\nMOV R10, 0x5 ;\nIMAD R9, R0, R0, R1 ;\n"
     "loop: STS [R8], R9 ;\nBAR.SYNC 0x0 ;\n"
     "LOP3.LUT R11, R8, 0x4, RZ, 0x3c, !PT ;\nLDS R12, [R11] ;\nBAR.SYNC 0x0 ;\n"
     "IADD3 R9, R12, R9, RZ ;\nIADD3 R10, R10, -0x1, RZ ;\n"
     "ISETP.NE.AND P0, PT, R10, RZ, PT ;\n@P0 BRA loop ;\nSTG.E [R4.64], R9 ;\nEXIT ;\n.end\n",
     2, 128},
    {"local memory and a clock",
     BEGIN "MOV R1, 0x0 ;\nS2R R9, SR_CLOCKLO ;\nSTL [R1+0x8], R9 ;\nSTL.U8 [R1+0x3], R0 ;\n"
           "LDL R10, [R1] ;\nLDL R11, [R1+0x8] ;\nIADD3 R10, R10, R11, RZ ;\n"
           "STG.E [R4.64], R10 ;\nEXIT ;\n.end\n",
     2, 64},
    /* The last block waits for the first one, which waits for all. */
    {"blocks that wait for each other",
     BEGIN "MOV R8, 0x1 ;\nISETP.NE.AND P0, PT, R0, RZ, PT ;\n"
           "@!P0 RED.E.ADD.STRONG.GPU [R6.64+0x2000], R8 ;\n"
           "wait: LDG.E.STRONG.GPU R9, [R6.64+0x2000] ;\n"
           "ISETP.LT.U32.AND P0, PT, R9, c[0x0][0xc], PT ;\n@P0 BRA wait ;\n"
           "STG.E [R4.64], R2 ;\nEXIT ;\n.end\n",
     5, 64},
    {"a lock",
     BEGIN
     "MOV R8, RZ ;\nMOV R9, 0x1 ;\n"
     "try: ATOMG.E.CAS.STRONG.GPU PT, R10, [R6], R8, R9 ;\nISETP.NE.AND P0, PT, R10, RZ, PT ;\n"
     "@P0 BRA try ;\nLDG.E.STRONG.GPU R11, [R6.64+0x4] ;\nIADD3 R11, R11, 0x1, R1 ;\n"
     "STG.E.STRONG.GPU [R6.64+0x4], R11 ;\nMEMBAR.SC.GPU ;\nSTG.E.STRONG.GPU [R6.64], RZ ;\n"
     "EXIT ;\n.end\n",
     6, 1},
    {"a deadlock of the whole grid",
     BEGIN "wait: LDG.E.STRONG.GPU R9, [R6.64+0x1ffc] ;\nISETP.EQ.AND P0, PT, R9, RZ, PT ;\n"
           "@P0 BRA wait ;\nEXIT ;\n.end\n",
     3, 33},
    {"a fault of one lane",
     BEGIN "MOV R8, 0x8 ;\nloop: IADD3 R8, R8, -0x1, RZ ;\nISETP.NE.AND P0, PT, R8, RZ, PT ;\n"
           "STG.E [R4.64], R8 ;\n@P0 BRA loop ;\nISETP.EQ.AND P1, PT, R2, 0x47, PT ;\n"
           "@P1 STG.E [R8.64], R9 ;\nEXIT ;\n.end\n",
     2, 64},
};

static void test_kernels(void **unused) {
    (void)unused;
    const unsigned ways = SLOW_BUILD ? 5 : getenv("FHEC_TEST_LONG") ? 20 : 3;
    for (size_t i = 0; i < COUNT_OF(kernels); i++) {
        fhec_program *program = emu_assemble(kernels[i].text);
        struct work work = {
            .program = program,
            .blocks = kernels[i].blocks,
            .threads = kernels[i].threads,
            .param_bytes = 8,
            .label = kernels[i].label,
        };
        for (uint32_t most = SLOW_BUILD ? 10 : 1; most <= 10000; most *= SLOW_BUILD ? 100 : 10)
            every_way(&work, most, ways);
        fhec_program_free(program);
    }
}

static void test_random_programs(void **unused) {
    (void)unused;
    struct random_program *random = malloc(sizeof *random);
    assert_non_null(random);
    const uint64_t seeds = SLOW_BUILD ? 10 : getenv("FHEC_TEST_LONG") ? 100 : 20;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct emu_rng rng = {seed};
        char label[40];
        random_program(&rng, 150, 4, random);
        fhec_program *program = random_program_load(random);
        snprintf(label, sizeof label, "random program %u", (unsigned)seed);
        struct work work = {
            .program = program,
            .blocks = random->blocks,
            .threads = random->threads,
            .param_bytes = RP_PARAMS,
            .max_steps = 20000,
            .label = label,
        };
        every_way(&work, 60, 8);
        fhec_program_free(program);
    }
    free(random);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_random_programs),
    };
    return cmocka_run_group_tests_name("session_snapshot", tests, NULL, NULL);
}
