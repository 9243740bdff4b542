/*
 * debugger_test.c - the debugger's model: n steps back and n forward are where it was, from any
 * place, on both engines, across barriers, lanes that part, atomics and launches; so is what it
 * finds when it looks back, and what was changed.
 * The environment can choose: FHEC_TEST_SEED; FHEC_TEST_LONG, for LONG places instead of SHORT.
 */
#include "debugger_util.h"
#include "slow_build.h"

enum { SHORT = SLOW_BUILD ? 40 : 200, LONG = 10000 };

static struct fh_debug_time random_time(struct world *w) {
    const size_t launch = emu_below(&w->rng, LAUNCHES);
    return (struct fh_debug_time){launch, emu_below(&w->rng, (uint32_t)w->lengths[launch])};
}

/* n of any warp back, as far as there are so many, and as many forward. */
static void back_and_forward(struct world *w) {
    const struct fh_debug_time time = random_time(w);
    uint64_t before = time.count, n = 1 + emu_below(&w->rng, emu_once_in(&w->rng, 4) ? 2000 : 40);
    fhec_snapshot *snapshot;
    for (size_t i = 0; i < time.launch; i++)
        before += w->lengths[i];
    n = n < before ? n : before;
    world_go(w, time);
    assert_int_equal(fhec_snapshot_take(fh_debugger_machine(w->debugger), &snapshot), FHEC_OK);
    if (n) {
        world_move(w, &(struct fh_move){.kind = FH_MOVE_COUNT, .back = true, .times = n});
        world_move(w, &(struct fh_move){.kind = FH_MOVE_COUNT, .times = n});
    }
    world_expect_same(w, snapshot, time, "instructions", n);
    fhec_snapshot_free(snapshot);
}

/* The same of one lane's instructions, from behind one of them. */
static void lane_back_and_forward(struct world *w) {
    struct fh_debug_stop stop;
    const struct fh_move step = {.kind = FH_MOVE_INSTRUCTION};
    const uint64_t n = 1 + emu_below(&w->rng, 12);
    fhec_snapshot *snapshot;
    world_go(w, random_time(w));
    const size_t launch = fh_debugger_time(w->debugger).launch;
    struct fh_focus focus = *fh_debugger_focus(w->debugger);
    for (uint64_t i = 0; i < n + 2; i++) {
        assert_int_equal(fh_debugger_move(w->debugger, &step, &stop), FHEC_OK);
        if (i == 0 && stop.time.launch == launch) /* the one before may have ended there */
            focus = *fh_debugger_focus(w->debugger);
        if (stop.time.launch != launch ||
            memcmp(&focus, fh_debugger_focus(w->debugger), sizeof focus) != 0)
            return; /* the lane has ended */
    }
    const struct fh_debug_time time = stop.time;
    assert_int_equal(fhec_snapshot_take(fh_debugger_machine(w->debugger), &snapshot), FHEC_OK);
    world_move(w, &(struct fh_move){.kind = FH_MOVE_INSTRUCTION, .back = true, .times = n});
    assert_true(fh_debug_time_compare(fh_debugger_time(w->debugger), time) < 0);
    assert_memory_equal(fh_debugger_focus(w->debugger), &focus, sizeof focus);
    world_move(w, &(struct fh_move){.kind = FH_MOVE_INSTRUCTION, .times = n});
    world_expect_same(w, snapshot, time, "steps", n);
    fhec_snapshot_free(snapshot);
}

static void back_is_forward(fhec_engine engine) {
    struct world w = world_begin(engine, FHEC_SIMD_BEST);
    const unsigned count = getenv("FHEC_TEST_LONG") ? LONG : SHORT;
    world_measure(&w);
    for (unsigned i = 0; i < count; i++) {
        if (i % 3)
            back_and_forward(&w);
        else
            lane_back_and_forward(&w);
    }
    world_end(&w);
}

/* ---------------------------------------------------------------- looking back */

static uint32_t word(struct world *w, uint64_t offset) {
    uint32_t value;
    assert_int_equal(fhec_read(fh_debugger_machine(w->debugger), w->data + offset, &value, 4),
                     FHEC_OK);
    return value;
}

/* The writers of a word, last first: each launch of `more` writes word 0 once, by warp 0, and each
 * of `mix` once, by warp 0 of block 0; and none is before them. */
static void writers_are_found_across_launches(void **state) {
    struct world w = world_begin(FHEC_ENGINE_FAST, FHEC_SIMD_BEST);
    struct fh_debug_stop stop;
    const struct fh_breakpoint watch = {
        .kind = FH_WATCH_MEMORY, .address = w.data, .bytes = 4, .access = FHEC_ACCESS_WRITE};
    (void)state;
    world_go(&w, (struct fh_debug_time){LAUNCHES, 0});
    const uint32_t last = word(&w, 0);
    for (size_t i = LAUNCHES; i-- > 0;) {
        assert_int_equal(fh_debugger_find(w.debugger, &watch, true, &stop), FHEC_OK);
        assert_int_equal(stop.reason, FH_STOP_BREAKPOINT);
        assert_int_equal(stop.time.launch, i);
        assert_int_equal(stop.stop.lane, 0);
        assert_int_equal(stop.stop.block[0], 0);
        assert_int_equal(word(&w, 0), stop.stop.old_value[0]);
        if (i + 1 == LAUNCHES)
            assert_int_equal(stop.stop.new_value[0], last);
    }
    const struct fh_debug_time first = stop.time;
    assert_int_equal(fh_debugger_find(w.debugger, &watch, true, &stop), FHEC_OK);
    assert_int_equal(stop.reason, FH_STOP_NONE);
    assert_int_equal(fh_debug_time_compare(fh_debugger_time(w.debugger), first), 0);
    for (size_t i = 0; i < LAUNCHES; i++) {
        assert_int_equal(fh_debugger_find(w.debugger, &watch, false, &stop), FHEC_OK);
        assert_int_equal(stop.time.launch, i);
        assert_int_equal(word(&w, 0), stop.stop.new_value[0]);
    }
    world_end(&w);
}

