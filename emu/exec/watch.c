/*
 * watch.c - calling the hooks of a launch. Which ops are flagged for them: decode/watched_code.c.
 */
#include "watch.h"

#include <stdlib.h>

bool fh_watch_make(struct fh_watch *watch, const struct fh_watched_code *code,
                   const struct fh_hook *hooks, unsigned count) {
    *watch = (struct fh_watch){.code = code, .count = count};
    watch->watchers = calloc(count + 1u, sizeof *watch->watchers);
    for (unsigned i = 0; watch->watchers && i < count; i++)
        watch->watchers[i].hook = hooks[i];
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

/* The hooks that want the op. */
static const uint32_t *hooks_of(const struct fh_watch *watch, const struct fh_op *op,
                                const uint32_t **end) {
    const uint32_t *first = watch->code->first + op->pc / FH_INST_BYTES;
    *end = watch->code->list + first[1];
    return watch->code->list + first[0];
}

bool fh_watched_begin(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    struct fh_watch *watch = w->launch->watch;
    const uint32_t *end, *const first = hooks_of(watch, op, &end);
    bool stop = false;
    for (const uint32_t *i = first; i < end; i++) {
        const struct fh_watcher *x = &watch->watchers[*i];
        if (x->covers && x->hook.stop)
            stop |= x->hook.stop(x->hook.user, w, op, active);
    }
    for (const uint32_t *i = first; i < end && !stop; i++) {
        const struct fh_watcher *x = &watch->watchers[*i];
        if (x->covers && x->hook.before)
            x->hook.before(x->hook.user, w, op, active);
    }
    if (stop)
        w->launch->pausing = true;
    return !stop;
}

void fh_watched_end(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    struct fh_watch *watch = w->launch->watch;
    const uint32_t *end;
    bool pause = false;
    for (const uint32_t *i = hooks_of(watch, op, &end); i < end; i++) {
        const struct fh_watcher *x = &watch->watchers[*i];
        if (x->covers && x->hook.after)
            pause |= x->hook.after(x->hook.user, w, op, active);
    }
    if (pause)
        w->launch->pausing = true;
}

void fh_watch_happens(struct fh_block *block, const struct fh_happening *happening) {
    struct fh_watch *watch = block->launch->watch;
    for (unsigned i = 0; i < watch->count; i++) {
        const struct fh_hook *hook = &watch->watchers[i].hook;
        if (hook->happens && hook->happens(hook->user, block, happening))
            block->launch->pausing = true;
    }
}
