/*
 * cuda_driver_test.c - libcuda.so.1 as a program of the driver API uses it: what the manual of that
 * API promises for right and wrong arguments; kernels of tests/cuda, whose results are those of
 * their C twins.
 */
#include "cuda_library.h"
#include "fhec.h"

#pragma GCC diagnostic ignored "-Wunused-function" /* its other kernels */
#include "../cuda/bits.cu"

typedef unsigned long long address;
enum {
    SUCCESS = 0,
    INVALID_VALUE = 1,
    NO_MEMORY = 2,
    NOT_INITIALIZED = 3,
    INVALID_DEVICE = 101,
    INVALID_IMAGE = 200,
    INVALID_CONTEXT = 201,
    INVALID_PTX = 218,
    NO_PTX_COMPILER = 221,
    FILE_NOT_FOUND = 301,
    INVALID_HANDLE = 400,
    NOT_FOUND = 500,
    ILLEGAL_ADDRESS = 700,
    OUT_OF_RESOURCES = 701,
};

/* Every call that is used here, as a pointer of its type. */
#define CALLS(CALL)                                                                                \
    CALL(cuInit, unsigned)                                                                         \
    CALL(cuDeviceGet, int *, int)                                                                  \
    CALL(cuDeviceGetCount, int *)                                                                  \
    CALL(cuDeviceGetName, char *, int, int)                                                        \
    CALL(cuDeviceGetAttribute, int *, int, int)                                                    \
    CALL(cuDeviceTotalMem_v2, size_t *, int)                                                       \
    CALL(cuCtxCreate_v2, void **, unsigned, int)                                                   \
    CALL(cuCtxDestroy_v2, void *)                                                                  \
    CALL(cuCtxGetCurrent, void **)                                                                 \
    CALL(cuCtxSetCurrent, void *)                                                                  \
    CALL(cuCtxPushCurrent_v2, void *)                                                              \
    CALL(cuCtxPopCurrent_v2, void **)                                                              \
    CALL(cuCtxSynchronize, void)                                                                   \
    CALL(cuDevicePrimaryCtxRetain, void **, int)                                                   \
    CALL(cuDevicePrimaryCtxRelease_v2, int)                                                        \
    CALL(cuModuleLoad, void **, const char *)                                                      \
    CALL(cuModuleLoadData, void **, const void *)                                                  \
    CALL(cuModuleUnload, void *)                                                                   \
    CALL(cuModuleGetFunction, void **, void *, const char *)                                       \
    CALL(cuModuleGetGlobal_v2, address *, size_t *, void *, const char *)                          \
    CALL(cuFuncGetAttribute, int *, int, void *)                                                   \
    CALL(cuFuncSetAttribute, void *, int, int)                                                     \
    CALL(cuMemAlloc_v2, address *, size_t)                                                         \
    CALL(cuMemFree_v2, address)                                                                    \
    CALL(cuMemcpyHtoD_v2, address, const void *, size_t)                                           \
    CALL(cuMemcpyDtoH_v2, void *, address, size_t)                                                 \
    CALL(cuMemsetD32_v2, address, unsigned, size_t)                                                \
    CALL(cuMemGetAddressRange_v2, address *, size_t *, address)                                    \
    CALL(cuPointerGetAttribute, void *, int, address)                                              \
    CALL(cuLaunchKernel, void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,       \
         unsigned, void *, void **, void **)                                                       \
    CALL(cuStreamCreate, void **, unsigned)                                                        \
    CALL(cuStreamDestroy_v2, void *)                                                               \
    CALL(cuStreamSynchronize, void *)                                                              \
    CALL(cuStreamBeginCapture_v2, void *, int)                                                     \
    CALL(cuStreamEndCapture, void *, void **)                                                      \
    CALL(cuGraphInstantiateWithFlags, void **, void *, address)                                    \
    CALL(cuGraphLaunch, void *, void *)                                                            \
    CALL(cuGraphDestroy, void *)                                                                   \
    CALL(cuGraphExecDestroy, void *)                                                               \
    CALL(cuEventCreate, void **, unsigned)                                                         \
    CALL(cuEventRecord, void *, void *)                                                            \
    CALL(cuEventElapsedTime, float *, void *, void *)                                              \
    CALL(cuEventDestroy_v2, void *)                                                                \
    CALL(cuGetErrorName, int, const char **)                                                       \
    CALL(cuGetProcAddress_v2, const char *, void **, int, address, int *)
