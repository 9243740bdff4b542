/*
 * threaded.h - how one op of a superblock leads to the next, at the SIMD level that the including
 * file is compiled for.
 *
 *     fh_threading.run -> ops[i].enter -> ops[i+1].threaded -> ... -> fh_threading.end
 *
 * A threaded function executes its op and jumps to the next one: no loop, no test of the guard
 * where there is none, and a jump of its own for the host to predict. Compilers turn the last call
 * of such a function into the jump; where they do not, in debug builds, it is a call, and
 * fh_superblocks_join bounds how deep they nest.
 *
 * Beside the warp it hands over one row in vector registers, mostly what it has just stored: a
 * source of the next op need not wait for the memory that rows are in. And one that it has read,
 * its operand B, which code that does the same for several elements reads again: hosts read fewer
 * vectors in a cycle than they compute. Which rows these are, is known when ops are joined
 * (superblock.c). What is forwarded is always in memory, too. Only the AVX-512 level does it, where
 * a row is two registers and most lane loops are two straight pieces of code; in loops of four the
 * row would go through memory all the same.
 */
#ifndef FH_THREADED_H
#define FH_THREADED_H

#include "launch.h"
#include "simd.h"
#include "superblock.h"

/* FH_FORWARDED: the parameters; FH_FORWARD_ROW: a row as arguments, and what was shared passed on;
 * FH_FORWARD_ROWS: two rows; FH_FORWARD_SAME: what came in, passed on; FH_FORWARD_NONE: nothing;
 * FH_FORWARDED_STORE: what came in as a row in memory.
 */
#if defined __AVX512F__
#define FH_FORWARDED                                                                               \
    , __m512i fh_forwarded0, __m512i fh_forwarded1, __m512i fh_shared0, __m512i fh_shared1
#define FH_ROW_VECTORS(row)                                                                        \
    _mm512_load_si512((const void *)(row)), _mm512_load_si512((const void *)((row) + 16))
#define FH_FORWARD_ROW(row)           , FH_ROW_VECTORS(row), fh_shared0, fh_shared1
#define FH_FORWARD_ROWS(row, shared)  , FH_ROW_VECTORS(row), FH_ROW_VECTORS(shared)
#define FH_FORWARD_PAIR(low, high)    , low, high, low, high
#define FH_FORWARD_PAIRS(row, shared) , row[0], row[1], shared[0], shared[1]
#define FH_FORWARD_SAME               , fh_forwarded0, fh_forwarded1, fh_shared0, fh_shared1
#define FH_FORWARD_NONE                                                                            \
    , _mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512()
#define FH_FORWARDED_STORE(row)                                                                    \
    _mm512_store_si512((void *)(row), fh_forwarded0),                                              \
        _mm512_store_si512((void *)((row) + 16), fh_forwarded1)
#define FH_FORWARDED_UNUSED                                                                        \
    (void)fh_forwarded0, (void)fh_forwarded1, (void)fh_shared0, (void)fh_shared1
#define FH_RESULT_KEEP(result, row)                                                                \
    _mm512_store_si512((void *)(row), _mm512_load_si512((const void *)(result))),                  \
        _mm512_store_si512((void *)((row) + 16), _mm512_load_si512((const void *)((result) + 16)))
#else
#define FH_FORWARDED
#define FH_FORWARD_ROW(row)
#define FH_FORWARD_ROWS(row, shared)
#define FH_FORWARD_SAME
#define FH_FORWARD_NONE
#define FH_FORWARDED_UNUSED         (void)0
#define FH_RESULT_KEEP(result, row) (void)0
#endif
/* Where a threaded function puts what it forwards, before it stores that in its row. */
#if defined FH_FORWARDED_STORE
#define FH_RESULT(name, row) _Alignas(64) u32 name[FH_LANES]
#else
#define FH_RESULT(name, row) u32 *const name = (row)
#endif

typedef const struct fh_op *fh_level_threaded_fn(struct fh_warp *w,
                                                 const struct fh_op *op FH_FORWARDED);
#define FH_THREADED(function) ((fh_threaded_fn *)(function))
/* The last thing that a threaded function does. Ops are a line of the cache each, which lie too far
 * apart for hosts to expect the next one: those of code that is not in the first cache are asked
 * for in time.
 */
enum { FH_AHEAD = 8 };
#define FH_NEXT(w, op, hand)                                                                       \
    (__builtin_prefetch((op) + FH_AHEAD),                                                          \
     ((fh_level_threaded_fn *)(op)[1].threaded)(w, (op) + 1 hand))

/* The lanes that an op with a guard acts in. */
static inline uint32_t fh_guard_lanes(const struct fh_warp *w, const struct fh_op *op) {
    return w->p[op->guard] ^ (0U - op->guard_neg);
}

/* Ops with a guard count themselves, since nobody knows afterwards which lanes it let through; the
 * others are counted by the scheduler, by fh_count_range. */
static inline void fh_count_guarded(const struct fh_warp *w, const struct fh_op *op,
                                    uint32_t active) {
    struct fh_op_count *const counts = w->launch->counts;
    if (!counts)
        return;
    fh_count_op(counts, op, active);
    counts[op->pc / FH_INST_BYTES].active = active;
}

#if defined FH_FORWARDED_STORE
/* The last thing that the threaded function of an op with a guard does: its `active` lanes of the
 * row become those of `result`. The row is forwarded then. */
static inline __attribute__((always_inline)) const struct fh_op *
fh_next_chosen(struct fh_warp *w, const struct fh_op *op, uint32_t *row, uint32_t active,
               const uint32_t *result) {
    const __m512i low =
        _mm512_mask_mov_epi32(_mm512_load_si512(row), (__mmask16)active, _mm512_load_si512(result));
    const __m512i high = _mm512_mask_mov_epi32(
        _mm512_load_si512(row + 16), (__mmask16)(active >> 16), _mm512_load_si512(result + 16));
    _mm512_store_si512(row, low);
    _mm512_store_si512(row + 16, high);
    return FH_NEXT(w, op, FH_FORWARD_PAIR(low, high));
}
#endif

#endif
