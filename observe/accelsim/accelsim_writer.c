/*
 * accelsim_writer.c - see accelsim_writer.h.
 *
 * Instructions and accesses are told apart, each in the order of their warp: an access belongs to
 * the next instruction at its place that executes for its lanes.
 */
#include "accelsim_writer.h"

#include "accelsim_addresses.h"
#include "accelsim_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = FH_ACCELSIM_LANES, NAME = 64, FLUSH = 1 << 16 };

/* What an instruction has accessed, or the number of a barrier that was in a register. */
struct access {
    uint32_t word, lanes;    /* whose addresses are known, of all spaces together */
    size_t begin;            /* of the text of the addresses, in the warp's texts */
    uint32_t length, behind; /* of that text, and of what stands behind the immediate */
    uint32_t barrier;        /* the number */
};

/* An access that is being told: in one event for each space. */
struct pending {
    bool any;
    uint32_t word, lanes, shared_lanes;
    fhec_space last; /* space that it was told of */
    uint64_t address[LANES], shared[LANES];
};

struct warp {
    struct issue {
        uint32_t word, active;
    } * issues;
    size_t count, room;
    struct access *accesses;
    size_t access_count, access_room;
    struct pending pending;
    struct fh_trace_bytes texts;
};

/* A block that has begun; when it has ended, the text of it. */
struct block {
    uint64_t number;
    uint32_t id[3];
    struct warp *warps;
    uint32_t warp_count;
    bool ended;
    struct fh_trace_bytes text;
};

struct fh_accelsim_writer {
    struct fh_accelsim_out out;
    bool imma, active; /* active: the launch is written */
    bool failed;
    fhec_machine *machine;
    unsigned observers[2];
    struct fh_accelsim_code code;
    uint64_t launches, written; /* so far */
    uint32_t grid[3], threads;
    uint64_t next; /* the block that is written next */
    struct block **blocks;
    size_t count, room;
    struct block *last; /* that the last event was about */
    struct block *spare;
};

/* ---------------------------------------------------------------- blocks */

static void free_block(struct block *b) {
    for (uint32_t i = 0; b && i < b->warp_count; i++) {
        free(b->warps[i].issues);
        free(b->warps[i].accesses);
        fh_trace_bytes_free(&b->warps[i].texts);
    }
    if (b) {
        free(b->warps);
        fh_trace_bytes_free(&b->text);
    }
    free(b);
}

static struct block *new_block(uint32_t warps) {
    struct block *b = calloc(1, sizeof *b);
    if (b)
        b->warps = calloc(warps, sizeof *b->warps);
    if (!b || !b->warps) {
        free(b);
        return NULL;
    }
    b->warp_count = warps;
    return b;
}

/* For another block; it keeps its room. */
static void restart(struct block *b, uint64_t number, const uint32_t id[3]) {
    b->number = number;
    b->ended = false;
    b->text.count = 0;
    memcpy(b->id, id, sizeof b->id);
    for (uint32_t i = 0; i < b->warp_count; i++) {
        struct warp *w = &b->warps[i];
        w->count = w->access_count = w->texts.count = 0;
        w->pending.any = false;
    }
}

static struct block *begin_block(struct fh_accelsim_writer *w, uint64_t number,
                                 const uint32_t id[3]) {
    const uint32_t warps = (w->threads + FHEC_WARP_LANES - 1) / FHEC_WARP_LANES;
    struct block *b = w->spare && w->spare->warp_count == warps ? w->spare : new_block(warps);
    if (b == w->spare)
        w->spare = NULL;
    if (!b || !fh_trace_room(&w->blocks, &w->room, w->count + 1, sizeof(struct block *))) {
        free_block(b);
        w->failed = true;
        return NULL;
    }
    restart(b, number, id);
    w->blocks[w->count++] = b;
    return b;
}

