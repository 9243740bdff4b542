/*
 * race_oracle_clock.c - the orders of docs/checks.md, one function for each kind.
 */
#include "race_oracle_clock.h"

struct lane {
    uint32_t position;                 /* the operation that comes next */
    uint32_t now;                      /* clock */
    uint32_t fenced_block, fenced_all; /* what it did before its last MEMBAR of that scope */
    uint32_t met;                      /* of its last meeting, whose reads are over */
    uint8_t membar;                    /* behind its last MEMBAR; 0: none */
};

/* What strong accesses of a word hand on: to lanes of a block, and to all. */
struct word {
    struct or_clock block[OR_BLOCKS], all;
};

struct or_clocks {
    const struct or_program *program;
    const struct or_plan *plan;
    bool every;
    struct or_clock *clocks;
    uint32_t count, capacity;
    struct lane lanes[OR_LANES];
    struct lane arrived[OR_OPS][OR_LANES]; /* as they were at a BAR.ARV */
    struct word *words;
    uint32_t word_count, word_capacity;
    uint32_t word_of[OR_WORDS]; /* index + 1; 0: none */
};

struct or_clocks *or_clocks_new(void) {
    struct or_clocks *c = calloc(1, sizeof *c);
    assert_non_null(c);
    return c;
}

void or_clocks_free(struct or_clocks *c) {
    free(c->clocks);
    free(c->words);
    free(c);
}

static uint32_t new_clock(struct or_clocks *c, uint32_t from) {
    if (c->count == c->capacity) {
        c->capacity = c->capacity ? 2 * c->capacity : 1024;
        c->clocks = realloc(c->clocks, c->capacity * sizeof *c->clocks);
        assert_non_null(c->clocks);
    }
    if (c->count)
        c->clocks[c->count] = c->clocks[from];
    else
        memset(&c->clocks[0], 0, sizeof c->clocks[0]);
    return c->count++;
}

void or_clocks_begin(struct or_clocks *c, const struct or_program *program,
                     const struct or_plan *plan, bool every) {
    c->program = program;
    c->plan = plan;
    c->every = every;
    c->count = 0;
    c->word_count = 0;
    memset(c->word_of, 0, sizeof c->word_of);
    memset(c->lanes, 0, sizeof c->lanes);
    (void)new_clock(c, 0); /* number 0: nothing is ordered before the launch's first accesses */
}

static void join(uint8_t to[OR_LANES], const uint8_t from[OR_LANES]) {
    for (unsigned i = 0; i < OR_LANES; i++)
        to[i] = to[i] > from[i] ? to[i] : from[i];
}

static void join_clock(struct or_clock *to, const struct or_clock *from) {
    join(to->all, from->all);
    join(to->reads, from->reads);
}

/* The same, of a numbered one. */
static void join_number(const struct or_clocks *c, struct or_clock *to, uint32_t from) {
    if (from) /* number 0 is empty */
        join_clock(to, &c->clocks[from]);
}

/* A copy of the lane's clock with what the lane itself has done before operation `op`. */
static uint32_t own_clock(struct or_clocks *c, uint32_t lane, uint32_t op) {
    const uint32_t made = new_clock(c, c->lanes[lane].now);
    c->clocks[made].all[lane] = c->clocks[made].reads[lane] = (uint8_t)op;
    return made;
}

/* ---------------------------------------------------------------- meetings */

static bool in(const uint32_t masks[OR_BLOCKS * OR_WARPS], uint32_t lane) {
    return masks[lane / FHEC_WARP_LANES] >> lane % FHEC_WARP_LANES & 1;
}

static bool is_block_barrier(enum or_kind kind) {
    return kind == OR_BAR || kind == OR_BAR_NAMED || kind == OR_BAR_ARRIVE;
}

static bool is_meeting(enum or_kind kind) {
    return (kind >= OR_BAR && kind <= OR_IMMA) || kind == OR_ENDIF;
}

/* The lanes that `lane` meets at the operation, itself among them. */
static uint32_t members(const struct or_clocks *c, uint32_t lane, uint32_t op,
                        uint32_t list[OR_LANES]) {
    const struct or_op *o = &c->program->ops[op];
    const uint32_t size = is_block_barrier(o->kind) ? OR_WARPS * FHEC_WARP_LANES : FHEC_WARP_LANES;
    const uint32_t first = lane - lane % size;
    const bool two = o->kind == OR_WARPSYNC_IN_TWO, waits = o->kind == OR_BAR_ARRIVE;
    uint32_t count = 0;
    for (uint32_t l = first; l < first + size; l++) {
        const bool here = two || waits ? in(c->plan->whole[op], l) : in(c->plan->active[op], l);
        if (here && (!two || in(c->plan->active[op], l) == in(c->plan->active[op], lane)))
            list[count++] = l;
    }
    return count;
}

