/*
 * watch.c - calling the hooks of a launch around instructions. Which ops they want: watched_code.c;
 * what they are told beside that: happenings.c.
 */
#include "watch.h"

#include "happenings.h"

#include <stdlib.h>

bool fh_watch_make(struct fh_watch *watch, const struct fh_watched_code *code,
                   const struct fh_hook *hooks, unsigned count) {
    *watch = (struct fh_watch){.code = code, .count = count};
    watch->watchers = calloc(count + 1u, sizeof *watch->watchers);
    for (unsigned i = 0; watch->watchers && i < count; i++) {
        watch->watchers[i].hook = hooks[i];
        watch->kinds |= hooks[i].kinds;
    }
    return watch->watchers != NULL;
}

void fh_watch_free(struct fh_watch *watch) {
    free(watch->watchers);
    *watch = (struct fh_watch){0};
}

bool fh_watch_turn(const struct fh_warp *w) {
    const struct fh_watch *watch = w->launch->watch;
    bool any = false;
    for (unsigned i = 0; i < watch->count; i++) {
        struct fh_watcher *x = &watch->watchers[i];
        x->covers =
            x->hook.wants && (!x->hook.covers || x->hook.covers(x->hook.user, w->block, w->index));
        any |= x->covers;
    }
    return any;
}

/* ---------------------------------------------------------------- calling hooks */

static inline bool call_one(const struct fh_hook *hook, const struct fh_issue *issue,
                            enum fh_phase phase) {
    if (phase == FH_BEFORE) {
        hook->before(hook->user, issue);
        return false;
    }
    return (phase == FH_STOPS ? hook->stop : hook->after)(hook->user, issue);
}

/* Calls those that want the phase of the op, in their order. */
static __attribute__((noinline)) bool call_all(const struct fh_watch *watch,
                                               const struct fh_issue *issue, enum fh_phase phase) {
    const uint32_t *first = watch->code->first + issue->op->pc / FH_INST_BYTES;
    bool pause = false;
    for (uint32_t i = first[0]; i < first[1]; i++) {
        const struct fh_want *want = &watch->code->list[i];
        const struct fh_watcher *x = &watch->watchers[want->hook];
        if (x->covers && want->phases & phase)
            pause |= call_one(&x->hook, issue, phase);
    }
    return pause;
}

/* True: the launch is to pause. */
static inline bool call(const struct fh_watch *watch, const struct fh_issue *issue,
                        enum fh_phase phase) {
    const bool pause = watch->count == 1 ? call_one(&watch->watchers->hook, issue, phase)
                                         : call_all(watch, issue, phase);
    if (pause)
        issue->flow->w.launch->pausing = true;
    return pause;
}

static inline bool begin(struct fh_watch *watch, const struct fh_issue *issue, uint8_t flags) {
    if (flags & FH_STOPS && call(watch, issue, FH_STOPS))
        return false;
    if (flags & FH_BEFORE)
        call(watch, issue, FH_BEFORE);
    return true;
}

static inline void end(struct fh_watch *watch, const struct fh_issue *issue, uint8_t flags) {
    if (flags & FH_HAPPENS)
        fh_happenings_behind(issue);
    if (flags & FH_AFTER)
        call(watch, issue, FH_AFTER);
    if (flags & FH_HAPPENS)
        fh_happenings_end(issue);
}

bool fh_watched_begin(const struct fh_issue *issue) {
    struct fh_watch *watch = issue->flow->w.launch->watch;
    watch->issue = issue;
    if (begin(watch, issue, watch->code->flags[issue->op->pc / FH_INST_BYTES]))
        return true;
    watch->issue = NULL;
    return false;
}

void fh_watched_faulted(const struct fh_issue *issue) {
    issue->flow->w.launch->watch->issue = NULL;
}

void fh_watched_end(const struct fh_issue *issue) {
    struct fh_watch *watch = issue->flow->w.launch->watch;
    end(watch, issue, watch->code->flags[issue->op->pc / FH_INST_BYTES]);
    watch->issue = NULL;
}

/* ---------------------------------------------------------------- superblocks */

/* The warp stands before `op`: those before it have been issued. */
static inline struct fh_flow *stand(struct fh_warp *w, const struct fh_op *op) {
    struct fh_flow *f = (struct fh_flow *)w;
    const uint32_t pc = op->pc / FH_INST_BYTES;
    f->issued += pc - f->pc;
    f->pc = pc;
    return f;
}

static inline bool enter(struct fh_flow *f, struct fh_watch *watch, const struct fh_op *op) {
    const uint8_t flags = watch->code->flags[op->pc / FH_INST_BYTES];
    watch->active = fh_op_guarded(op) ? fh_guarded(&f->w, op, UINT32_MAX) : UINT32_MAX;
    const struct fh_issue issue = {f, op, UINT32_MAX, watch->active};
    return begin(watch, &issue, flags);
}

static inline void leave(struct fh_flow *f, struct fh_watch *watch, const struct fh_op *op) {
    const uint8_t flags = watch->code->flags[op->pc / FH_INST_BYTES];
    const struct fh_issue issue = {f, op, UINT32_MAX, watch->active};
    end(watch, &issue, flags);
}

bool fh_watched_enter(struct fh_warp *w, const struct fh_op *op) {
    return enter(stand(w, op), w->launch->watch, op);
}

bool fh_watched_between(struct fh_warp *w, const struct fh_op *op) {
    struct fh_flow *f = stand(w, op);
    struct fh_watch *watch = w->launch->watch;
    leave(f, watch, op - 1);
    return !w->launch->pausing && enter(f, watch, op);
}

void fh_watched_leave(struct fh_warp *w, const struct fh_op *op) {
    leave(stand(w, op), w->launch->watch, op - 1);
}

void fh_watched_ran(struct fh_flow *f, const struct fh_op *op, const struct fh_op *end) {
    const struct fh_watch *watch = f->w.launch->watch;
    for (unsigned i = 0; i < watch->count; i++) {
        const struct fh_watcher *x = &watch->watchers[i];
        if (x->covers && x->hook.ran)
            x->hook.ran(x->hook.user, f, op->pc / FH_INST_BYTES, end->pc / FH_INST_BYTES);
    }
}
