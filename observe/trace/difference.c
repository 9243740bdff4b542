/*
 * difference.c - see difference.h. The first trace is gone through in order. The record that
 * belongs to one of its records is the next one of the same warp of the same launch in the other
 * trace; what comes there in between is kept until its warp's turn.
 */
#include "difference.h"

#include "text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A record that waits for the one that belongs to it. */
struct waiting {
    struct fh_trace_record record; /* with its own registers and accesses */
    struct waiting *next;
};

struct comparison {
    struct fh_trace_log **logs;
    const struct fh_trace_select *select;
    struct waiting *first, **end; /* of the second trace, in its order */
    size_t count[2];              /* instructions seen so far */
    struct fh_trace_difference *difference;
    size_t used;
    char *why;
};

/* ---------------------------------------------------------------- records that belong together */

static uint64_t launch_number(struct fh_trace_log *log, const struct fh_trace_record *r) {
    return fh_trace_log_names(log)->launches[r->launch].number;
}

static bool same_warp(const struct comparison *c, const struct fh_trace_record *a,
                      const struct fh_trace_record *b) {
    return launch_number(c->logs[0], a) == launch_number(c->logs[1], b) &&
           memcmp(a->block, b->block, sizeof a->block) == 0 && a->warp == b->warp;
}

static void *copy_of(const void *bytes, size_t size) {
    void *copy = malloc(size + 1);
    if (copy && size)
        memcpy(copy, bytes, size);
    return copy;
}

static void waiting_free(struct waiting *w) {
    fh_trace_record_free(&w->record);
    free(w);
}

static bool keep(struct comparison *c, const struct fh_trace_record *r) {
    struct waiting *w = calloc(1, sizeof *w);
    if (!w)
        return false;
    w->record = *r;
    w->record.registers = copy_of(r->registers, r->register_count * sizeof *r->registers);
    w->record.accesses = copy_of(r->accesses, r->access_count * sizeof *r->accesses);
    if (!w->record.registers || !w->record.accesses) {
        waiting_free(w);
        return false;
    }
    *c->end = w;
    c->end = &w->next;
    return true;
}

/* The next instruction, or NULL at the end of the trace. */
static fhec_status next(struct comparison *c, unsigned which, const struct fh_trace_record **r) {
    fhec_status status;
    do
        status = fh_trace_log_next(c->logs[which], c->select, r, c->why);
    while (status == FHEC_OK && *r && !fh_trace_is_instruction(*r));
    c->count[which] += status == FHEC_OK && *r;
    return status;
}

/* What the second trace has for the record of the first; *found is NULL if it has nothing. It is
 * valid until the next call; *kept is to be freed. */
static fhec_status partner(struct comparison *c, const struct fh_trace_record *r,
                           const struct fh_trace_record **found, struct waiting **kept) {
    *kept = NULL;
    for (struct waiting **at = &c->first; *at; at = &(*at)->next) {
        struct waiting *w = *at;
        if (!same_warp(c, r, &w->record))
            continue;
        *at = w->next;
        c->end = *at ? c->end : at;
        *kept = w;
        *found = &w->record;
        return FHEC_OK;
    }
    for (;;) {
        fhec_status status = next(c, 1, found);
        if (status != FHEC_OK || !*found || same_warp(c, r, *found))
            return status;
        if (!keep(c, *found)) {
            snprintf(c->why, FH_TRACE_WHY, "no host memory for what the traces order differently");
            return FHEC_HOST_ERROR;
        }
    }
}

/* ---------------------------------------------------------------- telling */

__attribute__((format(printf, 2, 3))) static void say(struct comparison *c, const char *format,
                                                      ...) {
    struct fh_trace_difference *d = c->difference;
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(d->text + c->used, sizeof d->text - c->used, format, arguments);
    va_end(arguments);
    c->used += n > 0 ? (size_t)n : 0;
    c->used = c->used < sizeof d->text ? c->used : sizeof d->text - 1;
    d->found = true;
}

static void say_where(struct comparison *c, unsigned which, const struct fh_trace_record *r) {
    struct fh_trace_names *names = fh_trace_log_names(c->logs[which]);
    const struct fh_trace_instruction *at = fh_trace_instruction_at(names, r->launch, r->pc);
    char text[256];
    fh_trace_instruction_text(names, r, text, sizeof text);
    say(c, "launch %" PRIu64 ", kernel %s, block (%u,%u,%u), warp %u, pc 0x%04" PRIx64 ": %s",
        names->launches[r->launch].number, fh_trace_kernel_of(names, r->launch)->name, r->block[0],
        r->block[1], r->block[2], r->warp, r->pc, text);
    if (at && at->file)
        say(c, "  // %s:%" PRIu32, at->file, at->line);
    say(c, "\n");
}

