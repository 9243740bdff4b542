/*
 * driver.cu - the driver's interface beside the runtime's: its functions by name, kernels of the
 * program as the driver's, graphs, and memory that is mapped to addresses.
 */
#include <cuda.h>

#include "program.h"

enum { N = 3000, THREADS = 96, BLOCKS = (N + THREADS - 1) / THREADS };

__global__ void scale(int *data, int n, int by) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        data[i] *= by;
}

/* The driver's functions are asked for by name, so that nothing has to be linked. */
#define CALLS(CALL)                                                                                \
    CALL(cuCtxSynchronize)                                                                         \
    CALL(cuDeviceGetAttribute)                                                                     \
    CALL(cuLaunchKernel)                                                                           \
    CALL(cuMemcpyHtoD)                                                                             \
    CALL(cuMemcpyDtoH)                                                                             \
    CALL(cuMemsetD32)                                                                              \
    CALL(cuMemGetAllocationGranularity)                                                            \
    CALL(cuMemAddressReserve)                                                                      \
    CALL(cuMemAddressFree)                                                                         \
    CALL(cuMemCreate)                                                                              \
    CALL(cuMemRelease)                                                                             \
    CALL(cuMemMap)                                                                                 \
    CALL(cuMemUnmap)                                                                               \
    CALL(cuMemSetAccess)                                                                           \
    CALL(cuMemGetAccess)                                                                           \
    CALL(cuMemAlloc)                                                                               \
    CALL(cuMemFree)                                                                                \
    CALL(cuGraphCreate)                                                                            \
    CALL(cuGraphDestroy)                                                                           \
    CALL(cuGraphAddKernelNode)                                                                     \
    CALL(cuGraphAddMemsetNode)                                                                     \
    CALL(cuGraphAddMemcpyNode)                                                                     \
    CALL(cuGraphAddEmptyNode)                                                                      \
    CALL(cuGraphNodeGetType)                                                                       \
    CALL(cuGraphGetNodes)                                                                          \
    CALL(cuGraphGetRootNodes)                                                                      \
    CALL(cuGraphInstantiateWithFlags)                                                              \
    CALL(cuGraphExecKernelNodeSetParams)                                                           \
    CALL(cuGraphLaunch)                                                                            \
    CALL(cuGraphExecDestroy)
#define DECLARE(NAME) static decltype(&NAME) d_##NAME;
CALLS(DECLARE)

static void find(const char *name, void **to) {
    cudaDriverEntryPointQueryResult how;
    *to = nullptr;
#if CUDART_VERSION >= 13000
    GOOD(cudaGetDriverEntryPointByVersion(name, to, CUDA_VERSION, cudaEnableDefault, &how));
#else
    GOOD(cudaGetDriverEntryPoint(name, to, cudaEnableDefault, &how));
#endif
    if (!HOLDS(*to && how == cudaDriverEntryPointSuccess))
        exit(program_end());
}

#define FINE(CALL) HOLDS((CALL) == CUDA_SUCCESS)
#define WRONG(CALL) HOLDS((CALL) == CUDA_ERROR_INVALID_VALUE)

static int host[N], back[N];

static bool scaled(int by) {
    for (int i = 0; i < N; i++)
        if (back[i] != host[i] * by)
            return false;
    return true;
}

