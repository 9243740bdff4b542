/*
 * debugger_test.c - the debugger's model: n steps back and n forward are where it was, from any
 * place, on both engines, across barriers, lanes that part, atomics and launches; so is what it
 * finds when it looks back, and what was changed.
 * The environment can choose: FHEC_TEST_SEED; FHEC_TEST_LONG, for LONG places instead of SHORT.
 */
#include "debugger.h"
#include "emu_random.h"
#include "emu_util.h"
#include "slow_build.h"

enum { SHORT = SLOW_BUILD ? 40 : 200, LONG = 10000, BLOCKS = 3, THREADS = 80, LAUNCHES = 4 };

/* mix: lanes part by their number, meet, exchange words through shared memory, and count. more: a
 * loop whose length is the lane's. */
static const char text[] =
    ".target sm_80\n"
    ".kernel mix\n.param data, 8\n.shared words, 512\n"
    "S2R R0, SR_TID.X ;\nS2R R1, SR_CTAID.X ;\nIMAD R2, R1, 0x50, R0 ;\nMOV R3, 0x4 ;\n"
    "IMAD.WIDE.U32 R4, R2, R3, data ;\nLDG.E R8, [R4.64] ;\n"
    "LOP3.LUT R9, R0, 0x3, RZ, 0xc0, !PT ;\nISETP.NE.AND P0, PT, R9, RZ, PT ;\n"
    "BSSY B0, joined ;\n@P0 BRA odd ;\nIADD3 R8, R8, R0, RZ ;\nIADD3 R8, R8, 0x11, RZ ;\n"
    "BRA joined ;\nodd:\nIMAD R8, R8, 0x7, R9 ;\njoined:\nBSYNC B0 ;\n"
    "SHF.L.U32 R10, R0, 0x2, RZ ;\nSTS [R10], R8 ;\nBAR.SYNC 0x0 ;\n"
    "LOP3.LUT R11, R10, 0x4, RZ, 0x3c, !PT ;\nLDS R12, [R11] ;\nIADD3 R8, R8, R12, RZ ;\n"
    "STG.E [R4.64], R8 ;\nMOV R6, data ;\nMOV R7, data+4 ;\n"
    "RED.E.ADD.STRONG.GPU [R6.64+0x800], R9 ;\nEXIT ;\n.end\n"
    ".kernel more\n.param data, 8\n"
    "S2R R0, SR_TID.X ;\nMOV R3, 0x4 ;\nIMAD.WIDE.U32 R4, R0, R3, data ;\n"
    "LOP3.LUT R2, R0, 0x7, RZ, 0xc0, !PT ;\nLDG.E R8, [R4.64] ;\n"
    "again:\nIMAD R8, R8, 0x3, R2 ;\nIADD3 R2, R2, -0x1, RZ ;\n"
    "ISETP.GE.AND P0, PT, R2, RZ, PT ;\n@P0 BRA again ;\nSTG.E [R4.64], R8 ;\nEXIT ;\n.end\n";

struct world {
    fhec_program *program;
    fhec_machine *host;
    fhec_record *record;
    struct fh_debugger *debugger;
    uint64_t data, seed;
    uint64_t lengths[LAUNCHES];
    struct emu_rng rng;
};

static struct world begin(fhec_engine engine) {
    const char *seed = getenv("FHEC_TEST_SEED");
    struct world w = {.program = emu_assemble(text), .host = emu_machine(engine, 0, 1)};
    uint32_t words[BLOCKS * THREADS + 300];
    w.seed = seed ? strtoull(seed, NULL, 0) : 20;
    w.rng.state = w.seed * 2 + 1;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        words[i] = (uint32_t)emu_next(&w.rng);
    assert_int_equal(fhec_record_begin(w.host, &w.record), FHEC_OK);
    assert_int_equal(fhec_record_defer(w.record), FHEC_OK);
    assert_int_equal(fhec_alloc(w.host, "data", 4096, 0, &w.data), FHEC_OK);
    for (unsigned i = 0; i < LAUNCHES; i++) {
        const fhec_launch launch = {.program = w.program,
                                    .kernel = i % 2,
                                    .grid = {i % 2 ? 1 : BLOCKS, 1, 1},
                                    .block = {THREADS, 1, 1},
                                    .params = &w.data,
                                    .param_bytes = 8};
        assert_int_equal(fhec_write(w.host, w.data + 64 * i, words, 256 + 64 * i), FHEC_OK);
        assert_int_equal(fhec_run(w.host, &launch), FHEC_OK);
    }
    const struct fh_debugger_options options = {.machine = {.engine = engine}};
    assert_int_equal(fh_debugger_new(&options, &w.debugger), FHEC_OK);
    assert_int_equal(fh_debugger_take(w.debugger, w.record), FHEC_OK);
    return w;
}

static void end(struct world *w) {
    fh_debugger_free(w->debugger);
    fhec_record_end(w->record);
    fhec_machine_free(w->host);
    fhec_program_free(w->program);
}

static void move(struct world *w, const struct fh_move *m) {
    struct fh_debug_stop stop;
    const fhec_status status = fh_debugger_move(w->debugger, m, &stop);
    if (status != FHEC_OK)
        fail_msg("a move failed: %s", fh_debugger_error(w->debugger));
}

static void go(struct world *w, struct fh_debug_time time) {
    move(w, &(struct fh_move){.kind = FH_MOVE_GOTO, .to = time});
    assert_int_equal(fh_debug_time_compare(fh_debugger_time(w->debugger), time), 0);
}

