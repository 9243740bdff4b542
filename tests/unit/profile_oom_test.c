/*
 * profile_oom_test.c - every allocation on the way to a profile is made to fail, one after the
 * other: then there is no profile, or all of it, and the launches are as without.
 */
#include "emu_util.h"
#include "profile_report.h"
#include "profiler.h"
#include "refuse.h"

static bool count_bytes(void *user, const void *bytes, size_t size) {
    (void)bytes;
    *(size_t *)user += size;
    return true;
}

static bool no_line(void *user, const char *file, uint32_t line, const char **text,
                    size_t *length) {
    (void)user;
    (void)file;
    (void)line;
    (void)text;
    (void)length;
    return false;
}

/* A profile of two launches, of its copy, in all formats: whether all of it is there. */
static bool life(const fhec_program *program, unsigned threads, size_t *written) {
    const struct fh_profile_sources sources = {NULL, no_line};
    const fhec_machine_options options = {.threads = threads};
    fhec_machine *m = NULL;
    uint64_t x = 0;
    struct fh_profiler *a = fh_profiler_new(), *b = fh_profiler_new();
    bool fine = a && b && fhec_machine_new(&options, &m) == FHEC_OK &&
                fhec_alloc(m, "x", 4096, 0, &x) == FHEC_OK && fh_profiler_attach(a, m) == FHEC_OK;
    for (int run = 0; run < 2 && fine; run++)
        fine = emu_run(m, program, 6, 64, &x, 1) == FHEC_OK;
    if (a)
        fh_profiler_detach(a);
    for (size_t i = 0; fine && i < fh_profiler_code(a)->count; i++)
        fh_profiler_merge(b, fh_profiler_code(a)->kernels[i]);
    for (unsigned format = FH_PROFILE_TEXT; format <= FH_PROFILE_LCOV && fine; format++) {
        const struct fh_trace_out out = {written, count_bytes};
        for (unsigned copy = 0; copy < 2 && fine; copy++)
            fine = fh_profile_write((enum fh_profile_format)format, fh_profiler_code(copy ? b : a),
                                    &sources, "test", &out);
    }
    fh_profiler_free(a);
    fh_profiler_free(b);
    fhec_machine_free(m);
    return fine;
}

static void test_every_allocation(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(".target sm_80\n.kernel K\n.param x, 8\n.shared s, 4096\n"
                                         ".macro LOAD r\nLDS \\r, [R6] ;\n.endm\n"
                                         "S2R R0, SR_TID.X ;\nMOV R1, 0x4 ;\n"
                                         "IMAD.WIDE.U32 R2, R0, R1, x ;\n"
                                         "IMAD R6, R0, 0x20, RZ ;\n"
                                         "LDG.E R4, [R2.64] ;\nSTS [R6], R4 ;\nLOAD R5\n"
                                         "STG.E [R2.64], R5 ;\nEXIT ;\n.end\n");
    for (unsigned threads = 1; threads <= 2; threads++) {
        size_t whole = 0;
        int n = 0;
        assert_true(life(program, threads, &whole));
        assert_true(whole > 4000);
        for (;; n++) {
            size_t written = 0;
            refuse_after(n, true);
            const bool fine = life(program, threads, &written);
            const bool refused = refuse_end();
            if (fine)
                assert_int_equal(written, whole);
            if (!refused)
                break;
        }
        assert_true(n > 20);
    }
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
