/*
 * npy.h - the header of NumPy's .npy files, in memory.
 */
#ifndef FH_CLI_NPY_H
#define FH_CLI_NPY_H

#include "elements.h"

/* NumPy's name of the elements' type: "<u4". */
enum { FH_CLI_TYPE = 8 };
void fh_cli_data_type(const struct fh_cli_data *data, char text[FH_CLI_TYPE]);

/* Shape and type of the array in a file's bytes, and where its elements begin. On failure `why`
 * says what is wrong, in one sentence. */
bool fh_cli_npy_parse(const uint8_t *bytes, size_t length, struct fh_cli_data *shape,
                      size_t *data_start, char *why, size_t why_size);
/* Writes a header, and returns its length. */
enum { FH_CLI_NPY_HEADER = 320 };
size_t fh_cli_npy_header(const struct fh_cli_data *data, uint8_t header[FH_CLI_NPY_HEADER]);

#endif
