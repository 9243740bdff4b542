/*
 * found.c - see found.h.
 */
#include "found.h"

#include <stdlib.h>
#include <string.h>

void fh_found_free(struct fh_debugger *d) {
    for (size_t i = 0; i < d->finding_count; i++)
        free((char *)d->findings[i].text);
    free(d->findings);
    d->findings = NULL;
    d->finding_count = 0;
    d->stop.finding = NULL;
}

static int compare(const void *a, const void *b) {
    const struct fh_debug_finding *x = a, *y = b;
    return fh_debug_time_compare(x->time, y->time);
}

fhec_status fh_debugger_set_findings(struct fh_debugger *d, const struct fh_debug_finding *findings,
                                     size_t count) {
    fh_found_free(d);
    d->findings = calloc(count + 1, sizeof *d->findings);
    if (!d->findings)
        return fh_debugger_fail(d, FHEC_HOST_ERROR, "no host memory for findings");
    for (size_t i = 0; i < count; i++) {
        d->findings[i] = findings[i];
        d->findings[i].text = strdup(findings[i].text);
        if (!d->findings[i].text) {
            fh_found_free(d);
            return fh_debugger_fail(d, FHEC_HOST_ERROR, "no host memory for findings");
        }
        d->finding_count++;
    }
    qsort(d->findings, count, sizeof *d->findings, compare);
    return FHEC_OK;
}

const struct fh_debug_finding *fh_debugger_finding(const struct fh_debugger *d, size_t index) {
    return index < d->finding_count ? &d->findings[index] : NULL;
}

struct fh_stop_point *fh_found_catch(const struct fh_debugger *d) {
    for (size_t i = 0; i < d->point_count; i++)
        if (d->points[i]->is.kind == FH_CATCH_FINDING && !d->points[i]->is.disabled)
            return d->points[i];
    return NULL;
}

const struct fh_debug_finding *fh_found_next(const struct fh_debugger *d, struct fh_debug_time time,
                                             bool here) {
    if (!fh_found_catch(d))
        return NULL;
    for (size_t i = 0; i < d->finding_count; i++) {
        const int order = fh_debug_time_compare(d->findings[i].time, time);
        if (d->findings[i].time.launch == time.launch && (order > 0 || (here && order == 0)))
            return &d->findings[i];
    }
    return NULL;
}

const struct fh_debug_finding *fh_found_last(const struct fh_debugger *d,
                                             struct fh_debug_time time) {
    const struct fh_debug_finding *last = NULL;
    for (size_t i = 0; fh_found_catch(d) && i < d->finding_count; i++)
        if (fh_debug_time_compare(d->findings[i].time, time) < 0)
            last = &d->findings[i];
    return last;
}

struct fh_stop_point *fh_found_hit(struct fh_debugger *d) {
    struct fh_stop_point *p = fh_found_catch(d);
    if (!p || d->searching)
        return p;
    p->is.hits++;
    if (!p->is.ignore)
        return p;
    p->is.ignore--;
    return NULL;
}

void fh_found_cut(struct fh_debugger *d, struct fh_debug_time time) {
    while (d->finding_count &&
           fh_debug_time_compare(d->findings[d->finding_count - 1].time, time) > 0) {
        if (d->stop.finding == &d->findings[--d->finding_count])
            d->stop.finding = NULL;
        free((char *)d->findings[d->finding_count].text);
    }
}
