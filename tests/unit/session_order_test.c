/*
 * session_order_test.c - the order of warps by a seed: that programs without races do not notice,
 * that those with races do, that the same seed is the same run on both engines, at every SIMD
 * level, with any number of host threads and in a session; waiting in loops, deadlocks, fairness;
 * the draws.
 *
 * With FHEC_TEST_LONG in the environment the kernels that synchronize run with LONG seeds, else
 * with SHORT.
 */
#include "order_util.h"

enum { SHORT = 20, LONG = 1000 };

/* One engine after the other. */
static struct order_outcome run_by_turns(const struct order_work *w) {
    static struct order_outcome o;
    static size_t next;
    do
        next = (next + 1) % ORDER_ENGINES;
    while (!emu_has_simd(order_engines[next].simd));
    order_run_on(w, next, &o);
    return o;
}

static uint64_t seeds(void) {
    return getenv("FHEC_TEST_LONG") ? LONG : SLOW_BUILD ? SHORT / 4 : SHORT;
}

/* ---------------------------------------------------------------- seeds */

/* The default order, and seeds: the same results and counts. */
static void test_no_races(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(order_summing);
    struct order_work w = {.program = program, .blocks = 7, .threads = 96};
    const struct order_outcome usual = order_run(&w);
    assert_int_equal(usual.status, FHEC_OK);
    assert_true(usual.words[1024 + 671] > 671);
    for (uint64_t seed = 0; seed < seeds() / 4; seed++) {
        w.order = order_seeded(seed);
        const struct order_outcome o = order_run_everywhere(&w);
        order_expect_same("a seed", &usual, &o);
    }
    fhec_program_free(program);
}