/* ---------------------------------------------------------------- comparing */

static void compare_registers(struct comparison *c, const struct fh_trace_record *a,
                              const struct fh_trace_record *b) {
    for (size_t i = 0; i < a->register_count && i < b->register_count; i++) {
        const struct fh_trace_register *x = &a->registers[i], *y = &b->registers[i];
        const bool lanes = x->file == FHEC_FILE_R;
        char name[8];
        if (x->file != y->file || x->number != y->number || x->read != y->read)
            break;
        fh_trace_register_name(x, name);
        for (uint32_t lane = 0; lane < (lanes ? FHEC_WARP_LANES : 1); lane++) {
            const bool acts = !lanes || x->read || a->active >> lane & 1;
            if (!acts || x->values[lane] == y->values[lane])
                continue;
            say_where(c, 0, a);
            say(c, "  %s%s", x->read ? "reads " : "", name);
            if (lanes)
                say(c, ", lane %" PRIu32, lane);
            say(c, ": 0x%08" PRIx32 " and 0x%08" PRIx32 "\n", x->values[lane], y->values[lane]);
            return;
        }
    }
    if (a->register_count != b->register_count) {
        say_where(c, 0, a);
        say(c, "  %zu and %zu registers are recorded\n", a->register_count, b->register_count);
    }
}

static void value_text(const uint32_t value[4][FHEC_WARP_LANES], uint32_t bytes, uint32_t lane,
                       char text[40]) {
    int used = snprintf(text, 40, "0x");
    for (uint32_t i = (bytes + 3) / 4; i-- > 0;)
        used += snprintf(text + used, 40 - (size_t)used, "%08" PRIx32, value[i][lane]);
}

/* Addresses in the first trace and in the second may lie in buffers that were allocated otherwise:
 * what counts is where in which buffer they are. */
static bool same_address(struct comparison *c, const struct fh_trace_record *a,
                         const struct fh_trace_record *b, const struct fh_trace_access *x,
                         const struct fh_trace_access *y, uint32_t lane) {
    const struct fh_trace_record *records[2] = {a, b};
    const struct fh_trace_access *accesses[2] = {x, y};
    const struct fh_trace_object *objects[2];
    if (x->address[lane] == y->address[lane])
        return true;
    for (unsigned i = 0; i < 2; i++)
        objects[i] = fh_trace_object_at(
            fh_trace_log_names(c->logs[i]), accesses[i]->space, accesses[i]->bank,
            accesses[i]->space == FHEC_SPACE_CONSTANT ? records[i]->launch : 0,
            accesses[i]->address[lane]);
    return objects[0] && objects[1] && strcmp(objects[0]->name, objects[1]->name) == 0 &&
           x->address[lane] - objects[0]->base == y->address[lane] - objects[1]->base;
}

static bool same_value(const uint32_t x[4][FHEC_WARP_LANES], const uint32_t y[4][FHEC_WARP_LANES],
                       uint32_t bytes, uint32_t lane) {
    bool same = true;
    for (uint32_t i = 0; i < (bytes + 3) / 4; i++)
        same &= x[i][lane] == y[i][lane];
    return same;
}

/* What the accesses of one lane differ in. */
static bool compare_lane(struct comparison *c, const struct fh_trace_record *a,
                         const struct fh_trace_record *b, const struct fh_trace_access *x,
                         const struct fh_trace_access *y, uint32_t lane) {
    char object[160], values[2][40];
    const bool address = same_address(c, a, b, x, y, lane);
    const bool old = !x->has_old || same_value(x->old, y->old, x->bytes, lane);
    if (address && old && same_value(x->value, y->value, x->bytes, lane))
        return true;
    fh_trace_object_text(fh_trace_log_names(c->logs[0]), a, x, lane, object, sizeof object);
    say_where(c, 0, a);
    say(c, "  %s %s of %u bytes, lane %u, at 0x%" PRIx64 "%s%s", fhec_space_name(x->space),
        fh_trace_access_name(x->access), x->bytes, lane, x->address[lane], *object ? ", " : "",
        object);
    if (!address) {
        fh_trace_object_text(fh_trace_log_names(c->logs[1]), b, y, lane, object, sizeof object);
        say(c, " and at 0x%" PRIx64 "%s%s\n", y->address[lane], *object ? ", " : "", object);
        return false;
    }
    value_text(old ? x->value : x->old, x->bytes, lane, values[0]);
    value_text(old ? y->value : y->old, x->bytes, lane, values[1]);
    say(c, ": %s%s and %s\n", old ? "" : "before it ", values[0], values[1]);
    return false;
}

