/*
 * undefined_origin.h - where undefined bits came from: the register or the memory that nobody had
 * written when it was first read, and the stores through which the bits went on. One origin for
 * each of these and each instruction, whatever the lane, warp or address.
 */
#ifndef FH_UNDEFINED_ORIGIN_H
#define FH_UNDEFINED_ORIGIN_H

#include "finding.h"

enum fh_origin_kind {
    FH_ORIGIN_REGISTER, /* was read, and not written before */
    FH_ORIGIN_MEMORY,   /* the same of memory */
    FH_ORIGIN_STORE,    /* undefined bits of origin `parent` were stored */
};

struct fh_origin {
    enum fh_origin_kind kind;
    uint32_t row; /* of the register: shadow.h */
    fhec_space space;
    uint64_t address; /* of the first word; in the space */
    uint64_t offset;  /* in the object of that name */
    char name[64];    /* "": it has none */
    uint32_t parent;
    struct fh_place place; /* the instruction */
};

struct fh_origins;
struct fh_origins *fh_origins_new(void); /* NULL without host memory */
void fh_origins_free(struct fh_origins *origins);
/* The number of the origin, from 1: of one like this that is known, or a new one. 0 without host
 * memory. */
uint32_t fh_origin_number(struct fh_origins *origins, const struct fh_origin *like);
/* NULL for 0. */
const struct fh_origin *fh_origin_get(const struct fh_origins *origins, uint32_t number);
/* Back through stores to what was never written. NULL for 0. */
const struct fh_origin *fh_origin_root(const struct fh_origins *origins, uint32_t number);
/* "R5 was never written", "shared memory at 0x40 was never written". Length like snprintf. */
int fh_origin_text(const struct fh_origin *root, char *text, size_t size);
/* "R5", "UP0". */
void fh_row_name(uint32_t row, char text[8]);

#endif