/* Perhaps lanes that have ended have come, too, with all that they did: a barrier waits until then.
 */
static void join_ended(struct or_clocks *c, uint32_t lane, uint32_t op, struct or_clock *clock) {
    const bool block = is_block_barrier(c->program->ops[op].kind);
    const uint32_t size = block ? OR_WARPS * FHEC_WARP_LANES : FHEC_WARP_LANES;
    const uint32_t first = lane - lane % size;
    for (uint32_t i = 0; i < op; i++)
        for (uint32_t l = first; l < first + size && c->program->ops[i].kind == OR_EXIT; l++)
            if (in(c->plan->active[i], l) && or_clocks_reach(c, l, i + 1)) {
                join_clock(clock, &c->clocks[c->lanes[l].now]);
                clock->all[l] = clock->reads[l] = (uint8_t)(i + 1);
            }
}

/* As the lane was when it came to a meeting. */
static const struct lane *as_it_came(const struct or_clocks *c, uint32_t lane, uint32_t op) {
    const bool arrives = c->program->ops[op].kind == OR_BAR_ARRIVE && in(c->plan->active[op], lane);
    return arrives ? &c->arrived[op][lane] : &c->lanes[lane];
}

/* What the lanes of a meeting have fenced, for the block or for all; 0: nothing. */
static uint32_t fenced_by(struct or_clocks *c, const uint32_t *list, uint32_t count, uint32_t op,
                          bool for_all) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct lane *from = as_it_came(c, list[i], op);
        const uint32_t fenced = for_all ? from->fenced_all : from->fenced_block;
        if (fenced && !sum)
            sum = new_clock(c, fenced);
        else if (fenced)
            join_clock(&c->clocks[sum], &c->clocks[fenced]);
    }
    return sum;
}

/* Every one who comes gives what it knows, and those that do not only arrive get it. */
static bool meet(struct or_clocks *c, uint32_t lane, uint32_t op) {
    const enum or_kind kind = c->program->ops[op].kind;
    const bool arriving = kind == OR_BAR_ARRIVE;
    const bool hands_on = is_block_barrier(kind) || c->every;
    uint32_t list[OR_LANES];
    const uint32_t count = members(c, lane, op, list);
    for (uint32_t i = 0; i < count; i++) {
        const bool arrives = arriving && in(c->plan->active[op], list[i]);
        if (!or_clocks_reach(c, list[i], op + arrives))
            return false;
    }
    const uint32_t now = new_clock(c, 0);
    const uint32_t fenced_block = hands_on ? fenced_by(c, list, count, op, false) : 0;
    const uint32_t fenced_all = hands_on ? fenced_by(c, list, count, op, true) : 0;
    for (uint32_t i = 0; i < count; i++) {
        join_number(c, &c->clocks[now], as_it_came(c, list[i], op)->now);
        c->clocks[now].all[list[i]] = c->clocks[now].reads[list[i]] = (uint8_t)(op + 1);
    }
    if (c->every)
        join_ended(c, lane, op, &c->clocks[now]);
    for (uint32_t i = 0; i < count; i++) {
        struct lane *to = &c->lanes[list[i]];
        if (arriving && in(c->plan->active[op], list[i]))
            continue;
        if (kind == OR_IMMA) { /* only what they have read is over */
            to->now = own_clock(c, list[i], op + 1);
            for (uint32_t k = 0; k < count; k++)
                c->clocks[to->now].reads[list[k]] = (uint8_t)(op + 1);
            if (c->every) /* and what others had read that these know of */
                join(c->clocks[to->now].reads, c->clocks[now].reads);
        } else {
            to->now = to->met = now;
        }
        if (hands_on && kind != OR_IMMA) {
            to->fenced_block = fenced_block;
            to->fenced_all = fenced_all;
        }
        to->position = op + 1;
    }
    return true;
}

/* ---------------------------------------------------------------- lanes */

static void fence(struct or_clocks *c, uint32_t lane, uint32_t op) {
    struct lane *l = &c->lanes[lane];
    l->membar = (uint8_t)(op + 1);
    l->fenced_block = own_clock(c, lane, op + 1);
    if (c->program->ops[op].scope >= OR_GPU)
        l->fenced_all = l->fenced_block;
}

uint32_t or_clocks_fence_block(struct or_clocks *c, uint32_t lane, uint32_t op) {
    const uint32_t before = c->lanes[lane].fenced_block;
    c->lanes[lane].fenced_block = own_clock(c, lane, op);
    return before;
}

void or_clocks_fence_again(struct or_clocks *c, uint32_t lane, uint32_t fenced) {
    c->lanes[lane].fenced_block = fenced;
}

