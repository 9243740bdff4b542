/*
 * vector_case.h - a case of a file of instruction vectors (tests/vectors/generate.py): what is in
 * registers and memory before and after one instruction.
 */
#ifndef FH_TESTS_VECTOR_CASE_H
#define FH_TESTS_VECTOR_CASE_H

#include "warp.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { ROWS = 254, PARAM_WORDS = 64, TEXT = 256, MAX_INPUTS = 64 };
/* The memory that there is, in words: of global memory in two allocations, of local memory per
 * lane, and of two constant banks, the first of which is BANK. */
enum { HIGH = 512, LOW = 256, SHARED = 256, LOCAL = 64, BANKED = 32, BANK = 3 };
#define HIGH_BASE UINT64_C(0x7efffffffc00)
#define LOW_BASE  UINT64_C(0x10000)

/* A register file: what goes into the warp, or what is expected of it. */
struct registers {
    uint32_t r[ROWS][FH_LANES];
    uint32_t p[FH_PT], ur[FH_URZ];
    uint8_t up[FH_PT];
};

struct memory {
    uint32_t high[HIGH], low[LOW], shared[SHARED];
    uint32_t local[LOCAL][FH_LANES];
    uint32_t banks[2][BANKED];
};

struct vector {
    char insn[TEXT];
    uint32_t mask;
    uint32_t params[PARAM_WORDS];
    struct registers before, after;
    struct memory memory_before, memory_after;
    char inputs[MAX_INPUTS][8]; /* names */
    unsigned input_count;
    char fault[TEXT]; /* its name; empty: there is none */
    uint32_t fault_lanes;
    const char *path;
    unsigned line;
};

/* A part of memory: how a case calls it, its first address, how many words it has, and how many
 * numbers a word of it is: in local memory one for each lane. */
struct part {
    const char *name;
    uint64_t base;
    size_t at, words, row; /* at: in struct memory */
};
enum { MEMORY_PARTS = 6 };
extern const struct part memory_parts[MEMORY_PARTS];
uint32_t *part_words(const struct part *part, struct memory *memory);

/* The next case of the file; false at its end. `line` counts. All that the case does not name has
 * numbers that are its own. */
bool vector_read(FILE *file, const char *path, struct vector *v, unsigned *line);

#endif
