/*
 * arrive_wait.cu - a vector divided by its product with another one, whose sums are doubles; warps
 * meet at barriers at which to arrive is one thing and to wait another.
 */
#include <cuda/barrier>

#include "../../cuda/cuda.h"

enum { THREADS = 256, WARPS = THREADS / 32 };

typedef cuda::barrier<cuda::thread_scope_block> barrier;

DEVICE double warp_sum(double x) {
    for (u32 k = 16; k; k /= 2)
        x = __dadd_rn(x, __shfl_xor_sync(~0u, x, k));
    return x;
}

/* The sum over the block, in all threads of warp 0; `part` has a place for each warp. */
DEVICE double block_sum(double x, double *part, barrier &meeting) {
    x = warp_sum(x);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = x;
    barrier::arrival_token token = meeting.arrive();
    if (threadIdx.x >= 32)
        return 0;
    meeting.wait(std::move(token));
    return warp_sum(threadIdx.x < WARPS ? part[threadIdx.x] : 0);
}

/* Launched by as many threads as there are partial sums and elements, or less. */
extern "C" __global__ void dot_product(double *sums, const float *a, const float *b, u32 n) {
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier meeting;
    __shared__ double part[WARPS];
    if (threadIdx.x == 0)
        init(&meeting, THREADS);
    __syncthreads();
    double sum = 0;
    for (u32 i = THREAD_INDEX; i < n; i += gridDim.x * THREADS)
        sum = __dadd_rn(sum, (double)__fmul_rn(a[i], b[i]));
    sum = block_sum(sum, part, meeting);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

extern "C" __global__ void divide_by_sum(float *out, const float *a, const double *sums, u32 count,
                                         u32 n) {
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier meeting, ready; /* who did not wait must not arrive again */
    __shared__ double part[WARPS], whole;
    if (threadIdx.x == 0) {
        init(&meeting, THREADS);
        init(&ready, THREADS);
    }
    __syncthreads();
    double sum = 0;
    for (u32 i = threadIdx.x; i < count; i += THREADS)
        sum = __dadd_rn(sum, sums[i]);
    sum = block_sum(sum, part, meeting);
    if (threadIdx.x == 0)
        whole = sum;
    ready.arrive_and_wait();
    for (u32 i = THREAD_INDEX; i < n; i += gridDim.x * THREADS)
        out[i] = (float)((double)a[i] / whole);
}
