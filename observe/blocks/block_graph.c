/*
 * block_graph.c - see block_graph.h.
 */
#include "block_graph.h"

#include <stdlib.h>
#include <string.h>

static const char *const kinds[FH_BUFFER_KINDS] = {"ct", "key", "pt", "tmp"};

static const struct fh_block_signature signatures[FH_BLOCK_OPS] = {
    [FH_BLOCK_HEADD] = {"headd", 1, 2, false, false},
    [FH_BLOCK_HESUB] = {"hesub", 1, 2, false, false},
    [FH_BLOCK_HEMULT] = {"hemult", 1, 2, true, false},
    [FH_BLOCK_SCALARMULT] = {"scalarmult", 1, 1, false, false},
    [FH_BLOCK_SCALARADD] = {"scalaradd", 1, 1, false, false},
    [FH_BLOCK_PTMULT] = {"ptmult", 1, 1, false, true},
    [FH_BLOCK_PTADD] = {"ptadd", 1, 1, false, true},
    [FH_BLOCK_MONOMIAL] = {"monomial", 1, 1, false, true},
    [FH_BLOCK_ROTATE] = {"rotate", 1, 1, true, false},
    [FH_BLOCK_CONJUGATE] = {"conjugate", 1, 1, true, false},
    [FH_BLOCK_KEYSWITCH] = {"keyswitch", 1, 1, true, false},
    [FH_BLOCK_RAISE_DIGITS] = {"raise-digits", 1, 1, false, false},
    [FH_BLOCK_ROTATE_RAISED] = {"rotate-raised", 2, 2, true, false},
    [FH_BLOCK_RESCALE] = {"rescale", 1, 1, false, false},
    [FH_BLOCK_MODRAISE] = {"modraise", 1, 1, false, false},
    [FH_BLOCK_ENCAPSULATE] = {"encapsulate", 1, 1, true, false},
    [FH_BLOCK_RELEASE] = {"release", 1, 1, true, false},
};

const char *fh_buffer_kind_name(enum fh_buffer_kind kind) {
    return kinds[kind];
}

const struct fh_block_signature *fh_block_signature(enum fh_block_op op) {
    return &signatures[op];
}

void fh_block_graph_free(struct fh_block_graph *graph) {
    for (size_t i = 0; i < graph->buffer_count; i++)
        free(graph->buffers[i].id);
    for (size_t i = 0; i < graph->block_count; i++)
        free(graph->blocks[i].id);
    free(graph->buffers);
    free(graph->blocks);
    free(graph->order);
    memset(graph, 0, sizeof *graph);
}

size_t fh_block_result_level(const struct fh_block_graph *graph, size_t block) {
    const struct fh_block *b = &graph->blocks[block];
    return b->op == FH_BLOCK_RESCALE    ? b->level - b->drop
           : b->op == FH_BLOCK_MODRAISE ? graph->chain.limbs
                                        : b->level;
}

bool fh_block_same(const struct fh_block *a, const struct fh_block *b) {
    return a->op == b->op && a->level == b->level && a->drop == b->drop &&
           strcmp(a->map, b->map) == 0;
}

bool fh_block_is_cipher(enum fh_buffer_kind kind) {
    return kind == FH_BUFFER_CT || kind == FH_BUFFER_TMP;
}

enum fh_block_role fh_block_role(const struct fh_block_graph *graph, size_t block, unsigned read) {
    const struct fh_block *b = &graph->blocks[block];
    const enum fh_buffer_kind kind = graph->buffers[b->reads[read]].kind;
    bool second = false;
    for (unsigned i = 0; i < read; i++)
        second |= fh_block_is_cipher(graph->buffers[b->reads[i]].kind);
    return kind == FH_BUFFER_KEY                       ? FH_ROLE_KEY
           : kind == FH_BUFFER_PT                      ? FH_ROLE_PLAIN
           : b->op == FH_BLOCK_ROTATE_RAISED && second ? FH_ROLE_RAISED
                                                       : FH_ROLE_CIPHER;
}

struct fh_block_operands fh_block_operands(const struct fh_block_graph *graph, size_t block) {
    const struct fh_block *b = &graph->blocks[block];
    struct fh_block_operands o = {{FH_BLOCK_NONE, FH_BLOCK_NONE}, FH_BLOCK_NONE, FH_BLOCK_NONE};
    unsigned found = 0;
    for (unsigned i = 0; i < b->read_count; i++) {
        const size_t buffer = b->reads[i];
        if (fh_block_is_cipher(graph->buffers[buffer].kind) && found < 2)
            o.cipher[found++] = buffer;
        else if (graph->buffers[buffer].kind == FH_BUFFER_KEY)
            o.key = buffer;
        else
            o.plain = buffer;
    }
    if (found == 1)
        o.cipher[1] = o.cipher[0];
    return o;
}
