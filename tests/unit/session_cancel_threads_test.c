/*
 * session_cancel_threads_test.c - launches without an end, which another thread cancels: on several
 * host threads and on one, in a session, in orders of warps by a seed and by a callback. Runs under
 * TSan, too.
 */
#include <pthread.h>
#include <sched.h>

#include "emu_util.h"
#include "fhec_session.h"

/* Blocks that change memory without an end: each its own line, so that they can run at once. */
static const char endless[] =
    ".target sm_80\n.kernel K\n.param data, 8\nS2R R0, SR_CTAID.X ;\nMOV R3, 0x80 ;\n"
    "IMAD.WIDE.U32 R4, R0, R3, data ;\nloop: LDG.E R8, [R4.64] ;\nIADD3 R8, R8, 0x1, RZ ;\n"
    "STG.E [R4.64], R8 ;\nBRA loop ;\n.end\n";

static size_t next(void *user, const fhec_ready_warp *ready, size_t count, uint32_t *instructions) {
    uint64_t *calls = user;
    (void)ready;
    *instructions = 3;
    return (size_t)(++*calls % count);
}

static uint64_t calls;
static const struct {
    const char *name;
    unsigned threads;
    fhec_order order;
} runs[] = {
    {"one host thread", 1, {0}},
    {"several host threads", 4, {0}},
    {"a seed", 4, {.kind = FHEC_ORDER_SEED, .seed = 4}},
    {"a callback", 4, {.kind = FHEC_ORDER_CALLBACK, .next = next, .user = &calls}},
};

/* Waits until the launch has issued something, and cancels it. */
static void *cancel(void *user) {
    fhec_machine *machine = user;
    fhec_progress progress;
    do {
        sched_yield();
        fhec_machine_progress(machine, &progress);
    } while (!progress.instructions);
    fhec_machine_cancel(machine);
    return NULL;
}

static fhec_status run(fhec_machine *machine, const fhec_launch *launch, bool in_session) {
    fhec_session *session;
    fhec_stop stop;
    if (!in_session)
        return fhec_run(machine, launch);
    assert_int_equal(fhec_session_begin(machine, launch, &session), FHEC_OK);
    assert_int_equal(fhec_session_run(session, NULL, &stop), FHEC_OK);
    assert_int_equal(stop.reason, FHEC_STOP_CANCEL);
    assert_true(stop.instructions > 0);
    assert_int_equal(fhec_session_end(session), FHEC_OK);
    return FHEC_CANCELLED;
}

static void test_cancel(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(endless);
    for (size_t i = 0; i < 2 * COUNT_OF(runs); i++) {
        const fhec_machine_options options = {.threads = runs[i / 2].threads,
                                              .order = runs[i / 2].order};
        fhec_machine *machine;
        fhec_progress progress;
        pthread_t thread;
        uint64_t data;
        assert_int_equal(fhec_machine_new(&options, &machine), FHEC_OK);
        assert_int_equal(fhec_alloc(machine, "data", 16 * 128, 0, &data), FHEC_OK);
        fhec_machine_progress(machine, &progress); /* somebody wants to know from now on */
        const fhec_launch launch = {.program = program,
                                    .grid = {16, 1, 1},
                                    .block = {64, 1, 1},
                                    .params = &data,
                                    .param_bytes = sizeof data};
        assert_int_equal(pthread_create(&thread, NULL, cancel, machine), 0);
        const fhec_status status = run(machine, &launch, i % 2);
        assert_int_equal(pthread_join(thread, NULL), 0);
        if (status != FHEC_CANCELLED)
            fail_msg("%s: %d, %s", runs[i / 2].name, status, fhec_machine_error(machine));
        fhec_machine_free(machine);
    }
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cancel),
    };
    return cmocka_run_group_tests_name("session_cancel_threads", tests, NULL, NULL);
}
