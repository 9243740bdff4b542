/*
 * graphs.cu - graphs made node by node through the calls that take any node, memory that graphs
 * allocate and free, and what nodes tell of what they were made of.
 */
#include "program.h"

enum { N = 1000, THREADS = 128, BLOCKS = (N + THREADS - 1) / THREADS };

__global__ void square(const int *from, int *to, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        to[i] = from[i] * from[i];
}

__global__ void add(const int *from, int *to, int n, int what) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        to[i] = from[i] + what;
}

static int host_in[N], host_out[N];
static int called;

static void call(void *data) {
    called += *(int *)data;
}

static bool right(int what) {
    for (int i = 0; i < N; i++)
        if (host_out[i] != host_in[i] * host_in[i] + what)
            return false;
    return true;
}

static cudaGraphNodeParams parameters(cudaGraphNodeType type) {
    cudaGraphNodeParams p = {};
    p.type = type;
    return p;
}

static cudaGraphNode_t added(cudaGraph_t graph, std::initializer_list<cudaGraphNode_t> needs,
                             cudaGraphNodeParams *p) {
    cudaGraphNode_t node = nullptr;
#if CUDART_VERSION >= 13000
    GOOD(cudaGraphAddNode(&node, graph, needs.begin(), nullptr, needs.size(), p));
#else
    GOOD(cudaGraphAddNode(&node, graph, needs.begin(), needs.size(), p));
#endif
    return node;
}

static int *allocated(cudaGraph_t graph, std::initializer_list<cudaGraphNode_t> needs,
                      cudaGraphNode_t *node) {
    cudaGraphNodeParams p = parameters(cudaGraphNodeTypeMemAlloc);
    p.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
    p.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
    p.alloc.bytesize = sizeof host_in;
    *node = added(graph, needs, &p);
    return (int *)p.alloc.dptr;
}

static cudaGraphNode_t launched(cudaGraph_t graph, cudaGraphNode_t after, void *kernel,
                                void **arguments) {
    cudaGraphNodeParams p = parameters(cudaGraphNodeTypeKernel);
    p.kernel.func = kernel;
    p.kernel.gridDim = dim3(BLOCKS);
    p.kernel.blockDim = dim3(THREADS);
    p.kernel.kernelParams = arguments;
    return added(graph, {after}, &p);
}

/* in -> squares -> plus 5 -> out, in memory of the graph; the second allocation is its caller's to
 * free. */
static void memory_of_graphs() {
    cudaGraph_t graph;
    cudaGraphNode_t first, second, copy, freed;
    GOOD(cudaGraphCreate(&graph, 0));
    int *in = allocated(graph, {}, &first), *out = allocated(graph, {first}, &second);
    HOLDS(in && out && in != out);
    GOOD(cudaGraphAddMemcpyNode1D(&copy, graph, &second, 1, in, host_in, sizeof host_in,
                                cudaMemcpyHostToDevice));
    int n = N, five = 5;
    void *to_square[] = {&in, &out, &n}, *to_add[] = {&out, &out, &n, &five};
    cudaGraphNode_t squared = launched(graph, copy, (void *)square, to_square);
    cudaGraphNode_t sum = launched(graph, squared, (void *)add, to_add);
    GOOD(cudaGraphAddMemFreeNode(&freed, graph, &squared, 1, in));
    GOOD(cudaGraphAddMemcpyNode1D(&copy, graph, &sum, 1, host_out, out, sizeof host_out,
                                cudaMemcpyDeviceToHost));
    cudaGraphNodeParams p = parameters(cudaGraphNodeTypeHost);
    p.host.fn = call;
    p.host.userData = &five;
    added(graph, {copy}, &p);

    cudaGraphExec_t exec;
    GOOD(cudaGraphInstantiate(&exec, graph, 0));
    GOOD(cudaGraphLaunch(exec, nullptr));
    GOOD(cudaDeviceSynchronize());
    HOLDS(right(5) && called == 5);
    int value = 0;
    GOOD(cudaMemcpy(&value, out + 7, sizeof value, cudaMemcpyDefault)); /* it is still there */
    HOLDS(value == host_in[7] * host_in[7] + 5);

    GOOD(cudaFree(out));
    int nine = 9;
    to_add[3] = &nine;
    cudaKernelNodeParams k;
    GOOD(cudaGraphKernelNodeGetParams(sum, &k));
    HOLDS(k.func == (void *)add && k.gridDim.x == BLOCKS && k.blockDim.x == THREADS);
    HOLDS(*(int *)k.kernelParams[3] == 5);
    k.kernelParams = to_add;
    GOOD(cudaGraphExecKernelNodeSetParams(exec, sum, &k));
    GOOD(cudaGraphLaunch(exec, nullptr));
    GOOD(cudaFreeAsync(out, nullptr));
    GOOD(cudaDeviceSynchronize());
    HOLDS(right(9) && called == 10);

    cudaGraph_t other; /* frees it in a graph of its own */
    cudaGraphExec_t other_exec;
    GOOD(cudaGraphCreate(&other, 0));
    GOOD(cudaGraphAddMemFreeNode(&freed, other, nullptr, 0, out));
    GOOD(cudaGraphInstantiate(&other_exec, other, 0));
    GOOD(cudaGraphLaunch(exec, nullptr));
    GOOD(cudaGraphLaunch(other_exec, nullptr));
    GOOD(cudaDeviceSynchronize());
    IS(cudaFree(out), cudaErrorInvalidValue);
    (void)cudaGetLastError();
    GOOD(cudaGraphExecDestroy(other_exec));
    GOOD(cudaGraphDestroy(other));
    GOOD(cudaGraphExecDestroy(exec));
    GOOD(cudaGraphDestroy(graph));
}

