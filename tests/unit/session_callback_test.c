/*
 * session_callback_test.c - the order of warps by a callback: what it is told, that its choices are
 * followed, starving, and answers that cannot be followed.
 */
#include "order_util.h"

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
    fhec_program *program = emu_assemble(order_summing);
    struct caller caller = {0};
    struct order_work w = {.program = program, .blocks = 7, .threads = 96};
    const struct order_outcome usual = order_run(&w);
    w.order = (fhec_order){.kind = FHEC_ORDER_CALLBACK, .next = round_robin, .user = &caller};
    const struct order_outcome o = order_run(&w);
    order_expect_same("a callback", &usual, &o);
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
    struct order_work w = {.program = program, .blocks = 3600, .threads = 1};
    const struct order_outcome usual = order_run(&w);
    w.order = (fhec_order){.kind = FHEC_ORDER_CALLBACK, .next = round_robin, .user = &caller};
    const struct order_outcome o = order_run(&w);
    order_expect_same("a callback", &usual, &o);
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
    fhec_program *meet = emu_assemble(order_meeting), *barrier = emu_assemble(order_uncrossed);
    struct order_work w = {.program = meet,
                           .blocks = 2,
                           .threads = 32,
                           .max_steps = 100000,
                           .order = {.kind = FHEC_ORDER_CALLBACK, .next = first}};
    struct order_outcome o = order_run_everywhere(&w);
    assert_int_equal(o.fault, FHEC_FAULT_STEP_LIMIT);
    assert_int_equal(o.instructions, 100000);
    w.program = barrier;
    w.threads = 64;
    o = order_run_everywhere(&w);
    order_expect_deadlock(&o, "no lane can go on");
    fhec_program_free(meet);
    fhec_program_free(barrier);
}

static void test_bad_answers(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(order_racing);
    struct caller caller = {.bad = 10, .number = 4, .instructions = 1};
    const struct order_work w = {
        .program = program,
        .blocks = 1,
        .threads = 128,
        .order = {.kind = FHEC_ORDER_CALLBACK, .next = round_robin, .user = &caller}};
    struct order_outcome o = order_run(&w);
    assert_int_equal(o.status, FHEC_BAD_INPUT);
    assert_string_equal(
        o.message, "the order of warps: the callback chose number 4 of 4 warps, counted from 0");
    assert_int_equal(caller.calls, 10);
    caller = (struct caller){.bad = 10, .number = 3, .instructions = 0};
    o = order_run(&w);
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

/* An answer that cannot be followed stops the session, which can go on. */
static void test_session_bad_answer(void **unused) {
    (void)unused;
    struct caller caller = {.bad = 10, .number = 7, .instructions = 1};
    const fhec_order order = {.kind = FHEC_ORDER_CALLBACK, .next = round_robin, .user = &caller};
    struct order_guest g;
    fhec_session *session;
    fhec_stop stop;
    uint32_t word;
    order_begin(&g, order_tickets, 2, 64, &order);
    assert_int_equal(fhec_session_begin(g.machine, &g.launch, &session), FHEC_OK);
    assert_int_equal(fhec_session_run(session, NULL, &stop), FHEC_BAD_INPUT);
    assert_int_equal(caller.calls, 10);
    assert_non_null(strstr(fhec_machine_error(g.machine), "chose number 7 of 4 warps"));
    assert_int_equal(fhec_session_run(session, NULL, &stop), FHEC_OK);
    assert_int_equal(stop.reason, FHEC_STOP_END);
    assert_int_equal(fhec_read(g.machine, g.data, &word, sizeof word), FHEC_OK);
    assert_int_equal(word, 4 * 4);
    assert_int_equal(fhec_session_end(session), FHEC_OK);
    order_end(&g);
}

/* Of two warps the one that user says, one instruction. */
static size_t chosen(void *user, const fhec_ready_warp *ready, size_t count,
                     uint32_t *instructions) {
    (void)ready;
    *instructions = 1;
    return count < 2 ? 0 : *(size_t *)user;
}

/* Warp 0 stops before its branch, and warp 1 is the one that goes on, to a barrier that nobody
 * watches: nothing of the instruction that was not issued may be looked at. */
static void test_another_warp_goes_on(void **unused) {
    (void)unused;
    size_t warp = 1;
    const fhec_order order = {.kind = FHEC_ORDER_CALLBACK, .next = chosen, .user = &warp};
    const fhec_point branch = {
        .kind = FHEC_POINT_OPCODE, .text = "BRA", .scope = {.one_warp = true, .warp = 0}};
    static const fhec_go ten = {.instructions = 10};
    struct order_guest g;
    fhec_session *session;
    fhec_stop stop;
    unsigned point;
    order_begin(&g, BEGIN "BRA next ;\nnext: BAR.SYNC 0x0 ;\nEXIT ;\n.end\n", 1, 64, &order);
    assert_int_equal(fhec_session_begin(g.machine, &g.launch, &session), FHEC_OK);
    assert_int_equal(fhec_session_add(session, &branch, &point), FHEC_OK);
    assert_int_equal(fhec_session_run(session, &ten, &stop), FHEC_OK);
    assert_int_equal(stop.reason, FHEC_STOP_COUNT);
    warp = 0;
    assert_int_equal(fhec_session_run(session, NULL, &stop), FHEC_OK);
    assert_int_equal(stop.reason, FHEC_STOP_BREAKPOINT);
    assert_int_equal(stop.instructions, 19);
    warp = 1;
    assert_int_equal(fhec_session_run(session, NULL, &stop), FHEC_OK);
    assert_int_equal(stop.reason, FHEC_STOP_END);
    assert_int_equal(stop.instructions, 24);
    assert_int_equal(fhec_session_end(session), FHEC_OK);
    order_end(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_callback),
        cmocka_unit_test(test_callback_blocks),
        cmocka_unit_test(test_callback_starves),
        cmocka_unit_test(test_bad_answers),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_session_bad_answer),
        cmocka_unit_test(test_another_warp_goes_on),
    };
    return cmocka_run_group_tests_name("session_callback", tests, NULL, NULL);
}
