/* asm_util.h - what the tests of the assembler share: collected diagnostics and small sources. */
#ifndef ASM_UTIL_H
#define ASM_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "asm.h"

/* Diagnostics as they came. */
enum { MAX_SAID = 128 };
struct said {
    size_t count;
    struct said_one {
        char id[8], message[256], notes[512], file[64], chain[256], source[160];
        fhec_severity severity;
        uint32_t line, column, length;
    } d[MAX_SAID];
};

/* A fhec_diagnostic_fn whose user is a struct said. */
void hear(void *user, const fhec_diagnostic *d);

/* Files that .include finds in memory. */
struct memory_file {
    const char *name, *text;
};

/* Assembles `text` as "t.sass"; *program (may be NULL) must be freed. */
fhec_status assemble(const char *text, struct said *said, fhec_program **program);
fhec_status assemble_with(const char *text, const struct memory_file *files,
                          const char *const *defines, size_t define_count, struct said *said,
                          fhec_program **program);
/* Fails the test unless the source gives exactly these: "E014 3:5, E010 4:1" in order. */
void expect_said(const char *text, const char *wanted);
/* Fails unless the first kernel of the source is, disassembled, these lines (each ended by \n). */
void expect_code(const char *text, const char *wanted);

/* A file of the folder FHEC_ORACLES, by default ../shared/oracles; NULL if it is not there. */
FILE *oracle_file(const char *name);
/* Marks the running test as skipped, with a line that says so. */
void skip_visibly(const char *what, const char *why);

#endif
