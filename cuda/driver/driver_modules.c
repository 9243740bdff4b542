/*
 * driver_modules.c - modules and libraries, from memory and from files, and what they hold. Both
 * are the same here, and so are functions and kernels.
 */
#include "driver.h"
#include "library.h"

static fh_cuda_status load(void **handle, const void *image) {
    fh_cuda_library *library;
    const fh_cuda_status status =
        handle ? fh_cuda_library_load(image, &library) : FH_CUDA_INVALID_VALUE;
    if (status == FH_CUDA_OK)
        *handle = library;
    return status;
}

static fh_cuda_status load_file(void **handle, const char *name) {
    fh_cuda_library *library;
    const fh_cuda_status status =
        handle ? fh_cuda_library_load_file(name, &library) : FH_CUDA_INVALID_VALUE;
    if (status == FH_CUDA_OK)
        *handle = library;
    return status;
}

DRIVER driver_result cuModuleLoad(void **module, const char *name) {
    FH_DRIVER_CALL(load_file(module, name));
}

DRIVER driver_result cuModuleLoadData(void **module, const void *image) {
    FH_DRIVER_CALL(load(module, image));
}

/* Options are the compiler's of PTX. */
DRIVER driver_result cuModuleLoadDataEx(void **module, const void *image, unsigned count,
                                        const int *options, void **values) {
    FH_DRIVER_CALL(count && (!options || !values) ? FH_CUDA_INVALID_VALUE : load(module, image));
}

DRIVER driver_result cuModuleLoadFatBinary(void **module, const void *image) {
    FH_DRIVER_CALL(load(module, image));
}

DRIVER driver_result cuModuleUnload(void *module) {
    FH_DRIVER_CALL(fh_cuda_library_unload(module));
}

DRIVER driver_result cuModuleGetLoadingMode(int *mode) {
    enum { EAGER = 1 };
    if (!mode)
        return FH_CUDA_INVALID_VALUE;
    *mode = EAGER;
    return FH_CUDA_OK;
}

DRIVER driver_result cuLibraryLoadData(void **library, const void *image, const int *jit_options,
                                       void **jit_values, unsigned jit_count, const int *options,
                                       void **values, unsigned count) {
    FH_DRIVER_CALL((jit_count && (!jit_options || !jit_values)) || (count && !options)
                       ? FH_CUDA_INVALID_VALUE
                       : ((void)values, load(library, image)));
}

DRIVER driver_result cuLibraryLoadFromFile(void **library, const char *name, const int *jit_options,
                                           void **jit_values, unsigned jit_count,
                                           const int *options, void **values, unsigned count) {
    FH_DRIVER_CALL((jit_count && (!jit_options || !jit_values)) || (count && !options)
                       ? FH_CUDA_INVALID_VALUE
                       : ((void)values, load_file(library, name)));
}

DRIVER driver_result cuLibraryUnload(void *library) {
    FH_DRIVER_CALL(fh_cuda_library_unload(library));
}

/* ---------------------------------------------------------------- kernels and variables */

static fh_cuda_status find_kernel(void **handle, const void *module, const char *name) {
    const fh_cuda_library *m = fh_cuda_library_of(module);
    fh_cuda_kernel *kernel;
    if (!handle || !name)
        return FH_CUDA_INVALID_VALUE;
    if (!m)
        return FH_CUDA_INVALID_HANDLE;
    const fh_cuda_status status = fh_cuda_module_kernel(fh_cuda_library_module(m), name, &kernel);
    if (status == FH_CUDA_OK)
        *handle = kernel;
    return status;
}

DRIVER driver_result cuModuleGetFunction(void **function, void *module, const char *name) {
    FH_DRIVER_CALL(find_kernel(function, module, name));
}

DRIVER driver_result cuLibraryGetKernel(void **kernel, void *library, const char *name) {
    FH_DRIVER_CALL(find_kernel(kernel, library, name));
}

static fh_cuda_status same_handle(void **to, void *from, bool known) {
    if (!to || !known)
        return to ? FH_CUDA_INVALID_HANDLE : FH_CUDA_INVALID_VALUE;
    *to = from;
    return FH_CUDA_OK;
}

DRIVER driver_result cuLibraryGetModule(void **module, void *library) {
    FH_DRIVER_CALL(same_handle(module, library, fh_cuda_library_of(library)));
}

DRIVER driver_result cuKernelGetFunction(void **function, void *kernel) {
    FH_DRIVER_CALL(same_handle(function, kernel, fh_cuda_kernel_of(kernel)));
}

static fh_cuda_status home_of(void **module, const void *handle) {
    const fh_cuda_kernel *k = fh_cuda_kernel_of(handle);
    fh_cuda_library *home = k ? fh_cuda_library_with(k) : NULL;
    return same_handle(module, home, home);
}

DRIVER driver_result cuFuncGetModule(void **module, void *function) {
    FH_DRIVER_CALL(home_of(module, function));
}

DRIVER driver_result cuKernelGetLibrary(void **library, void *kernel) {
    FH_DRIVER_CALL(home_of(library, kernel));
}

