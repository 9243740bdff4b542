/*
 * block_costs.h - what the blocks of a graph cost: the kernels of each op, level and map are
 * executed once, their instructions counted by mnemonic, and priced by the description of a
 * machine.
 */
#ifndef FH_CLI_BLOCK_COSTS_H
#define FH_CLI_BLOCK_COSTS_H

#include "block_tiles.h"
#include "machine_options.h"
#include "time_machine.h"

struct fh_cli_block_pricing {
    const struct fh_time_machine *with, *without; /* features */
};

/* costs[block_count]. What is wrong has been said, with the block's place in the graph of `path`.
 */
fhec_status fh_cli_block_costs(const struct fh_cli *cli, const char *path,
                               const struct fh_cli_machine *settings,
                               const struct fh_block_graph *graph,
                               const struct fh_cli_block_pricing *pricing,
                               struct fh_block_cost *costs);

#endif
