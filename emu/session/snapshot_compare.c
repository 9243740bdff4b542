/*
 * snapshot_compare.c - what differs between two snapshots of a machine.
 */
#include "history_compare.h"
#include "snapshot.h"

#include <stdlib.h>
#include <string.h>

struct comparison {
    fhec_difference_fn *tell;
    void *user;
    bool differs, enough;
    struct fh_flow *x, *y; /* room for a warp of each */
};

/* False: the caller has seen enough. */
static bool tell(struct comparison *k, const fhec_difference *d) {
    k->differs = true;
    k->enough = !k->tell || !k->tell(k->user, d);
    return !k->enough;
}

static bool tell_words(struct comparison *k, fhec_difference d, uint32_t a, uint32_t b) {
    d.a = &a;
    d.b = &b;
    return a == b || tell(k, &d);
}

/* ---------------------------------------------------------------- memory of blocks, banks */

/* Tells runs of words that differ. */
static bool compare_bytes(struct comparison *k, fhec_difference d, const uint8_t *a,
                          const uint8_t *b, size_t bytes) {
    for (size_t at = 0, end; at < bytes; at = end + 4) {
        for (end = at; end < bytes; end += 4)
            if (memcmp(a + end, b + end, bytes - end < 4 ? bytes - end : 4) == 0)
                break;
        end = end < bytes ? end : bytes;
        if (end == at)
            continue;
        d.address = at;
        d.bytes = end - at;
        d.a = a + at;
        d.b = b + at;
        if (!tell(k, &d))
            return false;
    }
    return true;
}

static bool compare_local(struct comparison *k, fhec_difference d,
                          const struct fh_block_shape *shape, const uint8_t *a, const uint8_t *b) {
    d.space = FHEC_SPACE_LOCAL;
    for (uint32_t t = 0; t < shape->threads; t++) {
        const size_t at = (size_t)t * shape->local_bytes;
        d.warp = t / FH_LANES;
        d.lane = t % FH_LANES;
        if (!compare_bytes(k, d, a + at, b + at, shape->local_bytes))
            return false;
    }
    return true;
}

/* ---------------------------------------------------------------- warps */

static bool compare_registers(struct comparison *k, fhec_difference d, uint32_t rows) {
    const struct fh_warp *x = &k->x->w, *y = &k->y->w;
    d.kind = FHEC_DIFFERENCE_REGISTER;
    d.file = FHEC_FILE_R;
    for (d.number = 0; d.number < rows; d.number++)
        for (d.lane = 0; d.lane < FH_LANES; d.lane++)
            if (!tell_words(k, d, x->r[d.number][d.lane], y->r[d.number][d.lane]))
                return false;
    d.lane = 0;
    for (d.number = 0; d.number < FH_URZ; d.number++) {
        d.file = FHEC_FILE_UR;
        if (!tell_words(k, d, x->ur[d.number], y->ur[d.number]))
            return false;
    }
    for (d.number = 0; d.number < FH_PT; d.number++) {
        d.file = FHEC_FILE_P;
        if (!tell_words(k, d, x->p[d.number], y->p[d.number]))
            return false;
        d.file = FHEC_FILE_UP;
        if (!tell_words(k, d, x->up[d.number], y->up[d.number]))
            return false;
    }
    d.file = FHEC_FILE_B;
    for (d.number = 0; d.number < 16; d.number++)
        for (d.lane = 0; d.lane < FH_LANES; d.lane++)
            if (!tell_words(k, d, k->x->set[d.number][d.lane], k->y->set[d.number][d.lane]))
                return false;
    return true;
}

static fhec_lane_state lane_state(const struct fh_flow *f, uint32_t lane) {
    const uint32_t pc = f->group >> lane & 1 ? f->pc : f->lane_pc[lane];
    const bool ended = f->ended >> lane & 1;
    return (fhec_lane_state){
        .pc = ended ? 0 : (uint64_t)pc * FH_INST_BYTES,
        .waits = f->waiting >> lane & 1,
        .ended = ended,
    };
}

