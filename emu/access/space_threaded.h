/*
 * space_threaded.h - threaded loads and stores of whole warps (threaded.h), at the SIMD level of
 * the including file. Part of space_fast.inc.
 *
 * Code mostly goes through one base register several times, with different offsets. Ops of a
 * superblock between which nothing writes the base register have one value number (superblock.c).
 * The first of them finds out which range of memory the register leads to, how far the lanes are
 * apart there, and in which pattern (learn_*, struct fh_base_check); those behind it only compare
 * their offset with that. Whatever is not of a known pattern in one range, or not allowed to go
 * straight to memory, goes the way of other ops.
 */
#ifndef FH_SPACE_THREADED_H
#define FH_SPACE_THREADED_H

#include "space_move.h"
#include "space_pairs.h"
#include "threaded.h"

/* Patterns of a base, beside those of fh_row_pattern: for bases without scale. */
enum {
    SAME = ANYWHERE + 1, /* all lanes at one place, of 32 bits and more */
    FOURS,               /* lanes 4n to 4n + 3 at one place, of 128 bits */
    RUNS,                /* see space_quads.h */
    CHUNKS_1,            /* see space_pairs.h */
    CHUNKS_4,
    CHUNKS_8,
    UNWRAPPED, /* up to 32 bits anywhere, and no lane's register is below the lowest lane's */
};

#if defined __AVX512F__

/* Whether lanes 4n to 4n + 3 have the same index. */
static bool are_fours(const uint32_t index[FH_LANES]) {
    const __m512i low = _mm512_load_si512(index), high = _mm512_load_si512(index + 16);
    return !(_mm512_cmpneq_epi32_mask(low, _mm512_shuffle_epi32(low, _MM_PERM_AAAA)) |
             _mm512_cmpneq_epi32_mask(high, _mm512_shuffle_epi32(high, _MM_PERM_AAAA)));
}

/* The runs of an access whose pattern is RUNS. */
ALWAYS_INLINE struct fh_runs runs_at(const struct lanes_at *at) {
    struct fh_runs runs;
#pragma GCC unroll 8
    for (uint32_t i = 0; i < FH_RUNS; i++)
        runs.at[i] = at->x[4 * i] - at->from;
    return runs;
}

ALWAYS_INLINE void load_runs(uint32_t *d, const uint8_t *memory, const struct lanes_at *at) {
    fh_runs_load(d, memory, runs_at(at));
}

ALWAYS_INLINE void store_runs(const uint32_t *s, uint8_t *memory, const struct lanes_at *at) {
    fh_runs_store(s, memory, runs_at(at));
}

/* FOURS: the words of four places, each word then to four lanes of its row. */
ALWAYS_INLINE void load_fours(uint32_t *d, const uint8_t *memory, const struct lanes_at *at) {
#pragma GCC unroll 2
    for (uint32_t l = 0; l < FH_LANES; l += 16) {
        __m512i v = _mm512_castsi128_si512(load_lane(memory + index_of(at, l)));
        v = _mm512_inserti32x4(v, load_lane(memory + index_of(at, l + 4)), 1);
        v = _mm512_inserti32x4(v, load_lane(memory + index_of(at, l + 8)), 2);
        v = _mm512_inserti32x4(v, load_lane(memory + index_of(at, l + 12)), 3);
        _mm512_store_si512(d + l, _mm512_shuffle_epi32(v, _MM_PERM_AAAA));
        _mm512_store_si512(d + l + FH_LANES, _mm512_shuffle_epi32(v, _MM_PERM_BBBB));
        _mm512_store_si512(d + l + 2 * FH_LANES, _mm512_shuffle_epi32(v, _MM_PERM_CCCC));
        _mm512_store_si512(d + l + 3 * FH_LANES, _mm512_shuffle_epi32(v, _MM_PERM_DDDD));
    }
}

#else

static bool are_fours(const uint32_t index[FH_LANES]) {
    (void)index;
    return false;
}

static bool fh_are_runs(const uint32_t index[FH_LANES]) {
    (void)index;
    return false;
}

ALWAYS_INLINE void load_fours(uint32_t *d, const uint8_t *memory, const struct lanes_at *at) {
    (void)d, (void)memory, (void)at;
}

