/*
 * errors.cu - what calls answer to arguments that they cannot take, and which errors are remembered.
 */
#include "program.h"

__device__ int variable[4];
__constant__ int numbers[4];
static int stranger[4]; /* no variable of a device */

__global__ void nothing(void) {}
__global__ void __launch_bounds__(64) bounded(int *p) { p[threadIdx.x] = 1; }
__global__ void shared(int *p) {
    extern __shared__ int s[];
    s[threadIdx.x] = threadIdx.x;
    p[threadIdx.x] = s[threadIdx.x];
}

static void remembered(void) {
    IS(cudaGetLastError(), cudaSuccess);
    IS(cudaSetDevice(77), cudaErrorInvalidDevice);
    IS(cudaPeekAtLastError(), cudaErrorInvalidDevice);
    GOOD(cudaDeviceSynchronize()); /* a call that succeeds does not forget it */
    IS(cudaPeekAtLastError(), cudaErrorInvalidDevice);
    IS(cudaGetLastError(), cudaErrorInvalidDevice);
    IS(cudaGetLastError(), cudaSuccess);
    HOLDS(!strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress"));
    HOLDS(!strcmp(cudaGetErrorName(cudaSuccess), "cudaSuccess"));
    HOLDS(!strcmp(cudaGetErrorString(cudaSuccess), "no error"));
    HOLDS(!strcmp(cudaGetErrorString((cudaError_t)123456), "unrecognized error code"));
    HOLDS(!strcmp(cudaGetErrorName((cudaError_t)-1), "unrecognized error code"));
}

static void devices(void) {
    int n = 0;
    cudaDeviceProp p;
    GOOD(cudaGetDeviceCount(&n));
    HOLDS(n == 1);
    IS(cudaGetDeviceCount(NULL), cudaErrorInvalidValue);
    IS(cudaGetDevice(NULL), cudaErrorInvalidValue);
    IS(cudaSetDevice(-1), cudaErrorInvalidDevice);
    IS(cudaGetDeviceProperties(NULL, 0), cudaErrorInvalidValue);
    IS(cudaGetDeviceProperties(&p, 1), cudaErrorInvalidDevice);
    IS(cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0), cudaErrorInvalidValue);
    IS(cudaDeviceGetAttribute(&n, (cudaDeviceAttr)0, 0), cudaErrorInvalidValue);
    IS(cudaDeviceGetAttribute(&n, (cudaDeviceAttr)100000, 0), cudaErrorInvalidValue);
    IS(cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 5), cudaErrorInvalidDevice);
    GOOD(cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 0));
    HOLDS(n == 32);
    IS(cudaDeviceGetLimit(NULL, cudaLimitStackSize), cudaErrorInvalidValue);
    size_t limit;
    IS(cudaDeviceGetLimit(&limit, (cudaLimit)1000), cudaErrorUnsupportedLimit);
    IS(cudaDeviceSetLimit((cudaLimit)1000, 1), cudaErrorUnsupportedLimit);
    IS(cudaDriverGetVersion(NULL), cudaErrorInvalidValue);
    IS(cudaRuntimeGetVersion(NULL), cudaErrorInvalidValue);
    GOOD(cudaDeviceCanAccessPeer(&n, 0, 0));
    HOLDS(n == 0);
    IS(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice);
}

