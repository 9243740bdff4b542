/*
 * slice_text.h - slices as a tree of lines, as JSON, and for Graphviz.
 */
#ifndef FH_CLI_SLICE_TEXT_H
#define FH_CLI_SLICE_TEXT_H

#include <stdio.h>

#include "buffers.h"
#include "slice.h"

struct fh_cli_slice {
    const struct fh_slice *slice;
    const struct fh_journal *journal;
    const struct fh_cli_memory *memory; /* the buffers' names and shapes; NULL: unknown */
    uint32_t width;                     /* bytes of an element of buffers that are not known */
    const char *element;                /* the name of the first node */
};

void fh_cli_slice_text(const struct fh_cli_slice *slice, FILE *to);
/* False without host memory. */
bool fh_cli_slice_json(const struct fh_cli_slice *slice, FILE *to);
void fh_cli_slice_dot(const struct fh_cli_slice *slice, FILE *to);

#endif
