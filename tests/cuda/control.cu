/*
 * control.cu - control flow: jump tables, recursion, local arrays, loops that lanes leave one by
 * one, calls, calls through pointers.
 */
#include "cuda.h"

/* A dense switch: a jump table. */
KERNEL(switches, u32, u32) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u32 x = in[i], r = (u32)s;
    for (u32 k = 0; k < 4; k++) {
        switch (x >> (8 * k) & 15) {
        case 0: r = r * 3 + 1; break;
        case 1: r ^= x; break;
        case 2: r = r << 7 | r >> 25; break;
        case 3:
            r -= 0x12345;
            /* fall through */
        case 4: r *= 17; break;
        case 5: r = ~r; break;
        case 6: r += x / 7; break;
        case 7: r = __brev(r); break;
        case 8: r |= 0x10101; break;
        case 9: r &= 0xfffefdfc; break;
        case 10: r += (u32)__popc(x); break;
        case 11: continue;
        case 12: r = r % 1000; break;
        default: r ^= r >> 5;
        }
        r += k;
    }
    out[i] = r;
}

CALLED u32 fibonacci(u32 k) {
    return k < 2 ? k : fibonacci(k - 1) + fibonacci(k - 2);
}

CALLED u32 ackermann(u32 m, u32 k) {
    return m == 0 ? k + 1 : k == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, k - 1));
}

/* Recursion whose depth differs from lane to lane. */
KERNEL(recursion, u32, u32) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u32 x = in[i];
    out[i] = (x & 1 ? fibonacci(x >> 1 & 7) : ackermann(x >> 1 & 1, x >> 2 & 3)) + (u32)s;
}

/* An insertion sort in a local array. */
KERNEL(local_sort, u32, u32) {
    u32 i = THREAD_INDEX, list[17], count = 0;
    if (i >= n)
        return;
    for (u32 k = 0; k < 16; k++) {
        u32 x = in[16 * i + k] ^ (u32)s, at = count++;
        for (; at > 0 && list[at - 1] > x; at--)
            list[at] = list[at - 1];
        list[at] = x;
    }
    for (u32 k = 0; k < 16; k++)
        out[16 * i + k] = list[(k + (in[16 * i] & 15)) & 15];
}

/* How many steps 3x + 1 takes; lanes stop at a bound, or at a value that in[] names. */
KERNEL(collatz, u32, u32) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u64 x = in[2 * i] | 1;
    u32 stop = in[2 * i + 1], steps = 0;
    for (;;) {
        if (x == 1)
            break;
        if (steps > 60 + (stop & 31)) {
            steps |= 0x80000000;
            break;
        }
        if ((u32)x == stop)
            goto found;
        steps++;
        if (x % 2 == 0) {
            x /= 2;
            continue;
        }
        x = 3 * x + 1;
    }
    out[i] = steps + (u32)s;
    return;
found:
    out[i] = 0xffff0000 + steps;
}

/* Nested loops with an early return from inside. */
KERNEL(nested, u32, u32) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u32 x = in[i], sum = 0;
    for (u32 a = 0; a < (x & 7) + 1; a++) {
        for (u32 b = a; b < (x >> 3 & 7) + 2; b++) {
            if ((a * b + x) % 11 == 3)
                continue;
            if ((a ^ b ^ x >> 6) % 29 == 17) {
                out[i] = 0x80000000 | a << 8 | b;
                return;
            }
            sum += a * 31 + b;
        }
        if (sum > 500 && (x & 64 || x >> 20 == 5))
            break;
    }
    out[i] = sum + (u32)s;
}

/* Greatest common divisors by subtraction and shifts; a warp's lanes end far apart. */
KERNEL(binary_gcd, u64, u64) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u64 a = in[2 * i], b = in[2 * i + 1];
    u32 shift = 0;
    if (a == 0 || b == 0) {
        out[i] = a + b + s;
        return;
    }
    while (!((a | b) & 1)) {
        a >>= 1;
        b >>= 1;
        shift++;
    }
    while (!(a & 1))
        a >>= 1;
    do {
        while (!(b & 1))
            b >>= 1;
        if (a > b) {
            u64 t = a;
            a = b;
            b = t;
        }
        b -= a;
    } while (b);
    out[i] = (a << shift) + s;
}

CALLED u32 one(u32 a, u32 b) {
    return a * b + 1;
}
CALLED u32 two(u32 a, u32 b) {
    return (a ^ b) / 3;
}
CALLED u32 three(u32 a, u32 b) {
    u32 r = a;
    for (u32 k = 0; k < (b & 7); k++)
        r = r * 5 + k;
    return r;
}

/* Calls through a pointer that differs between lanes. */
KERNEL(pointers, u32, u32) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u32 x = in[i];
    u32 (*f)(u32, u32) = x % 3 == 0 ? one : x % 3 == 1 ? two : three;
    out[i] = f(x, (u32)s) + f(x >> 3, x);
}
