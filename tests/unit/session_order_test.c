/*
 * session_order_test.c - the order of warps by a seed and by a callback: that programs without
 * races do not notice, that those with races do, that the same order is the same run on both
 * engines, at every SIMD level, with any number of host threads and in a session; waiting in loops,
 * deadlocks, fairness; what a callback is told, and answers that cannot be followed.
 *
 * With FHEC_TEST_LONG in the environment the kernels that synchronize run with LONG seeds, else
 * with SHORT.
 */
#include "emu_util.h"
#include "fhec_session.h"
#include "slow_build.h"

enum { SHORT = 20, LONG = 1000, WORDS = 5120, FAST_DEADLOCK = 1 << 26 };

/* R0: block, R1: thread of the block, R2: thread of the grid, R4: address of its word 1024 on in
 * `data`, R6: that of data. */
#define BEGIN                                                                                      \
    ".target sm_80\n.kernel K\n.param data, 8\n.shared room, 4096\n"                               \
    "S2R R0, SR_CTAID.X ;\nS2R R1, SR_TID.X ;\nIMAD R2, R0, c[0x0][0x0], R1 ;\n"                   \
    "MOV R6, data ;\nMOV R7, data+4 ;\nMOV R3, 0x4 ;\n"                                            \
    "IMAD.WIDE.U32 R4, R2, R3, data ;\nIADD3 R4, P0, R4, 0x1000, RZ ;\n"                           \
    "IADD3.X R5, R5, RZ, RZ, P0, !PT ;\n"

/* ---------------------------------------------------------------- runs */

static const struct {
    const char *name;
    fhec_engine engine;
    fhec_simd simd;
    unsigned threads;
} engines[] = {
    {"ref", FHEC_ENGINE_REF, FHEC_SIMD_BEST, 1},
    {"portable", FHEC_ENGINE_FAST, FHEC_SIMD_PORTABLE, 1},
    {"avx2", FHEC_ENGINE_FAST, FHEC_SIMD_AVX2, 3},
    {"avx512", FHEC_ENGINE_FAST, FHEC_SIMD_AVX512, 2},
};

struct work {
    const fhec_program *program;
    uint32_t blocks, threads;
    uint64_t max_steps;
    fhec_order order;
};

struct outcome {
    fhec_status status;
    fhec_fault_kind fault;
    uint64_t instructions, thread_instructions;
    uint32_t words[WORDS];
    char message[600];
};

