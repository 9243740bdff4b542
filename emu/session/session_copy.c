/* session_copy.c - see session_copy.h. */
#include "session_copy.h"

#include <stdlib.h>
#include <string.h>

static void *duplicate(const void *bytes, size_t size) {
    void *copy = malloc(size + 1);
    if (copy && size)
        memcpy(copy, bytes, size);
    return copy;
}

static size_t counts_bytes(const fhec_session *s) {
    return (s->image.count + 1u) * sizeof *s->launch.counts;
}

static bool copy_blocks(struct fh_session_copy *c, const fhec_session *s) {
    c->blocks = calloc(s->residents.count + 1, sizeof(*c->blocks));
    for (size_t i = 0; c->blocks && i < s->residents.count; i++) {
        c->blocks[i] = fh_block_copy_make(s->residents.blocks[i]);
        if (!c->blocks[i])
            return false;
        c->count++;
    }
    return c->blocks != NULL;
}

/* Bank 0, and what else belongs to the launch. */
static bool copy_banks(struct fh_session_copy *c, const fhec_session *s) {
    for (unsigned i = 0; i < FH_BANKS; i++) {
        const struct fh_bank *bank = &s->image.banks[i];
        if ((i == 0 || s->image.own[i]) && !(c->banks[i] = duplicate(bank->bytes, bank->size)))
            return false;
    }
    return true;
}

static bool copy_rest(struct fh_session_copy *c, const fhec_session *s) {
    const size_t told = s->event_next;
    c->event_count = s->event_count - told;
    c->params = duplicate(s->params, s->asked.param_bytes);
    c->events = duplicate(s->events ? s->events + told : NULL,
                          s->events ? c->event_count * sizeof *c->events : 0);
    c->words = s->unpatched ? duplicate(s->image.words, s->image.count * sizeof *c->words) : NULL;
    c->counts = s->launch.counts ? duplicate(s->launch.counts, counts_bytes(s)) : NULL;
    c->counting = s->counting;
    c->counted = s->observation.counts != NULL;
    c->asked.params = c->params;
    return c->params && c->events && (c->counts || !s->launch.counts) &&
           (c->words || !s->unpatched);
}

struct fh_session_copy *fh_session_copy_make(const fhec_session *s) {
    struct fh_session_copy *c = malloc(sizeof *c);
    if (!c)
        return NULL;
    *c = (struct fh_session_copy){
        .id = s->id,
        .asked = s->asked,
        .residents = s->residents,
        .steps = s->launch.steps,
        .array_cycles = s->launch.array_cycles,
        .tracked = s->launch.tracked,
        .changed = s->launch.changed,
        .spinning = s->launch.spinning,
        .over = s->over,
        .at_fault = s->at_fault,
        .touched = fh_session_touched(s),
        .serial = s->serial,
    };
    if (copy_blocks(c, s) && copy_banks(c, s) && copy_rest(c, s))
        return c;
    fh_session_copy_free(c);
    return NULL;
}

void fh_session_copy_free(struct fh_session_copy *c) {
    if (!c)
        return;
    for (size_t i = 0; i < c->count; i++)
        fh_block_copy_free(c->blocks[i]);
    for (unsigned i = 0; i < FH_BANKS; i++)
        free(c->banks[i]);
    free(c->blocks);
    free(c->params);
    free(c->counts);
    free(c->events);
    free(c->words);
    free(c);
}

/* ---------------------------------------------------------------- restoring */

/* Those of the session's blocks that are as copies have them become those copies' blocks again. */
static void keep_blocks(const struct fh_session_copy *c, const fhec_session *s,
                        struct fh_session_parts *parts) {
    struct fh_block *const *resident = s->residents.blocks;
    for (size_t i = 0; i < s->residents.count; i++)
        if (resident[i]->copy)
            fh_block_copy_note(resident[i]->copy, i);
    for (size_t k = 0; k < c->count; k++) {
        const size_t i = fh_block_copy_noted(c->blocks[k]);
        if (i >= s->residents.count || parts->used[i] ||
            !fh_block_copy_is(c->blocks[k], resident[i]))
            continue;
        parts->blocks[k] = resident[i];
        parts->used[i] = true;
    }
}

/* The copy's code, if one of both is patched. */
static bool find_code(const struct fh_session_copy *c, fhec_session *s,
                      struct fh_session_parts *parts) {
    const size_t bytes = s->image.count * sizeof *s->unpatched;
    const fhec_word *words = c->words ? c->words : s->unpatched;
    if (!words)
        return true;
    if (!s->unpatched && !(s->unpatched = duplicate(s->image.words, bytes)))
        return false;
    parts->code = fh_session_code(s, words);
    return parts->code != NULL;
}

