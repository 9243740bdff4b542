/*
 * launches.cu - launches in all their forms, what kernels tell of themselves, and occupancy.
 */
#include <cooperative_groups.h>

#include "program.h"

struct mixed { /* with holes: how it lies in the parameters is the compiler's business */
    char a;
    double b;
    short c[3];
    int4 d;
};

__global__ void take(char x, mixed m, const int *p, mixed n, bool flag, double *to) {
    to[0] = x + m.a + m.b + m.c[2] + m.d.w + p[1] + n.b * 2 + n.d.x + (flag ? 1000 : 0);
}
struct large {
    int values[900];
};
__global__ void take_large(large l, int *to) { to[threadIdx.x] = l.values[threadIdx.x * 28]; }
__global__ void where(unsigned *to) {
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    to[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 1000 + thread;
}
__global__ void reverse(int *p) {
    extern __shared__ int s[];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
__global__ void together(int *p, int *sum) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    unsigned i = (unsigned)grid.thread_rank();
    p[i] = (int)i;
    grid.sync();
    if (!i) {
        int s = 0;
        for (unsigned k = 0; k < grid.size(); k++)
            s += p[k];
        *sum = s;
    }
}
template <typename T, int K> __global__ void scaled(T *p) { p[threadIdx.x] *= K; }
typedef int operation(int, int);
__device__ int plus(int a, int b) { return a + b; }
__device__ int times(int a, int b) { return a * b; }
__device__ operation *operations[2] = {plus, times};
__global__ void apply(int which, int *p) { p[threadIdx.x] = operations[which](p[threadIdx.x], 3); }
__global__ void __launch_bounds__(256) bounded(float *p) {
    __shared__ float s[1024];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[255 - threadIdx.x];
}

static void parameters(void) {
    mixed m = {3, 0.5, {1, 2, 40}, {5, 6, 7, 8}}, n = {0, 0.25, {0, 0, 0}, {100, 0, 0, 0}};
    int *p, host[2] = {11, 22};
    double *to, got = 0;
    const double want = 7 + 3 + 0.5 + 40 + 8 + 22 + 0.5 + 100 + 1000;
    GOOD(cudaMalloc(&p, sizeof host));
    GOOD(cudaMalloc(&to, 8));
    GOOD(cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice));
    take<<<1, 1>>>(7, m, p, n, true, to);
    GOOD(cudaMemcpy(&got, to, 8, cudaMemcpyDeviceToHost));
    HOLDS(got == want);
    char x = 7;
    bool flag = true;
    void *args[] = {&x, &m, &p, &n, &flag, &to};
    GOOD(cudaMemset(to, 0, 8));
    GOOD(cudaLaunchKernel((const void *)take, dim3(1), dim3(1), args, 0, 0));
    GOOD(cudaMemcpy(&got, to, 8, cudaMemcpyDeviceToHost));
    HOLDS(got == want);
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = dim3(1);
    GOOD(cudaMemset(to, 0, 8));
    GOOD(cudaLaunchKernelExC(&config, (const void *)take, args));
    GOOD(cudaMemcpy(&got, to, 8, cudaMemcpyDeviceToHost));
    HOLDS(got == want);
    GOOD(cudaMemset(to, 0, 8));
    GOOD(cudaLaunchKernelEx(&config, take, x, m, (const int *)p, n, flag, to));
    GOOD(cudaMemcpy(&got, to, 8, cudaMemcpyDeviceToHost));
    HOLDS(got == want);
    GOOD(cudaFree(p));

    large l;
    int back[32], *q;
    for (int i = 0; i < 900; i++)
        l.values[i] = i * i;
    GOOD(cudaMalloc(&q, sizeof back));
    take_large<<<1, 32>>>(l, q);
    GOOD(cudaMemcpy(back, q, sizeof back, cudaMemcpyDeviceToHost));
    HOLDS(back[0] == 0 && back[31] == 868 * 868);
    GOOD(cudaFree(q));
    GOOD(cudaFree(to));
}

static void shapes(void) {
    const dim3 grid(3, 2, 4), block(5, 4, 3);
    static unsigned got[24 * 60];
    unsigned *p;
    GOOD(cudaMalloc(&p, sizeof got));
    where<<<grid, block>>>(p);
    GOOD(cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost));
    bool right = true;
    for (unsigned i = 0; i < 24 * 60; i++)
        right = right && got[i] == i / 60 * 1000 + i % 60;
    HOLDS(right);
    GOOD(cudaFree(p));

    int host[100], *q;
    for (int i = 0; i < 100; i++)
        host[i] = i;
    GOOD(cudaMalloc(&q, sizeof host));
    GOOD(cudaMemcpy(q, host, sizeof host, cudaMemcpyHostToDevice));
    reverse<<<1, 100, sizeof host>>>(q);
    scaled<int, 7><<<1, 100>>>(q);
    apply<<<1, 100>>>(0, q);
    apply<<<1, 100>>>(1, q);
    GOOD(cudaMemcpy(host, q, sizeof host, cudaMemcpyDeviceToHost));
    right = true;
    for (int i = 0; i < 100; i++)
        right = right && host[i] == ((99 - i) * 7 + 3) * 3;
    HOLDS(right);
    GOOD(cudaFree(q));
}

