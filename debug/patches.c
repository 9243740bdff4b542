/*
 * patches.c - see patches.h.
 */
#include "patches.h"

#include <stdlib.h>
#include <string.h>

#include "fhec_patch.h"
#include "moves.h"
#include "timeline.h"

static struct fh_debug_time now(const struct fh_debugger *d) {
    return (struct fh_debug_time){d->launch, d->count};
}

/* ---------------------------------------------------------------- in launches */

/* Whether the patch is there, some time, in the launch. */
static bool is_of_launch(const struct fh_debugger *d, const struct fh_debug_patch *p,
                         size_t launch) {
    fhec_kernel_info info;
    return (p->only ? p->from.launch == launch : p->from.launch <= launch) &&
           fh_debugger_launch(d, launch, NULL, &info) && strcmp(info.name, p->kernel) == 0;
}

static fhec_status make_patch(struct fh_debugger *d, const struct fh_debug_patch *p) {
    const fhec_status status = fhec_session_patch(d->session, p->pc, p->word);
    return status == FHEC_OK ? status
                             : fh_debugger_fail(d, status, "%s", fhec_machine_error(d->machine));
}

fhec_status fh_patches_make(struct fh_debugger *d) {
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < d->patch_count && status == FHEC_OK; i++) {
        const struct fh_debug_patch *p = &d->patches[i];
        const int order = fh_debug_time_compare(p->from, now(d));
        if ((order == 0 || (order < 0 && !d->count)) && is_of_launch(d, p, d->launch))
            status = make_patch(d, p);
    }
    return status;
}

uint64_t fh_patches_next(const struct fh_debugger *d) {
    for (size_t i = 0; i < d->patch_count; i++)
        if (d->patches[i].from.launch == d->launch && d->patches[i].from.count > d->count)
            return d->patches[i].from.count;
    return UINT64_MAX;
}

bool fh_patches_any(const struct fh_debugger *d) {
    for (size_t i = 0; i < d->patch_count; i++)
        if (is_of_launch(d, &d->patches[i], d->launch))
            return true;
    return false;
}

const struct fh_debug_patch *fh_debugger_patched(const struct fh_debugger *d, uint64_t pc) {
    for (size_t i = d->patch_count; i-- > 0;) {
        const struct fh_debug_patch *p = &d->patches[i];
        if (p->pc == pc && fh_debug_time_compare(p->from, now(d)) <= 0 &&
            is_of_launch(d, p, d->launch))
            return p;
    }
    return NULL;
}

/* ---------------------------------------------------------------- the list */

static void free_patch(struct fh_debug_patch *p) {
    free((char *)p->kernel);
    free((char *)p->shown);
}

void fh_patches_free(struct fh_debugger *d) {
    for (size_t i = 0; i < d->patch_count; i++)
        free_patch(&d->patches[i]);
    free(d->patches);
    d->patches = NULL;
    d->patch_count = 0;
}

const struct fh_debug_patch *fh_debugger_patch_get(const struct fh_debugger *d, size_t index) {
    return index < d->patch_count ? &d->patches[index] : NULL;
}

/* Makes `from` the time from which on the patch is there: its launch may be of another kernel. */
static fhec_status find_begin(struct fh_debugger *d, struct fh_debug_patch *p) {
    const size_t asked = p->from.launch;
    fhec_kernel_info info;
    size_t launch = asked;
    while (launch < d->launch_count && !p->only && !is_of_launch(d, p, launch))
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
    const bool back = fh_debug_time_compare(now(d), p->from) > 0;
    fhec_status status = fh_timeline_forget(d, p->from, false, branched);
    if (status == FHEC_OK && fh_debug_time_compare(now(d), p->from) == 0)
        status = fh_timeline_open(d);
    if (status == FHEC_OK && fh_debug_time_compare(now(d), p->from) == 0)
        status = make_patch(d, p);
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
        free_patch(&p);
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
    const bool back = fh_debug_time_compare(now(d), from) >= 0;
    free_patch(&d->patches[at]);
    d->patch_count--;
    memmove(&d->patches[at], &d->patches[at + 1], (d->patch_count - at) * sizeof(*d->patches));
    const fhec_status status = fh_timeline_forget(d, from, true, &branched);
    if (status == FHEC_OK && back)
        fh_moves_stopped(d, FH_STOP_STEP, NULL);
    return status;
}
