/*
 * origin_trail.c - see origin_trail.h.
 */
#include "origin_trail.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- watchpoints */

static bool writes(const fhec_instruction *in, const struct fh_breakpoint *b) {
    for (uint32_t i = 0; i < in->use_count; i++) {
        const fhec_use *use = &in->uses[i];
        if (use->written && use->file == b->file_of && b->reg >= use->first &&
            b->reg - use->first < use->count)
            return true;
    }
    return false;
}

/* The index-th stop that counts; NULL past the last. */
static struct fh_stop_point *point_at(const struct fh_debugger *d, const struct fh_stop_point *only,
                                      size_t index) {
    if (only)
        return index ? NULL : (struct fh_stop_point *)only;
    return index < d->point_count ? d->points[index] : NULL;
}

static bool waits(const struct fh_stop_point *p) {
    return p->is.kind == FH_WATCH_ORIGIN && !p->is.disabled;
}

bool fh_trail_is_wanted(const struct fh_debugger *d, const struct fh_stop_point *only) {
    const struct fh_stop_point *p;
    for (size_t i = 0; (p = point_at(d, only, i)) != NULL; i++)
        if (waits(p))
            return true;
    return false;
}

static unsigned wants(void *user, const fhec_launch *launch, const fhec_instruction *in) {
    const struct fh_origin_trail *t = user;
    const struct fh_stop_point *p;
    (void)launch;
    for (size_t i = 0; (p = point_at(t->debugger, t->only, i)) != NULL; i++)
        if (waits(p) && writes(in, &p->is))
            return FH_ORIGIN_BEFORE;
    return 0;
}

static void get_bytes(const struct fh_warp_shadow *w, const struct fh_breakpoint *b, uint32_t lane,
                      fh_origin_bytes bytes) {
    if (b->file_of == FHEC_FILE_R) {
        fh_shadow_get_bytes(w, b->reg, lane, bytes);
        return;
    }
    for (uint32_t i = 0; i < 4; i++)
        bytes[i] = fh_origin_byte(w->ur[b->reg], i);
}

/* What the register came from that is about to be written. */
static void before(void *user, const struct fh_origin_view *view) {
    const struct fh_origin_trail *t = user;
    struct fh_stop_point *p;
    for (size_t i = 0; (p = point_at(t->debugger, t->only, i)) != NULL; i++)
        for (uint32_t lane = 0;
             lane < FHEC_WARP_LANES && waits(p) && writes(view->instruction, &p->is); lane++)
            get_bytes(view->warp, &p->is, lane, p->origins[lane]);
}

static void tell(const struct fh_origins *origins, const fh_origin_bytes bytes, char *text,
                 size_t size) {
    fh_origin_text(origins, fh_origin_of_bytes(bytes), 32, 0, text, size);
}

bool fh_trail_has_changed(struct fh_stop_point *p, const fhec_stop *stop) {
    const struct fh_origin_trail *t = p->debugger->trail;
    const struct fh_warp_shadow *w =
        t && t->follows ? fh_origins_warp(t->origins, stop->block, stop->warp) : NULL;
    for (uint32_t rest = w ? stop->lanes : 0; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        fh_origin_bytes bytes;
        get_bytes(w, &p->is, lane, bytes);
        if (memcmp(bytes, p->origins[lane], sizeof bytes) == 0)
            continue;
        p->change.lane = lane;
        tell(t->origins, p->origins[lane], p->change.was, sizeof p->change.was);
        tell(t->origins, bytes, p->change.is, sizeof p->change.is);
        return true;
    }
    return false;
}

/* ---------------------------------------------------------------- resting */

static void drop_mark(struct fh_origin_trail *t, size_t index) {
    t->mark_bytes -= t->marks[index].bytes;
    fh_shadows_free(&t->marks[index].saved);
    t->mark_count--;
    memmove(&t->marks[index], &t->marks[index + 1],
            (t->mark_count - index) * sizeof t->marks[index]);
}

