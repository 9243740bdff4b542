/*
 * record.c - records of what a host does, and going to places in them.
 */
#include "fhec_allocations.h"
#include "record_log.h"

#include <stdlib.h>

fhec_status fhec_record_begin(fhec_machine *machine, fhec_record **record) {
    *record = NULL;
    if (machine->record || machine->session)
        return fh_machine_fail(machine, FHEC_BAD_INPUT, "the machine has a %s already",
                               machine->record ? "record" : "session");
    fhec_record *r = calloc(1, sizeof *r);
    if (r) {
        r->machine = machine;
        r->every = 1;
    }
    if (!r || !fh_record_add_place(r, true)) {
        if (r)
            free(r->places);
        free(r);
        return fh_machine_fail(machine, FHEC_HOST_ERROR, "no host memory for a record");
    }
    *record = machine->record = r;
    return FHEC_OK;
}

fhec_status fhec_record_defer(fhec_record *r) {
    if (r->count)
        return fh_machine_fail(r->machine, FHEC_BAD_INPUT, "the record has actions already");
    while (r->place_count)
        fhec_snapshot_free(r->places[--r->place_count].snapshot);
    r->defers = true;
    return FHEC_OK;
}

void fhec_record_end(fhec_record *r) {
    if (!r)
        return;
    r->machine->record = NULL;
    fh_record_cut(r, 0);
    for (size_t i = 0; i < r->place_count; i++)
        fhec_snapshot_free(r->places[i].snapshot);
    fh_action_free(r->pending);
    free(r->places);
    free(r->actions);
    free(r);
}

size_t fhec_record_count(const fhec_record *r) {
    return r->count;
}

size_t fhec_record_position(const fhec_record *r) {
    return r->position;
}

bool fhec_record_get(const fhec_record *r, size_t index, fhec_action *action) {
    if (index >= r->count)
        return false;
    *action = r->actions[index]->is;
    return true;
}

/* ---------------------------------------------------------------- going */

fhec_status fhec_action_do(fhec_machine *m, const fhec_action *a) {
    fhec_status status = FHEC_OK;
    uint64_t address = a->address;
    if (a->kept)
        return fh_machine_fail(m, FHEC_BAD_INPUT,
                               "not all that led to the result of the action is in the record");
    switch (a->kind) {
    case FHEC_ACTION_ALLOC:
        status = fhec_alloc(m, a->name, (size_t)a->bytes, a->flags, &address);
        break;
    case FHEC_ACTION_MAP:
        status = fhec_map(m, a->name, address, (void *)a->data, (size_t)a->bytes, a->flags);
        break;
    case FHEC_ACTION_RELEASE: status = fhec_release(m, address); break;
    case FHEC_ACTION_WRITE: status = fhec_write(m, address, a->data, (size_t)a->bytes); break;
    case FHEC_ACTION_LOAD:
        status = a->bytes
                     ? fhec_load_at(m, a->program, a->data, (size_t)a->bytes / sizeof(uint64_t))
                     : fhec_load(m, a->program);
        break;
    case FHEC_ACTION_UNLOAD: fhec_unload(m, a->program); break;
    case FHEC_ACTION_LAUNCH: status = fhec_run(m, a->launch); break;
    case FHEC_ACTION_RESTORE: break; /* always kept */
    }
    if (status == FHEC_HOST_ERROR || status == FHEC_CANCELLED)
        return status;
    if (status != a->status)
        return fh_machine_fail(m, FHEC_HOST_ERROR,
                               "what the record has done again did not end the same");
    if (address != a->address)
        return fh_machine_fail(m, FHEC_HOST_ERROR,
                               "memory is not where it was: %s is at 0x%llx, not 0x%llx",
                               a->name ? a->name : "an allocation", (unsigned long long)address,
                               (unsigned long long)a->address);
    return FHEC_OK;
}

/* The last place at or before the position; NULL: there is none. */
static const struct fh_record_place *place_before(const fhec_record *r, size_t position) {
    const struct fh_record_place *best = NULL;
    for (size_t i = 0; i < r->place_count && r->places[i].position <= position; i++)
        best = &r->places[i];
    return best;
}

static fhec_status restore(fhec_record *r, const struct fh_record_place *place) {
    fhec_session *session;
    const fhec_status status = fh_snapshot_restore(place->snapshot, &session);
    if (status == FHEC_OK)
        r->position = place->position;
    return status;
}

fhec_status fhec_record_go(fhec_record *r, size_t position) {
    fhec_machine *m = r->machine;
    const struct fh_record_place *place = place_before(r, position);
    fhec_status status = FHEC_OK;
    if (m->session)
        return fh_machine_fail(m, FHEC_BAD_INPUT, "a session is under way; it has to be ended");
    if (position > r->count)
        return fh_machine_fail(m, FHEC_BAD_INPUT, "the record has %zu actions", r->count);
    if (r->defers)
        return fh_machine_fail(m, FHEC_BAD_INPUT, "the launches of the record were noted only");
    if (!place)
        return fh_machine_fail(m, FHEC_HOST_ERROR, "no host memory was there for the record");
    if (position < r->position || r->position < place->position)
        status = restore(r, place);
    r->replaying = true;
    while (status == FHEC_OK && r->position < position) {
        status = fhec_action_do(m, &r->actions[r->position]->is);
        if (status == FHEC_OK)
            r->position++;
        else /* it may have been done in part */
            (void)restore(r, place_before(r, r->position));
    }
    r->replaying = false;
    return status;
}

fhec_status fhec_record_session(fhec_record *r, fhec_session **session) {
    *session = NULL;
    if (r->position == r->count || r->actions[r->position]->is.kind != FHEC_ACTION_LAUNCH)
        return fh_machine_fail(r->machine, FHEC_BAD_INPUT,
                               "the next action of the record is no launch");
    const struct fh_action *a = r->actions[r->position];
    const fhec_status status = fhec_session_begin(r->machine, &a->launch, session);
    if (status == FHEC_OK)
        (*session)->redone = !a->is.kept;
    return status;
}
