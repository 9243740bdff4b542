/*
 * hazard.c - see hazard.h. Only resources with something outstanding are kept, so that the work per
 * instruction goes with those and not with all registers.
 */
#include "hazard.h"

#include "isa_names.h"

#include <string.h>

/* When a result of a variable pipe arrives at the earliest: what it overwrites must be there. */
enum { VARIABLE_LEAST = 6 };

void fh_hazards_clear(struct fh_hazards *h) {
    h->count = 0;
    memset(h->slot, 0, sizeof h->slot);
    memset(h->arming, 0, sizeof h->arming);
}

/* ---------------------------------------------------------------- the resources that are kept */

static const struct fh_pending *look(const struct fh_hazards *h, unsigned resource) {
    return h->slot[resource] ? &h->pending[h->slot[resource] - 1] : NULL;
}

static struct fh_pending *touch(struct fh_hazards *h, unsigned resource) {
    if (!h->slot[resource]) {
        h->pending[h->count] = (struct fh_pending){.resource = (uint16_t)resource};
        h->slot[resource] = (uint16_t)++h->count;
    }
    return &h->pending[h->slot[resource] - 1];
}

static unsigned longest(const struct fh_pending *pending) {
    unsigned cycles = 0;
    for (unsigned g = 0; g < FH_MAX_GROUPS; g++)
        if (pending->left[g] > cycles)
            cycles = pending->left[g];
    return cycles;
}

/* ---------------------------------------------------------------- queues: bytes of a word */

_Static_assert(FH_MAX_QUEUES == sizeof(uint64_t), "a byte for each queue");

/* The byte in every queue. */
static uint64_t in_all(unsigned byte) {
    return byte * UINT64_C(0x0101010101010101);
}

static uint64_t in_queue(unsigned queue, unsigned byte) {
    return (uint64_t)byte << 8 * queue;
}

static uint8_t queue_of(uint64_t queues, unsigned queue) {
    return (uint8_t)(queues >> 8 * queue);
}

/* FH_OUTSTANDING in every queue that has one of the scoreboards: what is at most 0x7f and not 0
 * reaches 0x80 when 0x7f is added, and no byte carries into the next one. */
static uint64_t signalled_by(uint64_t queues, unsigned scoreboards) {
    return ((queues & in_all(scoreboards & 0x7f)) + in_all(0x7f)) & in_all(FH_OUTSTANDING);
}

/* The queues that nothing tells of: FH_OUTSTANDING in each. */
static uint64_t unsignalled(uint64_t queues) {
    return queues & in_all(FH_OUTSTANDING) & ~signalled_by(queues, 0x7f);
}

static bool any(const struct fh_queues *queues) {
    return (queues->of[0] | queues->of[1]) != 0;
}

static bool done(const struct fh_pending *pending) {
    uint64_t left[FH_MAX_GROUPS / 8];
    _Static_assert(sizeof left == sizeof pending->left, "cycles are bytes");
    memcpy(left, pending->left, sizeof left);
    return (left[0] | left[1]) == 0 && !pending->all && !any(&pending->results) &&
           !any(&pending->reads);
}

/* Drops entry i if nothing is outstanding for it: the last one moves there. Returns the index of
 * the entry to be looked at next. */
static inline unsigned sweep(struct fh_hazards *h, unsigned i) {
    if (!done(&h->pending[i]))
        return i + 1;
    h->slot[h->pending[i].resource] = 0;
    if (i != --h->count) {
        h->pending[i] = h->pending[h->count];
        h->slot[h->pending[i].resource] = (uint16_t)(i + 1);
    }
    return i;
}

/* Time passes for a resource. */
static inline void elapse(struct fh_pending *pending, uint8_t cycles) {
    for (unsigned g = 0; g < FH_MAX_GROUPS; g++)
        pending->left[g] = (uint8_t)(pending->left[g] > cycles ? pending->left[g] - cycles : 0);
}

static uint8_t in_a_byte(unsigned cycles) {
    return (uint8_t)(cycles > 255 ? 255 : cycles);
}

/* ---------------------------------------------------------------- waiting and time */

