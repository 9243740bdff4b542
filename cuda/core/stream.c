/*
 * stream.c - see stream.h.
 */
#include "stream.h"

#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "graph.h"
#include "range.h"

/* An op that waits in a stream. */
struct waiting {
    fh_cuda_op op;
    uint64_t number; /* counts what streams were asked for */
    struct waiting *next;
};

struct fh_cuda_stream {
    unsigned flags;
    int priority;
    uint64_t id;
    struct waiting *first, **last;
    struct {
        fh_cuda_capture_state state;
        fh_cuda_graph *graph;
        bool origin;      /* it began here, and ends here */
        bool given_graph; /* which is the caller's */
        uint64_t id;
        fh_cuda_node **tail; /* what comes next depends on these */
        size_t tail_count;
    } capture;
    fh_cuda_stream *next;
};

struct fh_cuda_event {
    unsigned flags;
    uint64_t number;
    uint64_t recorded;       /* how often; 0: never, which counts as done */
    uint64_t happened;       /* the last record that has been made */
    uint64_t time;           /* when, ns */
    fh_cuda_graph *captured; /* NULL: its last record was no capture */
    fh_cuda_node **nodes;    /* that it stands for there */
    size_t node_count;
    fh_cuda_event *next;
};

static struct {
    fh_cuda_stream legacy, thread; /* default streams; one for all threads */
    fh_cuda_stream *list;
    fh_cuda_event *events;
    uint64_t ids, numbers, captures;
} streams;
static uint64_t events_made; /* of all resets */

static fh_cuda_stream *default_stream(fh_cuda_stream *stream, uint64_t id) {
    if (!stream->last)
        stream->last = &stream->first;
    stream->id = id;
    return stream;
}

/* Goes through all streams: NULL begins, and ends. */
static fh_cuda_stream *next_stream(const fh_cuda_stream *stream) {
    if (!stream)
        return default_stream(&streams.legacy, 1);
    if (stream == &streams.legacy)
        return default_stream(&streams.thread, 2);
    return stream == &streams.thread ? streams.list : stream->next;
}

fh_cuda_stream *fh_cuda_stream_of(const void *handle) {
    if ((uintptr_t)handle <= 1)
        return default_stream(&streams.legacy, 1);
    if ((uintptr_t)handle == 2)
        return default_stream(&streams.thread, 2);
    for (fh_cuda_stream *s = streams.list; s; s = s->next)
        if (s == handle)
            return s;
    return NULL;
}

fh_cuda_status fh_cuda_stream_new(unsigned flags, int priority, fh_cuda_stream **stream) {
    *stream = calloc(1, sizeof **stream);
    if (!*stream)
        return FH_CUDA_NO_MEMORY;
    **stream = (fh_cuda_stream){.flags = flags,
                                .priority = priority,
                                .id = 3 + streams.ids++,
                                .last = &(*stream)->first,
                                .next = streams.list};
    streams.list = *stream;
    return FH_CUDA_OK;
}

unsigned fh_cuda_stream_flags(const fh_cuda_stream *stream) {
    return stream->flags;
}

int fh_cuda_stream_priority(const fh_cuda_stream *stream) {
    return stream->priority;
}

uint64_t fh_cuda_stream_id(const fh_cuda_stream *stream) {
    return stream->id;
}

/* ---------------------------------------------------------------- doing */

static bool blocks_on_legacy(const fh_cuda_stream *s) {
    return s != &streams.legacy && !(s->flags & FH_CUDA_STREAM_NONBLOCKING);
}

/* Whether the first op of the stream may be done now. */
static bool is_ready(const fh_cuda_stream *stream) {
    const struct waiting *w = stream->first;
    if (!w)
        return false;
    if (w->op.kind == FH_CUDA_OP_WAIT && w->op.event.event->happened < w->op.event.generation)
        return false;
    if (blocks_on_legacy(stream))
        return !streams.legacy.first || streams.legacy.first->number > w->number;
    for (fh_cuda_stream *s = next_stream(NULL); stream == &streams.legacy && s; s = next_stream(s))
        if (blocks_on_legacy(s) && s->first && s->first->number < w->number)
            return false;
    return true;
}