void fh_trail_free(struct fh_debugger *d) {
    struct fh_origin_trail *t = d->trail;
    while (t && t->mark_count)
        drop_mark(t, t->mark_count - 1);
    if (t)
        (void)fh_origins_end(t->origins);
    free(t);
    d->trail = NULL;
}

void fh_trail_rest(struct fh_debugger *d) {
    struct fh_origin_trail *t = d->trail;
    if (!t || !t->follows)
        return;
    fh_origins_pause(t->origins);
    t->follows = false;
    t->only = NULL;
    t->time = fh_debugger_time(d);
    if (!fh_origins_complete(t->origins))
        fh_trail_free(d);
}

void fh_trail_leave(struct fh_debugger *d) {
    if (d->trail && d->trail->follows)
        fh_trail_free(d);
}

void fh_trail_cut(struct fh_debugger *d, struct fh_debug_time time) {
    struct fh_origin_trail *t = d->trail;
    if (!t || t->follows || t->time.launch < time.launch)
        return;
    if (t->time.launch > time.launch) {
        fh_trail_free(d);
        return;
    }
    while (t->mark_count && t->marks[t->mark_count - 1].count > time.count)
        drop_mark(t, t->mark_count - 1);
    if (t->time.count > time.count && !fh_origins_load(t->origins, NULL))
        fh_trail_free(d);
    else if (t->time.count > time.count)
        t->time.count = 0;
}

/* ---------------------------------------------------------------- marks */

enum { MOST_MARK_BYTES = 256 << 20 };

/* The number of marks at or before the count. */
static size_t marks_until(const struct fh_origin_trail *t, uint64_t count) {
    size_t n = 0;
    while (n < t->mark_count && t->marks[n].count <= count)
        n++;
    return n;
}

/* Drops the mark without which the gap is the smallest, seen from here. */
static void drop_needless(struct fh_origin_trail *t, uint64_t here) {
    size_t best = 0;
    double least = 0;
    for (size_t i = 0; i < t->mark_count; i++) {
        const uint64_t at = t->marks[i].count, before = i ? t->marks[i - 1].count : 0,
                       after = i + 1 < t->mark_count ? t->marks[i + 1].count : here;
        const double far = at < here ? (double)(here - at) : (double)(at - here);
        const double gap = (after > before ? (double)(after - before) : 0) / (1 + far);
        if (i == 0 || gap < least) {
            least = gap;
            best = i;
        }
    }
    drop_mark(t, best);
}

void fh_trail_mark(struct fh_debugger *d) {
    struct fh_origin_trail *t = d->trail;
    struct fh_trail_mark mark = {.count = d->count};
    const size_t at = t ? marks_until(t, d->count) : 0;
    if (!t || !t->follows || (at && t->marks[at - 1].count == d->count))
        return;
    mark.bytes = fh_origins_save(t->origins, &mark.saved);
    if (!mark.bytes || mark.bytes > MOST_MARK_BYTES / 4) {
        fh_shadows_free(&mark.saved);
        return;
    }
    while (t->mark_count == FH_TRAIL_MARKS ||
           (t->mark_count && t->mark_bytes + mark.bytes > MOST_MARK_BYTES))
        drop_needless(t, d->count);
    const size_t place = marks_until(t, d->count);
    memmove(&t->marks[place + 1], &t->marks[place],
            (t->mark_count - place) * sizeof t->marks[place]);
    t->marks[place] = mark;
    t->mark_count++;
    t->mark_bytes += mark.bytes;
}

struct fh_debug_time fh_trail_last(const struct fh_debugger *d, struct fh_debug_time time) {
    const struct fh_origin_trail *t = d->trail;
    struct fh_debug_time last = {time.launch, 0};
    if (!t || t->time.launch != time.launch)
        return last;
    const size_t marks = marks_until(t, time.count);
    if (marks)
        last.count = t->marks[marks - 1].count;
    if (!t->follows && t->time.count <= time.count && t->time.count > last.count)
        last.count = t->time.count;
    return last;
}

/* ---------------------------------------------------------------- changes */

