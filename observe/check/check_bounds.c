/*
 * check_bounds.c - see check_bounds.h.
 */
#include "check_bounds.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "address_memory.h"
#include "allocated.h"
#include "finding_ids.h"
#include "provenance.h"
#include "watching.h"

enum { WARP_SLOTS = 256 };

struct checker {
    struct fh_watching watch;
    struct fh_allocations allocations;
    struct fh_origin_params params;
    struct fh_number_map shared; /* of the launch: address_memory.h */
    struct fh_origin_warp *warps[WARP_SLOTS], *last;
    /* Of the instruction that is under way: */
    struct fh_origin_extra extra;
};

/* What an origin stands for. */
struct object {
    const char *name;
    fhec_space space;
    uint64_t base, bytes;
};

/* ---------------------------------------------------------------- launches and warps */

static void forget_params(struct fh_origin_params *params) {
    free(params->words);
    free(params->constants);
    free(params->named);
    *params = (struct fh_origin_params){0};
}

static uint16_t origin_of(const fhec_variable_use *use) {
    const size_t room =
        use->shared ? FH_ORIGIN_VARIABLE - FH_ORIGIN_SHARED : FH_ORIGIN_MIXED - FH_ORIGIN_VARIABLE;
    if (use->variable >= room)
        return FH_ORIGIN_MIXED;
    return (uint16_t)((use->shared ? FH_ORIGIN_SHARED : FH_ORIGIN_VARIABLE) + use->variable);
}

static void name_word(struct fh_origin_params *params, const fhec_variable_use *use) {
    uint16_t *named = &params->named[use->word];
    *named = *named && *named != origin_of(use) ? FH_ORIGIN_MIXED : origin_of(use);
}

/* The variables whose addresses stand in the code and in constants. A constant has two words. */
static bool take_uses(struct fh_origin_params *params, const fhec_variable_use *uses,
                      size_t count) {
    for (size_t i = 0; i < count; i++)
        if (uses[i].in_code && uses[i].word >= params->named_count)
            params->named_count = (size_t)uses[i].word + 1;
    params->named = calloc(params->named_count + 1, sizeof *params->named);
    params->constants = calloc(2 * count + 1, sizeof *params->constants);
    for (size_t i = 0; params->named && params->constants && i < count; i++) {
        if (uses[i].in_code) {
            name_word(params, &uses[i]);
            continue;
        }
        for (uint32_t half = 0; half < 8; half += 4)
            params->constants[params->constant_count++] = (struct fh_origin_constant){
                uses[i].bank, uses[i].offset + half, origin_of(&uses[i])};
    }
    return params->named && params->constants;
}

static bool find_uses(struct fh_origin_params *params, const fhec_launch *launch) {
    const size_t count = fhec_kernel_variable_uses(launch->program, launch->kernel, NULL, 0);
    fhec_variable_use *uses = calloc(count + 1, sizeof *uses);
    if (uses)
        (void)fhec_kernel_variable_uses(launch->program, launch->kernel, uses, count);
    const bool good = uses && take_uses(params, uses, count);
    free(uses);
    return good;
}

static void begin_launch(struct checker *c, const fhec_launch *launch) {
    const size_t count = launch->param_bytes / 4;
    c->extra.loaded = false;
    forget_params(&c->params);
    c->params.words = calloc(count + 1, sizeof *c->params.words);
    c->params.count = count;
    if (!find_uses(&c->params, launch) || !c->params.words) {
        forget_params(&c->params);
        c->watch.failed = true;
    }
    for (size_t i = 0; c->params.words && i + 1 < count; i += 2) {
        uint64_t value;
        memcpy(&value, (const uint8_t *)launch->params + 4 * i, sizeof value);
        const struct fh_allocated *x = fh_allocations_at(&c->allocations, value);
        if (x && x->number < FH_ORIGIN_SHARED)
            c->params.words[i] = c->params.words[i + 1] = (uint16_t)x->number;
    }
}

static struct fh_origin_warp **slot_of(struct checker *c, const fhec_event *event) {
    const uint32_t hash = event->block[0] + 31 * event->block[1] + 61 * event->block[2];
    return &c->warps[(hash * 32 + event->warp) % WARP_SLOTS];
}

static struct fh_origin_warp **find_warp(struct checker *c, const fhec_event *event) {
    struct fh_origin_warp **at = slot_of(c, event);
    while (*at && ((*at)->warp != event->warp ||
                   memcmp((*at)->block, event->block, sizeof event->block) != 0))
        at = &(*at)->next;
    return at;
}

