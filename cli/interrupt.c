/*
 * interrupt.c - see interrupt.h.
 */
#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>

#include "fhec_session.h"
#include "temporary.h"

static _Atomic(fhec_machine *) running; /* NULL: nothing runs, or it has been cancelled */
static struct sigaction before;

static void interrupt(int number) {
    fhec_machine *machine = atomic_exchange(&running, NULL);
    if (machine)
        fhec_machine_cancel(machine);
    else
        fh_cli_end_by_signal(number);
}

void fh_cli_interrupt_begin(fhec_machine *machine) {
    struct sigaction ours = {.sa_handler = interrupt, .sa_flags = SA_RESTART};
    sigfillset(&ours.sa_mask);
    atomic_store(&running, machine);
    if (sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGINT, &ours, NULL);
}

void fh_cli_interrupt_end(void) {
    if (before.sa_handler != SIG_IGN)
        sigaction(SIGINT, &before, NULL);
    atomic_store(&running, NULL);
}
