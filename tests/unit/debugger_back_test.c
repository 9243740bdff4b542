/*
 * debugger_back_test.c - moves back to stops: from any time the stop that is found is the last one
 * before it, and the one that is found forward from there the next, by a list of all times that an
 * observer of the same launches, run plainly, has made; and moves that come to nothing, which leave
 * the debugger where it was.
 * The environment can choose: FHEC_TEST_SEED; FHEC_TEST_LONG, for LONG times instead of SHORT.
 */
#include "debugger_util.h"
#include "fhec_observe.h"
#include "slow_build.h"

enum { SHORT = SLOW_BUILD ? 40 : 200, LONG = 10000, MOST = 1 << 13, PLACES = 4 };

/* Before which instruction a time is. */
struct moment {
    struct fh_debug_time time;
    uint64_t pc;
};

struct list {
    struct moment moments[MOST];
    size_t count, launches;
};

static void see(void *user, const fhec_event *event) {
    struct list *list = user;
    const struct moment *last = list->count ? &list->moments[list->count - 1] : NULL;
    if (event->kind == FHEC_EVENT_LAUNCH_BEGIN) {
        list->launches++;
        return;
    }
    struct moment *m = &list->moments[list->count++];
    assert_true(list->count < MOST);
    m->time.launch = list->launches - 1;
    m->time.count = last && last->time.launch == m->time.launch ? last->time.count + 1 : 0;
    m->pc = event->pc;
}

/* What the host has done, on a machine that runs its launches. */
static void list_all(const struct world *w, struct list *list) {
    fhec_machine *m = emu_machine(FHEC_ENGINE_REF, 0, 1);
    const fhec_observer observer = {
        .user = list,
        .filter = {.kinds =
                       FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_BEGIN) | FHEC_EVENT_BIT(FHEC_EVENT_ISSUE)},
        .event = see,
    };
    fhec_action a;
    uint64_t address;
    list->count = list->launches = 0;
    assert_int_equal(fhec_observe(m, &observer, NULL), FHEC_OK);
    for (size_t i = 0; fhec_record_get(w->record, i, &a); i++) {
        if (a.kind == FHEC_ACTION_ALLOC) {
            assert_int_equal(fhec_alloc(m, a.name, a.bytes, a.flags, &address), FHEC_OK);
            assert_int_equal(address, a.address);
        } else if (a.kind == FHEC_ACTION_WRITE) {
            assert_int_equal(fhec_write(m, a.address, a.data, a.bytes), FHEC_OK);
        } else {
            assert_int_equal(a.kind, FHEC_ACTION_LAUNCH);
            assert_int_equal(fhec_run(m, a.launch), FHEC_OK);
        }
    }
    fhec_machine_free(m);
}

/* Launches 0 and 2 are of one kernel, 1 and 3 of the other. */
static bool is_at(const struct moment *m, size_t kernel, uint64_t pc) {
    return m->time.launch % 2 == kernel && m->pc == pc;
}

/* Breakpoints at `pcs` of `kernels`; from moment `from`, which is not the first, back to the last
 * of them, and on to the next. */
static void expect_last(struct world *w, const struct list *list, size_t from,
                        const size_t kernels[PLACES], const uint64_t pcs[PLACES]) {
    const struct fh_move back = {.kind = FH_MOVE_CONTINUE, .back = true},
                         on = {.kind = FH_MOVE_CONTINUE};
    struct fh_debug_stop stop;
    size_t before = from, behind;
    bool found = false;
    while (before-- > 0 && !found)
        for (size_t i = 0; i < PLACES; i++)
            found |= is_at(&list->moments[before], kernels[i], pcs[i]);
    before++;
    world_go(w, list->moments[from].time);
    assert_int_equal(fh_debugger_move(w->debugger, &back, &stop), FHEC_OK);
    assert_int_equal(stop.reason, found ? FH_STOP_BREAKPOINT : FH_STOP_BEGIN);
    if (fh_debug_time_compare(stop.time, list->moments[before].time) != 0)
        fail_msg("seed %llu: back from launch %zu, %llu: it is at %zu, %llu, not at %zu, %llu",
                 (unsigned long long)w->seed, list->moments[from].time.launch,
                 (unsigned long long)list->moments[from].time.count, stop.time.launch,
                 (unsigned long long)stop.time.count, list->moments[before].time.launch,
                 (unsigned long long)list->moments[before].time.count);
    behind = before + 1;
    for (found = false; behind < list->count && !found; behind++)
        for (size_t i = 0; i < PLACES; i++)
            found |= is_at(&list->moments[behind], kernels[i], pcs[i]);
    assert_int_equal(fh_debugger_move(w->debugger, &on, &stop), FHEC_OK);
    assert_int_equal(stop.reason, found ? FH_STOP_BREAKPOINT : FH_STOP_END);
    if (found)
        assert_int_equal(fh_debug_time_compare(stop.time, list->moments[behind - 1].time), 0);
}

