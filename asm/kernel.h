/*
 * kernel.h - where kernels and functions begin and end.
 */
#ifndef FH_KERNEL_H
#define FH_KERNEL_H

struct fh_asm;

/* Ends the open code, which becomes the program's. */
void fh_end_code(struct fh_asm *a);
/* At the end of the last file: ends what a listing leaves open, reports what is not ended. */
void fh_kernels_finish(struct fh_asm *a);

void fh_act_kernel(struct fh_asm *a); /* .kernel, .function */
void fh_act_end(struct fh_asm *a);

#endif