static void compare_accesses(struct comparison *c, const struct fh_trace_record *a,
                             const struct fh_trace_record *b) {
    for (size_t i = 0; i < a->access_count && i < b->access_count; i++) {
        const struct fh_trace_access *x = &a->accesses[i], *y = &b->accesses[i];
        if (x->space != y->space || x->access != y->access || x->bytes != y->bytes ||
            x->has_old != y->has_old || x->lanes != y->lanes) {
            say_where(c, 0, a);
            say(c,
                "  %s %s of %u bytes by lanes 0x%08" PRIx32 " and %s %s of %u bytes by lanes "
                "0x%08" PRIx32 "\n",
                fhec_space_name(x->space), fh_trace_access_name(x->access), x->bytes, x->lanes,
                fhec_space_name(y->space), fh_trace_access_name(y->access), y->bytes, y->lanes);
            return;
        }
        for (uint32_t rest = x->lanes; rest; rest &= rest - 1)
            if (!compare_lane(c, a, b, x, y, (uint32_t)__builtin_ctz(rest)))
                return;
    }
    if (a->access_count != b->access_count) {
        say_where(c, 0, a);
        say(c, "  %zu and %zu accesses are recorded\n", a->access_count, b->access_count);
    }
}

static bool same_instruction(struct comparison *c, const struct fh_trace_record *a,
                             const struct fh_trace_record *b) {
    const struct fh_trace_names *x = fh_trace_log_names(c->logs[0]),
                                *y = fh_trace_log_names(c->logs[1]);
    const struct fh_trace_instruction *i = fh_trace_instruction_at(x, a->launch, a->pc),
                                      *j = fh_trace_instruction_at(y, b->launch, b->pc);
    return a->pc == b->pc && !i == !j &&
           (!i || (i->word.lo == j->word.lo && i->word.hi == j->word.hi)) &&
           strcmp(fh_trace_kernel_of(x, a->launch)->name, fh_trace_kernel_of(y, b->launch)->name) ==
               0;
}

static void compare(struct comparison *c, const struct fh_trace_record *a,
                    const struct fh_trace_record *b) {
    if (!same_instruction(c, a, b)) {
        say_where(c, 0, a);
        say(c, "and\n");
        say_where(c, 1, b);
    } else if (a->lanes != b->lanes || a->active != b->active || a->kind != b->kind) {
        say_where(c, 0, a);
        say(c,
            "  lanes 0x%08" PRIx32 ", of which 0x%08" PRIx32 " execute it%s, and 0x%08" PRIx32
            ", of which 0x%08" PRIx32 "%s\n",
            a->lanes, a->active, a->kind == FHEC_EVENT_ISSUE ? " and fault" : "", b->lanes,
            b->active, b->kind == FHEC_EVENT_ISSUE ? " fault" : "");
    } else {
        compare_registers(c, a, b);
        if (!c->difference->found)
            compare_accesses(c, a, b);
    }
}

/* One trace has an instruction that the other has not. */
static void say_alone(struct comparison *c, unsigned which, const struct fh_trace_record *r) {
    say_where(c, which, r);
    say(c, "  is in the %s trace only\n", which ? "second" : "first");
}

fhec_status fh_trace_compare(struct fh_trace_log *logs[2], const struct fh_trace_select *select,
                             struct fh_trace_difference *difference, unsigned *which, char *why) {
    struct comparison c = {.logs = logs, .select = select, .difference = difference, .why = why};
    const struct fh_trace_record *a, *b = NULL;
    fhec_status status;
    c.end = &c.first;
    difference->found = false;
    *which = 0;
    while ((status = next(&c, 0, &a)) == FHEC_OK && a && !difference->found) {
        struct waiting *kept;
        *which = 1;
        status = partner(&c, a, &b, &kept);
        if (status != FHEC_OK)
            break;
        if (b)
            compare(&c, a, b);
        else
            say_alone(&c, 0, a);
        if (kept)
            waiting_free(kept);
        *which = 0;
    }
    if (status == FHEC_OK && !difference->found) { /* the second one may have more */
        *which = 1;
        b = c.first ? &c.first->record : NULL;
        if (!b)
            status = next(&c, 1, &b);
        if (status == FHEC_OK && b)
            say_alone(&c, 1, b);
    }
    while (c.first) {
        struct waiting *following = c.first->next;
        waiting_free(c.first);
        c.first = following;
    }
    return status;
}