static struct fh_origin_warp *warp_of(struct checker *c, const fhec_event *event) {
    if (c->last && c->last->warp == event->warp &&
        memcmp(c->last->block, event->block, sizeof event->block) == 0)
        return c->last;
    struct fh_origin_warp **at = find_warp(c, event);
    if (!*at) {
        struct fh_origin_warp *made = calloc(1, sizeof *made);
        c->watch.failed |= !made;
        if (!made)
            return NULL;
        memcpy(made->block, event->block, sizeof made->block);
        made->warp = event->warp;
        *at = made;
    }
    c->last = *at;
    return *at;
}

static void free_warp(struct fh_origin_warp *w) {
    fh_number_map_clear(&w->local, free);
    free(w);
}

static void end_warp(struct checker *c, const fhec_event *event) {
    struct fh_origin_warp **at = find_warp(c, event), *ended = *at;
    if (!ended)
        return;
    *at = ended->next;
    free_warp(ended);
    c->last = NULL;
}

static void end_warps(struct checker *c) {
    for (size_t i = 0; i < WARP_SLOTS; i++) {
        for (struct fh_origin_warp *w = c->warps[i], *next; w; w = next) {
            next = w->next;
            free_warp(w);
        }
        c->warps[i] = NULL;
    }
    fh_number_map_clear(&c->shared, free);
    c->last = NULL;
}

/* ---------------------------------------------------------------- findings */

static bool object_of(const struct checker *c, const fhec_event *event, uint16_t origin,
                      struct object *object) {
    const fhec_program *program = event->launch->program;
    fhec_shared_info shared;
    fhec_variable_info variable;
    if (!origin || origin == FH_ORIGIN_MIXED)
        return false;
    if (origin < FH_ORIGIN_SHARED) {
        const struct fh_allocated *x = c->allocations.numbered[origin - 1];
        *object = (struct object){x->name, FHEC_SPACE_GLOBAL, x->base, x->bytes};
        return true;
    }
    if (origin < FH_ORIGIN_VARIABLE) {
        if (!fhec_kernel_shared(program, event->launch->kernel, origin - FH_ORIGIN_SHARED, &shared))
            return false;
        *object = (struct object){shared.name, FHEC_SPACE_SHARED, shared.offset, shared.bytes};
        return true;
    }
    const size_t index = origin - FH_ORIGIN_VARIABLE;
    uint64_t base;
    if (fhec_variable_get(program, index, &variable) != FHEC_OK || variable.constant ||
        fhec_variable_address(c->watch.machine, program, index, &base) != FHEC_OK)
        return false;
    *object = (struct object){variable.name, FHEC_SPACE_GLOBAL, base, variable.bytes};
    return true;
}

static void say(struct checker *c, const fhec_event *event, const struct object *of, uint32_t lane,
                uint32_t lanes) {
    const uint64_t address = event->access.address[lane], end = of->base + of->bytes;
    struct fh_finding finding = {.at = fh_place_of(event),
                                 .has_memory = true,
                                 .space = event->access.space,
                                 .address = address};
    const bool named = fhec_event_object(event, lane, &finding.object) &&
                       strncmp(finding.object.name, ".nv.", 4) != 0;
    char where[160];
    finding.kind = named ? FH_FINDING_ANOTHER_OBJECT : FH_FINDING_BEYOND_OBJECT;
    finding.at.lanes = lanes;
    if (fh_findings_again(c->watch.findings, finding.kind, &finding.at, NULL))
        return;
    if (address < of->base)
        snprintf(where, sizeof where, "%" PRIu64 " bytes before its beginning", of->base - address);
    else if (address < end)
        snprintf(where, sizeof where, "%" PRIu64 " bytes before its end, and takes %u",
                 end - address, event->access.bytes);
    else
        snprintf(where, sizeof where, "%" PRIu64 " bytes past its end", address - end);
    snprintf(finding.message, sizeof finding.message,
             "the address of lane %u is counted from %s (%" PRIu64
             " bytes of %s memory) and is %s, in %s; expected it to stay in %s",
             lane, of->name, of->bytes, fhec_space_name(of->space), where,
             named ? finding.object.name : "no variable", of->name);
    c->watch.failed |= !fh_findings_add(c->watch.findings, &finding);
}

