/*
 * model_memory.c - what the rows of memory.def should give.
 */
#include "model_float.h"

/* The rows NAME, the word before, and NAME_after. a: the word; b, c: the operands. */
#define ATOMIC(name, type, after)                                                                  \
    HW_MODEL(name);                                                                                \
    HW_MODEL(name) {                                                                               \
        return (type)w->x[0][lane];                                                                \
    }                                                                                              \
    HW_MODEL(name##_after);                                                                        \
    HW_MODEL(name##_after) {                                                                       \
        type a = (type)w->x[0][lane], b = (type)w->x[1][lane], c = (type)w->x[2][lane];            \
        (void)a, (void)b, (void)c;                                                                 \
        return (type)(after);                                                                      \
    }
/* In both spaces. */
#define GLOBAL_AND_SHARED(name, type, after)                                                       \
    ATOMIC(atom_##name, type, after)                                                               \
    ATOMIC(atoms_##name, type, after)

GLOBAL_AND_SHARED(add, u32, a + b)
GLOBAL_AND_SHARED(min_s, u32, (s32)b < (s32)a ? b : a)
GLOBAL_AND_SHARED(max_u, u32, b > a ? b : a)
GLOBAL_AND_SHARED(inc, u32, a >= b ? 0 : a + 1)
GLOBAL_AND_SHARED(dec, u32, a == 0 || a > b ? b : a - 1)
GLOBAL_AND_SHARED(xor, u32, a ^ b)
GLOBAL_AND_SHARED(exch, u32, b)
GLOBAL_AND_SHARED(cas, u32, a == b ? c : a)
GLOBAL_AND_SHARED(cas64, u64, a == b ? c : a)
GLOBAL_AND_SHARED(add64, u64, a + b)
ATOMIC(atom_max_s, u32, (s32)b > (s32)a ? b : a)
ATOMIC(atom_min_u, u32, b < a ? b : a)
ATOMIC(atom_and, u32, a &b)
ATOMIC(atom_or, u32, a | b)
ATOMIC(atom_min64_s, u64, (s64)b < (s64)a ? b : a)
ATOMIC(atom_max64_u, u64, b > a ? b : a)
ATOMIC(atom_exch64, u64, b)
ATOMIC(atoms_max64_s, u64, (s64)b > (s64)a ? b : a)

/* Sums, rounded to nearest: floats in global memory flush what is subnormal. */
static u64 float_sum(u64 a, u64 b, bool flush) {
    volatile float x = float_of(a), y = float_of(b);
    float r = flush ? flushed(x) + flushed(y) : x + y;
    return of_float(flush ? flushed(r) : r);
}
static u64 double_sum(u64 a, u64 b) {
    volatile double x = double_of(a), y = double_of(b);
    return of_double(x + y);
}
ATOMIC(atom_add_f32, u32, float_sum(a, b, true))
ATOMIC(atoms_add_f32, u32, float_sum(a, b, false))
ATOMIC(atom_add_f64, u64, double_sum(a, b))
ATOMIC(atoms_add_f64, u64, double_sum(a, b))
ATOMIC(atom_add_f16x2, u32, hw_add_halves(a, b))

/* What `bytes` of the first operand, of `size` with zeros behind them, leave of its complement. */
static u64 copied(const struct hw_warp *w, unsigned lane, unsigned size, u64 bytes) {
    u64 a = w->x[0][lane], r = 0;
    for (unsigned k = 0; k < 8; k++)
        r |= (k >= size ? ~a & (u64)255 << 8 * k : k < bytes ? a & (u64)255 << 8 * k : 0);
    return r;
}
#define COPIED(name, size, bytes)                                                                  \
    HW_MODEL(name);                                                                                \
    HW_MODEL(name) {                                                                               \
        return copied(w, lane, size, bytes);                                                       \
    }
COPIED(cp_async_4, 4, 4)
COPIED(cp_async_8, 8, 8)
COPIED(cp_async_8_part, 8, (u32)w->x[2][lane] % 9)

/* All lanes of the warp on a word that begins as 0. */
#define SUM_OF(name, next)                                                                         \
    HW_MODEL(name);                                                                                \
    HW_MODEL(name) {                                                                               \
        u32 r = 0;                                                                                 \
        (void)lane;                                                                                \
        for (unsigned l = 0; l < HW_LANES; l++) {                                                  \
            u32 x = (u32)w->x[0][l];                                                               \
            (void)x;                                                                               \
            r = (next);                                                                            \
        }                                                                                          \
        return r;                                                                                  \
    }
SUM_OF(red_add, r + x)
SUM_OF(red_max_s, (s32)x > (s32)r ? x : r)
SUM_OF(red_xor, r ^ x)
SUM_OF(red_inc, r >= 17 ? 0 : r + 1)
