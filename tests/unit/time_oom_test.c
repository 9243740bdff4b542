/*
 * time_oom_test.c - every allocation on the way to times is made to fail, one after the other: then
 * there are none, and why is said, or all of them.
 */
#include "issue_log.h"
#include "refuse.h"
#include "roofline.h"
#include "time_report.h"
#include "timing_util.h"

/* Shared and global memory, a barrier, more lines than a table begins with. */
static const char source[] =
    ".target sm_80\n.kernel K\n.param x, 8\n.shared s, 4096\nS2R R0, SR_TID.X ;\n"
    "IMAD R8, R0, 0x4, RZ ;\nMOV R2, x ;\nMOV R3, x + 4 ;\nIMAD.WIDE.U32 R4, R0, 0x80, R2 ;\n"
    "MOV R9, RZ ;\nagain:\nLDG.E R6, [R4.64] ;\nSTS [R8], R6 ;\nBAR.SYNC 0x0 ;\nLDS R7, [R8] ;\n"
    "STG.E [R4.64], R7 ;\nIADD3 R9, R9, 0x1, RZ ;\nISETP.LT.U32.AND P0, PT, R9, 0x3, PT ;\n"
    "@P0 BRA again ;\nEXIT ;\n.end\n";

static bool no_line(void *user, const char *file, uint32_t line, const char **text,
                    size_t *length) {
    (void)user, (void)file, (void)line, (void)text, (void)length;
    return false;
}

static bool report(const struct fh_timer *timer, const struct fh_issue_log *log,
                   struct fh_trace_bytes *to) {
    const struct fh_profile_sources sources = {NULL, no_line};
    const struct fh_time_machine *machine = fh_timer_machine(timer);
    bool fine = fh_time_text(to, timer, &sources);
    fine &= fh_time_json(to, timer);
    fine &= fh_time_callgrind(to, timer);
    fine &= fh_roofline_svg(to, timer);
    fine &= fh_issue_log_json(to, log, machine);
    fine &= fh_issue_log_svg(to, log, machine);
    return fine;
}

/* The reports of two launches; false: something was missing, and that has been said. */
static bool life(const struct fh_time_machine *machine, const fhec_program *program,
                 struct fh_trace_bytes *to) {
    struct fh_issue_log log = {.to = UINT64_MAX, .most = 10000};
    struct fh_timer *timer = fh_timer_new(machine);
    fhec_machine *m = NULL;
    uint64_t x = 0;
    bool fine = timer;
    if (timer) {
        const fhec_machine_options options = {.threads = 1, .order = fh_timer_order(timer)};
        fine = fhec_machine_new(&options, &m) == FHEC_OK &&
               fhec_alloc(m, "x", 65536, 0, &x) == FHEC_OK && fh_timer_attach(timer, m) == FHEC_OK;
        fh_timer_keep(timer, &log);
    }
    for (unsigned run = 0; fine && run < 2; run++)
        fine = emu_run(m, program, 6, 64, &x, 1) == FHEC_OK;
    if (timer) {
        fh_timer_detach(timer);
        fine = fine && !fh_timer_failed(timer) && report(timer, &log, to);
    }
    fh_issue_log_free(&log);
    fhec_machine_free(m);
    fh_timer_free(timer);
    return fine && !to->failed;
}

static void every_allocation(const char *name, const char *l2) {
    const char *const changes[] = {"sms 3", l2, NULL};
    struct fh_time_machine machine;
    struct fh_trace_bytes whole = {0};
    unsigned said = 0;
    long granted = 0;
    timing_machine(&machine, name, changes);
    fhec_program *program = emu_assemble(source);
    assert_true(life(&machine, program, &whole));
    assert_true(whole.count > 10000);
    for (;; granted++) {
        struct fh_trace_bytes got = {0};
        refuse_after(granted, true);
        const bool fine = life(&machine, program, &got);
        const bool refused = refuse_end();
        if (fine) {
            assert_int_equal(got.count, whole.count);
            assert_memory_equal(got.bytes, whole.bytes, whole.count);
        }
        fh_trace_bytes_free(&got);
        said += !fine;
        if (!refused)
            break;
    }
    assert_true(granted < 100000 && said > 60);
    fh_trace_bytes_free(&whole);
    fhec_program_free(program);
}

static void test_control(void **unused) {
    (void)unused;
    every_allocation("a100", "l2 100");
    every_allocation("a100", "l2 40M");
}

static void test_scoreboard(void **unused) {
    (void)unused;
    every_allocation("mi100", "l2 100");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_control),
        cmocka_unit_test(test_scoreboard),
    };
    return cmocka_run_group_tests_name("time_oom", tests, NULL, NULL);
}
