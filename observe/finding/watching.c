/*
 * watching.c - see watching.h.
 */
#include "watching.h"

#include <stdlib.h>

fhec_status fh_watch_begin(const struct fh_watch *watch, fhec_machine *machine,
                           struct fh_findings *findings, void **state) {
    struct fh_watching *w = calloc(1, watch->bytes);
    if (!w)
        return FHEC_HOST_ERROR;
    w->machine = machine;
    w->findings = findings;
    w->code = fh_code_new(watch->own_bytes, watch->prepare);
    bool good = w->code;
    for (unsigned i = 0; i < FH_WATCHING_OBSERVERS && good && watch->observers[i].event; i++) {
        fhec_observer observer = watch->observers[i];
        observer.user = w;
        good = fhec_observe(machine, &observer, &w->observers[i]) == FHEC_OK;
    }
    if (!good) {
        (void)watch->end(w);
        return FHEC_HOST_ERROR;
    }
    *state = w;
    return FHEC_OK;
}

fhec_status fh_watch_end(void *state) {
    struct fh_watching *w = state;
    const fhec_status status = w->failed ? FHEC_HOST_ERROR : FHEC_OK;
    for (unsigned i = 0; i < FH_WATCHING_OBSERVERS; i++)
        if (w->observers[i])
            (void)fhec_unobserve(w->machine, w->observers[i]);
    fh_code_free(w->code);
    free(w);
    return status;
}