#define DECLARE(NAME, ...) static int (*NAME)(__VA_ARGS__);
CALLS(DECLARE)

static void *library, *context;

static int open_library(void **state) {
    (void)state;
    library = cuda_library("libcuda.so.1");
    if (!library)
        return 0;
#define LOAD(NAME, ...) *(void **)&NAME = cuda_call(library, #NAME);
    CALLS(LOAD)
    int device;
    if (cuDeviceGet(&device, 0) != NOT_INITIALIZED || cuInit(1) != INVALID_VALUE)
        return -1;
    return cuInit(0);
}

static int begin(void **state) {
    (void)state;
    return library ? cuCtxCreate_v2(&context, 0, 0) : 0;
}

static int end(void **state) {
    (void)state;
    return library ? cuCtxDestroy_v2(context) : 0;
}

static void devices(void **state) {
    (void)state;
    if (!library)
        skip();
    int n = 0, value = 0;
    char name[64];
    size_t bytes = 0;
    assert_int_equal(cuDeviceGetCount(&n), SUCCESS);
    assert_int_equal(n, 1);
    assert_int_equal(cuDeviceGetCount(NULL), INVALID_VALUE);
    assert_int_equal(cuDeviceGet(&n, 1), INVALID_DEVICE);
    assert_int_equal(cuDeviceGetName(name, 3, 0), SUCCESS);
    assert_int_equal(strlen(name), 2);
    assert_int_equal(cuDeviceGetName(NULL, 3, 0), INVALID_VALUE);
    assert_int_equal(cuDeviceGetAttribute(&value, 16, 0), SUCCESS);
    assert_int_equal(value, 108); /* an A100's multiprocessors */
    assert_int_equal(cuDeviceGetAttribute(&value, 0, 0), INVALID_VALUE);
    assert_int_equal(cuDeviceGetAttribute(&value, 16, -1), INVALID_DEVICE);
    assert_int_equal(cuDeviceTotalMem_v2(&bytes, 0), SUCCESS);
    assert_true(bytes >= (size_t)1 << 30);
}

static void contexts(void **state) {
    (void)state;
    if (!library)
        skip();
    void *now, *second, *popped;
    assert_int_equal(cuCtxGetCurrent(&now), SUCCESS);
    assert_ptr_equal(now, context);
    assert_int_equal(cuCtxCreate_v2(&second, 0, 0), SUCCESS);
    assert_int_equal(cuCtxPopCurrent_v2(&popped), SUCCESS);
    assert_ptr_equal(popped, second);
    assert_int_equal(cuCtxPushCurrent_v2(second), SUCCESS);
    assert_int_equal(cuCtxDestroy_v2(second), SUCCESS);
    assert_int_equal(cuCtxDestroy_v2(second), INVALID_CONTEXT);
    assert_int_equal(cuCtxPushCurrent_v2(second), INVALID_CONTEXT);
    assert_int_equal(cuCtxGetCurrent(&now), SUCCESS);
    assert_ptr_equal(now, context);
    assert_int_equal(cuCtxSetCurrent(NULL), SUCCESS);
    assert_int_equal(cuCtxSynchronize(), INVALID_CONTEXT);
    assert_int_equal(cuCtxPopCurrent_v2(&popped), INVALID_CONTEXT);
    assert_int_equal(cuDevicePrimaryCtxRetain(&now, 0), SUCCESS);
    assert_int_equal(cuCtxSetCurrent(now), SUCCESS);
    assert_int_equal(cuCtxSynchronize(), SUCCESS);
    assert_int_equal(cuDevicePrimaryCtxRelease_v2(0), SUCCESS);
    assert_int_equal(cuDevicePrimaryCtxRelease_v2(0), INVALID_CONTEXT);
    assert_int_equal(cuCtxSetCurrent(context), SUCCESS);
    assert_int_equal(cuCtxCreate_v2(NULL, 0, 0), INVALID_VALUE);
    assert_int_equal(cuCtxCreate_v2(&now, 0, 7), INVALID_DEVICE);
}

