/*
 * program.h - assembled code: what the assembler makes, the emulator runs and the object file
 * holds. All memory belongs to the program and goes with fhec_program_free.
 */
#ifndef FH_PROGRAM_H
#define FH_PROGRAM_H

#include "isa.h"

enum { FH_MAX_KERNELS = 4096 }; /* of a program */

/* Where a word came from: indices, so that an object file can hold them. */
struct fh_origin {
    uint32_t file; /* index into files; UINT32_MAX: unknown */
    uint32_t line, column, length;
};

struct fh_param {
    char *name;
    uint32_t offset, size;
};

/* A constant bank other than 0, as the object file gives it. */
struct fh_constant_bank {
    uint8_t bank;
    uint8_t *bytes;
    uint32_t size;
};

struct fh_kernel {
    char *name;
    char *target; /* "sm_80, fhec" */
    fhec_word *words;
    struct fh_origin *origins; /* word_count of them */
    uint32_t word_count;
    uint32_t registers, shared_bytes, local_bytes, barriers;
    struct fh_param *params;
    uint32_t param_count, param_bytes;
    struct fh_constant_bank *banks;
    uint32_t bank_count;
};

/* A line of the file's own test (.test), which the tool reads. */
struct fh_test {
    char *text;
    struct fh_origin origin;
};

struct fhec_program {
    char **files; /* names of the source files */
    uint32_t file_count;
    struct fh_kernel *kernels;
    uint32_t kernel_count;
    struct fh_test *tests;
    uint32_t test_count;
};

/* How many named barriers of a block the instruction calls for: the number of the one that it
 * names, plus one; all 16 if a register names it; 0 if it is about none. */
uint32_t fh_named_barriers(const struct fh_inst *inst);
/* Bytes by which the instruction makes the stack larger: IADD3 R1, R1, -BYTES, RZ. */
uint32_t fh_stack_frame(const struct fh_inst *inst);
/* Whether control never reaches the instruction after this one. */
bool fh_ends_control(const struct fh_inst *inst);
/* Whether the lanes may run past the last word: it and the NOPs before it do not end control. */
bool fh_runs_out(const fhec_word *words, size_t count);

#endif
