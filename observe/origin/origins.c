/*
 * origins.c - see origins.h. Three observers: of instructions that are no memory instructions, and
 * of those that are looked at, before they run; of accesses; of results that are looked at.
 */
#include "origins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fh_origins {
    fhec_machine *machine;
    struct fh_origin_watcher watcher;
    struct fh_code *code;
    struct fh_shadows shadows;
    struct fh_origin_copy copy;
    struct fh_origin_buffer *buffers; /* by address */
    size_t buffer_count;
    unsigned observers[3];
    bool failed;
};

static void prepare(void *own, const fhec_instruction *instruction) {
    fh_origin_op_make(own, instruction);
}

static const struct fh_code_entry *entry_at(struct fh_origins *o, const fhec_launch *launch,
                                            uint64_t pc, fhec_word word) {
    const fhec_event event = {.launch = launch, .pc = pc, .word = word};
    const struct fh_code_entry *entry = fh_code_of(o->code, &event);
    o->failed |= !entry;
    return entry;
}

const fhec_instruction *fh_origins_instruction(struct fh_origins *o, const fhec_event *event,
                                               uint64_t pc) {
    fhec_kernel_info kernel;
    const fhec_launch *launch = event->launch;
    if (fhec_kernel_get(launch->program, launch->kernel, &kernel) != FHEC_OK ||
        pc / sizeof(fhec_word) >= kernel.word_count)
        return NULL;
    const struct fh_code_entry *entry =
        entry_at(o, launch, pc, kernel.words[pc / sizeof(fhec_word)]);
    return entry ? &entry->instruction : NULL;
}

/* ---------------------------------------------------------------- buffers */