ALWAYS_INLINE void load_runs(uint32_t *d, const uint8_t *memory, const struct lanes_at *at) {
    (void)d, (void)memory, (void)at;
}

ALWAYS_INLINE void store_runs(const uint32_t *s, uint8_t *memory, const struct lanes_at *at) {
    (void)s, (void)memory, (void)at;
}

#endif

/* SAME: each word to all lanes of its row. */
ALWAYS_INLINE void load_same(uint32_t *d, const uint8_t *memory, const uint32_t bytes) {
#pragma GCC unroll 4
    for (uint32_t i = 0; i < bytes / 4; i++) {
        uint32_t word;
        memcpy(&word, memory + 4 * i, 4);
        FH_IVDEP
        for (uint32_t l = 0; l < FH_LANES; l++)
            d[i * FH_LANES + l] = word;
    }
}

/* The pattern of 32 aligned places that are not straight and span less than 2^31 bytes; `index` as
 * by fh_row_pattern. */
static uint32_t pattern_of(const uint32_t index[FH_LANES], uint32_t bytes, bool wraps) {
    if (bytes >= 4 && fh_lanes_equal(index, index[0], UINT32_MAX))
        return SAME;
    if (bytes <= 4)
        return wraps ? ANYWHERE : UNWRAPPED;
    if (bytes == 16)
        return are_fours(index) ? FOURS : fh_are_runs(index) ? RUNS : ANYWHERE;
    switch (bytes == PAIR_BYTES ? fh_chunk_step(index) : 0) {
    case 1: return CHUNKS_1;
    case 4: return CHUNKS_4;
    case 8: return CHUNKS_8;
    default: return ANYWHERE;
    }
}

/* Learns of the lanes whose registers are x, all in reach of `r` from `memory`: false if they are
 * not. */
static bool learn(struct fh_base_check *base, const struct fh_address *a,
                  const uint32_t x[FH_LANES], struct reach r, uint8_t *memory) {
    _Alignas(64) uint32_t index[FH_LANES];
    const enum pattern pattern = fh_row_pattern(x, r, UINT32_MAX, a->bytes, index);
    uint32_t low = index[0], high = index[0];
    if (pattern == OUTSIDE)
        return false;
    if (pattern == STRAIGHT)
        high += (FH_LANES - 1) * a->bytes;
    for (uint32_t l = 1; pattern != STRAIGHT && l < FH_LANES; l++) {
        low = index[l] < low ? index[l] : low;
        high = index[l] > high ? index[l] : high;
    }
    *base = (struct fh_base_check){
        .number = a->number,
        .straight = pattern == STRAIGHT ? a->number : 0,
        .from = low + r.from,
        .place = low - (uint64_t)a->offset,
        .last = r.last - (high - low),
        .span = high - low + a->bytes - 1,
        .memory = memory,
        .pattern = pattern,
    };
    if (pattern == ANYWHERE && !r.shift && high - low <= INT32_MAX)
        base->pattern = pattern_of(index, a->bytes, base->from > UINT32_MAX - (high - low));
    return true;
}

/* The same for an access with a guard, which ops without one share no value number with: of the
 * `alike` lanes, whose addresses differ in the low word only, if these are all and straight and in
 * reach, so that other guards will do, too, else of the `active` ones. The place is that of the
 * lowest of these lanes, and `memory` is as far below as lane 0. */
static void learn_guarded(struct fh_base_check *base, const struct fh_address *a,
                          const uint32_t x[FH_LANES], struct reach r, uint8_t *memory,
                          uint32_t alike, uint32_t active) {
    _Alignas(64) uint32_t index[FH_LANES];
    uint32_t lanes = alike;
    enum pattern pattern = fh_row_pattern(x, r, lanes, a->bytes, index);
    if (pattern != STRAIGHT && active != lanes) {
        lanes = active;
        pattern = fh_row_pattern(x, r, lanes, a->bytes, index);
    }
    if (pattern != STRAIGHT && pattern != PARTIAL)
        return;
    const uint32_t low = (uint32_t)__builtin_ctz(lanes);
    const uint32_t highest = 31 - (uint32_t)__builtin_clz(lanes);
    base->straight = a->number;
    base->lanes = lanes;
    base->place = index[low] - (uint64_t)a->offset;
    base->last = r.last - (highest - low) * a->bytes;
    base->memory = (uint8_t *)((uintptr_t)memory - low * a->bytes);
}

