/* reference.c - see reference.h. */
#include "reference.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "seconds.h"

struct fh_cli_reference {
    fh_golden_ckks_execution execution; /* between steps of whoever has the lock */
    size_t ahead;
    pthread_t thread;
    bool started;
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t changed;
    size_t made;   /* values up to this one are there */
    size_t wanted; /* somebody waits for this one */
    size_t done;
    bool stop;
    double seconds;
    fh_golden_status status;
};

/* Frees what nobody reads or asks for any more. With the lock, between two steps. */
static void free_values(struct fh_cli_reference *r) {
    fh_golden_ckks_execution *e = &r->execution;
    for (size_t v = 0; v <= r->done && v <= r->made; v++)
        if (e->values[v] && e->circuit->last_use[v] < e->next) {
            free(e->values[v]);
            e->values[v] = NULL;
        }
}

static bool may_go_on(const struct fh_cli_reference *r) {
    return r->made < r->done + r->ahead || r->made < r->wanted;
}

static void *run(void *reference) {
    struct fh_cli_reference *r = reference;
    (void)pthread_mutex_lock(&r->lock);
    while (!r->stop && r->status == FH_GOLDEN_OK && r->made < r->execution.circuit->step_count) {
        free_values(r);
        if (!may_go_on(r)) {
            (void)pthread_cond_wait(&r->changed, &r->lock);
            continue;
        }
        (void)pthread_mutex_unlock(&r->lock);
        const double started = fh_cli_now();
        const fh_golden_status status = fh_golden_ckks_execution_step(&r->execution);
        const double seconds = fh_cli_now() - started;
        (void)pthread_mutex_lock(&r->lock);
        r->seconds += seconds;
        r->status = status;
        r->made = r->execution.next;
        (void)pthread_cond_broadcast(&r->changed);
    }
    (void)pthread_mutex_unlock(&r->lock);
    return NULL;
}

/* The values that are needed from `next` on. */
static fh_golden_status copy_values(struct fh_cli_reference *r, uint64_t *const *values,
                                    size_t next) {
    fh_golden_ckks_execution *e = &r->execution;
    e->next = r->made = r->done = next;
    e->keep = true;
    for (size_t v = 0; v <= next; v++) {
        free(e->values[v]);
        e->values[v] = NULL;
        if (!values[v] || e->circuit->last_use[v] < next)
            continue;
        const size_t bytes =
            sizeof(uint64_t) * fh_golden_ckks_value_elements(e->circuit, e->environment->ckks, v);
        e->values[v] = malloc(bytes);
        if (!e->values[v])
            return FH_GOLDEN_ERR_NO_MEMORY;
        memcpy(e->values[v], values[v], bytes);
    }
    return FH_GOLDEN_OK;
}

/* Signals are for the thread that waits for them. */
static bool start_thread(struct fh_cli_reference *r) {
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    r->started = pthread_create(&r->thread, NULL, run, r) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return r->started;
}

fh_golden_status fh_cli_reference_start(struct fh_cli_reference **reference,
                                        const fh_golden_ckks_circuit *circuit,
                                        const fh_golden_ckks_environment *environment,
                                        uint64_t *const *values, size_t next, size_t ahead) {
    struct fh_cli_reference *r = *reference = calloc(1, sizeof *r);
    if (!r)
        return FH_GOLDEN_ERR_NO_MEMORY;
    r->ahead = ahead;
    (void)pthread_mutex_init(&r->lock, NULL);
    (void)pthread_cond_init(&r->changed, NULL);
    fh_golden_status status =
        fh_golden_ckks_execution_begin(&r->execution, circuit, environment, NULL);
    if (status == FH_GOLDEN_OK)
        status = copy_values(r, values, next);
    if (status == FH_GOLDEN_OK && !start_thread(r))
        status = FH_GOLDEN_ERR_NO_MEMORY;
    if (status != FH_GOLDEN_OK) {
        fh_cli_reference_end(r);
        *reference = NULL;
    }
    return status;
}

fh_golden_status fh_cli_reference_wait(struct fh_cli_reference *r, size_t value,
                                       const uint64_t **limbs) {
    (void)pthread_mutex_lock(&r->lock);
    r->wanted = value;
    (void)pthread_cond_broadcast(&r->changed);
    while (r->made < value && r->status == FH_GOLDEN_OK)
        (void)pthread_cond_wait(&r->changed, &r->lock);
    const fh_golden_status status = r->made < value ? r->status : FH_GOLDEN_OK;
    *limbs = r->execution.values[value];
    (void)pthread_mutex_unlock(&r->lock);
    return status;
}

void fh_cli_reference_done(struct fh_cli_reference *r, size_t value) {
    (void)pthread_mutex_lock(&r->lock);
    r->done = value > r->done ? value : r->done;
    (void)pthread_cond_broadcast(&r->changed);
    (void)pthread_mutex_unlock(&r->lock);
}

double fh_cli_reference_seconds(struct fh_cli_reference *r) {
    (void)pthread_mutex_lock(&r->lock);
    const double seconds = r->seconds;
    (void)pthread_mutex_unlock(&r->lock);
    return seconds;
}

void fh_cli_reference_end(struct fh_cli_reference *r) {
    if (!r)
        return;
    (void)pthread_mutex_lock(&r->lock);
    r->stop = true;
    (void)pthread_cond_broadcast(&r->changed);
    (void)pthread_mutex_unlock(&r->lock);
    if (r->started)
        (void)pthread_join(r->thread, NULL);
    if (r->execution.circuit)
        fh_golden_ckks_execution_end(&r->execution);
    (void)pthread_cond_destroy(&r->changed);
    (void)pthread_mutex_destroy(&r->lock);
    free(r);
}
