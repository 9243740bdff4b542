/*
 * memory.cu - every kind of memory and every kind of copy, against the same moves on the host.
 */
#include <vector>

#include "program.h"

enum { N = 1000 };
typedef unsigned char byte;

__device__ int counters[N];
__constant__ int table[16];
__managed__ int shared_sum;
__managed__ int shared_list[8] = {1, 2, 3, 4, 5, 6, 7, 8};

__global__ void twice(int *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] *= 2;
}
__global__ void count(void) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        counters[i] += table[i & 15];
}
__global__ void sum(void) {
    atomicAdd(&shared_sum, shared_list[threadIdx.x]);
    shared_list[threadIdx.x] += 100;
}
__global__ void rows(const char *p, size_t pitch, int width, int height, int *to) {
    for (int y = threadIdx.x; y < height; y += blockDim.x) {
        int s = 0;
        for (int x = 0; x < width; x++)
            s += (byte)p[y * pitch + x] * (x + 1);
        to[y] = s;
    }
}

static std::vector<byte> pattern(size_t bytes, unsigned seed) {
    std::vector<byte> v(bytes);
    for (size_t i = 0; i < bytes; i++)
        v[i] = (byte)((seed = seed * 1664525 + 1013904223) >> 24);
    return v;
}

static void linear(void) {
    std::vector<byte> a = pattern(N, 1), b(N), c(N);
    char *p, *q;
    GOOD(cudaMalloc(&p, N));
    GOOD(cudaMalloc(&q, N));
    HOLDS((uintptr_t)p % 256 == 0 && (uintptr_t)q % 256 == 0);
    GOOD(cudaMemcpy(p, a.data(), N, cudaMemcpyHostToDevice));
    GOOD(cudaMemcpy(q, p, N, cudaMemcpyDeviceToDevice));
    GOOD(cudaMemcpy(b.data(), q, N, cudaMemcpyDeviceToHost));
    HOLDS(a == b);
    GOOD(cudaMemcpy(c.data(), b.data(), N, cudaMemcpyHostToHost));
    HOLDS(a == c);
    GOOD(cudaMemset(q, 0x5a, N));
    GOOD(cudaMemcpy(q + 7, p + 3, 100, cudaMemcpyDefault));
    GOOD(cudaMemcpy(b.data(), q, N, cudaMemcpyDefault));
    c.assign(N, 0x5a);
    std::copy(a.begin() + 3, a.begin() + 103, c.begin() + 7);
    HOLDS(b == c);
    GOOD(cudaMemcpyPeer(q, 0, p, 0, N));
    GOOD(cudaMemcpyAsync(b.data(), q, N, cudaMemcpyDeviceToHost, 0));
    GOOD(cudaMemsetAsync(q, 1, 10, 0));
    GOOD(cudaDeviceSynchronize());
    HOLDS(a == b);
    cudaPointerAttributes at;
    GOOD(cudaPointerGetAttributes(&at, p + 5));
    HOLDS(at.type == cudaMemoryTypeDevice && at.device == 0 && at.devicePointer == p + 5 &&
          !at.hostPointer);
    GOOD(cudaFree(p));
    GOOD(cudaFree(q));
    size_t left, all, later;
    GOOD(cudaMemGetInfo(&left, &all));
    HOLDS(left <= all && all >= (size_t)1 << 30);
    GOOD(cudaMalloc(&p, 64 << 20));
    GOOD(cudaMemGetInfo(&later, &all));
    HOLDS(later <= left - (64 << 20));
    GOOD(cudaFree(p));
    GOOD(cudaMemGetInfo(&later, &all));
    HOLDS(later == left);
    p = (char *)1;
    GOOD(cudaMalloc(&p, 0));
    HOLDS(!p);
}