/* Where the `active` lanes of an access go that may go straight to memory; NULL if they may not. */
static const struct fh_inline_cache *direct_cache(struct fh_warp *w, const struct fh_op *op,
                                                  uint32_t active, bool store) {
    const struct fh_address *a = &op->address;
    struct fh_inline_cache *cache = &w->launch->caches[op->pc / FH_INST_BYTES];
    const uint32_t *high = w->r[a->base + 1], one = high[__builtin_ctz(active)];
    const struct fh_transaction *transaction = w->launch->transaction;
    if (w->launch->tracked ||
        (transaction && !transaction->owner && !(cache->memory && cache->fixed)))
        return NULL;
    if (!fh_lanes_equal(high, one, active))
        return NULL;
    const uint64_t addend = site_addend(w, a) + ((uint64_t)one << 32);
    if ((!cache->memory || cache->addend != addend) && !enter(w, op, active, addend, store, cache))
        return NULL;
    return cache->direct ? cache : NULL;
}

static __attribute__((noinline)) bool learn_global(struct fh_warp *w, const struct fh_op *op,
                                                   struct fh_base_check *base, bool store) {
    const struct fh_address *a = &op->address;
    const struct fh_inline_cache *cache = direct_cache(w, op, UINT32_MAX, store);
    const struct fh_transaction *transaction = w->launch->transaction;
    if (!cache || !learn(base, a, w->r[a->base], cache_reach(cache), cache->memory))
        return false;
    base->owned = cache->owned;
    base->offset = cache->offset;
    base->shift = cache->owned ? transaction->owner->shift : 0;
    base->straight = cache->owned ? 0 : base->straight;
    return true;
}

static __attribute__((noinline)) bool learn_shared(struct fh_warp *w, const struct fh_op *op,
                                                   struct fh_base_check *base) {
    const struct fh_address *a = &op->address;
    return w->launch->image->shared_bytes >= a->bytes &&
           learn(base, a, w->r[a->base], shared_reach(w, a), w->block->shared);
}

/* What an access is; a constant of each function. */
struct access_kind {
    bool shared, store;
    uint32_t bytes;
    bool sign; /* loads of 1 and 2 bytes */
};

/* The place of the lowest lane, NULL if the base leads elsewhere. Shared memory is smaller than
 * 2^32 bytes and its addresses wrap there. */
ALWAYS_INLINE uint8_t *place_in(const struct fh_base_check *base, const struct fh_address *a,
                                const struct access_kind kind) {
    uint64_t place = base->place + (uint64_t)a->offset;
    if (kind.shared)
        place = (uint32_t)place;
    return place > base->last || place & (kind.bytes - 1) ? NULL : base->memory + place;
}

/* In place: whether the chunk of blocks owns all pieces from that of the lowest
 * lane, at `place` of the range, to that of the highest one. A chunk that has aborted may go on
 * with what it owns, which is undone. */
ALWAYS_INLINE bool range_owned(const struct fh_base_check *base, uint64_t place) {
    const uint64_t begin = base->offset + place, first = begin >> base->shift;
    const uint64_t more = ((begin + base->span) >> base->shift) - first;
    const uint32_t *known = base->owned + first / 32;
    const uint64_t bits = (known[0] | (uint64_t)known[1] << 32) >> first % 32;
    return more < 32 && !(~bits & ((UINT64_C(2) << more) - 1));
}

/* The same, but only for pieces that lanes access. */
static bool lanes_owned(const struct fh_warp *w, const struct fh_address *a,
                        const struct fh_base_check *base, uint64_t place) {
    const uint64_t begin = base->offset + place;
    const uint32_t skew = (uint32_t)begin & ((1U << base->shift) - 1);
    return base->pattern != STRAIGHT &&
           fh_lanes_owned(base->owned, (size_t)(begin >> base->shift), skew - base->from,
                          base->shift, w->r[a->base], UINT32_MAX);
}

