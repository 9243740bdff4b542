/*
 * event.c - what observers are told: hooks of a launch that make events of what they see.
 */
#include "machine.h"
#include "observe.h"

#include <stdlib.h>
#include <string.h>

const char *fhec_event_name(fhec_event_kind kind) {
    static const char *const names[FHEC_EVENT_KINDS] = {
        [FHEC_EVENT_LAUNCH_BEGIN] = "launch begins",
        [FHEC_EVENT_LAUNCH_END] = "launch ends",
        [FHEC_EVENT_BLOCK_BEGIN] = "block begins",
        [FHEC_EVENT_BLOCK_END] = "block ends",
        [FHEC_EVENT_WARP_BEGIN] = "warp begins",
        [FHEC_EVENT_WARP_END] = "warp ends",
        [FHEC_EVENT_INSTRUCTION] = "instruction",
        [FHEC_EVENT_ISSUE] = "issue",
        [FHEC_EVENT_ACCESS] = "access",
        [FHEC_EVENT_RETIRE] = "retire",
        [FHEC_EVENT_ARRIVE] = "arrive",
        [FHEC_EVENT_RELEASE] = "release",
        [FHEC_EVENT_DIVERGE] = "diverge",
        [FHEC_EVENT_CONVERGE] = "converge",
        [FHEC_EVENT_COPY] = "copy",
        [FHEC_EVENT_COPY_DONE] = "copy done",
        [FHEC_EVENT_FAULT] = "fault",
        [FHEC_EVENT_ALLOC] = "alloc",
        [FHEC_EVENT_FREE] = "free",
        [FHEC_EVENT_HOST_WRITE] = "host write",
        [FHEC_EVENT_HOST_READ] = "host read",
    };
    return (unsigned)kind < FHEC_EVENT_KINDS ? names[kind] : "unknown";
}

/* The event that tells of a happening; whether it is about an instruction within the filter's
 * bounds, or about the block and not one of its warps. */
static const struct {
    fhec_event_kind kind;
    bool bounded, of_block;
} told[FH_HAPPENINGS] = {
    [FH_BLOCK_BEGINS] = {FHEC_EVENT_BLOCK_BEGIN, false, true},
    [FH_BLOCK_ENDED] = {FHEC_EVENT_BLOCK_END, false, true},
    [FH_WARP_BEGINS] = {FHEC_EVENT_WARP_BEGIN, false, false},
    [FH_WARP_ENDED] = {FHEC_EVENT_WARP_END, false, false},
    [FH_BARRIER_ARRIVAL] = {FHEC_EVENT_ARRIVE, true, false},
    [FH_BARRIER_RELEASED] = {FHEC_EVENT_RELEASE, false, true},
    [FH_LANES_PARTED] = {FHEC_EVENT_DIVERGE, true, false},
    [FH_LANES_MET] = {FHEC_EVENT_CONVERGE, true, false},
    [FH_COPY_ISSUED] = {FHEC_EVENT_COPY, true, false},
    [FH_COPIES_DONE] = {FHEC_EVENT_COPY_DONE, true, false},
};

uint32_t fh_happenings_for(uint32_t event_kinds) {
    uint32_t happenings = 0;
    for (unsigned i = 0; i < FH_HAPPENINGS; i++)
        happenings |= event_kinds & FHEC_EVENT_BIT(told[i].kind) ? 1u << i : 0;
    return happenings;
}

/* ---------------------------------------------------------------- telling */

void fh_teller_begin(struct fh_teller *t, const struct fh_observed *observed, void *user) {
    const struct fh_observation *o = observed->of;
    t->observed = observed;
    t->user = user;
    t->scene.of = o;
    t->event.scene = &t->scene;
    t->event.launch = &o->launch;
    t->event.number = o->number;
}

void fh_teller_end(struct fh_teller *t) {
    free(t->scene.by_op);
}

static inline void tell_always(struct fh_teller *t, fhec_event_kind kind) {
    t->event.kind = kind;
    t->observed->is->event(t->user, &t->event);
}

