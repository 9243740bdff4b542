/*
 * observe.c - the list of a machine's observers, and getting them ready for a launch. What they are
 * told is in event.c.
 */
#include "observe.h"

#include "machine.h"
#include "translate.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- the machine's list */

fhec_status fhec_observe(fhec_machine *machine, const fhec_observer *observer, unsigned *number) {
    struct fh_observer **end = &machine->observers, *made = calloc(1, sizeof *made);
    const char *kernel = observer->filter.kernel;
    char *name = made && kernel ? strdup(kernel) : NULL;
    if (number)
        *number = 0;
    if (!made || (kernel && !name)) {
        free(made);
        return fh_machine_fail(machine, FHEC_HOST_ERROR, "no host memory for an observer");
    }
    made->is = *observer;
    made->is.filter.kernel = name;
    made->number = ++machine->last_observer;
    while (*end)
        end = &(*end)->next;
    *end = made;
    machine->changes++;
    if (number)
        *number = made->number;
    return FHEC_OK;
}

static void observer_free(struct fh_observer *observer) {
    free((char *)observer->is.filter.kernel);
    free(observer);
}

fhec_status fhec_unobserve(fhec_machine *machine, unsigned number) {
    for (struct fh_observer **at = &machine->observers; *at; at = &(*at)->next) {
        struct fh_observer *found = *at;
        if (found->number != number)
            continue;
        *at = found->next;
        observer_free(found);
        machine->changes++;
        return FHEC_OK;
    }
    return fh_machine_fail(machine, FHEC_BAD_INPUT, "the machine has no observer number %u",
                           number);
}

void fh_observers_free(fhec_machine *machine) {
    while (machine->observers) {
        struct fh_observer *next = machine->observers->next;
        observer_free(machine->observers);
        machine->observers = next;
    }
}

static uint32_t kinds_of(const fhec_observer *observer) {
    return observer->filter.kinds ? observer->filter.kinds : FHEC_EVENT_ALL;
}

/* Whether it observes launches of the kernel. */
static bool observes(const fhec_observer *observer, const struct fh_image *image) {
    const char *kernel = observer->filter.kernel;
    return !kernel || strcmp(kernel, image->code->name) == 0;
}

bool fh_observers_count(const fhec_machine *machine, const struct fh_image *image) {
    for (const struct fh_observer *x = machine->observers; x; x = x->next)
        if (x->is.filter.counts && observes(&x->is, image))
            return true;
    return false;
}

void fh_observers_tell(const fhec_machine *machine, const struct fh_observation *o,
                       fhec_event *event) {
    const struct fhec_scene scene = {.of = o};
    event->scene = &scene;
    if (o) {
        event->launch = &o->launch;
        event->number = o->number;
    }
    for (const struct fh_observer *x = machine->observers; x; x = x->next)
        if (kinds_of(&x->is) & FHEC_EVENT_BIT(event->kind) && (!o || observes(&x->is, o->image)))
            x->is.event(x->is.user, event);
    event->scene = NULL;
}

void fh_observe_host(const fhec_machine *machine, fhec_event_kind kind, uint64_t address,
                     size_t bytes, const void *data) {
    const size_t i = fh_memory_find(&machine->memory, address);
    if (!machine->observers || i == SIZE_MAX)
        return;
    const struct fh_allocation *held = &machine->memory.list[i];
    fhec_event event = {.kind = kind,
                        .host = {.name = held->name,
                                 .address = address,
                                 .offset = address - held->base,
                                 .bytes = bytes,
                                 .data = data}};
    fh_observers_tell(machine, NULL, &event);
}

/* ---------------------------------------------------------------- a launch */

/* Events of instructions that superblocks are made of, beside FHEC_EVENT_INSTRUCTION. */
static const uint32_t in_straight_code =
    FHEC_EVENT_BIT(FHEC_EVENT_ISSUE) | FHEC_EVENT_BIT(FHEC_EVENT_RETIRE) |
    FHEC_EVENT_BIT(FHEC_EVENT_ACCESS) | FHEC_EVENT_BIT(FHEC_EVENT_COPY) |
    FHEC_EVENT_BIT(FHEC_EVENT_COPY_DONE);

