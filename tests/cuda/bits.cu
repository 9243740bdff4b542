/*
 * bits.cu - bits and bytes: counts, permutations, funnel shifts, narrow loads and stores, minima
 * and maxima, high products, shifts past the width.
 */
#include "cuda.h"

/* in: pairs. */
KERNEL(bits32, u32, u32) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u32 a = in[2 * i], b = in[2 * i + 1], *r = out + 16 * i;
    r[0] = (u32)__popc(a);
    r[1] = (u32)__clz((s32)a);
    r[2] = (u32)__ffs((s32)a);
    r[3] = __brev(a);
    r[4] = __byte_perm(a, b, b & 0x7777);
    r[5] = __funnelshift_l(a, b, a >> 7);
    r[6] = __funnelshift_r(a, b, b);
    r[7] = __funnelshift_lc(a, b, a & 63);
    r[8] = __funnelshift_rc(a, b, b & 63);
    r[9] = __umulhi(a, b);
    r[10] = (u32)__mulhi((s32)a, (s32)b);
    r[11] = (u32)__dp4a((s32)a, (s32)b, (s32)s);
    r[12] = __usad(a, b, (u32)s);
    r[13] = umin(a, b) ^ umax(a, 77);
    r[14] = (u32)((s32)a < (s32)b ? (s32)a : (s32)b);
    r[15] = (u32)((s32)a < 0 ? -(s64)(s32)a : (s64)(s32)a);
}

KERNEL(bits64, u64, u64) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u64 a = in[2 * i], b = in[2 * i + 1], *r = out + 8 * i;
    r[0] = (u64)__popcll(a);
    r[1] = (u64)__clzll((s64)a);
    r[2] = __brevll(a);
    r[3] = a << (b & 63) | a >> (63 - (b & 63)) >> 1;
    r[4] = (u64)((s64)a >> (b & 63));
    r[5] = (u64)__mul64hi((s64)a, (s64)b);
    r[6] = (a < b ? a : b) + ((s64)a > (s64)b ? a : s);
    r[7] = (u64)((s64)(s32)a * (s32)(b >> 32)) + (a & 0xffffffff) * (b & 0xffffffff);
}

/* Bytes and halves, signed and not, loaded and stored one by one. */
KERNEL(narrow, u8, u8) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    const u16 *halves = (const u16 *)in;
    const s16 *shorts = (const s16 *)in;
    const s8 *bytes = (const s8 *)in;
    u16 *to = (u16 *)out;
    s32 x = bytes[4 * i] * shorts[2 * i + 1] + (s32)s;
    u32 y = (u32)in[4 * i + 1] * halves[2 * i];
    to[4 * i] = (u16)(x >> 3);
    s32 last = bytes[4 * i + 3];
    to[4 * i + 1] = (u16)(y ^ (u32)last);
    out[8 * i + 4] = (u8)(y >> 9);
    out[8 * i + 5] = (u8)x;
    to[4 * i + 3] = (u16)(bytes[4 * i + 2] < shorts[2 * i] ? -1 : in[4 * i]);
}

/* A hash with rotations, and shifts that a clamp decides. */
KERNEL(mix, u32, u32) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u32 h = (u32)s, x = in[i];
    for (u32 k = 0; k < 5; k++) {
        u32 left = x >> k & 63;
        h ^= x * 0xcc9e2d51;
        h = h << 13 | h >> 19;
        h = h * 5 + 0xe6546b64;
        x = left > 31 ? 0 : x << left;
        x += (u32)((s32)h >> (left & 31));
        x = (x & 0x00ff00ff) << 8 | (x >> 8 & 0x00ff00ff);
    }
    out[i] = h ^ x;
}