static inline void tell(struct fh_teller *t, fhec_event_kind kind) {
    const uint32_t lanes = t->observed->is->filter.scope.lanes;
    if (!lanes || lanes & t->event.lanes)
        tell_always(t, kind);
}

/* The event is about the instruction. */
static inline void set_place(struct fh_teller *t, const struct fh_warp *w, const struct fh_op *op) {
    const struct fh_image *image = w->launch->image;
    const uint32_t i = op->pc / FH_INST_BYTES;
    t->event.pc = op->pc;
    t->event.word = i < image->count ? image->words[i] : (fhec_word){0, 0};
    t->scene.w = w;
    t->scene.op = op;
}

static inline void set_warp(struct fh_teller *t, const struct fh_block *block, uint32_t warp) {
    memcpy(t->event.block, block->id, sizeof t->event.block);
    t->event.warp = warp;
}

static unsigned wants(void *user, const struct fh_image *image, const struct fh_op *op) {
    const struct fh_teller *t = user;
    const uint8_t interest = t->observed->interest[op->pc / FH_INST_BYTES];
    (void)image;
    if (interest & FH_WANTS_INSTRUCTION && t->observed->batches && op->control == FH_PLAIN)
        return FH_BATCH;
    return (interest & (FH_WANTS_ISSUE | FH_WANTS_ACCESS | FH_WANTS_ADDRESSES) ? FH_BEFORE : 0u) |
           (interest & (FH_WANTS_RETIRE | FH_WANTS_ACCESS | FH_WANTS_INSTRUCTION) ? FH_AFTER : 0u);
}

static bool in_block(const fhec_scope *scope, const struct fh_block *block) {
    return !scope->one_block || memcmp(scope->block, block->id, sizeof scope->block) == 0;
}

static bool in_warp(const fhec_scope *scope, uint32_t warp) {
    return !scope->one_warp || scope->warp == warp;
}

/* What is about a block comes of instructions of any of its warps. */
static bool covers(void *user, const struct fh_block *block, uint32_t warp) {
    static const uint32_t of_block = 1u << FH_BLOCK_ENDED | 1u << FH_BARRIER_RELEASED;
    struct fh_teller *t = user;
    const fhec_scope *scope = &t->observed->is->filter.scope;
    const bool inside = in_block(scope, block);
    t->here = inside && in_warp(scope, warp);
    set_warp(t, block, warp);
    return t->here || (inside && t->observed->happenings & of_block);
}

/* Issues and retirements are about the lanes that execute. */
static inline void tell_instruction(struct fh_teller *t, const struct fh_issue *issue,
                                    fhec_event_kind kind) {
    const fhec_observer *is = t->observed->is;
    const uint32_t lanes = is->filter.scope.lanes;
    set_place(t, &issue->flow->w, issue->op);
    t->event.kind = kind;
    t->event.lanes = issue->group;
    t->event.active = issue->active;
    if (!lanes || lanes & issue->active)
        is->event(t->user, &t->event);
}

static void tell_access(void *user, const struct fh_accessed *accessed) {
    struct fh_teller *t = user;
    const bool atomic = accessed->access == (FHEC_ACCESS_READ | FHEC_ACCESS_WRITE);
    t->event.lanes = accessed->lanes;
    t->event.access = (fhec_access){
        .space = accessed->space,
        .access = accessed->access,
        .bytes = accessed->bytes,
        .bank = accessed->bank,
        .address = accessed->address,
        .value = accessed->value,
        .old = atomic ? accessed->old : NULL,
    };
    tell(t, FHEC_EVENT_ACCESS);
}

static void before(void *user, const struct fh_issue *issue) {
    struct fh_teller *t = user;
    const uint8_t interest = t->observed->interest[issue->op->pc / FH_INST_BYTES];
    if (!t->here)
        return;
    if (interest & FH_WANTS_ISSUE)
        tell_instruction(t, issue, FHEC_EVENT_ISSUE);
    if (interest & (FH_WANTS_ACCESS | FH_WANTS_ADDRESSES))
        fh_accesses_before(&t->accesses, &issue->flow->w, issue->op, issue->active);
    if (interest & FH_WANTS_ADDRESSES) {
        set_place(t, &issue->flow->w, issue->op);
        t->event.active = issue->active;
        fh_accesses_tell_addresses(&t->accesses, &issue->flow->w, issue->op, tell_access, t);
    }
}