/* Events that come from within blocks. */
static const uint32_t inside =
    (FHEC_EVENT_BIT(FHEC_EVENT_FAULT) - 1) &
    ~(FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_BEGIN) | FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_END));

void fh_observation_begin(struct fh_observation *o, fhec_machine *machine,
                          const struct fh_image *image, const fhec_launch *launch) {
    *o = (struct fh_observation){
        .machine = machine, .image = image, .launch = *launch, .number = ++machine->launches};
    o->launch.params = image->bank0 + FH_PARAM_START;
}

static void forget(struct fh_observation *o) {
    fh_watch_free(&o->watch);
    fh_watched_code_free(&o->code);
    for (unsigned i = 0; i < o->count; i++) {
        free(o->list[i].interest);
        fh_teller_end(&o->tellers[i]);
    }
    free(o->list);
    free(o->tellers);
    o->list = NULL;
    o->tellers = NULL;
    o->count = 0;
}

void fh_observation_end(struct fh_observation *o) {
    forget(o);
}

/* The spaces that the op may access: bit s for enum fhec_space. */
static uint32_t spaces_of(const struct fh_op *op) {
    switch ((enum fh_access_kind)op->access) {
    case FH_NO_ACCESS: return 0;
    case FH_LOADS_CONSTANTS:
    case FH_LOADS_UNIFORM_CONSTANT:
    case FH_READS_OPERANDS: return 1u << FHEC_SPACE_CONSTANT;
    case FH_COPIES: return 1u << FHEC_SPACE_GLOBAL | 1u << FHEC_SPACE_SHARED;
    case FH_LOADS_MATRICES: return 1u << FHEC_SPACE_SHARED;
    default: break;
    }
    switch ((enum fh_space)op->access_space) {
    case FH_GLOBAL: return 1u << FHEC_SPACE_GLOBAL;
    case FH_SHARED: return 1u << FHEC_SPACE_SHARED;
    case FH_LOCAL: return 1u << FHEC_SPACE_LOCAL;
    default: return 1u << FHEC_SPACE_GLOBAL | 1u << FHEC_SPACE_SHARED | 1u << FHEC_SPACE_LOCAL;
    }
}

/* Which events the observer wants of the op. */
static uint8_t interest_in(const struct fh_observed *x, const struct fh_op *op) {
    const struct fh_observation *o = x->of;
    const fhec_filter *filter = &x->is->filter;
    const uint32_t i = op->pc / FH_INST_BYTES;
    const bool bounded = filter->pc_begin || filter->pc_end;
    if (bounded && (op->pc < filter->pc_begin || op->pc >= filter->pc_end))
        return 0;
    if (filter->instruction &&
        (i == o->image->count || /* the end was run past */
         !filter->instruction(x->is->user, &o->launch, op->pc, o->image->words[i])))
        return 0;
    uint8_t interest = FH_WANTS_HAPPENINGS;
    if (fh_op_guarded(op))
        interest |= FH_HAS_GUARD;
    if (x->kinds & FHEC_EVENT_BIT(FHEC_EVENT_ISSUE))
        interest |= FH_WANTS_ISSUE;
    if (x->kinds & FHEC_EVENT_BIT(FHEC_EVENT_RETIRE))
        interest |= FH_WANTS_RETIRE;
    if (x->kinds & FHEC_EVENT_BIT(FHEC_EVENT_INSTRUCTION))
        interest |= FH_WANTS_INSTRUCTION;
    if (x->kinds & FHEC_EVENT_BIT(FHEC_EVENT_ACCESS) && spaces_of(op) & ~filter->no_access)
        interest |= filter->addresses_only && op->access != FH_RECORDED ? FH_WANTS_ADDRESSES
                                                                        : FH_WANTS_ACCESS;
    return interest;
}

