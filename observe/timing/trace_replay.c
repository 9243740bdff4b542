/*
 * trace_replay.c - see trace_replay.h.
 */
#include "trace_replay.h"

#include "replayed_kernel.h"
#include "timer_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A block on the SM, and how far its warps have been handed over. */
struct resident {
    uint64_t own; /* its number among the SM's */
    size_t at[FH_ACCELSIM_WARPS];
    uint32_t live; /* warps */
    /* Of barriers for all threads: those that have not ended, those that have come, and the lanes
     * of each warp that wait at which one. */
    uint32_t threads, come[FH_ACCELSIM_BARRIERS];
    uint32_t waits[FH_ACCELSIM_WARPS], where[FH_ACCELSIM_WARPS];
    struct fh_accelsim_block block;
};

struct fh_trace_replay {
    struct fh_timer *timer;
    struct fh_time_machine watching; /* of traces without code */
    struct fh_replayed_kernel **kernels;
    size_t count, room;
    const char *name; /* of the trace */
    struct fh_replayed_kernel *kernel;
    const struct fh_accelsim_kernel *header;
    struct fh_accelsim_reader *reader;
    struct resident *residents;
    uint32_t resident_count;
    uint64_t begun;  /* own blocks that have been read */
    uint64_t issues; /* of all warps */
    char why[FH_ACCELSIM_WHY];
};

