/*
 * flowgraph.h - where control goes in a piece of code: a kernel, or a function that kernels call.
 *
 * Blocks are runs of instructions that are entered at their first and left at their last. Where
 * an indirect branch goes is not known: blocks that nothing else reaches may be its targets.
 */
#ifndef FH_FLOWGRAPH_H
#define FH_FLOWGRAPH_H

#include "isa.h"

struct fh_code {
    const fhec_word *words;
    uint32_t count;
};

enum { FH_NOWHERE = UINT32_MAX };

struct fh_flowgraph {
    struct fh_code code;
    uint32_t *first;    /* of each block, and behind the last one `count` of the code */
    uint32_t *block_of; /* of each instruction */
    uint32_t blocks;
    bool indirect; /* there is a branch whose targets are not known */
};

/* What an instruction means for control. */
struct fh_exit {
    uint32_t target; /* index of the instruction, FH_NOWHERE: none or outside */
    bool ends;       /* a block ends here */
    bool falls;      /* the next instruction may be next */
    bool calls;      /* it may be next after a return */
    bool returns;
    bool indirect;
};
struct fh_exit fh_exit_of(const struct fh_inst *inst, uint32_t index, uint32_t count);

/* Whether the instruction writes the register R`reg`. */
bool fh_writes_register(const struct fh_inst *inst, unsigned reg);

/* The instruction that the call at `at` of the function at `target` returns to: the one behind it,
 * if its return address is not set to that of another one shortly before. FH_NOWHERE: none. */
uint32_t fh_return_of(struct fh_code code, uint32_t at, uint32_t target);

/* False when there is no memory; nothing is left to be freed then. */
bool fh_flowgraph_make(struct fh_flowgraph *graph, struct fh_code code);
void fh_flowgraph_free(struct fh_flowgraph *graph);

#endif