/* How many different results SHORT seeds have; each is the same everywhere. */
static size_t results(const char *text, uint32_t *lowest, uint32_t *highest) {
    static struct order_outcome all[SHORT];
    fhec_program *program = emu_assemble(text);
    size_t count = 0;
    *lowest = UINT32_MAX;
    *highest = 0;
    for (uint64_t seed = 0; seed < SHORT; seed++) {
        const struct order_work w = {.program = program,
                                     .blocks = 4,
                                     .threads = 128,
                                     .order = order_seeded(seed << 32 | seed)};
        const struct order_outcome o = order_run_everywhere(&w);
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
    assert_true(results(order_racing, &lowest, &highest) > SHORT / 2);
    assert_true(lowest >= 2 && highest < 16 * 50); /* 2: the most that can get lost */
    assert_int_equal(results(order_tickets, &lowest, &highest), SHORT);
    assert_int_equal(lowest, 16 * 4);
    assert_int_equal(highest, 16 * 4);
}

/* Locks, grid barriers and tickets do what they promise in any order. */
static void test_many_seeds(void **unused) {
    (void)unused;
    fhec_program *lock = emu_assemble(order_locking), *meet = emu_assemble(order_meeting),
                 *ticket = emu_assemble(order_tickets);
    for (uint64_t seed = 1; seed <= seeds(); seed++) {
        struct order_work w = {
            .program = lock, .blocks = 3, .threads = 96, .order = order_seeded(seed)};
        struct order_outcome o = run_by_turns(&w);
        if (o.status != FHEC_OK || o.words[1] != 9 * 5 || o.words[0])
            fail_msg("a lock, seed %llu: %u %s", (unsigned long long)seed, o.words[1], o.message);
        w.program = meet;
        o = run_by_turns(&w);
        for (uint32_t t = 0; t < 3 * 96; t++)
            if (o.status != FHEC_OK || o.words[1024 + t] != (1 + 2 + 3 + 4 + 5) * 3 * 96)
                fail_msg("a grid barrier, seed %llu: %u %s", (unsigned long long)seed,
                         o.words[1024 + t], o.message);
        w.program = ticket;
        o = run_by_turns(&w);
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
        const struct order_work w = {
            .program = program, .blocks = blocks[i], .threads = 1, .order = order_seeded(i)};
        const struct order_outcome o = order_run_everywhere(&w);
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
    struct order_work w = {
        .program = program, .blocks = 2, .threads = 64, .order = order_seeded(5)};
    const struct order_outcome o = order_run_everywhere(&w);
    assert_int_equal(o.status, FHEC_OK);
    for (uint32_t t = 32; t < 128; t++)
        assert_int_equal(o.words[1024 + t], 1);
    /* 60,000 instructions of the first warp, in slices of 8.5 on average where it takes turns,
     * which is every sixteenth time for the four of them; all get about as many. */
    assert_in_range(o.instructions, 3 * 60000, 5 * 60000);
    fhec_program_free(program);
}

/* ---------------------------------------------------------------- deadlocks */

static void test_deadlocks(void **unused) {
    (void)unused;
    fhec_program *spins = emu_assemble(order_stuck), *barrier = emu_assemble(order_uncrossed);
    struct order_work w = {.program = spins, .blocks = 3, .threads = 64, .order = order_seeded(1)};
    struct order_outcome o = order_run_everywhere(&w);
    order_expect_deadlock(&o,
                          "this block and 2 more wait in a loop, and nothing that is read there");
    w.program = barrier;
    o = order_run_everywhere(&w);
    order_expect_deadlock(&o, "no lane can go on; waiting are warp 1 lanes 0xffffffff at 0x");
    fhec_program_free(spins);
    fhec_program_free(barrier);
}

/* A barrier that nobody opens, wherever the search for endless waiting stands then: it begins after
 * 65536 instructions of each warp, and ends after 256 rounds of 64. */
static void test_deadlock_in_test(void **unused) {
    (void)unused;
    const uint32_t begins = 65536 / 3, ends = begins + 256 * 64 / 3;
    for (uint32_t i = 0; i < 60; i++) {
        const uint32_t turns =
            i < 10 ? begins + 500 * i : ends + 2 * i; /* some instructions late */
        char text[2000];
        snprintf(text, sizeof text,
                 "%sMOV R8, %u ;\nloop: IADD3 R8, R8, -0x1, RZ ;\n"
                 "ISETP.NE.AND P0, PT, R8, RZ, PT ;\n@P0 BRA loop ;\nBAR.SYNC 0x1, 0x80 ;\nEXIT ;\n"
                 ".end\n",
                 BEGIN, turns);
        fhec_program *program = emu_assemble(text);
        const struct order_work w = {
            .program = program, .blocks = 1, .threads = 32, .order = order_seeded(1)};
        const struct order_outcome o = order_run(&w);
        order_expect_deadlock(&o, "no lane can go on; waiting are warp 0");
        fhec_program_free(program);
    }
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
    struct order_work w = {.program = program, .blocks = 1, .threads = 64};
    struct order_outcome o = order_run(&w);
    order_expect_deadlock(&o, "in a loop"); /* the default order has no other */
    for (uint64_t seed = 0; seed < SHORT; seed++) {
        w.order = order_seeded(seed);
        o = order_run(&w);
        if (o.status != FHEC_OK || o.words[1024] != 1 || o.words[1024 + 32] != 1)
            fail_msg("seed %llu: %s", (unsigned long long)seed, o.message);
    }
    fhec_program_free(program);
}

static void test_endless(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(
        BEGIN "MOV R8, 0x1 ;\nloop: RED.E.ADD.STRONG.GPU [R6.64], R8 ;\nBRA loop ;\n.end\n");
    const struct order_work w = {.program = program,
                                 .blocks = 2,
                                 .threads = 32,
                                 .order = order_seeded(3),
                                 .max_steps = 400001};
    const struct order_outcome o = order_run_everywhere(&w);
    assert_int_equal(o.fault, FHEC_FAULT_STEP_LIMIT);
    assert_int_equal(o.instructions, 400001);
    fhec_program_free(program);
}

/* ---------------------------------------------------------------- sessions */

/* The generator and the choice as order.c and fill.h describe them, for `blocks` blocks of `warps`
 * warps that can all run all the time. */
struct model {
    uint64_t seed, draws;
    uint32_t blocks, warps, next;
    uint32_t place, warp, left;
};

static uint64_t mixed(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static void model_issue(struct model *m) {
    const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);
    if (!m->left) {
        const uint64_t draw = mixed(mixed(m->seed + step) + step * (m->draws + 1));
        const uint32_t most = 1u << draw % 8;
        m->left = 1 + (uint32_t)(draw / 8 % most);
        m->place = (uint32_t)((draw >> 32) * m->blocks >> 32);
        m->warp = (uint32_t)((draw >> 10) % 65536 * m->warps / 65536);
        if (m->draws++ % 16 == 15) {
            m->place = m->next / m->warps;
            m->warp = m->next % m->warps;
            m->next = (m->next + 1) % (m->blocks * m->warps);
        }
    }
    m->left--;
}

/* Who issues is who is said to, and who the model has. */
static void test_draws(void **unused) {
    (void)unused;
    enum { BLOCKS = 5, WARPS = 3 };
    static const char spinning[] = BEGIN "loop: IADD3 R8, R8, 0x1, RZ ;\nBRA loop ;\n.end\n";
    const fhec_go step = {.step = FHEC_STEP_INSTRUCTION};
    const fhec_order order = order_seeded(11);
    struct model m = {.seed = 11, .blocks = BLOCKS, .warps = WARPS};
    struct order_guest g;
    fhec_session *session;
    fhec_block_info info;
    fhec_stop stop;
    uint64_t pc;
    uint32_t block[3], warp;
    order_begin(&g, spinning, BLOCKS, 32 * WARPS, &order);
    assert_int_equal(fhec_session_begin(g.machine, &g.launch, &session), FHEC_OK);
    for (uint64_t n = 0; n < 50000; n++) {
        const bool next = fhec_session_next(session, block, &warp, &pc);
        assert_int_equal(next, n > 0); /* no block has begun */
        assert_int_equal(fhec_session_run(session, &step, &stop), FHEC_OK);
        assert_int_equal(stop.reason, FHEC_STOP_STEP);
        model_issue(&m);
        assert_int_equal(fhec_session_block(session, m.place, &info), FHEC_OK);
        if (stop.block[0] != info.id[0] || stop.warp != m.warp)
            fail_msg("block %u warp %u after %llu, not block %u warp %u", stop.block[0], stop.warp,
                     (unsigned long long)n, info.id[0], m.warp);
        if (next && (block[0] != stop.block[0] || warp != stop.warp))
            fail_msg("block %u warp %u was said to be next", block[0], warp);
    }
    assert_true(m.draws > 50000 / 24 && m.draws < 50000 / 12); /* 16.4 on average */
    assert_int_equal(fhec_session_end(session), FHEC_OK);
    order_end(&g);
}

/* A record does a racing launch again, and has the same result. */
static void test_record(void **unused) {
    (void)unused;
    enum { LAUNCHES = 4 };
    const fhec_order order = order_seeded(77);
    struct order_guest g;
    fhec_record *record;
    fhec_session *session;
    fhec_stop stop;
    uint32_t words[LAUNCHES], word;
    order_begin(&g, order_racing, 3, 64, &order);
    assert_int_equal(fhec_record_begin(g.machine, &record), FHEC_OK);
    for (size_t i = 0; i < LAUNCHES; i++) {
        assert_int_equal(fhec_run(g.machine, &g.launch), FHEC_OK);
        assert_int_equal(fhec_read(g.machine, g.data, &words[i], 4), FHEC_OK);
        assert_int_equal(words[i], (i + 1) * words[0]); /* every launch draws the same */
    }
    assert_true(words[0] < 6 * 50);
    for (size_t to = LAUNCHES; to-- > 0;) {
        assert_int_equal(fhec_record_go(record, to), FHEC_OK);
        assert_int_equal(fhec_record_session(record, &session), FHEC_OK);
        do
            assert_int_equal(fhec_session_run(session, &(fhec_go){.instructions = 7}, &stop),
                             FHEC_OK);
        while (stop.reason == FHEC_STOP_COUNT);
        assert_int_equal(stop.reason, FHEC_STOP_END);
        assert_int_equal(fhec_session_end(session), FHEC_OK);
        assert_int_equal(fhec_read(g.machine, g.data, &word, 4), FHEC_OK);
        assert_int_equal(word, words[to]);
    }
    fhec_record_end(record);
    order_end(&g);
}

struct seen {
    unsigned blocks, all;
};

static bool note(void *user, const fhec_difference *d) {
    struct seen *seen = user;
    seen->blocks += d->kind == FHEC_DIFFERENCE_BLOCK;
    seen->all++;
    return true;
}

/* Blocks that began in another order than that of their numbers are compared with themselves. */
static void test_compare(void **unused) {
    (void)unused;
    const fhec_order order = order_seeded(2);
    struct order_guest g;
    fhec_session *session;
    fhec_snapshot *before, *behind;
    fhec_stop stop;
    struct seen seen = {0};
    order_begin(&g, order_tickets, 40, 32, &order);
    assert_int_equal(fhec_session_begin(g.machine, &g.launch, &session), FHEC_OK);
    assert_int_equal(fhec_session_run(session, &(fhec_go){.instructions = 5}, &stop), FHEC_OK);
    assert_int_equal(fhec_snapshot_take(g.machine, &before), FHEC_OK);
    assert_int_equal(fhec_snapshot_compare(before, NULL, note, &seen), FHEC_OK);
    const fhec_go on = {.step = FHEC_STEP_INSTRUCTION};
    assert_int_equal(fhec_session_run(session, &on, &stop), FHEC_OK);
    assert_int_equal(fhec_snapshot_take(g.machine, &behind), FHEC_OK);
    assert_int_equal(fhec_snapshot_compare(before, behind, note, &seen), FHEC_DIFFERS);
    assert_int_equal(fhec_snapshot_compare(before, behind, NULL, NULL), FHEC_DIFFERS);
    assert_int_equal(seen.blocks, 0);
    assert_true(seen.all > 0 && seen.all < 100); /* one instruction */
    fhec_snapshot_free(before);
    fhec_snapshot_free(behind);
    assert_int_equal(fhec_session_end(session), FHEC_OK);
    order_end(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_races),
        cmocka_unit_test(test_races_show),
        cmocka_unit_test(test_many_seeds),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_fair),
        cmocka_unit_test(test_deadlocks),
        cmocka_unit_test(test_deadlock_in_test),
        cmocka_unit_test(test_in_step),
        cmocka_unit_test(test_endless),
        cmocka_unit_test(test_draws),
        cmocka_unit_test(test_record),
        cmocka_unit_test(test_compare),
    };
    return cmocka_run_group_tests_name("session_order", tests, NULL, NULL);
}