/* The first buffer above the address. */
static size_t above(const struct fh_origins *o, uint64_t address) {
    size_t low = 0, high = o->buffer_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (o->buffers[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const struct fh_origin_buffer *buffer_at(const struct fh_origins *o, uint64_t address) {
    const size_t i = above(o, address);
    const struct fh_origin_buffer *b = i ? &o->buffers[i - 1] : NULL;
    return b && address - b->base < b->size ? b : NULL;
}

const struct fh_origin_buffer *fh_origins_buffer(const struct fh_origins *o, fh_origin origin) {
    return fh_origin_kind_of(origin) == FH_ORIGIN_GLOBAL ? buffer_at(o, fh_origin_offset(origin))
                                                         : NULL;
}

const struct fh_origin_buffer *fh_origins_buffer_named(const struct fh_origins *o,
                                                       const char *name) {
    for (size_t i = 0; i < o->buffer_count; i++)
        if (strcmp(o->buffers[i].name, name) == 0)
            return &o->buffers[i];
    return NULL;
}

static void add_buffer(struct fh_origins *o, const fhec_object *object, uint64_t address) {
    const struct fh_origin_buffer made = {strdup(object->name), address - object->offset,
                                          object->size};
    struct fh_origin_buffer *grown =
        realloc(o->buffers, (o->buffer_count + 1) * sizeof *o->buffers);
    if (grown)
        o->buffers = grown;
    if (!grown || !made.name) {
        free(made.name);
        o->failed = true;
        return;
    }
    const size_t i = above(o, made.base);
    memmove(&grown[i + 1], &grown[i], (o->buffer_count - i) * sizeof *grown);
    grown[i] = made;
    o->buffer_count++;
}

/* Learns the names of what the lanes access. */
static void meet_buffers(struct fh_origins *o, const fhec_event *event) {
    const struct fh_origin_buffer *b = NULL;
    for (uint32_t rest = event->lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        const uint64_t address = event->access.address[lane];
        fhec_object object;
        if (b && address - b->base < b->size)
            continue;
        b = buffer_at(o, address);
        if (!b && fhec_event_object(event, lane, &object) && object.name) {
            add_buffer(o, &object, address);
            b = buffer_at(o, address);
        }
    }
}

/* ---------------------------------------------------------------- events */

static bool wants_moves(void *user, const fhec_launch *launch, uint64_t pc, fhec_word word) {
    struct fh_origins *o = user;
    const struct fh_code_entry *entry = entry_at(o, launch, pc, word);
    struct fh_origin_op *op = entry ? (struct fh_origin_op *)entry->own : NULL;
    if (!op)
        return false;
    op->watched = (uint8_t)o->watcher.wants(o->watcher.user, launch, &entry->instruction);
    return op->watched & FH_ORIGIN_BEFORE ||
           (!fh_origin_op_accesses(op) && entry->instruction.use_count);
}

static bool wants_accesses(void *user, const fhec_launch *launch, uint64_t pc, fhec_word word) {
    const struct fh_code_entry *entry = entry_at(user, launch, pc, word);
    return entry && fh_origin_op_accesses(entry->own);
}

static bool wants_results(void *user, const fhec_launch *launch, uint64_t pc, fhec_word word) {
    const struct fh_code_entry *entry = entry_at(user, launch, pc, word);
    const struct fh_origin_op *op = entry ? entry->own : NULL;
    return op && op->watched & FH_ORIGIN_AFTER;
}

static void look(const struct fh_origins *o, const struct fh_origin_step *step,
                 void (*tell)(void *, const struct fh_origin_view *)) {
    const struct fh_origin_view view = {step->event, step->instruction,
                                        (struct fh_origin_op *)step->op, step->warp,
                                        (struct fh_origins *)o};
    if (step->event->active && tell)
        tell(o->watcher.user, &view);
}

static void instruction(struct fh_origins *o, const fhec_event *event) {
    const struct fh_code_entry *entry = fh_code_of(o->code, event);
    struct fh_warp_shadow *warp = entry ? fh_shadow_warp(&o->shadows, event) : NULL;
    if (!warp) {
        o->failed = true;
        return;
    }
    const struct fh_origin_op *op = entry->own;
    const struct fh_origin_step step = {event, &entry->instruction, op, warp, &o->copy};
    switch (event->kind) {
    case FHEC_EVENT_ISSUE:
        if (op->watched & FH_ORIGIN_BEFORE)
            look(o, &step, o->watcher.before);
        if (!fh_origin_op_accesses(op))
            o->failed |= !fh_origin_move(&step);
        break;
    case FHEC_EVENT_ACCESS:
        if (event->access.space == FHEC_SPACE_GLOBAL)
            meet_buffers(o, event);
        o->failed |= !fh_origin_access(&step);
        break;
    default: look(o, &step, o->watcher.after); break;
    }
}

static void observed(void *user, const fhec_event *event) {
    struct fh_origins *o = user;
    switch (event->kind) {
    case FHEC_EVENT_LAUNCH_BEGIN:
        fh_shadows_clear(&o->shadows);
        if (o->watcher.launch_begins)
            o->watcher.launch_begins(o->watcher.user, event);
        break;
    case FHEC_EVENT_WARP_END: fh_shadow_warp_ends(&o->shadows, event); break;
    case FHEC_EVENT_BLOCK_END: fh_shadow_block_ends(&o->shadows, event); break;
    default: instruction(o, event); break;
    }
}

/* ---------------------------------------------------------------- begin and end */

void fh_origins_pause(struct fh_origins *o) {
    for (size_t i = 0; i < 3; i++) {
        if (o->observers[i])
            (void)fhec_unobserve(o->machine, o->observers[i]);
        o->observers[i] = 0;
    }
}

fhec_status fh_origins_resume(struct fh_origins *o) {
    const fhec_observer moves = {
        .user = o,
        .filter = {.kinds =
                       FHEC_EVENT_BIT(FHEC_EVENT_ISSUE) | FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_BEGIN) |
                       FHEC_EVENT_BIT(FHEC_EVENT_WARP_END) | FHEC_EVENT_BIT(FHEC_EVENT_BLOCK_END),
                   .instruction = wants_moves},
        .event = observed,
    };
    const fhec_observer accesses = {
        .user = o,
        .filter = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_ACCESS), .instruction = wants_accesses},
        .event = observed,
    };
    const fhec_observer results = {
        .user = o,
        .filter = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_RETIRE), .instruction = wants_results},
        .event = observed,
    };
    fhec_status status = fhec_observe(o->machine, &moves, &o->observers[0]);
    if (status == FHEC_OK)
        status = fhec_observe(o->machine, &accesses, &o->observers[1]);
    if (status == FHEC_OK && o->watcher.after)
        status = fhec_observe(o->machine, &results, &o->observers[2]);
    if (status != FHEC_OK)
        fh_origins_pause(o);
    return status;
}

fhec_status fh_origins_begin(fhec_machine *machine, const struct fh_origin_watcher *watcher,
                             struct fh_origins **origins) {
    struct fh_origins *o = *origins = calloc(1, sizeof *o);
    if (!o)
        return FHEC_HOST_ERROR;
    o->machine = machine;
    o->watcher = *watcher;
    o->code = fh_code_new(sizeof(struct fh_origin_op), prepare);
    const fhec_status status = o->code ? fh_origins_resume(o) : FHEC_HOST_ERROR;
    if (status != FHEC_OK) {
        (void)fh_origins_end(o);
        *origins = NULL;
    }
    return status;
}

