/* record_log.c - see record_log.h. */
#include "record_log.h"

#include "array.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PLACES = 48 }; /* beside those that are needed, about */

void fh_action_free(struct fh_action *a) {
    if (!a)
        return;
    free(a->name);
    free(a->data);
    free(a->params);
    free(a);
}

/* A copy, which ends in a zero byte. False without host memory. */
static bool copy(const void *from, size_t bytes, void **to) {
    char *copy = from ? malloc(bytes + 1) : NULL;
    if (copy) {
        memcpy(copy, from, bytes);
        copy[bytes] = 0;
    }
    *to = copy;
    return copy || !from;
}

/* The action with everything that it needs to be done again. NULL without host memory. */
static struct fh_action *keep(const fhec_action *what) {
    struct fh_action *a = calloc(1, sizeof *a);
    const bool data = what->kind == FHEC_ACTION_WRITE || what->kind == FHEC_ACTION_LOAD;
    if (!a)
        return NULL;
    a->is = *what;
    if (what->launch) {
        a->launch = *what->launch;
        a->is.launch = &a->launch;
    }
    if (!copy(what->name, what->name ? strlen(what->name) : 0, &a->name) ||
        (data && !copy(what->bytes ? what->data : "", (size_t)what->bytes, &a->data)) ||
        !copy(a->launch.params, a->launch.param_bytes, &a->params)) {
        fh_action_free(a);
        return NULL;
    }
    a->is.name = a->name;
    a->is.data = data ? a->data : what->data;
    a->launch.params = a->params;
    return a;
}

/* ---------------------------------------------------------------- places */

void fh_record_cut(fhec_record *r, size_t position) {
    while (r->count > position)
        fh_action_free(r->actions[--r->count]);
    while (r->place_count && r->places[r->place_count - 1].position > position)
        fhec_snapshot_free(r->places[--r->place_count].snapshot);
    r->position = r->position < position ? r->position : position;
}

/* Drops every second one of the places that are not needed. */
static void thin_out(fhec_record *r) {
    size_t kept = 0;
    bool drop = false;
    for (size_t i = 0; i < r->place_count; i++) {
        if (!r->places[i].needed && (drop = !drop))
            fhec_snapshot_free(r->places[i].snapshot);
        else
            r->places[kept++] = r->places[i];
    }
    r->place_count = kept;
    r->every *= 2;
}

bool fh_record_add_place(fhec_record *r, bool needed) {
    size_t can_go = 0;
    if (r->place_count && r->places[r->place_count - 1].position == r->position)
        return true;
    for (size_t i = 0; i < r->place_count; i++)
        can_go += !r->places[i].needed;
    if (can_go >= MOST_PLACES)
        thin_out(r);
    struct fh_record_place place = {.position = r->position, .needed = needed};
    if (!fh_grow(&r->places, &r->place_capacity, r->place_count + 1, sizeof *r->places) ||
        fhec_snapshot_take(r->machine, &place.snapshot) != FHEC_OK)
        return false;
    r->places[r->place_count++] = place;
    return true;
}

/* ---------------------------------------------------------------- actions */

/* The record that has to know what the host does now; NULL: there is none. What happens within a
 * session is part of it. */
static fhec_record *listening(const fhec_machine *machine) {
    return machine->record && !machine->record->replaying ? machine->record : NULL;
}

bool fh_record_prepare(fhec_machine *machine, const fhec_action *what) {
    fhec_record *r = listening(machine);
    if (!r || machine->session)
        return true;
    if (!r->place_count && !r->defers && !fh_record_add_place(r, true))
        return false;
    if (!fh_grow(&r->actions, &r->capacity, r->position + 1, sizeof(*r->actions)))
        return false;
    r->pending = keep(what);
    if (!r->pending)
        return false;
    if (what->kind == FHEC_ACTION_LAUNCH && !r->defers && r->position == r->count &&
        ++r->launches >= r->every && fh_record_add_place(r, false)) /* as well without */
        r->launches = 0;
    return true;
}

static void append(fhec_record *r, fhec_status status) {
    fh_record_cut(r, r->position);
    r->pending->is.status = status;
    r->actions[r->count++] = r->pending;
    r->position = r->count;
    r->pending = NULL;
}

void fh_record_done(fhec_machine *machine, bool done, uint64_t address, fhec_status status) {
    fhec_record *r = listening(machine);
    if (!r || !r->pending || machine->session)
        return;
    if (!done) {
        fh_action_free(r->pending);
        r->pending = NULL;
        return;
    }
    if (r->pending->is.kind == FHEC_ACTION_ALLOC)
        r->pending->is.address = address;
    append(r, status);
}

void fh_record_done_kept(fhec_machine *machine, fhec_status status) {
    fhec_record *r = listening(machine);
    if (!r || !r->pending)
        return;
    r->pending->is.kept = true;
    append(r, status);
    if (!r->defers && !fh_record_add_place(r, true))
        fh_record_lost(machine);
}

void fh_record_lost(fhec_machine *machine) {
    fhec_record *r = listening(machine);
    if (!r)
        return;
    fh_record_cut(r, 0);
    while (r->place_count)
        fhec_snapshot_free(r->places[--r->place_count].snapshot);
}

void fh_record_redone(fhec_machine *machine) {
    fhec_record *r = listening(machine);
    fh_record_done(machine, false, 0, FHEC_OK);
    if (r && r->position < r->count)
        r->position++;
}
