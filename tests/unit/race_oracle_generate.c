/*
 * race_oracle_generate.c - random programs: few operations on few addresses, of mixed widths, so
 * that most accesses meet others, and barriers between them often enough that about half of the
 * programs are clean.
 */
#include "race_oracle.h"

enum { SPOTS = 3, MOST = 24 /* operations, about */ };

struct generator {
    struct emu_rng *rng;
    struct or_program *program;
    enum or_family family;
    bool shared[SPOTS];
    int32_t spots[SPOTS]; /* bytes, multiples of 16 */
    uint32_t width;       /* of most accesses; 0: of any */
    uint32_t named;       /* barriers so far */
    bool whole_warps, exits;
    unsigned sync; /* one operation in so many lets lanes meet */
};

static uint32_t below(struct generator *g, uint32_t n) {
    return emu_below(g->rng, n);
}

static struct or_op *append(struct generator *g, enum or_kind kind) {
    struct or_op *op = &g->program->ops[g->program->count++];
    memset(op, 0, sizeof *op);
    op->kind = kind;
    op->guard = OR_ALWAYS;
    op->bytes = 4;
    return op;
}

static void guard_some(struct generator *g, struct or_op *op, uint32_t one_in) {
    if (!emu_once_in(g->rng, one_in))
        return;
    op->guard = emu_once_in(g->rng, 3) ? OR_THREAD_0 : (enum or_guard)(1 + below(g, OR_GUARDS - 1));
    op->negated = emu_once_in(g->rng, 4);
}

/* ---------------------------------------------------------------- accesses */

static uint32_t width(struct generator *g, bool atomic) {
    static const uint8_t widths[] = {1, 2, 4, 4, 4, 8, 16};
    if (atomic)
        return emu_once_in(g->rng, 4) ? 8 : 4;
    return g->width && !emu_once_in(g->rng, 4) ? g->width : widths[below(g, COUNT_OF(widths))];
}

/* The same for all; a place for each thread; for each lane of a warp; or backwards. */
static void place(struct generator *g, struct or_op *op) {
    const unsigned spot = below(g, SPOTS);
    const int32_t size = (int32_t)op->bytes, lanes = FHEC_WARP_LANES;
    op->shared = g->shared[spot];
    op->base = g->spots[spot];
    if (emu_once_in(g->rng, 3))
        op->base += (int32_t)below(g, 16 / op->bytes) * size;
    if (emu_once_in(g->rng, 12))
        op->base += 32 * (int32_t)below(g, 16);
    switch (below(g, 8)) {
    case 0:
    case 1: break;
    case 2: op->warp_stride = emu_once_in(g->rng, 2) ? 16 : 64; break;
    case 3: op->lane_stride = size; break;
    case 4:
        op->base += (lanes - 1) * size;
        op->lane_stride = -size;
        op->warp_stride = lanes * size;
        break;
    default: op->lane_stride = size, op->warp_stride = lanes * size; break;
    }
    if (op->warp_stride && op->lane_stride && emu_once_in(g->rng, 6))
        op->base += size;
    if (!op->shared && emu_once_in(g->rng, 2))
        op->block_stride = op->lane_stride && size <= 8 ? 3 * lanes * size : 16;
}

static void scope_of(struct generator *g, struct or_op *op) {
    static const uint8_t scopes[] = {OR_SM, OR_GPU, OR_GPU, OR_SYS};
    op->scope = (enum or_scope)scopes[below(g, COUNT_OF(scopes))];
}

static void access(struct generator *g) {
    static const uint8_t kinds[] = {OR_LOAD,  OR_LOAD, OR_LOAD, OR_STORE, OR_STORE,
                                    OR_STORE, OR_ATOM, OR_RED,  OR_RED,   OR_CAS};
    enum or_kind kind = (enum or_kind)kinds[below(g, COUNT_OF(kinds))];
    const bool atomic = kind == OR_ATOM || kind == OR_RED || kind == OR_CAS;
    struct or_op *op = append(g, kind);
    op->bytes = width(g, atomic);
    place(g, op);
    if (op->shared && kind == OR_RED)
        op->kind = OR_ATOM;
    op->generic = op->shared && emu_once_in(g->rng, 8);
    op->how = below(g, kind == OR_RED ? 6 : 8);
    op->how = op->kind == OR_RED && op->how == 2 ? 0 : op->how; /* there is no RED.EXCH */
    op->value = emu_once_in(g->rng, 4)   ? OR_CONSTANT
                : emu_once_in(g->rng, 3) ? OR_BY_WARP
                                         : OR_BY_THREAD;
    if (op->shared || (!atomic && g->family != OR_STRONG))
        op->scope = OR_WEAK;
    else if (atomic ? !emu_once_in(g->rng, 4) : emu_once_in(g->rng, 3) && op->bytes >= 4)
        scope_of(g, op);
    if (op->generic && op->kind == OR_ATOM && op->bytes == 8)
        op->bytes = 4; /* not carried out where nobody is told */
    guard_some(g, op, 3);
}

