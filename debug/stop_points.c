/*
 * stop_points.c - breakpoints, watchpoints and catches: their list, and what a session knows of
 * them.
 */
#include "stop_points.h"

#include <stdlib.h>
#include <string.h>

#include "origin_trail.h"
#include "stop_condition.h"

/* ---------------------------------------------------------------- one stop */

static bool copy_text(const char **text) {
    if (!*text)
        return true;
    *text = strdup(*text);
    return *text != NULL;
}

void fh_stop_point_free(struct fh_stop_point *p) {
    if (!p)
        return;
    free((char *)p->is.shown);
    free((char *)p->is.file);
    free((char *)p->is.text);
    free((char *)p->is.kernel);
    free((char *)p->is.condition);
    free((char *)p->is.commands);
    free(p);
}

struct fh_stop_point *fh_stop_point_new(struct fh_debugger *d, const struct fh_breakpoint *b) {
    struct fh_stop_point *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->debugger = d;
    p->is = *b;
    const char **texts[] = {&p->is.shown,  &p->is.file,      &p->is.text,
                            &p->is.kernel, &p->is.condition, &p->is.commands};
    bool fine = true;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!fine)
            *texts[i] = NULL;
        fine = fine && copy_text(texts[i]);
    }
    if (fine)
        return p;
    fh_stop_point_free(p);
    return NULL;
}

/* Whether a stop that was reached counts: the condition of the session's point. */
static bool counts(void *user, fhec_session *session, const fhec_stop *stop) {
    struct fh_stop_point *p = user;
    struct fh_debugger *d = p->debugger;
    bool error = false;
    if (d->resuming && session && stop->reason == FHEC_STOP_BREAKPOINT &&
        d->resumed.launch == d->launch && stop->instructions == d->resumed.count)
        return false;
    if (p->is.kind == FH_WATCH_ORIGIN && d->trail && !fh_origins_complete(d->trail->origins)) {
        fh_debugger_fail(d, FHEC_HOST_ERROR, "no host memory for the origins of values");
        return d->bad_condition = true;
    }
    if (p->is.kind == FH_WATCH_ORIGIN && !fh_trail_has_changed(p, stop))
        return false;
    if (p->is.condition && !fh_stop_condition_holds(d, &p->is, stop, &error)) {
        d->bad_condition |= error;
        return error;
    }
    if (d->searching)
        return true;
    p->is.hits++;
    if (p->is.ignore) {
        p->is.ignore--;
        return false;
    }
    return true;
}

/* ---------------------------------------------------------------- in sessions */

/* As a point; false: sessions have none for it. */
static bool as_point(struct fh_stop_point *p, fhec_point *point) {
    static const int kinds[] = {
        [FH_BREAK_LINE] = FHEC_POINT_LINE,
        [FH_BREAK_PC] = FHEC_POINT_PC,
        [FH_BREAK_KERNEL] = -1,
        [FH_BREAK_LAUNCH] = -1,
        [FH_BREAK_OPCODE] = FHEC_POINT_OPCODE,
        [FH_BREAK_CLASS] = FHEC_POINT_CLASS,
        [FH_WATCH_MEMORY] = FHEC_POINT_MEMORY,
        [FH_WATCH_REGISTER] = FHEC_POINT_REGISTER,
        [FH_WATCH_ORIGIN] = FHEC_POINT_REGISTER,
        [FH_CATCH_FAULT] = -1,
        [FH_CATCH_FINDING] = -1,
        [FH_CATCH_BARRIER] = FHEC_POINT_BARRIER,
        [FH_CATCH_WARP_END] = FHEC_POINT_WARP_END,
        [FH_CATCH_BLOCK_END] = FHEC_POINT_BLOCK_END,
    };
    const struct fh_breakpoint *b = &p->is;
    if (kinds[b->kind] < 0)
        return false;
    *point = (fhec_point){
        .kind = (fhec_point_kind)kinds[b->kind],
        .scope = b->scope,
        .pc = b->pc,
        .file = b->file,
        .line = b->line,
        .text = b->text,
        .space = b->space,
        .bank = b->bank,
        .address = b->address,
        .bytes = b->bytes,
        .file_of = b->file_of,
        .reg = b->reg,
        .access = b->kind == FH_WATCH_ORIGIN ? (unsigned)FHEC_ACCESS_WRITE : b->access,
        .condition = counts,
        .user = p,
    };
    return true;
}

