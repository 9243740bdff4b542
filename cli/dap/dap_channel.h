/*
 * dap_channel.h - both directions of the Debug Adapter Protocol. A thread reads, so that a request
 * is seen while the guest runs; responses and events get their numbers here, in the order in which
 * they are sent.
 */
#ifndef FH_CLI_DAP_CHANNEL_H
#define FH_CLI_DAP_CHANNEL_H

#include <pthread.h>

#include "message_stream.h"

enum fh_dap_arrival {
    FH_DAP_NOTHING, /* yet */
    FH_DAP_REQUEST,
    FH_DAP_GARBAGE, /* a frame without a JSON object, or one that is no request: *why says so */
    FH_DAP_CLOSED,  /* nothing more will come */
};

struct fh_dap_channel {
    struct fh_message_reader reader; /* of the thread */
    int out;
    pthread_t thread;
    pthread_mutex_t sending; /* out, sequence, gone */
    long long sequence;
    bool gone;            /* the client does not read any more */
    int lost;             /* an error of the host's is why: errno */
    pthread_mutex_t lock; /* what follows */
    pthread_cond_t arrived;
    json_t *queue; /* an array of requests, or of strings: what was wrong with a message */
    bool closed;
    void (*interrupt)(void *user); /* NULL: nothing to interrupt */
    void *user;
    bool every;         /* interrupt for every request, not only for those that are about to stop */
    json_int_t request; /* that the guest runs for; 0: the one that began the move is answered */
};

/* A channel on which nothing arrives; false: the host has no memory for it. */
bool fh_dap_channel_open(struct fh_dap_channel *channel, int out);
void fh_dap_channel_close(struct fh_dap_channel *channel);
/* Starts to read, in a thread of its own; false: the host has none. It may wait for a message that
 * never comes: it is left to the end of the process, and so is the channel, which must not be
 * closed any more. */
bool fh_dap_channel_read(struct fh_dap_channel *channel, int in);

/* The next request, *message the caller's. With `wait` until there is one. */
enum fh_dap_arrival fh_dap_next(struct fh_dap_channel *channel, bool wait, json_t **message,
                                char why[FH_MESSAGE_WHY]);

/* From now on requests call `interrupt` in the reader's thread as they arrive: those that are about
 * to stop (pause, terminate, disconnect, restart, and a cancel of what runs), or every one. False,
 * and it is not so, if one is waiting already. */
bool fh_dap_interruptible(struct fh_dap_channel *channel, void (*interrupt)(void *user), void *user,
                          bool every);
/* The same while the guest runs within the request of this number: those that are about to stop
 * interrupt, at once if one is waiting already. */
void fh_dap_interruptible_within(struct fh_dap_channel *channel, json_int_t request,
                                 void (*interrupt)(void *user), void *user);
/* When it returns, `interrupt` does not run and will not. */
void fh_dap_uninterruptible(struct fh_dap_channel *channel);
/* Whether a cancel request for `id` waits in the queue. */
bool fh_dap_is_cancelled(struct fh_dap_channel *channel, json_int_t id);

/* Takes `message`, gives it its number, and sends it. From any thread. */
void fh_dap_send(struct fh_dap_channel *channel, json_t *message);
bool fh_dap_is_gone(struct fh_dap_channel *channel);

#endif
