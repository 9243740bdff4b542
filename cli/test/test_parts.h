/*
 * test_parts.h - a case under way: what test_read.c makes of its lines, test_case.c runs, and
 * test_expect.c compares.
 */
#ifndef FH_CLI_TEST_PARTS_H
#define FH_CLI_TEST_PARTS_H

#include "job.h"
#include "test_case.h"
#include "test_data.h"

struct fh_cli_test_parts {
    struct fh_cli_test_run *run;
    const struct fh_cli *cli;
    const struct fh_cli_test_line *lines;
    size_t count;
    struct fh_cli_job job;
    struct fh_cli_memory memory;
    struct fh_cli_test_value *values; /* one for each buffer, as before the run */
    const struct fh_cli_test_line *fault;
    fhec_fault_kind fault_kind; /* that must come; FHEC_FAULT_NONE: none */
    size_t expectations;
    bool failed;
    bool found;  /* something, by checkers */
    bool varies; /* what it leaves, with the machine */
};

/* Makes the launch and its data of the lines; all that is wrong with them is said. */
fhec_status fh_cli_test_read(struct fh_cli_test_parts *test);
void fh_cli_test_parts_free(struct fh_cli_test_parts *test);

/* Compares the buffers with all expectations, and sets `failed`. Another status than FHEC_OK: one
 * of them cannot be computed. */
fhec_status fh_cli_test_expect(struct fh_cli_test_parts *test);

#endif
