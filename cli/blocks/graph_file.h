/*
 * graph_file.h - block graphs (block_graph.h) as JSON files.
 */
#ifndef FH_CLI_GRAPH_FILE_H
#define FH_CLI_GRAPH_FILE_H

#include "block_graph.h"
#include "ckks_bootstrap.h"
#include "cli.h"

/* Reads and finishes the graph of a file, "-" being stdin. What is wrong has been said, with its
 * place. To be freed in any case. */
fhec_status fh_cli_graph_read(const struct fh_cli *cli, const char *path,
                              struct fh_block_graph *graph);

/* Writes it; the file appears complete or not at all. */
fhec_status fh_cli_graph_write(const struct fh_cli *cli, const char *path,
                               const struct fh_block_graph *graph);

/* One more of each; fields are copied, with "id" made of the text. SIZE_MAX: no memory. */
size_t fh_cli_graph_buffer(struct fh_block_graph *graph, enum fh_buffer_kind kind, uint64_t bytes,
                           const char *id, ...) __attribute__((format(printf, 4, 5)));
size_t fh_cli_graph_block(struct fh_block_graph *graph, const struct fh_block *block,
                          const char *id, ...) __attribute__((format(printf, 3, 4)));

/* One primitive on operands of this level. */
struct fh_cli_graph_primitive {
    enum fh_block_op op;
    size_t level, drop;
    bool rescale; /* with a Rescale after it */
};
fhec_status fh_cli_graph_of_primitive(const struct fh_cli_graph_primitive *primitive,
                                      const fh_golden_ckks_params *chain, const char *map,
                                      unsigned word, struct fh_block_graph *graph);

/* The graph of a finished circuit on this map: a block for each step that is no INPUT, constants as
 * buffers of their own. base: the chain of ENCAPSULATE; NULL: there is none. FHEC_HOST_ERROR. */
fhec_status fh_cli_graph_of_circuit(const fh_golden_ckks_circuit *circuit,
                                    const fh_golden_ckks_params *chain,
                                    const fh_golden_ckks_params *base, const char *map,
                                    unsigned word, struct fh_block_graph *graph);

#endif