static bool after(void *user, const struct fh_issue *issue) {
    struct fh_teller *t = user;
    const uint8_t interest = t->observed->interest[issue->op->pc / FH_INST_BYTES];
    if (!t->here)
        return false;
    if (interest & FH_WANTS_ACCESS) {
        set_place(t, &issue->flow->w, issue->op);
        t->event.active = issue->active;
        fh_accesses_tell(&t->accesses, &issue->flow->w, issue->op, tell_access, t);
    }
    if (interest & FH_WANTS_RETIRE)
        tell_instruction(t, issue, FHEC_EVENT_RETIRE);
    if (interest & FH_WANTS_INSTRUCTION)
        tell_instruction(t, issue, FHEC_EVENT_INSTRUCTION);
    return false;
}

/* The same for an observer of this kind alone, which wants it of all instructions that it hooks. */
static bool after_retirement(void *user, const struct fh_issue *issue) {
    struct fh_teller *t = user;
    const fhec_observer *is = t->observed->is;
    const struct fh_op *op = issue->op;
    const fhec_word *word = &t->scene.of->image->words[op->pc / FH_INST_BYTES];
    t->event.kind = FHEC_EVENT_RETIRE;
    t->event.lanes = issue->group;
    t->event.active = issue->active;
    t->event.pc = op->pc;
    t->event.word = *word;
    t->scene.w = &issue->flow->w;
    t->scene.op = op;
    is->event(t->user, &t->event);
    return false;
}

/* Instructions without values. */
static void ran(void *user, struct fh_flow *flow, uint32_t first, uint32_t end) {
    struct fh_teller *t = user;
    const fhec_observer *is = t->observed->is;
    void (*const tell_one)(void *, const fhec_event *) = is->event;
    const struct fh_op_count *counts = flow->w.launch->counts;
    const fhec_word *words = flow->w.launch->image->words;
    const uint8_t *interest = t->observed->interest;
    const uint32_t lanes = is->filter.scope.lanes ? is->filter.scope.lanes : UINT32_MAX;
    if (!t->here)
        return;
    t->event.kind = FHEC_EVENT_INSTRUCTION;
    t->event.lanes = flow->group;
    for (uint32_t i = first; i < end; i++) {
        if (!(interest[i] & FH_WANTS_INSTRUCTION))
            continue;
        t->event.active = interest[i] & FH_HAS_GUARD ? counts[i].active : flow->group;
        t->event.pc = (uint64_t)i * FH_INST_BYTES;
        t->event.word = words[i];
        if (lanes == UINT32_MAX || lanes & t->event.active)
            tell_one(t->user, &t->event);
    }
}

static void set_next(struct fh_teller *t, const struct fh_flow *f, uint32_t lanes) {
    for (uint32_t l = 0; l < FH_LANES; l++) {
        const uint32_t pc = f->group >> l & 1 ? f->pc : f->lane_pc[l];
        t->next[l] = lanes >> l & 1 ? (uint64_t)pc * FH_INST_BYTES : UINT64_MAX;
    }
    t->event.next = t->next;
}

/* What the happening's kind adds to the event. */
static void set_details(struct fh_teller *t, const struct fh_happening *h) {
    switch (h->kind) {
    case FH_BARRIER_ARRIVAL:
    case FH_BARRIER_RELEASED:
        t->event.barrier.number = h->barrier;
        t->event.barrier.lanes = h->count;
        t->event.barrier.expected = h->expected;
        break;
    case FH_LANES_PARTED: set_next(t, h->flow, h->lanes); break;
    case FH_LANES_MET: t->event.joined = h->joined; break;
    case FH_COPY_ISSUED:
    case FH_COPIES_DONE:
        t->event.copy.first = h->first;
        t->event.copy.last = h->last;
        break;
    default: break;
    }
}

