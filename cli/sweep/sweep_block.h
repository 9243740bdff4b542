/*
 * sweep_block.h - a block of a plan.
 */
#ifndef FH_CLI_SWEEP_BLOCK_H
#define FH_CLI_SWEEP_BLOCK_H

#include "sweep_reader.h"

/* Reads a block, the object at `path`, and adds its points to the plan. False: said. */
bool fh_cli_sweep_block_read(struct fh_cli_sweep_reader *reader, const char *path,
                             const json_t *block, const json_t *root);

#endif