/* Each object that some lanes count from, and do not end in. */
static void check_access(struct checker *c, const fhec_event *event, const struct fh_origin_warp *w,
                         const fhec_operand *operand, uint16_t immediate) {
    uint16_t seen = 0;
    struct object of = {0};
    uint32_t lanes = 0, first = 0;
    bool known = false;
    for (uint32_t left = event->lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const uint16_t origin = fh_origin_address(w, operand, immediate, lane);
        if (origin != seen) {
            if (lanes)
                say(c, event, &of, first, lanes);
            lanes = 0;
            seen = origin;
            known = object_of(c, event, origin, &of) && of.space == event->access.space;
        }
        const uint64_t at = event->access.address[lane] - of.base;
        if (!known || (at < of.bytes && event->access.bytes <= of.bytes - at))
            continue;
        first = lanes ? first : lane;
        lanes |= UINT32_C(1) << lane;
    }
    if (lanes)
        say(c, event, &of, first, lanes);
}

/* ---------------------------------------------------------------- constants */

/* Where the variable that a lane's access went to begins in the bank; false if it has no name. */
static bool constant_of(const fhec_event *event, uint32_t lane, struct object *object) {
    fhec_object found;
    if (!fhec_event_object(event, lane, &found))
        return false;
    *object = (struct object){found.name, FHEC_SPACE_CONSTANT,
                              event->access.address[lane] - found.offset, found.size};
    return true;
}

/* c[bank][R + number]: the number lies in one variable of the bank, and some lanes end there. The
 * others do, too, unless a number in the index leads from one variable to another. */
static void see_constant(void *user, const fhec_event *event) {
    struct checker *c = user;
    const struct fh_code_entry *entry = fh_code_of(c->watch.code, event);
    const struct fh_origin_warp *w = entry && c->params.words ? warp_of(c, event) : NULL;
    const fhec_operand *o = NULL;
    c->watch.failed |= !entry;
    for (uint32_t i = 0; w && i < entry->instruction.operand_count; i++)
        if (entry->instruction.operands[i].kind == FHEC_OPERAND_CONSTANT)
            o = &entry->instruction.operands[i];
    if (!o || !o->bank || event->access.space != FHEC_SPACE_CONSTANT || fh_origin_numbers(w, o))
        return;
    struct object of = {0};
    bool known = false;
    for (uint32_t left = event->lanes; left && !known; left &= left - 1)
        known = constant_of(event, (uint32_t)__builtin_ctz(left), &of) &&
                (uint64_t)o->value - of.base < of.bytes;
    uint32_t lanes = 0;
    for (uint32_t left = event->lanes; left && known; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const uint64_t at = event->access.address[lane] - of.base;
        if (at >= of.bytes || event->access.bytes > of.bytes - at)
            lanes |= UINT32_C(1) << lane;
    }
    if (lanes)
        say(c, event, &of, (uint32_t)__builtin_ctz(lanes), lanes);
}

/* ---------------------------------------------------------------- events */

static uint16_t named_variable(const struct checker *c, const fhec_event *event) {
    const uint64_t word = event->pc / sizeof(fhec_word);
    return word < c->params.named_count ? c->params.named[word] : 0;
}

/* 64-bit values that are addresses of buffers, and what was stored there. */
static void note_values(struct checker *c, const fhec_event *event,
                        const struct fh_origin_warp *w) {
    const fhec_access *a = &event->access;
    const uint32_t *got = a->old ? a->old : a->value;
    const bool stored = a->space == FHEC_SPACE_LOCAL ||
                        (a->space == FHEC_SPACE_SHARED && c->shared.count && !a->old);
    if (!c->extra.loaded)
        memset(c->extra.values, 0, sizeof c->extra.values);
    for (uint32_t word = 0; a->space != FHEC_SPACE_LOCAL && 4 * word + 8 <= a->bytes; word += 2) {
        for (uint32_t left = event->lanes; left; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(left);
            const uint64_t value = got[32 * word + lane] | (uint64_t)got[32 * (word + 1) + lane]
                                                               << 32;
            const struct fh_allocated *x = fh_allocations_at(&c->allocations, value);
            if (!x || x->number >= FH_ORIGIN_SHARED)
                continue;
            c->extra.values[word][lane] = c->extra.values[word + 1][lane] = (uint16_t)x->number;
            c->extra.loaded = true;
        }
    }
    if (stored) {
        fh_origin_load(w, &c->shared, event, c->extra.values);
        c->extra.loaded = true;
    }
}

/* What the instruction stores; NULL: something else than a register's words. */
static const fhec_operand *data_of(const struct fh_code_entry *entry,
                                   const struct fh_origin_plan *plan, const fhec_event *event) {
    return plan->data_count == 1 && plan->address_count == 1 &&
                   !(event->access.access & FHEC_ACCESS_READ)
               ? &entry->instruction.operands[plan->data]
               : NULL;
}