fhec_status fh_origins_end(struct fh_origins *o) {
    if (!o)
        return FHEC_OK;
    fh_origins_pause(o);
    const fhec_status status = o->failed ? FHEC_HOST_ERROR : FHEC_OK;
    fh_shadows_free(&o->shadows);
    fh_code_free(o->code);
    for (size_t i = 0; i < o->buffer_count; i++)
        free(o->buffers[i].name);
    free(o->buffers);
    free(o);
    return status;
}

/* ---------------------------------------------------------------- at one moment */

bool fh_origins_complete(const struct fh_origins *o) {
    return !o->failed;
}

uint64_t fh_origins_save(const struct fh_origins *o, struct fh_shadows *saved) {
    return fh_shadows_copy(saved, &o->shadows);
}

bool fh_origins_load(struct fh_origins *o, const struct fh_shadows *saved) {
    static const struct fh_shadows nothing;
    o->copy.lanes = 0;
    return fh_shadows_copy(&o->shadows, saved ? saved : &nothing) != 0;
}

const struct fh_warp_shadow *fh_origins_warp(const struct fh_origins *o, const uint32_t block[3],
                                             uint32_t warp) {
    return fh_shadow_find_warp(&o->shadows, block, warp);
}

/* It may be one that has executed nothing so far. */
static struct fh_warp_shadow *shadow_of(struct fh_origins *o, const struct fh_origin_warp *of) {
    fhec_event event = {.launch = of->launch, .warp = of->warp};
    memcpy(event.block, of->block, sizeof event.block);
    struct fh_warp_shadow *warp = fh_shadow_warp(&o->shadows, &event);
    o->failed |= !warp;
    return warp;
}

void fh_origins_set_register(struct fh_origins *o, const struct fh_origin_warp *of,
                             fhec_register_file file, uint32_t reg, uint32_t lanes) {
    struct fh_warp_shadow *w = shadow_of(o, of);
    const fh_origin number = fh_origin_make(FH_ORIGIN_NUMBER, 0);
    if (w && file == FHEC_FILE_UR && reg < FH_SHADOW_UNIFORM)
        w->ur[reg] = number;
    if (w && file == FHEC_FILE_R && reg < FH_SHADOW_ZERO) {
        fh_shadow_set(w, reg, lanes, number);
        w->written[reg] = UINT64_MAX;
    }
}

void fh_origins_set_shared(struct fh_origins *o, const struct fh_origin_warp *of, uint64_t address,
                           uint64_t bytes) {
    const struct fh_warp_shadow *w = shadow_of(o, of);
    struct fh_block_shadow *b = w ? w->of : NULL;
    for (uint64_t at = address; b && at < address + bytes && at / 4 < b->words; at++) {
        fh_origin_bytes word;
        fh_shadow_shared_get(b, at, word);
        word[at % 4] = fh_origin_make(FH_ORIGIN_NUMBER, 0);
        o->failed |= !fh_shadow_shared_set(b, at, word);
    }
}

/* ---------------------------------------------------------------- text */

/* "x[37]" where `offset` is a whole number of elements, else "x + 3 bytes". */
static int place_text(const char *name, uint64_t offset, uint32_t bits, uint32_t bit, char *text,
                      size_t size) {
    const uint64_t at = 8 * offset + bit;
    if (bits && at % bits == 0)
        return snprintf(text, size, "%s[%llu]", name, (unsigned long long)(at / bits));
    return snprintf(text, size, "%s + %llu bytes", name, (unsigned long long)offset);
}

int fh_origin_text(const struct fh_origins *o, fh_origin origin, uint32_t bits, uint32_t bit,
                   char *text, size_t size) {
    const struct fh_origin_buffer *buffer = fh_origins_buffer(o, origin);
    const unsigned long long offset = fh_origin_offset(origin);
    switch (fh_origin_kind_of(origin)) {
    case FH_ORIGIN_NONE: return snprintf(text, size, "nothing that was written");
    case FH_ORIGIN_GLOBAL:
        if (!buffer)
            return snprintf(text, size, "global memory at 0x%llx", offset);
        return place_text(buffer->name, offset - buffer->base, bits, bit, text, size);
    case FH_ORIGIN_SHARED: return place_text("shared", offset, bits, bit, text, size);
    case FH_ORIGIN_LOCAL: return place_text("local", offset, bits, bit, text, size);
    case FH_ORIGIN_CONSTANT:
        return snprintf(text, size, "c[0x%x][0x%llx]",
                        (unsigned)(origin >> FH_ORIGIN_BANK_SHIFT & 0xff), offset);
    case FH_ORIGIN_COMPUTED:
        return snprintf(text, size, "computed at 0x%llx", (unsigned long long)fh_origin_pc(origin));
    case FH_ORIGIN_NUMBER: return snprintf(text, size, "a number");
    case FH_ORIGIN_MIXED: break;
    }
    return snprintf(text, size, "of several places");
}
