/*
 * watched_memory.c - ranges of memory that a session watches. Nearly all instructions that may go
 * there do not: that is found out from their addresses alone, before they run. Only of the others
 * the values are looked at, of each lane before and after it.
 */
#include "watched_memory.h"

#include "memory.h"
#include "translate.h"
#include "warp.h"

#include <string.h>

/* Bytes that a lane names of LDSM, and those that are in a record at most. */
enum { MATRIX_ROW = 16, RECORDED = 4 * FH_RECORD_WORDS };

static unsigned wanted(const fhec_point *p) {
    return p->access & FHEC_ACCESS_CHANGE ? p->access | FHEC_ACCESS_WRITE : p->access;
}

/* Bytes of the range that an operand c[bank][value] reads. */
static bool reads_constant(const fhec_point *p, const struct fh_inst *inst, unsigned i) {
    const struct fh_operand *o = &inst->op[i];
    const uint64_t bytes = 4 * (uint64_t)fh_operand_registers(inst, i);
    return o->kind == FH_K_CONST && o->bank == p->bank &&
           (uint64_t)o->value < p->address + p->bytes && p->address < (uint64_t)o->value + bytes;
}

static bool has_constant(const fhec_point *p, const struct fh_inst *inst) {
    bool has = false;
    for (unsigned i = 0; i < inst->form->operand_count; i++)
        has |= reads_constant(p, inst, i);
    return has;
}

bool fh_watches_memory(const fhec_point *p, const struct fh_op *op) {
    static const enum fh_space spaces[] = {FH_GLOBAL, FH_SHARED, FH_LOCAL};
    const bool generic = op->access_space == FH_GENERIC;
    switch ((enum fh_access_kind)op->access) {
    case FH_NO_ACCESS: return false;
    case FH_READS_OPERANDS:
        return p->space == FHEC_SPACE_CONSTANT && p->access & FHEC_ACCESS_READ &&
               has_constant(p, op->inst);
    case FH_LOADS_CONSTANTS:
    case FH_LOADS_UNIFORM_CONSTANT:
        return p->space == FHEC_SPACE_CONSTANT && p->access & FHEC_ACCESS_READ;
    case FH_COPIES:
        return (p->space == FHEC_SPACE_GLOBAL && p->access & FHEC_ACCESS_READ) ||
               (p->space == FHEC_SPACE_SHARED && wanted(p) & FHEC_ACCESS_WRITE);
    case FH_LOADS:
    case FH_LOADS_MATRICES:
        if (!(p->access & FHEC_ACCESS_READ))
            return false;
        break;
    case FH_STORES:
        if (!(wanted(p) & FHEC_ACCESS_WRITE))
            return false;
        break;
    case FH_RECORDED: break;
    }
    return p->space != FHEC_SPACE_CONSTANT && (generic || op->access_space == spaces[p->space]);
}

/* ---------------------------------------------------------------- before the instruction */

/* Those of `lanes` whose `bytes` bytes at their address are partly in the range. */
static uint32_t lanes_in(const fhec_point *p, uint32_t lanes, const uint64_t at[FH_LANES],
                         uint32_t bytes, uint64_t window) {
    const uint64_t first = p->address + window - (bytes - 1), count = p->bytes + (bytes - 1);
    uint32_t in = 0;
    for (uint32_t l = 0; l < FH_LANES; l++)
        in |= (uint32_t)(at[l] - first < count) << l;
    return in & lanes;
}

/* What is added to an address of the point's space to make it a generic one. */
static uint64_t window_of(const fhec_point *p) {
    return p->space == FHEC_SPACE_SHARED  ? FH_SHARED_WINDOW
           : p->space == FHEC_SPACE_LOCAL ? FH_LOCAL_WINDOW
                                          : 0;
}

/* Which of the two sets of addresses of a copy are in the point's space. */
static unsigned side_of(const fhec_point *p, const struct fh_op *op) {
    return op->access == FH_COPIES && p->space == FHEC_SPACE_GLOBAL;
}

uint32_t fh_memory_lanes(const fhec_point *p, const struct fh_issue *issue,
                         const struct fh_accesses *a) {
    const struct fh_op *op = issue->op;
    const unsigned side = side_of(p, op);
    if (p->space == FHEC_SPACE_CONSTANT || a->kind == FH_NO_ACCESS)
        return issue->active;
    const uint32_t bytes = a->kind == FH_LOADS_MATRICES ? MATRIX_ROW
                           : a->kind == FH_RECORDED     ? RECORDED
                                                        : op->address.bytes;
    return lanes_in(p, a->lanes[side], a->at[side], bytes,
                    op->access_space == FH_GENERIC ? window_of(p) : 0);
}

