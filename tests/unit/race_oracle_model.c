/*
 * race_oracle_model.c - all pairs of accesses of a run, byte by byte. Two passes: one in which
 * every order that the manual may mean is one, for `must`, and one in which only the certain ones
 * are, for `may`.
 */
#include "race_oracle_clock.h"

enum {
    BYTES = OR_GLOBAL + OR_BLOCKS * OR_SHARED,
    LAST = 16, /* bytes of an access */
};

struct access {
    uint32_t op, lane, block, warp; /* the lane's and the warp's numbers are of the launch */
    uint32_t at, bytes;             /* place in all memory: global first, then that of each block */
    bool shared, read, write, atomic, cas, copy;
    bool strong, device;  /* the scope of a strong one is all blocks */
    uint8_t value[LAST];  /* that a write has left */
    uint32_t clock;       /* its lane's */
    uint8_t begin, end;   /* ordered behind what its lane did before `begin`; as the lane's `end` */
    uint32_t read_here;   /* bit i: byte i of this write was read before it was written again */
    uint32_t other_value; /* the last access before it that wrote something else there: + 2 (0:
                             not looked for, 1: none) */
};

struct entry {
    uint32_t access, next; /* index + 1; 0: none */
};

struct model {
    const struct or_program *program;
    const struct or_plan *plan;
    struct or_verdict *verdict;
    bool every;
    bool has_flags; /* stores to shared memory may be strong, which two that nobody reads are not */
    struct or_clocks *clocks;
    struct access *accesses;
    uint32_t count, capacity;
    struct entry *entries;
    uint32_t entry_count, entry_capacity;
    uint32_t first[OR_WORDS], last[OR_WORDS]; /* entries of a word, in the order of the run */
    uint32_t writer[BYTES];                   /* access + 1 */
    uint32_t last_read[BYTES];                /* access + 1 */
    uint64_t reading_ops[BYTES];
    /* By atomic operations, in loops that wait; anywhere in the run: known in the second pass. */
    bool atomics[OR_WORDS], polled[OR_WORDS];
};

/* ---------------------------------------------------------------- accesses */

/* Atomic operations have gone to all of the access's words before it; or to one, at any time. */
static bool words_have_atomics(const struct model *m, const struct access *a, bool any) {
    for (uint32_t w = a->at / 4; w <= (a->at + a->bytes - 1) / 4; w++) {
        bool before = false;
        for (uint32_t e = m->first[w]; e && !before; e = m->entries[e - 1].next)
            before = m->accesses[m->entries[e - 1].access].atomic;
        if (any ? m->atomics[w] : !before)
            return any;
    }
    return !any;
}

/* LDS that wait in a loop are strong, perhaps also STS of what they wait for; in programs with
 * mbarriers all LDS and STS of words where atomic operations have gone, perhaps also of words where
 * they go later. */
static bool is_strong_by_use(const struct model *m, const struct or_op *op,
                             const struct access *a) {
    bool mbarriers = false, polled = op->kind == OR_POLL;
    for (uint32_t i = 0; i < m->program->count; i++)
        mbarriers |= or_is_arrival(m->program->ops[i].kind);
    for (uint32_t w = a->at / 4; w <= (a->at + a->bytes - 1) / 4; w++)
        polled |= m->every && m->polled[w];
    return polled || (mbarriers && words_have_atomics(m, a, m->every));
}

/* Strong are what is marked, and atomic operations; those of shared memory reach the block. A store
 * to shared memory behind a MEMBAR, where atomic operations go: surely one right behind it, where
 * one has been; perhaps any other. */
static void decide_strength(struct model *m, const struct or_op *op, struct access *a) {
    a->strong = a->atomic || (op->scope != OR_WEAK && (!a->shared || op->generic) && !a->copy);
    a->device = a->strong && !a->shared && op->scope != OR_SM;
    if (a->strong || !a->shared || a->copy)
        return;
    a->strong = is_strong_by_use(m, op, a);
    if (a->strong || !a->write)
        return;
    a->strong = or_clocks_fenced(m->clocks, a->lane, a->op, !m->every) &&
                words_have_atomics(m, a, m->every);
}

