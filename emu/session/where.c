/*
 * where.c - where a launch stands: its resident blocks, what a warp issues next, and whether that
 * is in a scope.
 */
#include "session_state.h"

#include <string.h>

struct fh_block *fh_session_find(const fhec_session *s, const uint32_t block[3]) {
    for (uint64_t i = 0; i < s->residents.count; i++)
        if (memcmp(s->residents.blocks[i]->id, block, sizeof s->residents.blocks[i]->id) == 0)
            return s->residents.blocks[i];
    return NULL;
}

void fh_stop_where(fhec_stop *stop, const struct fh_flow *f) {
    const struct fh_image *image = f->w.launch->image;
    const struct fh_block *block = f->w.block;
    const uint32_t lanes = f->group ? f->group : f->waiting ? f->waiting & (0u - f->waiting) : 0;
    const uint32_t pc = f->group || !lanes ? f->pc : f->lane_pc[__builtin_ctz(lanes)];
    stop->has_warp = true;
    memcpy(stop->block, block->id, sizeof stop->block);
    stop->warp = f->w.index;
    stop->pc = (uint64_t)pc * FH_INST_BYTES;
    stop->lanes = f->group;
    stop->active = f->group ? fh_op_active(&f->w, &image->ops[pc], f->group) : 0;
}

bool fh_in_scope(const fhec_scope *scope, const struct fh_flow *f, uint32_t lanes) {
    return (!scope->one_block || memcmp(scope->block, f->w.block->id, sizeof scope->block) == 0) &&
           (!scope->one_warp || scope->warp == f->w.index) &&
           (!scope->lanes || scope->lanes & lanes);
}
