/*
 * dap_channel.c - see dap_channel.h.
 */
#include "dap_channel.h"

#include <errno.h>
#include <string.h>

/* A client that sends requests faster than they are answered is not read for a while: what waits
 * stays bounded. */
enum { QUEUE_MOST = 4096 };

/* The number of the request that this one cancels; 0: none. */
static json_int_t cancelled(const json_t *item) {
    const char *command = json_string_value(json_object_get(item, "command"));
    const json_t *id = json_object_get(json_object_get(item, "arguments"), "requestId");
    return command && !strcmp(command, "cancel") ? json_integer_value(id) : 0;
}

/* A cancel is about what runs if it names the request, or a progress: only moves have one. */
static bool is_about_to_stop(const struct fh_dap_channel *channel, const json_t *request) {
    static const char *const commands[] = {"pause", "terminate", "disconnect", "restart"};
    const char *command = json_string_value(json_object_get(request, "command"));
    const json_t *progress = json_object_get(json_object_get(request, "arguments"), "progressId");
    for (size_t i = 0; command && i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(command, commands[i]))
            return true;
    return command && !strcmp(command, "cancel") &&
           (progress || (channel->request && cancelled(request) == channel->request));
}

static void put(struct fh_dap_channel *channel, json_t *item, bool closed) {
    pthread_mutex_lock(&channel->lock);
    while (json_array_size(channel->queue) >= QUEUE_MOST)
        pthread_cond_wait(&channel->arrived, &channel->lock);
    if (item)
        json_array_append_new(channel->queue, item);
    channel->closed = closed;
    if (channel->interrupt && (closed || channel->every || is_about_to_stop(channel, item)))
        channel->interrupt(channel->user);
    pthread_cond_broadcast(&channel->arrived);
    pthread_mutex_unlock(&channel->lock);
}

/* The client's messages until there are no more. */
static void *read_all(void *user) {
    struct fh_dap_channel *channel = user;
    for (;;) {
        json_t *message;
        const enum fh_message_result result = fh_message_read(&channel->reader, &message);
        const bool wrong = result == FH_MESSAGE_BAD || result == FH_MESSAGE_BROKEN;
        const bool closed = result == FH_MESSAGE_END || result == FH_MESSAGE_BROKEN;
        put(channel, wrong ? json_string_nocheck(channel->reader.why) : message, closed);
        if (closed)
            return NULL;
    }
}

bool fh_dap_channel_open(struct fh_dap_channel *channel, int out) {
    *channel = (struct fh_dap_channel){.out = out, .queue = json_array()};
    return channel->queue && pthread_mutex_init(&channel->sending, NULL) == 0 &&
           pthread_mutex_init(&channel->lock, NULL) == 0 &&
           pthread_cond_init(&channel->arrived, NULL) == 0;
}

void fh_dap_channel_close(struct fh_dap_channel *channel) {
    json_decref(channel->queue);
    pthread_mutex_destroy(&channel->sending);
    pthread_mutex_destroy(&channel->lock);
    pthread_cond_destroy(&channel->arrived);
}

bool fh_dap_channel_read(struct fh_dap_channel *channel, int in) {
    fh_message_reader_begin(&channel->reader, in);
    return pthread_create(&channel->thread, NULL, read_all, channel) == 0 &&
           pthread_detach(channel->thread) == 0;
}

enum fh_dap_arrival fh_dap_next(struct fh_dap_channel *channel, bool wait, json_t **message,
                                char why[FH_MESSAGE_WHY]) {
    enum fh_dap_arrival arrival = FH_DAP_NOTHING;
    *message = NULL;
    pthread_mutex_lock(&channel->lock);
    while (wait && !channel->closed && !json_array_size(channel->queue))
        pthread_cond_wait(&channel->arrived, &channel->lock);
    json_t *first = json_incref(json_array_get(channel->queue, 0));
    if (first) {
        json_array_remove(channel->queue, 0);
        pthread_cond_broadcast(&channel->arrived);
    } else if (channel->closed) {
        arrival = FH_DAP_CLOSED;
    }
    pthread_mutex_unlock(&channel->lock);
    if (json_is_object(first)) {
        *message = first;
        return FH_DAP_REQUEST;
    }
    if (first) {
        strcpy(why, json_string_value(first));
        json_decref(first);
        return FH_DAP_GARBAGE;
    }
    return arrival;
}

bool fh_dap_interruptible(struct fh_dap_channel *channel, void (*interrupt)(void *user), void *user,
                          bool every) {
    pthread_mutex_lock(&channel->lock);
    const bool idle = !channel->closed && !json_array_size(channel->queue);
    if (idle) {
        channel->interrupt = interrupt;
        channel->user = user;
        channel->every = every;
        channel->request = 0;
    }
    pthread_mutex_unlock(&channel->lock);
    return idle;
}

void fh_dap_interruptible_within(struct fh_dap_channel *channel, json_int_t request,
                                 void (*interrupt)(void *user), void *user) {
    size_t index;
    json_t *item;
    pthread_mutex_lock(&channel->lock);
    channel->interrupt = interrupt;
    channel->user = user;
    channel->every = false;
    channel->request = request;
    bool waits = channel->closed;
    json_array_foreach(channel->queue, index, item) waits |= is_about_to_stop(channel, item);
    if (waits)
        interrupt(user);
    pthread_mutex_unlock(&channel->lock);
}

void fh_dap_uninterruptible(struct fh_dap_channel *channel) {
    pthread_mutex_lock(&channel->lock);
    channel->interrupt = NULL;
    pthread_mutex_unlock(&channel->lock);
}

bool fh_dap_is_cancelled(struct fh_dap_channel *channel, json_int_t id) {
    bool found = false;
    size_t index;
    json_t *item;
    pthread_mutex_lock(&channel->lock);
    json_array_foreach(channel->queue, index, item) found |= cancelled(item) == id;
    pthread_mutex_unlock(&channel->lock);
    return found;
}

void fh_dap_send(struct fh_dap_channel *channel, json_t *message) {
    pthread_mutex_lock(&channel->sending);
    if (message && !channel->gone) {
        json_object_set_new(message, "seq", json_integer(++channel->sequence));
        channel->gone = !fh_message_write(channel->out, message);
        channel->lost = channel->gone && errno != EPIPE && errno != ECONNRESET ? errno : 0;
    }
    pthread_mutex_unlock(&channel->sending);
    json_decref(message);
}

bool fh_dap_is_gone(struct fh_dap_channel *channel) {
    pthread_mutex_lock(&channel->sending);
    const bool gone = channel->gone;
    pthread_mutex_unlock(&channel->sending);
    return gone;
}
