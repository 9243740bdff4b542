/*
 * patches.c - see patches.h.
 */
#include "patches.h"

#include <stdlib.h>
#include <string.h>

#include "fhec_patch.h"

/* ---------------------------------------------------------------- in launches */

bool fh_patch_is_of(const struct fh_debugger *d, const struct fh_debug_patch *p, size_t launch) {
    fhec_kernel_info info;
    return (p->only ? p->from.launch == launch : p->from.launch <= launch) &&
           fh_debugger_launch(d, launch, NULL, &info) && strcmp(info.name, p->kernel) == 0;
}

fhec_status fh_patch_make(struct fh_debugger *d, const struct fh_debug_patch *p) {
    const fhec_status status = fhec_session_patch(d->session, p->pc, p->word);
    return status == FHEC_OK ? status
                             : fh_debugger_fail(d, status, "%s", fhec_machine_error(d->machine));
}

fhec_status fh_patches_make(struct fh_debugger *d) {
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < d->patch_count && status == FHEC_OK; i++) {
        const struct fh_debug_patch *p = &d->patches[i];
        const int order = fh_debug_time_compare(p->from, fh_debugger_time(d));
        if ((order == 0 || (order < 0 && !d->count)) && fh_patch_is_of(d, p, d->launch))
            status = fh_patch_make(d, p);
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
        if (fh_patch_is_of(d, &d->patches[i], d->launch))
            return true;
    return false;
}

const struct fh_debug_patch *fh_debugger_patched(const struct fh_debugger *d,
                                                 struct fh_debug_time time, uint64_t pc) {
    for (size_t i = d->patch_count; i-- > 0;) {
        const struct fh_debug_patch *p = &d->patches[i];
        if (p->pc == pc && fh_debug_time_compare(p->from, time) <= 0 &&
            fh_patch_is_of(d, p, time.launch))
            return p;
    }
    return NULL;
}

/* ---------------------------------------------------------------- the list */

void fh_patch_free(struct fh_debug_patch *p) {
    free((char *)p->kernel);
    free((char *)p->shown);
}

void fh_patches_free(struct fh_debugger *d) {
    for (size_t i = 0; i < d->patch_count; i++)
        fh_patch_free(&d->patches[i]);
    free(d->patches);
    d->patches = NULL;
    d->patch_count = 0;
}

const struct fh_debug_patch *fh_debugger_patch_get(const struct fh_debugger *d, size_t index) {
    return index < d->patch_count ? &d->patches[index] : NULL;
}
