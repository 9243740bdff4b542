/*
 * host_access.c - what a host does to a machine, as records and observers see it: memory, launches,
 * snapshots. Each function announces itself to the record, does its work, and says whether it was
 * done.
 */
#include "fhec_allocations.h"
#include "observe.h"
#include "record_log.h"

static fhec_status cannot_record(fhec_machine *machine) {
    return fh_machine_fail(machine, FHEC_HOST_ERROR, "no host memory for the record");
}

fhec_status fhec_alloc(fhec_machine *machine, const char *name, size_t bytes, unsigned flags,
                       uint64_t *address) {
    const fhec_action action = {
        .kind = FHEC_ACTION_ALLOC, .name = name, .bytes = bytes, .flags = flags};
    *address = 0;
    if (!fh_record_prepare(machine, &action))
        return cannot_record(machine);
    const fhec_status status = fh_machine_alloc(machine, name, bytes, flags, address);
    fh_record_done(machine, status == FHEC_OK, *address, status);
    if (status == FHEC_OK)
        fh_observe_host(machine, FHEC_EVENT_ALLOC, *address, bytes, NULL);
    return status;
}

fhec_status fhec_map(fhec_machine *machine, const char *name, uint64_t address, void *host,
                     size_t bytes, unsigned flags) {
    const fhec_action action = {.kind = FHEC_ACTION_MAP,
                                .name = name,
                                .address = address,
                                .bytes = bytes,
                                .flags = flags,
                                .data = host};
    if (!fh_record_prepare(machine, &action))
        return cannot_record(machine);
    const fhec_status status = fh_machine_map(machine, name, address, host, bytes, flags);
    fh_record_done(machine, status == FHEC_OK, address, status);
    if (status == FHEC_OK)
        fh_observe_host(machine, FHEC_EVENT_ALLOC, address, bytes, host);
    return status;
}

fhec_status fhec_release(fhec_machine *machine, uint64_t address) {
    const fhec_action action = {.kind = FHEC_ACTION_RELEASE, .address = address};
    if (!fh_record_prepare(machine, &action))
        return cannot_record(machine);
    const fhec_status status = fh_machine_release(machine, address);
    fh_record_done(machine, status == FHEC_OK, address, status);
    if (status == FHEC_OK)
        fh_observe_host(machine, FHEC_EVENT_FREE, address, 0, NULL);
    return status;
}

bool fhec_allocation_get(const fhec_machine *machine, size_t index, fhec_allocation *allocation) {
    if (index >= machine->memory.count)
        return false;
    const struct fh_allocation *a = &machine->memory.list[index];
    *allocation = (fhec_allocation){.name = a->name,
                                    .address = a->base,
                                    .bytes = a->size,
                                    .flags = a->read_only ? FHEC_MEM_READ_ONLY : 0,
                                    .live = a->bytes != NULL,
                                    .mapped = a->mapped};
    return true;
}

fhec_status fh_host_write(fhec_machine *machine, uint64_t address, const void *data, size_t bytes) {
    const fhec_action action = {
        .kind = FHEC_ACTION_WRITE, .address = address, .bytes = bytes, .data = data};
    if (!fh_record_prepare(machine, &action))
        return cannot_record(machine);
    const fhec_status status = fh_machine_write(machine, address, data, bytes);
    fh_record_done(machine, status == FHEC_OK, address, status);
    return status;
}

fhec_status fhec_write(fhec_machine *machine, uint64_t address, const void *data, size_t bytes) {
    const fhec_status status = fh_host_write(machine, address, data, bytes);
    if (status == FHEC_OK)
        fh_observe_host(machine, FHEC_EVENT_HOST_WRITE, address, bytes, data);
    return status;
}

/* ---------------------------------------------------------------- launches */

/* The launch of a record that only notes launches: all that it does to the machine before its first
 * instruction. */
static fhec_status note_launch(fhec_machine *machine, const fhec_launch *launch) {
    fhec_session *s;
    const fhec_status status = fh_session_open(machine, launch, &s);
    return status == FHEC_OK ? fh_session_close(s, FHEC_OK) : status;
}

fhec_status fhec_run(fhec_machine *machine, const fhec_launch *launch) {
    const fhec_action action = {.kind = FHEC_ACTION_LAUNCH, .launch = launch};
    if (!fh_record_prepare(machine, &action))
        return cannot_record(machine);
    const bool noted = machine->record && machine->record->defers;
    const fhec_status status = (noted ? note_launch : fh_session_run_all)(machine, launch);
    if (status == FHEC_CANCELLED || status == FHEC_HOST_ERROR) /* somewhere on the way */
        fh_record_done_kept(machine, status);
    else
        fh_record_done(machine, status != FHEC_BAD_INPUT, 0, status);
    return status;
}

fhec_status fhec_session_begin(fhec_machine *machine, const fhec_launch *launch,
                               fhec_session **session) {
    const fhec_action action = {.kind = FHEC_ACTION_LAUNCH, .launch = launch};
    *session = NULL;
    if (!fh_record_prepare(machine, &action))
        return cannot_record(machine);
    const fhec_status status = fh_session_begin(machine, launch, session);
    if (status != FHEC_OK)
        fh_record_done(machine, false, 0, status);
    return status;
}

fhec_status fhec_session_end(fhec_session *session) {
    if (!session)
        return FHEC_OK;
    fhec_machine *machine = session->machine;
    const bool faulted = session->launch.fault.kind != FHEC_FAULT_NONE;
    const bool exact = (session->over || faulted) && !fh_session_touched(session);
    const bool redone = session->redone;
    const bool fine = session->over && !session->at_fault;
    const fhec_status result = fine                       ? FHEC_OK
                               : session->over || faulted ? FHEC_GUEST_FAULT
                                                          : FHEC_CANCELLED;
    const fhec_status status = fh_session_close(session, result);
    if (!exact || status != FHEC_OK)
        fh_record_done_kept(machine, result);
    else if (redone)
        fh_record_redone(machine);
    else
        fh_record_done(machine, true, 0, result);
    return status;
}

/* ---------------------------------------------------------------- snapshots */

fhec_status fhec_snapshot_restore(fhec_snapshot *snapshot, fhec_session **session) {
    fhec_machine *machine = snapshot->machine;
    const bool had = machine->session;
    fhec_action action = {.kind = FHEC_ACTION_RESTORE};
    if (snapshot->session) { /* which ends as that launch some time */
        action.kind = FHEC_ACTION_LAUNCH;
        action.launch = &snapshot->session->asked;
    }
    if (session)
        *session = NULL;
    if (!fh_record_prepare(machine, &action))
        return cannot_record(machine);
    const fhec_status status = fh_snapshot_restore(snapshot, session);
    if (had)
        return status;
    if (status != FHEC_OK)
        fh_record_done(machine, false, 0, status);
    else if (machine->session)
        machine->session->touched = true; /* it did not begin where the record is */
    else
        fh_record_done_kept(machine, status);
    return status;
}
