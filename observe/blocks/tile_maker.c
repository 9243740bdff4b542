/*
 * tile_maker.c - see tile_maker.h.
 */
#include "tile_maker.h"

#include "block_shape.h"
#include "trace_bytes.h"

/* ---------------------------------------------------------------- limbs */

uint32_t fh_tile_limbs(struct fh_tile_maker *m, size_t count, struct fh_limb limb) {
    struct fh_tiles *t = m->to;
    const size_t first = t->limb_count;
    if (count > UINT32_MAX / 2 - first ||
        !fh_trace_room(&t->limbs, &t->limb_room, first + count, sizeof *t->limbs) ||
        !fh_trace_room(&m->uses, &m->use_room, first + count, sizeof *m->uses)) {
        m->failed = true;
        return 0;
    }
    for (size_t i = first; i < first + count; i++) {
        t->limbs[i] = limb;
        m->uses[i] = (struct fh_limb_use){FH_TILE_NONE, FH_TILE_NONE};
    }
    t->limb_count += count;
    return (uint32_t)first;
}

uint32_t fh_tile_temporaries(struct fh_tile_maker *m, size_t count) {
    return fh_tile_limbs(m, count, (struct fh_limb){m->temporary, false, false});
}

void fh_tile_place_buffers(struct fh_tile_maker *m) {
    const struct fh_block_graph *g = m->graph;
    for (size_t v = 0; v < g->buffer_count && !m->failed; v++) {
        const struct fh_block_buffer *b = &g->buffers[v];
        const bool written = b->writer != FH_BLOCK_NONE;
        const struct fh_limb limb = {.bytes =
                                         fh_block_limb_bytes(&g->chain, b->word, m->tiling->packed),
                                     .result = written && !b->readers && b->kind != FH_BUFFER_TMP,
                                     .input = !written};
        m->buffers[v].per_polynomial = (uint32_t)b->shape.limbs;
        m->buffers[v].first = fh_tile_limbs(m, b->shape.polynomials * b->shape.limbs, limb);
    }
}

uint32_t fh_tile_limb(const struct fh_tile_maker *m, size_t buffer, size_t polynomial,
                      size_t index) {
    const struct fh_placed *p = &m->buffers[buffer];
    return p->first + (uint32_t)(polynomial * p->per_polynomial + index);
}

/* ---------------------------------------------------------------- tiles */

void fh_tile_read(struct fh_tile_maker *m, uint32_t limb) {
    if (m->failed)
        return;
    const uint32_t tile = (uint32_t)m->to->count;
    m->operands++;
    if (m->uses[limb].reader == tile)
        return;
    m->uses[limb].reader = tile;
    if (m->read_count < FH_TILE_READS)
        m->reads[m->read_count++] = limb;
    else
        m->failed = true;
}

static void access(struct fh_tile_maker *m, uint32_t limb, uint32_t from) {
    m->to->accesses[m->to->access_count++] = (struct fh_tile_access){limb, from};
}

void fh_tile_write(struct fh_tile_maker *m, enum fh_tile_part part, uint32_t weight, uint32_t a,
                   uint32_t b) {
    struct fh_tiles *t = m->to;
    const uint32_t writes = b == FH_TILE_NONE ? 1 : 2;
    if (m->failed || t->count >= UINT32_MAX / 2 || t->access_count >= UINT32_MAX / 2 ||
        !fh_trace_room(&t->tiles, &t->room, t->count + 1, sizeof *t->tiles) ||
        !fh_trace_room(&t->accesses, &t->access_room, t->access_count + m->read_count + writes,
                       sizeof *t->accesses)) {
        m->failed = true;
        return;
    }
    t->tiles[t->count] = (struct fh_tile){.block = m->block,
                                          .part = part,
                                          .weight = weight,
                                          .first = (uint32_t)t->access_count,
                                          .reads = m->read_count,
                                          .writes = writes,
                                          .operands = m->operands};
    for (uint32_t i = 0; i < m->read_count; i++)
        access(m, m->reads[i], m->uses[m->reads[i]].writer);
    access(m, a, FH_TILE_NONE);
    m->uses[a].writer = (uint32_t)t->count;
    if (writes == 2) {
        access(m, b, FH_TILE_NONE);
        m->uses[b].writer = (uint32_t)t->count;
    }
    t->count++;
    m->read_count = m->operands = 0;
}

void fh_tile_transform(struct fh_tile_maker *m, uint32_t from, uint32_t to) {
    fh_tile_read(m, from);
    fh_tile_write(m, FH_TILE_TRANSFORM, 1, to, FH_TILE_NONE);
}

void fh_tile_convert(struct fh_tile_maker *m, uint32_t from, size_t count, uint32_t to) {
    for (size_t i = 0; i < count; i++)
        fh_tile_read(m, from + (uint32_t)i);
    fh_tile_write(m, FH_TILE_CONVERSION, (uint32_t)count, to, FH_TILE_NONE);
}

void fh_tile_elements(struct fh_tile_maker *m, uint32_t to) {
    fh_tile_write(m, FH_TILE_ELEMENTS, m->operands + 1, to, FH_TILE_NONE);
}
