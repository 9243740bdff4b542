/*
 * all_faults.c - see all_faults.h. The launch runs as a session, which stops at each fault.
 */
#include "all_faults.h"

#include <jansson.h>
#include <stdio.h>

#include "fhec_session.h"
#include "message.h"

enum { MOST = 64 }; /* faults that are said */

/* Faults of one kind at one instruction. */
struct place {
    fhec_fault_kind kind;
    uint64_t pc;
    uint64_t more; /* warps beside the first one */
};

struct all_faults {
    const struct fh_cli *cli;
    fhec_machine *machine;
    const char *kernel;
    struct place places[MOST];
    size_t count;
    uint64_t warps;  /* that were at fault */
    uint64_t unsaid; /* of them, those at other places, when there were too many */
};

static void say_fault_once(struct all_faults *all, const fhec_fault *fault) {
    all->warps++;
    for (size_t i = 0; i < all->count; i++) {
        struct place *p = &all->places[i];
        if (p->kind != fault->kind || p->pc != fault->pc)
            continue;
        p->more++;
        return;
    }
    if (all->count == MOST) {
        all->unsaid++;
        return;
    }
    all->places[all->count++] = (struct place){.kind = fault->kind, .pc = fault->pc};
    (void)fh_cli_machine_error(all->cli, all->machine, FHEC_GUEST_FAULT);
}

static void say_more(const struct all_faults *all, const struct place *p) {
    char message[400];
    (void)snprintf(message, sizeof message, "%s at 0x%04llx of %s: %llu more warp%s",
                   fhec_fault_name(p->kind), (unsigned long long)p->pc, all->kernel,
                   (unsigned long long)p->more, p->more == 1 ? "" : "s");
    (void)fh_cli_error_more(all->cli, FHEC_GUEST_FAULT, message, "repeats",
                            json_pack("{s:s, s:s, s:I, s:I}", "fault", fhec_fault_name(p->kind),
                                      "kernel", all->kernel, "pc", (json_int_t)p->pc, "warps",
                                      (json_int_t)p->more));
}

static void say_rest(const struct all_faults *all) {
    for (size_t i = 0; i < all->count; i++)
        if (all->places[i].more)
            say_more(all, &all->places[i]);
    if (all->unsaid)
        (void)fh_cli_error(all->cli, FHEC_GUEST_FAULT,
                           "%llu more warp%s at fault in other places, which are not shown",
                           (unsigned long long)all->unsaid, all->unsaid == 1 ? " is" : "s are");
}

/* Whether the launch can go on without the warp. */
static bool is_of_a_warp(const fhec_fault *fault) {
    return fault->kind != FHEC_FAULT_DEADLOCK && fault->kind != FHEC_FAULT_STEP_LIMIT;
}

static fhec_status run_session(struct all_faults *all, fhec_session *session) {
    for (;;) {
        fhec_stop stop;
        fhec_status status = fhec_session_run(session, NULL, &stop);
        if (status != FHEC_OK)
            return status;
        if (stop.reason == FHEC_STOP_CANCEL)
            return FHEC_CANCELLED;
        if (stop.reason == FHEC_STOP_END)
            return all->warps ? FHEC_GUEST_FAULT : FHEC_OK;
        if (!is_of_a_warp(stop.fault))
            return FHEC_GUEST_FAULT;
        say_fault_once(all, stop.fault);
        status = fhec_session_end_warp(session, stop.block, stop.warp);
        if (status != FHEC_OK)
            return status;
    }
}

fhec_status fh_cli_run_all_faults(const struct fh_cli *cli, fhec_machine *machine,
                                  const fhec_launch *launch) {
    fhec_kernel_info info;
    fhec_session *session;
    fhec_status status = fhec_session_begin(machine, launch, &session);
    if (status != FHEC_OK)
        return status;
    fhec_kernel_get(launch->program, launch->kernel, &info);
    struct all_faults all = {.cli = cli, .machine = machine, .kernel = info.name};
    status = run_session(&all, session);
    say_rest(&all);
    const fhec_fault *last = fhec_machine_fault(machine);
    if (all.warps && status == FHEC_GUEST_FAULT && last && last->kind == FHEC_FAULT_DEADLOCK)
        fh_cli_note(cli, "what follows may come of the %llu warp%s that ended at fault",
                    (unsigned long long)all.warps, all.warps == 1 ? "" : "s");
    const fhec_status ended = fhec_session_end(session);
    return ended == FHEC_OK ? status : ended;
}
