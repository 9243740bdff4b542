/*
 * init_step.c - sources and results of an instruction some of whose sources are undefined.
 */
#include <string.h>

#include "init_checker.h"

enum { LANES = FHEC_WARP_LANES, PARAMETERS = 0x160 /* of constant bank 0: where they begin */ };

/* ---------------------------------------------------------------- sources */

/* The file that a row is in, and its number there. */
static fhec_register_file file_of(uint32_t row, uint32_t *number) {
    const fhec_register_file file = row < FH_ROW_UR   ? FHEC_FILE_R
                                    : row < FH_ROW_P  ? FHEC_FILE_UR
                                    : row < FH_ROW_UP ? FHEC_FILE_P
                                                      : FHEC_FILE_UP;
    *number = row - (file == FHEC_FILE_R    ? FH_ROW_R
                     : file == FHEC_FILE_UR ? FH_ROW_UR
                     : file == FHEC_FILE_P  ? FH_ROW_P
                                            : FH_ROW_UP);
    return file;
}

/* The values of a row that the instruction reads, as fhec_values has them; NULL: it does not. */
static const uint32_t *values_of(const struct fh_init_step *s, uint32_t row) {
    uint32_t number;
    const fhec_register_file file = file_of(row, &number);
    fhec_values run;
    for (size_t i = 0; fhec_event_registers(s->event, i, &run); i++)
        if (run.file == file && number - run.first < run.count)
            return run.values + (file == FHEC_FILE_R ? LANES : 1) * (number - run.first);
    return NULL;
}

/* A word of the launch's parameters, if the constant is one. */
static bool parameter(const struct fh_init_step *s, uint32_t at, uint32_t *word) {
    const fhec_launch *launch = s->event->launch;
    if (at < PARAMETERS || at - PARAMETERS + 4 > launch->param_bytes)
        return false;
    memcpy(word, (const char *)launch->params + (at - PARAMETERS), 4);
    return true;
}

void fh_init_get(const struct fh_init_step *s, const struct fh_init_source *source, unsigned i,
                 uint32_t value[LANES], uint32_t undefined[LANES]) {
    const uint32_t row = source->row == FH_ROW_NONE ? FH_ROW_NONE : source->row + i;
    uint32_t same = (uint32_t)(source->value >> 32 * (i & 1)), open = 0;
    const bool here = row != FH_ROW_NONE && i < source->count;
    const uint32_t *values = here ? values_of(s, row) : NULL;
    if (here && row < FH_ROW_UR) {
        const uint32_t lanes = s->warp->lanes[row];
        for (uint32_t l = 0; l < LANES; l++) {
            value[l] = values ? values[l] : 0;
            undefined[l] = lanes >> l & 1 ? s->warp->bits[row][l] : 0;
        }
        return;
    }
    if (here && row < FH_ROW_P) {
        same = values ? *values : 0;
        open = s->warp->lanes[row] ? s->warp->uniform[row - FH_ROW_UR] : 0;
    } else if (!source->known && source->in_bank0) {
        (void)parameter(s, source->constant + 4 * i, &same);
    } else if (row == FH_ROW_NONE && i >= source->count) {
        same = 0;
    }
    for (uint32_t l = 0; l < LANES; l++) {
        value[l] = same;
        undefined[l] = open;
    }
}

void fh_init_get_predicate(const struct fh_init_step *s, const struct fh_init_source *source,
                           uint32_t *value, uint32_t *undefined) {
    const uint32_t row = source->row;
    *value = (uint32_t)source->value;
    *undefined = 0;
    if (row != FH_ROW_NONE) {
        const uint32_t *values = values_of(s, row);
        *value = values ? *values : 0;
        if (row >= FH_ROW_UP)
            *value = 0U - (*value & 1);
        *undefined = s->warp->lanes[row];
    }
    if (source->negated)
        *value = ~*value;
}

