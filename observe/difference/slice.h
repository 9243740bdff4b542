/*
 * slice.h - where a value in memory came from: the dynamic backward slice, as a graph.
 *
 *     element -> store -> register -> registers, memory -> ... -> input, constant
 *
 * A node is one word: what an instruction left in a register of a lane, or bytes of memory. Its
 * edges lead to what it was made of. Nodes are made in order of their distance from the element, up
 * to the limits, and none twice.
 */
#ifndef FH_DIFFERENCE_SLICE_H
#define FH_DIFFERENCE_SLICE_H

#include "journal.h"

enum fh_slice_kind {
    FH_SLICE_ELEMENT,   /* the first node: bytes of memory at the end */
    FH_SLICE_STORE,     /* `step` left it in memory */
    FH_SLICE_REGISTER,  /* `step` left it in a register */
    FH_SLICE_INPUT,     /* the host wrote it to memory */
    FH_SLICE_CONSTANT,  /* in a constant bank: a parameter, or a variable */
    FH_SLICE_INITIAL,   /* nobody has written it: what new registers and memory hold */
    FH_SLICE_FORGOTTEN, /* before what was kept */
};

enum fh_slice_product { FH_PRODUCT_UNKNOWN, FH_PRODUCT_RIGHT, FH_PRODUCT_WRONG };

struct fh_slice_node {
    enum fh_slice_kind kind;
    uint32_t step; /* STORE, REGISTER; of CONSTANT that which read it */
    fhec_register_file file;
    uint32_t reg, lane;
    fhec_space space;
    uint32_t bank;
    uint64_t address;
    uint32_t bytes;
    const struct fh_journal_range
        *range; /* of global memory: the allocation at that time; or NULL */
    bool has_value;
    uint64_t value;
    uint32_t depth;
    uint32_t first_edge, edge_count;
    bool cut; /* what it was made of is left out, because of the limits */
    /* Of a matrix instruction: which element of its result, and whether that is what the operands
     * give, computed here. */
    bool is_matrix;
    fhec_element element;
    uint32_t inner; /* columns of A */
    enum fh_slice_product product;
    uint64_t right; /* what they give */
};

enum { FH_SLICE_ROLE = 24 };

struct fh_slice_edge {
    uint32_t node;
    char role[FH_SLICE_ROLE]; /* "R4", "A[3][5]", "address R6" */
};

struct fh_slice {
    struct fh_slice_node *nodes;
    size_t node_count, node_room;
    struct fh_slice_edge *edges;
    size_t edge_count, edge_room;
    uint32_t *places; /* of nodes by hash: number + 1 */
    size_t place_count;
    bool failed; /* no host memory: something is missing */
};

struct fh_slice_limits {
    uint32_t depth; /* edges from the element on */
    size_t nodes;
    bool addresses, guards; /* follow these, too */
};

/* The slice of the `bytes` bytes (at most 8) at a global address, whose value is *value; NULL: it
 * is not known. False without host memory. To be freed in any case. */
bool fh_slice_make(struct fh_slice *slice, const struct fh_journal *journal, uint64_t address,
                   uint32_t bytes, const uint64_t *value, const struct fh_slice_limits *limits);
/* The same of what a step read: its operands, addresses and guard, for a lane. */
bool fh_slice_make_step(struct fh_slice *slice, const struct fh_journal *journal, uint32_t step,
                        uint32_t lane, const struct fh_slice_limits *limits);
/* The same of what a step left in a register of a lane, which is the first node. */
bool fh_slice_make_register(struct fh_slice *slice, const struct fh_journal *journal, uint32_t step,
                            fhec_register_file file, uint32_t reg, uint32_t lane,
                            const struct fh_slice_limits *limits);
void fh_slice_free(struct fh_slice *slice);

/* The instructions that made the bytes, one of each source line, the nearest first: data,
 * addresses, guards. If nothing stored the first byte, those that decided that: which led to the
 * last store of all to global memory and to the last branch with a guard. Returns how many there
 * are, at most `most`. */
size_t fh_slice_sites(const struct fh_journal *journal, uint64_t address, uint32_t bytes,
                      const struct fh_journal_site **sites, size_t most);

#endif
