/*
 * fixup.h - operands and fields of the open code that wait for its labels.
 */
#ifndef FH_FIXUP_H
#define FH_FIXUP_H

#include "output_section.h"

struct fh_asm;

bool fh_add_fixup(struct fh_asm *a, const struct fh_fixup *fixup);
/* Whether a branch operand can hold the distance; reports otherwise. */
bool fh_target_reachable(struct fh_asm *a, const struct fh_operand_spec *spec, struct fh_span at,
                         int64_t distance);
/* At the end of the code: gives all of them their distances and addresses. */
void fh_fixups_resolve(struct fh_asm *a);

#endif
