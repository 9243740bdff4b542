/*
 * block.h - blocks of text between directives: conditions, and the bodies of macros and
 * repetitions.
 */
#ifndef FH_BLOCK_H
#define FH_BLOCK_H

#include "source.h"

struct fh_asm;

/* The lines up to the matching end directive, which is consumed. False after a report. */
struct fh_body {
    const char *text;
    uint32_t length;
    uint32_t at; /* position of the first byte */
};
bool fh_read_body(struct fh_asm *a, const char *end, struct fh_body *body);

void fh_act_if(struct fh_asm *a);
void fh_act_ifdef(struct fh_asm *a);
void fh_act_else(struct fh_asm *a);
void fh_act_endif(struct fh_asm *a);
void fh_act_stray_end(struct fh_asm *a);

#endif
