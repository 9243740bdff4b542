/*
 * paths.c - see paths.h.
 */
#include "paths.h"

#include "array.h"
#include "isa_names.h"
#include "tables.h"

#include <stdlib.h>
#include <string.h>

enum {
    DEEPEST = 16, /* calls within calls; deeper ones are not looked into */
    COPIES = 16,  /* entries for each block, on average: then calls are not looked into, either */
    LEAST = 1 << 13, /* but so many in any case */
    VISITS = 4096,   /* of one entry: hostile code ends, too */
};

/* ---------------------------------------------------------------- tables */

static size_t place_of(const struct fh_path_table *t, uint64_t key) {
    size_t at = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (t->size - 1);
    while (t->values[at] && t->keys[at] != key)
        at = (at + 1) & (t->size - 1);
    return at;
}

static bool enlarge(struct fh_path_table *t) {
    struct fh_path_table larger = {.size = t->size ? 2 * t->size : 64, .used = t->used};
    larger.keys = calloc(larger.size, sizeof *larger.keys);
    larger.values = calloc(larger.size, sizeof *larger.values);
    if (!larger.keys || !larger.values) {
        free(larger.keys);
        free(larger.values);
        return false;
    }
    for (size_t i = 0; i < t->size; i++) {
        if (!t->values[i])
            continue;
        size_t at = place_of(&larger, t->keys[i]);
        larger.keys[at] = t->keys[i];
        larger.values[at] = t->values[i];
    }
    free(t->keys);
    free(t->values);
    *t = larger;
    return true;
}

/* The value of the key, 0 for a new one; NULL: no memory. */
static uint32_t *look_up(struct fh_path_table *t, uint32_t high, uint32_t low) {
    uint64_t key = (uint64_t)high << 32 | low;
    if (2 * t->used >= t->size && !enlarge(t))
        return NULL;
    size_t at = place_of(t, key);
    if (!t->values[at])
        t->used++;
    t->keys[at] = key;
    return &t->values[at];
}

/* ---------------------------------------------------------------- entries */

void fh_paths_enter(struct fh_paths *p, const struct fh_path_entry *entry) {
    fh_hazards_clear(&p->now);
    (void)fh_hazards_join(&p->now, entry->pending, entry->count);
    p->now.lanes = entry->lanes;
    p->now.rules = entry->rules;
    for (unsigned b = 0; b < FH_SCOREBOARDS; b++)
        p->now.armed[b] = entry->armed[b];
}

static struct fh_path_entry *entry_of(struct fh_paths *p, uint32_t call, uint32_t block) {
    uint32_t *number = look_up(&p->found_entries, call, block);
    if (number && !*number) {
        if (!fh_grow(&p->entries, &p->entry_room, p->entry_count + 1, sizeof *p->entries))
            number = NULL;
        else {
            p->entries[p->entry_count++] = (struct fh_path_entry){.call = call, .block = block};
            *number = (uint32_t)p->entry_count;
        }
    }
    p->no_memory |= !number;
    return number ? &p->entries[*number - 1] : NULL;
}

/* Blocks are looked at in the order of the code, as far as may be: ways that meet have come
 * together then before the block behind them is looked at. A heap, the first block at its top. */
static bool comes_before(const struct fh_paths *p, uint32_t x, uint32_t y) {
    const struct fh_path_entry *a = &p->entries[x], *b = &p->entries[y];
    if (p->calls[a->call].depth != p->calls[b->call].depth)
        return p->calls[a->call].depth > p->calls[b->call].depth;
    return a->block < b->block;
}

static void put_in_queue(struct fh_paths *p, uint32_t entry) {
    size_t at = p->queue_count++;
    for (; at && comes_before(p, entry, p->queue[(at - 1) / 2]); at = (at - 1) / 2)
        p->queue[at] = p->queue[(at - 1) / 2];
    p->queue[at] = entry;
}

static uint32_t take_from_queue(struct fh_paths *p) {
    uint32_t top = p->queue[0], moved = p->queue[--p->queue_count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < p->queue_count; at = child) {
        if (child + 1 < p->queue_count && comes_before(p, p->queue[child + 1], p->queue[child]))
            child++;
        if (!comes_before(p, p->queue[child], moved))
            break;
        p->queue[at] = p->queue[child];
    }
    p->queue[at] = moved;
    return top;
}

