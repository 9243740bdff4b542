/*
 * linkage.h - names that the whole program knows (kernels, functions, variables, functions that are
 * not there), and the fields that hold addresses of such things, which may be defined later.
 */
#ifndef FH_LINKAGE_H
#define FH_LINKAGE_H

#include "diagnose.h"
#include "expr_value.h"
#include "output_section.h"

struct fh_asm;

/* A new name; NULL after a report of `twice`, if there is one already. */
struct fh_symbol *fh_define_global(struct fh_asm *a, const struct fh_value *name,
                                   enum fh_diagnostic twice);
/* Makes a kernel or function known; false after a report. */
bool fh_define_code(struct fh_asm *a, const struct fh_value *name, bool function, uint32_t index);
/* .extern */
void fh_act_extern(struct fh_asm *a);

/* An address that waits for the whole program. `reference` is copied. */
void fh_refer(struct fh_asm *a, const struct fh_reference *reference);
/* An address that is known; copied. */
void fh_add_relocation(struct fh_asm *a, const struct fh_relocation *relocation);
/* At the end: gives all references their relocations. */
void fh_references_resolve(struct fh_asm *a);

#endif