static void planes(void) {
    enum { W = 37, H = 11, D = 3, SOURCE = 50 };
    std::vector<byte> a = pattern(SOURCE * H * D, 2), b(SOURCE * H * D, 9), c = b;
    char *p;
    size_t pitch;
    GOOD(cudaMallocPitch(&p, &pitch, W, H));
    HOLDS(pitch >= W && pitch % 32 == 0);
    GOOD(cudaMemcpy2D(p, pitch, a.data(), SOURCE, W, H, cudaMemcpyHostToDevice));
    GOOD(cudaMemset2D(p + 2 * pitch + 4, pitch, 0xee, 5, 3));
    GOOD(cudaMemcpy2D(b.data(), SOURCE, p, pitch, W, H, cudaMemcpyDeviceToHost));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            c[y * SOURCE + x] = y >= 2 && y < 5 && x >= 4 && x < 9 ? 0xee : a[y * SOURCE + x];
    HOLDS(b == c);
    int *sums, got[H], want[H] = {0};
    GOOD(cudaMalloc(&sums, sizeof got));
    rows<<<1, 32>>>(p, pitch, W, H, sums);
    GOOD(cudaMemcpy(got, sums, sizeof got, cudaMemcpyDeviceToHost));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            want[y] += c[y * SOURCE + x] * (x + 1);
    HOLDS(!memcmp(got, want, sizeof got));
    GOOD(cudaFree(sums));
    GOOD(cudaFree(p));

    cudaPitchedPtr volume;
    GOOD(cudaMalloc3D(&volume, make_cudaExtent(W, H, D)));
    HOLDS(volume.pitch >= W && volume.xsize == W && volume.ysize == H);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(a.data(), SOURCE, SOURCE, H);
    copy.dstPtr = volume;
    copy.srcPos = make_cudaPos(1, 2, 0);
    copy.dstPos = make_cudaPos(3, 0, 1);
    copy.extent = make_cudaExtent(20, 5, 2);
    copy.kind = cudaMemcpyHostToDevice;
    GOOD(cudaMemset3D(volume, 0x11, make_cudaExtent(W, H, D)));
    GOOD(cudaMemcpy3D(&copy));
    std::vector<byte> back(W * H * D), wanted(W * H * D, 0x11);
    cudaMemcpy3DParms home = {};
    home.srcPtr = volume;
    home.dstPtr = make_cudaPitchedPtr(back.data(), W, W, H);
    home.extent = make_cudaExtent(W, H, D);
    home.kind = cudaMemcpyDefault;
    GOOD(cudaMemcpy3DAsync(&home, 0));
    GOOD(cudaDeviceSynchronize());
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 5; y++)
            for (int x = 0; x < 20; x++)
                wanted[((z + 1) * H + y) * W + x + 3] = a[(z * H + y + 2) * SOURCE + x + 1];
    HOLDS(back == wanted);
    GOOD(cudaFree(volume.ptr));
}

/* Memory that host and device know by one pointer, without copies. */
static void both_sides(void) {
    int *pinned, *device, *managed;
    GOOD(cudaHostAlloc(&pinned, N * sizeof(int), cudaHostAllocMapped));
    GOOD(cudaHostGetDevicePointer(&device, pinned, 0));
    GOOD(cudaMallocManaged(&managed, N * sizeof(int)));
    int *own = (int *)aligned_alloc(4096, 8192), *seen;
    GOOD(cudaHostRegister(own, 8192, cudaHostRegisterMapped));
    GOOD(cudaHostGetDevicePointer(&seen, own, 0));
    for (int i = 0; i < N; i++)
        pinned[i] = i, managed[i] = 3 * i, own[i] = 5 * i;
    twice<<<8, 128>>>(device, N);
    twice<<<8, 128>>>(managed, N);
    twice<<<8, 128>>>(seen, N);
    twice<<<8, 128>>>(own, N);
    GOOD(cudaDeviceSynchronize());
    bool right = true;
    for (int i = 0; i < N; i++)
        right = right && pinned[i] == 2 * i && managed[i] == 6 * i && own[i] == 20 * i;
    HOLDS(right);
    cudaPointerAttributes a;
    GOOD(cudaPointerGetAttributes(&a, managed + 1));
    HOLDS(a.type == cudaMemoryTypeManaged && a.hostPointer == managed + 1);
    GOOD(cudaPointerGetAttributes(&a, pinned));
    HOLDS(a.type == cudaMemoryTypeHost && a.devicePointer == device);
    GOOD(cudaPointerGetAttributes(&a, own + 3));
    HOLDS(a.type == cudaMemoryTypeHost);
    unsigned flags;
    GOOD(cudaHostGetFlags(&flags, pinned));
    HOLDS(flags & cudaHostAllocMapped);
    GOOD(cudaHostUnregister(own));
    HOLDS(own[7] == 140); /* the program's, as before */
    free(own);
    GOOD(cudaFreeHost(pinned));
    GOOD(cudaFree(managed));
}