static bool keep(struct fh_paths *p, struct fh_path_entry *e) {
    const struct fh_hazards *h = &p->joined;
    if (!fh_grow(&e->pending, &e->room, h->count, sizeof *e->pending))
        return false;
    if (h->count)
        memcpy(e->pending, h->pending, h->count * sizeof *e->pending);
    e->count = h->count;
    e->lanes = h->lanes;
    e->rules = h->rules;
    if (e->queued)
        return true;
    if (!fh_grow(&p->queue, &p->queue_room, p->queue_count + 1, sizeof *p->queue))
        return false;
    e->queued = true;
    put_in_queue(p, (uint32_t)(e - p->entries));
    return true;
}

/* Joins what is outstanding for `lanes` into the state p->joined. */
static bool join_lanes(struct fh_paths *p, fh_lanes lanes) {
    bool changed = false;
    for (unsigned i = 0; i < p->now.count; i++)
        if (!fh_lanes_exclude(p->now.pending[i].lanes, lanes))
            changed |= fh_hazards_join(&p->joined, &p->now.pending[i], 1);
    return changed;
}

/* Control goes from here to the block, of the lanes that are given; the time of p->now is 0. */
static void go(struct fh_paths *p, uint32_t call, uint32_t block, fh_lanes lanes) {
    if (fh_lanes_exclude(p->now.lanes, lanes))
        return; /* no lane */
    struct fh_path_entry *e = entry_of(p, call, block);
    if (!e)
        return;
    bool first = e->visits == 0;
    lanes = fh_lanes_complete(&p->now.rules, lanes);
    fh_hazards_clear(&p->joined);
    (void)fh_hazards_join(&p->joined, e->pending, e->count);
    bool changed = join_lanes(p, p->now.lanes | lanes) || first;
    p->joined.lanes = p->now.lanes | lanes;
    if (!first)
        p->joined.lanes &= e->lanes;
    changed |= !first && p->joined.lanes != e->lanes;
    p->joined.rules = first ? p->now.rules : e->rules;
    changed |= fh_lanes_rules_join(&p->joined.rules, &p->now.rules);
    for (unsigned b = 0; b < FH_SCOREBOARDS; b++) {
        if (p->now.armed[b] > e->armed[b]) {
            e->armed[b] = (uint8_t)p->now.armed[b];
            changed = true;
        }
    }
    p->reached[block] = true;
    if (changed && e->visits++ < VISITS && !keep(p, e))
        p->no_memory = true;
}

/* ---------------------------------------------------------------- calls */

/* One more place that a call returns to: what leads to its returns is looked at again. */
static bool add_return(struct fh_paths *p, uint32_t into, uint32_t call, uint32_t at,
                       uint32_t target) {
    uint32_t back = fh_return_of(p->graph.code, at, target);
    if (back == FH_NOWHERE)
        return true;
    if (!fh_grow(&p->returns, &p->return_room, p->return_count + 1, sizeof *p->returns))
        return false;
    p->returns[p->return_count++] = (struct fh_path_return){call, back, p->calls[into].returns};
    p->calls[into].returns = (uint32_t)p->return_count;
    for (uint32_t e = 0; e < p->entry_count; e++) {
        if (p->entries[e].call != into || p->entries[e].queued)
            continue;
        if (!fh_grow(&p->queue, &p->queue_room, p->queue_count + 1, sizeof *p->queue))
            return false;
        p->entries[e].queued = true;
        put_in_queue(p, e);
    }
    return true;
}

/* The call of the site that `call` is within, or is; FH_NOWHERE: none. */
static uint32_t call_around(const struct fh_paths *p, uint32_t call, uint32_t site) {
    for (; call && p->calls[call].site != site; call = p->calls[call].parent)
        continue;
    return call ? call : FH_NOWHERE;
}

static uint32_t new_call(struct fh_paths *p, uint32_t call, uint32_t site) {
    if (!fh_grow(&p->calls, &p->call_room, p->call_count + 1, sizeof *p->calls))
        return FH_NOWHERE;
    p->calls[p->call_count] =
        (struct fh_path_call){.parent = call, .site = site, .depth = p->calls[call].depth + 1};
    return (uint32_t)p->call_count++;
}

/* The call that the instruction at `at` begins within `call`; FH_NOWHERE: it is not followed, which
 * a function is at least once. */
static uint32_t call_of(struct fh_paths *p, uint32_t call, uint32_t at, uint32_t target) {
    size_t most = (size_t)p->graph.blocks * COPIES;
    uint32_t *number = look_up(&p->found_calls, call, at);
    if (!number) {
        p->no_memory = true;
        return FH_NOWHERE;
    }
    if (*number)
        return *number;
    uint32_t into = call_around(p, call, at);
    bool many = p->calls[call].depth >= DEEPEST || p->entry_count > (most > LEAST ? most : LEAST);
    if (into == FH_NOWHERE && many && p->reached[p->graph.block_of[target]])
        return FH_NOWHERE;
    if (into == FH_NOWHERE)
        into = new_call(p, call, at);
    if (into == FH_NOWHERE || !add_return(p, into, call, at, target)) {
        p->no_memory = true;
        return FH_NOWHERE;
    }
    *number = into;
    return into;
}

