/*
 * difference.c - see difference.h. The first trace is gone through in order. The record that
 * belongs to one of its records is the next one of the same warp of the same launch in the other
 * trace; what comes there in between is kept until its warp's turn.
 */
#include "difference.h"

#include "describe.h"
#include "warp_queues.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct comparison {
    struct fh_trace_log **logs;
    const struct fh_trace_select *select;
    uint32_t lanes;                /* whose values are compared */
    size_t most;                   /* warps that may differ */
    struct fh_trace_queues queues; /* of the second trace */
    struct fh_trace_difference *difference;
    bool told; /* where the instruction stands that differs */
    char *why;
};

/* The same instruction of a warp in both traces. */
struct pair {
    const struct fh_trace_record *is[2];
};

/* ---------------------------------------------------------------- records that belong together */

static fhec_status no_memory(struct comparison *c) {
    snprintf(c->why, FH_TRACE_WHY, "no host memory for comparing");
    return FHEC_HOST_ERROR;
}

/* The next instruction of a warp that is still compared, or NULL at the end of the trace. */
static fhec_status next(struct comparison *c, unsigned which, const struct fh_trace_record **r,
                        struct fh_trace_queue **queue) {
    const struct fh_trace_names *names = fh_trace_log_names(c->logs[which]);
    fhec_status status;
    for (;;) {
        status = fh_trace_log_next(c->logs[which], c->select, r, c->why);
        if (status != FHEC_OK || !*r)
            return status;
        if (!fh_trace_is_instruction(*r))
            continue;
        *queue = fh_trace_queue_of(&c->queues, names->launches[(*r)->launch].number, *r);
        if (!*queue)
            return no_memory(c);
        if (!(*queue)->closed)
            return FHEC_OK;
    }
}

/* What the second trace has next for the warp; *found is NULL if it has nothing. It is valid until
 * the next call; *kept is to be freed. */
static fhec_status partner(struct comparison *c, struct fh_trace_queue *queue,
                           const struct fh_trace_record **found, struct fh_trace_kept **kept) {
    struct fh_trace_queue *other;
    *kept = fh_trace_queue_take(queue);
    if (*kept) {
        *found = &(*kept)->record;
        return FHEC_OK;
    }
    for (;;) {
        fhec_status status = next(c, 1, found, &other);
        if (status != FHEC_OK || !*found || other == queue)
            return status;
        if (!fh_trace_queue_put(other, *found))
            return no_memory(c);
    }
}

/* ---------------------------------------------------------------- telling */

static struct fh_trace_bytes *text_of(struct comparison *c) {
    return &c->difference->text;
}

static void tell_where(struct comparison *c, unsigned which, const struct fh_trace_record *r) {
    struct fh_trace_names *names = fh_trace_log_names(c->logs[which]);
    const struct fh_trace_instruction *at = fh_trace_instruction_at(names, r->launch, r->pc);
    char text[256];
    fh_trace_instruction_text(names, r, text, sizeof text);
    fh_trace_print(text_of(c),
                   "launch %" PRIu64 ", kernel %s, block (%u,%u,%u), warp %u, pc 0x%04" PRIx64
                   ": %s",
                   names->launches[r->launch].number, fh_trace_kernel_of(names, r->launch)->name,
                   r->block[0], r->block[1], r->block[2], r->warp, r->pc, text);
    fh_trace_print_source(text_of(c), at);
    fh_trace_print(text_of(c), "\n");
    c->told = true;
}

/* A line about what differs follows. */
static struct fh_trace_bytes *line_about(struct comparison *c, const struct pair *p) {
    if (!c->told)
        tell_where(c, 0, p->is[0]);
    return text_of(c);
}

/* ---------------------------------------------------------------- registers */

/* The first lane in which the values differ; FHEC_WARP_LANES: none does. */
static uint32_t differing_lane(const struct comparison *c, const struct fh_trace_register *x,
                               const struct fh_trace_register *y, uint32_t active) {
    const uint32_t lanes = (x->read ? UINT32_MAX : active) & c->lanes;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (x->values[lane] != y->values[lane])
            return lane;
    }
    return FHEC_WARP_LANES;
}

static void compare_register(struct comparison *c, const struct pair *p,
                             const struct fh_trace_register *x, const struct fh_trace_register *y) {
    const bool by_lane = x->file == FHEC_FILE_R;
    const uint32_t lane = by_lane ? differing_lane(c, x, y, p->is[0]->active) : 0;
    char name[8];
    if (lane == FHEC_WARP_LANES || x->values[lane] == y->values[lane])
        return;
    fh_trace_register_name(x, name);
    struct fh_trace_bytes *to = line_about(c, p);
    fh_trace_print(to, "  %s%s", x->read ? "reads " : "", name);
    if (by_lane)
        fh_trace_print(to, ", lane %" PRIu32, lane);
    fh_trace_print(to, ": 0x%08" PRIx32 " and 0x%08" PRIx32 "\n", x->values[lane], y->values[lane]);
}

/* Those that are read, or those that are written: which they are follows from the instruction, but
 * not whether they have been recorded. */