static fh_cuda_stream *draw_stream(void) {
    fh_cuda_stream *chosen = NULL;
    uint64_t ready = 0;
    for (fh_cuda_stream *s = next_stream(NULL); s; s = next_stream(s))
        if (is_ready(s) && fh_cuda_draw(++ready) == 0)
            chosen = s;
    return chosen;
}

/* A graph's nodes belong to the range of the call that launches the graph. */
static fh_cuda_status run_in_range(const fh_cuda_op *op) {
    fh_cuda_range_work(op->range);
    return fh_cuda_op_run(op);
}

/* Nobody waits for the answer of this op, so that an error stays. */
static void run_late(const fh_cuda_op *op) {
    const fh_cuda_status status = run_in_range(op);
    if (status != FH_CUDA_OK && fh_cuda_sticky() == FH_CUDA_OK)
        (void)fh_cuda_fail(status);
}

/* Does one op of some stream; false if there is none. */
static bool do_one(void) {
    fh_cuda_stream *stream = draw_stream();
    if (!stream)
        return false;
    struct waiting *w = stream->first;
    stream->first = w->next;
    if (!stream->first)
        stream->last = &stream->first;
    if (fh_cuda_sticky() == FH_CUDA_OK || w->op.kind == FH_CUDA_OP_RECORD)
        run_late(&w->op);
    fh_cuda_op_clear(&w->op);
    free(w);
    return true;
}

static fh_cuda_status put_off(fh_cuda_stream *stream, fh_cuda_op *op) {
    struct waiting *w = malloc(sizeof *w);
    if (!w) {
        fh_cuda_op_clear(op);
        return FH_CUDA_NO_MEMORY;
    }
    *w = (struct waiting){.op = *op, .number = ++streams.numbers};
    *stream->last = w;
    stream->last = &w->next;
    return FH_CUDA_OK;
}

/* What concerns pageable memory of the host is not put off. */
static fh_cuda_status put_off_copy(fh_cuda_stream *stream, fh_cuda_op *op) {
    const bool complete = fh_cuda_copy_is_to_pageable(&op->copy.what);
    fh_cuda_status status = fh_cuda_copy_stage(&op->copy.what, &op->copy.staged);
    if (status != FH_CUDA_OK) {
        fh_cuda_op_clear(op);
        return status;
    }
    status = put_off(stream, op);
    return status == FH_CUDA_OK && complete ? fh_cuda_wait(stream) : status;
}

static fh_cuda_status capture_op(fh_cuda_stream *stream, fh_cuda_op *op);

fh_cuda_status fh_cuda_submit(fh_cuda_stream *stream, fh_cuda_op *op) {
    if (stream->capture.state != FH_CUDA_CAPTURE_NONE)
        return capture_op(stream, op);
    if (stream == &streams.legacy && fh_cuda_any_capture()) {
        for (fh_cuda_stream *s = next_stream(NULL); s; s = next_stream(s)) {
            if (s->capture.state != FH_CUDA_CAPTURE_NONE && blocks_on_legacy(s)) {
                fh_cuda_capture_break(s);
                fh_cuda_op_clear(op);
                return FH_CUDA_CAPTURE_IMPLICIT;
            }
        }
    }
    op->range = fh_cuda_range_now();
    if (fh_cuda_seed())
        return op->kind == FH_CUDA_OP_COPY ? put_off_copy(stream, op) : put_off(stream, op);
    const fh_cuda_status status = run_in_range(op);
    fh_cuda_op_clear(op);
    return status == fh_cuda_sticky() ? FH_CUDA_OK : status;
}