/* What is changed stays so, however often it is passed, in this launch and in those behind it, and
 * ends what was behind it before. */
static void changes_are_made_again(void **state) {
    struct world w = world_begin(FHEC_ENGINE_FAST, FHEC_SIMD_BEST);
    const uint32_t values[FHEC_WARP_LANES] = {0x12345};
    const uint32_t marked = 0x777;
    struct fh_debug_stop stop;
    bool branched = false;
    uint32_t now[FHEC_WARP_LANES];
    const struct fh_breakpoint load = {.kind = FH_BREAK_OPCODE, .text = "LOP3", .temporary = true};
    (void)state;
    world_go(&w, (struct fh_debug_time){LAUNCHES, 0});
    const uint32_t before = word(&w, 0);
    world_go(&w, (struct fh_debug_time){0, 0});
    world_move(&w, &(struct fh_move){.kind = FH_MOVE_RUN_TO, .until = &load});
    const struct fh_debug_time time = fh_debugger_time(w.debugger);
    const uint32_t block[3] = {0};
    assert_int_equal(
        fh_debugger_set_register(w.debugger, block, 0, FHEC_FILE_R, 8, 1, values, &branched),
        FHEC_OK);
    assert_true(branched);
    assert_int_equal(fh_debugger_set_memory(w.debugger, FHEC_SPACE_GLOBAL, 0, NULL, w.data + 2000,
                                            &marked, 4, &branched),
                     FHEC_OK);
    assert_false(branched);
    world_go(&w, (struct fh_debug_time){LAUNCHES, 0});
    const uint32_t after = word(&w, 0), other = word(&w, 2000);
    assert_int_not_equal(after, before);
    assert_int_equal(other, marked);
    for (unsigned i = 0; i < 40; i++) {
        world_go(&w, (struct fh_debug_time){time.launch, emu_below(&w.rng, (uint32_t)time.count)});
        world_go(&w, time);
        assert_int_equal(fhec_session_read_register(fh_debugger_session(w.debugger), block, 0,
                                                    FHEC_FILE_R, 8, now),
                         FHEC_OK);
        assert_int_equal(now[0], values[0]);
        world_go(&w, (struct fh_debug_time){1 + emu_below(&w.rng, LAUNCHES), 0});
        assert_int_equal(word(&w, 2000), marked);
    }
    world_go(&w, (struct fh_debug_time){LAUNCHES, 0});
    assert_int_equal(word(&w, 0), after);
    const struct fh_move back = {.kind = FH_MOVE_CONTINUE, .back = true};
    assert_int_equal(fh_debugger_move(w.debugger, &back, &stop), FHEC_OK);
    assert_int_equal(stop.reason, FH_STOP_BEGIN);
    world_end(&w);
}

/* A record that notes launches only: nothing runs, what is wrong with a launch is still told, and
 * the record cannot go anywhere. */
static void noted_launches_do_not_run(void **state) {
    struct world w = world_begin(FHEC_ENGINE_FAST, FHEC_SIMD_BEST);
    fhec_action action;
    uint32_t value, unchanged;
    (void)state;
    assert_int_equal(fhec_record_count(w.record), 1 + 2 * LAUNCHES);
    assert_true(fhec_record_get(w.record, 1, &action));
    memcpy(&value, action.data, 4); /* of the only write to word 0 */
    assert_int_equal(fhec_read(w.host, w.data, &unchanged, 4), FHEC_OK);
    assert_int_equal(unchanged, value);
    const fhec_launch wrong = {.program = w.program,
                               .grid = {1, 1, 1},
                               .block = {5000, 1, 1},
                               .params = &w.data,
                               .param_bytes = 8};
    assert_int_equal(fhec_run(w.host, &wrong), FHEC_BAD_INPUT);
    assert_int_equal(fhec_record_count(w.record), 1 + 2 * LAUNCHES);
    assert_int_equal(fhec_record_go(w.record, 0), FHEC_BAD_INPUT);
    assert_int_equal(fhec_record_defer(w.record), FHEC_BAD_INPUT);
    world_end(&w);
}

static void fast_engine_goes_back(void **state) {
    (void)state;
    back_is_forward(FHEC_ENGINE_FAST);
}

static void reference_engine_goes_back(void **state) {
    (void)state;
    back_is_forward(FHEC_ENGINE_REF);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_engine_goes_back),
        cmocka_unit_test(reference_engine_goes_back),
        cmocka_unit_test(writers_are_found_across_launches),
        cmocka_unit_test(changes_are_made_again),
        cmocka_unit_test(noted_launches_do_not_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
