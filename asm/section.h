/*
 * section.h - sections of data of the whole program, and their variables.
 */
#ifndef FH_SECTION_H
#define FH_SECTION_H

#include "expr_value.h"
#include "output_section.h"

struct fh_asm;

/* A label stands here, of the open code or in the open section. */
void fh_label_here(struct fh_asm *a, const struct fh_value *label);
uint64_t fh_section_here(const struct fh_section *section);
void fh_section_zeros(struct fh_asm *a, uint64_t count); /* in the open section without bytes */
/* At the end: what the sections hold becomes the program's. */
void fh_sections_finish(struct fh_asm *a);
void fh_sections_free(struct fh_asm *a);

void fh_act_section(struct fh_asm *a);
void fh_act_size(struct fh_asm *a);

#endif
