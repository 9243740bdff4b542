/*
 * check_kernels_test.c - no finding of the checker of bounds on the kernels of programs/, all maps.
 * Their operands here are any, for which that of operands has findings:
 * tests/cli/check_operands.sh.
 */
#include "checkers.h"
#include "kernel_work.h"

struct totals {
    size_t works, findings;
};

static void check(void *user, const struct kernel_work *w) {
    static uint8_t out[KERNEL_WORK_BYTES];
    const unsigned wanted = FH_CHECK_BIT(FH_CHECK_BOUNDS);
    const fhec_machine_options options = {.threads = 1};
    struct totals *totals = user;
    struct fh_findings *findings = fh_findings_new();
    struct fh_checkers *checkers;
    fhec_machine *m;
    assert_non_null(findings);
    assert_int_equal(fhec_machine_new(&options, &m), FHEC_OK);
    assert_int_equal(fh_checkers_begin(m, wanted, findings, &checkers), FHEC_OK);
    kernel_work_run(w, m, out);
    assert_int_equal(fh_checkers_end(checkers), FHEC_OK);
    for (size_t i = 0; i < fh_findings_count(findings); i++) {
        const struct fh_finding *f = fh_findings_get(findings, i);
        print_error("%s, map %s, n %zu, variant %d: %s at 0x%llx, %llu times: %s\n  %s\n  %s\n",
                    w->name, w->map->name, w->n, w->variant, f->source.kernel,
                    (unsigned long long)f->at.pc, (unsigned long long)f->count, f->message,
                    f->source.text, f->source.location);
    }
    totals->findings += fh_findings_count(findings);
    totals->works++;
    fhec_machine_free(m);
    fh_findings_free(findings);
}

static void test_no_findings(void **unused) {
    struct totals totals = {0, 0};
    (void)unused;
    kernel_work_each(false, check, &totals);
    assert_true(totals.works > 50);
    assert_int_equal(totals.findings, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_findings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
