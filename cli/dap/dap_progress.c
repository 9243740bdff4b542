/*
 * dap_progress.c - see dap_progress.h.
 */
#include "dap_progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A move of less is not worth a word; then one event for each of these periods. */
enum { PERIODS_OF_SILENCE = 4, PERIOD_NS = 250000000 };

struct fh_dap_progress {
    pthread_mutex_t lock; /* what follows */
    pthread_cond_t wake;
    pthread_t thread;
    struct fh_dap *dap;
    bool moving, ends;
    const char *title;  /* of the move */
    json_int_t request; /* within which it is; 0: none */
    unsigned periods;   /* that the move has lasted */
    unsigned number;    /* of moves that were told of */
    bool told;          /* of this one */
};

static void send(struct fh_dap *dap, const char *event, json_t *body) {
    fh_dap_send(&dap->channel,
                json_pack("{s:s, s:s, s:o}", "type", "event", "event", event, "body", body));
}

static void tell(struct fh_dap_progress *progress) {
    char id[40], text[120];
    fhec_progress far;
    fhec_machine_progress(fh_debugger_machine(progress->dap->debugger), &far);
    snprintf(text, sizeof text,
             "launch %" PRIu64 ": %" PRIu64 " of %" PRIu64 " blocks, %" PRIu64 " instructions",
             far.launches, far.blocks_done, far.blocks, far.instructions);
    progress->number += !progress->told;
    snprintf(id, sizeof id, "move %u", progress->number);
    if (!progress->told) {
        json_t *body = json_pack("{s:s, s:o, s:b, s:s}", "progressId", id, "title",
                                 fh_dap_text(progress->title), "cancellable", 1, "message", text);
        if (progress->request)
            json_object_set_new(body, "requestId", json_integer(progress->request));
        send(progress->dap, "progressStart", body);
    } else
        send(progress->dap, "progressUpdate",
             json_pack("{s:s, s:s}", "progressId", id, "message", text));
    progress->told = true;
}

static void *watch(void *user) {
    struct fh_dap_progress *progress = user;
    pthread_mutex_lock(&progress->lock);
    while (!progress->ends) {
        struct timespec until;
        if (!progress->moving) {
            pthread_cond_wait(&progress->wake, &progress->lock);
            continue;
        }
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += PERIOD_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        (void)pthread_cond_timedwait(&progress->wake, &progress->lock, &until);
        if (progress->moving && ++progress->periods >= PERIODS_OF_SILENCE)
            tell(progress);
    }
    pthread_mutex_unlock(&progress->lock);
    return NULL;
}

bool fh_dap_progress_start(struct fh_dap *dap) {
    struct fh_dap_progress *progress = calloc(1, sizeof *progress);
    if (!progress)
        return false;
    progress->dap = dap;
    if (pthread_mutex_init(&progress->lock, NULL) == 0 &&
        pthread_cond_init(&progress->wake, NULL) == 0 &&
        pthread_create(&progress->thread, NULL, watch, progress) == 0) {
        dap->progress = progress;
        return true;
    }
    free(progress);
    return false;
}

void fh_dap_progress_stop(struct fh_dap *dap) {
    struct fh_dap_progress *progress = dap->progress;
    if (!progress)
        return;
    pthread_mutex_lock(&progress->lock);
    progress->ends = true;
    pthread_cond_signal(&progress->wake);
    pthread_mutex_unlock(&progress->lock);
    pthread_join(progress->thread, NULL);
    pthread_cond_destroy(&progress->wake);
    pthread_mutex_destroy(&progress->lock);
    free(progress);
    dap->progress = NULL;
}

void fh_dap_progress_begin(struct fh_dap *dap, const char *title) {
    if (!dap->progress)
        return;
    pthread_mutex_lock(&dap->progress->lock);
    dap->progress->moving = true;
    dap->progress->title = title;
    dap->progress->request = dap->request;
    pthread_cond_signal(&dap->progress->wake);
    pthread_mutex_unlock(&dap->progress->lock);
}

void fh_dap_progress_pause(struct fh_dap *dap) {
    if (!dap->progress)
        return;
    pthread_mutex_lock(&dap->progress->lock);
    dap->progress->moving = false;
    pthread_mutex_unlock(&dap->progress->lock);
}

void fh_dap_progress_end(struct fh_dap *dap) {
    char id[40];
    if (!dap->progress)
        return;
    pthread_mutex_lock(&dap->progress->lock);
    snprintf(id, sizeof id, "move %u", dap->progress->number);
    if (dap->progress->told)
        send(dap, "progressEnd", json_pack("{s:s}", "progressId", id));
    dap->progress->told = false;
    dap->progress->periods = 0;
    pthread_mutex_unlock(&dap->progress->lock);
}

bool fh_dap_progress_is(struct fh_dap *dap, const char *id) {
    char current[40];
    if (!dap->progress)
        return false;
    pthread_mutex_lock(&dap->progress->lock);
    snprintf(current, sizeof current, "move %u", dap->progress->number);
    const bool same = dap->progress->told && !strcmp(current, id);
    pthread_mutex_unlock(&dap->progress->lock);
    return same;
}