static void modules(void **state) {
    (void)state;
    if (!library)
        skip();
    static const u64 primes[4] = {0x1fffffffffe00001, 65537, 998244353, 12289}; /* memory.cu */
    void *module, *function;
    address at;
    size_t bytes;
    u64 got[4];
    assert_int_equal(cuModuleLoad(&module, "tests/cuda/none"), FILE_NOT_FOUND);
    assert_int_equal(cuModuleLoad(&module, NULL), INVALID_VALUE);
    assert_int_equal(cuModuleLoadData(&module, NULL), INVALID_VALUE);
    const int refused = cuModuleLoadData(&module, ".version 8.0\n.target sm_80\nnonsense\n");
    assert_true(refused == NO_PTX_COMPILER || refused == INVALID_PTX); /* there may be one */
    assert_int_equal(cuModuleLoadData(&module, "\1\2\3\4\5\6\7"), INVALID_IMAGE);
    assert_int_equal(cuModuleLoad(&module, "tests/cuda/memory.O3.cubin"), SUCCESS);
    assert_int_equal(cuModuleGetFunction(&function, module, "nobody"), NOT_FOUND);
    assert_int_equal(cuModuleGetFunction(NULL, module, "nobody"), INVALID_VALUE);
    assert_int_equal(cuModuleGetFunction(&function, context, "mix"), INVALID_HANDLE);
    assert_int_equal(cuModuleGetGlobal_v2(&at, &bytes, module, "constant_primes"), SUCCESS);
    assert_int_equal(bytes, sizeof primes);
    assert_int_equal(cuMemcpyDtoH_v2(got, at, sizeof got), SUCCESS);
    assert_memory_equal(got, primes, sizeof got);
    assert_int_equal(cuModuleGetGlobal_v2(&at, &bytes, module, "nobody"), NOT_FOUND);
    assert_int_equal(cuModuleUnload(module), SUCCESS);
    assert_int_equal(cuModuleUnload(module), INVALID_HANDLE);
}

/* Objects that are cut off, as files, whose length is known. */
static void damaged_files(void **state) {
    (void)state;
    if (!library)
        skip();
    static uint8_t bytes[1 << 16];
    FILE *in = fopen("tests/cuda/bits.O3.cubin", "rb");
    assert_non_null(in);
    const size_t length = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    char name[] = "/tmp/cuda_driver_test.XXXXXX";
    const int file = mkstemp(name);
    assert_true(file >= 0);
    FILE *out = fdopen(file, "wb");
    assert_non_null(out);
    for (size_t cut = 0; cut < length; cut = cut * 2 + 1) {
        void *module;
        assert_true(freopen(name, "wb", out) && fwrite(bytes, 1, cut, out) == cut);
        fflush(out);
        assert_int_equal(cuModuleLoad(&module, name), INVALID_IMAGE);
    }
    fclose(out);
    remove(name);
}

enum { N = 300 };
static u32 input[N], wanted[N];

/* `mix` of bits.cu by its C twin. */
static void expect_mix(void) {
    for (u32 i = 0; i < N; i++)
        input[i] = i * 2654435761u ^ i << 7;
    gridDim = (struct cuda_index){3, 1, 1};
    blockDim = (struct cuda_index){128, 1, 1};
    CUDA_FOR_EACH_THREAD
    mix(wanted, input, N, 77);
}

/* A kernel that takes blocks of 32 x 4 threads only, and one that takes at most 64. */
static void blocks_that_are_refused(void **state) {
    (void)state;
    if (!library)
        skip();
    static const char source[] = ".target sm_80\n.kernel required\n.reqntid 32, 4\nEXIT ;\n.end\n"
                                 ".kernel bounded\n.maxntid 64\nEXIT ;\n.end\n";
    fhec_program *program;
    uint8_t *bytes;
    size_t length;
    void *module, *required, *bounded;
    int threads = 0;
    assert_int_equal(fhec_assemble("blocks", source, sizeof source - 1, NULL, &program), FHEC_OK);
    assert_int_equal(fhec_program_write(program, &bytes, &length), FHEC_OK);
    assert_int_equal(cuModuleLoadData(&module, bytes), SUCCESS);
    assert_int_equal(cuModuleGetFunction(&required, module, "required"), SUCCESS);
    assert_int_equal(cuModuleGetFunction(&bounded, module, "bounded"), SUCCESS);
    assert_int_equal(cuFuncGetAttribute(&threads, 0, required), SUCCESS);
    assert_int_equal(threads, 128);
    assert_int_equal(cuLaunchKernel(required, 1, 1, 1, 32, 4, 1, 0, NULL, NULL, NULL), SUCCESS);
    assert_int_equal(cuLaunchKernel(required, 1, 1, 1, 64, 1, 1, 0, NULL, NULL, NULL),
                     INVALID_VALUE);
    assert_int_equal(cuLaunchKernel(required, 1, 1, 1, 128, 1, 1, 0, NULL, NULL, NULL),
                     INVALID_VALUE);
    assert_int_equal(cuLaunchKernel(bounded, 1, 1, 1, 64, 1, 1, 0, NULL, NULL, NULL), SUCCESS);
    assert_int_equal(cuLaunchKernel(bounded, 1, 1, 1, 65, 1, 1, 0, NULL, NULL, NULL),
                     OUT_OF_RESOURCES);
    assert_int_equal(cuModuleUnload(module), SUCCESS);
    free(bytes);
    fhec_program_free(program);
}

