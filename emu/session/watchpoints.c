/*
 * watchpoints.c - registers that a session watches. What an instruction reads and writes follows
 * from its operands; whether a write is a change, from the values before and after it.
 */
#include "watchpoints.h"

#include "dataflow.h"
#include "warp.h"

#include <string.h>

/* The register among all that instructions name (dataflow.h). */
static unsigned number_of(const fhec_point *p) {
    switch (p->file_of) {
    case FHEC_FILE_R: return FH_RES_R + p->reg;
    case FHEC_FILE_P: return FH_RES_P + p->reg;
    case FHEC_FILE_UR: return FH_RES_UR + p->reg;
    default: return FH_RES_UP + p->reg;
    }
}

/* What the instruction does to the register. */
struct register_use {
    bool read, guards, written;
};

static struct register_use use_of(const fhec_point *p, const struct fh_inst *inst) {
    const unsigned number = number_of(p);
    struct register_use found = {false, false, false};
    struct fh_uses uses;
    fh_uses_of(inst, &uses);
    for (unsigned k = 0; k < uses.count; k++) {
        const struct fh_use *use = &uses.use[k];
        if (number < use->first || number >= (unsigned)use->first + use->count)
            continue;
        found.written |= use->access == FH_WRITE;
        found.guards |= use->access == FH_READ && use->role == FH_ROLE_GUARD;
        found.read |= use->access == FH_READ && use->role != FH_ROLE_GUARD;
    }
    return found;
}

bool fh_watches_register(const fhec_point *p, const struct fh_inst *inst) {
    const struct register_use use = use_of(p, inst);
    return (p->access & FHEC_ACCESS_READ && (use.read || use.guards)) ||
           (p->access & (FHEC_ACCESS_WRITE | FHEC_ACCESS_CHANGE) && use.written);
}

void fh_register_values(const fhec_point *p, const struct fh_warp *w, uint32_t values[FH_LANES]) {
    switch (p->file_of) {
    case FHEC_FILE_R: memcpy(values, w->r[p->reg], sizeof w->r[0]); break;
    case FHEC_FILE_P: values[0] = w->p[p->reg]; break;
    case FHEC_FILE_UR: values[0] = w->ur[p->reg]; break;
    default: values[0] = w->up[p->reg]; break;
    }
}

/* The lanes of `active` whose value is another one now. */
static uint32_t changed_lanes(fhec_register_file file, const uint32_t *old, const uint32_t *now,
                              uint32_t active) {
    uint32_t lanes = 0;
    if (file == FHEC_FILE_P)
        return (old[0] ^ now[0]) & active;
    if (file != FHEC_FILE_R)
        return old[0] != now[0] ? active : 0;
    for (uint32_t l = 0; l < FH_LANES; l++)
        lanes |= (uint32_t)(old[l] != now[l]) << l;
    return lanes & active;
}

bool fh_register_accessed(const fhec_point *p, const struct fh_issue *issue,
                          const uint32_t old[FH_LANES], fhec_stop *stop) {
    const struct register_use use = use_of(p, issue->op->inst);
    const uint32_t reading = (use.guards ? issue->group : 0) | (use.read ? issue->active : 0);
    const uint32_t writing = use.written ? issue->active : 0;
    uint32_t now[FH_LANES];
    fh_register_values(p, &issue->flow->w, now);
    stop->lanes = p->access & FHEC_ACCESS_READ ? reading : 0;
    if (p->access & FHEC_ACCESS_WRITE)
        stop->lanes |= writing;
    else if (p->access & FHEC_ACCESS_CHANGE)
        stop->lanes |= changed_lanes(p->file_of, old, now, writing);
    if (p->scope.lanes)
        stop->lanes &= p->scope.lanes;
    if (!stop->lanes)
        return false;
    stop->lane = (uint32_t)__builtin_ctz(stop->lanes);
    stop->access = (reading >> stop->lane & 1 ? FHEC_ACCESS_READ : 0u) |
                   (writing >> stop->lane & 1 ? FHEC_ACCESS_WRITE : 0u);
    const uint32_t at = p->file_of == FHEC_FILE_R ? stop->lane : 0;
    stop->bytes = 4;
    stop->old_value[0] = old[at];
    stop->new_value[0] = now[at];
    return true;
}
