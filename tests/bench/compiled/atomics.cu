/*
 * atomics.cu - atomics that one lane does for all that ask for the same: positions in an array of
 * what is kept, positions in buckets, and the largest element of each bucket.
 */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "../../cuda/cuda.h"

namespace cg = cooperative_groups;

enum { BUCKETS = 5 };

/* Counts the threads of the group at *counter; returns this one's number. */
DEVICE u32 count_group(const cg::coalesced_group &group, u32 *counter) {
    u32 first;
    if (group.thread_rank() == 0)
        first = atomicAdd(counter, group.num_threads());
    return group.shfl(first, 0) + group.thread_rank();
}

extern "C" __global__ void atomics_filter(s32 *out, u32 *count, const s32 *in, u32 n) {
    for (u32 i = THREAD_INDEX; i < n; i += gridDim.x * blockDim.x)
        if (in[i] > 0)
            out[count_group(cg::coalesced_threads(), count)] = in[i];
}

/* Each bucket has room for n elements. */
extern "C" __global__ void atomics_buckets(s32 *out, u32 *counts, s32 *largest, const s32 *in, u32 n) {
    for (u32 i = THREAD_INDEX; i < n; i += gridDim.x * blockDim.x) {
        const u32 bucket = (u32)in[i] % BUCKETS;
        const cg::coalesced_group group = cg::labeled_partition(cg::coalesced_threads(), bucket);
        out[bucket * n + count_group(group, &counts[bucket])] = in[i];
        const s32 most = cg::reduce(group, in[i], cg::greater<s32>());
        if (group.thread_rank() == 0)
            atomicMax(&largest[bucket], most);
    }
}