static void add_entries(struct model *m, uint32_t access) {
    const struct access *a = &m->accesses[access];
    for (uint32_t w = a->at / 4; w <= (a->at + a->bytes - 1) / 4; w++) {
        m->atomics[w] |= a->atomic;
        m->polled[w] |= m->program->ops[a->op].kind == OR_POLL;
        if (m->entry_count == m->entry_capacity) {
            m->entry_capacity = m->entry_capacity ? 2 * m->entry_capacity : 4096;
            m->entries = realloc(m->entries, m->entry_capacity * sizeof *m->entries);
            assert_non_null(m->entries);
        }
        m->entries[m->entry_count] = (struct entry){.access = access};
        m->entry_count++;
        if (m->last[w])
            m->entries[m->last[w] - 1].next = m->entry_count;
        else
            m->first[w] = m->entry_count;
        m->last[w] = m->entry_count;
    }
}

/* What the access does to the order of things, and when it is. */
static void order_access(struct model *m, struct access *a) {
    const uint32_t first = a->at / 4, last = (a->at + a->bytes - 1) / 4;
    const enum or_kind kind = m->program->ops[a->op].kind;
    const bool arrives = or_is_arrival(kind);
    uint32_t fenced = 0;
    if (arrives) /* with the copies that arrive */
        fenced = or_clocks_fence_block(m->clocks, a->lane, a->op + 1);
    a->clock = or_clocks_now(m->clocks, a->lane);
    /* Whether an arrival, or a RED, takes what others have handed on is doubtful: PTX has them
     * release only, and relaxed. */
    if (a->strong && a->read && (!(arrives || kind == OR_RED) || m->every))
        for (uint32_t w = first; w <= last; w++)
            or_clocks_strong_read(m->clocks, a->lane, w, a->device);
    if (m->every) /* the access itself is perhaps behind what it has read */
        a->clock = or_clocks_now(m->clocks, a->lane);
    a->begin = a->end = (uint8_t)(a->op + 1);
    if (a->copy && !(a->read && m->every))
        a->end = or_copy_end(m->program, m->plan, a->lane, a->op);
    for (uint32_t w = first; w <= last && a->write; w++) {
        if (a->strong)
            or_clocks_strong_write(m->clocks, a->lane, w, a->device, a->atomic);
        else
            or_clocks_plain_write(m->clocks, w);
    }
    /* whether it is a fence for what the lane writes elsewhere, too: PTX has it of one mbarrier */
    if (arrives && !m->every)
        or_clocks_fence_again(m->clocks, a->lane, fenced);
}

static void note_bytes(struct model *m, uint32_t access) {
    const struct access *a = &m->accesses[access];
    for (uint32_t b = a->at; b < a->at + a->bytes; b++) {
        if (a->read) {
            m->last_read[b] = access + 1;
            m->reading_ops[b] |= UINT64_C(1) << a->op;
            if (m->writer[b]) {
                struct access *w = &m->accesses[m->writer[b] - 1];
                w->read_here |= UINT32_C(1) << (b - w->at);
            }
        }
        if (a->write)
            m->writer[b] = access + 1;
    }
}

static bool add_access(struct model *m, const struct or_seen *s, uint32_t l) {
    const struct or_op *op = &m->program->ops[s->op];
    const uint32_t warp = s->block * OR_WARPS + s->warp;
    const uint32_t lane = warp * FHEC_WARP_LANES + l;
    if (m->count == m->capacity) {
        m->capacity = m->capacity ? 2 * m->capacity : 4096;
        m->accesses = realloc(m->accesses, m->capacity * sizeof *m->accesses);
        assert_non_null(m->accesses);
    }
    struct access *a = &m->accesses[m->count];
    *a = (struct access){.op = s->op,
                         .lane = lane,
                         .block = s->block,
                         .warp = warp,
                         .at = s->address[l] +
                               (s->shared ? OR_GLOBAL + s->block * (uint32_t)OR_SHARED : 0),
                         .bytes = s->bytes,
                         .shared = s->shared,
                         .read = s->read,
                         .write = s->write,
                         .atomic = s->read && s->write,
                         .cas = op->kind == OR_CAS,
                         .copy = op->kind == OR_COPY};
    memcpy(a->value, s->value[l], sizeof a->value);
    if (s->address[l] + s->bytes > (s->shared ? OR_SHARED : OR_GLOBAL) ||
        !or_clocks_reach(m->clocks, lane, s->op))
        return false;
    decide_strength(m, op, a);
    order_access(m, a);
    note_bytes(m, m->count);
    add_entries(m, m->count++);
    return true;
}

/* ---------------------------------------------------------------- pairs */