static void launches(void **state) {
    (void)state;
    if (!library)
        skip();
    void *module, *function, *stream;
    address in, out;
    u32 n = N, got[N];
    u64 s = 77;
    expect_mix();
    assert_int_equal(cuModuleLoad(&module, "tests/cuda/bits.O3.cubin"), SUCCESS);
    assert_int_equal(cuModuleGetFunction(&function, module, "mix"), SUCCESS);
    assert_int_equal(cuMemAlloc_v2(&in, sizeof input), SUCCESS);
    assert_int_equal(cuMemAlloc_v2(&out, sizeof got), SUCCESS);
    assert_int_equal(cuMemcpyHtoD_v2(in, input, sizeof input), SUCCESS);
    assert_int_equal(cuStreamCreate(&stream, 1), SUCCESS);
    void *args[] = {&out, &in, &n, &s};
    struct {
        address out, in;
        u32 n;
        u64 s;
    } block = {out, in, N, 77};
    size_t size = sizeof block;
    void *extra[] = {(void *)1, &block, (void *)2, &size, NULL};
    for (unsigned way = 0; way < 2; way++) {
        assert_int_equal(cuMemsetD32_v2(out, 0, N), SUCCESS);
        assert_int_equal(cuLaunchKernel(function, 3, 1, 1, 128, 1, 1, 0, stream, way ? NULL : args,
                                        way ? extra : NULL),
                         SUCCESS);
        assert_int_equal(cuStreamSynchronize(stream), SUCCESS);
        assert_int_equal(cuMemcpyDtoH_v2(got, out, sizeof got), SUCCESS);
        assert_memory_equal(got, wanted, sizeof got);
    }
    assert_int_equal(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, args, extra),
                     INVALID_VALUE);
    assert_int_equal(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, NULL, NULL),
                     INVALID_VALUE);
    assert_int_equal(cuLaunchKernel(function, 0, 1, 1, 32, 1, 1, 0, stream, args, NULL),
                     INVALID_VALUE);
    assert_int_equal(cuLaunchKernel(function, 1, 1, 1, 2048, 1, 1, 0, stream, args, NULL),
                     INVALID_VALUE);
    assert_int_equal(cuLaunchKernel(module, 1, 1, 1, 32, 1, 1, 0, stream, args, NULL),
                     INVALID_HANDLE);
    assert_int_equal(cuLaunchKernel(NULL, 1, 1, 1, 32, 1, 1, 0, stream, args, NULL),
                     INVALID_HANDLE);
    int value;
    assert_int_equal(cuFuncGetAttribute(&value, 0, function), SUCCESS);
    assert_int_equal(value, 1024);
    assert_int_equal(cuFuncGetAttribute(&value, 99, function), INVALID_VALUE);
    assert_int_equal(cuFuncSetAttribute(function, 8, 1 << 20), INVALID_VALUE);
    assert_int_equal(cuFuncSetAttribute(NULL, 8, 0), INVALID_HANDLE);
    assert_int_equal(cuModuleUnload(module), SUCCESS);
    assert_int_equal(cuLaunchKernel(function, 3, 1, 1, 128, 1, 1, 0, NULL, args, NULL),
                     INVALID_HANDLE);
    assert_int_equal(cuStreamDestroy_v2(stream), SUCCESS);
    assert_int_equal(cuStreamDestroy_v2(stream), INVALID_HANDLE);
    assert_int_equal(cuStreamSynchronize(stream), INVALID_HANDLE);
}