/* Whether the stop may be in the launch at which the debugger stands. */
static bool is_of_launch(const struct fh_debugger *d, const struct fh_stop_point *p) {
    fhec_kernel_info info;
    return !p->is.kernel ||
           (fh_debugger_launch(d, d->launch, NULL, &info) && strcmp(info.name, p->is.kernel) == 0);
}

static void arm(struct fh_debugger *d, struct fh_stop_point *p, bool wanted) {
    fhec_point point;
    if (p->generation != d->generation)
        p->armed = 0;
    if (p->armed && !wanted) {
        (void)fhec_session_remove(d->session, p->armed);
        p->armed = 0;
    }
    if (wanted && !p->armed && is_of_launch(d, p) && as_point(p, &point))
        (void)fhec_session_add(d->session, &point, &p->armed); /* 0: it is never reached */
    p->generation = d->generation;
}

size_t fh_stop_points_arm(struct fh_debugger *d, struct fh_stop_point *only) {
    size_t count = 0;
    if (!d->session)
        return 0;
    for (size_t i = 0; i < d->point_count; i++) {
        arm(d, d->points[i], !only && !d->points[i]->is.disabled);
        count += d->points[i]->armed != 0;
    }
    if (only) {
        arm(d, only, true);
        count += only->armed != 0;
    }
    return count;
}

bool fh_stop_points_any(const struct fh_debugger *d) {
    fhec_point point;
    for (size_t i = 0; i < d->point_count; i++)
        if (!d->points[i]->is.disabled && as_point(d->points[i], &point))
            return true;
    return false;
}

void fh_stop_points_disarm(struct fh_debugger *d) {
    for (size_t i = 0; i < d->point_count && d->session; i++)
        arm(d, d->points[i], false);
}

struct fh_stop_point *fh_stop_points_find(const struct fh_debugger *d, unsigned armed) {
    for (size_t i = 0; i < d->point_count; i++)
        if (armed && d->points[i]->armed == armed && d->points[i]->generation == d->generation)
            return d->points[i];
    return NULL;
}

struct fh_stop_point *fh_stop_points_launch(struct fh_debugger *d) {
    fhec_kernel_info info;
    if (!fh_debugger_launch(d, d->launch, NULL, &info))
        return NULL;
    for (size_t i = 0; i < d->point_count; i++) {
        struct fh_stop_point *p = d->points[i];
        const struct fh_breakpoint *b = &p->is;
        if (b->disabled || !((b->kind == FH_BREAK_KERNEL && strcmp(b->text, info.name) == 0) ||
                             (b->kind == FH_BREAK_LAUNCH && b->launch == d->launch)))
            continue;
        const fhec_stop stop = {.reason = FHEC_STOP_STEP};
        if (counts(p, NULL, &stop))
            return p;
    }
    return NULL;
}

/* ---------------------------------------------------------------- the list */

static struct fh_stop_point *find_number(struct fh_debugger *d, unsigned number) {
    for (size_t i = 0; i < d->point_count; i++)
        if (d->points[i]->is.number == number)
            return d->points[i];
    fh_debugger_fail(d, FHEC_BAD_INPUT, "there is no breakpoint number %u", number);
    return NULL;
}

