/*
 * progress.c - one line on a terminal's stderr that tells what is being done and for how long.
 *
 * The work itself runs inside the library, so a thread of its own watches the clock: the line
 * appears after a second, counts twice a second, and is wiped when the work is done.
 */
#include "progress.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "fhec_session.h"

struct fh_cli_progress {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool done;
    char *text;
    fhec_machine *machine; /* NULL: none */
    fhec_progress last;    /* of the machine, half a second ago */
};

/* "34 of 1000 blocks, 85.2 M warp instructions/s", in half a second since the last time. */
static void print_launch(struct fh_cli_progress *progress) {
    fhec_progress now;
    fhec_machine_progress(progress->machine, &now);
    const bool same = now.launches == progress->last.launches;
    const uint64_t before = same ? progress->last.instructions : 0;
    if (now.blocks)
        fprintf(stderr, "%llu of %llu blocks, %.1f M warp instructions/s ",
                (unsigned long long)now.blocks_done, (unsigned long long)now.blocks,
                2e-6 * (double)(now.instructions - before));
    if (now.blocks && now.spinning)
        fputs("(they only wait, in loops that change memory or read clocks) ", stderr);
    progress->last = now;
}

static void *watch(void *user) {
    struct fh_cli_progress *progress = user;
    struct timespec start, until;
    bool shown = false;
    clock_gettime(CLOCK_REALTIME, &start);
    until = start;
    pthread_mutex_lock(&progress->lock);
    while (!progress->done) {
        until.tv_nsec += 500000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&progress->wake, &progress->lock, &until);
        if (progress->machine && until.tv_sec - start.tv_sec < 1)
            fhec_machine_progress(progress->machine, &progress->last);
        if (progress->done || until.tv_sec - start.tv_sec < 1)
            continue;
        fprintf(stderr, "\r\033[K%s ... %ld s ", progress->text,
                (long)(until.tv_sec - start.tv_sec));
        if (progress->machine)
            print_launch(progress);
        fflush(stderr);
        shown = true;
    }
    pthread_mutex_unlock(&progress->lock);
    if (shown)
        fputs("\r\033[K", stderr);
    return NULL;
}

struct fh_cli_progress *fh_cli_progress_start(const struct fh_cli *cli, fhec_machine *machine,
                                              const char *format, ...) {
    if (!cli->terminal || cli->json)
        return NULL;
    struct fh_cli_progress *progress = calloc(1, sizeof *progress);
    if (!progress)
        return NULL; /* the work matters, its line does not */
    progress->machine = machine;
    if (machine) /* from now on it counts */
        fhec_machine_progress(machine, &progress->last);
    va_list list;
    va_start(list, format);
    int length = vasprintf(&progress->text, format, list);
    va_end(list);
    if (length < 0) {
        free(progress);
        return NULL;
    }
    pthread_mutex_init(&progress->lock, NULL);
    pthread_cond_init(&progress->wake, NULL);
    if (pthread_create(&progress->thread, NULL, watch, progress) != 0) {
        free(progress->text);
        free(progress);
        return NULL;
    }
    return progress;
}

void fh_cli_progress_stop(struct fh_cli_progress *progress) {
    if (!progress)
        return;
    pthread_mutex_lock(&progress->lock);
    progress->done = true;
    pthread_cond_signal(&progress->wake);
    pthread_mutex_unlock(&progress->lock);
    pthread_join(progress->thread, NULL);
    pthread_cond_destroy(&progress->wake);
    pthread_mutex_destroy(&progress->lock);
    free(progress->text);
    free(progress);
}