static void compare_registers(struct comparison *c, const struct pair *p, bool read) {
    const struct fh_trace_record *a = p->is[0], *b = p->is[1];
    if (a->register_count != b->register_count) {
        if (!read)
            fh_trace_print(line_about(c, p), "  %zu and %zu registers are recorded\n",
                           a->register_count, b->register_count);
        return;
    }
    for (size_t i = 0; i < a->register_count; i++) {
        const struct fh_trace_register *x = &a->registers[i], *y = &b->registers[i];
        if (x->read != read)
            continue;
        if (x->file == y->file && x->number == y->number && x->read == y->read)
            compare_register(c, p, x, y);
        else
            fh_trace_print(line_about(c, p), "  other registers are recorded\n");
    }
}

/* ---------------------------------------------------------------- memory */

static void print_value(struct fh_trace_bytes *to, const uint32_t value[4][FHEC_WARP_LANES],
                        uint32_t bytes, uint32_t lane) {
    fh_trace_print(to, "0x");
    for (uint32_t i = (bytes + 3) / 4; i-- > 0;)
        fh_trace_print(to, "%08" PRIx32, value[i][lane]);
}

/* Addresses in the first trace and in the second may lie in buffers that were allocated otherwise:
 * what counts is where in which buffer they are. */
static bool same_address(const struct comparison *c, const struct pair *p,
                         const struct fh_trace_access *const access[2], uint32_t lane) {
    const struct fh_trace_object *objects[2];
    if (access[0]->address[lane] == access[1]->address[lane])
        return true;
    for (unsigned i = 0; i < 2; i++)
        objects[i] =
            fh_trace_object_at(fh_trace_log_names(c->logs[i]), access[i]->space, access[i]->bank,
                               p->is[i]->launch, access[i]->address[lane]);
    return objects[0] && objects[1] && strcmp(objects[0]->name, objects[1]->name) == 0 &&
           access[0]->address[lane] - objects[0]->base ==
               access[1]->address[lane] - objects[1]->base;
}

static bool same_value(const uint32_t x[4][FHEC_WARP_LANES], const uint32_t y[4][FHEC_WARP_LANES],
                       uint32_t bytes, uint32_t lane) {
    bool same = true;
    for (uint32_t i = 0; i < (bytes + 3) / 4; i++)
        same &= x[i][lane] == y[i][lane];
    return same;
}

static void print_address(struct comparison *c, const struct pair *p, unsigned which,
                          const struct fh_trace_access *access, uint32_t lane) {
    char object[160];
    fh_trace_object_text(fh_trace_log_names(c->logs[which]), p->is[which], access, lane, object,
                         sizeof object);
    fh_trace_print(text_of(c), "at 0x%" PRIx64 "%s%s", access->address[lane], *object ? ", " : "",
                   object);
}

/* What the accesses of one lane differ in; true: in nothing. */
static bool compare_lane(struct comparison *c, const struct pair *p,
                         const struct fh_trace_access *const access[2], uint32_t lane) {
    const struct fh_trace_access *x = access[0], *y = access[1];
    const bool address = same_address(c, p, access, lane);
    const bool old = !x->has_old || same_value(x->old, y->old, x->bytes, lane);
    if (address && old && same_value(x->value, y->value, x->bytes, lane))
        return true;
    struct fh_trace_bytes *to = line_about(c, p);
    fh_trace_print(to, "  %s %s of %u bytes, lane %u, ", fhec_space_name(x->space),
                   fh_trace_access_name(x->access), x->bytes, lane);
    print_address(c, p, 0, x, lane);
    if (address) {
        fh_trace_print(to, ": %s", old ? "" : "before it ");
        print_value(to, old ? x->value : x->old, x->bytes, lane);
        fh_trace_print(to, " and ");
        print_value(to, old ? y->value : y->old, x->bytes, lane);
    } else {
        fh_trace_print(to, " and ");
        print_address(c, p, 1, y, lane);
    }
    fh_trace_print(to, "\n");
    return false;
}

static void compare_access(struct comparison *c, const struct pair *p,
                           const struct fh_trace_access *x, const struct fh_trace_access *y) {
    const struct fh_trace_access *const access[2] = {x, y};
    bool same = true;
    if (x->space != y->space || x->access != y->access || x->bytes != y->bytes ||
        x->has_old != y->has_old || x->lanes != y->lanes) {
        fh_trace_print(line_about(c, p),
                       "  %s %s of %u bytes by lanes 0x%08" PRIx32
                       " and %s %s of %u bytes by lanes 0x%08" PRIx32 "\n",
                       fhec_space_name(x->space), fh_trace_access_name(x->access), x->bytes,
                       x->lanes, fhec_space_name(y->space), fh_trace_access_name(y->access),
                       y->bytes, y->lanes);
        return;
    }
    for (uint32_t rest = x->lanes & c->lanes; rest && same; rest &= rest - 1)
        same = compare_lane(c, p, access, (uint32_t)__builtin_ctz(rest));
}

