/*
 * cuda_runtime_test.c - libcudart as a program that nvcc has compiled uses it, without nvcc: the
 * test registers fat binaries, functions and variables itself, as the stubs do that nvcc writes.
 * Kernels are those of tests/cuda, whose results are those of their C twins; numbers of errors are
 * CUDA's manual's.
 */
#include "cuda_library.h"
#include "fat_util.h"

#pragma GCC diagnostic ignored "-Wunused-function" /* its other kernels */
#include "../cuda/bits.cu"

enum {
    SUCCESS = 0,
    INVALID_VALUE = 1,
    INVALID_SYMBOL = 13,
    INVALID_FUNCTION = 98,
    NO_IMAGE = 209,
    INVALID_IMAGE = 200,
    INVALID_CONFIGURATION = 9,
};
enum { TO_DEVICE = 1, TO_HOST = 2 };

typedef struct shape {
    unsigned x, y, z;
} shape;

#define CALLS(CALL)                                                                                \
    CALL(void **, __cudaRegisterFatBinary, void *)                                                 \
    CALL(void, __cudaRegisterFatBinaryEnd, void **)                                                \
    CALL(void, __cudaUnregisterFatBinary, void **)                                                 \
    CALL(void, __cudaRegisterFunction, void **, const char *, char *, const char *, int, void *,   \
         void *, void *, void *, int *)                                                            \
    CALL(void, __cudaRegisterVar, void **, char *, char *, const char *, int, size_t, int, int)    \
    CALL(unsigned, __cudaPushCallConfiguration, shape, shape, size_t, void *)                      \
    CALL(int, __cudaPopCallConfiguration, shape *, shape *, size_t *, void *)                      \
    CALL(int, cudaLaunchKernel, const void *, shape, shape, void **, size_t, void *)               \
    CALL(int, cudaMalloc, void **, size_t)                                                         \
    CALL(int, cudaFree, void *)                                                                    \
    CALL(int, cudaMemcpy, void *, const void *, size_t, int)                                       \
    CALL(int, cudaMemcpyToSymbol, const void *, const void *, size_t, size_t, int)                 \
    CALL(int, cudaMemcpyFromSymbol, void *, const void *, size_t, size_t, int)                     \
    CALL(int, cudaGetSymbolSize, size_t *, const void *)                                           \
    CALL(int, cudaGetLastError, void)                                                              \
    CALL(int, cudaDeviceSynchronize, void)                                                         \
    CALL(int, cudaRuntimeGetVersion, int *)
#define DECLARE(TYPE, NAME, ...) static TYPE (*NAME)(__VA_ARGS__);
CALLS(DECLARE)

static void *library;

static int open_library(void **state) {
    (void)state;
    library = cuda_library("libcudart.so.13");
#define LOAD(TYPE, NAME, ...) *(void **)&NAME = cuda_call(library, #NAME);
    if (library) {
        CALLS(LOAD)
    }
    return 0;
}

/* What the compiler leaves in a program for each source: where its fat binary is. */
struct wrapper {
    unsigned magic, version;
    const void *data, *others;
};

/* A fat binary of one object, in memory until the process ends, as a program's own are. */
static struct wrapper wrap(const char *object, unsigned architecture, enum fat_packing packing) {
    static uint8_t bytes[1 << 17];
    static struct fat_file all[16];
    static unsigned count;
    struct fat_file fat = {NULL, 0};
    assert_true(count < sizeof all / sizeof *all);
    FILE *in = fopen(object, "rb");
    assert_non_null(in);
    const size_t length = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    fat_add(&fat, fat_begin(&fat), 2, architecture, packing, bytes, length);
    all[count++] = fat;
    return (struct wrapper){0x466243b1, 1, fat.bytes, NULL};
}

enum { N = 300 };
static u32 input[N], wanted[N];
static char mix_stub, nobody; /* addresses that stand for functions of the host */

/* A launch by <<<...>>>, as the stub of a kernel makes it. */
static int launch(const void *function, unsigned blocks, void **args) {
    shape grid, block;
    size_t shared;
    void *stream;
    if (__cudaPushCallConfiguration((shape){blocks, 1, 1}, (shape){128, 1, 1}, 0, NULL) ||
        __cudaPopCallConfiguration(&grid, &block, &shared, &stream))
        return -1;
    return cudaLaunchKernel(function, grid, block, args, shared, stream);
}

