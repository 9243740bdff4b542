/*
 * annotate.h - directives that make neither code nor data: lines of another source, lines of the
 * file's own test, messages.
 */
#ifndef FH_ANNOTATE_H
#define FH_ANNOTATE_H

struct fh_asm;

void fh_act_loc(struct fh_asm *a);
void fh_act_test(struct fh_asm *a);
void fh_act_message(struct fh_asm *a); /* .error, .warning */

#endif