static void check(fhec_engine engine) {
    static struct list list;
    struct world w = world_begin(engine, 0);
    const unsigned count = getenv("FHEC_TEST_LONG") ? LONG : SHORT;
    list_all(&w, &list);
    assert_true(list.count > 500);
    for (unsigned i = 0; i < count;) {
        static const char *const names[] = {"mix", "more"};
        size_t kernels[PLACES];
        uint64_t pcs[PLACES];
        unsigned numbers[PLACES];
        for (size_t k = 0; k < PLACES; k++) {
            const struct moment *m = &list.moments[emu_below(&w.rng, (uint32_t)list.count)];
            kernels[k] = m->time.launch % 2;
            pcs[k] = m->pc;
            const struct fh_breakpoint b = {
                .kind = FH_BREAK_PC, .kernel = names[kernels[k]], .pc = pcs[k]};
            assert_int_equal(fh_debugger_add(w.debugger, &b, &numbers[k]), FHEC_OK);
        }
        for (unsigned k = 0; k < 10; k++, i++)
            expect_last(&w, &list, 1 + emu_below(&w.rng, (uint32_t)list.count - 1), kernels, pcs);
        for (size_t k = 0; k < PLACES; k++)
            assert_int_equal(fh_debugger_remove(w.debugger, numbers[k]), FHEC_OK);
    }
    world_end(&w);
}

static void fast_engine_finds_the_last_stop(void **state) {
    (void)state;
    check(FHEC_ENGINE_FAST);
}

static void reference_engine_finds_the_last_stop(void **state) {
    (void)state;
    check(FHEC_ENGINE_REF);
}

/* Whatever is cancelled before it has begun has not moved, and the next move moves. */
static void a_cancelled_move_stays(void **state) {
    struct world w = world_begin(FHEC_ENGINE_FAST, 0);
    const struct fh_debug_time time = {2, 100};
    const struct fh_move moves[] = {
        {.kind = FH_MOVE_CONTINUE, .back = true},
        {.kind = FH_MOVE_COUNT, .back = true, .times = 3},
        {.kind = FH_MOVE_INSTRUCTION, .back = true},
        {.kind = FH_MOVE_NEXT, .back = true},
        {.kind = FH_MOVE_FINISH, .back = true},
        {.kind = FH_MOVE_CONTINUE},
        {.kind = FH_MOVE_COUNT, .times = 3},
        {.kind = FH_MOVE_INSTRUCTION},
    };
    const struct fh_move one = {.kind = FH_MOVE_COUNT};
    const struct fh_breakpoint never = {
        .kind = FH_BREAK_PC, .pc = 0x10, .kernel = "mix", .condition = "R0 == 12345"};
    struct fh_debug_stop stop;
    unsigned number;
    (void)state;
    assert_int_equal(fh_debugger_add(w.debugger, &never, &number), FHEC_OK);
    for (size_t i = 0; i < COUNT_OF(moves); i++) {
        world_go(&w, time);
        const struct fh_focus focus = *fh_debugger_focus(w.debugger);
        fh_debugger_cancel(w.debugger);
        assert_int_equal(fh_debugger_move(w.debugger, &moves[i], &stop), FHEC_OK);
        assert_int_equal(stop.reason, FH_STOP_CANCEL);
        assert_int_equal(fh_debug_time_compare(stop.time, time), 0);
        assert_int_equal(fh_debug_time_compare(fh_debugger_time(w.debugger), time), 0);
        assert_memory_equal(fh_debugger_focus(w.debugger), &focus, sizeof focus);
        assert_int_equal(fh_debugger_move(w.debugger, &one, &stop), FHEC_OK);
        assert_int_equal(stop.reason, FH_STOP_STEP);
        assert_int_equal(stop.time.count, time.count + 1);
    }
    world_end(&w);
}

/* A count that a launch does not come to, from before it and from behind it. */
static void a_time_that_is_not_stays(void **state) {
    struct world w = world_begin(FHEC_ENGINE_FAST, 0);
    struct fh_debug_stop stop;
    (void)state;
    for (size_t launch = 0; launch < LAUNCHES; launch += LAUNCHES - 1) {
        const struct fh_debug_time time = {launch, 50};
        world_go(&w, time);
        const struct fh_focus focus = *fh_debugger_focus(w.debugger);
        const struct fh_move there = {.kind = FH_MOVE_GOTO, .back = launch > 1, .to = {1, 1000000}};
        assert_int_equal(fh_debugger_move(w.debugger, &there, &stop), FHEC_BAD_INPUT);
        assert_non_null(strstr(fh_debugger_error(w.debugger), "launch 2 issues fewer"));
        assert_int_equal(fh_debug_time_compare(fh_debugger_time(w.debugger), time), 0);
        assert_memory_equal(fh_debugger_focus(w.debugger), &focus, sizeof focus);
    }
    world_end(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_engine_finds_the_last_stop),
        cmocka_unit_test(reference_engine_finds_the_last_stop),
        cmocka_unit_test(a_cancelled_move_stays),
        cmocka_unit_test(a_time_that_is_not_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