fh_cuda_status fh_cuda_stream_query(fh_cuda_stream *stream) {
    if (stream->capture.state != FH_CUDA_CAPTURE_NONE) {
        fh_cuda_capture_break(stream);
        return FH_CUDA_CAPTURE_UNSUPPORTED;
    }
    if (stream->first)
        (void)do_one(); /* who asks again and again comes to the end */
    return stream->first ? FH_CUDA_NOT_READY : fh_cuda_sticky();
}

fh_cuda_status fh_cuda_wait(fh_cuda_stream *stream) {
    for (fh_cuda_stream *s = next_stream(NULL); s; s = next_stream(s)) {
        if ((!stream || s == stream) && s->capture.state != FH_CUDA_CAPTURE_NONE) {
            fh_cuda_capture_break(s);
            return FH_CUDA_CAPTURE_UNSUPPORTED;
        }
    }
    while ((!stream || stream->first) && do_one())
        ;
    fh_cuda_flush_output();
    return fh_cuda_sticky();
}

static void end_capture(fh_cuda_stream *stream) {
    free(stream->capture.tail);
    memset(&stream->capture, 0, sizeof stream->capture);
}

/* The capture that began in `origin` is over, in all streams: its graph, which is nobody's now. */
static fh_cuda_graph *finish_capture(fh_cuda_stream *origin) {
    fh_cuda_graph *graph = origin->capture.graph;
    for (fh_cuda_stream *s = next_stream(NULL); s; s = next_stream(s))
        if (s->capture.state != FH_CUDA_CAPTURE_NONE && s->capture.graph == graph)
            end_capture(s);
    for (fh_cuda_event *e = streams.events; e; e = e->next)
        if (e->captured == graph)
            e->captured = NULL;
    graph->captures = false;
    return graph;
}

/* The stream goes: a capture that began in it ends without a graph, one that it has joined is
 * broken. */
static void leave_capture(fh_cuda_stream *stream) {
    if (stream->capture.state == FH_CUDA_CAPTURE_NONE)
        return;
    if (stream->capture.origin) {
        const bool given = stream->capture.given_graph;
        fh_cuda_graph *graph = finish_capture(stream);
        if (!given)
            fh_cuda_graph_free(graph);
        return;
    }
    for (fh_cuda_stream *s = next_stream(NULL); s; s = next_stream(s))
        if (s->capture.state != FH_CUDA_CAPTURE_NONE && s->capture.graph == stream->capture.graph)
            s->capture.state = FH_CUDA_CAPTURE_BROKEN;
    end_capture(stream);
}

fh_cuda_status fh_cuda_stream_free(void *handle) {
    if ((uintptr_t)handle <= 2)
        return FH_CUDA_INVALID_HANDLE;
    for (fh_cuda_stream **at = &streams.list; *at; at = &(*at)->next) {
        fh_cuda_stream *s = *at;
        if (s != handle)
            continue;
        while (s->first && do_one())
            ;
        leave_capture(s);
        *at = s->next;
        free(s);
        return FH_CUDA_OK;
    }
    return FH_CUDA_INVALID_HANDLE;
}

/* ---------------------------------------------------------------- events */

fh_cuda_status fh_cuda_event_new(unsigned flags, fh_cuda_event **event) {
    *event = calloc(1, sizeof **event);
    if (!*event)
        return FH_CUDA_NO_MEMORY;
    (*event)->flags = flags;
    (*event)->number = ++events_made;
    (*event)->next = streams.events;
    streams.events = *event;
    return FH_CUDA_OK;
}

fh_cuda_event *fh_cuda_event_of(const void *handle) {
    for (fh_cuda_event *e = streams.events; e; e = e->next)
        if (e == handle)
            return e;
    return NULL;
}

