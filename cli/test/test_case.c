/*
 * test_case.c - one case of `fhec test`: from its launch to the verdict.
 */
#include "test_case.h"

#include <jansson.h>

#include "check_run.h"
#include "finding.h"
#include "interrupt.h"
#include "job.h"
#include "machine_options.h"
#include "message.h"
#include "seconds.h"
#include "statistics.h"
#include "test_line.h"
#include "test_parts.h"
#include "test_seeds.h"

/* ---------------------------------------------------------------- running */

/* A run that should fault is made silently: its message is no news. */
static fhec_status check_fault(struct fh_cli_test_parts *test, fhec_machine *machine,
                               fhec_status status) {
    const fhec_fault *fault = status == FHEC_GUEST_FAULT ? fhec_machine_fault(machine) : NULL;
    if (fault && fault->kind == test->fault_kind)
        return FHEC_OK;
    if (status != FHEC_OK && !fault)
        return fh_cli_machine_error(test->cli, machine, status);
    test->failed = true;
    if (fault)
        fh_cli_error(test->cli, FHEC_DIFFERS, "%s:%u: the fault is \"%s\"", test->fault->file,
                     test->fault->line, fhec_fault_name(fault->kind));
    else
        fh_cli_error(test->cli, FHEC_DIFFERS, "%s:%u: there was no fault", test->fault->file,
                     test->fault->line);
    return FHEC_OK;
}

/* What the reports say of a fault. */
static void note_fault(const struct fh_cli_test_parts *test, const fhec_fault *fault) {
    json_t *noted =
        json_pack("{s:s, s:s, s:I, s:I}", "kind", fhec_fault_name(fault->kind), "kernel",
                  fault->kernel, "pc", (json_int_t)fault->pc, "lanes", (json_int_t)fault->lanes);
    if (noted && fault->source.file) {
        json_object_set_new(noted, "file", json_string(fault->source.file));
        json_object_set_new(noted, "line", json_integer(fault->source.line));
    }
    json_object_set_new(test->run->result, "fault", noted);
}

/* Launches, and reads the buffers back, as a fault has left them if there is one. */
static fhec_status launch(struct fh_cli_test_parts *test, fhec_machine *machine) {
    fhec_status status = fh_cli_memory_allocate(&test->memory, machine);
    if (status != FHEC_OK)
        return fh_cli_machine_error(test->cli, machine, status);
    status = fh_cli_job_launch(test->cli, &test->job, machine);
    if (status == FHEC_CANCELLED && fh_cli_interrupt_was_late()) {
        test->failed = true;
        fh_cli_error(test->cli, FHEC_DIFFERS, "%s:%u: the time limit is over (--timeout)",
                     test->lines[0].file, test->lines[0].line);
        fh_cli_machine_error(test->cli, machine, status);
        return FHEC_GUEST_FAULT;
    }
    if (status == FHEC_GUEST_FAULT)
        note_fault(test, fhec_machine_fault(machine));
    if (test->fault)
        status = check_fault(test, machine, status);
    else if (status != FHEC_OK)
        status = fh_cli_machine_error(test->cli, machine, status);
    if (status == FHEC_OK && fh_cli_memory_read_back(&test->memory, machine) != FHEC_OK)
        status = fh_cli_machine_error(test->cli, machine, FHEC_BAD_INPUT);
    return status;
}

/* The checks of a case: those that were asked for, and what its kernel's own .expect lines say. */
static struct fh_cli_check_options checks_of(const struct fh_cli_test_parts *test) {
    struct fh_cli_check_options checks = *test->run->check;
    checks.sarif_results = json_object_get(test->run->result, "sarif");
    fhec_expectation expectation;
    if (fhec_kernel_expectation(test->job.program, test->job.index, 0, &expectation))
        checks.wanted |= FH_CHECK_BIT(FH_CHECK_FRAGMENTS);
    return checks;
}

static fhec_status run_case(struct fh_cli_test_parts *test) {
    fhec_machine *machine = NULL;
    struct fh_cli_check_options checks = {0};
    struct fh_cli_check *check = NULL;
    fhec_status status = fh_cli_job_prepare(test->cli, &test->job);
    if (status == FHEC_OK)
        status = fh_cli_job_check_buffers(test->cli, &test->job);
    if (status == FHEC_OK)
        status = fh_cli_machine_new(test->cli, test->run->machine, &machine);
    if (status == FHEC_OK) {
        checks = checks_of(test);
        status = fh_cli_check_open(test->cli, &checks, machine, &check);
    }
    for (size_t i = 0; i < test->run->source->text_count && status == FHEC_OK; i++)
        if (test->run->source->texts[i].text)
            status = fh_cli_check_source(check, test->run->source->texts[i].name,
                                         test->run->source->texts[i].text);
    if (status == FHEC_OK)
        status = fh_cli_profile_attach(test->run->profile, machine);
    double started = fh_cli_now();
    if (status == FHEC_OK)
        status = launch(test, machine);
    fh_cli_profile_detach(test->run->profile);
    if (status == FHEC_OK && test->run->machine->stats != FH_CLI_STATS_NONE)
        status = fh_cli_print_statistics(test->cli, test->run->machine, machine,
                                         fh_cli_now() - started, NULL, 0, NULL);
    if (status == FHEC_OK)
        status = fh_cli_test_expect(test);
    if (status == FHEC_GUEST_FAULT) {
        test->failed = true;
        status = FHEC_OK;
    }
    const fhec_status checked = fh_cli_check_close(check, &test->memory, status);
    test->found = status == FHEC_OK && checked == FHEC_GUEST_FAULT;
    fhec_machine_free(machine);
    if (test->found)
        return FHEC_OK;
    const bool again = test->run->machine->seeded && !fh_cli_interrupt_was_late();
    return checked == FHEC_OK && again ? fh_cli_test_vary(test) : checked;
}

enum fh_cli_verdict fh_cli_test_case(struct fh_cli_test_run *run,
                                     const struct fh_cli_test_line *lines, size_t count) {
    struct fh_cli_test_parts test = {.run = run, .cli = run->cli, .lines = lines, .count = count};
    test.job.programs = (struct fh_cli_programs){&run->program, 1};
    test.job.max_steps = run->machine->max_steps;
    fhec_status status = fh_cli_test_read(&test);
    if (status == FHEC_OK)
        status = run_case(&test);
    fh_cli_test_parts_free(&test);
    run->interrupted |= status == FHEC_CANCELLED;
    if (status != FHEC_OK)
        return FH_CLI_MALFORMED;
    return test.found    ? FH_CLI_FOUND
           : test.varies ? FH_CLI_VARIES
           : test.failed ? FH_CLI_FAILED
                         : FH_CLI_PASSED;
}