/* Memory in two pieces, side by side: copies and kernels go over the seam. */
static void mapped(CUfunction kernel) {
    CUmemAllocationProp p = {};
    p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CUmemAccessDesc access = {p.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemGenericAllocationHandle pieces[2];
    CUdeviceptr at;
    size_t size = 0;
    int has = 0;
    FINE(d_cuDeviceGetAttribute(&has, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
    HOLDS(has == 1);
    FINE(d_cuMemGetAllocationGranularity(&size, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    FINE(d_cuMemAddressReserve(&at, 2 * size, 0, 0, 0));
    HOLDS(size && at % size == 0);
    for (int i = 0; i < 2; i++) {
        FINE(d_cuMemCreate(&pieces[i], size, &p, 0));
        FINE(d_cuMemMap(at + i * size, size, 0, pieces[i], 0));
    }
    WRONG(d_cuMemMap(at, size, 0, pieces[0], 0)); /* there is one */
    WRONG(d_cuMemCreate(&pieces[0], size + 1, &p, 0));
    CUdeviceptr data = at + size - sizeof host / 2;
    WRONG(d_cuMemcpyHtoD(data, host, sizeof host)); /* no access yet */
    FINE(d_cuMemSetAccess(at, 2 * size, &access, 1));
    unsigned long long flags = 0;
    FINE(d_cuMemGetAccess(&flags, &p.location, data));
    HOLDS(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    FINE(d_cuMemcpyHtoD(data, host, sizeof host));
    int n = N, by = 7;
    void *args[] = {&data, &n, &by};
    FINE(d_cuLaunchKernel(kernel, BLOCKS, 1, 1, THREADS, 1, 1, 0, nullptr, args, nullptr));
    FINE(d_cuMemcpyDtoH(back, data, sizeof back));
    HOLDS(scaled(7));
    FINE(d_cuMemsetD32(data, 5, N));
    FINE(d_cuMemcpyDtoH(back, data, sizeof back));
    HOLDS(back[0] == 5 && back[N - 1] == 5);
    WRONG(d_cuMemAddressFree(at, 2 * size)); /* in use */
    WRONG(d_cuMemUnmap(at + size / 2, size));
    FINE(d_cuMemUnmap(at, 2 * size));
    WRONG(d_cuMemcpyDtoH(back, data, sizeof back));
    /* The second piece, at the beginning now, has kept its bytes. */
    FINE(d_cuMemMap(at, size, 0, pieces[1], 0));
    FINE(d_cuMemSetAccess(at, size, &access, 1));
    FINE(d_cuMemcpyDtoH(back, at, sizeof back / 2));
    HOLDS(back[0] == 5 && back[N / 2 - 1] == 5);
    FINE(d_cuMemUnmap(at, size));
    for (int i = 0; i < 2; i++)
        FINE(d_cuMemRelease(pieces[i]));
    WRONG(d_cuMemRelease(pieces[0]));
    FINE(d_cuMemAddressFree(at, 2 * size));
}

static void graphs(CUfunction kernel) {
    CUgraph graph;
    CUgraphExec exec;
    CUgraphNode fill, copy, launch, end;
    CUgraphNodeType type;
    CUdeviceptr data;
    size_t count = 0;
    int n = N, by = 3;
    FINE(d_cuMemAlloc(&data, sizeof host));
    FINE(d_cuGraphCreate(&graph, 0));
    CUDA_MEMSET_NODE_PARAMS set = {};
    set.dst = data;
    set.elementSize = 4;
    set.width = N;
    set.height = 1;
    FINE(d_cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &set, nullptr));
    CUDA_MEMCPY3D c = {};
    c.srcMemoryType = CU_MEMORYTYPE_HOST;
    c.srcHost = host;
    c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    c.dstDevice = data;
    c.WidthInBytes = sizeof host;
    c.Height = c.Depth = 1;
    FINE(d_cuGraphAddMemcpyNode(&copy, graph, &fill, 1, &c, nullptr));
    void *args[] = {&data, &n, &by};
    CUDA_KERNEL_NODE_PARAMS k = {};
    k.func = kernel;
    k.gridDimX = BLOCKS;
    k.blockDimX = THREADS;
    k.gridDimY = k.gridDimZ = k.blockDimY = k.blockDimZ = 1;
    k.kernelParams = args;
    FINE(d_cuGraphAddKernelNode(&launch, graph, &copy, 1, &k));
    FINE(d_cuGraphAddEmptyNode(&end, graph, &launch, 1));
    FINE(d_cuGraphNodeGetType(copy, &type));
    HOLDS(type == CU_GRAPH_NODE_TYPE_MEMCPY);
    FINE(d_cuGraphGetNodes(graph, nullptr, &count));
    HOLDS(count == 4);
    count = 1;
    CUgraphNode root = nullptr;
    FINE(d_cuGraphGetRootNodes(graph, &root, &count));
    HOLDS(root == fill && count == 1);
    FINE(d_cuGraphInstantiateWithFlags(&exec, graph, 0));
    FINE(d_cuGraphLaunch(exec, nullptr));
    FINE(d_cuMemcpyDtoH(back, data, sizeof back));
    HOLDS(scaled(3));
    by = -2;
    FINE(d_cuGraphExecKernelNodeSetParams(exec, launch, &k));
    FINE(d_cuGraphLaunch(exec, nullptr));
    FINE(d_cuMemcpyDtoH(back, data, sizeof back));
    HOLDS(scaled(-2));
    WRONG(d_cuGraphAddKernelNode(&launch, graph, &copy, 1, nullptr));
    FINE(d_cuGraphExecDestroy(exec));
    FINE(d_cuGraphDestroy(graph));
    FINE(d_cuMemFree(data));
}

int main() {
    cudaFunction_t kernel;
    for (int i = 0; i < N; i++)
        host[i] = i * i % 1009 - 400;
    GOOD(cudaFree(nullptr));
#define FIND(NAME) find(#NAME, (void **)&d_##NAME);
    CALLS(FIND)
    GOOD(cudaGetFuncBySymbol(&kernel, (const void *)scale));
    mapped(kernel);
    graphs(kernel);
    return program_end();
}
