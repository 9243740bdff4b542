/*
 * names.h - names that a source defines, and the rules of defining them. A name of the machine (R0,
 * PT, UR4) cannot be defined. Inside a kernel its own names come first and end with it.
 */
#ifndef FH_NAMES_H
#define FH_NAMES_H

#include "diagnose.h"
#include "expr_value.h"
#include "symbol.h"

struct fh_asm;

/* fh_table_add that sets no_memory. */
struct fh_symbol *fh_add_symbol(struct fh_asm *a, struct fh_table *table, const char *name,
                                size_t length);
/* The symbol of a name of the open kernel or of the whole run; NULL if there is none. */
struct fh_symbol *fh_find_name(struct fh_asm *a, const char *name, size_t length);
/* Defines a name, in the open kernel or for the whole run. Reports and returns NULL when it
 * cannot be defined. */
struct fh_symbol *fh_define(struct fh_asm *a, const struct fh_value *name, enum fh_symbol_kind kind,
                            bool kernel);
bool fh_may_define(struct fh_asm *a, const struct fh_value *name);
/* Reports that a name is defined already, as `s`. */
void fh_defined_before(struct fh_asm *a, const struct fh_symbol *s, const struct fh_value *name,
                       enum fh_diagnostic diagnostic);
void fh_unknown_name(struct fh_asm *a, const char *name, size_t length, struct fh_span at);
/* Compares a misspelt name with those of the open code, its labels too, and with all others. */
void fh_try_code_names(struct fh_asm *a, struct fh_nearest *n);
void fh_try_global_names(struct fh_asm *a, struct fh_nearest *n);

#endif
