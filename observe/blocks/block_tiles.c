/*
 * block_tiles.c - which tiles each operation has: see block_tiles.h.
 */
#include "block_tiles.h"

#include <stdlib.h>
#include <string.h>

#include "block_shape.h"
#include "key_switch.h"
#include "tile_maker.h"

const char *fh_tile_part_name(enum fh_tile_part part) {
    static const char *const names[FH_TILE_PARTS] = {"transforms", "conversions", "elements"};
    return names[part];
}

/* What goes with each limb of the first operand. */
enum other { OTHER_NOTHING, OTHER_CIPHER, OTHER_PLAIN, OTHER_PLAIN_FIRST /* polynomial only */ };

/* Both polynomials, limb by limb; a plaintext that the block does not name is its own. */
static void by_elements(struct fh_tile_maker *m, enum other other) {
    const struct fh_block *b = &m->graph->blocks[m->block];
    const struct fh_block_operands o = fh_block_operands(m->graph, m->block);
    const bool plain = other == OTHER_PLAIN || other == OTHER_PLAIN_FIRST;
    uint32_t own = 0;
    if (plain && o.plain == FH_BLOCK_NONE)
        own = fh_tile_limbs(m, b->level, (struct fh_limb){m->temporary, false, true});
    for (size_t p = 0; p < 2; p++)
        for (size_t i = 0; i < b->level; i++) {
            fh_tile_read(m, fh_tile_limb(m, o.cipher[0], p, i));
            if (other == OTHER_CIPHER)
                fh_tile_read(m, fh_tile_limb(m, o.cipher[1], p, i));
            if (other == OTHER_PLAIN || (other == OTHER_PLAIN_FIRST && p == 0))
                fh_tile_read(m, o.plain == FH_BLOCK_NONE ? own + (uint32_t)i
                                                         : fh_tile_limb(m, o.plain, 0, i));
            fh_tile_elements(m, fh_tile_limb(m, b->write, p, i));
        }
}

/* d2 = a1 b1 to the key of s; the rest is added at the end. */
static void hemult(struct fh_tile_maker *m) {
    const struct fh_block *b = &m->graph->blocks[m->block];
    const struct fh_block_operands o = fh_block_operands(m->graph, m->block);
    const uint32_t d = fh_tile_temporaries(m, b->level);
    for (uint32_t i = 0; i < b->level; i++) {
        fh_tile_read(m, fh_tile_limb(m, o.cipher[0], 1, i));
        fh_tile_read(m, fh_tile_limb(m, o.cipher[1], 1, i));
        fh_tile_elements(m, d + i);
    }
    fh_tiles_switch_keys(m, d, FH_ADD_PRODUCT);
}

/* The automorphism of the second polynomial, then its key; that of the first one at the end. */
static void rotate(struct fh_tile_maker *m) {
    const struct fh_block *b = &m->graph->blocks[m->block];
    const struct fh_block_operands o = fh_block_operands(m->graph, m->block);
    const uint32_t turned = fh_tile_temporaries(m, b->level);
    for (uint32_t i = 0; i < b->level; i++) {
        fh_tile_read(m, fh_tile_limb(m, o.cipher[0], 1, i));
        fh_tile_elements(m, turned + i);
    }
    fh_tiles_switch_keys(m, turned, FH_ADD_TURNED);
}

static void rescale(struct fh_tile_maker *m) {
    const struct fh_block *b = &m->graph->blocks[m->block];
    const struct fh_block_operands o = fh_block_operands(m->graph, m->block);
    for (size_t p = 0; p < 2; p++) {
        const uint32_t last = fh_tile_temporaries(m, b->drop);
        for (size_t d = 0; d < b->drop; d++)
            fh_tile_transform(m, fh_tile_limb(m, o.cipher[0], p, b->level - b->drop + d),
                              last + (uint32_t)d);
        for (size_t i = 0; i < b->level - b->drop; i++) {
            const uint32_t w = fh_tile_temporaries(m, 2);
            fh_tile_convert(m, last, b->drop, w);
            fh_tile_transform(m, w, w + 1);
            fh_tile_read(m, fh_tile_limb(m, o.cipher[0], p, i));
            fh_tile_read(m, w + 1);
            fh_tile_elements(m, fh_tile_limb(m, b->write, p, i));
        }
    }
}

