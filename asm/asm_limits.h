/*
 * asm_limits.h - how much the assembler takes. What the machine has is in machines.h.
 */
#ifndef FH_ASM_LIMITS_H
#define FH_ASM_LIMITS_H

#include "machines.h"
#include "program.h"

enum {
    FH_MAX_ERRORS = 100,
    FH_MAX_NOTES = 16,
    FH_MAX_PENDING = 64,         /* diagnostics that wait for the end of a repetition */
    FH_MAX_REPEATED = 1 << 12,   /* reports of what has been reported for another iteration */
    FH_MAX_EXPANSIONS = 1 << 20, /* in one run */
    FH_MAX_EXPANDED = 1 << 26,   /* bytes of expanded and included text in one run */
    FH_MAX_WORDS = 1 << 20,      /* instructions of a kernel: 16 MiB */
    FH_MAX_SEGMENT = 1 << 30,    /* bytes of a section of variables */
    FH_MAX_ARGUMENTS = 32,       /* of an instruction */

    FH_BANK_DATA = 3,   /* .constant outside of kernels */
    FH_BANK_KERNEL = 2, /* .constant inside a kernel */
};

#endif
