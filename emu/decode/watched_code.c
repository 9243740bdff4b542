/*
 * watched_code.c - the ops of a kernel for warps that somebody watches: a copy, in which what leads
 * from one op to the next calls the hooks where one wants it.
 */
#include "superblock.h"
#include "watch.h"

#include <stdlib.h>
#include <string.h>

/* Lists who wants what, by op. */
static void ask_hooks(struct fh_watched_code *code, const struct fh_image *image,
                      const struct fh_hook *hooks, unsigned count) {
    uint32_t used = 0, kinds = 0;
    for (unsigned k = 0; k < count; k++)
        kinds |= hooks[k].kinds;
    for (uint32_t i = 0; i <= image->count; i++) {
        const struct fh_op *op = &image->ops[i];
        code->first[i] = used;
        code->flags[i] = kinds && fh_op_may(op, kinds) ? FH_HAPPENS : 0;
        for (unsigned k = 0; k < count; k++) {
            const unsigned phases = hooks[k].wants ? hooks[k].wants(hooks[k].user, image, op) : 0;
            if (phases)
                code->list[used++] = (struct fh_want){k, phases};
            code->flags[i] |= (uint8_t)phases;
            code->batches |= phases & FH_BATCH;
        }
    }
    code->first[image->count + 1] = used;
}

static void lead_through_hooks(struct fh_watched_code *code, const struct fh_threading *threading,
                               uint32_t count) {
    for (uint32_t i = 1; i <= count; i++) {
        struct fh_op *op = &code->ops[i];
        const bool behind = code->flags[i - 1] & (FH_AFTER | FH_HAPPENS);
        const unsigned here = code->flags[i] & ~(unsigned)FH_BATCH;
        if (op->threaded == threading->end)
            op->threaded = behind ? threading->watched_end : threading->end;
        else if (behind || here & (FH_STOPS | FH_BEFORE) || (here && fh_op_guarded(op)))
            op->threaded = threading->watched;
    }
}

bool fh_watched_code_make(struct fh_watched_code *code, const struct fh_image *image,
                          const struct fh_threading *threading, const struct fh_hook *hooks,
                          unsigned count) {
    const size_t align = _Alignof(struct fh_op), ops = image->count + 1u;
    *code = (struct fh_watched_code){
        .room = malloc(ops * sizeof *code->ops + align),
        .flags = malloc(ops),
        .first = malloc((ops + 1) * sizeof *code->first),
        .list = malloc((ops * count + 1) * sizeof *code->list), /* at most */
    };
    if (!code->room || !code->flags || !code->first || !code->list) {
        fh_watched_code_free(code);
        return false;
    }
    ask_hooks(code, image, hooks, count);
    code->ops = (struct fh_op *)(((uintptr_t)code->room + align - 1) / align * align);
    memcpy(code->ops, image->ops, ops * sizeof *code->ops);
    lead_through_hooks(code, threading, image->count);
    return true;
}

void fh_watched_code_free(struct fh_watched_code *code) {
    free(code->room);
    free(code->flags);
    free(code->first);
    free(code->list);
    *code = (struct fh_watched_code){0};
}