fh_cuda_status fh_cuda_event_free(void *handle) {
    for (fh_cuda_event **at = &streams.events; *at; at = &(*at)->next) {
        fh_cuda_event *e = *at;
        if (e != handle)
            continue;
        while (e->happened < e->recorded && do_one()) /* ops know it */
            ;
        for (fh_cuda_stream *s = next_stream(NULL); s; s = next_stream(s))
            for (struct waiting *w = s->first; w; w = w->next)
                if (w->op.kind == FH_CUDA_OP_WAIT && w->op.event.event == e)
                    w->op.kind = FH_CUDA_OP_EMPTY; /* it has happened */
        *at = e->next;
        free(e->nodes);
        free(e);
        return FH_CUDA_OK;
    }
    return FH_CUDA_INVALID_HANDLE;
}

uint64_t fh_cuda_event_number(const fh_cuda_event *event) {
    return event->number;
}

void fh_cuda_event_happen(const fh_cuda_event *handle, uint64_t number, uint64_t generation) {
    fh_cuda_event *event = fh_cuda_event_of(handle);
    if (!event || event->number != number)
        return;
    event->happened = generation ? generation : ++event->recorded;
    event->time = fh_cuda_now_ns();
}

static bool keep_nodes(fh_cuda_node ***list, size_t *count, fh_cuda_node *const *nodes,
                       size_t node_count) {
    fh_cuda_node **copy = malloc((node_count + 1) * sizeof(fh_cuda_node *));
    if (!copy)
        return false;
    if (node_count)
        memcpy(copy, nodes, node_count * sizeof(fh_cuda_node *));
    free(*list);
    *list = copy;
    *count = node_count;
    return true;
}

fh_cuda_status fh_cuda_event_record(fh_cuda_event *event, fh_cuda_stream *stream) {
    if (stream->capture.state == FH_CUDA_CAPTURE_BROKEN)
        return FH_CUDA_CAPTURE_INVALIDATED;
    if (stream->capture.state == FH_CUDA_CAPTURE_ACTIVE) {
        event->captured = stream->capture.graph;
        return keep_nodes(&event->nodes, &event->node_count, stream->capture.tail,
                          stream->capture.tail_count)
                   ? FH_CUDA_OK
                   : FH_CUDA_NO_MEMORY;
    }
    event->captured = NULL;
    fh_cuda_op op = {.kind = FH_CUDA_OP_RECORD, .event = {event, event->number, ++event->recorded}};
    return fh_cuda_submit(stream, &op);
}

fh_cuda_status fh_cuda_event_await(fh_cuda_event *event, fh_cuda_stream *stream) {
    if (event->captured) {
        if (stream->capture.state == FH_CUDA_CAPTURE_NONE) {
            stream->capture.state = FH_CUDA_CAPTURE_ACTIVE; /* it joins the capture */
            stream->capture.graph = event->captured;
            stream->capture.id = streams.captures;
        }
        if (stream->capture.graph != event->captured)
            return FH_CUDA_CAPTURE_MERGE;
        return fh_cuda_capture_depend(stream, event->nodes, event->node_count, true);
    }
    if (stream->capture.state != FH_CUDA_CAPTURE_NONE)
        return event->recorded ? FH_CUDA_CAPTURE_ISOLATION : FH_CUDA_OK;
    if (event->happened >= event->recorded)
        return FH_CUDA_OK;
    fh_cuda_op op = {.kind = FH_CUDA_OP_WAIT, .event = {event, event->number, event->recorded}};
    return fh_cuda_submit(stream, &op);
}

fh_cuda_status fh_cuda_event_query(const fh_cuda_event *event) {
    if (event->captured)
        return FH_CUDA_CAPTURED_EVENT;
    if (event->happened < event->recorded)
        (void)do_one();
    return event->happened < event->recorded ? FH_CUDA_NOT_READY : fh_cuda_sticky();
}

fh_cuda_status fh_cuda_event_wait(fh_cuda_event *event) {
    if (event->captured)
        return FH_CUDA_CAPTURED_EVENT;
    while (event->happened < event->recorded && do_one())
        ;
    fh_cuda_flush_output();
    return fh_cuda_sticky();
}

