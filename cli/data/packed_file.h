/*
 * packed_file.h - files that are written and read as they come, packed by xz if their names say so.
 * Without liblzma at build there is no xz, which is an error when it is asked for.
 */
#ifndef FH_CLI_PACKED_FILE_H
#define FH_CLI_PACKED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct fh_cli_packed;

/* Whether files of this name are packed. */
bool fh_cli_is_packed_name(const char *path);
/* NULL if this fhec can, else why it cannot. */
const char *fh_cli_packed_missing(void);

/* Writes to or reads from `file`, which stays the caller's and is closed by the caller. NULL
 * without host memory. */
struct fh_cli_packed *fh_cli_packed_writer(FILE *file, bool packed);
struct fh_cli_packed *fh_cli_packed_reader(FILE *file, bool packed);
/* False: it cannot be written; errno says why. */
bool fh_cli_packed_write(struct fh_cli_packed *p, const void *bytes, size_t size);
/* The end of what is written. */
bool fh_cli_packed_finish(struct fh_cli_packed *p);
/* How many bytes have been read, at most `size`; 0 at the end. False: *why says why not. */
bool fh_cli_packed_read(struct fh_cli_packed *p, void *bytes, size_t size, size_t *got,
                        const char **why);
void fh_cli_packed_free(struct fh_cli_packed *p); /* NULL is allowed */

#endif