static bool happens(void *user, struct fh_block *block, const struct fh_happening *h) {
    struct fh_teller *t = user;
    const struct fh_observed *x = t->observed;
    const fhec_scope *scope = &x->is->filter.scope;
    const uint32_t warp = h->flow ? h->flow->w.index : 0;
    const bool inside = in_block(scope, block) && (told[h->kind].of_block || in_warp(scope, warp));
    if (!inside || (told[h->kind].bounded && !x->interest[h->op->pc / FH_INST_BYTES]))
        return false;
    set_warp(t, block, warp);
    t->event.pc = 0;
    t->event.word = (fhec_word){0, 0};
    if (h->op)
        set_place(t, &h->flow->w, h->op);
    t->event.lanes = t->event.active = h->lanes;
    set_details(t, h);
    if (told[h->kind].of_block) /* the block has no lanes of its own that could be asked for */
        tell_always(t, told[h->kind].kind);
    else
        tell(t, told[h->kind].kind);
    return false;
}

struct fh_hook fh_teller_hook(struct fh_teller *t) {
    const fhec_filter *filter = &t->observed->is->filter;
    const bool alone = t->observed->kinds == FHEC_EVENT_BIT(FHEC_EVENT_RETIRE) &&
                       !filter->scope.lanes; /* hooks are called in its warps only */
    return (struct fh_hook){
        .user = t,
        .wants = wants,
        .covers = covers,
        .before = before,
        .after = alone ? after_retirement : after,
        .ran = t->observed->batches ? ran : NULL,
        .kinds = t->observed->happenings,
        .happens = happens,
    };
}

/* ---------------------------------------------------------------- looking into events */

/* What the instruction reads and writes: found out once for each. */
static const struct fh_uses *uses_of(struct fhec_scene *scene) {
    if (!scene->by_op)
        scene->by_op = calloc(scene->of->image->count + 1u, sizeof *scene->by_op);
    struct fh_uses *uses = &scene->uses;
    if (scene->by_op)
        uses = &scene->by_op[scene->op->pc / FH_INST_BYTES];
    if (!scene->by_op || !uses->count)
        fh_uses_of(scene->op->inst, uses);
    return uses;
}

bool fhec_event_registers(const fhec_event *event, size_t index, fhec_values *values) {
    struct fhec_scene *scene = (struct fhec_scene *)event->scene; /* ours: it keeps what it finds */
    const bool written = event->kind == FHEC_EVENT_RETIRE;
    const struct fh_warp *w = scene->w;
    if ((event->kind != FHEC_EVENT_ISSUE && !written) || !scene->op->inst ||
        (written && !event->active))
        return false;
    const struct fh_uses *uses = uses_of(scene);
    const struct fh_use *use = uses->use, *const end = use + uses->count;
    for (; use < end; use++)
        if (use->access == (written ? FH_WRITE : FH_READ) && index-- == 0)
            break;
    if (use == end)
        return false;
    values->count = use->count;
    if (use->first >= FH_RES_UP) {
        values->file = FHEC_FILE_UP;
        values->first = use->first - FH_RES_UP;
        for (unsigned i = 0; i < use->count; i++)
            scene->uniform[i] = w->up[values->first + i];
        values->values = scene->uniform;
    } else if (use->first >= FH_RES_P) {
        values->file = FHEC_FILE_P;
        values->first = use->first - FH_RES_P;
        values->values = &w->p[values->first];
    } else if (use->first >= FH_RES_UR) {
        values->file = FHEC_FILE_UR;
        values->first = use->first - FH_RES_UR;
        values->values = &w->ur[values->first];
    } else {
        values->file = FHEC_FILE_R;
        values->first = use->first - FH_RES_R;
        values->values = w->r[values->first];
    }
    return true;
}