/* ---------------------------------------------------------------- instructions */

static bool decode_one(struct fh_paths *p, uint32_t at) {
    struct fh_path_inst *i = &p->insts[at];
    struct fh_inst inst;
    struct fh_uses uses;
    i->known = fh_decode(p->graph.code.words[at], &inst);
    if (!i->known)
        return true;
    fh_uses_of(&inst, &uses);
    if (!fh_grow(&p->uses, &p->use_room, p->use_count + uses.count, sizeof *p->uses))
        return false;
    if (uses.count)
        memcpy(p->uses + p->use_count, uses.use, uses.count * sizeof *uses.use);
    unsigned control = fh_form_control[inst.form->id];
    i->barrier =
        control == FH_CTRL_bar_sync || control == FH_CTRL_bar_red || control == FH_CTRL_bar_scan;
    i->may_exit = control == FH_CTRL_exit && inst.guard != FH_PT;
    i->local = fh_insns[inst.form->insn].accesses == FH_ACCESSES_LOCAL;
    i->wait = (uint8_t)fh_wait_mask(&inst);
    i->pipe = (uint8_t)(fh_pipe_of(&inst) - fh_pipes);
    i->sched = inst.sched;
    fh_lanes_effect_of(&inst, &uses, &i->effect);
    i->first_use = p->use_count;
    i->use_count = (uint8_t)uses.count;
    p->use_count += uses.count;
    return true;
}

static bool decode_all(struct fh_paths *p) {
    uint32_t count = p->graph.code.count;
    p->insts = calloc(count + (size_t)1, sizeof *p->insts);
    bool good = p->insts != NULL;
    for (uint32_t at = 0; at < count && good; at++)
        good = decode_one(p, at);
    return good;
}

void fh_paths_uses(const struct fh_paths *p, uint32_t at, struct fh_uses *uses) {
    const struct fh_path_inst *i = &p->insts[at];
    uses->count = i->use_count;
    if (i->use_count)
        memcpy(uses->use, p->uses + i->first_use, i->use_count * sizeof *uses->use);
}

fh_lanes fh_paths_acting(const struct fh_paths *p, uint32_t at) {
    return fh_lanes_complete(&p->now.rules, p->now.lanes | p->insts[at].effect.guard);
}

/* Stores to local memory have read their registers before a barrier, too. */
static void pass_barrier(struct fh_paths *p) {
    fh_hazards_stored(&p->now);
    for (unsigned i = 0; i < p->now.count; i++)
        if (p->now.pending[i].reads && p->insts[p->now.pending[i].index].local)
            fh_hazards_end(&p->now, &p->now.pending[i]);
}

void fh_paths_step(struct fh_paths *p, uint32_t at) {
    const struct fh_path_inst *i = &p->insts[at];
    struct fh_uses uses;
    if (!i->known) {
        fh_hazards_clear(&p->now);
        return;
    }
    fh_lanes acting = fh_paths_acting(p, at);
    fh_paths_uses(p, at, &uses);
    fh_hazards_wait(&p->now, i->wait);
    fh_hazards_issue(&p->now, &fh_pipes[i->pipe], &i->sched, &uses, acting, at);
    if (i->effect.written)
        fh_hazards_predicates(&p->now, &i->effect, acting);
    if (i->barrier)
        pass_barrier(p);
    if (i->may_exit)
        fh_hazards_narrow(&p->now, fh_lanes_negation(i->effect.guard));
}

/* The lanes that go where the instruction leads, and those that do not. */
static void split(const struct fh_inst *inst, fh_lanes *taken, fh_lanes *rest) {
    unsigned control = fh_form_control[inst->form->id];
    fh_lanes guard = fh_lanes_of_guard(inst), also = 0;
    *taken = *rest = 0;
    if (control == FH_CTRL_bra_div || control == FH_CTRL_bra_conv)
        return; /* all lanes or none, whatever their predicates are */
    for (unsigned i = 0; i < inst->form->operand_count; i++) {
        const struct fh_operand *op = &inst->op[i];
        if ((op->kind == FH_K_PRED || op->kind == FH_K_UPRED) && (op->reg != FH_PT || op->neg))
            also = fh_lanes_literal(op->kind == FH_K_UPRED, op->reg, op->neg);
    }
    *taken = guard | also;
    if (!also)
        *rest = fh_lanes_negation(guard);
    else if (inst->guard == FH_PT && !inst->guard_neg)
        *rest = fh_lanes_negation(also);
}