ALWAYS_INLINE void load_chunks(uint32_t *d, const uint8_t *memory, const struct lanes_at *at,
                               uint32_t pattern) {
    if (pattern == CHUNKS_1)
        fh_chunks_load(d, memory, at, 1);
    else if (pattern == CHUNKS_4)
        fh_chunks_load(d, memory, at, 4);
    else
        fh_chunks_load(d, memory, at, 8);
}

ALWAYS_INLINE void load_lanes(struct fh_warp *w, const struct fh_address *a,
                              const struct fh_base_check *base, const uint8_t *lowest,
                              const struct access_kind kind) {
    const struct lanes_at at = {w->r[a->base], base->from, kind.shared ? a->shift : 0};
    const uint32_t bytes = kind.bytes;
    uint32_t *d = w->r[a->data];
    if (base->pattern == STRAIGHT)
        fh_straight_load(d, lowest, bytes, kind.sign);
    else if (bytes >= 4 && base->pattern == SAME)
        load_same(d, lowest, bytes);
    else if (bytes <= 4 && base->pattern == UNWRAPPED)
        gather_unwrapped(d, lowest, at.x, at.from, bytes, kind.sign);
    else if (bytes == 16 && base->pattern == FOURS)
        load_fours(d, lowest, &(struct lanes_at){at.x, at.from, 0});
    else if (bytes == 16 && base->pattern == RUNS)
        load_runs(d, lowest, &at);
    else if (bytes == PAIR_BYTES && base->pattern >= CHUNKS_1)
        load_chunks(d, lowest, &(struct lanes_at){at.x, at.from, 0}, base->pattern);
    else
        fh_gather(d, lowest, &at, bytes, kind.sign);
}

ALWAYS_INLINE void store_lanes(const struct fh_warp *w, const struct fh_address *a,
                               const struct fh_base_check *base, uint8_t *lowest,
                               const struct access_kind kind) {
    const struct lanes_at at = {w->r[a->base], base->from, kind.shared ? a->shift : 0};
    const uint32_t bytes = kind.bytes;
    const uint32_t *s = w->r[a->data];
    if (base->pattern == STRAIGHT)
        fh_straight_store(s, lowest, bytes);
    else if (bytes <= 4 && base->pattern == UNWRAPPED)
        scatter_unwrapped(s, lowest, at.x, at.from, bytes);
    else if (bytes == 16 && base->pattern == RUNS)
        store_runs(s, lowest, &at);
    else if (bytes == PAIR_BYTES && base->pattern == CHUNKS_1)
        fh_chunks_store(s, lowest, &(struct lanes_at){at.x, at.from, 0});
    else
        fh_scatter(s, lowest, &at, bytes);
}

/* ---------------------------------------------------------------- threaded functions */

/* The access in place of a chunk that owns what lies between the lanes only in part; false:
 * nothing has been moved. */
static bool access_owned(struct fh_warp *w, const struct fh_op *op,
                         const struct fh_base_check *base) {
    const struct fh_address *a = &op->address;
    const bool store = op->exec == store_global;
    const struct access_kind kind = {false, store, a->bytes, a->sign_extend};
    uint8_t *const lowest =
        base->number == a->number && base->owned ? place_in(base, a, kind) : NULL;
    if (!lowest || !lanes_owned(w, a, base, (uint64_t)(lowest - base->memory)))
        return false;
    if (store)
        store_lanes(w, a, base, lowest, kind);
    else
        load_lanes(w, a, base, lowest, kind);
    return true;
}

/* Whether access_in_place will move the lanes by what was learnt, so that it may be entered again.
 */
static bool known_in_place(const struct fh_op *op, const struct fh_base_check *base) {
    const struct fh_address *a = &op->address;
    const struct access_kind kind = {false, op->exec == store_global, a->bytes, a->sign_extend};
    const uint8_t *const lowest = place_in(base, a, kind);
    return lowest && range_owned(base, (uint64_t)(lowest - base->memory));
}

/* An access whose base is not known, leads elsewhere, or whose ownership has to be looked up. One
 * that has learnt what it needs is entered again. */
