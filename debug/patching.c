/*
 * patching.c - words put in the place of a kernel's, and taken away: what was behind that is
 * forgotten.
 */
#include <stdlib.h>
#include <string.h>

#include "moves.h"
#include "patches.h"
#include "timeline.h"

/* Makes `from` the time from which on the patch is there: its launch may be of another kernel. */
static fhec_status find_begin(struct fh_debugger *d, struct fh_debug_patch *p) {
    const size_t asked = p->from.launch;
    fhec_kernel_info info;
    size_t launch = asked;
    while (launch < d->launch_count && !p->only && !fh_patch_is_of(d, p, launch))
        launch++;
    if (!fh_debugger_launch(d, launch, NULL, &info))
        return fh_debugger_fail(d, FHEC_BAD_INPUT, "no launch from number %zu on is of kernel %s",
                                asked + 1, p->kernel);
    if (strcmp(info.name, p->kernel) != 0)
        return fh_debugger_fail(d, FHEC_BAD_INPUT, "launch %zu is of kernel %s, not of %s",
                                launch + 1, info.name, p->kernel);
    if (p->pc % sizeof p->word || p->pc / sizeof p->word >= info.word_count)
        return fh_debugger_fail(d, FHEC_BAD_INPUT, "kernel %s has no instruction at 0x%llx",
                                p->kernel, (unsigned long long)p->pc);
    if (launch != asked)
        p->from = (struct fh_debug_time){launch, 0};
    return FHEC_OK;
}

/* Behind those that begin before it or with it. */
static void insert(struct fh_debugger *d, const struct fh_debug_patch *p) {
    size_t at = d->patch_count;
    while (at && fh_debug_time_compare(d->patches[at - 1].from, p->from) > 0)
        at--;
    memmove(&d->patches[at + 1], &d->patches[at], (d->patch_count - at) * sizeof *p);
    d->patches[at] = *p;
    d->patch_count++;
}

/* To where the patch begins, if that is behind; it is put into the launch that is under way there.
 */
static fhec_status begin_patch(struct fh_debugger *d, const struct fh_debug_patch *p,
                               bool *branched) {
    const bool back = fh_debug_time_compare(fh_debugger_time(d), p->from) > 0;
    fhec_status status = fh_timeline_forget(d, p->from, false, branched);
    if (status == FHEC_OK && fh_debug_time_compare(fh_debugger_time(d), p->from) == 0)
        status = fh_timeline_open(d);
    if (status == FHEC_OK && fh_debug_time_compare(fh_debugger_time(d), p->from) == 0)
        status = fh_patch_make(d, p);
    if (back)
        fh_moves_stopped(d, FH_STOP_STEP, NULL);
    return status;
}

fhec_status fh_debugger_patch(struct fh_debugger *d, const struct fh_debug_patch *patch,
                              unsigned *number, bool *branched) {
    struct fh_debug_patch p = *patch;
    struct fh_debug_patch *more = realloc(d->patches, (d->patch_count + 1) * sizeof *more);
    bool ignored;
    *number = 0;
    if (more)
        d->patches = more;
    p.kernel = strdup(patch->kernel);
    p.shown = strdup(patch->shown ? patch->shown : "");
    fhec_status status = more && p.kernel && p.shown
                             ? find_begin(d, &p)
                             : fh_debugger_fail(d, FHEC_HOST_ERROR, "no host memory for a patch");
    if (status == FHEC_OK)
        status = begin_patch(d, &p, branched ? branched : &ignored);
    if (status != FHEC_OK) {
        fh_patch_free(&p);
        return status;
    }
    p.number = *number = ++d->last_patch;
    insert(d, &p);
    return FHEC_OK;
}

fhec_status fh_debugger_unpatch(struct fh_debugger *d, unsigned number) {
    size_t at = 0;
    bool branched;
    while (at < d->patch_count && d->patches[at].number != number)
        at++;
    if (at == d->patch_count)
        return fh_debugger_fail(d, FHEC_BAD_INPUT, "there is no patch number %u", number);
    const struct fh_debug_time from = d->patches[at].from;
    const bool back = fh_debug_time_compare(fh_debugger_time(d), from) >= 0;
    fh_patch_free(&d->patches[at]);
    d->patch_count--;
    memmove(&d->patches[at], &d->patches[at + 1], (d->patch_count - at) * sizeof(*d->patches));
    const fhec_status status = fh_timeline_forget(d, from, true, &branched);
    if (status == FHEC_OK && back)
        fh_moves_stopped(d, FH_STOP_STEP, NULL);
    return status;
}