/* Line 0: the file as a whole. */
static fhec_status wrong(struct fh_trace_replay *r, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static fhec_status wrong(struct fh_trace_replay *r, uint32_t line, const char *format, ...) {
    va_list args;
    const int length = line ? snprintf(r->why, sizeof r->why, "%.200s:%u: ", r->name, line)
                            : snprintf(r->why, sizeof r->why, "%.200s: ", r->name);
    va_start(args, format);
    vsnprintf(r->why + length, sizeof r->why - (size_t)length, format, args);
    va_end(args);
    return FHEC_BAD_INPUT;
}

static fhec_status no_memory(struct fh_trace_replay *r) {
    snprintf(r->why, sizeof r->why, "no host memory");
    return FHEC_HOST_ERROR;
}

static fhec_status said(struct fh_trace_replay *r, fhec_status status) {
    if (status != FHEC_OK && !*r->why)
        snprintf(r->why, sizeof r->why, "%s", fh_accelsim_reader_why(r->reader));
    return status;
}

/* ---------------------------------------------------------------- accesses */

/* What one issue accesses: at most each space once, and of a copy shared memory behind it. */
struct parts {
    unsigned count;
    fhec_event events[4];
    uint64_t address[3][FH_ACCELSIM_LANES];
    struct fh_accelsim_accessed accessed;
};

static fhec_space space_of(const struct fh_accelsim_kernel *k, enum fh_accelsim_space space,
                           uint64_t *address) {
    const bool in_shared = k->shared_base && *address >= k->shared_base &&
                           *address < k->shared_base + FHEC_WINDOW_BYTES;
    const bool in_local =
        k->local_base && *address >= k->local_base && *address < k->local_base + FHEC_WINDOW_BYTES;
    if (in_shared && (space == FH_ACCELSIM_SHARED || space == FH_ACCELSIM_GENERIC))
        *address -= k->shared_base;
    else if (in_local && (space == FH_ACCELSIM_LOCAL || space == FH_ACCELSIM_GENERIC))
        *address -= k->local_base;
    else if (space == FH_ACCELSIM_GENERIC)
        return FHEC_SPACE_GLOBAL;
    switch (space) {
    case FH_ACCELSIM_GLOBAL: return FHEC_SPACE_GLOBAL;
    case FH_ACCELSIM_SHARED: return FHEC_SPACE_SHARED;
    case FH_ACCELSIM_LOCAL: return FHEC_SPACE_LOCAL;
    default: return in_shared ? FHEC_SPACE_SHARED : FHEC_SPACE_LOCAL;
    }
}

static void add_part(struct parts *p, fhec_space space, unsigned access, uint32_t bytes,
                     uint32_t lanes, const uint64_t *address) {
    if (!lanes)
        return;
    p->events[p->count++] = (fhec_event){
        .kind = FHEC_EVENT_ACCESS,
        .lanes = lanes,
        .access = {.space = space, .access = access, .bytes = bytes, .address = address},
    };
}

static unsigned access_of(enum fh_accelsim_kind kind) {
    switch (kind) {
    case FH_ACCELSIM_STORE: return FHEC_ACCESS_WRITE;
    case FH_ACCELSIM_ATOMIC: return FHEC_ACCESS_READ | FHEC_ACCESS_WRITE;
    default: return FHEC_ACCESS_READ;
    }
}

/* In the order in which the emulator tells them. */
static void find_parts(const struct fh_trace_replay *r, const struct fh_accelsim_block *b,
                       const struct fh_accelsim_issue *issue, struct parts *p) {
    const struct fh_accelsim_table *table = &r->kernel->table;
    const struct fh_accelsim_opcode *o = &table->list[issue->instruction].does;
    uint32_t lanes[3] = {0};
    p->count = 0;
    if (!issue->mask || !fh_accelsim_addresses(table, b, issue, &p->accessed))
        return;
    for (uint32_t rest = p->accessed.lanes; rest; rest &= rest - 1) {
        const int l = __builtin_ctz(rest);
        uint64_t address = p->accessed.address[l];
        const fhec_space space = space_of(r->header, o->space, &address);
        p->address[space][l] = address;
        lanes[space] |= 1u << l;
    }
    for (unsigned s = 0; s < 3; s++)
        add_part(p, (fhec_space)s, access_of(o->kind), o->bytes, lanes[s], p->address[s]);
    add_part(p, FHEC_SPACE_SHARED, FHEC_ACCESS_WRITE, o->bytes, p->accessed.shared_lanes,
             p->accessed.shared);
}

/* ---------------------------------------------------------------- the first time */

/* What a block of another SM leaves in L2. */
static void pass_other(struct fh_trace_replay *r, const struct fh_accelsim_block *b) {
    struct fh_timer *t = r->timer;
    struct parts parts;
    uint64_t lines[FH_TIME_LINES];
    for (size_t i = 0; i < b->count; i++) {
        find_parts(r, b, &b->issues[i], &parts);
        for (unsigned k = 0; k < parts.count; k++) {
            if (parts.events[k].access.space == FHEC_SPACE_SHARED)
                continue;
            const uint32_t count =
                fh_time_lines(&parts.events[k].access, parts.events[k].lanes, lines);
            for (uint32_t l = 0; l < count; l++)
                t->now.hbm_sectors += fh_time_l2_access(&t->l2, lines[l], t->l2.clock);
        }
    }
}

/* Instructions that the block is the first one to issue must be those of the code. */
static fhec_status check_code(struct fh_trace_replay *r, const struct fh_accelsim_block *b,
                              size_t *checked) {
    const struct fh_accelsim_table *table = &r->kernel->table;
    char says[FH_TIMED_TEXT];
    for (size_t i = 0; i < b->count && *checked < table->count; i++) {
        if (b->issues[i].instruction != *checked)
            continue;
        const struct fh_accelsim_instruction *k = &table->list[(*checked)++];
        const char *opcode = (const char *)table->texts.bytes + k->opcode;
        const size_t word = k->pc / sizeof(fhec_word);
        if (!r->kernel->of.count || !r->kernel->has_code)
            continue;
        if (k->pc % sizeof(fhec_word) || word >= r->kernel->of.count)
            return wrong(r, b->issues[i].line, "the code has no instruction at %04x", k->pc);
        if (fhec_mnemonic(r->kernel->of.words[word].word, says, sizeof says) < 0 ||
            strlen(says) != k->opcode_length || memcmp(says, opcode, k->opcode_length) != 0)
            return wrong(r, b->issues[i].line, "the code has another instruction than %.*s at %04x",
                         (int)k->opcode_length, opcode, k->pc);
    }
    return FHEC_OK;
}

static fhec_status read_header(struct fh_trace_replay *r, const struct fh_accelsim_in *in,
                               struct fh_accelsim_table *table) {
    r->name = in->name;
    r->reader = fh_accelsim_reader_new(in, table);
    return r->reader ? said(r, fh_accelsim_reader_header(r->reader, &r->header)) : no_memory(r);
}

/* The kernel of that name and code; NULL without host memory. */
static struct fh_replayed_kernel *kernel_of(struct fh_trace_replay *r) {
    for (size_t i = 0; i < r->count; i++)
        if (fh_replayed_is(r->kernels[i], r->header))
            return r->kernels[i];
    if (!fh_trace_room(&r->kernels, &r->room, r->count + 1, sizeof(void *)))
        return NULL;
    struct fh_replayed_kernel *k = fh_replayed_new(r->header);
    if (k)
        r->kernels[r->count++] = k;
    return k;
}

static fhec_status pass_blocks(struct fh_trace_replay *r) {
    struct fh_accelsim_block block = {0};
    size_t checked = r->kernel->table.count;
    fhec_status status = FHEC_OK;
    bool more = true;
    r->issues = 0;
    r->timer->now = (struct fh_timer_launch){.l2_begin = r->timer->l2.clock};
    while (status == FHEC_OK && more) {
        status = said(r, fh_accelsim_reader_block(r->reader, &block, &more));
        if (status == FHEC_OK && more)
            status = check_code(r, &block, &checked);
        if (status != FHEC_OK || !more)
            break;
        r->issues += block.count;
        if (block.number % r->timer->machine.sms)
            pass_other(r, &block);
    }
    fh_accelsim_block_free(&block);
    return status;
}

/* The kernel's name decides which table serves, so the header is read before the rest is. */
static fhec_status read_first(struct fh_trace_replay *r, const struct fh_accelsim_in *in) {
    struct fh_accelsim_table none = {0};
    fhec_status status = read_header(r, in, &none);
    r->kernel = status == FHEC_OK ? kernel_of(r) : NULL;
    if (status == FHEC_OK && !r->kernel)
        status = no_memory(r);
    if (status == FHEC_OK) {
        fh_accelsim_reader_table(r->reader, &r->kernel->table);
        status = pass_blocks(r);
    }
    return status;
}

/* ---------------------------------------------------------------- the second time */

/* Reads the SM's next block, into a place that is free. */
static fhec_status read_own(struct fh_trace_replay *r) {
    const uint64_t stride = r->timer->now.stride;
    struct resident *in = r->residents;
    fhec_status status = FHEC_OK;
    bool more = true;
    while (in->live)
        in++;
    for (uint64_t k = 1; r->begun && k < stride && status == FHEC_OK; k++)
        status = said(r, fh_accelsim_reader_skip(r->reader));
    if (status == FHEC_OK)
        status = said(r, fh_accelsim_reader_block(r->reader, &in->block, &more));
    if (status != FHEC_OK)
        return status;
    if (!more)
        return wrong(r, 0, "the file is another one than before");
    in->own = r->begun++;
    in->live = in->block.warp_count;
    memcpy(in->at, in->block.first, sizeof in->at);
    in->threads = r->header->block[0] * r->header->block[1] * r->header->block[2];
    memset(in->come, 0, sizeof in->come);
    memset(in->waits, 0, sizeof in->waits);
    return FHEC_OK;
}

/* The SM's block `own`. The SM asks for blocks out of order, but for no more than it holds. */
static fhec_status find_resident(struct fh_trace_replay *r, uint64_t own, struct resident **found) {
    while (r->begun <= own) {
        const fhec_status status = read_own(r);
        if (status != FHEC_OK)
            return status;
    }
    for (*found = r->residents; (*found)->own != own || !(*found)->live;)
        ++*found;
    return FHEC_OK;
}

/* The lanes that the warp goes on with, from issue `at` on; 0: its guards hold for none any more.
 */
static uint32_t next_lanes(const struct resident *in, size_t at, size_t end) {
    while (at < end && !in->block.issues[at].mask)
        at++;
    return at < end ? in->block.issues[at].mask : 0;
}

/* The barrier lets all go that wait there, with an instruction of the warp that is being filled. */
static void release(struct fh_trace_replay *r, struct resident *in, uint32_t word,
                    uint32_t number) {
    fh_time_sm_releases(r->timer->now.sm, word, number);
    in->come[number] = 0;
    for (uint32_t w = 0; w < in->block.warp_count; w++)
        if (in->where[w] == number)
            in->waits[w] = 0;
}

/* As in the emulator: a barrier lets go when all have come that have not ended. */
static void come_to_whole(struct fh_trace_replay *r, struct resident *in, uint32_t warp,
                          const struct fh_accelsim_issue *issue, uint32_t word) {
    const struct fh_accelsim_opcode *o = &r->kernel->table.list[issue->instruction].does;
    const uint32_t lanes = (uint32_t)__builtin_popcount(issue->mask);
    if (o->exits) {
        in->threads -= lanes < in->threads ? lanes : in->threads;
        for (uint32_t n = 0; n < FH_ACCELSIM_BARRIERS; n++)
            if (in->come[n] && in->come[n] >= in->threads)
                release(r, in, word, n);
        return;
    }
    const uint32_t number = issue->at % FH_ACCELSIM_BARRIERS;
    fh_time_sm_arrives(r->timer->now.sm, word, number);
    in->come[number] += lanes;
    if (!o->passes_by) {
        in->waits[warp] |= issue->mask;
        in->where[warp] = number;
    }
    if (in->come[number] >= in->threads)
        release(r, in, word, number);
}

/* What the issue has to do with barriers. */
static fhec_status come(struct fh_trace_replay *r, struct resident *in, uint32_t warp,
                        const struct fh_accelsim_issue *issue, uint32_t word) {
    const struct fh_accelsim_opcode *o = &r->kernel->table.list[issue->instruction].does;
    if (!issue->mask || (!o->barrier && !o->exits))
        return FHEC_OK;
    if (r->kernel->whole_barriers) {
        come_to_whole(r, in, warp, issue, word);
        return FHEC_OK;
    }
    if (!o->barrier)
        return FHEC_OK;
    const uint32_t number = issue->at % FH_ACCELSIM_BARRIERS;
    const uint32_t use = issue->at / FH_ACCELSIM_BARRIERS;
    if (fh_time_sm_comes(r->timer->now.sm, word, number, use, in->block.come[number][use]))
        return FHEC_OK;
    return wrong(r, issue->line, "the warp is too far ahead of others at barrier %u", number);
}

/* Hands an issue over. */
static fhec_status hand_over(struct fh_trace_replay *r, struct resident *in, uint32_t warp,
                             const struct fh_accelsim_issue *issue) {
    struct fh_time_stream *stream = fh_time_sm_stream(r->timer->now.sm);
    const uint32_t word = fh_replayed_word(r->kernel, issue->instruction);
    const struct fh_accelsim_opcode *o = &r->kernel->table.list[issue->instruction].does;
    fhec_event event = {.pc = word * sizeof(fhec_word), .active = issue->mask};
    struct parts parts;
    if (word >= r->kernel->of.count)
        return wrong(r, issue->line, "the file is another one than before");
    find_parts(r, &in->block, issue, &parts);
    for (unsigned i = 0; i < parts.count; i++) {
        parts.events[i].pc = event.pc;
        fh_time_stream_access(stream, &parts.events[i], o->kind == FH_ACCELSIM_MATRICES);
    }
    const fhec_status status = come(r, in, warp, issue, word);
    fh_time_stream_instruction(stream, &event);
    return status;
}

/* Behind a barrier the warp goes on when that is known to have let it go; other lanes of it do. */
static bool stops(const struct fh_trace_replay *r, const struct resident *in,
                  const struct fh_accelsim_issue *last, size_t at, size_t end) {
    const struct fh_accelsim_opcode *o = &r->kernel->table.list[last->instruction].does;
    const uint32_t lanes = next_lanes(in, at, end);
    return o->barrier && last->mask && !o->passes_by && !(lanes && !(lanes & last->mask));
}

static fhec_status fill(struct fh_trace_replay *r, struct resident *in, uint32_t warp) {
    struct fh_time_stream *stream = fh_time_sm_stream(r->timer->now.sm);
    const size_t end = in->block.first[warp + 1];
    size_t at = in->at[warp];
    fhec_status status = FHEC_OK;
    const uint32_t lanes = in->waits[warp] ? next_lanes(in, at, end) : 0;
    if (in->waits[warp] && (!lanes || lanes & in->waits[warp])) {
        fh_time_sm_waits(r->timer->now.sm);
        return FHEC_OK;
    }
    fh_time_stream_restart(stream);
    while (at < end && stream->words < FH_TIME_AHEAD && status == FHEC_OK) {
        const struct fh_accelsim_issue *issue = &in->block.issues[at++];
        status = hand_over(r, in, warp, issue);
        if (stops(r, in, issue, at, end))
            break;
    }
    in->at[warp] = at;
    stream->ended = at == end;
    in->live -= stream->ended;
    return status;
}

/* Warps that wait at barriers to which the others do not come. */
static fhec_status say_stuck(struct fh_trace_replay *r) {
    for (uint32_t i = 0; i < r->resident_count; i++) {
        const struct resident *in = &r->residents[i];
        for (uint32_t w = 0; in->live && w < in->block.warp_count; w++) {
            const size_t at = in->at[w];
            if (at == in->block.first[w + 1] || at == in->block.first[w])
                continue;
            return wrong(r, in->block.issues[at - 1].line,
                         "warp %u of block %llu waits here for ever: others wait elsewhere", w,
                         (unsigned long long)in->block.number);
        }
    }
    return wrong(r, 0, "warps wait that nothing lets go");
}

static fhec_status run(struct fh_trace_replay *r) {
    struct fh_timer *t = r->timer;
    for (;;) {
        uint64_t own;
        uint32_t warp;
        struct resident *in = NULL;
        fhec_status status;
        fh_timer_look_at_l2(t);
        switch (fh_time_sm_go(t->now.sm, &own, &warp)) {
        case FH_TIME_DONE: return FHEC_OK;
        case FH_TIME_STUCK:
            if (!fh_timer_say_unknown(t))
                return say_stuck(r);
            snprintf(r->why, sizeof r->why, "%.*s", FH_ACCELSIM_WHY - 1, fh_timer_failed(t));
            return FHEC_BAD_INPUT;
        case FH_TIME_NEEDS:
            status = find_resident(r, own, &in);
            if (status == FHEC_OK)
                status = fill(r, in, warp);
            if (status != FHEC_OK)
                return status;
        }
    }
}

static fhec_status begin(struct fh_trace_replay *r, const struct fh_time_machine *machine) {
    struct fh_timer *t = r->timer;
    const struct fh_accelsim_kernel *h = r->header;
    const struct fh_time_block block = {
        .threads = h->block[0] * h->block[1] * h->block[2],
        .registers = h->registers,
        .shared = h->shared,
    };
    const uint64_t l2_begin = t->now.l2_begin, sectors = t->now.hbm_sectors;
    if (!fh_timer_begin(t, machine, r->kernel->timed, h->grid, &block))
        return wrong(r, 0, "%s", fh_timer_failed(t));
    t->now.l2_begin = l2_begin;
    t->now.l2_end = t->l2.clock;
    t->now.hbm_sectors = sectors;
    r->resident_count = t->now.occupancy.blocks;
    r->begun = 0;
    r->residents = calloc(r->resident_count, sizeof *r->residents);
    return r->residents ? FHEC_OK : no_memory(r);
}

static fhec_status read_second(struct fh_trace_replay *r, const struct fh_accelsim_in *in) {
    const struct fh_time_machine *machine = r->kernel->has_code ? &r->timer->machine : &r->watching;
    fhec_status status = fh_replayed_ready(r->kernel, r->timer, machine) ? FHEC_OK : no_memory(r);
    if (status == FHEC_OK)
        status = read_header(r, in, &r->kernel->table);
    if (status == FHEC_OK && !fh_replayed_is(r->kernel, r->header))
        status = wrong(r, 0, "the file is another one than before");
    if (status == FHEC_OK)
        status = begin(r, machine);
    if (status == FHEC_OK)
        status = run(r);
    if (status == FHEC_OK)
        fh_timer_finish(r->timer, r->issues);
    return status;
}

static void end_reading(struct fh_trace_replay *r) {
    fh_accelsim_reader_free(r->reader);
    r->reader = NULL;
    r->header = NULL;
}

fhec_status fh_trace_replay_launch(struct fh_trace_replay *r,
                                   const struct fh_trace_replay_source *source) {
    struct fh_accelsim_in in;
    *r->why = '\0';
    for (unsigned pass = 0; pass < 2; pass++) {
        if (!source->open(source->user, &in))
            return FHEC_HOST_ERROR;
        const fhec_status status = pass ? read_second(r, &in) : read_first(r, &in);
        end_reading(r);
        source->close(source->user);
        if (pass || status != FHEC_OK) {
            for (uint32_t i = 0; i < r->resident_count; i++)
                fh_accelsim_block_free(&r->residents[i].block);
            free(r->residents);
            r->residents = NULL;
            r->resident_count = 0;
        }
        if (status != FHEC_OK) {
            fh_timer_fail(r->timer, "%s", r->why);
            return status;
        }
    }
    return FHEC_OK;
}

const char *fh_trace_replay_why(const struct fh_trace_replay *r) {
    return r->why;
}

struct fh_trace_replay *fh_trace_replay_new(struct fh_timer *timer) {
    struct fh_trace_replay *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->timer = timer;
    fh_trace_machine(fh_timer_machine(timer), &r->watching);
    return r;
}

void fh_trace_replay_free(struct fh_trace_replay *r) {
    if (!r)
        return;
    for (size_t i = 0; i < r->count; i++)
        fh_replayed_free(r->kernels[i]);
    free(r->kernels);
    free(r);
}
