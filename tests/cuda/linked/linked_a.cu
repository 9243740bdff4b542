/*
 * linked_a.cu, linked_b.cu - two units linked into one cubin: calls between sections of code, a
 * pointer to a function in memory, variables of the other unit.
 */
#include "../cuda.h"

extern __device__ u32 linked_factor;
extern __device__ u32 (*linked_function)(u32, u32);
__device__ u32 linked_mix(u32 a, u32 b);
__device__ u32 linked_depth(u32 k);

KERNEL(linked, u32, u32) {
    u32 i = THREAD_INDEX;
    if (i >= n)
        return;
    out[i] = linked_mix(in[i], (u32)s) + linked_factor * linked_depth(in[i] & 7) +
             linked_function(in[i], 5);
}