static fh_cuda_status count_kernels(unsigned *count, const void *module) {
    const fh_cuda_library *m = fh_cuda_library_of(module);
    fh_cuda_kernel *first;
    if (!count || !m)
        return count ? FH_CUDA_INVALID_HANDLE : FH_CUDA_INVALID_VALUE;
    *count = (unsigned)fh_cuda_module_kernels(fh_cuda_library_module(m), &first);
    return FH_CUDA_OK;
}

DRIVER driver_result cuModuleGetFunctionCount(unsigned *count, void *module) {
    FH_DRIVER_CALL(count_kernels(count, module));
}

DRIVER driver_result cuLibraryGetKernelCount(unsigned *count, void *library) {
    FH_DRIVER_CALL(count_kernels(count, library));
}

static fh_cuda_status list_kernels(void **list, unsigned count, const void *module) {
    const fh_cuda_library *m = fh_cuda_library_of(module);
    fh_cuda_kernel *first;
    if (!list || !m)
        return list ? FH_CUDA_INVALID_HANDLE : FH_CUDA_INVALID_VALUE;
    const size_t all = fh_cuda_module_kernels(fh_cuda_library_module(m), &first);
    for (size_t i = 0; i < all && i < count; i++)
        list[i] = first + i;
    return FH_CUDA_OK;
}

DRIVER driver_result cuModuleEnumerateFunctions(void **functions, unsigned count, void *module) {
    FH_DRIVER_CALL(list_kernels(functions, count, module));
}

DRIVER driver_result cuLibraryEnumerateKernels(void **kernels, unsigned count, void *library) {
    FH_DRIVER_CALL(list_kernels(kernels, count, library));
}

static fh_cuda_status find_variable(unsigned long long *address, size_t *bytes, const void *module,
                                    const char *name) {
    const fh_cuda_library *m = fh_cuda_library_of(module);
    fh_cuda_variable v;
    if (!name || (!address && !bytes))
        return FH_CUDA_INVALID_VALUE;
    if (!m)
        return FH_CUDA_INVALID_HANDLE;
    const fh_cuda_status status = fh_cuda_module_variable(fh_cuda_library_module(m), name, &v);
    if (status == FH_CUDA_OK && address)
        *address = v.address;
    if (status == FH_CUDA_OK && bytes)
        *bytes = v.bytes;
    return status;
}

DRIVER driver_result cuModuleGetGlobal_v2(unsigned long long *address, size_t *bytes, void *module,
                                          const char *name) {
    FH_DRIVER_CALL(find_variable(address, bytes, module, name));
}

DRIVER driver_result cuLibraryGetGlobal(unsigned long long *address, size_t *bytes, void *library,
                                        const char *name) {
    FH_DRIVER_CALL(find_variable(address, bytes, library, name));
}

static fh_cuda_status name_of(const char **name, const void *handle) {
    const fh_cuda_kernel *k = fh_cuda_kernel_of(handle);
    if (!name || !k)
        return name ? FH_CUDA_INVALID_HANDLE : FH_CUDA_INVALID_VALUE;
    *name = k->info.name;
    return FH_CUDA_OK;
}

DRIVER driver_result cuFuncGetName(const char **name, void *function) {
    FH_DRIVER_CALL(name_of(name, function));
}

DRIVER driver_result cuKernelGetName(const char **name, void *kernel) {
    FH_DRIVER_CALL(name_of(name, kernel));
}

static fh_cuda_status parameter(const void *handle, size_t index, size_t *offset, size_t *size) {
    const fh_cuda_kernel *k = fh_cuda_kernel_of(handle);
    if (!k)
        return FH_CUDA_INVALID_HANDLE;
    if (!offset || index >= k->info.param_count)
        return FH_CUDA_INVALID_VALUE;
    *offset = k->info.params[index].offset;
    if (size)
        *size = k->info.params[index].size;
    return FH_CUDA_OK;
}

DRIVER driver_result cuFuncGetParamInfo(void *function, size_t index, size_t *offset,
                                        size_t *size) {
    FH_DRIVER_CALL(parameter(function, index, offset, size));
}

DRIVER driver_result cuKernelGetParamInfo(void *kernel, size_t index, size_t *offset,
                                          size_t *size) {
    FH_DRIVER_CALL(parameter(kernel, index, offset, size));
}

/* All code is loaded with its module. */
DRIVER driver_result cuFuncIsLoaded(int *state, void *function) {
    enum { LOADED = 1 };
    FH_DRIVER_CALL(!state                        ? FH_CUDA_INVALID_VALUE
                   : fh_cuda_kernel_of(function) ? (*state = LOADED, FH_CUDA_OK)
                                                 : FH_CUDA_INVALID_HANDLE);
}

DRIVER driver_result cuFuncLoad(void *function) {
    FH_DRIVER_CALL(fh_cuda_kernel_of(function) ? FH_CUDA_OK : FH_CUDA_INVALID_HANDLE);
}
