/*
 * library_calls.c - libraries that programs load while they run, and the driver's functions for
 * those who ask the runtime for them.
 */
#include <dlfcn.h>

#include "cudart.h"
#include "library.h"

static fh_cuda_status load(void **handle, const void *image, const char *name) {
    fh_cuda_library *library;
    if (!handle)
        return FH_CUDA_INVALID_VALUE;
    const fh_cuda_status status =
        name ? fh_cuda_library_load_file(name, &library) : fh_cuda_library_load(image, &library);
    if (status == FH_CUDA_OK)
        *handle = library;
    return status;
}

/* The options of a compiler, of which none is needed, and of libraries, which change nothing here.
 */
#define OPTIONS                                                                                    \
    const int *jit_options, void **jit_values, unsigned jit_count, const int *options,             \
        void **values, unsigned count
static fh_cuda_status check_options(OPTIONS) {
    (void)values;
    return (jit_count && (!jit_options || !jit_values)) || (count && !options)
               ? FH_CUDA_INVALID_VALUE
               : FH_CUDA_OK;
}

static fh_cuda_status load_with(fh_cuda_status options, void **handle, const void *image,
                                const char *name) {
    return options == FH_CUDA_OK ? load(handle, image, name) : options;
}

CUDART cudart_error cudaLibraryLoadData(void **library, const void *image, OPTIONS) {
    FH_CUDART_CALL(
        load_with(check_options(jit_options, jit_values, jit_count, options, values, count),
                  library, image, NULL));
}

CUDART cudart_error cudaLibraryLoadFromFile(void **library, const char *name, OPTIONS) {
    FH_CUDART_CALL(
        !name ? FH_CUDA_INVALID_VALUE
              : load_with(check_options(jit_options, jit_values, jit_count, options, values, count),
                          library, NULL, name));
}

CUDART cudart_error cudaLibraryUnload(void *library) {
    FH_CUDART_CALL(fh_cuda_library_unload(library));
}

static fh_cuda_status find_kernel(void **handle, const void *library, const char *name) {
    const fh_cuda_library *l = fh_cuda_library_of(library);
    fh_cuda_kernel *kernel;
    if (!handle || !name)
        return FH_CUDA_INVALID_VALUE;
    if (!l)
        return FH_CUDA_INVALID_HANDLE;
    const fh_cuda_status status = fh_cuda_module_kernel(fh_cuda_library_module(l), name, &kernel);
    if (status == FH_CUDA_OK)
        *handle = kernel;
    return status;
}

CUDART cudart_error cudaLibraryGetKernel(void **kernel, void *library, const char *name) {
    FH_CUDART_CALL(find_kernel(kernel, library, name));
}

static fh_cuda_status find_variable(void **address, size_t *bytes, const void *library,
                                    const char *name) {
    const fh_cuda_library *l = fh_cuda_library_of(library);
    fh_cuda_variable v;
    if (!name || (!address && !bytes))
        return FH_CUDA_INVALID_VALUE;
    if (!l)
        return FH_CUDA_INVALID_HANDLE;
    const fh_cuda_status status = fh_cuda_module_variable(fh_cuda_library_module(l), name, &v);
    if (status == FH_CUDA_OK && address)
        *address = (void *)(uintptr_t)v.address;
    if (status == FH_CUDA_OK && bytes)
        *bytes = v.bytes;
    return status;
}

CUDART cudart_error cudaLibraryGetGlobal(void **address, size_t *bytes, void *library,
                                         const char *name) {
    FH_CUDART_CALL(find_variable(address, bytes, library, name));
}

static fh_cuda_status list_kernels(const void *library, unsigned *count, void **list,
                                   unsigned room) {
    const fh_cuda_library *l = fh_cuda_library_of(library);
    fh_cuda_kernel *first;
    if (!count && !list)
        return FH_CUDA_INVALID_VALUE;
    if (!l)
        return FH_CUDA_INVALID_HANDLE;
    const size_t all = fh_cuda_module_kernels(fh_cuda_library_module(l), &first);
    if (count)
        *count = (unsigned)all;
    for (size_t i = 0; list && i < all && i < room; i++)
        list[i] = first + i;
    return FH_CUDA_OK;
}

CUDART cudart_error cudaLibraryGetKernelCount(unsigned *count, void *library) {
    FH_CUDART_CALL(list_kernels(library, count, NULL, 0));
}

CUDART cudart_error cudaLibraryEnumerateKernels(void **kernels, unsigned count, void *library) {
    FH_CUDART_CALL(list_kernels(library, NULL, kernels, count));
}

/* ---------------------------------------------------------------- the driver's functions */

/* Kernels of the runtime and functions of the driver are the same. */
static fh_cuda_status function_of(void **to, const void *function) {
    fh_cuda_kernel *kernel;
    if (!to)
        return FH_CUDA_INVALID_VALUE;
    const fh_cuda_status status = fh_cudart_kernel(function, &kernel);
    if (status == FH_CUDA_OK)
        *to = kernel;
    return status;
}

CUDART cudart_error cudaGetFuncBySymbol(void **to, const void *function) {
    FH_CUDART_CALL(function_of(to, function));
}

enum { FOUND, NO_SYMBOL, TOO_OLD };

/* The driver answers it itself, by versions and streams: its library is loaded if need be. */
static fh_cuda_status entry_point(const char *name, void **to, int version,
                                  unsigned long long flags, int *found) {
    typedef int get_address(const char *, void **, int, unsigned long long, int *);
    if (!name || !to)
        return FH_CUDA_INVALID_VALUE;
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    get_address *get = NULL;
    if (driver)
        *(void **)&get = dlsym(driver, "cuGetProcAddress_v2");
    int how = NO_SYMBOL;
    const int answer = get ? get(name, to, version, flags, &how) : FH_CUDA_NOT_FOUND;
    if (found)
        *found = how;
    if (answer != FH_CUDA_OK || how != FOUND)
        *to = NULL;
    return answer == FH_CUDA_OK || found ? FH_CUDA_OK : FH_CUDA_NOT_FOUND;
}

CUDART cudart_error cudaGetDriverEntryPointByVersion(const char *name, void **to, unsigned version,
                                                     unsigned long long flags, int *found) {
    return fh_cudart_remember(entry_point(name, to, (int)version, flags, found));
}

/* Until CUDA 12 the last argument was not there. */
CUDART cudart_error cudaGetDriverEntryPoint(const char *name, void **to, unsigned long long flags,
                                            int *found) {
    return fh_cudart_remember(entry_point(name, to, 1000 * fh_cudart_version, flags,
                                          fh_cudart_version < 12 ? NULL : found));
}