/* The same, captured, launched twice, the memory of the first time freed by the second. */
static void captured_memory() {
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int *in, *out;
    GOOD(cudaStreamCreate(&stream));
    GOOD(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    GOOD(cudaMallocAsync(&in, sizeof host_in, stream));
    GOOD(cudaMallocAsync(&out, sizeof host_in, stream));
    GOOD(cudaMemcpyAsync(in, host_in, sizeof host_in, cudaMemcpyHostToDevice, stream));
    square<<<BLOCKS, THREADS, 0, stream>>>(in, out, N);
    GOOD(cudaFreeAsync(in, stream));
    GOOD(cudaMemcpyAsync(host_out, out, sizeof host_out, cudaMemcpyDeviceToHost, stream));
    GOOD(cudaStreamEndCapture(stream, &graph));
    GOOD(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    for (int time = 0; time < 2; time++) {
        memset(host_out, -1, sizeof host_out);
        GOOD(cudaGraphLaunch(exec, stream));
        GOOD(cudaStreamSynchronize(stream));
        HOLDS(right(0));
    }
    GOOD(cudaFree(out));
    GOOD(cudaGraphExecDestroy(exec));
    GOOD(cudaGraphDestroy(graph));
    GOOD(cudaStreamDestroy(stream));
}

/* What nodes were made of. */
static void questions() {
    cudaGraph_t graph, child, inner;
    cudaGraphNode_t fill, event_node, host, nested;
    cudaEvent_t event, told_event;
    char *bytes;
    GOOD(cudaMalloc(&bytes, 256));
    GOOD(cudaEventCreate(&event));
    GOOD(cudaGraphCreate(&graph, 0));
    GOOD(cudaGraphCreate(&child, 0));
    cudaMemsetParams set = {bytes, 64, 7, 1, 48, 4}, told_set;
    GOOD(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &set));
    GOOD(cudaGraphMemsetNodeGetParams(fill, &told_set));
    HOLDS(told_set.dst == bytes && told_set.pitch == 64 && told_set.value == 7 &&
          told_set.width == 48 && told_set.height == 4);
    GOOD(cudaGraphAddEventRecordNode(&event_node, graph, &fill, 1, event));
    GOOD(cudaGraphEventRecordNodeGetEvent(event_node, &told_event));
    HOLDS(told_event == event);
    IS(cudaGraphEventWaitNodeGetEvent(event_node, &told_event), cudaErrorInvalidValue);
    cudaHostNodeParams function = {call, bytes}, told_function;
    GOOD(cudaGraphAddHostNode(&host, graph, &event_node, 1, &function));
    GOOD(cudaGraphHostNodeGetParams(host, &told_function));
    HOLDS(told_function.fn == call && told_function.userData == bytes);
    GOOD(cudaGraphAddChildGraphNode(&nested, graph, &host, 1, child));
    GOOD(cudaGraphChildGraphNodeGetGraph(nested, &inner));
    HOLDS(inner && inner != child);
    cudaGraphNodeParams p = parameters(cudaGraphNodeTypeMemset);
    p.memset.dst = bytes;
    p.memset.value = 9;
    p.memset.elementSize = 1;
    p.memset.width = 256;
    p.memset.height = 1;
    GOOD(cudaGraphNodeSetParams(fill, &p));
    GOOD(cudaGraphMemsetNodeGetParams(fill, &told_set));
    HOLDS(told_set.value == 9);
    p.type = cudaGraphNodeTypeHost; /* not what the node is */
    p.host.fn = call;
    IS(cudaGraphNodeSetParams(fill, &p), cudaErrorInvalidValue);
    IS(cudaGraphNodeSetParams(fill, nullptr), cudaErrorInvalidValue);
    (void)cudaGetLastError();
    GOOD(cudaGraphDestroy(child));
    GOOD(cudaGraphDestroy(graph));
    GOOD(cudaFree(bytes));
    GOOD(cudaEventDestroy(event));
}

int main() {
    for (int i = 0; i < N; i++)
        host_in[i] = 3 * i - 700;
    memory_of_graphs();
    captured_memory();
    questions();
    return program_end();
}
