/*
 * snapshot.c - taking, restoring and freeing snapshots of a machine.
 */
#include "snapshot.h"

#include <stdlib.h>
#include <string.h>

static bool keep_modules(fhec_snapshot *snapshot, const fhec_machine *machine) {
    size_t count = 0;
    for (const struct fh_module *m = machine->modules; m; m = m->next)
        count++;
    snapshot->modules = calloc(count + 1, sizeof(*snapshot->modules));
    if (!snapshot->modules)
        return false;
    for (struct fh_module *m = machine->modules; m; m = m->next) {
        m->users++;
        snapshot->modules[snapshot->module_count++] = m;
    }
    return true;
}

void fhec_snapshot_free(fhec_snapshot *snapshot) {
    if (!snapshot)
        return;
    for (size_t i = 0; i < snapshot->module_count; i++)
        fh_module_drop(snapshot->modules[i]);
    free(snapshot->modules);
    fh_tally_clear(&snapshot->tally);
    fh_session_copy_free(snapshot->session);
    if (snapshot->memory)
        fh_version_free(&snapshot->machine->memory, snapshot->memory);
    fhec_session *session = snapshot->machine->session;
    if (session && session->launch.transaction && !snapshot->machine->memory.history)
        fh_session_refresh(session); /* it was the last: nobody keeps what is overwritten */
    free(snapshot);
}

/* What launches know of the memory that they may change holds no more: it is another version. */
static void begin_version(fhec_machine *machine, bool first) {
    fhec_session *s = machine->session;
    if (s && first)
        fh_session_refresh(s);
    else if (s)
        fh_machine_run_alone(machine, &s->launch);
}

fhec_status fhec_snapshot_take(fhec_machine *machine, fhec_snapshot **snapshot) {
    *snapshot = NULL;
    fhec_snapshot *s = calloc(1, sizeof *s);
    if (s) {
        s->machine = machine;
        s->grid_workspace = machine->grid_workspace;
    }
    const bool first = !machine->memory.history;
    bool fine = s && keep_modules(s, machine) && fh_tally_copy(&s->tally, &machine->tally);
    if (fine && machine->session)
        fine = (s->session = fh_session_copy_make(machine->session)) != NULL;
    if (fine)
        fine = (s->memory = fh_history_take(&machine->memory)) != NULL;
    if (!fine) {
        fhec_snapshot_free(s);
        return fh_machine_fail(machine, FHEC_HOST_ERROR, "no host memory for a snapshot");
    }
    begin_version(machine, first);
    *snapshot = s;
    return FHEC_OK;
}

/* ---------------------------------------------------------------- restoring */

/* The machine's list of modules becomes the snapshot's. */
static void restore_modules(const fhec_snapshot *snapshot) {
    fhec_machine *machine = snapshot->machine;
    for (size_t i = 0; i < snapshot->module_count; i++)
        snapshot->modules[i]->users++;
    fh_module_free_all(&machine->modules);
    for (size_t i = snapshot->module_count; i-- > 0;) {
        snapshot->modules[i]->next = machine->modules;
        machine->modules = snapshot->modules[i];
    }
}

/* All that a machine is but its session. `tally` becomes the machine's old one. */
static bool restore_machine(const fhec_snapshot *snapshot, struct fh_tally *tally) {
    fhec_machine *machine = snapshot->machine;
    if (!fh_history_restore(&machine->memory, snapshot->memory, fh_machine_forget, machine))
        return false;
    restore_modules(snapshot);
    machine->grid_workspace = snapshot->grid_workspace;
    const struct fh_tally old = machine->tally;
    machine->tally = *tally;
    *tally = old;
    machine->fault = (fhec_fault){0};
    machine->error[0] = '\0';
    return true;
}

/* A session for the launch of the copy, at its beginning. What it does to memory is undone. */
static fhec_status begin_again(const fhec_snapshot *snapshot, fhec_session **session) {
    fhec_machine *machine = snapshot->machine;
    const bool counting = machine->counting;
    machine->counting = snapshot->session->counting;
    fhec_status status = fh_session_begin(machine, &snapshot->session->asked, session);
    machine->counting = counting;
    return status;
}

/* The machine, whose session is that of the snapshot or which has none, becomes the snapshot. */
static fhec_status restore_with_session(const fhec_snapshot *snapshot, fhec_session *session,
                                        struct fh_tally *tally) {
    struct fh_session_parts parts;
    if (!fh_session_copy_prepare(snapshot->session, session, &parts))
        return FHEC_HOST_ERROR;
    if (!restore_machine(snapshot, tally)) {
        fh_session_parts_free(&parts);
        return FHEC_HOST_ERROR;
    }
    fh_session_copy_restore(snapshot->session, session, &parts);
    return FHEC_OK;
}

/* The same where the snapshot's session has ended: it is begun again where its launch began, which
 * takes memory and modules as they were, and then moved to where it was. */
static fhec_status restore_ended(const fhec_snapshot *snapshot, struct fh_tally *tally) {
    fhec_machine *machine = snapshot->machine;
    fhec_snapshot *now;
    fhec_session *session = NULL;
    struct fh_tally again = {0};
    fhec_status status = fhec_snapshot_take(machine, &now);
    if (status != FHEC_OK)
        return status;
    status = fh_tally_copy(&again, tally) && restore_machine(snapshot, tally) ? FHEC_OK
                                                                              : FHEC_HOST_ERROR;
    if (status == FHEC_OK)
        status = begin_again(snapshot, &session);
    if (status == FHEC_OK)
        status = restore_with_session(snapshot, session, &again);
    if (status != FHEC_OK) {
        if (session)
            (void)fh_session_close(session, FHEC_CANCELLED);
        (void)restore_machine(now, &now->tally);
        status = FHEC_HOST_ERROR;
    }
    fh_tally_clear(&again);
    fhec_snapshot_free(now);
    return status;
}

fhec_status fh_snapshot_restore(const fhec_snapshot *snapshot, fhec_session **session) {
    fhec_machine *machine = snapshot->machine;
    struct fh_tally tally;
    if (session)
        *session = NULL;
    if (machine->session && (!snapshot->session || snapshot->session->id != machine->session->id))
        return fh_machine_fail(machine, FHEC_BAD_INPUT,
                               "the session of another launch is under way; it has to be ended");
    fhec_status status = fh_tally_copy(&tally, &snapshot->tally) ? FHEC_OK : FHEC_HOST_ERROR;
    if (status == FHEC_OK && !snapshot->session)
        status = restore_machine(snapshot, &tally) ? FHEC_OK : FHEC_HOST_ERROR;
    else if (status == FHEC_OK && machine->session)
        status = restore_with_session(snapshot, machine->session, &tally);
    else if (status == FHEC_OK)
        status = restore_ended(snapshot, &tally);
    fh_tally_clear(&tally);
    if (status != FHEC_OK)
        return fh_machine_fail(machine, status, "no host memory to restore a snapshot");
    if (session)
        *session = machine->session;
    return FHEC_OK;
}

uint64_t fhec_machine_snapshot_bytes(const fhec_machine *machine) {
    return machine->memory.history ? fh_history_bytes(machine->memory.history) : 0;
}
