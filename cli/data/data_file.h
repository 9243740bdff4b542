/*
 * data_file.h - arrays of little-endian elements in files: raw, or NumPy's .npy by extension.
 */
#ifndef FH_CLI_DATA_FILE_H
#define FH_CLI_DATA_FILE_H

#include "cli.h"
#include "elements.h"

struct fh_cli_outputs; /* output.h */

/* Unsigned elements of 4 or 8 bytes. `width` says what those of a raw file are; of a .npy file it
 * is what they must be, or 0 if both widths will do. */
fhec_status fh_cli_data_read(const struct fh_cli *cli, const char *path, unsigned width,
                             struct fh_cli_data *data);
/* Elements of any type, as buffers of kernels hold them. `width` is that of a raw file; with 0 its
 * elements have 4 bytes or, if those do not fill it, one. */
fhec_status fh_cli_data_read_any(const struct fh_cli *cli, const char *path, unsigned width,
                                 struct fh_cli_data *data);
/* The same two from the contents of the file, malloc'd, which `data` has from then on; on failure
 * they are freed. `path` says what kind of file it is. */
fhec_status fh_cli_data_take(const struct fh_cli *cli, const char *path, unsigned width,
                             bool any_type, uint8_t *bytes, size_t length,
                             struct fh_cli_data *data);
/* The contents of an output file that has been added. */
fhec_status fh_cli_data_write(const struct fh_cli *cli, struct fh_cli_outputs *outputs,
                              const char *path, const struct fh_cli_data *data);

#endif