static __attribute__((noinline)) const struct fh_op *
threaded_learn(struct fh_warp *w, const struct fh_op *op FH_FORWARDED) {
    struct fh_base_check *base = &w->launch->bases[op->address.number % FH_BASE_CHECKS];
    const bool shared = op->exec == load_shared || op->exec == store_shared;
    FH_FORWARDED_UNUSED;
    if (!shared && access_owned(w, op, base))
        return FH_NEXT(w, op, FH_FORWARD_NONE);
    if (shared ? learn_shared(w, op, base) : learn_global(w, op, base, op->exec == store_global)) {
        if (!base->owned || known_in_place(op, base))
            return ((fh_level_threaded_fn *)op->enter)(w, op FH_FORWARD_NONE);
        if (access_owned(w, op, base))
            return FH_NEXT(w, op, FH_FORWARD_NONE);
    }
    if (!op->exec(w, op, UINT32_MAX)) /* as other ops; acquires what it needs */
        return op;
    return FH_NEXT(w, op, FH_FORWARD_NONE);
}

/* Whether the 64-bit addresses of all lanes, active or not, have one high word. */
static bool high_words_equal(const struct fh_warp *w, const struct fh_address *a) {
    const uint32_t *high = w->r[a->base + 1];
    return fh_lanes_equal(high, high[0], UINT32_MAX);
}

/* An access with a guard whose base is not known or leads elsewhere. One base is learnt of once in
 * a superblock; where that does not help, its accesses go as those of code that has diverged. */
static __attribute__((noinline)) const struct fh_op *
guarded_learn(struct fh_warp *w, const struct fh_op *op FH_FORWARDED) {
    const struct fh_address *a = &op->address;
    struct fh_base_check *base = &w->launch->bases[a->number % FH_BASE_CHECKS];
    const uint32_t active = fh_guard_lanes(w, op);
    FH_FORWARDED_UNUSED;
    if (active && base->number != a->number) {
        *base = (struct fh_base_check){.number = a->number};
        if (op->exec == load_shared || op->exec == store_shared) {
            if (w->launch->image->shared_bytes >= a->bytes)
                learn_guarded(base, a, w->r[a->base], shared_reach(w, a), w->block->shared,
                              UINT32_MAX, active);
        } else {
            const struct fh_inline_cache *cache =
                direct_cache(w, op, active, op->exec == store_global);
            if (cache && !cache->owned)
                learn_guarded(base, a, w->r[a->base], cache_reach(cache), cache->memory,
                              high_words_equal(w, a) ? UINT32_MAX : active, active);
        }
        if (base->straight == a->number)
            return ((fh_level_threaded_fn *)op->enter)(w, op FH_FORWARD_NONE);
    }
    if (active && !op->exec(w, op, active))
        return op;
    fh_count_guarded(w, op, active);
    return FH_NEXT(w, op, FH_FORWARD_NONE);
}

/* With a guard: STRAIGHT and PARTIAL lanes, nothing owned. */
ALWAYS_INLINE const struct fh_op *access_guarded(struct fh_warp *w, const struct fh_op *op,
                                                 const struct access_kind kind FH_FORWARDED) {
    const struct fh_address *a = &op->address;
    const struct fh_base_check *base = &w->launch->bases[a->number % FH_BASE_CHECKS];
    const uint32_t active = fh_guard_lanes(w, op);
    const bool known = base->straight == a->number && !(active & ~base->lanes);
    uint8_t *const first = known ? place_in(base, a, kind) : NULL;
    if (!first)
        return guarded_learn(w, op FH_FORWARD_SAME);
    /* Most guards hold for all lanes or for none, and loads without a mask wait less long for what
     * is in no cache. */
    if (active == UINT32_MAX && kind.store)
        fh_straight_store(w->r[a->data], first, kind.bytes);
    else if (active == UINT32_MAX)
        fh_straight_load(w->r[a->data], first, kind.bytes, kind.sign);
    else if (kind.store)
        fh_masked_store(w->r[a->data], first, active, kind.bytes);
    else
        fh_masked_load(w->r[a->data], first, active, kind.bytes, kind.sign);
    fh_count_guarded(w, op, active);
    return FH_NEXT(w, op, FH_FORWARD_NONE);
}

