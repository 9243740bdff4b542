/*
 * snapshot_oom_test.c - every allocation that snapshots make is made to fail, one after the other:
 * the call says FHEC_HOST_ERROR, everything is as before, and works when asked again.
 */
#include "emu_util.h"
#include "fhec_session.h"
#include "refuse.h"

enum { WORDS = 4096, BLOCKS = 3, THREADS = 40 };

static const char text[] =
    ".target sm_80\n.section .nv.global.init\nvalue:\n.word 7\n.kernel K\n.param data, 8\n"
    ".shared s, 512\n.local 16\n"
    "S2R R0, SR_TID.X ;\nS2R R1, SR_CTAID.X ;\nIMAD R2, R1, c[0x0][0x0], R0 ;\nMOV R3, 0x64 ;\n"
    "IMAD.WIDE.U32 R4, R2, R3, data ;\nSHF.L.U32 R8, R0, 0x2, RZ ;\nSTS [R8], R2 ;\n"
    "BAR.SYNC 0x0 ;\nLDS R9, [R8] ;\nSTL [RZ], R9 ;\nSTG.E [R4.64], R9 ;\nEXIT ;\n.end\n";

struct guest {
    fhec_program *program;
    fhec_machine *machine;
    uint64_t data;
    fhec_launch launch;
};

static struct guest begin(void) {
    struct guest g = {.program = emu_assemble(text),
                      .machine = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1)};
    fhec_machine_count(g.machine, true);
    assert_int_equal(fhec_alloc(g.machine, "data", 4 * WORDS, 0, &g.data), FHEC_OK);
    return g;
}

static fhec_session *open(struct guest *g, uint64_t instructions) {
    fhec_session *session;
    fhec_stop stop;
    g->launch = (fhec_launch){.program = g->program,
                              .grid = {BLOCKS, 1, 1},
                              .block = {THREADS, 1, 1},
                              .params = &g->data,
                              .param_bytes = 8};
    assert_int_equal(fhec_session_begin(g->machine, &g->launch, &session), FHEC_OK);
    assert_int_equal(fhec_session_run(session, &(fhec_go){.instructions = instructions}, &stop),
                     FHEC_OK);
    return session;
}

/* To the end, where memory and counts are known. */
static void finish(struct guest *g, fhec_session *session) {
    uint32_t words[WORDS], expected[WORDS] = {0};
    fhec_stop stop;
    fhec_stats stats;
    assert_int_equal(fhec_session_run(session, NULL, &stop), FHEC_OK);
    assert_int_equal(stop.reason, FHEC_STOP_END);
    assert_int_equal(fhec_session_end(session), FHEC_OK);
    for (uint32_t i = 0; i < BLOCKS * THREADS; i++)
        expected[25 * i] = i;
    assert_int_equal(fhec_read(g->machine, g->data, words, sizeof words), FHEC_OK);
    assert_memory_equal(words, expected, sizeof words);
    assert_int_equal(fhec_machine_stats(g->machine, &stats), FHEC_OK);
    assert_int_equal(stats.launches, 1);
    assert_int_equal(stats.warp_insts, BLOCKS * 2 * 12);
}

static bool none(void *user, const fhec_difference *d) {
    (void)user;
    fail_msg("a difference of kind %d", d->kind);
    return false;
}

static bool any(void *user, const fhec_difference *d) {
    (void)d;
    ++*(unsigned *)user;
    return true;
}

static void may_fail(fhec_status status) {
    assert_true(status == FHEC_OK || status == FHEC_HOST_ERROR);
}

/* Takes, compares and restores snapshots in the middle of a launch and behind its end; allocation
 * number n of the calls to snapshots fails. False: there are not so many. */