static void graphs(void **state) {
    (void)state;
    if (!library)
        skip();
    void *module, *function, *stream, *graph, *run;
    address in, out;
    u32 n = N, got[N];
    u64 s = 77;
    expect_mix();
    assert_int_equal(cuModuleLoad(&module, "tests/cuda/bits.O3.cubin"), SUCCESS);
    assert_int_equal(cuModuleGetFunction(&function, module, "mix"), SUCCESS);
    assert_int_equal(cuMemAlloc_v2(&in, sizeof input), SUCCESS);
    assert_int_equal(cuMemAlloc_v2(&out, sizeof got), SUCCESS);
    assert_int_equal(cuMemcpyHtoD_v2(in, input, sizeof input), SUCCESS);
    assert_int_equal(cuMemsetD32_v2(out, 0, N), SUCCESS);
    assert_int_equal(cuStreamCreate(&stream, 0), SUCCESS);
    void *args[] = {&out, &in, &n, &s};
    assert_int_equal(cuStreamBeginCapture_v2(stream, 0), SUCCESS);
    assert_int_equal(cuLaunchKernel(function, 3, 1, 1, 128, 1, 1, 0, stream, args, NULL), SUCCESS);
    assert_int_equal(cuStreamEndCapture(stream, &graph), SUCCESS);
    n = 0; /* the graph has its own */
    assert_int_equal(cuGraphInstantiateWithFlags(&run, graph, 0), SUCCESS);
    assert_int_equal(cuGraphDestroy(graph), SUCCESS);
    assert_int_equal(cuGraphDestroy(graph), INVALID_VALUE);
    assert_int_equal(cuMemcpyDtoH_v2(got, out, sizeof got), SUCCESS);
    assert_int_equal(got[5], 0); /* nothing has been done yet */
    assert_int_equal(cuGraphLaunch(run, stream), SUCCESS);
    assert_int_equal(cuStreamSynchronize(stream), SUCCESS);
    assert_int_equal(cuMemcpyDtoH_v2(got, out, sizeof got), SUCCESS);
    assert_memory_equal(got, wanted, sizeof got);
    assert_int_equal(cuGraphExecDestroy(run), SUCCESS);
    assert_int_equal(cuGraphLaunch(run, stream), INVALID_VALUE);
    assert_int_equal(cuGraphLaunch(NULL, stream), INVALID_VALUE);
}

static void memory(void **state) {
    (void)state;
    if (!library)
        skip();
    address p, base;
    size_t bytes;
    unsigned type = 0;
    char host[64];
    assert_int_equal(cuMemAlloc_v2(&p, 0), INVALID_VALUE);
    assert_int_equal(cuMemAlloc_v2(NULL, 8), INVALID_VALUE);
    assert_int_equal(cuMemAlloc_v2(&p, (size_t)1 << 60), NO_MEMORY);
    assert_int_equal(cuMemAlloc_v2(&p, 64), SUCCESS);
    assert_int_equal(cuMemGetAddressRange_v2(&base, &bytes, p + 63), SUCCESS);
    assert_true(base == p && bytes == 64);
    assert_int_equal(cuPointerGetAttribute(&type, 2, p + 1), SUCCESS);
    assert_int_equal(type, 2); /* the device's */
    assert_int_equal(cuPointerGetAttribute(&type, 2, (uintptr_t)host), INVALID_VALUE);
    assert_int_equal(cuPointerGetAttribute(NULL, 2, p), INVALID_VALUE);
    assert_int_equal(cuMemcpyDtoH_v2(host, p, 65), INVALID_VALUE);
    assert_int_equal(cuMemcpyDtoH_v2(NULL, p, 8), INVALID_VALUE);
    assert_int_equal(cuMemcpyHtoD_v2(p + 60, host, 8), INVALID_VALUE);
    assert_int_equal(cuMemsetD32_v2(p + 1, 0, 1), INVALID_VALUE);
    assert_int_equal(cuMemsetD32_v2(p, 0, 17), INVALID_VALUE);
    assert_int_equal(cuMemFree_v2(p + 1), INVALID_VALUE);
    assert_int_equal(cuMemFree_v2(p), SUCCESS);
    assert_int_equal(cuMemFree_v2(p), INVALID_VALUE);
    assert_int_equal(cuMemcpyDtoH_v2(host, p, 8), INVALID_VALUE);
}