bool fh_session_copy_prepare(const struct fh_session_copy *c, fhec_session *s,
                             struct fh_session_parts *parts) {
    size_t next = 0;
    *parts = (struct fh_session_parts){
        .blocks = calloc(c->count + 1, sizeof(*parts->blocks)),
        .used = calloc(s->residents.count + 1, sizeof *parts->used),
        .fresh = calloc(c->count + 1, sizeof(*parts->fresh)),
        .events = duplicate(c->events, c->event_count * sizeof *c->events),
    };
    bool fine = parts->blocks && parts->used && parts->fresh && parts->events &&
                fh_grow(&s->residents.blocks, &s->residents.room, c->count + 1,
                        sizeof(*s->residents.blocks));
    for (unsigned i = 1; i < FH_BANKS && fine; i++)
        fine = !c->banks[i] || fh_image_own_bank(&s->image, i);
    if (fine)
        keep_blocks(c, s, parts);
    for (size_t k = 0; k < c->count && fine; k++) {
        while (!parts->blocks[k] && next < s->residents.count && parts->used[next])
            next++;
        if (!parts->blocks[k] && next < s->residents.count) {
            parts->used[next] = true;
            parts->blocks[k] = s->residents.blocks[next++];
        } else if (!parts->blocks[k]) {
            parts->blocks[k] = parts->fresh[parts->fresh_count] = fh_block_new(&s->launch);
            parts->fresh_count += parts->blocks[k] != NULL;
        }
        fine = parts->blocks[k] && fh_block_copy_prepare(c->blocks[k], parts->blocks[k]);
    }
    fine = fine && find_code(c, s, parts);
    if (!fine)
        fh_session_parts_free(parts);
    return fine;
}

void fh_session_parts_free(struct fh_session_parts *parts) {
    for (size_t k = 0; k < parts->fresh_count; k++)
        fh_block_free(parts->fresh[k]);
    free(parts->blocks);
    free(parts->used);
    free(parts->fresh);
    free(parts->events);
}

static void restore_blocks(const struct fh_session_copy *c, fhec_session *s,
                           struct fh_session_parts *parts) {
    struct fh_residents *t = &s->residents;
    const struct fh_residents old = *t;
    for (size_t i = 0; i < t->count; i++)
        if (!parts->used[i])
            fh_block_free(t->blocks[i]);
    *t = c->residents;
    t->launch = old.launch;
    t->blocks = old.blocks;
    t->room = old.room;
    t->spare = old.spare;
    fh_order_keep(&t->order, &old.order);
    for (size_t k = 0; k < c->count; k++) {
        t->blocks[k] = parts->blocks[k];
        fh_block_copy_restore(c->blocks[k], t->blocks[k]);
    }
    parts->fresh_count = 0; /* they are the session's now */
}

/* A bank that was not changed when the copy was made has the kernel's bytes again. */
static void restore_banks(const struct fh_session_copy *c, fhec_session *s) {
    struct fh_image *image = &s->image;
    memcpy(image->bank0, c->banks[0], image->banks[0].size);
    for (unsigned i = 0; i < image->code->bank_count; i++) {
        const struct fh_constant_bank *b = &image->code->banks[i];
        if (b->bank > 0 && b->bank < FH_BANKS && image->own[b->bank])
            memcpy(image->own[b->bank], c->banks[b->bank] ? c->banks[b->bank] : b->bytes, b->size);
    }
}

void fh_session_copy_restore(const struct fh_session_copy *c, fhec_session *s,
                             struct fh_session_parts *parts) {
    if (parts->code)
        fh_session_take_code(s, parts->code);
    restore_blocks(c, s, parts);
    restore_banks(c, s);
    s->id = c->id;
    s->launch.steps = c->steps;
    s->launch.array_cycles = c->array_cycles;
    s->launch.tracked = c->tracked;
    s->launch.changed = c->changed;
    s->launch.spinning = c->spinning;
    s->launch.fault = (struct fh_fault_record){0};
    s->over = c->over;
    s->at_fault = c->at_fault;
    s->touched = c->touched;
    s->untouched = s->machine->changes;
    s->serial = c->serial;
    if (s->launch.counts && c->counts)
        memcpy(s->launch.counts, c->counts, counts_bytes(s));
    else if (s->launch.counts)
        memset(s->launch.counts, 0, counts_bytes(s));
    s->observation.counts = c->counted ? s->launch.counts : NULL;
    free(s->events);
    s->events = parts->events; /* with room for these only */
    s->stale = true;
    s->event_count = c->event_count;
    s->event_next = 0;
    parts->events = NULL;
    fh_session_parts_free(parts);
    s->changes = s->machine->changes;
    fh_session_refresh(s);
}