static struct block *block_of(struct fh_accelsim_writer *w, const uint32_t id[3]) {
    const uint64_t number = id[0] + (uint64_t)w->grid[0] * (id[1] + (uint64_t)w->grid[1] * id[2]);
    if (w->last && w->last->number == number)
        return w->last;
    for (size_t i = 0; i < w->count; i++)
        if (w->blocks[i]->number == number)
            return w->last = w->blocks[i];
    return w->last = begin_block(w, number, id);
}

/* ---------------------------------------------------------------- accesses */

/* Lanes of LDSM that name no row get one that is named, so that each has an address. */
static void complete_rows(struct pending *p, uint32_t rows) {
    const uint32_t count = (uint32_t)__builtin_popcount(rows);
    for (uint32_t l = count; l < LANES; l++)
        p->address[l] = p->address[l % count];
    p->lanes = UINT32_MAX;
}

/* The access that was being told is complete. */
static void close_pending(const struct fh_accelsim_writer *writer, struct warp *w) {
    struct pending *p = &w->pending;
    if (!p->any)
        return;
    const struct fh_accelsim_opcode *o = &writer->code.words[p->word].opcode;
    p->any = false;
    if (!fh_trace_room(&w->accesses, &w->access_room, w->access_count + 1, sizeof *w->accesses)) {
        w->texts.failed = true;
        return;
    }
    if (o->kind == FH_ACCELSIM_MATRICES)
        complete_rows(p, p->lanes);
    struct access *a = &w->accesses[w->access_count++];
    *a = (struct access){.word = p->word, .lanes = p->lanes, .begin = w->texts.count};
    fh_accelsim_put_addresses(&w->texts, p->lanes, p->address);
    a->length = (uint32_t)(w->texts.count - a->begin);
    if (o->kind == FH_ACCELSIM_COPY) {
        fh_trace_print(&w->texts, " %08x ", p->shared_lanes);
        fh_accelsim_put_addresses(&w->texts, p->shared_lanes, p->shared);
    }
    a->behind = (uint32_t)(w->texts.count - a->begin) - a->length;
}

/* The generic address where the opcode leaves the space open. */
static uint64_t address_of(const struct fh_accelsim_opcode *o, fhec_space space, uint64_t address) {
    if (o->space != FH_ACCELSIM_GENERIC || space == FHEC_SPACE_GLOBAL)
        return address;
    return address + (space == FHEC_SPACE_SHARED ? FHEC_SHARED_WINDOW : FHEC_LOCAL_WINDOW);
}

static void take_access(struct fh_accelsim_writer *writer, struct warp *w,
                        const fhec_event *event) {
    struct pending *p = &w->pending;
    const uint32_t word = (uint32_t)(event->pc / sizeof(fhec_word));
    const struct fh_accelsim_opcode *o = &writer->code.words[word].opcode;
    const fhec_space space = event->access.space;
    const bool to_shared = o->kind == FH_ACCELSIM_COPY && space == FHEC_SPACE_SHARED;
    const bool goes_on = p->any && p->word == word && space >= p->last &&
                         !((to_shared ? p->shared_lanes : p->lanes) & event->lanes) &&
                         (space > p->last || o->kind == FH_ACCELSIM_COPY);
    if (!goes_on) {
        close_pending(writer, w);
        p->any = true;
        p->word = word;
        p->lanes = p->shared_lanes = 0;
    }
    p->last = space;
    *(to_shared ? &p->shared_lanes : &p->lanes) |= event->lanes;
    for (uint32_t rest = event->lanes; rest; rest &= rest - 1) {
        const unsigned l = (unsigned)__builtin_ctz(rest);
        (to_shared ? p->shared : p->address)[l] = address_of(o, space, event->access.address[l]);
    }
}

/* ---------------------------------------------------------------- lines */

static void put_hex8(char *to, uint32_t value) {
    static const char digits[] = "0123456789abcdef";
    for (unsigned i = 0; i < 8; i++)
        to[i] = digits[value >> (28 - 4 * i) & 15];
}

