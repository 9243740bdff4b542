/*
 * cuda_calls_test.c - libcudart and libcuda under calls that no program should make: in random
 * orders, with NULL, memory that was freed, handles that were destroyed, handles of another kind,
 * sizes of every size. Each answers an error that CUDA has, or success, and nothing crashes; at the
 * end the device still copies what it is given. FHEC_CALLS and FHEC_CALLS_SEED: how many calls, and
 * which.
 */
#include <inttypes.h>
#include <unistd.h>

#include "cuda_library.h"
#include "slow_build.h"

enum { POOL = 24, HOST_BYTES = 1 << 16, MOST_ARGUMENTS = 8 };
enum { HOST_TO_DEVICE = 1, DEVICE_TO_HOST, DEVICE_TO_DEVICE };

/* Handles and addresses that calls have given, and some that none has. */
struct pool {
    uint64_t values[POOL];
    unsigned at;
};

/* Parameters, a letter each: D an address of the device, H of the host's buffer, Z a size that may
 * be anything, z one that fits the buffer, S stream, E event, G graph, X executable graph, N node,
 * L a list with a node, P pool, C context, M module, F function, i a small number, f flags, o where
 * to put what comes, and of that kind: d s e g x n p c m u (a function), A where to put arrays, 0 1
 * 2 3 the number. */
struct call {
    const char *name, *parameters;
};

static const struct call runtime_calls[] = {
    {"cudaMalloc", "dZ"},
    {"cudaMallocPitch", "doZZ"},
    {"cudaMallocHost", "dZ"},
    {"cudaHostAlloc", "dZf"},
    {"cudaMallocManaged", "dZf"},
    {"cudaMallocAsync", "dZS"},
    {"cudaFree", "D"},
    {"cudaFreeHost", "D"},
    {"cudaFreeAsync", "DS"},
    {"cudaHostRegister", "Hzf"},
    {"cudaHostUnregister", "H"},
    {"cudaHostGetDevicePointer", "dHf"},
    {"cudaHostGetFlags", "oH"},
    {"cudaMemcpy", "DHz1"},
    {"cudaMemcpy", "HDz2"},
    {"cudaMemcpy", "DDZ3"},
    {"cudaMemcpyAsync", "DHz1S"},
    {"cudaMemcpyAsync", "HDz2S"},
    {"cudaMemcpyAsync", "DDZ3S"},
    {"cudaMemcpy2D", "DZDZZZ3"},
    {"cudaMemset", "DiZ"},
    {"cudaMemsetAsync", "DiZS"},
    {"cudaMemset2D", "DZiZZ"},
    {"cudaMemGetInfo", "oo"},
    {"cudaPointerGetAttributes", "AD"},
    {"cudaMemPrefetchAsync", "DZ0S"},
    {"cudaStreamCreate", "s"},
    {"cudaStreamCreateWithFlags", "sf"},
    {"cudaStreamCreateWithPriority", "sfi"},
    {"cudaStreamDestroy", "S"},
    {"cudaStreamSynchronize", "S"},
    {"cudaStreamQuery", "S"},
    {"cudaStreamWaitEvent", "SEf"},
    {"cudaStreamGetFlags", "So"},
    {"cudaStreamGetPriority", "So"},
    {"cudaStreamBeginCapture", "Si"},
    {"cudaStreamEndCapture", "Sg"},
    {"cudaStreamIsCapturing", "So"},
    {"cudaEventCreate", "e"},
    {"cudaEventCreateWithFlags", "ef"},
    {"cudaEventRecord", "ES"},
    {"cudaEventSynchronize", "E"},
    {"cudaEventQuery", "E"},
    {"cudaEventElapsedTime", "oEE"},
    {"cudaEventDestroy", "E"},
    {"cudaGraphCreate", "gf"},
    {"cudaGraphDestroy", "G"},
    {"cudaGraphClone", "gG"},
    {"cudaGraphAddEmptyNode", "nG00"},
    {"cudaGraphAddDependencies", "GLL01"},
    {"cudaGraphRemoveDependencies", "GLL01"},
    {"cudaGraphAddEventRecordNode", "nGL1E"},
    {"cudaGraphAddMemFreeNode", "nGL1D"},
    {"cudaGraphAddChildGraphNode", "nGL1G"},
    {"cudaStreamBeginCaptureToGraph", "SGL01i"},
    {"cudaStreamUpdateCaptureDependencies", "SL01f"},
    {"cudaGraphGetNodes", "GAo"},
    {"cudaGraphDestroyNode", "N"},
    {"cudaGraphInstantiate", "xGf"},
    {"cudaGraphLaunch", "XS"},
    {"cudaGraphExecDestroy", "X"},
    {"cudaDeviceGetDefaultMemPool", "pi"},
    {"cudaMemPoolDestroy", "P"},
    {"cudaMemPoolTrimTo", "PZ"},
    {"cudaMallocFromPoolAsync", "dZPS"},
    {"cudaSetDevice", "i"},
    {"cudaGetDevice", "o"},
    {"cudaDeviceGetAttribute", "oii"},
    {"cudaGetDeviceProperties", "Ai"},
    {"cudaFuncGetAttributes", "AF"},
    {"cudaFuncSetAttribute", "Fii"},
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessor", "oFiZ"},
    {"cudaGetSymbolAddress", "dH"},
    {"cudaGetSymbolSize", "oH"},
    {"cudaMemcpyToSymbol", "HHzZ1"},
    {"cudaDeviceSynchronize", ""},
    {"cudaGetLastError", ""},
    {"cudaPeekAtLastError", ""},
};

