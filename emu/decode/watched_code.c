/*
 * watched_code.c - a copy of a kernel's ops in which those are flagged that somebody watches.
 */
#include "chain.h"
#include "watch.h"

#include <stdlib.h>
#include <string.h>

/* Lists the hooks by op; without a list it only counts them. */
static void list_hooks(struct fh_watched_code *code, const struct fh_image *image,
                       const struct fh_hook *hooks, unsigned count) {
    uint32_t used = 0;
    for (uint32_t i = 0; i <= image->count; i++) {
        code->first[i] = used;
        for (unsigned k = 0; k < count; k++) {
            if (!hooks[k].wants || !hooks[k].wants(hooks[k].user, image, &image->ops[i]))
                continue;
            if (code->list)
                code->list[used] = k;
            used++;
        }
    }
    code->first[image->count + 1] = used;
}

static void flag_ops(struct fh_watched_code *code, const struct fh_image *image) {
    for (uint32_t i = 0; i <= image->count; i++)
        if (code->first[i] != code->first[i + 1])
            code->ops[i].control =
                image->ops[i].control == FH_PLAIN ? FH_WATCHED : FH_WATCHED_CONTROL;
}

bool fh_watched_code_make(struct fh_watched_code *code, const struct fh_image *image,
                          const struct fh_links *links, const struct fh_hook *hooks,
                          unsigned count) {
    const size_t align = _Alignof(struct fh_op), ops = image->count + 1u;
    *code = (struct fh_watched_code){
        .room = malloc(ops * sizeof *code->ops + align),
        .first = malloc((ops + 1) * sizeof *code->first),
    };
    if (code->room && code->first) {
        list_hooks(code, image, hooks, count);
        code->list = malloc((code->first[ops] + 1u) * sizeof *code->list);
    }
    if (!code->list) {
        fh_watched_code_free(code);
        return false;
    }
    list_hooks(code, image, hooks, count);
    code->ops = (struct fh_op *)(((uintptr_t)code->room + align - 1) / align * align);
    memcpy(code->ops, image->ops, ops * sizeof *code->ops);
    flag_ops(code, image);
    fh_chains_join(links, code->ops, image->count);
    return true;
}

void fh_watched_code_free(struct fh_watched_code *code) {
    free(code->room);
    free(code->first);
    free(code->list);
    *code = (struct fh_watched_code){0};
}