/* "0010 ffffffff 1 R4 LDG.E 1 R2 ", without what follows. */
static void put_begin(const struct fh_accelsim_writer *w, struct fh_trace_bytes *to, uint32_t word,
                      uint32_t mask) {
    const struct fh_accelsim_word *of = &w->code.words[word];
    const uint32_t pc = word * (uint32_t)sizeof(fhec_word);
    const unsigned skip = pc >> 16 ? 0 : 4;
    char digits[8];
    char *at = (char *)fh_trace_extend(to, 8 - skip + 1 + 8 + of->length);
    if (!at)
        return;
    put_hex8(digits, pc);
    memcpy(at, digits + skip, 8 - skip);
    at += 8 - skip;
    *at++ = ' ';
    put_hex8(at, mask);
    memcpy(at + 8, w->code.texts.bytes + of->begin, of->length);
}

static void put_issue(const struct fh_accelsim_writer *writer, struct fh_trace_bytes *to,
                      const struct warp *w, const struct issue *i, size_t *taken) {
    const struct fh_accelsim_word *of = &writer->code.words[i->word];
    const struct access *a = *taken < w->access_count ? &w->accesses[*taken] : NULL;
    const bool any = a && i->active && a->word == i->word && !(a->lanes & ~i->active);
    const bool memory = of->opcode.kind != FH_ACCELSIM_OTHER;
    int32_t immediate = of->immediate;
    put_begin(writer, to, i->word, memory ? (any ? a->lanes : 0) : i->active);
    if (of->asks && any)
        immediate = (int32_t)a->barrier;
    if (!memory) {
        fh_trace_print(to, "0 %d\n", immediate);
    } else if (!any) {
        fh_trace_print(to, "%u 1 0x0 0 %d\n", of->opcode.width, immediate);
    } else {
        fh_trace_print(to, "%u ", of->opcode.width);
        fh_trace_put(to, w->texts.bytes + a->begin, a->length);
        fh_trace_print(to, " %d", immediate);
        fh_trace_put(to, w->texts.bytes + a->begin + a->length, a->behind);
        fh_trace_put_byte(to, '\n');
    }
    *taken += any;
}

/* The text of a block that has ended. */
static void put_block(struct fh_accelsim_writer *writer, struct block *b) {
    struct fh_trace_bytes *to = &b->text;
    fh_trace_print(to, "\n#BEGIN_TB\n\nthread block = %u,%u,%u\n", b->id[0], b->id[1], b->id[2]);
    for (uint32_t i = 0; i < b->warp_count; i++) {
        struct warp *w = &b->warps[i];
        size_t taken = 0;
        close_pending(writer, w);
        fh_trace_print(to, "\nwarp = %u\ninsts = %zu\n", i, w->count);
        for (size_t k = 0; k < w->count; k++)
            put_issue(writer, to, w, &w->issues[k], &taken);
        to->failed |= w->texts.failed;
    }
    fh_trace_print(to, "\n#END_TB\n");
    b->ended = true;
}

static bool write_bytes(void *user, const void *bytes, size_t size) {
    struct fh_accelsim_writer *w = user;
    return w->out.write(w->out.user, bytes, size);
}

/* Blocks that have ended and whose turn it is. */
static void write_ended(struct fh_accelsim_writer *w) {
    for (size_t i = 0; i < w->count;) {
        struct block *b = w->blocks[i];
        if (!b->ended || b->number != w->next) {
            i++;
            continue;
        }
        w->failed |= !fh_trace_flush(&b->text, &(struct fh_trace_out){w, write_bytes});
        w->next++;
        w->blocks[i] = w->blocks[--w->count];
        free_block(w->spare);
        w->spare = b;
        w->last = NULL;
        i = 0;
    }
}

static void end_block(struct fh_accelsim_writer *w, const uint32_t id[3]) {
    struct block *b = block_of(w, id);
    if (!b)
        return;
    put_block(w, b);
    if (w->failed)
        b->text.count = 0;
    write_ended(w);
}

/* ---------------------------------------------------------------- launches */

