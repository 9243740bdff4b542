/* linked_b.cu - see linked_a.cu. */
#include "../cuda.h"

__device__ u32 linked_factor = 1000;

__device__ u32 linked_mix(u32 a, u32 b) {
    return (a ^ b) * 3 + linked_factor;
}

__device__ __noinline__ u32 linked_other(u32 a, u32 b) {
    return a / b;
}

__device__ u32 (*linked_function)(u32, u32) = linked_other;

__device__ u32 linked_depth(u32 k) {
    return k ? linked_depth(k - 1) * 2 + 1 : 7;
}