static void compare_accesses(struct comparison *c, const struct pair *p) {
    const struct fh_trace_record *a = p->is[0], *b = p->is[1];
    for (size_t i = 0; i < a->access_count && i < b->access_count; i++)
        compare_access(c, p, &a->accesses[i], &b->accesses[i]);
    if (a->access_count != b->access_count)
        fh_trace_print(line_about(c, p), "  %zu and %zu accesses are recorded\n", a->access_count,
                       b->access_count);
}

/* ---------------------------------------------------------------- instructions */

static bool same_instruction(const struct comparison *c, const struct pair *p) {
    const struct fh_trace_record *a = p->is[0], *b = p->is[1];
    const struct fh_trace_names *x = fh_trace_log_names(c->logs[0]),
                                *y = fh_trace_log_names(c->logs[1]);
    const struct fh_trace_instruction *i = fh_trace_instruction_at(x, a->launch, a->pc),
                                      *j = fh_trace_instruction_at(y, b->launch, b->pc);
    return a->pc == b->pc && !i == !j &&
           (!i || (i->word.lo == j->word.lo && i->word.hi == j->word.hi)) &&
           strcmp(fh_trace_kernel_of(x, a->launch)->name, fh_trace_kernel_of(y, b->launch)->name) ==
               0;
}

static void compare_instruction(struct comparison *c, const struct pair *p) {
    const struct fh_trace_record *a = p->is[0], *b = p->is[1];
    if (!same_instruction(c, p)) {
        tell_where(c, 0, a);
        fh_trace_print(text_of(c), "and\n");
        tell_where(c, 1, b);
        return;
    }
    if (a->lanes != b->lanes || a->active != b->active || a->kind != b->kind)
        fh_trace_print(line_about(c, p),
                       "  lanes 0x%08" PRIx32 ", of which 0x%08" PRIx32
                       " execute it%s, and 0x%08" PRIx32 ", of which 0x%08" PRIx32 "%s\n",
                       a->lanes, a->active, a->kind == FHEC_EVENT_ISSUE ? " and fault" : "",
                       b->lanes, b->active, b->kind == FHEC_EVENT_ISSUE ? " fault" : "");
    compare_registers(c, p, true);
    if (a->lanes == b->lanes && a->active == b->active && a->kind == b->kind) {
        compare_accesses(c, p);
        compare_registers(c, p, false);
    }
}

/* One trace has an instruction that the other has not. */
static void tell_alone(struct comparison *c, unsigned which, const struct fh_trace_record *r) {
    tell_where(c, which, r);
    fh_trace_print(text_of(c), "  is in the %s trace only\n", which ? "second" : "first");
}

/* The warp differs if anything has been told of its instruction: no more of it is compared. */
static void end_instruction(struct comparison *c, struct fh_trace_queue *queue) {
    if (c->told) {
        c->difference->warps++;
        fh_trace_queue_close(queue);
    }
    c->told = false;
}

static bool goes_on(const struct comparison *c) {
    return c->difference->warps < c->most;
}

static fhec_status compare_first(struct comparison *c, unsigned *which) {
    struct fh_trace_queue *queue;
    struct pair p;
    fhec_status status;
    for (;;) {
        struct fh_trace_kept *kept;
        *which = 0;
        status = next(c, 0, &p.is[0], &queue);
        if (status != FHEC_OK || !p.is[0])
            return status;
        *which = 1;
        status = partner(c, queue, &p.is[1], &kept);
        if (status != FHEC_OK)
            return status;
        if (p.is[1])
            compare_instruction(c, &p);
        else
            tell_alone(c, 0, p.is[0]);
        fh_trace_kept_free(kept);
        end_instruction(c, queue);
        if (!goes_on(c))
            return FHEC_OK;
    }
}

/* What the second trace has that the first one has not. */
static fhec_status compare_rest(struct comparison *c) {
    const struct fh_trace_record *r = NULL;
    fhec_status status = FHEC_OK;
    for (struct fh_trace_queue *q = c->queues.first; q && goes_on(c); q = q->next) {
        if (!q->first)
            continue;
        tell_alone(c, 1, &q->first->record);
        end_instruction(c, q);
    }
    while (status == FHEC_OK && goes_on(c)) {
        struct fh_trace_queue *queue;
        status = next(c, 1, &r, &queue);
        if (status != FHEC_OK || !r)
            break;
        tell_alone(c, 1, r);
        end_instruction(c, queue);
    }
    return status;
}

fhec_status fh_trace_compare(struct fh_trace_log *logs[2], const struct fh_trace_select *select,
                             size_t most, struct fh_trace_difference *difference, unsigned *which,
                             char *why) {
    struct comparison c = {.logs = logs,
                           .select = select,
                           .lanes = fh_trace_select_lanes(select),
                           .most = most,
                           .difference = difference,
                           .why = why};
    *difference = (struct fh_trace_difference){.warps = 0};
    fhec_status status = compare_first(&c, which);
    if (status == FHEC_OK && goes_on(&c)) {
        *which = 1;
        status = compare_rest(&c);
    }
    if (status == FHEC_OK && difference->text.failed)
        status = no_memory(&c);
    fh_trace_queues_free(&c.queues);
    return status;
}
