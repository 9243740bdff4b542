/*
 * source_lines.h - lines of sources, for reports about kernels: of files, or of what is part of the
 * tool.
 */
#ifndef FH_CLI_SOURCE_LINES_H
#define FH_CLI_SOURCE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fh_cli_source_lines;
/* NULL without host memory. */
struct fh_cli_source_lines *fh_cli_source_lines_new(void);
void fh_cli_source_lines_free(struct fh_cli_source_lines *lines); /* NULL is allowed */

/* For struct fh_profile_sources, whose user is the lines. */
bool fh_cli_line_of(void *user, const char *file, uint32_t line, const char **text, size_t *length);

#endif
