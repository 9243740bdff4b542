/*
 * address.h - names that stand for addresses: labels, functions and variables as immediates and as
 * data.
 */
#ifndef FH_ADDRESS_H
#define FH_ADDRESS_H

#include "expr_value.h"
#include "output_section.h"

struct fh_asm;

/* Whether the operand can hold what the name v stands for; fills what `fixup` says about it. */
bool fh_address_fits(const struct fh_form *form, const struct fh_operand_spec *spec,
                     const struct fh_value *v, struct fh_fixup *fixup);
/* Notes that the next `bytes` of data hold the address that v names. False after a report. */
bool fh_address_data(struct fh_asm *a, const struct fh_value *v, unsigned bytes);

#endif
