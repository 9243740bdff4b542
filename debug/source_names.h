/*
 * source_names.h - the names that a source gives, for expressions (struct fh_query_names) at a
 * place of a debugger: as the assembler knew them there.
 */
#ifndef FH_SOURCE_NAMES_H
#define FH_SOURCE_NAMES_H

#include "query.h"

bool fh_defined_registers(const struct fh_query_place *place, const char *name,
                          struct fh_query_registers *registers);
/* A number, or the pc of a label. */
bool fh_defined_text(const struct fh_query_place *place, const char *name, char *expression,
                     size_t size);
/* A variable of the kernel's shared memory, in words; or one of the program in global memory. */
bool fh_defined_array(const struct fh_query_place *place, const char *name,
                      struct fh_query_array *array);
/* The index-th of all of them; NULL past the last. */
const char *fh_defined_name(const struct fh_query_place *place, size_t index);

#endif
