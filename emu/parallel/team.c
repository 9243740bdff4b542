/*
 * team.c - a fixed set of host threads, woken for one piece of work at a time.
 */
#include "team.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct helper {
    struct fh_team *team;
    pthread_t thread;
    unsigned index;
};

struct fh_team {
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    uint64_t round; /* number of the piece of work */
    unsigned busy;  /* helpers that have not finished it */
    bool quit;
    void (*work)(void *user, unsigned thread);
    void *user;
    unsigned count;
    struct helper helpers[];
};

static void *help(void *argument) {
    struct helper *helper = argument;
    struct fh_team *team = helper->team;
    uint64_t seen = 0;
    pthread_mutex_lock(&team->lock);
    for (;;) {
        while (team->round == seen && !team->quit)
            pthread_cond_wait(&team->wake, &team->lock);
        if (team->quit)
            break;
        seen = team->round;
        pthread_mutex_unlock(&team->lock);
        team->work(team->user, helper->index);
        pthread_mutex_lock(&team->lock);
        if (--team->busy == 0)
            pthread_cond_signal(&team->done);
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

struct fh_team *fh_team_new(unsigned helpers) {
    struct fh_team *team = calloc(1, sizeof *team + helpers * sizeof team->helpers[0]);
    if (!team)
        return NULL;
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->wake, NULL);
    pthread_cond_init(&team->done, NULL);
    for (; team->count < helpers; team->count++) {
        struct helper *h = &team->helpers[team->count];
        h->team = team;
        h->index = team->count + 1;
        if (pthread_create(&h->thread, NULL, help, h) != 0)
            break;
    }
    if (team->count)
        return team;
    fh_team_free(team);
    return NULL;
}

void fh_team_free(struct fh_team *team) {
    if (!team)
        return;
    pthread_mutex_lock(&team->lock);
    team->quit = true;
    pthread_cond_broadcast(&team->wake);
    pthread_mutex_unlock(&team->lock);
    for (unsigned i = 0; i < team->count; i++)
        pthread_join(team->helpers[i].thread, NULL);
    pthread_cond_destroy(&team->done);
    pthread_cond_destroy(&team->wake);
    pthread_mutex_destroy(&team->lock);
    free(team);
}

void fh_team_run(struct fh_team *team, void (*work)(void *user, unsigned thread), void *user) {
    pthread_mutex_lock(&team->lock);
    team->work = work;
    team->user = user;
    team->busy = team->count;
    team->round++;
    pthread_cond_broadcast(&team->wake);
    pthread_mutex_unlock(&team->lock);
    work(user, 0);
    pthread_mutex_lock(&team->lock);
    while (team->busy)
        pthread_cond_wait(&team->done, &team->lock);
    pthread_mutex_unlock(&team->lock);
}

unsigned fh_team_size(const struct fh_team *team) {
    return team->count + 1;
}