/* Ends what one of the scoreboards signals; whether there was any. */
static bool clear_queues(struct fh_queues *queues, unsigned mask) {
    uint64_t signalled = 0;
    for (unsigned p = 0; p < FH_ALTERNATIVES; p++) {
        uint64_t hit = signalled_by(queues->of[p], mask);
        queues->of[p] &= ~((hit >> 7) * 0xff);
        signalled |= hit;
    }
    return signalled != 0;
}

void fh_hazards_wait(struct fh_hazards *h, unsigned mask) {
    if (!mask)
        return;
    for (unsigned i = 0; i < h->count; i = sweep(h, i)) {
        struct fh_pending *pending = &h->pending[i];
        (void)clear_queues(&pending->reads, mask);
        pending->all &= (uint8_t)~mask;
        /* A scoreboard on a result of a fixed pipe signals it, too. */
        if (clear_queues(&pending->results, mask) && !any(&pending->results))
            memset(pending->left, 0, sizeof pending->left);
    }
}

void fh_hazards_pass(struct fh_hazards *h, unsigned cycles) {
    uint8_t n = in_a_byte(cycles);
    for (unsigned i = 0; i < h->count; i = sweep(h, i))
        elapse(&h->pending[i], n);
    for (unsigned b = 0; b < FH_SCOREBOARDS; b++)
        h->arming[b] = (uint8_t)(h->arming[b] > n ? h->arming[b] - n : 0);
}

unsigned fh_wait_mask(const struct fh_inst *inst) {
    unsigned mask = inst->sched.wait_mask;
    if (inst->form->insn == FH_INSN_DEPBAR) {
        mask |= (unsigned)inst->op[FH_DEPBAR_more].value;
        if (inst->op[FH_DEPBAR_count].value == 0)
            mask |= 1u << inst->op[FH_DEPBAR_SB].reg;
    }
    return mask & ((1u << FH_SCOREBOARDS) - 1);
}

unsigned fh_hazards_scoreboards(const struct fh_hazards *h) {
    uint64_t queues = 0;
    unsigned mask = 0;
    for (unsigned i = 0; i < h->count; i++) {
        mask |= h->pending[i].all;
        for (unsigned p = 0; p < FH_ALTERNATIVES; p++)
            queues |= h->pending[i].results.of[p] | h->pending[i].reads.of[p];
    }
    for (unsigned n = 0; n < FH_MAX_QUEUES; n++)
        mask |= queue_of(queues, n);
    return mask & ~(unsigned)FH_OUTSTANDING;
}

unsigned fh_hazards_cycles(const struct fh_hazards *h) {
    unsigned cycles = 0;
    for (unsigned i = 0; i < h->count; i++)
        if (longest(&h->pending[i]) > cycles)
            cycles = longest(&h->pending[i]);
    return cycles;
}

/* ---------------------------------------------------------------- changes to issued instructions
 */

void fh_hazards_pass_after(struct fh_hazards *h, unsigned cycles, uint32_t index) {
    uint8_t n = in_a_byte(cycles);
    for (unsigned i = 0; i < h->count; i = sweep(h, i))
        if (h->pending[i].writer <= index)
            elapse(&h->pending[i], n);
}

void fh_hazards_guard_result(struct fh_hazards *h, uint32_t index, unsigned scoreboard) {
    enum { LAST = FH_MAX_QUEUES - 1 };
    for (unsigned i = 0; i < h->count; i++) {
        uint64_t *queues = &h->pending[i].results.of[0];
        if (h->pending[i].writer == index && longest(&h->pending[i]))
            *queues = (*queues & ~in_queue(LAST, 0xff)) |
                      in_queue(LAST, FH_OUTSTANDING | 1u << scoreboard);
    }
}

void fh_hazards_guard_read(struct fh_hazards *h, uint32_t index, unsigned scoreboard) {
    for (unsigned i = 0; i < h->count; i++) {
        uint64_t *queues = &h->pending[i].reads.of[0];
        if (h->pending[i].reader == index)
            *queues |= (unsignalled(*queues) >> 7) << scoreboard;
    }
}