fh_cuda_status fh_cuda_event_elapsed(const fh_cuda_event *from, const fh_cuda_event *to,
                                     float *ms) {
    if ((from->flags | to->flags) & FH_CUDA_EVENT_NO_TIME || !from->recorded || !to->recorded)
        return FH_CUDA_INVALID_HANDLE;
    if (from->happened < from->recorded || to->happened < to->recorded)
        return FH_CUDA_NOT_READY;
    *ms = (float)((double)(int64_t)(to->time - from->time) / 1e6);
    return FH_CUDA_OK;
}

/* ---------------------------------------------------------------- capture */

bool fh_cuda_any_capture(void) {
    for (fh_cuda_stream *s = next_stream(NULL); s; s = next_stream(s))
        if (s->capture.state != FH_CUDA_CAPTURE_NONE)
            return true;
    return false;
}

void fh_cuda_capture_break(fh_cuda_stream *stream) {
    if (stream->capture.state != FH_CUDA_CAPTURE_NONE)
        stream->capture.state = FH_CUDA_CAPTURE_BROKEN;
}

fh_cuda_capture_state fh_cuda_capture_of(const fh_cuda_stream *stream) {
    return stream->capture.state;
}

static fh_cuda_status capture_op(fh_cuda_stream *stream, fh_cuda_op *op) {
    fh_cuda_node *node;
    if (stream->capture.state == FH_CUDA_CAPTURE_BROKEN) {
        fh_cuda_op_clear(op);
        return FH_CUDA_CAPTURE_INVALIDATED;
    }
    fh_cuda_status status = fh_cuda_graph_add(stream->capture.graph, op, stream->capture.tail,
                                              stream->capture.tail_count, &node);
    if (status == FH_CUDA_OK &&
        !keep_nodes(&stream->capture.tail, &stream->capture.tail_count, &node, 1))
        status = FH_CUDA_NO_MEMORY;
    if (status != FH_CUDA_OK)
        fh_cuda_capture_break(stream);
    return status;
}

/* Whether the handles are nodes of the graph. */
static bool are_nodes(const fh_cuda_graph *graph, fh_cuda_node *const *nodes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const fh_cuda_node *node = nodes ? fh_cuda_node_of(nodes[i]) : NULL;
        if (!node || node->graph != graph)
            return false;
    }
    return true;
}

fh_cuda_status fh_cuda_capture_begin(fh_cuda_stream *stream, fh_cuda_graph *graph,
                                     fh_cuda_node *const *nodes, size_t count) {
    if (stream == &streams.legacy)
        return FH_CUDA_CAPTURE_UNSUPPORTED;
    if (stream->capture.state != FH_CUDA_CAPTURE_NONE || (graph && graph->captures))
        return FH_CUDA_ILLEGAL_STATE;
    if (graph && !are_nodes(graph, nodes, count))
        return FH_CUDA_INVALID_VALUE;
    fh_cuda_graph *into = graph ? graph : fh_cuda_graph_new();
    if (!into || !keep_nodes(&stream->capture.tail, &stream->capture.tail_count, nodes, count)) {
        if (!graph)
            fh_cuda_graph_free(into);
        return FH_CUDA_NO_MEMORY;
    }
    stream->capture.graph = into;
    into->captures = true;
    stream->capture.given_graph = graph != NULL;
    stream->capture.origin = true;
    stream->capture.id = ++streams.captures;
    stream->capture.state = FH_CUDA_CAPTURE_ACTIVE;
    return FH_CUDA_OK;
}

/* Whether nothing was left in the streams that joined the capture: their last nodes are ones that
 * others depend on. */
