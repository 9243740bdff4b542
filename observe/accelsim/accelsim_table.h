/*
 * accelsim_table.h - how a line finds its instruction in the table, or becomes a new one.
 */
#ifndef FH_ACCELSIM_TABLE_H
#define FH_ACCELSIM_TABLE_H

#include "accelsim_line.h"
#include "accelsim_reader.h"

#define FH_ACCELSIM_NO_MEMORY "no host memory"

/* Takes "1 R4 LDG.E 1 R2" of the line. NULL, or what was expected instead, or
 * FH_ACCELSIM_NO_MEMORY. */
const char *fh_accelsim_table_take(struct fh_accelsim_table *table, struct fh_accelsim_line *line,
                                   uint32_t pc, uint32_t *index, bool *fresh);

#endif
