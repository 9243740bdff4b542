/*
 * test_suite.h - what `fhec test` has to do: kernels with cases, from files and folders.
 */
#ifndef FH_CLI_TEST_SUITE_H
#define FH_CLI_TEST_SUITE_H

#include "program_file.h"
#include "test_line.h"

/* A source or an object, and the lines that stand in it and in NAME.test beside it. */
struct fh_cli_test_file {
    char *path, *beside;
    struct fh_cli_source source;
    fhec_program *program; /* NULL: it could not be read */
    struct fh_cli_test_line *lines;
    size_t line_count;
};

enum fh_cli_test_kind {
    FH_CLI_TEST_CASE,
    FH_CLI_TEST_BROKEN, /* a file that cannot be read, or has no cases where some must be; said */
    FH_CLI_TEST_LINT,   /* the file's scheduling fields */
    FH_CLI_TEST_SCRIPT, /* the file is a launch script */
};

struct fh_cli_test_item {
    enum fh_cli_test_kind kind;
    size_t file;
    size_t first, count; /* lines of the file: those of a case */
    const char *name;    /* of the case; "lint"; "script" */
};

struct fh_cli_test_suite {
    struct fh_cli *cli;
    const char **include_dirs;
    size_t include_count;
    const char **patterns; /* of names of cases, as a shell's; none: all cases */
    size_t pattern_count;
    bool lint;
    struct fh_cli_test_file *files;
    size_t file_count;
    struct fh_cli_test_item *items;
    size_t item_count;
    bool skipped; /* there are cases whose name fits no pattern */
};

/* Adds what there is at a path. What is wrong with a file is said and becomes an item; the status
 * is about the host's memory alone. */
fhec_status fh_cli_test_suite_add(struct fh_cli_test_suite *suite, const char *path);
void fh_cli_test_suite_free(struct fh_cli_test_suite *suite);

#endif