static void leave_block(struct fh_paths *p, uint32_t call, uint32_t last) {
    const struct fh_flowgraph *g = &p->graph;
    uint32_t next = g->block_of[last] + 1;
    struct fh_inst inst;
    fh_lanes taken = 0, rest = 0;
    struct fh_exit x = {.target = FH_NOWHERE, .falls = true};
    fh_hazards_settle(&p->now);
    if (fh_decode(g->code.words[last], &inst)) {
        x = fh_exit_of(&inst, last, g->code.count);
        if (x.ends)
            split(&inst, &taken, &rest);
    }
    uint32_t into = call;
    if (x.calls)
        into = x.target == FH_NOWHERE ? FH_NOWHERE : call_of(p, call, last, x.target);
    if (x.target != FH_NOWHERE && into != FH_NOWHERE)
        go(p, into, g->block_of[x.target], taken);
    if (x.falls && next < g->blocks)
        go(p, call, next, rest);
    if (x.returns)
        fh_hazards_return(&p->now);
    for (uint32_t r = x.returns ? p->calls[call].returns : 0; r; r = p->returns[r - 1].next)
        go(p, p->returns[r - 1].call, g->block_of[p->returns[r - 1].back], taken);
    if (into == FH_NOWHERE && next < g->blocks) {
        fh_hazards_clear(&p->now); /* a function that is not seen waits for its own */
        go(p, call, next, 0);
    }
}

static void settle(struct fh_paths *p) {
    while (p->queue_count && !p->no_memory) {
        struct fh_path_entry *e = &p->entries[take_from_queue(p)];
        uint32_t call = e->call, first = p->graph.first[e->block],
                 end = p->graph.first[e->block + 1];
        e->queued = false;
        fh_paths_enter(p, e);
        for (uint32_t at = first; at < end; at++)
            fh_paths_step(p, at);
        leave_block(p, call, end - 1);
    }
}

/* Whether the block is the filling behind a kernel: NOPs, or a branch to itself. */
static bool is_filling(const struct fh_flowgraph *g, uint32_t block) {
    struct fh_inst inst;
    uint32_t first = g->first[block];
    if (!fh_decode(g->code.words[first], &inst))
        return false;
    return inst.form->insn == FH_INSN_NOP ||
           fh_exit_of(&inst, first, g->code.count).target == first;
}

static int by_block(const void *x, const void *y) {
    const struct fh_path_entry *a = x, *b = y;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    return a->call < b->call ? -1 : a->call > b->call;
}

/* From the beginning, and then from what only an indirect branch can reach. */
void fh_paths_follow(struct fh_paths *p, struct fh_code code) {
    struct fh_path_call root = {.site = FH_NOWHERE};
    if (!fh_flowgraph_make(&p->graph, code) ||
        !fh_grow(&p->calls, &p->call_room, 1, sizeof *p->calls) ||
        !(p->reached = calloc(p->graph.blocks + (size_t)1, 1)) || !decode_all(p)) {
        p->no_memory = true;
        return;
    }
    p->calls[p->call_count++] = root;
    fh_hazards_clear(&p->now);
    go(p, 0, 0, 0);
    settle(p);
    for (uint32_t b = 0; p->graph.indirect && b < p->graph.blocks && !p->no_memory; b++) {
        if (p->reached[b] || is_filling(&p->graph, b))
            continue;
        fh_hazards_clear(&p->now);
        go(p, 0, b, 0);
        settle(p);
    }
    if (p->entry_count)
        qsort(p->entries, p->entry_count, sizeof *p->entries, by_block);
}

void fh_paths_free(struct fh_paths *p) {
    for (size_t i = 0; i < p->entry_count; i++)
        free(p->entries[i].pending);
    free(p->entries);
    free(p->calls);
    free(p->returns);
    free(p->queue);
    free(p->reached);
    free(p->insts);
    free(p->uses);
    free(p->found_entries.keys);
    free(p->found_entries.values);
    free(p->found_calls.keys);
    free(p->found_calls.values);
    fh_flowgraph_free(&p->graph);
    p->entries = NULL;
    p->calls = NULL;
    p->returns = NULL;
    p->return_count = p->return_room = 0;
    p->queue = NULL;
    p->reached = NULL;
    p->insts = NULL;
    p->uses = NULL;
    p->use_count = p->use_room = 0;
    p->found_entries = p->found_calls = (struct fh_path_table){NULL, NULL, 0, 0};
    p->call_count = p->call_room = p->entry_count = p->entry_room = 0;
    p->queue_count = p->queue_room = 0;
    p->no_memory = false;
}