static void events(void **state) {
    (void)state;
    if (!library)
        skip();
    void *a, *b;
    float ms = -1;
    assert_int_equal(cuEventCreate(&a, 0), SUCCESS);
    assert_int_equal(cuEventCreate(&b, 0), SUCCESS);
    assert_int_equal(cuEventElapsedTime(&ms, a, b), INVALID_HANDLE); /* not recorded yet */
    assert_int_equal(cuEventRecord(a, NULL), SUCCESS);
    assert_int_equal(cuEventRecord(b, NULL), SUCCESS);
    assert_int_equal(cuCtxSynchronize(), SUCCESS);
    assert_int_equal(cuEventElapsedTime(&ms, a, b), SUCCESS);
    assert_true(ms >= 0);
    assert_int_equal(cuEventElapsedTime(NULL, a, b), INVALID_VALUE);
    assert_int_equal(cuEventDestroy_v2(a), SUCCESS);
    assert_int_equal(cuEventRecord(a, NULL), INVALID_HANDLE);
    assert_int_equal(cuEventDestroy_v2(NULL), INVALID_HANDLE);
    assert_int_equal(cuEventDestroy_v2(b), SUCCESS);
}

/* A fault stays until the context goes. */
static void faults(void **state) {
    (void)state;
    if (!library)
        skip();
    void *module, *function;
    address p, nowhere = 4096;
    u32 n = 4;
    u64 s = 0;
    void *args[] = {&nowhere, &nowhere, &n, &s};
    assert_int_equal(cuModuleLoad(&module, "tests/cuda/bits.O3.cubin"), SUCCESS);
    assert_int_equal(cuModuleGetFunction(&function, module, "mix"), SUCCESS);
    (void)cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, args, NULL);
    assert_int_equal(cuCtxSynchronize(), ILLEGAL_ADDRESS);
    assert_int_equal(cuMemAlloc_v2(&p, 8), ILLEGAL_ADDRESS);
    assert_int_equal(cuCtxDestroy_v2(context), SUCCESS);
    assert_int_equal(cuCtxCreate_v2(&context, 0, 0), SUCCESS);
    assert_int_equal(cuMemAlloc_v2(&p, 8), SUCCESS);
}

static void names(void **state) {
    (void)state;
    if (!library)
        skip();
    const char *text;
    void *function;
    int status = -1;
    assert_int_equal(cuGetErrorName(ILLEGAL_ADDRESS, &text), SUCCESS);
    assert_string_equal(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
    assert_int_equal(cuGetErrorName(-7, &text), INVALID_VALUE);
    assert_null(text);
    assert_int_equal(cuGetProcAddress_v2("cuMemAlloc", &function, 11040, 0, &status), SUCCESS);
    assert_true(function == *(void **)&cuMemAlloc_v2 && status == 0);
    assert_int_equal(cuGetProcAddress_v2("cuCtxCreate", &function, 11000, 0, NULL), SUCCESS);
    assert_true(function == *(void **)&cuCtxCreate_v2);
    assert_int_equal(cuGetProcAddress_v2("cuCtxCreate", &function, 12050, 0, NULL), SUCCESS);
    assert_true(function == cuda_call(library, "cuCtxCreate_v4"));
    assert_int_equal(cuGetProcAddress_v2("cuMemPrefetchAsync", &function, 11000, 0, NULL), SUCCESS);
    assert_true(function == cuda_call(library, "cuMemPrefetchAsync"));
    assert_int_equal(cuGetProcAddress_v2("malloc", &function, 12000, 0, &status), SUCCESS);
    assert_true(!function && status == 1);
    assert_int_equal(cuGetProcAddress_v2(NULL, &function, 12000, 0, &status), INVALID_VALUE);
}

#define TEST(NAME) cmocka_unit_test_setup_teardown(NAME, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(devices),       TEST(contexts), TEST(modules),
        TEST(damaged_files), TEST(launches), TEST(blocks_that_are_refused),
        TEST(graphs),        TEST(memory),   TEST(events),
        TEST(faults),        TEST(names),
    };
    return cmocka_run_group_tests(tests, open_library, NULL);
}
