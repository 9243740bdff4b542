/*
 * op_names.h - which full mnemonics a kernel's ops have, each of them once: printing one takes
 * longer than adding up what an instruction has counted.
 */
#ifndef FH_OP_NAMES_H
#define FH_OP_NAMES_H

#include "launch.h"

struct fh_op_names {
    char **texts; /* count of them, in the order of the first ops that have them */
    uint32_t *of; /* of each op the place of its mnemonic; of one that is no instruction, none */
    size_t count;
};

/* The mnemonics of `count` ops; fh_op_names_free ends them. False without host memory: there are
 * none then. */
bool fh_op_names_make(struct fh_op_names *names, const struct fh_op *ops, uint32_t count);
void fh_op_names_free(struct fh_op_names *names);

#endif
