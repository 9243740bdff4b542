/*
 * sweep_place.h - where a value stands in a JSON file.
 */
#ifndef FH_CLI_SWEEP_PLACE_H
#define FH_CLI_SWEEP_PLACE_H

#include <stddef.h>

struct fh_cli_sweep_place {
    size_t line, column; /* from 1; columns are bytes */
};

/* The place of what `path` leads to in a valid JSON text: "blocks[0].grid.map[2]", names of members
 * and numbers of elements; of a member, where its value begins. Where the path leads nowhere, the
 * place of the last value on it. */
struct fh_cli_sweep_place fh_cli_sweep_place(const char *text, const char *path);

#endif