/* ---------------------------------------------------------------- meetings */

static void warp_meeting(struct generator *g) {
    static const uint8_t kinds[] = {OR_WARPSYNC, OR_WARPSYNC, OR_SHFL,  OR_SHFL,
                                    OR_VOTE,     OR_VOTEU,    OR_MATCH, OR_REDUX};
    struct or_op *op = append(g, (enum or_kind)kinds[below(g, COUNT_OF(kinds))]);
    guard_some(g, op, 5);
}

static void block_meeting(struct generator *g) {
    const bool named = g->whole_warps && !g->exits && g->program->threads > 32 && g->named < 14;
    if (!named || !emu_once_in(g->rng, 3)) {
        append(g, OR_BAR)->how = emu_once_in(g->rng, 6);
        return;
    }
    struct or_op *op = append(g, emu_once_in(g->rng, 2) ? OR_BAR_NAMED : OR_BAR_ARRIVE);
    op->number = ++g->named;
    if (op->kind == OR_BAR_ARRIVE || emu_once_in(g->rng, 2)) {
        op->guard = OR_WARP_0;
        op->negated = emu_once_in(g->rng, 2);
    }
}

static void meeting(struct generator *g, bool in_region) {
    if (!in_region && !emu_once_in(g->rng, 3))
        block_meeting(g);
    else if (!in_region && emu_once_in(g->rng, 6)) {
        struct or_op *op = append(g, OR_WARPSYNC_IN_TWO);
        static const uint8_t guards[] = {OR_LOW_HALF, OR_ODD, OR_LANE_5};
        op->guard = (enum or_guard)guards[below(g, COUNT_OF(guards))];
    } else if (!in_region && g->whole_warps && !g->exits && emu_once_in(g->rng, 8))
        (void)append(g, OR_IMMA);
    else
        warp_meeting(g);
}

/* ---------------------------------------------------------------- families */

static void copy_or_wait(struct generator *g, bool in_region) {
    const unsigned what = in_region ? 0 : below(g, 5);
    if (what >= 3) {
        (void)append(g, OR_COMMIT);
        append(g, OR_WAIT)->number = emu_once_in(g->rng, 3);
        return;
    }
    if (what == 2) {
        (void)append(g, OR_COMMIT);
        return;
    }
    static const uint8_t widths[] = {4, 4, 8, 16};
    struct or_op *op = append(g, OR_COPY);
    op->bytes = widths[below(g, COUNT_OF(widths))];
    place(g, op);
    op->shared = true;
    op->block_stride = 0;
    op->source = emu_once_in(g->rng, 3) ? g->spots[below(g, SPOTS)] : OR_GLOBAL / 2;
    if (op->lane_stride < 0)
        op->source -= (FHEC_WARP_LANES - 1) * op->lane_stride;
    guard_some(g, op, 4);
}

/* A flag: set behind a MEMBAR, most of the time, and read in a loop or once. */
static void message(struct generator *g) {
    static const uint8_t guards[] = {OR_THREAD_0, OR_THREAD_0, OR_WARP_0, OR_BLOCK_0};
    const bool shared = emu_once_in(g->rng, 2);
    const enum or_guard guard = (enum or_guard)guards[below(g, shared ? 3 : 4)];
    struct or_op *op;
    if (!emu_once_in(g->rng, 5)) {
        op = append(g, OR_MEMBAR);
        scope_of(g, op);
        op->guard = emu_once_in(g->rng, 3) ? OR_ALWAYS : guard;
    }
    if (emu_once_in(g->rng, 3))
        (void)append(g, emu_once_in(g->rng, 2) ? OR_BAR : OR_WARPSYNC);
    op = append(g, emu_once_in(g->rng, 2) ? OR_STORE : shared ? OR_ATOM : OR_RED);
    op->how = op->kind == OR_STORE ? 0 : emu_once_in(g->rng, 2) ? 0 : 4; /* ADD, OR */
    op->shared = shared;
    op->base = OR_FLAG;
    op->guard = guard;
    if (!shared)
        scope_of(g, op);
    op = append(g, g->exits || emu_once_in(g->rng, 3) ? OR_LOAD : OR_POLL);
    op->shared = shared;
    op->base = OR_FLAG;
    if (!shared)
        scope_of(g, op);
}