static void see_access(struct checker *c, const fhec_event *event,
                       const struct fh_code_entry *entry, const struct fh_origin_plan *plan) {
    struct fh_origin_warp *w = warp_of(c, event);
    const fhec_space space = event->access.space;
    if (!w || space == FHEC_SPACE_CONSTANT)
        return;
    if (plan->rule == FH_ORIGIN_LOAD && event->access.access & FHEC_ACCESS_READ)
        note_values(c, event, w);
    if (space != FHEC_SPACE_GLOBAL && event->access.access & FHEC_ACCESS_WRITE)
        c->watch.failed |= !fh_origin_store(w, &c->shared, event, data_of(entry, plan, event));
    if (space == FHEC_SPACE_LOCAL || !plan->address_count)
        return;
    /* LDGSTS: to shared memory, from global memory. */
    const bool second = plan->address_count > 1 && event->access.space == FHEC_SPACE_GLOBAL;
    check_access(c, event, w, &entry->instruction.operands[plan->addresses[second]],
                 second ? 0 : named_variable(c, event));
}

static void see_instruction(struct checker *c, const fhec_event *event) {
    const struct fh_code_entry *entry = fh_code_of(c->watch.code, event);
    c->watch.failed |= !entry;
    if (!entry || !c->params.words)
        return;
    const struct fh_origin_plan *plan = entry->own;
    if (event->kind == FHEC_EVENT_ACCESS) {
        see_access(c, event, entry, plan);
        return;
    }
    struct fh_origin_warp *w = plan->rule != FH_ORIGIN_NOTHING ? warp_of(c, event) : NULL;
    if (!w)
        return;
    c->extra.immediate = plan->rule == FH_ORIGIN_LOAD ? 0 : named_variable(c, event);
    fh_origin_retire(w, plan, &entry->instruction, &c->params, &c->extra, event->active);
    c->extra.loaded = false;
}

static void see(void *user, const fhec_event *event) {
    struct checker *c = user;
    switch (event->kind) {
    case FHEC_EVENT_ALLOC:
    case FHEC_EVENT_FREE: c->watch.failed |= !fh_allocations_see(&c->allocations, event); break;
    case FHEC_EVENT_LAUNCH_BEGIN: begin_launch(c, event->launch); break;
    case FHEC_EVENT_LAUNCH_END: end_warps(c); break;
    case FHEC_EVENT_WARP_END: end_warp(c, event); break;
    case FHEC_EVENT_ACCESS:
    case FHEC_EVENT_RETIRE: see_instruction(c, event); break;
    default: break;
    }
}

/* ---------------------------------------------------------------- beginning and end */

/* Decoded once for all launches. */
static const struct fh_origin_plan *plan_of(struct checker *c, const fhec_launch *launch,
                                            uint64_t pc, fhec_word word) {
    const fhec_event event = {.launch = launch, .pc = pc, .word = word};
    const struct fh_code_entry *entry = fh_code_of(c->watch.code, &event);
    c->watch.failed |= !entry;
    return entry ? entry->own : NULL;
}

static bool is_wanted(void *user, const fhec_launch *launch, uint64_t pc, fhec_word word) {
    const struct fh_origin_plan *plan = plan_of(user, launch, pc, word);
    return plan && (plan->rule != FH_ORIGIN_NOTHING || plan->address_count);
}

static bool is_indexed(void *user, const fhec_launch *launch, uint64_t pc, fhec_word word) {
    const struct fh_origin_plan *plan = plan_of(user, launch, pc, word);
    return plan && plan->indexed;
}

static fhec_status end(void *state) {
    struct checker *c = state;
    end_warps(c);
    forget_params(&c->params);
    fh_allocations_free(&c->allocations);
    return fh_watch_end(c);
}

#define BIT(kind) FHEC_EVENT_BIT(FHEC_EVENT_##kind)

static fhec_status begin(fhec_machine *machine, struct fh_findings *findings, void **state) {
    static const struct fh_watch watch = {
        .bytes = sizeof(struct checker),
        .own_bytes = sizeof(struct fh_origin_plan),
        .prepare = fh_origin_plan_make,
        .observers =
            {{.filter = {.kinds = BIT(ALLOC) | BIT(FREE) | BIT(LAUNCH_BEGIN) | BIT(LAUNCH_END) |
                                  BIT(WARP_END) | BIT(ACCESS) | BIT(RETIRE),
                         .no_access = 1u << FHEC_SPACE_CONSTANT,
                         .instruction = is_wanted},
              .event = see},
             {.filter = {.kinds = BIT(ACCESS), .instruction = is_indexed, .addresses_only = true},
              .event = see_constant}},
        .end = end,
    };
    return fh_watch_begin(&watch, machine, findings, state);
}

const struct fh_checker_row fh_check_bounds = {begin, end};