/* The bytes at a lane's address in the point's space; NULL where there are none. */
static const uint8_t *bytes_at(const fhec_point *p, const struct fh_warp *w, uint32_t lane,
                               uint64_t address, uint32_t bytes) {
    const struct fh_image *image = w->launch->image;
    const uint64_t own = image->local_bytes;
    if (p->space == FHEC_SPACE_SHARED)
        return fh_shared_holds(image, address, bytes) ? w->block->shared + address : NULL;
    if (p->space == FHEC_SPACE_LOCAL)
        return bytes <= own && address <= own - bytes
                   ? w->block->local + (w->index * FH_LANES + lane) * own + address
                   : NULL;
    const struct fh_allocation *held = fh_memory_range(w->launch->memory, address, bytes);
    return held ? held->bytes + (address - held->base) : NULL;
}

void fh_memory_before(const fhec_point *p, const struct fh_issue *issue,
                      const struct fh_accesses *a, uint32_t lanes,
                      uint32_t old[FH_LANES][FH_ACCESS_WORDS]) {
    const unsigned side = side_of(p, issue->op);
    if (p->space == FHEC_SPACE_CONSTANT || a->kind == FH_LOADS_MATRICES || a->kind == FH_RECORDED)
        return; /* what was there is told behind the instruction */
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest), bytes = issue->op->address.bytes;
        const uint64_t window = issue->op->access_space == FH_GENERIC ? window_of(p) : 0;
        const uint8_t *from = bytes_at(p, &issue->flow->w, lane, a->at[side][lane] - window, bytes);
        memset(old[lane], 0, sizeof old[lane]);
        if (from)
            memcpy(old[lane], from, bytes);
    }
}

/* ---------------------------------------------------------------- behind it */

/* One point while the accesses of an instruction are told. */
struct asking {
    const fhec_point *p;
    uint32_t (*old)[FH_ACCESS_WORDS];
    fhec_stop *stop;
    bool found;
};

/* What the lane found there, and what is there now. */
static void values_of(const struct asking *q, const struct fh_accessed *a, uint32_t lane,
                      uint32_t old[FH_ACCESS_WORDS], uint32_t now[FH_ACCESS_WORDS]) {
    for (uint32_t i = 0; i < FH_ACCESS_WORDS; i++) {
        const bool there = 4 * i < a->bytes;
        now[i] = there ? a->value[FH_LANES * i + lane] : 0;
        old[i] = !there                          ? 0
                 : a->old                        ? a->old[FH_LANES * i + lane]
                 : a->access & FHEC_ACCESS_WRITE ? q->old[lane][i]
                                                 : now[i];
    }
}

/* Whether the access of the lane changes a byte of the range. */
static bool changes(const fhec_point *p, const struct fh_accessed *a, uint32_t lane,
                    const uint32_t *old, const uint32_t *now) {
    const uint64_t at = a->address[lane];
    const uint64_t from = at < p->address ? p->address - at : 0;
    const uint64_t to =
        p->address + p->bytes - at < a->bytes ? p->address + p->bytes - at : a->bytes;
    return memcmp((const uint8_t *)old + from, (const uint8_t *)now + from, to - from) != 0;
}

static bool lane_does(const struct asking *q, const struct fh_accessed *a, uint32_t lane,
                      const uint32_t *old, const uint32_t *now) {
    const unsigned access = q->p->access;
    return access & a->access || (access & FHEC_ACCESS_CHANGE && a->access & FHEC_ACCESS_WRITE &&
                                  changes(q->p, a, lane, old, now));
}

static void accessed(void *user, const struct fh_accessed *a) {
    struct asking *q = user;
    if (q->found || a->space != q->p->space ||
        (a->space == FHEC_SPACE_CONSTANT && a->bank != q->p->bank))
        return;
    uint32_t lanes = lanes_in(q->p, a->lanes, a->address, a->bytes, 0);
    if (q->p->scope.lanes)
        lanes &= q->p->scope.lanes;
    q->stop->lanes = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint32_t old[FH_ACCESS_WORDS], now[FH_ACCESS_WORDS];
        values_of(q, a, lane, old, now);
        if (!lane_does(q, a, lane, old, now))
            continue;
        q->stop->lanes |= 1u << lane;
        if (q->found)
            continue;
        q->found = true;
        q->stop->lane = lane;
        q->stop->access = a->access;
        q->stop->address = a->address[lane];
        q->stop->bytes = a->bytes;
        memcpy(q->stop->old_value, old, sizeof old);
        memcpy(q->stop->new_value, now, sizeof now);
    }
}

bool fh_memory_accessed(const fhec_point *p, const struct fh_issue *issue, struct fh_accesses *a,
                        uint32_t old[FH_LANES][FH_ACCESS_WORDS], fhec_stop *stop) {
    struct asking asking = {.p = p, .old = old, .stop = stop};
    fh_accesses_tell(a, &issue->flow->w, issue->op, accessed, &asking);
    return asking.found;
}