/* How many instructions each launch issues, by running each alone to its end. */
static void measure(struct world *w) {
    for (size_t i = 0; i < LAUNCHES; i++) {
        struct fh_debug_stop stop;
        const struct fh_move step = {.kind = FH_MOVE_COUNT};
        go(w, (struct fh_debug_time){i, 0});
        do {
            w->lengths[i] = fh_debugger_time(w->debugger).count + 1;
            assert_int_equal(fh_debugger_move(w->debugger, &step, &stop), FHEC_OK);
        } while (stop.time.launch == i);
    }
}

static bool print_difference(void *user, const fhec_difference *d) {
    (void)user;
    print_message("differs: kind %d, block %u, warp %u, lane %u, number %u, address 0x%llx\n",
                  (int)d->kind, d->block[0], d->warp, d->lane, d->number,
                  (unsigned long long)d->address);
    return true;
}

static void expect_same(struct world *w, const fhec_snapshot *snapshot, struct fh_debug_time time,
                        const char *what, uint64_t n) {
    const struct fh_debug_time now = fh_debugger_time(w->debugger);
    if (fh_debug_time_compare(now, time) == 0 &&
        fhec_snapshot_compare(snapshot, NULL, print_difference, NULL) == FHEC_OK)
        return;
    fail_msg("seed %llu: %llu %s back and forward from launch %zu, %llu: it is at %zu, %llu",
             (unsigned long long)w->seed, (unsigned long long)n, what, time.launch,
             (unsigned long long)time.count, now.launch, (unsigned long long)now.count);
}

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
    go(w, time);
    assert_int_equal(fhec_snapshot_take(fh_debugger_machine(w->debugger), &snapshot), FHEC_OK);
    if (n) {
        move(w, &(struct fh_move){.kind = FH_MOVE_COUNT, .back = true, .times = n});
        move(w, &(struct fh_move){.kind = FH_MOVE_COUNT, .times = n});
    }
    expect_same(w, snapshot, time, "instructions", n);
    fhec_snapshot_free(snapshot);
}

/* The same of one lane's instructions, from behind one of them. */
static void lane_back_and_forward(struct world *w) {
    struct fh_debug_stop stop;
    const struct fh_move step = {.kind = FH_MOVE_INSTRUCTION};
    const uint64_t n = 1 + emu_below(&w->rng, 12);
    fhec_snapshot *snapshot;
    go(w, random_time(w));
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
    move(w, &(struct fh_move){.kind = FH_MOVE_INSTRUCTION, .back = true, .times = n});
    assert_true(fh_debug_time_compare(fh_debugger_time(w->debugger), time) < 0);
    assert_memory_equal(fh_debugger_focus(w->debugger), &focus, sizeof focus);
    move(w, &(struct fh_move){.kind = FH_MOVE_INSTRUCTION, .times = n});
    expect_same(w, snapshot, time, "steps", n);
    fhec_snapshot_free(snapshot);
}

static void back_is_forward(fhec_engine engine) {
    struct world w = begin(engine);
    const unsigned count = getenv("FHEC_TEST_LONG") ? LONG : SHORT;
    measure(&w);
    for (unsigned i = 0; i < count; i++) {
        if (i % 3)
            back_and_forward(&w);
        else
            lane_back_and_forward(&w);
    }
    end(&w);
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
    struct world w = begin(FHEC_ENGINE_FAST);
    struct fh_debug_stop stop;
    const struct fh_breakpoint watch = {
        .kind = FH_WATCH_MEMORY, .address = w.data, .bytes = 4, .access = FHEC_ACCESS_WRITE};
    (void)state;
    go(&w, (struct fh_debug_time){LAUNCHES, 0});
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
    end(&w);
}

/* What is changed stays so, however often it is passed, in this launch and in those behind it, and
 * ends what was behind it before. */
static void changes_are_made_again(void **state) {
    struct world w = begin(FHEC_ENGINE_FAST);
    const uint32_t values[FHEC_WARP_LANES] = {0x12345};
    const uint32_t marked = 0x777;
    struct fh_debug_stop stop;
    bool branched = false;
    uint32_t now[FHEC_WARP_LANES];
    const struct fh_breakpoint load = {.kind = FH_BREAK_OPCODE, .text = "LOP3", .temporary = true};
    (void)state;
    go(&w, (struct fh_debug_time){LAUNCHES, 0});
    const uint32_t before = word(&w, 0);
    go(&w, (struct fh_debug_time){0, 0});
    move(&w, &(struct fh_move){.kind = FH_MOVE_RUN_TO, .until = &load});
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
    go(&w, (struct fh_debug_time){LAUNCHES, 0});
    const uint32_t after = word(&w, 0), other = word(&w, 2000);
    assert_int_not_equal(after, before);
    assert_int_equal(other, marked);
    for (unsigned i = 0; i < 40; i++) {
        go(&w, (struct fh_debug_time){time.launch, emu_below(&w.rng, (uint32_t)time.count)});
        go(&w, time);
        assert_int_equal(fhec_session_read_register(fh_debugger_session(w.debugger), block, 0,
                                                    FHEC_FILE_R, 8, now),
                         FHEC_OK);
        assert_int_equal(now[0], values[0]);
        go(&w, (struct fh_debug_time){1 + emu_below(&w.rng, LAUNCHES), 0});
        assert_int_equal(word(&w, 2000), marked);
    }
    go(&w, (struct fh_debug_time){LAUNCHES, 0});
    assert_int_equal(word(&w, 0), after);
    const struct fh_move back = {.kind = FH_MOVE_CONTINUE, .back = true};
    assert_int_equal(fh_debugger_move(w.debugger, &back, &stop), FHEC_OK);
    assert_int_equal(stop.reason, FH_STOP_BEGIN);
    end(&w);
}

/* A record that notes launches only: nothing runs, what is wrong with a launch is still told, and
 * the record cannot go anywhere. */
static void noted_launches_do_not_run(void **state) {
    struct world w = begin(FHEC_ENGINE_FAST);
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
    end(&w);
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