static void memory(void) {
    int *p = NULL, host[4] = {0};
    size_t pitch;
    IS(cudaMalloc((void **)NULL, 4), cudaErrorInvalidValue);
    IS(cudaMalloc(&p, (size_t)1 << 60), cudaErrorMemoryAllocation);
    IS(cudaMalloc(&p, SIZE_MAX), cudaErrorMemoryAllocation);
    IS(cudaMallocPitch((void **)NULL, &pitch, 4, 4), cudaErrorInvalidValue);
    IS(cudaMallocHost((void **)NULL, 4), cudaErrorInvalidValue);
    IS(cudaMallocManaged((void **)NULL, 4), cudaErrorInvalidValue);
    IS(cudaMallocManaged(&p, 4, 99), cudaErrorInvalidValue);
    IS(cudaHostAlloc((void **)&p, 4, 0xff00), cudaErrorInvalidValue);
    GOOD(cudaFree(NULL));
    GOOD(cudaFreeHost(NULL));
    IS(cudaFree(host), cudaErrorInvalidValue);
    IS(cudaFreeHost(host), cudaErrorInvalidValue);
    IS(cudaFree((void *)64), cudaErrorInvalidValue);

    GOOD(cudaMalloc(&p, 16));
    IS(cudaFree(p + 1), cudaErrorInvalidValue);
    IS(cudaMemcpy(p, host, 16, (cudaMemcpyKind)17), cudaErrorInvalidMemcpyDirection);
    IS(cudaMemcpy(NULL, host, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    IS(cudaMemcpy(host, NULL, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    IS(cudaMemcpy(p, host, (size_t)1 << 50, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    GOOD(cudaMemcpy(p, host, 0, cudaMemcpyHostToDevice));
    IS(cudaMemset(NULL, 0, 16), cudaErrorInvalidValue);
    IS(cudaMemset(p, 0, (size_t)1 << 50), cudaErrorInvalidValue);
    GOOD(cudaMemset(p, 0, 0));
    IS(cudaMemcpy2D(p, 4, host, 4, 8, 1, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
    GOOD(cudaFree(p));
    IS(cudaFree(p), cudaErrorInvalidValue);
    IS(cudaMemcpy(host, p, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    IS(cudaMemGetInfo(NULL, NULL), cudaErrorInvalidValue);
    cudaPointerAttributes a;
    IS(cudaPointerGetAttributes(NULL, host), cudaErrorInvalidValue);
    GOOD(cudaPointerGetAttributes(&a, host));
    HOLDS(a.type == cudaMemoryTypeUnregistered);

    void *page = aligned_alloc(4096, 8192);
    GOOD(cudaHostRegister(page, 8192, cudaHostRegisterDefault));
    IS(cudaHostRegister(page, 8192, cudaHostRegisterDefault), cudaErrorHostMemoryAlreadyRegistered);
    GOOD(cudaHostUnregister(page));
    IS(cudaHostUnregister(page), cudaErrorHostMemoryNotRegistered);
    IS(cudaHostRegister(NULL, 4096, 0), cudaErrorInvalidValue);
    IS(cudaHostRegister(page, 0, 0), cudaErrorInvalidValue);
    free(page);
}

static void symbols(void) {
    int host[8] = {0};
    void *address;
    size_t size;
    IS(cudaMemcpyToSymbol(stranger, host, 4), cudaErrorInvalidSymbol);
    IS(cudaMemcpyFromSymbol(host, stranger, 4), cudaErrorInvalidSymbol);
    IS(cudaGetSymbolAddress(&address, stranger), cudaErrorInvalidSymbol);
    IS(cudaGetSymbolSize(&size, stranger), cudaErrorInvalidSymbol);
    IS(cudaMemcpyToSymbol(variable, host, 32), cudaErrorInvalidValue);
    IS(cudaMemcpyToSymbol(variable, host, 8, 12), cudaErrorInvalidValue);
    IS(cudaMemcpyFromSymbol(host, numbers, 8, (size_t)-4), cudaErrorInvalidValue);
    GOOD(cudaGetSymbolSize(&size, variable));
    HOLDS(size == 16);
    GOOD(cudaGetSymbolSize(&size, numbers));
    HOLDS(size == 16);
}

static void launches(void) {
    int *p;
    GOOD(cudaMalloc(&p, 1 << 16));
    nothing<<<0, 1>>>();
    IS(cudaGetLastError(), cudaErrorInvalidConfiguration);
    nothing<<<1, 0>>>();
    IS(cudaGetLastError(), cudaErrorInvalidConfiguration);
    nothing<<<1, 1025>>>();
    IS(cudaGetLastError(), cudaErrorInvalidConfiguration);
    nothing<<<1, dim3(1, 1, 65)>>>();
    IS(cudaGetLastError(), cudaErrorInvalidConfiguration);
    nothing<<<dim3(1, 65536), 1>>>();
    IS(cudaGetLastError(), cudaErrorInvalidConfiguration);
    shared<<<1, 32, 49153>>>(p);
    IS(cudaGetLastError(), cudaErrorInvalidValue);
    GOOD(cudaFuncSetAttribute(shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 163 * 1024));
    shared<<<1, 32, 163 * 1024>>>(p);
    GOOD(cudaGetLastError());
    GOOD(cudaDeviceSynchronize());
    IS(cudaFuncSetAttribute(shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20),
       cudaErrorInvalidValue);
    IS(cudaFuncSetAttribute(shared, (cudaFuncAttribute)1234, 1), cudaErrorInvalidValue);
    bounded<<<1, 65>>>(p);
    BAD(cudaGetLastError());
    IS(cudaLaunchKernel((const void *)stranger, dim3(1), dim3(1), NULL, 0, 0),
       cudaErrorInvalidDeviceFunction);
    BAD(cudaLaunchKernel((const void *)NULL, dim3(1), dim3(1), NULL, 0, 0));
    cudaFuncAttributes a;
    IS(cudaFuncGetAttributes(&a, (const void *)stranger), cudaErrorInvalidDeviceFunction);
    IS(cudaFuncGetAttributes(NULL, (const void *)shared), cudaErrorInvalidValue);
    int blocks;
    IS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(NULL, shared, 32, 0), cudaErrorInvalidValue);
    IS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, shared, 0, 0), cudaErrorInvalidValue);
    IS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)stranger, 32, 0),
       cudaErrorInvalidDeviceFunction);
    GOOD(cudaDeviceSynchronize()); /* none of these is the device's error */
    GOOD(cudaFree(p));
}

static void streams(void) {
    cudaStream_t s;
    cudaEvent_t e, f;
    float ms;
    unsigned flags;
    IS(cudaStreamCreate(NULL), cudaErrorInvalidValue);
    IS(cudaStreamCreateWithFlags(&s, 0x80), cudaErrorInvalidValue);
    IS(cudaStreamDestroy(NULL), cudaErrorInvalidResourceHandle);
    GOOD(cudaStreamCreate(&s));
    IS(cudaStreamGetFlags(s, NULL), cudaErrorInvalidValue);
    GOOD(cudaStreamGetFlags(s, &flags));
    HOLDS(flags == cudaStreamDefault);
    IS(cudaStreamWaitEvent(s, NULL, 0), cudaErrorInvalidResourceHandle);
    IS(cudaLaunchHostFunc(s, NULL, NULL), cudaErrorInvalidValue);
    IS(cudaEventCreate(NULL), cudaErrorInvalidValue);
    IS(cudaEventCreateWithFlags(&e, 0x1000), cudaErrorInvalidValue);
    GOOD(cudaEventCreate(&e));
    GOOD(cudaEventCreateWithFlags(&f, cudaEventDisableTiming));
    GOOD(cudaEventQuery(e)); /* never recorded: nothing to wait for */
    GOOD(cudaEventSynchronize(e));
    IS(cudaEventElapsedTime(&ms, e, e), cudaErrorInvalidResourceHandle);
    GOOD(cudaEventRecord(e, s));
    GOOD(cudaEventRecord(f, s));
    GOOD(cudaStreamSynchronize(s));
    IS(cudaEventElapsedTime(&ms, e, f), cudaErrorInvalidResourceHandle);
    IS(cudaEventElapsedTime(NULL, e, e), cudaErrorInvalidValue);
    IS(cudaEventRecord(NULL, s), cudaErrorInvalidResourceHandle);
    IS(cudaEventDestroy(NULL), cudaErrorInvalidResourceHandle);
    GOOD(cudaEventDestroy(e));
    GOOD(cudaEventDestroy(f));
    GOOD(cudaStreamDestroy(s));
    /* Documented as handles that are no more; hardware need not notice. */
    IS(cudaStreamSynchronize(s), cudaErrorInvalidResourceHandle);
    IS(cudaStreamDestroy(s), cudaErrorInvalidResourceHandle);
    IS(cudaEventRecord(e, 0), cudaErrorInvalidResourceHandle);
    int *p;
    GOOD(cudaMalloc(&p, 16));
    IS(cudaMemsetAsync(p, 0, 4, (cudaStream_t)12345), cudaErrorInvalidResourceHandle);
    GOOD(cudaFree(p));
}

static void captures(void) {
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t run;
    IS(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
    GOOD(cudaStreamCreate(&s));
    BAD(cudaStreamEndCapture(s, &graph)); /* nothing is captured */
    GOOD(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    IS(cudaStreamSynchronize(s), cudaErrorStreamCaptureUnsupported);
    graph = (cudaGraph_t)1;
    IS(cudaStreamEndCapture(s, &graph), cudaErrorStreamCaptureInvalidated);
    HOLDS(!graph);
    IS(cudaGraphCreate(NULL, 0), cudaErrorInvalidValue);
    IS(cudaGraphInstantiate(&run, NULL, 0), cudaErrorInvalidValue);
    BAD(cudaGraphLaunch(NULL, s));
    BAD(cudaGraphDestroy(NULL));
    GOOD(cudaStreamDestroy(s));
}

int main(void) {
    remembered();
    devices();
    memory();
    symbols();
    launches();
    streams();
    captures();
    return program_end();
}