static void operation(struct generator *g, bool in_region) {
    if (g->family == OR_COPIES && emu_once_in(g->rng, 3)) {
        copy_or_wait(g, in_region);
    } else if (g->family == OR_STRONG && emu_once_in(g->rng, 4)) {
        struct or_op *op = append(g, OR_MEMBAR);
        scope_of(g, op);
        guard_some(g, op, 4);
    } else if (emu_once_in(g->rng, g->sync)) {
        meeting(g, in_region);
    } else {
        access(g);
    }
}

static void region(struct generator *g) {
    static const uint8_t guards[] = {OR_LOW_HALF, OR_ODD, OR_THREAD_0, OR_LANE_5, OR_WARP_0};
    struct or_op *op = append(g, OR_IF);
    op->guard = (enum or_guard)guards[below(g, COUNT_OF(guards))];
    op->negated = emu_once_in(g->rng, 4);
    for (unsigned i = below(g, 2) + 1; i; i--)
        operation(g, true);
    if (emu_once_in(g->rng, 2)) {
        (void)append(g, OR_ELSE);
        for (unsigned i = below(g, 2) + 1; i; i--)
            operation(g, true);
    }
    (void)append(g, OR_ENDIF);
}

static void choose(struct generator *g) {
    static const uint16_t threads[] = {2,  2,  4,  8, 32, 32, 33, 34, 40, 64,
                                       64, 70, 96, 2, 8,  32, 40, 64, 256};
    static const uint8_t families[] = {OR_PLAIN,  OR_PLAIN,  OR_PLAIN,  OR_PLAIN,
                                       OR_STRONG, OR_STRONG, OR_COPIES, OR_MBARRIERS};
    static const uint16_t far[] = {0, 0, 0, 64, 512, 1024, 4080};
    static const uint8_t widths[] = {0, 0, 4, 4, 8, 16, 1};
    struct or_program *p = g->program;
    const unsigned spaces = below(g, 3);
    memset(p, 0, sizeof *p);
    p->blocks = emu_once_in(g->rng, 2) ? 1 : 1 + below(g, OR_BLOCKS);
    p->threads = threads[below(g, COUNT_OF(threads))];
    p->order = emu_once_in(g->rng, 3) ? 1 + below(g, 3) : 0;
    g->family = (enum or_family)families[below(g, COUNT_OF(families))];
    g->whole_warps = p->threads % FHEC_WARP_LANES == 0;
    g->width = widths[below(g, COUNT_OF(widths))];
    g->sync = 2 + below(g, 3);
    for (unsigned i = 0; i < SPOTS; i++) {
        g->shared[i] = spaces == 0 || (spaces == 1 && i == 0);
        g->spots[i] = i && emu_once_in(g->rng, 2) ? g->spots[0] : far[below(g, COUNT_OF(far))];
    }
}

static void some(struct generator *g, unsigned count) {
    for (; count && g->program->count < MOST; count--) {
        if (emu_once_in(g->rng, 8)) {
            region(g);
        } else if (emu_once_in(g->rng, 40) && g->family != OR_MBARRIERS) {
            guard_some(g, append(g, OR_EXIT), 1);
            g->exits = true;
        } else if (g->family == OR_STRONG && emu_once_in(g->rng, 4)) {
            message(g);
        } else {
            operation(g, false);
        }
    }
}

static void mbarrier_op(struct generator *g, enum or_kind kind, int32_t base, enum or_guard guard) {
    struct or_op *op = append(g, kind);
    op->shared = true;
    op->base = base;
    op->bytes = kind == OR_POLL ? 4 : 8;
    op->number = kind == OR_POLL;
    op->guard = guard;
}

/* One phase of an mbarrier, of all threads or some, or of their copies. */
static void mbarriers(struct generator *g) {
    static const uint8_t guards[] = {OR_ALWAYS, OR_ALWAYS, OR_THREAD_0, OR_LOW_HALF, OR_WARP_0};
    const enum or_guard guard = (enum or_guard)guards[below(g, COUNT_OF(guards))];
    const bool copies = emu_once_in(g->rng, 2);
    mbarrier_op(g, OR_INIT, OR_MBARRIER, OR_THREAD_0);
    (void)append(g, OR_BAR);
    some(g, below(g, 3));
    if (copies)
        copy_or_wait(g, true);
    some(g, below(g, 3));
    mbarrier_op(g, copies ? OR_COPY_ARRIVE : OR_ARRIVE, OR_MBARRIER, guard);
    some(g, below(g, 2));
    mbarrier_op(g, OR_POLL, OR_MBARRIER + 4, OR_ALWAYS);
    some(g, 1 + below(g, 3));
}

void or_generate(struct emu_rng *rng, struct or_program *program) {
    struct generator g = {.rng = rng, .program = program};
    choose(&g);
    if (g.family == OR_MBARRIERS)
        mbarriers(&g);
    else
        some(&g, 2 + below(&g, 7));
}
