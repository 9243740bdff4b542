/*
 * fhec_names.h - what names that a source gives stand for in the program that was made of it:
 * numbers, registers, labels, variables. What fhec.h says of errors holds.
 */
#ifndef FHEC_NAMES_H
#define FHEC_NAMES_H

#include "fhec.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

typedef enum fhec_register_file {
    FHEC_FILE_R,
    FHEC_FILE_P,
    FHEC_FILE_UR,
    FHEC_FILE_UP,
    FHEC_FILE_B, /* convergence barriers */
} fhec_register_file;

/* ---------------------------------------------------------------- numbers, registers, labels */

typedef enum fhec_name_kind {
    FHEC_NAME_NUMBER,    /* .equ, .set, -D: value */
    FHEC_NAME_REGISTERS, /* .reg: count registers of a file, the first of which is NAME[low] */
    FHEC_NAME_LABEL,     /* value: its pc */
} fhec_name_kind;

typedef struct fhec_name {
    fhec_name_kind kind;
    int64_t value;
    bool large; /* of a number: it is the unsigned one with these bits, 2^63 or more */
    fhec_register_file file;
    uint32_t first, low, count;
} fhec_name;

/* What a name stands for at word `word` of a kernel's code space: as the assembler knew it when it
 * came there, so a .set counts from where it stands on; what is defined further on, if nothing is
 * before. A kernel's own names come before those of the whole source, as in the source. False:
 * there is no such name; programs that were read from objects have none. */
bool fhec_kernel_name(const fhec_program *program, size_t kernel, uint32_t word, const char *name,
                      fhec_name *meaning);
/* The index-th name of the program, of whatever kernel, for those who look for near ones; NULL past
 * the last. */
const char *fhec_program_name(const fhec_program *program, size_t index);

/* ---------------------------------------------------------------- variables */

/* A variable of shared memory to which the source of a kernel gives a name (.shared). Objects that
 * fhec has made keep these names, those of compilers have none. */
typedef struct fhec_shared_info {
    const char *name;
    uint32_t offset, bytes; /* in the block's shared memory */
} fhec_shared_info;

/* The index-th of the kernel; false past the end. */
bool fhec_kernel_shared(const fhec_program *program, size_t kernel, size_t index,
                        fhec_shared_info *info);

/* A place that holds the address of a variable, or one counted from it, because the source names
 * the variable there, or the object's relocation does: an instruction's immediate or offset, or a
 * constant that all kernels see. */
typedef struct fhec_variable_use {
    bool shared;  /* of the variable: `variable` is for fhec_kernel_shared; else for
                     fhec_variable_get */
    bool in_code; /* of the place: word `word`, which is at pc 16 * word; else: */
    uint32_t word;
    uint32_t bank, offset; /* bytes into a constant bank */
    size_t variable;
} fhec_variable_use;

/* All that the kernel, and functions of its program, can see, of which the first `capacity` are
 * told; returns how many there are. */
size_t fhec_kernel_variable_uses(const fhec_program *program, size_t kernel,
                                 fhec_variable_use *uses, size_t capacity);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