typedef const struct fh_op *access_lanes_fn(struct fh_warp *w, const struct fh_op *op,
                                            const struct fh_base_check *base FH_FORWARDED);

/* The three ways of an access whose base has been checked. What follows one of them is not called
 * but jumped to, and each has only what it needs, so that the first saves no register.
 *
 * STRAIGHT lanes, nothing owned: most accesses. */
ALWAYS_INLINE const struct fh_op *access_straight(struct fh_warp *w, const struct fh_op *op,
                                                  const struct access_kind kind,
                                                  access_lanes_fn *otherwise FH_FORWARDED) {
    const struct fh_address *a = &op->address;
    const struct fh_base_check *base = &w->launch->bases[a->number % FH_BASE_CHECKS];
    uint8_t *const lowest = base->straight == a->number ? place_in(base, a, kind) : NULL;
    if (!lowest)
        return otherwise(w, op, base FH_FORWARD_SAME);
    if (kind.store) {
        fh_straight_store(w->r[a->data], lowest, kind.bytes);
    } else {
        const uint8_t *const later = lowest + op->ahead;
        for (uint32_t i = 0; !kind.shared && later != lowest && i < FH_LANES * kind.bytes; i += 64)
            __builtin_prefetch(later + i);
        fh_straight_load(w->r[a->data], lowest, kind.bytes, kind.sign);
    }
    return FH_NEXT(w, op, FH_FORWARD_NONE);
}

/* Lanes in any pattern, nothing owned. */
ALWAYS_INLINE const struct fh_op *access_lanes(struct fh_warp *w, const struct fh_op *op,
                                               const struct fh_base_check *base,
                                               const struct access_kind kind,
                                               fh_level_threaded_fn *otherwise FH_FORWARDED) {
    const struct fh_address *a = &op->address;
    uint8_t *const lowest =
        base->number == a->number && (kind.shared || !base->owned) ? place_in(base, a, kind) : NULL;
    if (!lowest)
        return otherwise(w, op FH_FORWARD_SAME);
    if (kind.store)
        store_lanes(w, a, base, lowest, kind);
    else
        load_lanes(w, a, base, lowest, kind);
    return FH_NEXT(w, op, FH_FORWARD_NONE);
}

/* In place: the chunk owns all that lies between the lanes. */
ALWAYS_INLINE const struct fh_op *access_in_place(struct fh_warp *w, const struct fh_op *op,
                                                  const struct access_kind kind) {
    const struct fh_address *a = &op->address;
    const struct fh_base_check *base = &w->launch->bases[a->number % FH_BASE_CHECKS];
    uint8_t *const lowest =
        base->number == a->number && base->owned ? place_in(base, a, kind) : NULL;
    if (!lowest || !range_owned(base, (uint64_t)(lowest - base->memory)))
        return threaded_learn(w, op FH_FORWARD_NONE);
    if (kind.store)
        store_lanes(w, a, base, lowest, kind);
    else
        load_lanes(w, a, base, lowest, kind);
    return FH_NEXT(w, op, FH_FORWARD_NONE);
}

#define THREADED_WAYS(name, otherwise, ...)                                                        \
    static __attribute__((noinline))                                                               \
    const struct fh_op *name##_lanes(struct fh_warp *w, const struct fh_op *op,                    \
                                     const struct fh_base_check *base FH_FORWARDED) {              \
        return access_lanes(w, op, base, (struct access_kind){__VA_ARGS__},                        \
                            otherwise FH_FORWARD_SAME);                                            \
    }                                                                                              \
    static const struct fh_op *name(struct fh_warp *w, const struct fh_op *op FH_FORWARDED) {      \
        return access_straight(w, op, (struct access_kind){__VA_ARGS__},                           \
                               name##_lanes FH_FORWARD_SAME);                                      \
    }
#define THREADED_GUARDED(name, ...)                                                                \
    static const struct fh_op *name##_guarded(struct fh_warp *w,                                   \
                                              const struct fh_op *op FH_FORWARDED) {               \
        return access_guarded(w, op, (struct access_kind){__VA_ARGS__} FH_FORWARD_SAME);           \
    }
