/* limbs.c - see limbs.h. */
#include "limbs.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MOST_THREADS = 16 };

typedef struct job {
    size_t count;
    void (*work)(void *context, size_t i);
    void *context;
    atomic_size_t next;
} job;

static void *take_part(void *shared) {
    job *j = shared;
    for (size_t i = atomic_fetch_add(&j->next, 1); i < j->count;
         i = atomic_fetch_add(&j->next, 1)) {
        j->work(j->context, i);
    }
    return NULL;
}

void fh_golden_for_each(size_t threads, size_t count, void (*work)(void *context, size_t i),
                        void *context) {
    job shared = {.count = count, .work = work, .context = context};
    pthread_t others[MOST_THREADS];
    size_t started = 0;
    while (started + 1 < threads && started + 1 < count && started < MOST_THREADS &&
           pthread_create(&others[started], NULL, take_part, &shared) == 0) {
        started++;
    }
    (void)take_part(&shared);
    while (started > 0) {
        (void)pthread_join(others[--started], NULL);
    }
}