/* Whether some launch can come there: asked of sessions where that is all they can tell. */
static fhec_status check(struct fh_debugger *d, struct fh_stop_point *p) {
    bool any = p->is.kind == FH_CATCH_FAULT || p->is.kind == FH_CATCH_FINDING;
    fhec_kernel_info info;
    for (size_t i = 0; i < d->launch_count && !any; i++)
        any = fh_debugger_launch(d, i, NULL, &info) &&
              ((p->is.kind == FH_BREAK_KERNEL && strcmp(info.name, p->is.text) == 0) ||
               (p->is.kind == FH_BREAK_LAUNCH && p->is.launch == i));
    if (any)
        return FHEC_OK;
    if (p->is.kind == FH_BREAK_KERNEL)
        return fh_debugger_fail(d, FHEC_BAD_INPUT, "no launch is of kernel %s", p->is.text);
    if (p->is.kind == FH_BREAK_LAUNCH)
        return fh_debugger_fail(d, FHEC_BAD_INPUT, "there are %zu launches", d->launch_count);
    if (!d->session || d->launch_count != 1)
        return FHEC_OK; /* other launches may come there */
    if (!is_of_launch(d, p))
        return fh_debugger_fail(d, FHEC_BAD_INPUT, "no launch is of kernel %s", p->is.kernel);
    arm(d, p, true);
    const bool fine = p->armed != 0;
    arm(d, p, false);
    return fine ? FHEC_OK
                : fh_debugger_fail(d, FHEC_BAD_INPUT, "%s", fhec_machine_error(d->machine));
}

fhec_status fh_debugger_add(struct fh_debugger *d, const struct fh_breakpoint *b,
                            unsigned *number) {
    *number = 0;
    if (d->point_count == d->point_capacity) {
        const size_t capacity = d->point_capacity * 2 + 8;
        struct fh_stop_point **more = realloc(d->points, capacity * sizeof *more);
        if (!more)
            return fh_debugger_fail(d, FHEC_HOST_ERROR, "no host memory for a breakpoint");
        d->points = more;
        d->point_capacity = capacity;
    }
    struct fh_stop_point *p = fh_stop_point_new(d, b);
    if (!p)
        return fh_debugger_fail(d, FHEC_HOST_ERROR, "no host memory for a breakpoint");
    const fhec_status status = check(d, p);
    if (status != FHEC_OK) {
        fh_stop_point_free(p);
        return status;
    }
    p->is.hits = 0;
    p->is.number = *number = ++d->last_number;
    d->points[d->point_count++] = p;
    return FHEC_OK;
}

fhec_status fh_debugger_remove(struct fh_debugger *d, unsigned number) {
    struct fh_stop_point *p = find_number(d, number);
    size_t i = 0;
    if (!p)
        return FHEC_BAD_INPUT;
    if (d->session)
        arm(d, p, false);
    while (d->points[i] != p)
        i++;
    d->point_count--;
    memmove(&d->points[i], &d->points[i + 1], (d->point_count - i) * sizeof(*d->points));
    fh_stop_point_free(p);
    return FHEC_OK;
}

fhec_status fh_debugger_enable(struct fh_debugger *d, unsigned number, bool on) {
    struct fh_stop_point *p = find_number(d, number);
    if (!p)
        return FHEC_BAD_INPUT;
    p->is.disabled = !on;
    return FHEC_OK;
}

fhec_status fh_debugger_ignore(struct fh_debugger *d, unsigned number, uint64_t hits) {
    struct fh_stop_point *p = find_number(d, number);
    if (!p)
        return FHEC_BAD_INPUT;
    p->is.ignore = hits;
    return FHEC_OK;
}

static fhec_status set_text(struct fh_debugger *d, const char **text, const char *value) {
    char *copy = value ? strdup(value) : NULL;
    if (value && !copy)
        return fh_debugger_fail(d, FHEC_HOST_ERROR, "no host memory for a breakpoint");
    free((char *)*text);
    *text = copy;
    return FHEC_OK;
}

fhec_status fh_debugger_condition(struct fh_debugger *d, unsigned number, const char *text) {
    struct fh_stop_point *p = find_number(d, number);
    return p ? set_text(d, &p->is.condition, text) : FHEC_BAD_INPUT;
}

fhec_status fh_debugger_commands(struct fh_debugger *d, unsigned number, const char *text) {
    struct fh_stop_point *p = find_number(d, number);
    return p ? set_text(d, &p->is.commands, text) : FHEC_BAD_INPUT;
}

const struct fh_breakpoint *fh_debugger_breakpoint(const struct fh_debugger *d, size_t index) {
    return index < d->point_count ? &d->points[index]->is : NULL;
}

void fh_stop_points_free(struct fh_debugger *d) {
    for (size_t i = 0; i < d->point_count; i++)
        fh_stop_point_free(d->points[i]);
    free(d->points);
    d->points = NULL;
    d->point_count = 0;
}