static void run_on(const struct work *w, size_t engine, struct outcome *o) {
    const fhec_machine_options options = {.engine = engines[engine].engine,
                                          .simd = engines[engine].simd,
                                          .threads = engines[engine].threads,
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

static struct outcome run(const struct work *w) {
    static struct outcome o;
    run_on(w, 1, &o);
    return o;
}

static void expect_same(const char *what, const struct outcome *a, const struct outcome *b) {
    if (a->status != b->status || a->fault != b->fault || strcmp(a->message, b->message) != 0)
        fail_msg("%s: %d (%s), not %d (%s)", what, b->status, b->message, a->status, a->message);
    if (a->instructions != b->instructions || a->thread_instructions != b->thread_instructions)
        fail_msg("%s: %llu instructions, not %llu", what, (unsigned long long)b->instructions,
                 (unsigned long long)a->instructions);
    assert_memory_equal(a->words, b->words, sizeof a->words);
}

/* The same run on all engines. */
static struct outcome run_everywhere(const struct work *w) {
    static struct outcome first, other;
    run_on(w, 0, &first);
    for (size_t e = 1; e < COUNT_OF(engines); e++)
        if (emu_has_simd(engines[e].simd)) {
            run_on(w, e, &other);
            expect_same(engines[e].name, &first, &other);
        }
    return first;
}

static fhec_order seeded(uint64_t seed) {
    return (fhec_order){.kind = FHEC_ORDER_SEED, .seed = seed};
}

static uint64_t seeds(void) {
    return getenv("FHEC_TEST_LONG") ? LONG : SLOW_BUILD ? SHORT / 4 : SHORT;
}

/* ---------------------------------------------------------------- kernels */

/* Word 0 counts, with loads and stores that others can come between: 4 * 4 warps, 50 times each. */
static const char racing[] =
    BEGIN "MOV R8, 0x32 ;\nloop: LDG.E R9, [R6.64] ;\nIADD3 R9, R9, 0x1, RZ ;\n"
          "STG.E [R6.64], R9 ;\nIADD3 R8, R8, -0x1, RZ ;\nISETP.NE.AND P0, PT, R8, RZ, PT ;\n"
          "@P0 BRA loop ;\nEXIT ;\n.end\n";

/* The first lane of each warp takes tickets; words 1024 on say who had which. */
static const char tickets[] =
    BEGIN "LOP3.LUT R8, R1, 0x1f, RZ, 0xc0, !PT ;\nISETP.NE.AND P0, PT, R8, RZ, PT ;\n@P0 EXIT ;\n"
          "MOV R8, 0x1 ;\nMOV R10, 0x4 ;\n"
          "loop: ATOMG.E.ADD.STRONG.GPU PT, R9, [R6.64], R8 ;\n"
          "IMAD.WIDE.U32 R12, R9, R3, R6 ;\nSTG.E [R12.64+0x1000], R2 ;\n"
          "IADD3 R10, R10, -0x1, RZ ;\nISETP.NE.AND P0, PT, R10, RZ, PT ;\n@P0 BRA loop ;\n"
          "EXIT ;\n.end\n";

/* The first lane of each warp adds 1 to word 1, holding the lock in word 0, 5 times. */
static const char locking[] =
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
static const char meeting[] =
    BEGIN "MOV R8, 0x1 ;\nMOV R12, c[0x0][0xc] ;\nIMAD R12, R12, c[0x0][0x0], RZ ;\n"
          "MOV R13, R12 ;\nMOV R15, RZ ;\nMOV R16, 0x5 ;\n"
          "loop: RED.E.ADD.STRONG.GPU [R6.64], R8 ;\n"
          "wait: LDG.E.STRONG.GPU R9, [R6.64] ;\nISETP.LT.U32.AND P0, PT, R9, R13, PT ;\n"
          "@P0 BRA wait ;\nIADD3 R15, R15, R13, RZ ;\nIADD3 R13, R13, R12, RZ ;\n"
          "IADD3 R16, R16, -0x1, RZ ;\nISETP.NE.AND P0, PT, R16, RZ, PT ;\n@P0 BRA loop ;\n"
          "STG.E [R4.64], R15 ;\nEXIT ;\n.end\n";

/* No races: each thread sums its block's numbers from shared memory, between barriers, 4 times; odd
 * lanes take another way and come together again. */
static const char summing[] =
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
static const char stuck[] =
    BEGIN "wait: LDG.E.STRONG.GPU R9, [R6.64] ;\nISETP.EQ.AND P0, PT, R9, RZ, PT ;\n"
          "@P0 BRA wait ;\nEXIT ;\n.end\n";

/* The first warp ends; the others wait for a barrier of more threads than there are. */
static const char uncrossed[] = BEGIN
    "ISETP.LT.U32.AND P0, PT, R1, 0x20, PT ;\n@P0 EXIT ;\nBAR.SYNC 0x1, 0x80 ;\nEXIT ;\n.end\n";

/* ---------------------------------------------------------------- seeds */

/* The default order, and seeds: the same results and counts. */
static void test_no_races(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(summing);
    struct work w = {.program = program, .blocks = 7, .threads = 96};
    const struct outcome usual = run(&w);
    assert_int_equal(usual.status, FHEC_OK);
    assert_true(usual.words[1024 + 671] > 671);
    for (uint64_t seed = 0; seed < seeds() / 4; seed++) {
        w.order = seeded(seed);
        const struct outcome o = run_everywhere(&w);
        expect_same("a seed", &usual, &o);
    }
    fhec_program_free(program);
}

/* How many different results SHORT seeds have; each is the same everywhere. */
static size_t results(const char *text, uint32_t *lowest, uint32_t *highest) {
    static struct outcome all[SHORT];
    fhec_program *program = emu_assemble(text);
    size_t count = 0;
    *lowest = UINT32_MAX;
    *highest = 0;
    for (uint64_t seed = 0; seed < SHORT; seed++) {
        const struct work w = {
            .program = program, .blocks = 4, .threads = 128, .order = seeded(seed << 32 | seed)};
        const struct outcome o = run_everywhere(&w);
        assert_int_equal(o.status, FHEC_OK);
        *lowest = o.words[0] < *lowest ? o.words[0] : *lowest;
        *highest = o.words[0] > *highest ? o.words[0] : *highest;
        size_t i = 0;
        while (i < count && memcmp(all[i].words, o.words, sizeof o.words) != 0)
            i++;
        if (i == count)
            all[count++] = o;
    }
    fhec_program_free(program);
    return count;
}

static void test_races_show(void **unused) {
    (void)unused;
    uint32_t lowest, highest;
    assert_true(results(racing, &lowest, &highest) > SHORT / 2);
    assert_true(lowest >= 2 && highest < 16 * 50); /* 2: the most that can get lost */
    assert_int_equal(results(tickets, &lowest, &highest), SHORT);
    assert_int_equal(lowest, 16 * 4);
    assert_int_equal(highest, 16 * 4);
}

/* Locks, grid barriers and tickets do what they promise in any order. */
static void test_many_seeds(void **unused) {
    (void)unused;
    fhec_program *lock = emu_assemble(locking), *meet = emu_assemble(meeting),
                 *ticket = emu_assemble(tickets);
    for (uint64_t seed = 1; seed <= seeds(); seed++) {
        struct work w = {.program = lock, .blocks = 3, .threads = 96, .order = seeded(seed)};
        struct outcome o = run(&w);
        if (o.status != FHEC_OK || o.words[1] != 9 * 5 || o.words[0])
            fail_msg("a lock, seed %llu: %u %s", (unsigned long long)seed, o.words[1], o.message);
        w.program = meet;
        o = run(&w);
        for (uint32_t t = 0; t < 3 * 96; t++)
            if (o.status != FHEC_OK || o.words[1024 + t] != (1 + 2 + 3 + 4 + 5) * 3 * 96)
                fail_msg("a grid barrier, seed %llu: %u %s", (unsigned long long)seed,
                         o.words[1024 + t], o.message);
        w.program = ticket;
        o = run(&w);
        uint32_t had[9] = {0};
        for (uint32_t i = 0; i < 9 * 4; i++)
            had[o.words[1024 + i] / 32 % 9]++;
        for (uint32_t i = 0; i < 9; i++)
            if (o.status != FHEC_OK || had[i] != 4)
                fail_msg("tickets, seed %llu: warp %u had %u", (unsigned long long)seed, i, had[i]);
    }
    fhec_program_free(lock);
    fhec_program_free(meet);
    fhec_program_free(ticket);
}

/* Blocks begin in an order of their own, each once, also where there is no room for all. */
static void test_blocks(void **unused) {
    (void)unused;
    static const uint32_t blocks[] = {1, 2, 3, 64, 65, 3600};
    fhec_program *program =
        emu_assemble(BEGIN "MOV R8, 0x1 ;\nATOMG.E.ADD.STRONG.GPU PT, R9, [R6.64], R8 ;\n"
                           "LEA R12, P0, R0, R6, 0x2 ;\nIADD3.X R13, R7, RZ, RZ, P0, !PT ;\n"
                           "STG.E [R12.64+0x1000], R9 ;\nEXIT ;\n.end\n");
    for (size_t i = 0; i < COUNT_OF(blocks); i++) {
        const struct work w = {
            .program = program, .blocks = blocks[i], .threads = 1, .order = seeded(i)};
        const struct outcome o = run_everywhere(&w);
        uint32_t in_order = 0;
        bool had[3600] = {0};
        assert_int_equal(o.status, FHEC_OK);
        assert_int_equal(o.words[0], blocks[i]);
        for (uint32_t b = 0; b < blocks[i]; b++) {
            assert_true(o.words[1024 + b] < blocks[i] && !had[o.words[1024 + b]]);
            had[o.words[1024 + b]] = true;
            in_order += o.words[1024 + b] == b;
        }
        if (blocks[i] >= 64)
            assert_true(in_order < blocks[i] / 8);
    }
    fhec_program_free(program);
}

/* A word counts 20,000 turns of one warp, and then lets the others go, which wait all the time. */
static void test_fair(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(
        BEGIN "ISETP.GE.U32.AND P0, PT, R2, 0x20, PT ;\n@P0 BRA wait ;\nMOV R8, 0x4e20 ;\n"
              "loop: IADD3 R8, R8, -0x1, RZ ;\nISETP.NE.AND P0, PT, R8, RZ, PT ;\n@P0 BRA loop ;\n"
              "MOV R8, 0x1 ;\nSTG.E.STRONG.GPU [R6.64], R8 ;\nEXIT ;\n"
              "wait: LDG.E.STRONG.GPU R9, [R6.64] ;\nISETP.EQ.AND P0, PT, R9, RZ, PT ;\n"
              "@P0 BRA wait ;\nSTG.E [R4.64], R9 ;\nEXIT ;\n.end\n");
    struct work w = {.program = program, .blocks = 2, .threads = 64, .order = seeded(5)};
    const struct outcome o = run_everywhere(&w);
    assert_int_equal(o.status, FHEC_OK);
    for (uint32_t t = 32; t < 128; t++)
        assert_int_equal(o.words[1024 + t], 1);
    /* 60,000 instructions of the first warp, in slices of 8.5 on average where it takes turns,
     * which is every sixteenth time for the four of them; all get about as many. */
    assert_in_range(o.instructions, 3 * 60000, 5 * 60000);
    fhec_program_free(program);
}

/* ---------------------------------------------------------------- deadlocks */

static void expect_deadlock(const struct outcome *o, const char *why) {
    assert_int_equal(o->status, FHEC_GUEST_FAULT);
    assert_int_equal(o->fault, FHEC_FAULT_DEADLOCK);
    if (!strstr(o->message, why))
        fail_msg("%s", o->message);
    assert_true(o->instructions < FAST_DEADLOCK);
}

static void test_deadlocks(void **unused) {
    (void)unused;
    fhec_program *spins = emu_assemble(stuck), *barrier = emu_assemble(uncrossed);
    struct work w = {.program = spins, .blocks = 3, .threads = 64, .order = seeded(1)};
    struct outcome o = run_everywhere(&w);
    expect_deadlock(&o, "this block and 2 more wait in a loop, and nothing that is read there");
    w.program = barrier;
    o = run_everywhere(&w);
    expect_deadlock(&o, "no lane can go on; waiting are warp 1 lanes 0xffffffff at 0x");
    fhec_program_free(spins);
    fhec_program_free(barrier);
}

/* Two warps that each take one of two words of shared memory and try to take the other one, and
 * give back theirs when they cannot. In step they would do so for ever. A barrier lets them begin
 * together; `pause` instructions are between. */
static void test_in_step(void **unused) {
    (void)unused;
    char text[4000];
    snprintf(text, sizeof text, "%s%s", BEGIN,
             "SHF.R.U32.HI R8, RZ, 0x5, R1 ;\nIMAD R8, R8, 0x4, RZ ;\n"
             "LOP3.LUT R9, R8, 0x4, RZ, 0x3c, !PT ;\nMOV R10, 0x1 ;\n"
             "LOP3.LUT R11, R1, 0x1f, RZ, 0xc0, !PT ;\nISETP.NE.AND P0, PT, R11, RZ, PT ;\n"
             "@P0 EXIT ;\n"
             "again: ATOMS.CAS R12, [R8], RZ, R10 ;\nISETP.NE.AND P0, PT, R12, RZ, PT ;\n"
             "@P0 BRA again ;\nYIELD ;\n"
             "ATOMS.CAS R12, [R9], RZ, R10 ;\nISETP.EQ.AND P0, PT, R12, RZ, PT ;\n@P0 BRA have ;\n"
             "YIELD ;\nSTS [R8], RZ ;\nYIELD ;\nBRA again ;\n"
             "have: STS [R9], RZ ;\nSTS [R8], RZ ;\nSTG.E [R4.64], R10 ;\nEXIT ;\n.end\n");
    fhec_program *program = emu_assemble(text);
    struct work w = {.program = program, .blocks = 1, .threads = 64};
    struct outcome o = run(&w);
    expect_deadlock(&o, "in a loop"); /* the default order has no other */
    for (uint64_t seed = 0; seed < SHORT; seed++) {
        w.order = seeded(seed);
        o = run(&w);
        if (o.status != FHEC_OK || o.words[1024] != 1 || o.words[1024 + 32] != 1)
            fail_msg("seed %llu: %s", (unsigned long long)seed, o.message);
    }
    fhec_program_free(program);
}

static void test_endless(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(
        BEGIN "MOV R8, 0x1 ;\nloop: RED.E.ADD.STRONG.GPU [R6.64], R8 ;\nBRA loop ;\n.end\n");
    const struct work w = {
        .program = program, .blocks = 2, .threads = 32, .order = seeded(3), .max_steps = 400001};
    const struct outcome o = run_everywhere(&w);
    assert_int_equal(o.fault, FHEC_FAULT_STEP_LIMIT);
    assert_int_equal(o.instructions, 400001);
    fhec_program_free(program);
}

/* ---------------------------------------------------------------- callbacks */

struct caller {
    uint64_t calls, number; /* answers with this number once calls reach `bad` */
    uint64_t bad;
    uint32_t instructions;
    size_t most; /* warps that could run */
    bool unsorted;
};

static size_t round_robin(void *user, const fhec_ready_warp *ready, size_t count,
                          uint32_t *instructions) {
    struct caller *c = user;
    c->most = count > c->most ? count : c->most;
    for (size_t i = 0; i < count; i++) {
        const fhec_ready_warp *a = &ready[i ? i - 1 : 0], *b = &ready[i];
        c->unsorted |=
            i && (a->block[0] > b->block[0] || (a->block[0] == b->block[0] && a->warp >= b->warp));
        c->unsorted |= !b->active || b->pc % 16 || b->block[1] || b->block[2];
    }
    c->unsorted |= *instructions != 1;
    if (++c->calls == c->bad) {
        *instructions = c->instructions;
        return (size_t)c->number;
    }
    *instructions = 1 + (uint32_t)(c->calls % 3);
    return (size_t)(c->calls % count);
}

static void test_callback(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(summing);
    struct caller caller = {0};
    struct work w = {.program = program, .blocks = 7, .threads = 96};
    const struct outcome usual = run(&w);
    w.order = (fhec_order){.kind = FHEC_ORDER_CALLBACK, .next = round_robin, .user = &caller};
    const struct outcome o = run(&w);
    expect_same("a callback", &usual, &o);
    assert_int_equal(caller.most, 7 * 3);
    assert_false(caller.unsorted);
    assert_in_range(caller.calls, o.instructions / 3, o.instructions);
    fhec_program_free(program);
}

/* More blocks than there is room for; each ends by itself. */
static void test_callback_blocks(void **unused) {
    (void)unused;
    fhec_program *program =
        emu_assemble(BEGIN "IADD3 R8, R2, 0x7, RZ ;\nSTG.E [R4.64], R8 ;\nEXIT ;\n.end\n");
    struct caller caller = {0};
    struct work w = {.program = program, .blocks = 3600, .threads = 1};
    const struct outcome usual = run(&w);
    w.order = (fhec_order){.kind = FHEC_ORDER_CALLBACK, .next = round_robin, .user = &caller};
    const struct outcome o = run(&w);
    expect_same("a callback", &usual, &o);
    assert_int_equal(caller.most, 108 * 32); /* multiprocessors, blocks of each */
    assert_false(caller.unsorted);
    fhec_program_free(program);
}

static size_t first(void *user, const fhec_ready_warp *ready, size_t count,
                    uint32_t *instructions) {
    (void)user;
    (void)ready;
    (void)count;
    *instructions = UINT32_MAX;
    return 0;
}

static void test_callback_starves(void **unused) {
    (void)unused;
    fhec_program *meet = emu_assemble(meeting), *barrier = emu_assemble(uncrossed);
    struct work w = {.program = meet,
                     .blocks = 2,
                     .threads = 32,
                     .max_steps = 100000,
                     .order = {.kind = FHEC_ORDER_CALLBACK, .next = first}};
    struct outcome o = run_everywhere(&w);
    assert_int_equal(o.fault, FHEC_FAULT_STEP_LIMIT);
    assert_int_equal(o.instructions, 100000);
    w.program = barrier;
    w.threads = 64;
    o = run_everywhere(&w);
    expect_deadlock(&o, "no lane can go on");
    fhec_program_free(meet);
    fhec_program_free(barrier);
}

static void test_bad_answers(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(racing);
    struct caller caller = {.bad = 10, .number = 4, .instructions = 1};
    const struct work w = {
        .program = program,
        .blocks = 1,
        .threads = 128,
        .order = {.kind = FHEC_ORDER_CALLBACK, .next = round_robin, .user = &caller}};
    struct outcome o = run(&w);
    assert_int_equal(o.status, FHEC_BAD_INPUT);
    assert_string_equal(
        o.message, "the order of warps: the callback chose number 4 of 4 warps, counted from 0");
    assert_int_equal(caller.calls, 10);
    caller = (struct caller){.bad = 10, .number = 3, .instructions = 0};
    o = run(&w);
    assert_int_equal(o.status, FHEC_BAD_INPUT);
    assert_string_equal(o.message,
                        "the order of warps: the callback lets a warp issue no instruction");
    fhec_program_free(program);
}

static void test_options(void **unused) {
    (void)unused;
    fhec_machine *machine;
    fhec_machine_options options = {.order = {.kind = FHEC_ORDER_CALLBACK}};
    assert_int_equal(fhec_machine_new(&options, &machine), FHEC_BAD_INPUT);
    options.order.kind = (fhec_order_kind)7;
    assert_int_equal(fhec_machine_new(&options, &machine), FHEC_BAD_INPUT);
}

/* ---------------------------------------------------------------- sessions */

/* The warp that is said to issue next does. */
static void test_next(void **unused) {
    (void)unused;
    const fhec_machine_options options = {.threads = 1, .order = seeded(11)};
    const fhec_go step = {.step = FHEC_STEP_INSTRUCTION};
    fhec_program *program = emu_assemble(racing);
    fhec_machine *machine;
    fhec_session *session;
    fhec_stop stop = {.reason = FHEC_STOP_STEP};
    uint64_t data, pc, switches = 0, known = 0;
    uint32_t block[3], warp, last = UINT32_MAX;
    assert_int_equal(fhec_machine_new(&options, &machine), FHEC_OK);
    assert_int_equal(fhec_alloc(machine, "data", 4 * WORDS, 0, &data), FHEC_OK);
    const fhec_launch launch = {.program = program,
                                .grid = {3, 1, 1},
                                .block = {64, 1, 1},
                                .params = &data,
                                .param_bytes = 8};
    assert_int_equal(fhec_session_begin(machine, &launch, &session), FHEC_OK);
    while (stop.reason == FHEC_STOP_STEP) {
        const bool next = fhec_session_next(session, block, &warp, &pc);
        assert_int_equal(fhec_session_run(session, &step, &stop), FHEC_OK);
        if (stop.reason != FHEC_STOP_STEP)
            break;
        if (next && (block[0] != stop.block[0] || warp != stop.warp))
            fail_msg("block %u warp %u after %llu, not block %u warp %u", stop.block[0], stop.warp,
                     (unsigned long long)stop.instructions, block[0], warp);
        known += next;
        switches += last != stop.block[0] * 2 + stop.warp;
        last = stop.block[0] * 2 + stop.warp;
    }
    assert_int_equal(stop.reason, FHEC_STOP_END);
    assert_true(known + 20 > stop.instructions);
    assert_in_range(switches, stop.instructions / 32, stop.instructions / 4);
    assert_int_equal(fhec_session_end(session), FHEC_OK);
    fhec_machine_free(machine);
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_races),
        cmocka_unit_test(test_races_show),
        cmocka_unit_test(test_many_seeds),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_fair),
        cmocka_unit_test(test_deadlocks),
        cmocka_unit_test(test_in_step),
        cmocka_unit_test(test_endless),
        cmocka_unit_test(test_callback),
        cmocka_unit_test(test_callback_blocks),
        cmocka_unit_test(test_callback_starves),
        cmocka_unit_test(test_bad_answers),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_next),
    };
    return cmocka_run_group_tests_name("session_order", tests, NULL, NULL);
}