static void symbols(void) {
    int host[N], factor[16], got[N];
    for (int i = 0; i < N; i++)
        host[i] = i;
    for (int i = 0; i < 16; i++)
        factor[i] = 100 + i * i;
    GOOD(cudaMemcpyToSymbol(counters, host, sizeof host));
    GOOD(cudaMemcpyToSymbol(table, factor, 8 * sizeof(int)));
    GOOD(cudaMemcpyToSymbol(table, factor + 8, 8 * sizeof(int), 8 * sizeof(int)));
    count<<<8, 128>>>();
    GOOD(cudaMemcpyFromSymbol(got, counters, sizeof got));
    bool right = true;
    for (int i = 0; i < N; i++)
        right = right && got[i] == i + factor[i & 15];
    HOLDS(right);
    void *address;
    GOOD(cudaGetSymbolAddress(&address, counters));
    GOOD(cudaMemset(address, 0, sizeof host));
    count<<<8, 128>>>();
    GOOD(cudaMemcpyFromSymbol(got, counters, 4, 17 * sizeof(int)));
    HOLDS(got[0] == factor[1]);
    GOOD(cudaGetSymbolAddress(&address, table)); /* constants have an address, too */
    factor[1] = -7;
    GOOD(cudaMemcpy(address, factor, sizeof factor, cudaMemcpyHostToDevice));
    count<<<8, 128>>>();
    GOOD(cudaMemcpyFromSymbol(got, counters, 4, 17 * sizeof(int)));
    HOLDS(got[0] == 101 - 7);

    HOLDS(shared_list[2] == 3);
    shared_sum = 1000;
    sum<<<1, 8>>>();
    GOOD(cudaDeviceSynchronize());
    HOLDS(shared_sum == 1036 && shared_list[7] == 108);
}

static void pools(void) {
    cudaStream_t s;
    cudaMemPool_t pool;
    int *p, host[4] = {1, 2, 3, 4};
    unsigned long long threshold = 1 << 20, got = 0;
    GOOD(cudaStreamCreate(&s));
    GOOD(cudaMallocAsync(&p, sizeof host, s));
    GOOD(cudaMemcpyAsync(p, host, sizeof host, cudaMemcpyHostToDevice, s));
    twice<<<1, 4, 0, s>>>(p, 4);
    GOOD(cudaMemcpyAsync(host, p, sizeof host, cudaMemcpyDeviceToHost, s));
    GOOD(cudaFreeAsync(p, s));
    GOOD(cudaStreamSynchronize(s));
    HOLDS(host[0] == 2 && host[3] == 8);
    GOOD(cudaDeviceGetDefaultMemPool(&pool, 0));
    GOOD(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    GOOD(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &got));
    HOLDS(got == threshold);
    GOOD(cudaMemPoolTrimTo(pool, 0));
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    GOOD(cudaMemPoolCreate(&pool, &props));
    GOOD(cudaMallocFromPoolAsync(&p, 64, pool, s));
    GOOD(cudaFreeAsync(p, s));
    GOOD(cudaMallocAsync(&p, 64, s)); /* what came from a pool may be freed at once, too */
    GOOD(cudaFree(p));
    GOOD(cudaStreamSynchronize(s));
    GOOD(cudaMemPoolDestroy(pool));
    GOOD(cudaStreamDestroy(s));
}

int main(void) {
    linear();
    planes();
    both_sides();
    symbols();
    pools();
    IS(cudaGetLastError(), cudaSuccess);
    return program_end();
}