bool fh_hazards_unguarded_read(const struct fh_hazards *h, const struct fh_uses *uses,
                               uint32_t *reader) {
    for (unsigned i = 0; i < h->count; i++) {
        const struct fh_pending *pending = &h->pending[i];
        bool wanted = !uses;
        for (unsigned u = 0; uses && u < uses->count; u++)
            wanted |= uses->use[u].access == FH_READ && uses->use[u].first <= pending->resource &&
                      pending->resource < uses->use[u].first + uses->use[u].count;
        if (!wanted || !unsignalled(pending->reads.of[0]))
            continue;
        *reader = pending->reader;
        return true;
    }
    return false;
}

uint32_t fh_hazards_last_writer(const struct fh_hazards *h) {
    unsigned cycles = 0;
    uint32_t writer = 0;
    for (unsigned i = 0; i < h->count; i++) {
        if (longest(&h->pending[i]) <= cycles)
            continue;
        cycles = longest(&h->pending[i]);
        writer = h->pending[i].writer;
    }
    return writer;
}

/* ---------------------------------------------------------------- hazards of an instruction */

static bool is_predicate(unsigned resource) {
    return resource >= FH_RES_P;
}

/* Registers of lanes are read late by variable pipes; all else at issue. */
static bool read_late(const struct fh_pipe *pipe, unsigned resource) {
    return pipe->variable && resource < FH_RES_UR;
}

/* The group that a read belongs to. Arithmetic needs its predicate operands like its registers; all
 * else needs them as early as a guard. */
static unsigned group_of(const struct fh_pipe *pipe, const struct fh_use *use) {
    bool arithmetic = pipe->ready[pipe->reads] != 0;
    if (is_predicate(use->first) && (use->role == FH_ROLE_GUARD || !arithmetic))
        return FH_GROUP_GUARD;
    return pipe->reads;
}

/* How much too early a result of `pipe` would overwrite the one that is under way: it must not be
 * there for its own pipe, or for guards, before the older one is. */
static unsigned overwrite_early(const struct fh_pipe *pipe, const struct fh_pending *pending) {
    unsigned group = is_predicate(pending->resource) ? FH_GROUP_GUARD : pipe->reads;
    unsigned own = pipe->variable ? VARIABLE_LEAST : pipe->ready[group];
    return pending->left[group] > own ? pending->left[group] - own : 0;
}

/* What is outstanding in the queues but one, as a hazard of one of two kinds; whether there is any.
 */
static bool meet_queues(const struct fh_queues *queues, unsigned but,
                        enum fh_hazard_kind guarded_kind, enum fh_hazard_kind unguarded_kind,
                        struct fh_hazard *z) {
    for (unsigned p = 0; p < FH_ALTERNATIVES; p++) {
        uint64_t rest = queues->of[p] & ~(but < FH_MAX_QUEUES ? in_queue(but, 0xff) : 0);
        if (!rest)
            continue;
        unsigned queue = (unsigned)__builtin_ctzll(rest) / 8;
        z->mask = queue_of(rest, queue) & (uint8_t)~FH_OUTSTANDING;
        z->kind = (uint8_t)(z->mask ? guarded_kind : unguarded_kind);
        return true;
    }
    return false;
}

enum { NO_QUEUE = FH_MAX_QUEUES };

/* Fills z, which is about no kind yet, with what a reader of the group runs into. */
static void meet_read(const struct fh_pending *pending, unsigned group, struct fh_hazard *z) {
    z->other = pending->writer;
    if (meet_queues(&pending->results, NO_QUEUE, FH_HAZARD_RESULT, FH_HAZARD_UNGUARDED_RESULT, z))
        return;
    if (pending->all) {
        z->kind = FH_HAZARD_RESULT;
        z->mask = pending->all;
    } else if (pending->left[group]) {
        z->kind = FH_HAZARD_EARLY;
        z->cycles = pending->left[group];
    }
}

