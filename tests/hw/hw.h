/*
 * hw.h - vectors of what a GPU computes: the table of rows, the operands, the files, the
 * comparison, and the model, plain C written from the PTX manual, that stands in for a GPU where
 * there is none.
 *
 * A row is one operation; a family is a kernel and its rows. The operands of all elements of a
 * family follow from the seed, so that a file holds results only. Nothing here knows of the
 * emulator.
 */
#ifndef FHEC_HW_H
#define FHEC_HW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "rows.h"

enum { HW_LANES = 32, HW_ELEMENTS = 2 * HW_BLOCK };

/* What one warp computes with: operand k of lane l. */
struct hw_warp {
    uint64_t x[HW_OPERANDS][HW_LANES];
};

/* The result of a lane, as bits in the row's width. */
typedef uint64_t hw_model(const struct hw_warp *w, unsigned lane);

/* How results are compared. Bytes of a float, a double or two halves follow from the width. */
enum hw_rule_kind {
    HW_EXACT,
    HW_NAN,    /* any NaN equals any other */
    HW_HALVES, /* the same, two halves */
    HW_ULP,    /* of one or two floats: at most `bound` units in the last place; NaN as above */
    HW_NEAR,   /* the same: absolute or relative error at most 2^-bound */
};

struct hw_row {
    const char *name;
    uint8_t bytes; /* 4 or 8 */
    uint8_t kind;  /* enum hw_rule_kind */
    uint8_t bound;
    hw_model *model; /* NULL: only silicon knows */
};

enum hw_data { HW_INTEGERS, HW_SINGLES, HW_DOUBLES, HW_WARPS };

struct hw_family {
    const char *kernel;
    bool silicon; /* in silicon.sass; otherwise in kernels.cu */
    enum hw_data data;
    unsigned count;
    const struct hw_row *rows;
};

/* The index-th family; NULL past the end. */
const struct hw_family *hw_family(unsigned index);

/* Operands of a family, HW_ELEMENTS * HW_OPERANDS words, element by element. They depend on the
 * seed and on the kernel's name only. */
void hw_operands(const struct hw_family *family, uint64_t seed, uint64_t *operands);

/* Whether `got` will do for `want`. *ulps, if it is of the kinds ULP and NEAR, is how many floats
 * lie between them. */
bool hw_agree(const struct hw_row *row, uint64_t got, uint64_t want, uint64_t *ulps);

/* What no sheet or manual says: the row that tells what silicon does, the page of the ISA book, and
 * the emulator's choice. NULL past the end. */
struct hw_choice {
    const char *row, *page, *text;
};
const struct hw_choice *hw_choice(unsigned index);

/* ---------------------------------------------------------------- files */

enum { HW_TEXT = 128, HW_MAX_ROWS = 1024 };

/* Who computed, and from what. */
struct hw_header {
    uint64_t seed;
    char origin[HW_TEXT]; /* the GPU's name, or "model" */
    unsigned sm;          /* 80, 90; 0 for the model */
    unsigned driver;      /* as cuDriverGetVersion tells; 0 for the model */
};

/* The results of one row; `results` is NULL, and `reason` says why, where it could not run. */
struct hw_record {
    const struct hw_row *row;
    uint64_t *results; /* HW_ELEMENTS, each in the row's width */
    char reason[HW_TEXT];
};

struct hw_vectors {
    struct hw_header header;
    unsigned count;
    struct hw_record record[HW_MAX_ROWS];
};

/* A new set with every row of the table and no results yet. NULL without memory. */
struct hw_vectors *hw_vectors_new(uint64_t seed);
void hw_vectors_free(struct hw_vectors *v);
/* The record of a row; NULL if there is none. */
struct hw_record *hw_find(struct hw_vectors *v, const struct hw_family *family, unsigned row);
/* Takes a family's results as its kernel left them, row by row; false without memory. */
bool hw_take(struct hw_vectors *v, const struct hw_family *family, const uint64_t *out);
/* Says why a family has no results. */
void hw_refuse(struct hw_vectors *v, const struct hw_family *family, const char *reason);

/* The format is in README.md. Both say in `why`, of HW_TEXT bytes, what is wrong. */
bool hw_write(const struct hw_vectors *v, FILE *file, char *why);
struct hw_vectors *hw_read(FILE *file, char *why);

/* ---------------------------------------------------------------- the model */

/* Takes what the model gives for a family; rows that only silicon knows stay empty, and say so.
 * False without memory. */
bool hw_take_model(struct hw_vectors *v, const struct hw_family *family);

#define HW_MODEL(name) uint64_t hw_##name(const struct hw_warp *w, unsigned lane)

#endif
