/*
 * elements.h - arrays of little-endian elements in memory.
 */
#ifndef FH_CLI_ELEMENTS_H
#define FH_CLI_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FH_CLI_MAX_DIMS = 8 };
enum fh_cli_kind { FH_CLI_UNSIGNED, FH_CLI_SIGNED, FH_CLI_FLOAT, FH_CLI_BOOL };
struct fh_cli_data {
    uint8_t *bytes; /* count * width of them */
    size_t count;   /* elements */
    unsigned width; /* bytes of an element: 1, 2, 4 or 8 */
    enum fh_cli_kind kind;
    bool npy;
    unsigned dims; /* raw files: 1 */
    size_t shape[FH_CLI_MAX_DIMS];
};

uint64_t fh_cli_data_get(const struct fh_cli_data *data, size_t index);
void fh_cli_data_set(struct fh_cli_data *data, size_t index, uint64_t value);
void fh_cli_data_free(struct fh_cli_data *data);
/* Sets kind and width to what the command line calls "u32"; false if it is no type. */
bool fh_cli_data_named_type(const char *name, struct fh_cli_data *type);

#endif
