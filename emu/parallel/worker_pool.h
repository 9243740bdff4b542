/*
 * worker_pool.h - host threads that wait for work.
 */
#ifndef FH_WORKER_POOL_H
#define FH_WORKER_POOL_H

struct fh_worker_pool;

/* `workers` threads beside the caller's. NULL if the host gives none at all; there may be fewer. */
struct fh_worker_pool *fh_worker_pool_new(unsigned workers);
void fh_worker_pool_free(struct fh_worker_pool *pool);
/* Calls work(user, i) once on each thread, i from 0 (the caller) up; returns when all have. */
void fh_worker_pool_run(struct fh_worker_pool *pool, void (*work)(void *user, unsigned thread),
                        void *user);
/* Threads, the caller's one included. */
unsigned fh_worker_pool_size(const struct fh_worker_pool *pool);

#endif