static void meet_write(const struct fh_pending *pending, const struct fh_pipe *pipe,
                       struct fh_hazard *z) {
    unsigned own_results = pipe->ordered ? pipe->result_queue : NO_QUEUE;
    unsigned own_reads = pipe->variable ? pipe->read_queue : NO_QUEUE;
    z->other = pending->writer;
    if (meet_queues(&pending->results, own_results, FH_HAZARD_WRITE, FH_HAZARD_UNGUARDED_WRITE, z))
        return;
    if (pending->all) {
        z->kind = FH_HAZARD_WRITE;
        z->mask = pending->all;
        return;
    }
    z->cycles = (uint8_t)overwrite_early(pipe, pending);
    if (z->cycles) {
        z->kind = FH_HAZARD_WRITE_EARLY;
        return;
    }
    z->other = pending->reader;
    (void)meet_queues(&pending->reads, own_reads, FH_HAZARD_READ, FH_HAZARD_UNGUARDED_READ, z);
}

unsigned fh_hazards_find(const struct fh_hazards *h, const struct fh_pipe *pipe,
                         const struct fh_uses *uses, struct fh_hazard list[FH_MAX_HAZARDS]) {
    unsigned n = 0;
    for (unsigned u = 0; h->count && u < uses->count; u++) {
        const struct fh_use *use = &uses->use[u];
        for (unsigned c = use->first; c < use->first + (unsigned)use->count; c++) {
            const struct fh_pending *pending = look(h, c);
            if (!pending || n == FH_MAX_HAZARDS)
                continue;
            struct fh_hazard *z = &list[n];
            z->kind = FH_HAZARD_NONE;
            z->mask = z->cycles = 0;
            z->resource = pending->resource;
            if (use->access == FH_READ)
                meet_read(pending, group_of(pipe, use), z);
            else
                meet_write(pending, pipe, z);
            n += z->kind != FH_HAZARD_NONE;
        }
    }
    return n;
}

struct fh_hazard fh_hazards_unarmed(const struct fh_hazards *h, unsigned mask) {
    struct fh_hazard z = {.kind = FH_HAZARD_NONE};
    for (unsigned b = 0; b < FH_SCOREBOARDS; b++) {
        if (!(mask >> b & 1) || !h->arming[b])
            continue;
        z.kind = FH_HAZARD_UNARMED;
        z.mask |= (uint8_t)(1u << b);
        if (h->arming[b] > z.cycles)
            z.cycles = h->arming[b];
    }
    return z;
}

/* ---------------------------------------------------------------- what it leaves behind */

static uint8_t bit_of(uint8_t scoreboard) {
    return (uint8_t)(scoreboard < FH_SCOREBOARDS ? 1u << scoreboard : 0);
}

/* What is in the queues of this operation is done when it is. */
static void cover(struct fh_hazards *h, const struct fh_pipe *pipe, const struct fh_sched *sched) {
    uint8_t result = bit_of(sched->write_barrier);
    uint8_t read = (uint8_t)(result | bit_of(sched->read_barrier));
    if (!pipe->variable || !read)
        return;
    for (unsigned i = 0; i < h->count; i++) {
        struct fh_pending *pending = &h->pending[i];
        for (unsigned p = 0; p < FH_ALTERNATIVES; p++) {
            if (pipe->ordered && queue_of(pending->results.of[p], pipe->result_queue))
                pending->results.of[p] |= in_queue(pipe->result_queue, result);
            if (queue_of(pending->reads.of[p], pipe->read_queue))
                pending->reads.of[p] |= in_queue(pipe->read_queue, read);
        }
    }
}

static void leave_write(struct fh_pending *pending, const struct fh_pipe *pipe, bool safe,
                        const struct fh_sched *sched, uint32_t index) {
    const uint8_t *ready = safe ? pipe->safe : pipe->ready;
    uint8_t scoreboard = bit_of(sched->write_barrier);
    pending->writer = index;
    pending->results = (struct fh_queues){0}; /* older ones have been found */
    pending->all = 0;
    if (pipe->variable && !pipe->ordered && scoreboard)
        pending->all = scoreboard;
    else if (pipe->variable || scoreboard)
        pending->results.of[0] = in_queue(pipe->result_queue, FH_OUTSTANDING | scoreboard);
    uint8_t left[FH_MAX_GROUPS]; /* stored as a whole: as such it is read when time passes */
    for (unsigned g = 0; g < FH_MAX_GROUPS; g++)
        left[g] = ready[g] > pending->left[g] ? ready[g] : pending->left[g];
    memcpy(pending->left, left, sizeof left);
}

