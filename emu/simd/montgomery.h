/*
 * montgomery.h - MONTMUL without its bits one after the other, for one lane.
 *
 * The body adds a_i b and then, if the sum is odd, m, and halves, n times. With m odd that never
 * drops a one, so
 *
 *     2^n s = a b + k m        k = sum of 2^i for every step i that added m,   0 <= k < 2^n
 *
 * and since the left side is 0 modulo 2^n, k = -a b m^-1 mod 2^n, whatever a and b are. s is then
 * hi(a b) + hi(k m) and one more if the low halves are not 0: they are both 0, or add up to 2^n.
 * The sum may reach 2^(n+1), as in the body. With an even m halving drops ones: bit by bit.
 */
#ifndef FH_MONTGOMERY_H
#define FH_MONTGOMERY_H

#include "lane.h"

/* -m^-1 mod 2^64 for odd m. m itself is right in the lowest 3 bits, and every step doubles that. */
static inline u64 fh_minus_inverse(u64 m) {
    u64 x = m;
    for (int i = 0; i < 5; i++)
        x *= 2 - m * x;
    return 0 - x;
}

/* `minus` is fh_minus_inverse(m). */
static inline u32 fh_montgomery32(u32 a, u32 b, u32 m, u32 minus) {
    u64 product = (u64)a * b;
    u64 added = (u64)((u32)product * minus) * m;
    u64 s = (product >> 32) + (added >> 32) + ((u32)product != 0);
    return (u32)(s >= m ? s - m : s);
}

static inline u64 fh_montgomery64(u64 a, u64 b, u64 m, u64 minus) {
    u128 product = (u128)a * b;
    u128 added = (u128)((u64)product * minus) * m;
    u128 s = (product >> 64) + (added >> 64) + ((u64)product != 0);
    return (u64)(s >= m ? s - m : s);
}

#endif
