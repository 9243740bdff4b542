/*
 * data_directives.h - .constant, numbers as bytes, zeros and alignment.
 */
#ifndef FH_DATA_DIRECTIVES_H
#define FH_DATA_DIRECTIVES_H

struct fh_asm;

void fh_act_constant(struct fh_asm *a);
void fh_act_data(struct fh_asm *a);
void fh_act_zero(struct fh_asm *a);
void fh_act_align(struct fh_asm *a);

#endif
