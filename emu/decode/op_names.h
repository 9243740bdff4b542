/*
 * op_names.h - the full mnemonics of a kernel's ops, each of them once: printing one takes longer
 * than adding up what an instruction has counted.
 */
#ifndef FH_OP_NAMES_H
#define FH_OP_NAMES_H

#include "launch.h"

/* All zeros at first; fh_op_names_free ends it. */
struct fh_op_names {
    char **texts; /* count of them, in the order in which they were asked for */
    uint32_t *of; /* of each op the place of its mnemonic in `texts`; UINT32_MAX: not known */
    size_t count;
};

/* Room for that many ops; nothing happens the second time. False without host memory. */
bool fh_op_names_begin(struct fh_op_names *names, uint32_t ops);
/* of[i] becomes known. False without host memory, or if op `i` is no instruction. */
bool fh_op_name(struct fh_op_names *names, const struct fh_op *ops, uint32_t i);
void fh_op_names_free(struct fh_op_names *names);

#endif