bool or_clocks_reach(struct or_clocks *c, uint32_t lane, uint32_t op) {
    struct lane *l = &c->lanes[lane];
    while (l->position < op) {
        const uint32_t at = l->position;
        const struct or_op *o = &c->program->ops[at];
        const bool here = o->kind == OR_WARPSYNC_IN_TWO || o->kind == OR_BAR_ARRIVE
                              ? in(c->plan->whole[at], lane)
                              : in(c->plan->active[at], lane);
        if (here && or_is_access(o->kind))
            return false;
        if (here && o->kind == OR_BAR_ARRIVE && in(c->plan->active[at], lane)) {
            c->arrived[at][lane] = *l;
        } else if (here && is_meeting(o->kind)) {
            if (!meet(c, lane, at))
                return false;
            continue;
        }
        if (here && o->kind == OR_MEMBAR)
            fence(c, lane, at);
        l->position = at + 1;
    }
    return true;
}

void or_clocks_pass(struct or_clocks *c, uint32_t lane, uint32_t op) {
    c->lanes[lane].position = op + 1;
}

uint32_t or_clocks_now(const struct or_clocks *c, uint32_t lane) {
    return c->lanes[lane].now;
}

const struct or_clock *or_clocks_get(const struct or_clocks *c, uint32_t index) {
    return &c->clocks[index];
}

bool or_clocks_fenced(const struct or_clocks *c, uint32_t lane, uint32_t op, bool last) {
    const uint8_t membar = c->lanes[lane].membar;
    return last ? membar && membar == op : membar != 0;
}

/* ---------------------------------------------------------------- strong accesses */

static struct word *word_at(struct or_clocks *c, uint32_t word) {
    if (!c->word_of[word]) {
        if (c->word_count == c->word_capacity) {
            c->word_capacity = c->word_capacity ? 2 * c->word_capacity : 64;
            c->words = realloc(c->words, c->word_capacity * sizeof *c->words);
            assert_non_null(c->words);
        }
        memset(&c->words[c->word_count], 0, sizeof *c->words);
        c->word_of[word] = ++c->word_count;
    }
    return &c->words[c->word_of[word] - 1];
}

/* A read takes what strong writes before it have handed on. */
void or_clocks_strong_read(struct or_clocks *c, uint32_t lane, uint32_t word, bool device) {
    const uint32_t block = lane / (OR_WARPS * FHEC_WARP_LANES);
    if (!c->word_of[word])
        return;
    const struct word *w = &c->words[c->word_of[word] - 1];
    const uint32_t made = new_clock(c, c->lanes[lane].now);
    join_clock(&c->clocks[made], &w->block[block]);
    if (device)
        join_clock(&c->clocks[made], &w->all);
    c->lanes[lane].now = made;
}

/* A store hides what was handed on before, unless `every` order counts; an atomic operation hands
 * it on with its own. */
void or_clocks_strong_write(struct or_clocks *c, uint32_t lane, uint32_t word, bool device,
                            bool atomic) {
    const uint32_t block = lane / (OR_WARPS * FHEC_WARP_LANES);
    const struct lane *l = &c->lanes[lane];
    if (!l->fenced_block && !l->met && !c->word_of[word]) /* clock 0: nothing to hand on */
        return;
    struct word *w = word_at(c, word);
    if (!atomic && !c->every)
        memset(w, 0, sizeof *w);
    join_number(c, &w->block[block], l->fenced_block);
    if (device)
        join_number(c, &w->all, l->fenced_all);
    if (atomic && !c->every)
        return;
    join(w->block[block].reads, c->clocks[l->met].reads);
    if (device)
        join(w->all.reads, c->clocks[l->met].reads);
}

void or_clocks_plain_write(struct or_clocks *c, uint32_t word) {
    if (c->word_of[word] && !c->every)
        memset(&c->words[c->word_of[word] - 1], 0, sizeof *c->words);
}

/* ---------------------------------------------------------------- copies */

uint8_t or_copy_end(const struct or_program *program, const struct or_plan *plan, uint32_t lane,
                    uint32_t op) {
    uint32_t closed = 0;
    bool in_group = false;
    for (uint32_t i = op + 1; i < program->count; i++) {
        const struct or_op *o = &program->ops[i];
        if (!in(plan->active[i], lane))
            continue;
        if (o->kind == OR_COPY_ARRIVE)
            return (uint8_t)(i + 1);
        if (o->kind == OR_COMMIT) {
            closed += in_group;
            in_group = true;
        }
        /* `closed` groups came behind the copy's: all but the last `number` are waited for */
        if (o->kind == OR_WAIT && in_group && closed >= o->number)
            return (uint8_t)(i + 1);
    }
    return OR_NEVER;
}
