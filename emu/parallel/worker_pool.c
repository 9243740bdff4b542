/*
 * worker_pool.c - a fixed set of host threads, woken for one piece of work at a time.
 */
#include "worker_pool.h"

#include "host_float.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct worker {
    struct fh_worker_pool *pool;
    pthread_t thread;
    unsigned index;
};

struct fh_worker_pool {
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    uint64_t round; /* number of the piece of work */
    unsigned busy;  /* workers that have not finished it */
    bool quit;
    void (*work)(void *user, unsigned thread);
    void *user;
    unsigned count;
    struct worker workers[];
};

static void *serve(void *argument) {
    struct worker *worker = argument;
    struct fh_worker_pool *pool = worker->pool;
    uint64_t seen = 0;
    fh_host_float_enter(); /* for good */
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->round == seen && !pool->quit)
            pthread_cond_wait(&pool->wake, &pool->lock);
        if (pool->quit)
            break;
        seen = pool->round;
        pthread_mutex_unlock(&pool->lock);
        pool->work(pool->user, worker->index);
        pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0)
            pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

struct fh_worker_pool *fh_worker_pool_new(unsigned workers) {
    struct fh_worker_pool *pool = calloc(1, sizeof *pool + workers * sizeof pool->workers[0]);
    if (!pool)
        return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    for (; pool->count < workers; pool->count++) {
        struct worker *h = &pool->workers[pool->count];
        h->pool = pool;
        h->index = pool->count + 1;
        if (pthread_create(&h->thread, NULL, serve, h) != 0)
            break;
    }
    if (pool->count)
        return pool;
    fh_worker_pool_free(pool);
    return NULL;
}

void fh_worker_pool_free(struct fh_worker_pool *pool) {
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->count; i++)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

void fh_worker_pool_run(struct fh_worker_pool *pool, void (*work)(void *user, unsigned thread),
                        void *user) {
    pthread_mutex_lock(&pool->lock);
    pool->work = work;
    pool->user = user;
    pool->busy = pool->count;
    pool->round++;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    work(user, 0);
    pthread_mutex_lock(&pool->lock);
    while (pool->busy)
        pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

unsigned fh_worker_pool_size(const struct fh_worker_pool *pool) {
    return pool->count + 1;
}
