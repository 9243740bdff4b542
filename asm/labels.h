/*
 * labels.h - labels of the open code, those that are numbers and those of listings among them.
 */
#ifndef FH_LABELS_H
#define FH_LABELS_H

#include "expr_value.h"

struct fh_asm;
struct fh_symbol;

void fh_label_define(struct fh_asm *a, const struct fh_value *label);
void fh_local_label_define(struct fh_asm *a, const struct fh_value *label);
/* The name of the label that an address in a listing stands for. */
const char *fh_listed_label(struct fh_asm *a, uint64_t address);
/* Gives the next instruction that label. */
void fh_listed_label_define(struct fh_asm *a, uint64_t address);
/* The label that a name ("loop", "1f") refers to; NULL after a report. */
struct fh_symbol *fh_label_refer(struct fh_asm *a, const struct fh_value *name);

#endif