static bool ordered(const struct model *m, const struct access *a, const struct access *b) {
    if (a->lane == b->lane) /* copies are made before their lane arrives */
        return a->end < b->begin ||
               (a->end == b->begin && m->program->ops[b->op].kind == OR_COPY_ARRIVE);
    const struct or_clock *clock = or_clocks_get(m->clocks, b->clock);
    return clock->all[a->lane] >= a->end || (!a->write && clock->reads[a->lane] >= a->end);
}

static unsigned class_of(const struct access *a, const struct access *b) {
    if (a->copy || b->copy)
        return OR_OF_COPY;
    if (a->block != b->block)
        return a->strong && b->strong ? OR_OF_SCOPES : OR_IN_GRID;
    return a->warp != b->warp ? OR_IN_BLOCK : OR_IN_WARP;
}

static uint32_t highest(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static uint32_t overlap_end(const struct access *a, const struct access *b) {
    return a->at + a->bytes < b->at + b->bytes ? a->at + a->bytes : b->at + b->bytes;
}

static bool same_values(const struct access *a, const struct access *b) {
    const uint32_t from = highest(a->at, b->at);
    return memcmp(a->value + (from - a->at), b->value + (from - b->at), overlap_end(a, b) - from) ==
           0;
}

/* Two writes of the same value, a and b, are not seen as such where another one came in between. */
static bool is_written_between(const struct model *m, const struct access *a, struct access *b) {
    for (const struct access *x = b - 1; !b->other_value && x >= m->accesses; x--)
        if (x->write && highest(b->at, x->at) < overlap_end(b, x) && !same_values(x, b))
            b->other_value = (uint32_t)(x - m->accesses) + 2;
    if (!b->other_value)
        b->other_value = 1;
    return b->other_value > (uint32_t)(a - m->accesses) + 2;
}

/* Two writes to shared memory, neither of them atomic: does anybody read what they have left, in a
 * byte in which they differ? Surely if the second one of them was the last before the read. */
static bool left_is_read(const struct model *m, const struct access *a, const struct access *b) {
    for (uint32_t at = highest(a->at, b->at); at < overlap_end(a, b); at++) {
        if (a->value[at - a->at] == b->value[at - b->at])
            continue;
        if (m->every ? b->read_here >> (at - b->at) & 1
                     : m->last_read[at] > (uint32_t)(b - m->accesses) + 1)
            return true;
    }
    return false;
}

/* Whether the two, a before b in the run, which share a byte, race. */
static bool race(const struct model *m, const struct access *a, struct access *b) {
    if (!a->write && !b->write)
        return false;
    if (a->lane == b->lane && !a->copy)
        return false;
    if (a->lane == b->lane && a->op == b->op)
        return false;
    if (a->strong && b->strong && (a->block == b->block || (a->device && b->device)))
        return false;
    if ((a->cas && !b->write) || (b->cas && !a->write))
        return false;
    if (ordered(m, a, b))
        return false;
    if (!a->write || !b->write)
        return true;
    if (!a->atomic && !b->atomic) {
        if (same_values(a, b))
            return !m->every && (a->copy || b->copy || is_written_between(m, a, b));
        if (a->copy || b->copy)
            return !m->every || (a->lane != b->lane && left_is_read(m, a, b));
        return !a->shared || left_is_read(m, a, b) || (!m->every && m->has_flags);
    }
    if (!m->every || b->atomic)
        return true;
    /* Whether an atomic operation before a store counts as the first of two writes, of the same
     * value, or of which nobody reads what they have left in shared memory, is doubtful. */
    return !same_values(a, b) && (!a->shared || left_is_read(m, a, b));
}

static void tell(const struct model *m, const struct access *a, const struct access *b) {
    struct or_verdict *v = m->verdict;
    uint8_t(*to)[OR_OPS] = m->every ? v->must : v->may;
    const unsigned bit = class_of(a, b);
    bool *any = m->every ? &v->racy : &v->clean;
    to[a->op][b->op] |= (uint8_t)bit;
    to[b->op][a->op] |= (uint8_t)bit;
    if (*any == m->every)
        return;
    *any = m->every;
    snprintf(v->example, sizeof v->example,
             "operation %u of lane %u and %u of lane %u of the launch at %s byte 0x%x", a->op,
             a->lane, b->op, b->lane, a->shared ? "shared" : "global",
             highest(a->at, b->at) -
                 (a->shared ? (uint32_t)OR_GLOBAL + a->block * (uint32_t)OR_SHARED : 0));
}

/* The race of two stores to shared memory may be told where what they left is read. */
static void tell_readers(const struct model *m, const struct access *a, const struct access *b) {
    for (uint32_t at = highest(a->at, b->at); at < overlap_end(a, b); at++)
        for (uint32_t op = 0; op < m->program->count; op++)
            if (m->reading_ops[at] >> op & 1) {
                const uint8_t bits = OR_IN_WARP | OR_IN_BLOCK;
                m->verdict->may[a->op][op] |= bits;
                m->verdict->may[op][a->op] |= bits;
                m->verdict->may[b->op][op] |= bits;
                m->verdict->may[op][b->op] |= bits;
            }
}

static void compare_word(const struct model *m, uint32_t word) {
    uint8_t(*told)[OR_OPS] = m->every ? m->verdict->must : m->verdict->may;
    for (uint32_t y = m->first[word]; y; y = m->entries[y - 1].next) {
        struct access *b = &m->accesses[m->entries[y - 1].access];
        for (uint32_t x = m->first[word]; x != y; x = m->entries[x - 1].next) {
            const struct access *a = &m->accesses[m->entries[x - 1].access];
            const uint32_t from = highest(a->at, b->at);
            if ((!a->write && !b->write) || from / 4 != word || from >= overlap_end(a, b) ||
                told[a->op][b->op] & class_of(a, b) || !race(m, a, b))
                continue;
            tell(m, a, b);
            if (a->shared && a->write && b->write && !a->atomic && !b->atomic && !m->every)
                tell_readers(m, a, b);
        }
    }
}

static bool has_flags(const struct or_program *program) {
    bool found = false;
    for (uint32_t i = 0; i < program->count; i++)
        found |= program->ops[i].kind == OR_MEMBAR || program->ops[i].kind == OR_POLL ||
                 or_is_arrival(program->ops[i].kind);
    return found;
}

static bool pass(struct model *m, const struct or_trace *trace, bool every) {
    m->every = every;
    m->count = m->entry_count = 0;
    memset(m->first, 0, sizeof m->first);
    memset(m->last, 0, sizeof m->last);
    memset(m->writer, 0, sizeof m->writer);
    memset(m->last_read, 0, sizeof m->last_read);
    memset(m->reading_ops, 0, sizeof m->reading_ops);
    if (!every) {
        memset(m->atomics, 0, sizeof m->atomics);
        memset(m->polled, 0, sizeof m->polled);
    }
    or_clocks_begin(m->clocks, m->program, m->plan, every);
    for (size_t i = 0; i < trace->count; i++) {
        const struct or_seen *s = &trace->seen[i];
        const uint32_t expected = m->plan->active[s->op][s->block * OR_WARPS + s->warp];
        bool good = s->lanes == expected;
        const uint32_t from = m->count;
        for (uint32_t l = 0; l < FHEC_WARP_LANES && good; l++)
            if (s->lanes >> l & 1)
                good = add_access(m, s, l);
        if (!good) {
            snprintf(m->verdict->example, sizeof m->verdict->example,
                     "block %u, warp %u executes operation %u with lanes 0x%08x: expected are "
                     "0x%08x, behind what they wait for",
                     s->block, s->warp, s->op, s->lanes, expected);
            return false;
        }
        for (uint32_t k = from; k < m->count; k++)
            or_clocks_pass(m->clocks, m->accesses[k].lane, s->op);
    }
    for (uint32_t w = 0; w < OR_WORDS; w++)
        if (m->first[w])
            compare_word(m, w);
    return true;
}

/* ---------------------------------------------------------------- */

bool or_judge(const struct or_program *program, const struct or_plan *plan,
              const struct or_trace *trace, struct or_verdict *verdict) {
    static struct model *m; /* its arrays are used again */
    if (!m) {
        m = calloc(1, sizeof *m);
        assert_non_null(m);
        m->clocks = or_clocks_new();
    }
    m->program = program;
    m->plan = plan;
    m->verdict = verdict;
    m->has_flags = has_flags(program);
    *verdict = (struct or_verdict){.clean = true};
    if (!pass(m, trace, false))
        return false;
    /* what does not race even without the doubtful orders does not with them */
    if (!verdict->clean && !pass(m, trace, true))
        return false;
    for (uint32_t a = 0; a < program->count; a++)
        for (uint32_t b = 0; b < program->count; b++)
            verdict->may[a][b] |= verdict->must[a][b];
    return true;
}
