/*
 * name_list.h - the list of what names stand for, which the program keeps for debuggers
 * (fhec_names.h).
 */
#ifndef FH_NAME_LIST_H
#define FH_NAME_LIST_H

struct fh_asm;
struct fh_symbol;

/* A kernel or function begins. */
void fh_name_list_begin(struct fh_asm *a);
/* The symbol, a number, registers or a label, stands from here on for what it says. */
void fh_name_list_add(struct fh_asm *a, struct fh_symbol *symbol);

#endif
