/*
 * block_graph.h - graphs of FHE blocks: primitives of CKKS that read and write buffers.
 *
 *     {"buffers": [{"id", "kind", "bytes"}], "blocks": [{"id", "op", "level", "map", "reads",
 * "writes"}]}
 *
 * An edge goes from the block that writes a buffer to each one that reads it; buffers that no block
 * writes are inputs, those that no block reads are results, but for temporary ones.
 */
#ifndef FH_BLOCK_GRAPH_H
#define FH_BLOCK_GRAPH_H

#include "fhec.h"

#define FH_BLOCK_NONE SIZE_MAX

enum fh_buffer_kind { FH_BUFFER_CT, FH_BUFFER_KEY, FH_BUFFER_PT, FH_BUFFER_TMP, FH_BUFFER_KINDS };
bool fh_block_is_cipher(enum fh_buffer_kind kind);         /* a ciphertext, or a temporary */
const char *fh_buffer_kind_name(enum fh_buffer_kind kind); /* "ct", "key", "pt", "tmp" */

enum fh_block_op {
    FH_BLOCK_HEADD,
    FH_BLOCK_HESUB,
    FH_BLOCK_HEMULT,
    FH_BLOCK_SCALARMULT,
    FH_BLOCK_SCALARADD,
    FH_BLOCK_PTMULT,
    FH_BLOCK_PTADD,
    FH_BLOCK_MONOMIAL,
    FH_BLOCK_ROTATE,
    FH_BLOCK_CONJUGATE,
    FH_BLOCK_KEYSWITCH,     /* of one polynomial */
    FH_BLOCK_RAISE_DIGITS,  /* of c1: what hoisted rotations share */
    FH_BLOCK_ROTATE_RAISED, /* with such digits */
    FH_BLOCK_RESCALE,
    FH_BLOCK_MODRAISE,    /* to all limbs of the chain */
    FH_BLOCK_ENCAPSULATE, /* to the sparse secret, in a chain of the base level's */
    FH_BLOCK_RELEASE,     /* and back */
    FH_BLOCK_OPS
};
/* What an op reads: ciphertexts and temporaries in this order, then what is constant. */
struct fh_block_signature {
    const char *name;
    unsigned least, most; /* ciphertexts and temporaries; with fewer than `most` the last one
                             stands for those that are not there: a square */
    bool key, plain;      /* of which it reads one; its own, if the block names none */
};
const struct fh_block_signature *fh_block_signature(enum fh_block_op op);

struct fh_block_chain {
    unsigned log2_n;
    size_t limbs, alpha, dnum; /* at the full level; extension limbs; digits */
    size_t base_alpha;         /* extension limbs of ENCAPSULATE's chain */
    unsigned bits;             /* of a prime */
};

struct fh_block_shape {
    size_t polynomials, limbs; /* of each */
};

struct fh_block_buffer {
    char *id;
    enum fh_buffer_kind kind;
    uint64_t bytes;
    /* By fh_block_graph_finish: */
    size_t writer;  /* block or NONE */
    size_t readers; /* how many */
    /* What blocks read and write of it, from its beginning; no limbs: nothing. */
    struct fh_block_shape shape;
    unsigned word; /* bytes of an element: of the writer's map, else the largest of readers' */
    bool raised;   /* digits, no ciphertext */
};

enum { FH_BLOCK_READS = 3, FH_BLOCK_MAP = 16 };
struct fh_block {
    char *id;
    enum fh_block_op op;
    size_t level; /* at which it reads its operands */
    size_t drop;  /* RESCALE: limbs */
    char map[FH_BLOCK_MAP];
    unsigned word; /* bytes of an element of the map */
    size_t reads[FH_BLOCK_READS];
    unsigned read_count;
    size_t write;
};

struct fh_block_graph {
    struct fh_block_chain chain;
    struct fh_block_buffer *buffers;
    size_t buffer_count;
    struct fh_block *blocks;
    size_t block_count;
    size_t *order; /* by finish: blocks, each behind those that it depends on, else as they stand */
};
void fh_block_graph_free(struct fh_block_graph *graph);

/* Which part of the graph is wrong, "blocks[2].reads" or "", and in one sentence why. */
struct fh_block_error {
    char at[48], text[400];
};

/* Checks all that the fields' own values do not show, and fills in what is said to be finish's.
 * FHEC_BAD_INPUT: a chain that none can be, a level that the chain does not have, operands that the
 * op does not take, two writers of a buffer, one that is read before and after, one that is not the
 * same to all its blocks or has not the bytes for them, a cycle. */
fhec_status fh_block_graph_finish(struct fh_block_graph *graph, struct fh_block_error *error);

/* As what the block reads reads[read]. */
enum fh_block_role { FH_ROLE_CIPHER, FH_ROLE_RAISED, FH_ROLE_KEY, FH_ROLE_PLAIN };
enum fh_block_role fh_block_role(const struct fh_block_graph *graph, size_t block, unsigned read);

/* The block's operands. NONE: it names none. ciphertexts: `most` of its signature. */
struct fh_block_operands {
    size_t cipher[2], key, plain;
};
struct fh_block_operands fh_block_operands(const struct fh_block_graph *graph, size_t block);
/* Whether both take the same kernels on as much data. */
bool fh_block_same(const struct fh_block *a, const struct fh_block *b);
size_t fh_block_result_level(const struct fh_block_graph *graph, size_t block);

#endif