static void computes(enum fat_packing packing) {
    struct wrapper code = wrap("tests/cuda/bits.O3.cubin", 80, packing);
    void *in, *out, **handle = __cudaRegisterFatBinary(&code);
    u32 n = N, got[N];
    u64 s = 77;
    assert_non_null(handle);
    __cudaRegisterFunction(handle, &mix_stub, &mix_stub, "mix", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFatBinaryEnd(handle);
    for (u32 i = 0; i < N; i++)
        input[i] = i * 2654435761u ^ i << 7;
    gridDim = (struct cuda_index){3, 1, 1};
    blockDim = (struct cuda_index){128, 1, 1};
    CUDA_FOR_EACH_THREAD
    mix(wanted, input, N, s);
    assert_int_equal(cudaMalloc(&in, sizeof input), SUCCESS);
    assert_int_equal(cudaMalloc(&out, sizeof got), SUCCESS);
    assert_int_equal(cudaMemcpy(in, input, sizeof input, TO_DEVICE), SUCCESS);
    void *args[] = {&out, &in, &n, &s};
    assert_int_equal(launch(&mix_stub, 3, args), SUCCESS);
    assert_int_equal(cudaMemcpy(got, out, sizeof got, TO_HOST), SUCCESS);
    assert_memory_equal(got, wanted, sizeof got);
    assert_int_equal(launch(&mix_stub, 0, args), INVALID_CONFIGURATION);
    assert_int_equal(launch(&nobody, 1, args), INVALID_FUNCTION);
    assert_int_equal(cudaGetLastError(), INVALID_FUNCTION);
    assert_int_equal(cudaGetLastError(), SUCCESS);
    assert_int_equal(cudaFree(in), SUCCESS);
    assert_int_equal(cudaFree(out), SUCCESS);
    __cudaUnregisterFatBinary(handle);
    assert_int_equal(launch(&mix_stub, 3, args), INVALID_FUNCTION);
    (void)cudaGetLastError();
}

static void plain(void **state) {
    (void)state;
    if (!library)
        skip();
    computes(FAT_PLAIN);
}

static void packed(void **state) {
    (void)state;
    if (!library)
        skip();
    computes(FAT_LZ4);
    computes(FAT_ZSTD);
}

static void variables(void **state) {
    (void)state;
    if (!library)
        skip();
    static const u64 initial[4] = {0x1fffffffffe00001, 65537, 998244353, 12289}; /* memory.cu */
    static char primes, counter;
    struct wrapper code = wrap("tests/cuda/memory.O3.cubin", 80, FAT_PLAIN);
    void **handle = __cudaRegisterFatBinary(&code);
    u64 got[4];
    u32 count = 5, seen = 0;
    size_t bytes = 0;
    __cudaRegisterVar(handle, &primes, &primes, "constant_primes", 0, sizeof initial, 1, 0);
    __cudaRegisterVar(handle, &counter, &counter, "counter", 0, sizeof count, 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
    assert_int_equal(cudaGetSymbolSize(&bytes, &primes), SUCCESS);
    assert_int_equal(bytes, sizeof initial);
    assert_int_equal(cudaMemcpyFromSymbol(got, &primes, sizeof got, 0, TO_HOST), SUCCESS);
    assert_memory_equal(got, initial, sizeof got);
    assert_int_equal(cudaMemcpyFromSymbol(got, &primes, 8, 24, TO_HOST), SUCCESS);
    assert_int_equal(got[0], initial[3]);
    assert_int_equal(cudaMemcpyFromSymbol(got, &primes, 16, 24, TO_HOST), INVALID_VALUE);
    assert_int_equal(cudaMemcpyToSymbol(&counter, &count, 4, 0, TO_DEVICE), SUCCESS);
    assert_int_equal(cudaMemcpyFromSymbol(&seen, &counter, 4, 0, TO_HOST), SUCCESS);
    assert_int_equal(seen, 5);
    assert_int_equal(cudaMemcpyToSymbol(&nobody, &count, 4, 0, TO_DEVICE), INVALID_SYMBOL);
    (void)cudaGetLastError();
    __cudaUnregisterFatBinary(handle);
}

/* Code that the device cannot run is noticed when it is needed. */
static void other_code(void **state) {
    (void)state;
    if (!library)
        skip();
    void *p = NULL, *args[] = {&p, &p, &p, &p};
    struct wrapper code = wrap("tests/cuda/bits.O3.cubin", 90, FAT_PLAIN);
    void **handle = __cudaRegisterFatBinary(&code);
    __cudaRegisterFunction(handle, &mix_stub, &mix_stub, "mix", -1, NULL, NULL, NULL, NULL, NULL);
    assert_int_equal(cudaDeviceSynchronize(), SUCCESS);
    assert_int_equal(launch(&mix_stub, 1, args), NO_IMAGE);
    __cudaUnregisterFatBinary(handle);
    struct wrapper no_object = wrap("tests/cuda/bits.cu", 80, FAT_PLAIN);
    handle = __cudaRegisterFatBinary(&no_object);
    __cudaRegisterFunction(handle, &mix_stub, &mix_stub, "mix", -1, NULL, NULL, NULL, NULL, NULL);
    assert_int_equal(launch(&mix_stub, 1, args), INVALID_IMAGE);
    __cudaUnregisterFatBinary(handle);
    __cudaUnregisterFatBinary(NULL);
    __cudaRegisterFunction(NULL, &nobody, &nobody, "mix", -1, NULL, NULL, NULL, NULL, NULL);
    assert_int_equal(launch(&nobody, 1, args), INVALID_FUNCTION);
    (void)cudaGetLastError();
}

/* The library of each version of CUDA says which it is. */
static void versions(void **state) {
    (void)state;
    if (!library)
        skip();
    static const struct {
        const char *name;
        int major;
    } list[] = {{"libcudart.so.11.0", 11}, {"libcudart.so.12", 12}, {"libcudart.so.13", 13}};
    for (unsigned i = 0; i < 3; i++) {
        int version = 0, (*get)(int *);
        *(void **)&get = cuda_call(cuda_library(list[i].name), "cudaRuntimeGetVersion");
        assert_int_equal(get(&version), SUCCESS);
        assert_int_equal(version / 1000, list[i].major);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain),      cmocka_unit_test(packed),   cmocka_unit_test(variables),
        cmocka_unit_test(other_code), cmocka_unit_test(versions),
    };
    return cmocka_run_group_tests(tests, open_library, NULL);
}