static const struct call driver_calls[] = {
    {"cuInit", "f"},
    {"cuDeviceGet", "oi"},
    {"cuDeviceGetName", "Hii"},
    {"cuDeviceTotalMem_v2", "oi"},
    {"cuDeviceGetAttribute", "oii"},
    {"cuCtxCreate_v2", "cf0"},
    {"cuCtxDestroy_v2", "C"},
    {"cuCtxPushCurrent_v2", "C"},
    {"cuCtxPopCurrent_v2", "c"},
    {"cuCtxSetCurrent", "C"},
    {"cuCtxGetCurrent", "c"},
    {"cuCtxSynchronize", ""},
    {"cuDevicePrimaryCtxRetain", "c0"},
    {"cuDevicePrimaryCtxRelease_v2", "0"},
    {"cuModuleLoadData", "mH"},
    {"cuModuleLoad", "mH"},
    {"cuModuleUnload", "M"},
    {"cuModuleGetFunction", "uMH"},
    {"cuModuleGetGlobal_v2", "doMH"},
    {"cuFuncGetAttribute", "oiF"},
    {"cuFuncSetAttribute", "Fii"},
    {"cuMemAlloc_v2", "dZ"},
    {"cuMemAllocPitch_v2", "doZZf"},
    {"cuMemAllocHost_v2", "dZ"},
    {"cuMemAllocManaged", "dZf"},
    {"cuMemAllocAsync", "dZS"},
    {"cuMemFree_v2", "D"},
    {"cuMemFreeHost", "D"},
    {"cuMemFreeAsync", "DS"},
    {"cuMemcpyHtoD_v2", "DHz"},
    {"cuMemcpyDtoH_v2", "HDz"},
    {"cuMemcpyDtoD_v2", "DDZ"},
    {"cuMemcpyHtoDAsync_v2", "DHzS"},
    {"cuMemcpyDtoHAsync_v2", "HDzS"},
    {"cuMemsetD8_v2", "DiZ"},
    {"cuMemsetD32_v2", "DiZ"},
    {"cuMemsetD32Async", "DiZS"},
    {"cuMemGetInfo_v2", "oo"},
    {"cuMemGetAddressRange_v2", "ooD"},
    {"cuMemHostRegister_v2", "Hzf"},
    {"cuMemHostUnregister", "H"},
    {"cuPointerGetAttribute", "AiD"},
    {"cuStreamCreate", "sf"},
    {"cuStreamDestroy_v2", "S"},
    {"cuStreamSynchronize", "S"},
    {"cuStreamQuery", "S"},
    {"cuStreamWaitEvent", "SEf"},
    {"cuEventCreate", "ef"},
    {"cuEventRecord", "ES"},
    {"cuEventSynchronize", "E"},
    {"cuEventQuery", "E"},
    {"cuEventElapsedTime", "oEE"},
    {"cuEventDestroy_v2", "E"},
    {"cuGraphCreate", "gf"},
    {"cuGraphDestroy", "G"},
    {"cuGraphClone", "gG"},
    {"cuGraphAddEmptyNode", "nGL1"},
    {"cuGraphAddEventRecordNode", "nGL1E"},
    {"cuGraphAddChildGraphNode", "nGL1G"},
    {"cuGraphAddDependencies_v2", "GLL01"},
    {"cuGraphDestroyNode", "N"},
    {"cuGraphInstantiateWithFlags", "xGf"},
    {"cuGraphLaunch", "XS"},
    {"cuGraphExecDestroy", "X"},
    {"cuStreamBeginCapture_v2", "Si"},
    {"cuStreamBeginCaptureToGraph", "SGL01i"},
    {"cuStreamUpdateCaptureDependencies_v2", "SL01f"},
    {"cuStreamEndCapture", "Sg"},
    {"cuMemAddressReserve", "dZZ0f"},
    {"cuMemAddressFree", "DZ"},
    {"cuMemMap", "DZZPf"},
    {"cuMemUnmap", "DZ"},
    {"cuMemRelease", "P"},
    {"cuGetErrorName", "io"},
    {"cuDriverGetVersion", "o"},
};