#define THREADED_GLOBAL(name, ...)                                                                 \
    static __attribute__((noinline))                                                               \
    const struct fh_op *name##_in_place(struct fh_warp *w, const struct fh_op *op FH_FORWARDED) {  \
        FH_FORWARDED_UNUSED;                                                                       \
        return access_in_place(w, op, (struct access_kind){false, __VA_ARGS__});                   \
    }                                                                                              \
    THREADED_WAYS(name, name##_in_place, false, __VA_ARGS__)                                       \
    THREADED_GUARDED(name, false, __VA_ARGS__)
#define THREADED_SHARED(name, ...)                                                                 \
    THREADED_WAYS(name, threaded_learn, true, __VA_ARGS__)                                         \
    THREADED_GUARDED(name, true, __VA_ARGS__)
#define THREADED_SIZES(space, name)                                                                \
    space(name##_load_u8, false, 1, false) space(name##_load_s8, false, 1, true)                   \
        space(name##_load_u16, false, 2, false) space(name##_load_s16, false, 2, true)             \
            space(name##_load_32, false, 4, false) space(name##_load_64, false, 8, false)          \
                space(name##_load_128, false, 16, false) space(name##_store_8, true, 1, false)     \
                    space(name##_store_16, true, 2, false) space(name##_store_32, true, 4, false)  \
                        space(name##_store_64, true, 8, false)                                     \
                            space(name##_store_128, true, 16, false)
THREADED_SIZES(THREADED_GLOBAL, global)
THREADED_SIZES(THREADED_SHARED, shared)
#undef THREADED_SIZES
#undef THREADED_SHARED
#undef THREADED_GLOBAL
#undef THREADED_GUARDED
#undef THREADED_WAYS

/* Those of one kind of access: without a guard and with one. */
struct threaded_pair {
    fh_threaded_fn *plain, *guarded;
};

/* By size: 8, 16, 32, 64 and 128 bits; loads that extend signs of the first two come last. */
struct threaded_kind {
    struct threaded_pair size[5], sign[2];
};

#define PAIR(name)                                                                                 \
    { FH_THREADED(name), FH_THREADED(name##_guarded) }
#define LOADS(name)                                                                                \
    {                                                                                              \
        {PAIR(name##_load_u8), PAIR(name##_load_u16), PAIR(name##_load_32), PAIR(name##_load_64),  \
         PAIR(name##_load_128)},                                                                   \
        {                                                                                          \
            PAIR(name##_load_s8), PAIR(name##_load_s16)                                            \
        }                                                                                          \
    }
#define STORES(name)                                                                               \
    {                                                                                              \
        {PAIR(name##_store_8), PAIR(name##_store_16), PAIR(name##_store_32),                       \
         PAIR(name##_store_64), PAIR(name##_store_128)},                                           \
        {                                                                                          \
            {NULL, NULL}, {                                                                        \
                NULL, NULL                                                                         \
            }                                                                                      \
        }                                                                                          \
    }
/* By space and kind of access. */
static const struct threaded_kind threaded[2][2] = {{LOADS(global), STORES(global)},
                                                    {LOADS(shared), STORES(shared)}};
#undef STORES
#undef LOADS
#undef PAIR

/* The threaded function of an op; NULL if it has none of its own. */
static fh_threaded_fn *threaded_for(const struct fh_op *op) {
    const struct fh_address *a = &op->address;
    const bool is_shared = op->exec == load_shared || op->exec == store_shared;
    const bool store = op->exec == store_global || op->exec == store_shared;
    if (!is_shared && !store && op->exec != load_global && op->exec != load_generic)
        return NULL;
    if (is_shared ? a->wide : !a->base64 || a->shift)
        return NULL;
    if (op->exec == load_global && (!is_true(op, FH_LDG_Pnz) || op->row[FH_LDG_Pu] != FH_SINK_PRED))
        return NULL;
    if (op->exec == load_generic && !is_true(op, FH_LD_Pnz))
        return NULL;
    const struct threaded_kind *kind = &threaded[is_shared][store];
    const unsigned size = (unsigned)__builtin_ctz(a->bytes);
    const struct threaded_pair *pair =
        a->sign_extend && size < 2 && !store ? &kind->sign[size] : &kind->size[size];
    return fh_op_guarded(op) ? pair->guarded : pair->plain;
}

#endif