uint32_t fh_init_undefined(const struct fh_init_step *s, unsigned i) {
    const uint32_t row = s->plan->reads[i], mask = s->plan->read_mask[i];
    const uint32_t lanes = s->warp->lanes[row];
    if (mask == UINT32_MAX || row >= FH_ROW_UR)
        return lanes;
    uint32_t undefined = 0;
    for (uint32_t l = 0; l < LANES; l++)
        undefined |= (uint32_t)((s->warp->bits[row][l] & mask) != 0) << l;
    return undefined & lanes;
}

/* ---------------------------------------------------------------- results */

void fh_init_put_lane(struct fh_warp_bits *warp, uint32_t row, uint32_t lane, uint32_t undefined,
                      uint32_t origin) {
    if (row == FH_ROW_NONE || row >= FH_ROW_UR)
        return;
    warp->bits[row][lane] = undefined;
    if (undefined) {
        warp->lanes[row] |= 1u << lane;
        warp->origin[row] = origin;
    } else {
        warp->lanes[row] &= ~(1u << lane);
    }
}

void fh_init_put(const struct fh_init_step *s, unsigned i, const uint32_t undefined[LANES]) {
    const uint32_t row = s->plan->to == FH_ROW_NONE ? FH_ROW_NONE : s->plan->to + i;
    if (row == FH_ROW_NONE || !s->active)
        return;
    if (row < FH_ROW_UR) {
        for (uint32_t rest = s->active; rest; rest &= rest - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(rest);
            fh_init_put_lane(s->warp, row, lane, undefined[lane], s->origin);
        }
    } else if (row < FH_ROW_P) {
        const uint32_t open = undefined[__builtin_ctz(s->active)];
        s->warp->uniform[row - FH_ROW_UR] = open;
        s->warp->lanes[row] = open ? UINT32_MAX : 0;
        if (open)
            s->warp->origin[row] = s->origin;
    }
}

void fh_init_put_predicate(const struct fh_init_step *s, uint16_t row, uint32_t undefined) {
    uint32_t *lanes = &s->warp->lanes[row];
    if (row == FH_ROW_NONE)
        return;
    if (row >= FH_ROW_UP)
        *lanes = undefined & s->active ? UINT32_MAX : 0;
    else
        *lanes = (*lanes & ~s->active) | (undefined & s->active);
    if (undefined & s->active)
        s->warp->origin[row] = s->origin;
}

void fh_init_put_all(const struct fh_init_step *s, uint32_t lanes) {
    const struct fh_init_plan *p = s->plan;
    struct fh_warp_bits *w = s->warp;
    for (unsigned i = 0; i < p->write_count; i++) {
        const uint32_t row = p->writes[i], open = lanes & s->active;
        const uint32_t now = p->write_whole[i] ? (open ? UINT32_MAX : 0) : open;
        w->lanes[row] = (w->lanes[row] & ~(s->active | p->write_whole[i])) | now;
        if (!open)
            continue;
        w->origin[row] = s->origin;
        for (uint32_t l = 0; row < FH_ROW_UR && l < LANES; l++)
            w->bits[row][l] = open >> l & 1 ? UINT32_MAX : w->bits[row][l];
        if (row >= FH_ROW_UR && row < FH_ROW_P)
            w->uniform[row - FH_ROW_UR] = UINT32_MAX;
    }
}

uint32_t fh_init_cause(struct fh_init_checker *c, const struct fh_cause *made) {
    const uint32_t number = fh_cause_number(c->origins, made);
    c->failed |= !number;
    return number;
}

uint32_t fh_init_origin(const struct fh_init_step *s, uint32_t row) {
    uint32_t *origin = &s->warp->origin[row];
    if (*origin)
        return *origin;
    struct fh_cause made = {.kind = FH_CAUSE_REGISTER, .row = row, .place = fh_place_of(s->event)};
    made.place.lanes = s->event->lanes & s->warp->lanes[row];
    return *origin = fh_init_cause(s->checker, &made);
}