static bool compare_lanes(struct comparison *k, fhec_difference d) {
    d.kind = FHEC_DIFFERENCE_LANE;
    for (d.lane = 0; d.lane < FH_LANES; d.lane++) {
        const fhec_lane_state a = lane_state(k->x, d.lane), b = lane_state(k->y, d.lane);
        d.a = &a;
        d.b = &b;
        if ((a.pc != b.pc || a.waits != b.waits || a.ended != b.ended) && !tell(k, &d))
            return false;
    }
    return true;
}

/* ---------------------------------------------------------------- blocks */

static fhec_difference about(const struct fh_block_copy *c) {
    const struct fh_block *block = fh_block_copy_block(c);
    return (fhec_difference){.block = {block->id[0], block->id[1], block->id[2]}};
}

/* The block in both. */
static bool compare_block(struct comparison *k, const struct fh_block_copy *a,
                          const struct fh_block_copy *b) {
    const struct fh_block_shape *shape = fh_block_copy_shape(a);
    const uint32_t other_rows = fh_block_copy_shape(b)->rows; /* of another code: a patch */
    fhec_difference d = about(a);
    if (a == b)
        return true;
    d.kind = FHEC_DIFFERENCE_BARRIER;
    for (d.number = 0; d.number < FH_BARRIERS; d.number++)
        if (!tell_words(k, d, fh_block_copy_block(a)->barriers[d.number].arrived,
                        fh_block_copy_block(b)->barriers[d.number].arrived))
            return false;
    d.number = 0;
    for (d.warp = 0; d.warp < shape->warps; d.warp++) {
        fh_block_copy_warp(a, d.warp, k->x);
        fh_block_copy_warp(b, d.warp, k->y);
        if (!compare_lanes(k, d) ||
            !compare_registers(k, d, shape->rows < other_rows ? shape->rows : other_rows))
            return false;
    }
    d = about(a);
    d.kind = FHEC_DIFFERENCE_MEMORY;
    d.space = FHEC_SPACE_SHARED;
    return compare_bytes(k, d, fh_block_copy_shared(a), fh_block_copy_shared(b),
                         shape->shared_bytes) &&
           compare_local(k, d, shape, fh_block_copy_local(a), fh_block_copy_local(b));
}

static int by_index(const void *a, const void *b) {
    const uint64_t x = fh_block_copy_block(*(struct fh_block_copy *const *)a)->index;
    const uint64_t y = fh_block_copy_block(*(struct fh_block_copy *const *)b)->index;
    return x < y ? -1 : x > y;
}

/* The blocks of a copy, which are in the order in which they began, in that of their indices. NULL
 * without host memory. */
static struct fh_block_copy **sorted_blocks(const struct fh_session_copy *c) {
    struct fh_block_copy **blocks = calloc(c->count + 1, sizeof(*blocks));
    if (!blocks)
        return NULL;
    memcpy(blocks, c->blocks, c->count * sizeof(*blocks));
    qsort(blocks, c->count, sizeof(*blocks), by_index);
    return blocks;
}

/* All blocks, `p` of a and `q` of b, in the order of their indices. */
static bool compare_blocks(struct comparison *k, const struct fh_session_copy *a,
                           struct fh_block_copy **p, const struct fh_session_copy *b,
                           struct fh_block_copy **q) {
    size_t i = 0, j = 0;
    while (i < a->count || j < b->count) {
        const struct fh_block_copy *x = i < a->count ? p[i] : NULL;
        const struct fh_block_copy *y = j < b->count ? q[j] : NULL;
        const uint64_t at_x = x ? fh_block_copy_block(x)->index : UINT64_MAX;
        const uint64_t at_y = y ? fh_block_copy_block(y)->index : UINT64_MAX;
        if (at_x == at_y && !compare_block(k, x, y))
            return false;
        if (at_x != at_y) {
            fhec_difference d = about(at_x < at_y ? x : y);
            d.kind = FHEC_DIFFERENCE_BLOCK;
            d.a = at_x < at_y ? fh_block_copy_block(x)->id : NULL;
            d.b = at_y < at_x ? fh_block_copy_block(y)->id : NULL;
            if (!tell(k, &d))
                return false;
        }
        i += at_x <= at_y;
        j += at_y <= at_x;
    }
    return true;
}

