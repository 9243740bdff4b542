/*
 * block_shape.c - see block_shape.h.
 */
#include "block_shape.h"

size_t fh_block_digit(const struct fh_block_chain *chain) {
    return (chain->limbs + chain->dnum - 1) / chain->dnum;
}

size_t fh_block_digits(const struct fh_block_chain *chain, size_t level) {
    const size_t digit = fh_block_digit(chain);
    return (level + digit - 1) / digit;
}

struct fh_block_shape fh_block_raised_shape(const struct fh_block_chain *chain, size_t level) {
    return (struct fh_block_shape){fh_block_digits(chain, level), level + chain->alpha};
}

struct fh_block_shape fh_block_key_shape(const struct fh_block_chain *chain,
                                         const struct fh_block *block) {
    if (block->op == FH_BLOCK_ENCAPSULATE)
        return (struct fh_block_shape){2, block->level + chain->base_alpha};
    return (struct fh_block_shape){2 * chain->dnum, chain->limbs + chain->alpha};
}

struct fh_block_shape fh_block_read_shape(const struct fh_block_graph *graph, size_t block,
                                          unsigned read) {
    const struct fh_block *b = &graph->blocks[block];
    switch (fh_block_role(graph, block, read)) {
    case FH_ROLE_KEY: return fh_block_key_shape(&graph->chain, b);
    case FH_ROLE_PLAIN: return (struct fh_block_shape){1, b->level};
    case FH_ROLE_RAISED: return fh_block_raised_shape(&graph->chain, b->level);
    case FH_ROLE_CIPHER: break;
    }
    return (struct fh_block_shape){b->op == FH_BLOCK_KEYSWITCH ? 1 : 2, b->level};
}

struct fh_block_shape fh_block_write_shape(const struct fh_block_graph *graph, size_t block) {
    const struct fh_block *b = &graph->blocks[block];
    if (b->op == FH_BLOCK_RAISE_DIGITS)
        return fh_block_raised_shape(&graph->chain, b->level);
    return (struct fh_block_shape){2, fh_block_result_level(graph, block)};
}

uint64_t fh_block_limb_bytes(const struct fh_block_chain *chain, unsigned word, bool packed) {
    const uint64_t n = UINT64_C(1) << chain->log2_n;
    return packed ? n / 8 * chain->bits : n * word;
}

uint64_t fh_block_most_bytes(const struct fh_block_chain *chain, enum fh_buffer_kind kind) {
    enum { WORD = 8 };
    const size_t extension = chain->alpha > chain->base_alpha ? chain->alpha : chain->base_alpha;
    const size_t digits = chain->dnum > 2 ? chain->dnum : 2;
    const size_t polynomials = kind == FH_BUFFER_KEY  ? 2 * chain->dnum
                               : kind == FH_BUFFER_PT ? 1
                                                      : digits;
    return polynomials * (chain->limbs + extension) * fh_block_limb_bytes(chain, WORD, false);
}