static void cooperative(void) {
    int *p, *sum, got = 0;
    GOOD(cudaMalloc(&p, 16 * 64 * sizeof(int)));
    GOOD(cudaMalloc(&sum, sizeof(int)));
    void *args[] = {&p, &sum};
    GOOD(cudaLaunchCooperativeKernel((const void *)together, dim3(16), dim3(64), args, 0, 0));
    GOOD(cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost));
    HOLDS(got == 1024 * 1023 / 2);
    IS(cudaLaunchCooperativeKernel((const void *)together, dim3(1 << 20), dim3(64), args, 0, 0),
       cudaErrorCooperativeLaunchTooLarge);
    (void)cudaGetLastError();
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(8);
    config.blockDim = dim3(32);
    config.attrs = &attribute;
    config.numAttrs = 1;
    GOOD(cudaLaunchKernelExC(&config, (const void *)together, args));
    GOOD(cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost));
    HOLDS(got == 256 * 255 / 2);
    int able = 0;
    GOOD(cudaDeviceGetAttribute(&able, cudaDevAttrCooperativeLaunch, 0));
    HOLDS(able == 1);
    GOOD(cudaFree(p));
    GOOD(cudaFree(sum));
}

static void device(void) {
    cudaDeviceProp p;
    int value = 0;
    GOOD(cudaGetDeviceProperties(&p, 0));
    HOLDS(strstr(p.name, "A100") != NULL);
    HOLDS(p.major == 8 && p.minor == 0 && p.warpSize == 32 && p.multiProcessorCount == 108);
    HOLDS(p.maxThreadsPerBlock == 1024 && p.maxThreadsDim[2] == 64 && p.maxGridSize[1] == 65535);
    HOLDS(p.sharedMemPerBlock == 49152 && p.sharedMemPerBlockOptin == 166912 &&
          p.sharedMemPerMultiprocessor == 167936 && p.reservedSharedMemPerBlock == 1024);
    HOLDS(p.regsPerBlock == 65536 && p.regsPerMultiprocessor == 65536 && p.totalConstMem == 65536);
    HOLDS(p.maxThreadsPerMultiProcessor == 2048 && p.maxBlocksPerMultiProcessor == 32);
    HOLDS(p.unifiedAddressing && p.managedMemory && p.cooperativeLaunch && p.canMapHostMemory);
    const struct {
        cudaDeviceAttr attribute;
        int want;
    } list[] = {
        {cudaDevAttrMaxThreadsPerBlock, 1024}, {cudaDevAttrMultiProcessorCount, 108},
        {cudaDevAttrComputeCapabilityMajor, 8}, {cudaDevAttrComputeCapabilityMinor, 0},
        {cudaDevAttrMaxSharedMemoryPerBlock, 49152},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, 166912}, {cudaDevAttrMaxGridDimX, 2147483647},
        {cudaDevAttrMemoryPoolsSupported, 1}, {cudaDevAttrUnifiedAddressing, 1},
        {cudaDevAttrConcurrentManagedAccess, p.concurrentManagedAccess},
        {cudaDevAttrTotalConstantMemory, 65536}, {cudaDevAttrMaxRegistersPerBlock, 65536},
    };
    for (auto &row : list) {
        GOOD(cudaDeviceGetAttribute(&value, row.attribute, 0));
        if (!HOLDS(value == row.want))
            printf("attribute %d is %d, wanted %d\n", row.attribute, value, row.want);
    }
}

/* The numbers follow from an A100: 64 warps, 65536 registers and 164 KB of shared memory. */
static void occupancy(void) {
    cudaFuncAttributes a;
    int blocks = 0, size = 0;
    GOOD(cudaFuncGetAttributes(&a, (const void *)bounded));
    HOLDS(a.sharedSizeBytes == 4096 && a.maxThreadsPerBlock == 256 && a.constSizeBytes == 0 &&
          a.binaryVersion == 80 && a.numRegs > 0 && a.numRegs <= 255 &&
          a.maxDynamicSharedSizeBytes == 49152 - 4096);
    GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 256, 0));
    HOLDS(blocks == 8); /* 2048 threads */
    GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 32, 0));
    HOLDS(blocks == 32); /* 32 blocks of 5 KB are 160 KB */
    GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 32, 40 << 10));
    HOLDS(blocks == 3); /* 45 KB each, with 1 KB of the system's own */
    GOOD(cudaOccupancyMaxPotentialBlockSize(&blocks, &size, bounded, 0, 0));
    HOLDS(size == 256 && blocks == 8 * 108);
    size_t bytes = 0;
    GOOD(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, bounded, 8, 256));
    HOLDS(bytes > 8 << 10 && bytes <= 20 << 10);
    GOOD(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
    GOOD(cudaFuncGetAttributes(&a, (const void *)reverse));
    HOLDS(a.maxDynamicSharedSizeBytes == 100 << 10);
    GOOD(cudaFuncSetCacheConfig(reverse, cudaFuncCachePreferShared));
    const char *name = NULL;
    GOOD(cudaFuncGetName(&name, (const void *)reverse));
    HOLDS(name && !strcmp(name, "_Z7reversePi"));
}

int main(void) {
    parameters();
    shapes();
    cooperative();
    device();
    occupancy();
    IS(cudaGetLastError(), cudaSuccess);
    return program_end();
}
