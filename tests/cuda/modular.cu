/*
 * modular.cu - modular arithmetic as FHE libraries write it: Barrett, Montgomery, Shoup, in 32 and
 * 64 bits, powers and inverses. s is the modulus q, odd; in[] holds values below q unless said.
 */
#include "cuda.h"

/* in: pairs; q < 2^31. mu = floor(2^64 / q) by a 64-bit division. */
KERNEL(barrett32, u32, u32) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u32 q = (u32)s;
    u64 mu = ~(u64)0 / q, p = (u64)in[2 * i] * in[2 * i + 1];
    u64 r = p - __umul64hi(p, mu) * q;
    out[i] = (u32)(r >= q ? r - q : r);
}

/* in: pairs; q < 2^62 of k bits; the first element is floor(2^(2k) / q), the second k. */
KERNEL(barrett64, u64, u64) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u64 mu = in[0], q = s, k = in[1];
    u64 a = in[2 * i + 2], b = in[2 * i + 3];
    u64 lo = a * b, hi = __umul64hi(a, b);
    u64 x = k > 1 ? lo >> (k - 1) | hi << (65 - k) : lo;
    u64 tlo = x * mu, thi = __umul64hi(x, mu);
    u64 t = tlo >> (k + 1) | thi << (63 - k);
    u64 r = lo - t * q;
    while (r >= q)
        r -= q;
    out[i] = r;
}

DEVICE u32 inverse32(u32 q) {
    u32 x = q; /* correct to 3 bits */
    for (int k = 0; k < 4; k++)
        x *= 2 - q * x;
    return x;
}

/* in: pairs; out = a * b / 2^32 mod q. */
KERNEL(montgomery32, u32, u32) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u32 q = (u32)s, m = inverse32(q);
    u64 p = (u64)in[2 * i] * in[2 * i + 1];
    u32 t = (u32)p * m, high = (u32)(p >> 32), less = __umulhi(t, q);
    out[i] = high - less + (high < less ? q : 0);
}

/* in: pairs; out = a * b / 2^64 mod q. */
KERNEL(montgomery64, u64, u64) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u64 q = s, m = q;
    for (int k = 0; k < 5; k++)
        m *= 2 - q * m;
    u64 a = in[2 * i], b = in[2 * i + 1];
    u64 t = a * b * m, high = __umul64hi(a, b), less = __umul64hi(t, q);
    out[i] = high - less + (high < less ? q : 0);
}

/* Harvey's butterfly, values below 4 q: in and out are (x, y, w, floor(w 2^32 / q)) and pairs. */
KERNEL(shoup32, u32, u32) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u32 q = (u32)s, x = in[4 * i], y = in[4 * i + 1], w = in[4 * i + 2], ws = in[4 * i + 3];
    if (x >= 2 * q)
        x -= 2 * q;
    u32 t = w * y - __umulhi(ws, y) * q;
    out[2 * i] = x + t;
    out[2 * i + 1] = x - t + 2 * q;
}

KERNEL(shoup64, u64, u64) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u64 q = s, x = in[4 * i], y = in[4 * i + 1], w = in[4 * i + 2], ws = in[4 * i + 3];
    if (x >= 2 * q)
        x -= 2 * q;
    u64 t = w * y - __umul64hi(ws, y) * q;
    out[2 * i] = x + t;
    out[2 * i + 1] = x - t + 2 * q;
}

/* in: (base, exponent): divergent loops. */
KERNEL(power64, u64, u64) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u64 base = in[2 * i] % s, e = in[2 * i + 1], r = 1 % s;
    for (; e; e >>= 1) {
        if (e & 1)
            r = (u64)((u128)r * base % s);
        base = (u64)((u128)base * base % s);
    }
    out[i] = r;
}

/* The inverse modulo q by Euclid's algorithm; 0 if there is none. Any in[]. */
KERNEL(inverse, u32, u32) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    s64 a = (s64)s, b = (s64)(in[i] % (u32)s), x = 0, y = 1;
    while (b) {
        s64 k = a / b, t = a - k * b;
        a = b;
        b = t;
        t = x - k * y;
        x = y;
        y = t;
    }
    out[i] = a != 1 ? 0 : (u32)(x < 0 ? x + (s64)s : x);
}

/* 2^64 - 2^32 + 1: in: pairs, any. */
KERNEL(goldilocks, u64, u64) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    const u64 p = 0xffffffff00000001u;
    u64 a = in[2 * i], b = in[2 * i + 1] + (s & 0), lo = a * b, hi = __umul64hi(a, b);
    u64 hh = hi >> 32, hl = hi & 0xffffffffu;
    u64 t = lo - hh;
    if (lo < hh)
        t -= 0xffffffffu;
    u64 u = (hl << 32) - hl, r = t + u;
    if (r < u)
        r += 0xffffffffu;
    out[i] = r >= p ? r - p : r;
}

/* Sums and differences modulo q of four at a time. */
KERNEL(addsub, u32, u32) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u32 q = (u32)s;
    for (u32 k = 0; k < 4; k++) {
        u32 a = in[8 * i + k], b = in[8 * i + 4 + k], sum = a + b, less = a - b;
        out[8 * i + k] = umin(sum, sum - q);
        out[8 * i + 4 + k] = umin(less, less + q);
    }
}