static bool observe(struct fh_observation *o, const fhec_observer *observer) {
    const uint32_t ops = o->image->count + 1;
    struct fh_observed *x = &o->list[o->count];
    *x = (struct fh_observed){.is = observer, .of = o, .kinds = kinds_of(observer)};
    x->happenings = fh_happenings_for(x->kinds);
    x->batches = !(x->kinds & in_straight_code);
    x->interest = malloc(ops);
    if (!x->interest)
        return false;
    for (uint32_t i = 0; i < ops; i++)
        x->interest[i] = interest_in(x, &o->image->ops[i]);
    fh_teller_begin(&o->tellers[o->count++], x, observer->user);
    return true;
}

/* Lists the observers that want events from within the launch's blocks. */
static bool observe_all(struct fh_observation *o) {
    unsigned count = 0;
    for (const struct fh_observer *x = o->machine->observers; x; x = x->next)
        count++;
    o->list = calloc(count + 1u, sizeof *o->list);
    o->tellers = calloc(count + 1u, sizeof *o->tellers);
    bool fine = o->list && o->tellers;
    for (const struct fh_observer *x = o->machine->observers; x && fine; x = x->next)
        if (kinds_of(&x->is) & inside && observes(&x->is, o->image))
            fine = observe(o, &x->is);
    return fine;
}

/* ---------------------------------------------------------------- several host threads */

/* Who watches a part of the launch's blocks. */
struct part {
    struct fh_watch watch;
    struct fh_teller *tellers;
};

static void part_end(struct fh_watch *watch, bool counts) {
    struct part *part = (struct part *)watch;
    const struct fh_observation *o = part->watch.owner;
    for (unsigned i = 0; part->tellers && i < o->count; i++) {
        const fhec_observer *is = o->list[i].is;
        if (part->tellers[i].user)
            (counts ? is->join : is->drop)(is->user, part->tellers[i].user);
        fh_teller_end(&part->tellers[i]);
    }
    fh_watch_free(&part->watch);
    free(part->tellers);
    free(part);
}

static struct fh_watch *part_begin(const struct fh_watch *whole) {
    const struct fh_observation *o = whole->owner;
    struct part *part = calloc(1, sizeof *part);
    struct fh_hook *hooks = calloc(o->count, sizeof *hooks);
    if (part)
        part->tellers = calloc(o->count, sizeof *part->tellers);
    bool fine = part && hooks && part->tellers;
    for (unsigned i = 0; i < o->count && fine; i++) {
        const fhec_observer *is = o->list[i].is;
        fh_teller_begin(&part->tellers[i], &o->list[i], is->fork(is->user));
        hooks[i] = fh_teller_hook(&part->tellers[i]);
        fine = part->tellers[i].user;
    }
    fine = fine && fh_watch_make(&part->watch, whole->code, hooks, o->count);
    free(hooks);
    if (part)
        part->watch.owner = whole->owner;
    if (fine)
        return &part->watch;
    if (part)
        part_end(&part->watch, false);
    return NULL;
}

bool fh_observation_watch(struct fh_observation *o, struct fh_launch_state *launch,
                          const struct fh_hook *others, unsigned count) {
    launch->watch = NULL;
    forget(o);
    bool fine = observe_all(o), threads = !count;
    const unsigned all = o->count + count;
    struct fh_hook *hooks = fine ? calloc(all + 1u, sizeof *hooks) : NULL;
    for (unsigned i = 0; hooks && i < o->count; i++) {
        hooks[i] = fh_teller_hook(&o->tellers[i]);
        threads &= o->list[i].is->fork && o->list[i].is->join && o->list[i].is->drop;
    }
    if (hooks && count)
        memcpy(hooks + o->count, others, count * sizeof *hooks);
    fine = hooks && (!all || (fh_watched_code_make(&o->code, o->image, o->machine->engine.threading,
                                                   hooks, all) &&
                              fh_watch_make(&o->watch, &o->code, hooks, all)));
    free(hooks);
    if (fine && o->code.batches && !launch->counts) { /* where lanes with a guard are noted */
        launch->counts = calloc(o->image->count + 1u, sizeof *launch->counts);
        fine = launch->counts;
    }
    if (!fine) {
        forget(o);
        return false;
    }
    o->watch.owner = o;
    if (threads) {
        o->watch.fork = part_begin;
        o->watch.end = part_end;
    }
    launch->watch = all ? &o->watch : NULL;
    return true;
}