/* Of which pool a letter taken_from, and into which it put_into. */
enum { NODES = 5 };
static const char taken_from[] = "DSEGXNPCMF", put_into[] = "dsegxnpcmu";

static struct {
    struct pool pools[sizeof taken_from - 1];
    uint8_t host[HOST_BYTES];
    uint64_t state, nodes[1], arrays[64 * 64];
} t;

static uint32_t draw(uint32_t below) {
    t.state = t.state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)(t.state >> 33) % below;
}

static void keep(struct pool *pool, uint64_t value) {
    pool->values[pool->at++ % POOL] = value;
}

/* Mostly what calls of this kind have given, alive or not; else of another kind, NULL, or nothing.
 */
static uint64_t pick(size_t kind) {
    const uint32_t how = draw(16);
    if (how == 0)
        return 0;
    if (how == 1)
        return draw(2) ? 0x1230 : UINT64_C(0x7fffdeadbe00);
    if (how == 2)
        kind = draw(sizeof taken_from - 1);
    const uint64_t value = t.pools[kind].values[draw(POOL)];
    return kind == 0 && how == 3 ? value + draw(300) : value;
}

static uint64_t size(void) {
    static const uint64_t sizes[] = {0,
                                     1,
                                     3,
                                     4,
                                     100,
                                     256,
                                     4096,
                                     65536,
                                     1 << 20,
                                     UINT64_C(1) << 41,
                                     UINT64_C(1) << 47,
                                     UINT64_MAX / 2,
                                     UINT64_MAX - 5,
                                     UINT64_MAX};
    return sizes[draw(draw(2) ? 8 : sizeof sizes / sizeof *sizes)];
}

static uint64_t argument(char letter, uint64_t *out) {
    const char *take = strchr(taken_from, letter);
    if (take)
        return pick((size_t)(take - taken_from));
    switch (letter) {
    case 'H': return draw(8) ? (uint64_t)(uintptr_t)t.host : 0;
    case 'Z': return size();
    case 'z': return draw(HOST_BYTES + 1);
    case 'i': return draw(8) ? draw(12) : (uint32_t)-1;
    case 'f': return draw(4) ? draw(3) : draw(1 << 16);
    case 'L': t.nodes[0] = pick(NODES); return draw(8) ? (uint64_t)(uintptr_t)t.nodes : 0;
    case 'A': return draw(8) ? (uint64_t)(uintptr_t)t.arrays : 0;
    case '0':
    case '1':
    case '2':
    case '3': return (uint64_t)(letter - '0');
    default: return draw(8) ? (uint64_t)(uintptr_t)out : 0; /* o, and what put_into */
    }
}