static void put_header(const struct fh_accelsim_writer *w, const fhec_launch *launch,
                       struct fh_trace_bytes *to) {
    fhec_kernel_info info = {.name = ""};
    const fhec_limits *limits = fhec_program_limits(launch->program);
    (void)fhec_kernel_get(launch->program, launch->kernel, &info);
    fh_trace_print(to, "-kernel name = %s\n-kernel id = %llu\n", info.name,
                   (unsigned long long)w->written);
    fh_trace_print(to, "-grid dim = (%u,%u,%u)\n-block dim = (%u,%u,%u)\n", launch->grid[0],
                   launch->grid[1], launch->grid[2], launch->block[0], launch->block[1],
                   launch->block[2]);
    fh_trace_print(to, "-shmem = %u\n-nregs = %u\n-binary version = %u\n-cuda stream id = 0\n",
                   info.shared_bytes + launch->dynamic_shared, info.registers,
                   limits->architecture);
    fh_trace_print(to, "-shmem base_addr = 0x%016llx\n-local mem base_addr = 0x%016llx\n",
                   (unsigned long long)FHEC_SHARED_WINDOW, (unsigned long long)FHEC_LOCAL_WINDOW);
    fh_trace_print(to, "-nvbit version = fhec " FHEC_VERSION "\n-accelsim tracer version = 5\n"
                       "-enable lineinfo = 0\n");
    if (!w->imma)
        fh_accelsim_code_put(&w->code, to);
    fh_trace_print(to, "\n#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num "
                       "[reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate\n");
}

static void begin_launch(struct fh_accelsim_writer *w, const fhec_launch *launch) {
    struct fh_trace_bytes header = {0};
    char name[NAME];
    w->launches++;
    w->active = !w->failed && w->out.wants(w->out.user, launch, w->launches);
    if (!w->active)
        return;
    w->written++;
    memcpy(w->grid, launch->grid, sizeof w->grid);
    w->threads = launch->block[0] * launch->block[1] * launch->block[2];
    w->next = 0;
    w->last = NULL;
    put_header(w, launch, &header);
    w->failed |= w->code.texts.failed || !w->out.begin(w->out.user, w->written, name, sizeof name);
    if (!w->failed) {
        const size_t length = strlen(name);
        w->failed |= !fh_trace_flush(&header, &(struct fh_trace_out){w, write_bytes}) ||
                     !w->out.list(w->out.user, name, length);
    }
    fh_trace_bytes_free(&header);
}

/* What a launch has left that ended by a fault goes with it. */
static void forget_blocks(struct fh_accelsim_writer *w) {
    for (size_t i = 0; i < w->count; i++)
        free_block(w->blocks[i]);
    w->count = 0;
    w->last = NULL;
}

static void end_launch(struct fh_accelsim_writer *w, fhec_status status) {
    if (!w->active)
        return;
    w->failed |= status == FHEC_OK && w->count != 0;
    forget_blocks(w);
    w->failed |= !w->out.end(w->out.user);
    w->active = false;
}

static void tell_copy(struct fh_accelsim_writer *w, const fhec_event *event) {
    char line[80];
    if (!event->host.address)
        return;
    const int length = snprintf(line, sizeof line, "MemcpyHtoD,0x%016llx,%zu\n",
                                (unsigned long long)(event->host.address), event->host.bytes);
    w->failed |= !w->out.list(w->out.user, line, (size_t)length);
}

/* ---------------------------------------------------------------- events */

/* Asked for all words in order when a launch is made ready. */
static bool wants(void *user, const fhec_launch *launch, uint64_t pc, fhec_word word) {
    struct fh_accelsim_writer *w = user;
    (void)launch;
    if (pc == 0)
        fh_accelsim_code_restart(&w->code);
    fh_accelsim_code_add(&w->code, word, w->imma);
    return true;
}

static struct warp *warp_of(struct fh_accelsim_writer *w, const fhec_event *event) {
    struct block *b = block_of(w, event->block);
    return b && event->warp < b->warp_count ? &b->warps[event->warp] : NULL;
}

