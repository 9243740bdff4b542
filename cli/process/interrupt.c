/*
 * interrupt.c - see interrupt.h.
 */
#include "interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>

#include "fhec_session.h"
#include "temporary.h"

static _Atomic(fhec_machine *) running; /* NULL: nothing runs, or it has been cancelled */
static struct sigaction before;
static volatile sig_atomic_t late; /* the time limit is over */
/* For other threads: a machine that is `running` stays as long as they look at it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool wanted; /* fh_cli_interrupt_now has been called */

static fhec_machine *set_running(fhec_machine *machine) {
    pthread_mutex_lock(&lock);
    fhec_machine *const other = atomic_exchange(&running, machine);
    if (machine && wanted)
        fhec_machine_cancel(machine);
    pthread_mutex_unlock(&lock);
    return other;
}

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
    (void)set_running(machine);
    if (late)
        fhec_machine_cancel(machine);
    if (sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGINT, &ours, NULL);
}

void fh_cli_interrupt_end(void) {
    if (before.sa_handler != SIG_IGN)
        sigaction(SIGINT, &before, NULL);
    (void)set_running(NULL);
}

fhec_machine *fh_cli_interrupt_other(fhec_machine *machine) {
    return set_running(machine);
}

void fh_cli_interrupt_now(void) {
    pthread_mutex_lock(&lock);
    fhec_machine *machine = atomic_load(&running);
    wanted = true;
    if (machine)
        fhec_machine_cancel(machine);
    pthread_mutex_unlock(&lock);
}

void fh_cli_interrupt_forget(void) {
    pthread_mutex_lock(&lock);
    wanted = false;
    pthread_mutex_unlock(&lock);
}

static void time_is_over(int number) {
    (void)number;
    late = 1;
    fhec_machine *machine = atomic_load(&running);
    if (machine)
        fhec_machine_cancel(machine);
}

void fh_cli_interrupt_after(double seconds) {
    struct sigaction ours = {.sa_handler = time_is_over, .sa_flags = SA_RESTART};
    struct itimerval timer = {.it_value = {(time_t)seconds, 0}};
    timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
    sigfillset(&ours.sa_mask);
    if (sigaction(SIGALRM, &ours, NULL) == 0)
        (void)setitimer(ITIMER_REAL, &timer, NULL);
}

bool fh_cli_interrupt_was_late(void) {
    return late != 0;
}
