/*
 * watch.c - calling the hooks of a launch around instructions. Which ops are flagged for them:
 * decode/watched_code.c; what they are told beside that: happenings.c.
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

/* The hooks that want the op. */
static const uint32_t *hooks_of(const struct fh_watch *watch, const struct fh_op *op,
                                const uint32_t **end) {
    const uint32_t *first = watch->code->first + op->pc / FH_INST_BYTES;
    *end = watch->code->list + first[1];
    return watch->code->list + first[0];
}

bool fh_watched_begin(const struct fh_issue *issue) {
    struct fh_launch_state *launch = issue->flow->w.launch;
    struct fh_watch *watch = launch->watch;
    const uint32_t *end, *const first = hooks_of(watch, issue->op, &end);
    bool stop = false;
    for (const uint32_t *i = first; i < end; i++) {
        const struct fh_watcher *x = &watch->watchers[*i];
        if (x->covers && x->hook.stop)
            stop |= x->hook.stop(x->hook.user, issue);
    }
    if (stop) {
        launch->pausing = true;
        return false;
    }
    for (const uint32_t *i = first; i < end; i++) {
        const struct fh_watcher *x = &watch->watchers[*i];
        if (x->covers && x->hook.before)
            x->hook.before(x->hook.user, issue);
    }
    watch->issue = issue;
    return true;
}

void fh_watched_end(const struct fh_issue *issue) {
    struct fh_launch_state *launch = issue->flow->w.launch;
    struct fh_watch *watch = launch->watch;
    const uint32_t *end;
    if (watch->kinds)
        fh_happenings_behind(issue);
    for (const uint32_t *i = hooks_of(watch, issue->op, &end); i < end; i++) {
        const struct fh_watcher *x = &watch->watchers[*i];
        if (x->covers && x->hook.after && x->hook.after(x->hook.user, issue))
            launch->pausing = true;
    }
    if (watch->kinds)
        fh_happenings_end(issue);
    watch->issue = NULL;
}