static bool life(long n) {
    struct guest g = begin();
    fhec_session *session = open(&g, 20);
    fhec_snapshot *early = NULL, *late = NULL;
    fhec_status status[6];
    fhec_stop stop;
    unsigned differences = 0;
    refuse_after(n, true);
    status[0] = fhec_snapshot_take(g.machine, &early);
    if (status[0] != FHEC_OK)
        assert_null(early);
    if (!early)
        assert_int_equal(fhec_snapshot_take(g.machine, &early), FHEC_OK);
    status[1] = fhec_snapshot_compare(early, NULL, none, NULL);
    may_fail(fhec_write(g.machine, g.data + 8000, "abcd", 4));
    status[2] = fhec_session_run(session, &(fhec_go){.instructions = 17}, &stop);
    if (status[2] == FHEC_HOST_ERROR) { /* what was read since means nothing */
        refuse_end();
        assert_int_equal(fhec_snapshot_restore(early, &session), FHEC_OK);
        assert_int_equal(fhec_session_run(session, &(fhec_go){.instructions = 17}, &stop), FHEC_OK);
    }
    status[3] = fhec_snapshot_take(g.machine, &late);
    if (!late)
        assert_int_equal(fhec_snapshot_take(g.machine, &late), FHEC_OK);
    const fhec_status compared = fhec_snapshot_compare(early, late, any, &differences);
    assert_true(compared == FHEC_DIFFERS || compared == FHEC_HOST_ERROR);
    status[4] = fhec_snapshot_restore(early, &session);
    if (status[4] != FHEC_OK) { /* the machine is where it was */
        assert_int_equal(fhec_snapshot_compare(late, NULL, none, NULL), FHEC_OK);
        assert_int_equal(fhec_snapshot_restore(early, &session), FHEC_OK);
    }
    may_fail(fhec_session_end(session));
    status[5] = fhec_snapshot_restore(late, &session); /* makes the session again */
    if (status[5] != FHEC_OK) {
        assert_null(session);
        assert_int_equal(fhec_snapshot_restore(late, &session), FHEC_OK);
    }
    const bool refused = refuse_end();
    for (size_t i = 0; i < COUNT_OF(status); i++)
        may_fail(status[i]);
    assert_int_equal(fhec_snapshot_compare(late, NULL, none, NULL), FHEC_OK);
    assert_int_equal(fhec_snapshot_restore(early, &session), FHEC_OK);
    finish(&g, session);
    fhec_snapshot_free(late);
    fhec_snapshot_free(early);
    fhec_machine_free(g.machine);
    fhec_program_free(g.program);
    return refused;
}

static void test_every_allocation(void **unused) {
    (void)unused;
    long n = 0;
    while (life(n))
        n++;
    assert_true(n > 30);
}

/* A record, a few actions, and back and forth; allocation number n fails. What could be recorded
 * can be gone to, and what was done is done. False: there are not so many. */
static bool recorded_life(long n) {
    struct guest g = begin();
    fhec_record *record = NULL;
    fhec_session *session = NULL;
    fhec_stop stop;
    uint64_t more = 0;
    uint32_t word = 0;
    refuse_after(n, true);
    may_fail(fhec_record_begin(g.machine, &record));
    if (!record)
        assert_int_equal(fhec_record_begin(g.machine, &record), FHEC_OK);
    may_fail(fhec_alloc(g.machine, "more", 50, 0, &more));
    const fhec_status written = fhec_write(g.machine, g.data, "abcd", 4);
    may_fail(written);
    g.launch = (fhec_launch){.program = g.program,
                             .grid = {BLOCKS, 1, 1},
                             .block = {THREADS, 1, 1},
                             .params = &g.data,
                             .param_bytes = 8};
    may_fail(fhec_run(g.machine, &g.launch));
    const fhec_status begun = fhec_session_begin(g.machine, &g.launch, &session);
    may_fail(begun);
    if (session) {
        may_fail(fhec_session_run(session, &(fhec_go){.instructions = 15}, &stop));
        may_fail(fhec_session_end(session));
    }
    for (size_t i = fhec_record_count(record) + 1; i-- > 0;)
        may_fail(fhec_record_go(record, i));
    fhec_unload(g.machine, g.program);
    const bool refused = refuse_end();
    for (size_t i = 0; i <= fhec_record_count(record); i++)
        if (fhec_record_go(record, i) == FHEC_OK)
            assert_int_equal(fhec_record_position(record), i);
        else /* what leads there was lost, and with it all that there was */
            assert_int_equal(fhec_record_count(record), 0);
    assert_int_equal(fhec_write(g.machine, g.data, "efgh", 4), FHEC_OK);
    const size_t count = fhec_record_count(record);
    assert_int_equal(fhec_record_go(record, count - 1), FHEC_OK);
    assert_int_equal(fhec_record_go(record, count), FHEC_OK);
    assert_int_equal(fhec_read(g.machine, g.data, &word, 4), FHEC_OK);
    assert_memory_equal(&word, "efgh", 4);
    fhec_record_end(record);
    fhec_machine_free(g.machine);
    fhec_program_free(g.program);
    return refused;
}

static void test_record(void **unused) {
    (void)unused;
    long n = 0;
    while (recorded_life(n))
        n++;
    assert_true(n > 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_allocation),
                                       cmocka_unit_test(test_record)};
    return cmocka_run_group_tests_name("snapshot_oom", tests, NULL, NULL);
}
