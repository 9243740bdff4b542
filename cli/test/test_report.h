/*
 * test_report.h - the verdicts of `fhec test` as they come: as text, TAP or JSON on standard
 * output, and in files as JUnit's XML and as SARIF.
 */
#ifndef FH_CLI_TEST_REPORT_H
#define FH_CLI_TEST_REPORT_H

#include <jansson.h>

#include "output.h"
#include "test_case.h"

enum fh_cli_test_format { FH_CLI_TEST_TEXT, FH_CLI_TEST_TAP, FH_CLI_TEST_JSON };

struct fh_cli_test_verdict {
    const char *path, *name;
    enum fh_cli_verdict verdict;
    double seconds;
    json_t *result;      /* as the case has filled it (test_case.h); NULL: nothing came back */
    const char *said;    /* its messages, a line each */
    const char *printed; /* what else it printed: statistics */
};

struct fh_cli_test_report {
    const struct fh_cli *cli;
    enum fh_cli_test_format format;
    const char *junit;   /* a file; NULL: none */
    const char *sarif;   /* the same */
    const char *profile; /* the same, written by others: not to be one of these */
    json_t *results;     /* for it, so far (test_sarif.h) */
    char machine[40];    /* the option that repeats the run on this machine; empty: none */
    struct fh_cli_outputs outputs;
    FILE *xml; /* the test cases of the file, until their number is known */
    char *xml_text;
    size_t xml_length;
    size_t counts[FH_CLI_VERDICTS], told;
};

/* `count` verdicts will come. */
fhec_status fh_cli_test_report_begin(struct fh_cli_test_report *report, size_t count);
void fh_cli_test_report_add(struct fh_cli_test_report *report,
                            const struct fh_cli_test_verdict *verdict);
/* The last line, which counts, and the file. */
fhec_status fh_cli_test_report_end(struct fh_cli_test_report *report);
void fh_cli_test_report_free(struct fh_cli_test_report *report);

#endif
