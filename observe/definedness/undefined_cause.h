/*
 * undefined_cause.h - where undefined bits came from: the register or the memory that nobody had
 * written when it was first read, and the stores through which the bits went on. One origin for
 * each of these and each instruction, whatever the lane, warp or address.
 */
#ifndef FH_UNDEFINED_CAUSE_H
#define FH_UNDEFINED_CAUSE_H

#include "finding.h"

enum fh_cause_kind {
    FH_CAUSE_REGISTER, /* was read, and not written before */
    FH_CAUSE_MEMORY,   /* the same of memory */
    FH_CAUSE_STORE,    /* undefined bits of origin `parent` were stored */
    FH_CAUSE_SHUFFLE,  /* a lane got them from one that was not active */
};

struct fh_cause {
    enum fh_cause_kind kind;
    uint32_t row; /* of the register: defined_bits.h */
    fhec_space space;
    uint64_t address; /* of the first word; in the space */
    uint64_t offset;  /* in the object of that name */
    char name[64];    /* "": it has none */
    bool beside;      /* of memory: what was written shares the word with it, or on a stack, whose
                         structures are copied in pairs of words, the pair, and was read with it */
    uint32_t parent;
    uint32_t to, from; /* lanes, of a shuffle */
    uint32_t active;
    struct fh_place place; /* the instruction */
};

struct fh_causes;
struct fh_causes *fh_causes_new(void); /* NULL without host memory */
void fh_causes_free(struct fh_causes *origins);
/* The number of the origin, from 1: of one like this that is known, or a new one. 0 without host
 * memory. */
uint32_t fh_cause_number(struct fh_causes *origins, const struct fh_cause *like);
/* NULL for 0. */
const struct fh_cause *fh_cause_get(const struct fh_causes *origins, uint32_t number);
/* Back through stores to what was never written. NULL for 0. */
const struct fh_cause *fh_cause_root(const struct fh_causes *origins, uint32_t number);
/* "R5 was never written", "shared memory at 0x40 was never written". Length like snprintf. */
int fh_cause_text(const struct fh_cause *root, char *text, size_t size);
/* "R5", "UP0". */
void fh_row_name(uint32_t row, char text[8]);

#endif