/* What an instruction beside the kernel's has written; where in shared memory is not known. */
static void executed(struct fh_debugger *d, const struct fh_origin_warp *of,
                     const struct fh_debug_change *c) {
    static const char *const stores[] = {"STS", "ATOMS", "LDGSTS"};
    fhec_instruction instruction;
    fhec_block_info block;
    if (fhec_instruction_get(c->word, 0, &instruction) != FHEC_OK)
        return;
    for (uint32_t i = 0; i < instruction.use_count; i++) {
        const fhec_use *use = &instruction.uses[i];
        for (uint32_t k = 0; use->written && k < use->count; k++)
            fh_origins_set_register(d->trail->origins, of, use->file, use->first + k, c->executed);
    }
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++)
        for (size_t b = 0; strncmp(instruction.mnemonic, stores[i], strlen(stores[i])) == 0 &&
                           fhec_session_block(d->session, b, &block) == FHEC_OK;
             b++)
            if (memcmp(block.id, of->block, sizeof block.id) == 0)
                fh_origins_set_shared(d->trail->origins, of, 0, block.shared_bytes);
}

void fh_trail_changed(struct fh_debugger *d, const struct fh_debug_change *c) {
    struct fh_origin_trail *t = d->trail;
    struct fh_origin_warp of = {.warp = c->thread.warp};
    fhec_launch launch;
    if (!t || (!t->follows && fh_debug_time_compare(t->time, fh_debugger_time(d)) != 0) ||
        !fh_debugger_launch(d, d->launch, &launch, NULL))
        return;
    of.launch = &launch;
    memcpy(of.block, c->thread.block, sizeof of.block);
    if (c->kind == FH_CHANGE_REGISTER)
        fh_origins_set_register(t->origins, &of, c->file, c->reg, c->lanes);
    else if (c->kind == FH_CHANGE_INSTRUCTION)
        executed(d, &of, c);
    else if (c->space == FHEC_SPACE_SHARED && c->has_thread)
        fh_origins_set_shared(t->origins, &of, c->address, c->bytes);
}

/* ---------------------------------------------------------------- following */

static fhec_status no_memory(struct fh_debugger *d) {
    fh_trail_free(d);
    return fh_debugger_fail(d, FHEC_HOST_ERROR, "no host memory for the origins of values");
}

/* For another launch. */
static fhec_status make(struct fh_debugger *d) {
    fh_trail_free(d);
    struct fh_origin_trail *t = d->trail = calloc(1, sizeof *t);
    const struct fh_origin_watcher watcher = {.user = t, .wants = wants, .before = before};
    if (!t)
        return no_memory(d);
    t->debugger = d;
    t->time = (struct fh_debug_time){d->launch, 0};
    if (fh_origins_begin(d->machine, &watcher, &t->origins) != FHEC_OK)
        return no_memory(d);
    fh_origins_pause(t->origins);
    return FHEC_OK;
}

/* What they know becomes that of the mark here, or of the beginning. */
static bool load(struct fh_debugger *d) {
    struct fh_origin_trail *t = d->trail;
    const size_t marks = marks_until(t, d->count);
    const struct fh_trail_mark *mark = marks ? &t->marks[marks - 1] : NULL;
    t->time = fh_debugger_time(d);
    return fh_origins_load(t->origins, mark && mark->count == d->count ? &mark->saved : NULL);
}

fhec_status fh_trail_begin(struct fh_debugger *d, struct fh_stop_point *only) {
    fhec_status status = FHEC_OK;
    if (!d->trail || d->trail->time.launch != d->launch)
        status = make(d);
    if (status != FHEC_OK)
        return status;
    if (fh_debug_time_compare(d->trail->time, fh_debugger_time(d)) != 0 && !load(d))
        return no_memory(d);
    d->trail->only = only;
    if (fh_origins_resume(d->trail->origins) != FHEC_OK)
        return no_memory(d);
    d->trail->follows = true;
    for (size_t i = 0; i < d->change_count; i++)
        if (fh_debug_time_compare(d->changes[i].time, fh_debugger_time(d)) == 0)
            fh_trail_changed(d, &d->changes[i]);
    return FHEC_OK;
}