bool fhec_event_register(const fhec_event *event, fhec_register_file file, uint32_t reg,
                         uint32_t values[FHEC_WARP_LANES]) {
    if (event->kind != FHEC_EVENT_ISSUE && event->kind != FHEC_EVENT_RETIRE &&
        event->kind != FHEC_EVENT_ACCESS)
        return false;
    const struct fh_warp *w = event->scene->w;
    memset(values, 0, FHEC_WARP_LANES * sizeof *values);
    switch (file) {
    case FHEC_FILE_R:
        if (reg < FH_RZ)
            memcpy(values, w->r[reg], FHEC_WARP_LANES * sizeof *values);
        return reg < FH_RZ;
    case FHEC_FILE_UR: values[0] = reg < FH_URZ ? w->ur[reg] : 0; return reg < FH_URZ;
    case FHEC_FILE_P: values[0] = reg < FH_PT ? w->p[reg] : 0; return reg < FH_PT;
    case FHEC_FILE_UP: values[0] = reg < FH_PT ? w->up[reg] : 0; return reg < FH_PT;
    default: return false;
    }
}

bool fhec_event_count(const fhec_event *event, uint64_t pc, uint64_t *warp, uint64_t *thread) {
    const struct fh_observation *o = event->scene->of;
    const uint64_t i = pc / FH_INST_BYTES;
    if (event->kind != FHEC_EVENT_LAUNCH_END || !o->counts || i >= o->image->count)
        return false;
    *warp = o->counts[i].warp;
    *thread = o->counts[i].thread;
    return true;
}

/* The variable of the program whose bytes in its segment or bank hold the offset. */
static bool variable_at(const struct fhec_program *program, bool constant, uint32_t index,
                        uint64_t offset, fhec_object *object) {
    for (uint32_t i = 0; i < program->variable_count; i++) {
        const struct fh_variable *v = &program->variables[i];
        if (v->constant != constant || v->index != index || offset - v->offset >= v->size)
            continue;
        *object = (fhec_object){v->name, offset - v->offset, v->size};
        return true;
    }
    return false;
}

static bool global_object(const fhec_machine *machine, uint64_t address, fhec_object *object) {
    const struct fh_allocation *held = fh_memory_range(&machine->memory, address, 1);
    if (!held)
        return false;
    const uint64_t offset = address - held->base;
    for (const struct fh_module *m = machine->modules; m; m = m->next) {
        for (uint32_t i = 0; i < m->program->segment_count; i++)
            if (m->bases[i] == held->base && variable_at(m->program, false, i, offset, object))
                return true;
        for (uint32_t i = 0; i < m->program->bank_count; i++)
            if (m->bank_bases[i] == held->base && variable_at(m->program, true, i, offset, object))
                return true;
    }
    *object = (fhec_object){held->name, offset, held->size};
    return *held->name != '\0';
}

static bool constant_object(const struct fh_image *image, uint32_t bank, uint64_t at,
                            fhec_object *object) {
    for (uint32_t i = 0; bank == 0 && i < image->code->param_count; i++) {
        const struct fh_param *p = &image->code->params[i];
        if (at < FH_PARAM_START || at - FH_PARAM_START - p->offset >= p->size)
            continue;
        *object = (fhec_object){p->name, at - FH_PARAM_START - p->offset, p->size};
        return true;
    }
    for (uint32_t i = 0; i < image->program->bank_count; i++)
        if (image->program->banks[i].bank == bank &&
            variable_at(image->program, true, i, at, object))
            return true;
    return false;
}

static bool shared_object(const struct fh_image *image, uint64_t at, fhec_object *object) {
    for (uint32_t i = 0; i < image->code->shared_count; i++) {
        const struct fh_shared *v = &image->code->shared[i];
        if (at - v->offset >= v->size)
            continue;
        *object = (fhec_object){v->name, at - v->offset, v->size};
        return true;
    }
    return false;
}

bool fhec_event_object(const fhec_event *event, uint32_t lane, fhec_object *object) {
    const struct fh_observation *o = event->scene->of;
    *object = (fhec_object){0};
    if (event->kind != FHEC_EVENT_ACCESS || lane >= FH_LANES || !(event->lanes >> lane & 1))
        return false;
    const uint64_t address = event->access.address[lane];
    switch (event->access.space) {
    case FHEC_SPACE_GLOBAL: return global_object(o->machine, address, object);
    case FHEC_SPACE_SHARED: return shared_object(o->image, address, object);
    case FHEC_SPACE_CONSTANT: return constant_object(o->image, event->access.bank, address, object);
    default: return false;
    }
}
