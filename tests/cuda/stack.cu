/*
 * stack.cu - stacks whose need the compiler does not know, frames of functions within kernels, and
 * bounds of blocks. Also compiled with -rdc and not linked, where the functions are sections of
 * their own.
 */
#include "cuda.h"

/* Between 1 and 32 words on the stack of each thread, written in one order and read in another. */
extern "C" __global__ void __launch_bounds__(96, 2)
    variable_stack(u32 *out, const u32 *in, u32 n, u32 step) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    u32 words = (in[i] & 31) + 1, sum = 0;
    u32 *part = (u32 *)__builtin_alloca(words * sizeof *part);
    for (u32 k = 0; k < words; k++)
        part[k] = in[i] + k * step;
    for (u32 k = 0; k < words; k++)
        sum = sum * 3 + part[(k * 7 + step) % words];
    out[i] = sum;
}

static __device__ __noinline__ u32 with_frame(u32 x, u32 at) {
    volatile u32 part[77];
    for (u32 k = 0; k < 77; k++)
        part[k] = x * k + 5;
    return part[at % 77] ^ part[x % 77];
}

extern "C" __global__ void __launch_bounds__(64) framed(u32 *out, const u32 *in, u32 n, u32 at) {
    u32 i = THREAD_INDEX;
    if (i < n)
        out[i] = with_frame(in[i], at) + with_frame(at, i);
}

/* Recursion, each turn with a frame. */
static __device__ __noinline__ u32 depth(u32 x, u32 turns) {
    volatile u32 part[5];
    for (u32 k = 0; k < 5; k++)
        part[k] = x + k * 7;
    return turns ? depth(x * 3 + turns, turns - 1) + part[x % 5] : x;
}

extern "C" __global__ void deep(u32 *out, const u32 *in, u32 n, u32 at) {
    u32 i = THREAD_INDEX;
    if (i < n)
        out[i] = depth(in[i] ^ at, at + (i & 7));
}