static void leave_read(struct fh_pending *pending, unsigned queue, uint8_t scoreboards,
                       uint32_t index) {
    pending->reader = index;
    uint64_t others = ~in_queue(queue, 0xff);
    pending->reads.of[0] =
        (pending->reads.of[0] & others) | in_queue(queue, FH_OUTSTANDING | (unsigned)scoreboards);
    pending->reads.of[1] &= others;
}

void fh_hazards_issue(struct fh_hazards *h, const struct fh_pipe *pipe,
                      const struct fh_sched *sched, const struct fh_uses *uses, uint32_t index) {
    uint8_t signals = bit_of(sched->write_barrier) | bit_of(sched->read_barrier);
    cover(h, pipe, sched);
    for (unsigned u = 0; u < uses->count; u++) {
        const struct fh_use *use = &uses->use[u];
        for (unsigned c = use->first; c < use->first + (unsigned)use->count; c++) {
            if (use->access == FH_WRITE)
                leave_write(touch(h, c), pipe, h->safe, sched, index);
            else if (read_late(pipe, c))
                leave_read(touch(h, c), pipe->read_queue, signals, index);
        }
    }
    if (sched->write_barrier < FH_SCOREBOARDS)
        h->arming[sched->write_barrier] = FH_ARMING;
    if (sched->read_barrier < FH_SCOREBOARDS)
        h->arming[sched->read_barrier] = FH_ARMING;
    fh_hazards_pass(h, sched->stall);
}

/* ---------------------------------------------------------------- the join of states */

/* Joins one queue with a set of scoreboards (struct fh_queues): a set that contains another one
 * adds nothing, and where there is no room for a third one the last two are intersected. */
static void join_queue(struct fh_queues *to, unsigned queue, uint8_t set) {
    for (unsigned p = 0; p < FH_ALTERNATIVES; p++) {
        uint8_t old = queue_of(to->of[p], queue);
        if (old && (old & set) == old)
            return;
    }
    for (unsigned p = 0; p < FH_ALTERNATIVES; p++) {
        uint8_t old = queue_of(to->of[p], queue);
        if (old && p < FH_ALTERNATIVES - 1 && (old & set) != set)
            continue;
        uint8_t joined = old ? old & set : set;
        to->of[p] = (to->of[p] & ~in_queue(queue, 0xff)) | in_queue(queue, joined);
        return;
    }
}

static void join_queues(struct fh_queues *to, const struct fh_queues *from) {
    for (unsigned p = 0; p < FH_ALTERNATIVES && any(from); p++)
        for (unsigned i = 0; i < FH_MAX_QUEUES; i++)
            if (queue_of(from->of[p], i))
                join_queue(to, i, queue_of(from->of[p], i));
}

static bool join_pending(struct fh_pending *to, const struct fh_pending *from) {
    struct fh_pending before = *to;
    for (unsigned g = 0; g < FH_MAX_GROUPS; g++)
        if (from->left[g] > to->left[g])
            to->left[g] = from->left[g];
    join_queues(&to->results, &from->results);
    join_queues(&to->reads, &from->reads);
    to->all |= from->all;
    if (from->writer > to->writer)
        to->writer = from->writer;
    if (from->reader > to->reader)
        to->reader = from->reader;
    return memcmp(before.left, to->left, sizeof to->left) != 0 || before.all != to->all ||
           memcmp(&before.results, &to->results, sizeof to->results) != 0 ||
           memcmp(&before.reads, &to->reads, sizeof to->reads) != 0;
}

bool fh_hazards_join(struct fh_hazards *h, const struct fh_pending *pending, unsigned count,
                     const uint8_t arming[FH_SCOREBOARDS]) {
    bool changed = false;
    for (unsigned i = 0; i < count; i++)
        changed |= join_pending(touch(h, pending[i].resource), &pending[i]);
    for (unsigned b = 0; b < FH_SCOREBOARDS; b++) {
        if (arming[b] > h->arming[b]) {
            h->arming[b] = arming[b];
            changed = true;
        }
    }
    return changed;
}
