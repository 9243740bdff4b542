/*
 * listing_data.h - what listing.c notes for listed.c.
 */
#ifndef FH_LISTING_DATA_H
#define FH_LISTING_DATA_H

#include "asm.h"
#include "listing.h"

struct fh_listing_param {
    uint32_t ordinal, offset, size;
};

/* What the sections about a kernel say. Counts and sizes are 0 where there is nothing. */
struct fh_listing_kernel {
    char *name;
    size_t name_length;
    struct fh_bytes parameters; /* all of bank 0, as zeros: only its size matters */
    struct fh_bytes shared;     /* the same */
    struct fh_bytes constants;  /* bank 2 */
    uint32_t registers, frame;  /* frame: bytes of the stack; UINT32_MAX: not known */
    uint32_t max_threads[3];
    uint32_t param_start; /* where parameters begin in bank 0, which their offsets count from */
    struct fh_listing_param *params;
    size_t param_count, param_capacity;
};

/* An EIATTR record of .nv.info. */
struct fh_attribute {
    bool open;                       /* it is being read */
    struct fh_listing_kernel *about; /* the function that index@(NAME) names */
    struct fh_bytes payload;         /* with the record's head of 4 bytes */
};

struct fh_listing {
    const struct fh_buffer *file;
    struct fh_listed *lines;
    size_t line_count, line_capacity;
    size_t at; /* line that was asked for last: statements come in order */
    struct fh_listing_kernel **kernels;
    size_t kernel_count, kernel_capacity;
};

void fh_attribute_apply(struct fh_asm *a, const struct fh_attribute *at,
                        struct fh_listing_kernel *k);
/* Warns that code for another architecture, named from `begin` to `end`, is left out. */
void fh_listing_foreign(struct fh_asm *a, const struct fh_buffer *file, const char *begin,
                        const char *end);

#endif