static bool all_joined(const fh_cuda_stream *origin, const fh_cuda_stream *s) {
    for (size_t i = 0; i < s->capture.tail_count; i++) {
        bool needed = false;
        for (size_t j = 0; j < origin->capture.tail_count; j++)
            needed |= origin->capture.tail[j] == s->capture.tail[i];
        const fh_cuda_graph *graph = origin->capture.graph;
        for (size_t j = 0; j < graph->count && !needed; j++)
            for (size_t k = 0; k < graph->nodes[j]->need_count; k++)
                needed |= graph->nodes[j]->needs[k] == s->capture.tail[i];
        if (!needed)
            return false;
    }
    return true;
}

fh_cuda_status fh_cuda_capture_end(fh_cuda_stream *stream, fh_cuda_graph **graph) {
    *graph = NULL;
    if (stream->capture.state == FH_CUDA_CAPTURE_NONE)
        return FH_CUDA_ILLEGAL_STATE;
    if (!stream->capture.origin)
        return FH_CUDA_CAPTURE_UNMATCHED;
    fh_cuda_graph *made = stream->capture.graph;
    const bool given = stream->capture.given_graph;
    fh_cuda_status status =
        stream->capture.state == FH_CUDA_CAPTURE_BROKEN ? FH_CUDA_CAPTURE_INVALIDATED : FH_CUDA_OK;
    for (fh_cuda_stream *s = next_stream(NULL); s; s = next_stream(s)) {
        if (s == stream || s->capture.state == FH_CUDA_CAPTURE_NONE || s->capture.graph != made)
            continue;
        if (s->capture.state == FH_CUDA_CAPTURE_BROKEN)
            status = FH_CUDA_CAPTURE_INVALIDATED;
        else if (status == FH_CUDA_OK && !all_joined(stream, s))
            status = FH_CUDA_CAPTURE_UNJOINED;
    }
    (void)finish_capture(stream);
    if (status == FH_CUDA_OK)
        *graph = made;
    else if (!given)
        fh_cuda_graph_free(made);
    return status;
}

fh_cuda_graph *fh_cuda_capture_graph(const fh_cuda_stream *stream, uint64_t *id,
                                     fh_cuda_node *const **nodes, size_t *count) {
    *id = stream->capture.id;
    *nodes = stream->capture.tail;
    *count = stream->capture.tail_count;
    return stream->capture.graph;
}

fh_cuda_status fh_cuda_capture_depend(fh_cuda_stream *stream, fh_cuda_node *const *nodes,
                                      size_t count, bool add) {
    if (stream->capture.state == FH_CUDA_CAPTURE_NONE)
        return FH_CUDA_ILLEGAL_STATE;
    if (!are_nodes(stream->capture.graph, nodes, count))
        return FH_CUDA_INVALID_VALUE;
    const size_t had = add ? stream->capture.tail_count : 0;
    fh_cuda_node **list = malloc((had + count + 1) * sizeof(fh_cuda_node *));
    if (!list)
        return FH_CUDA_NO_MEMORY;
    size_t all = had;
    if (had)
        memcpy(list, stream->capture.tail, had * sizeof(fh_cuda_node *));
    for (size_t i = 0; i < count; i++) {
        bool there = false;
        for (size_t j = 0; j < all; j++)
            there |= list[j] == nodes[i];
        if (!there)
            list[all++] = nodes[i];
    }
    free(stream->capture.tail);
    stream->capture.tail = list;
    stream->capture.tail_count = all;
    return FH_CUDA_OK;
}

static void forget_ops(fh_cuda_stream *s) {
    while (s->first) {
        struct waiting *w = s->first;
        s->first = w->next;
        fh_cuda_op_clear(&w->op);
        free(w);
    }
    end_capture(s);
}

void fh_cuda_streams_end(void) {
    forget_ops(&streams.legacy);
    forget_ops(&streams.thread);
    while (streams.list) {
        fh_cuda_stream *s = streams.list;
        streams.list = s->next;
        forget_ops(s);
        free(s);
    }
    while (streams.events) {
        fh_cuda_event *e = streams.events;
        streams.events = e->next;
        free(e->nodes);
        free(e);
    }
    memset(&streams, 0, sizeof streams);
}