static void mod_raise(struct fh_tile_maker *m) {
    const struct fh_block *b = &m->graph->blocks[m->block];
    const struct fh_block_operands o = fh_block_operands(m->graph, m->block);
    for (size_t p = 0; p < 2; p++) {
        const uint32_t base = fh_tile_temporaries(m, b->level);
        for (size_t i = 0; i < b->level; i++)
            fh_tile_transform(m, fh_tile_limb(m, o.cipher[0], p, i), base + (uint32_t)i);
        for (size_t i = 0; i < m->graph->chain.limbs; i++) {
            const uint32_t w = fh_tile_temporaries(m, 1);
            fh_tile_convert(m, base, b->level, w);
            fh_tile_transform(m, w, fh_tile_limb(m, b->write, p, i));
        }
    }
}

static void make_block(struct fh_tile_maker *m, size_t block) {
    const struct fh_block *b = &m->graph->blocks[block];
    const struct fh_block_operands o = fh_block_operands(m->graph, block);
    m->block = (uint32_t)block;
    m->temporary = fh_block_limb_bytes(&m->graph->chain, b->word, m->tiling->packed);
    switch (b->op) {
    case FH_BLOCK_HEADD:
    case FH_BLOCK_HESUB: by_elements(m, OTHER_CIPHER); break;
    case FH_BLOCK_SCALARMULT:
    case FH_BLOCK_SCALARADD: by_elements(m, OTHER_NOTHING); break;
    case FH_BLOCK_PTMULT:
    case FH_BLOCK_MONOMIAL: by_elements(m, OTHER_PLAIN); break;
    case FH_BLOCK_PTADD: by_elements(m, OTHER_PLAIN_FIRST); break;
    case FH_BLOCK_HEMULT: hemult(m); break;
    case FH_BLOCK_ROTATE:
    case FH_BLOCK_CONJUGATE: rotate(m); break;
    case FH_BLOCK_KEYSWITCH:
        fh_tiles_switch_keys(m, fh_tile_limb(m, o.cipher[0], 0, 0), FH_ADD_NOTHING);
        break;
    case FH_BLOCK_RAISE_DIGITS: fh_tiles_raise_digits(m); break;
    case FH_BLOCK_ROTATE_RAISED: fh_tiles_rotate_raised(m); break;
    case FH_BLOCK_RESCALE: rescale(m); break;
    case FH_BLOCK_MODRAISE: mod_raise(m); break;
    case FH_BLOCK_ENCAPSULATE:
    case FH_BLOCK_RELEASE:
        fh_tiles_switch_keys(m, fh_tile_limb(m, o.cipher[0], 1, 0), FH_ADD_FIRST);
        break;
    case FH_BLOCK_OPS: break;
    }
}

fhec_status fh_tiles_make(struct fh_tiles *tiles, const struct fh_block_graph *graph,
                          const struct fh_tiling *tiling) {
    struct fh_tile_maker *m = calloc(1, sizeof *m);
    memset(tiles, 0, sizeof *tiles);
    if (!m)
        return FHEC_HOST_ERROR;
    m->graph = graph;
    m->to = tiles;
    m->tiling = tiling;
    m->buffers = calloc(graph->buffer_count + 1, sizeof *m->buffers);
    m->failed = !m->buffers;
    if (!m->failed)
        fh_tile_place_buffers(m);
    for (size_t i = 0; i < graph->block_count && !m->failed; i++)
        make_block(m, graph->order[i]);
    const bool failed = m->failed;
    free(m->buffers);
    free(m->uses);
    free(m);
    return failed ? FHEC_HOST_ERROR : FHEC_OK;
}

void fh_tiles_free(struct fh_tiles *tiles) {
    free(tiles->tiles);
    free(tiles->accesses);
    free(tiles->limbs);
    memset(tiles, 0, sizeof *tiles);
}