/* ---------------------------------------------------------------- sessions */

/* Constant banks that belong to the launch; one that was not changed is the kernel's. */
static bool compare_banks(struct comparison *k, const struct fh_session_copy *a,
                          const struct fh_session_copy *b) {
    const struct fh_kernel *code = &a->asked.program->kernels[a->asked.kernel];
    fhec_difference d = {.kind = FHEC_DIFFERENCE_MEMORY, .space = FHEC_SPACE_CONSTANT};
    if (!compare_bytes(k, d, a->banks[0], b->banks[0],
                       FH_PARAM_START + (size_t)a->asked.param_bytes))
        return false;
    for (uint32_t i = 0; i < code->bank_count; i++) {
        const struct fh_constant_bank *bank = &code->banks[i];
        d.bank = bank->bank;
        if (d.bank && d.bank < FH_BANKS &&
            !compare_bytes(k, d, a->banks[d.bank] ? a->banks[d.bank] : bank->bytes,
                           b->banks[d.bank] ? b->banks[d.bank] : bank->bytes, bank->size))
            return false;
    }
    return true;
}

/* False: no host memory. */
static bool compare_sessions(struct comparison *k, const struct fh_session_copy *a,
                             const struct fh_session_copy *b) {
    if (!a && !b)
        return true;
    if (!a || !b || a->id != b->id) {
        const fhec_difference d = {
            .kind = FHEC_DIFFERENCE_LAUNCH, .a = a ? &a->asked : NULL, .b = b ? &b->asked : NULL};
        return tell(k, &d) || true;
    }
    const fhec_difference d = {.kind = FHEC_DIFFERENCE_COUNT, .a = &a->steps, .b = &b->steps};
    if (a->steps != b->steps && !tell(k, &d))
        return true;
    k->x = aligned_alloc(_Alignof(struct fh_flow), sizeof *k->x);
    k->y = aligned_alloc(_Alignof(struct fh_flow), sizeof *k->y);
    struct fh_block_copy **p = sorted_blocks(a), **q = sorted_blocks(b);
    const bool room = k->x && k->y && p && q;
    if (room && compare_banks(k, a, b))
        (void)compare_blocks(k, a, p, b, q);
    free(p);
    free(q);
    free(k->x);
    free(k->y);
    return room;
}

/* ---------------------------------------------------------------- global memory */

static bool tell_memory(void *user, const struct fh_memory_difference *m) {
    const struct fh_allocation *any = m->a ? m->a : m->b;
    fhec_difference d = {
        .kind = m->bytes ? FHEC_DIFFERENCE_MEMORY : FHEC_DIFFERENCE_ALLOCATION,
        .space = FHEC_SPACE_GLOBAL,
        .address = any->base + m->offset,
        .bytes = m->bytes ? m->bytes : any->size,
        .name = any->name,
        .a = m->x,
        .b = m->y,
    };
    if (!m->bytes) {
        d.a = m->a && m->a->bytes ? m->a->name : NULL;
        d.b = m->b && m->b->bytes ? m->b->name : NULL;
    }
    return tell(user, &d);
}

fhec_status fhec_snapshot_compare(const fhec_snapshot *a, const fhec_snapshot *b,
                                  fhec_difference_fn *told, void *user) {
    fhec_machine *machine = a->machine;
    struct comparison k = {.tell = told, .user = user};
    struct fh_session_copy *now = NULL;
    if (b && b->machine != machine)
        return fh_machine_fail(machine, FHEC_BAD_INPUT, "the snapshots are of two machines");
    bool fine = true;
    if (!b && machine->session)
        fine = (now = fh_session_copy_make(machine->session)) != NULL;
    if (fine)
        fine = compare_sessions(&k, a->session, b ? b->session : now);
    if (fine && !k.enough)
        fine =
            fh_history_compare(&machine->memory, a->memory, b ? b->memory : NULL, tell_memory, &k);
    fh_session_copy_free(now);
    if (!fine)
        return fh_machine_fail(machine, FHEC_HOST_ERROR, "no host memory to compare snapshots");
    return k.differs ? FHEC_DIFFERS : FHEC_OK;
}