typedef int function(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                     uint64_t);

/* The conventions of the hosts that there are pass integers and addresses alike, and ignore those
 * that the callee does not have. */
static int make(void *library, const struct call *call) {
    uint64_t a[MOST_ARGUMENTS] = {0}, outs[MOST_ARGUMENTS][8] = {{0}};
    const size_t count = strlen(call->parameters);
    function *f;
    *(void **)&f = cuda_call(library, call->name);
    for (size_t i = 0; i < count; i++)
        a[i] = argument(call->parameters[i], outs[i]);
    if (strcmp(call->name, "cudaGraphGetNodes") == 0 || strcmp(call->name, "cuCtxCreate_v2") == 0)
        outs[2][0] = 64; /* of the array */
    const int status = f(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
    for (size_t i = 0; i < count && status == 0; i++) {
        const char *put = strchr(put_into, call->parameters[i]);
        if (put && a[i] && outs[i][0])
            keep(&t.pools[put - put_into], outs[i][0]);
    }
    return status;
}

static uint64_t setting(const char *name, uint64_t usual) {
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : usual;
}

static void call_all(void *library, const struct call *calls, size_t count) {
    const uint64_t seed = setting("FHEC_CALLS_SEED", 7);
    const uint64_t rounds = setting("FHEC_CALLS", SLOW_BUILD ? 20000 : 100000);
    unsigned good = 0;
    memset(&t, 0, sizeof t);
    t.state = seed;
    for (uint64_t i = 0; i < rounds; i++) {
        const struct call *call = &calls[draw((uint32_t)count)];
        const int status = make(library, call);
        if (status < 0 || status > 999)
            fail_msg("seed %" PRIu64 ", call %" PRIu64 ": %s answers %d", seed, i, call->name,
                     status);
        good += status == 0;
    }
    print_message("# %" PRIu64 " calls, of which %u succeed, seed %" PRIu64 "\n", rounds, good,
                  seed);
    assert_true(good > rounds / 20);
}

/* Standard error has a line for each new kind of mistake; the test's own says enough. */
static int quiet(void) {
    if (getenv("FHEC_CALLS_LOUD"))
        return -1;
    const int before = dup(STDERR_FILENO);
    FILE *nowhere = freopen("/dev/null", "w", stderr);
    return nowhere ? before : -1;
}

static void loud(int before) {
    fflush(stderr);
    if (before >= 0) {
        dup2(before, STDERR_FILENO);
        close(before);
    }
}

static void runtime(void **state) {
    (void)state;
    static const uint8_t bytes[100] = {1, 2, 3, 250};
    uint8_t got[100] = {0};
    uint64_t address = 0;
    void *library = cuda_library("libcudart.so.13");
    if (!library)
        skip();
    const int before = quiet();
    call_all(library, runtime_calls, sizeof runtime_calls / sizeof *runtime_calls);
    loud(before);
    int (*reset)(void), (*alloc)(uint64_t *, size_t), (*copy)(uint64_t, uint64_t, size_t, int);
    *(void **)&reset = cuda_call(library, "cudaDeviceReset");
    *(void **)&alloc = cuda_call(library, "cudaMalloc");
    *(void **)&copy = cuda_call(library, "cudaMemcpy");
    assert_int_equal(reset(), 0);
    assert_int_equal(alloc(&address, sizeof bytes), 0);
    assert_int_equal(copy(address, (uintptr_t)bytes, sizeof bytes, HOST_TO_DEVICE), 0);
    assert_int_equal(copy((uintptr_t)got, address, sizeof got, DEVICE_TO_HOST), 0);
    assert_memory_equal(got, bytes, sizeof got);
}

static void driver(void **state) {
    (void)state;
    void *library = cuda_library("libcuda.so.1");
    if (!library)
        skip();
    const int before = quiet();
    call_all(library, driver_calls, sizeof driver_calls / sizeof *driver_calls);
    loud(before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runtime),
        cmocka_unit_test(driver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