static void take_issue(struct fh_accelsim_writer *writer, const fhec_event *event) {
    struct warp *w = warp_of(writer, event);
    if (!w)
        return;
    if (!fh_trace_room(&w->issues, &w->room, w->count + 1, sizeof *w->issues)) {
        writer->failed = true;
        return;
    }
    w->issues[w->count++] =
        (struct issue){(uint32_t)(event->pc / sizeof(fhec_word)), event->active};
}

/* Where the number of a barrier is in a register. */
static void take_barrier(struct fh_accelsim_writer *writer, const fhec_event *event) {
    const uint32_t word = (uint32_t)(event->pc / sizeof(fhec_word));
    struct warp *w = writer->code.words[word].asks ? warp_of(writer, event) : NULL;
    if (!w)
        return;
    close_pending(writer, w);
    if (!fh_trace_room(&w->accesses, &w->access_room, w->access_count + 1, sizeof *w->accesses)) {
        writer->failed = true;
        return;
    }
    w->accesses[w->access_count++] =
        (struct access){.word = word, .lanes = event->lanes, .barrier = event->barrier.number};
}

static void on_event(void *user, const fhec_event *event) {
    struct fh_accelsim_writer *w = user;
    switch (event->kind) {
    case FHEC_EVENT_LAUNCH_BEGIN: begin_launch(w, event->launch); return;
    case FHEC_EVENT_LAUNCH_END: end_launch(w, event->end.status); return;
    case FHEC_EVENT_HOST_WRITE: tell_copy(w, event); return;
    default: break;
    }
    if (!w->active || w->failed)
        return;
    switch (event->kind) {
    case FHEC_EVENT_BLOCK_END: end_block(w, event->block); return;
    case FHEC_EVENT_INSTRUCTION: take_issue(w, event); return;
    case FHEC_EVENT_ARRIVE: take_barrier(w, event); return;
    default: return;
    }
}

static void on_access(void *user, const fhec_event *event) {
    struct fh_accelsim_writer *w = user;
    struct warp *warp = w->active && !w->failed ? warp_of(w, event) : NULL;
    if (warp && event->lanes)
        take_access(w, warp, event);
}

fhec_status fh_accelsim_write(fhec_machine *machine, const struct fh_accelsim_out *out, bool imma,
                              struct fh_accelsim_writer **writer) {
    struct fh_accelsim_writer *w = calloc(1, sizeof *w);
    *writer = w;
    if (!w)
        return FHEC_HOST_ERROR;
    w->out = *out;
    w->imma = imma;
    w->machine = machine;
    const fhec_observer instructions = {
        .user = w,
        .filter = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_BEGIN) |
                            FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_END) |
                            FHEC_EVENT_BIT(FHEC_EVENT_BLOCK_END) |
                            FHEC_EVENT_BIT(FHEC_EVENT_INSTRUCTION) |
                            FHEC_EVENT_BIT(FHEC_EVENT_ARRIVE) |
                            FHEC_EVENT_BIT(FHEC_EVENT_HOST_WRITE),
                   .instruction = wants},
        .event = on_event,
    };
    const fhec_observer accesses = {
        .user = w,
        .filter = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_ACCESS),
                   .no_access = 1u << FHEC_SPACE_CONSTANT,
                   .addresses_only = true},
        .event = on_access,
    };
    fhec_status status = fhec_observe(machine, &instructions, &w->observers[0]);
    if (status == FHEC_OK)
        status = fhec_observe(machine, &accesses, &w->observers[1]);
    return status;
}

bool fh_accelsim_write_end(struct fh_accelsim_writer *w) {
    if (!w)
        return true;
    for (unsigned i = 0; i < 2; i++)
        if (w->observers[i])
            (void)fhec_unobserve(w->machine, w->observers[i]);
    const bool fine = !w->failed;
    forget_blocks(w);
    free_block(w->spare);
    free(w->blocks);
    fh_accelsim_code_free(&w->code);
    free(w);
    return fine;
}
