/*
 * registration.c - what programs tell before main: fat binaries with their functions and variables,
 * by the calls that nvcc 11 to 13 writes into them.
 */
#include <stdlib.h>
#include <string.h>

#include "cudart.h"

enum entry_kind { FUNCTION, VARIABLE, MANAGED };

/* A function or variable of the host, and the one of the device that it stands for. */
struct entry {
    const void *host;
    fh_cuda_module *module;
    const char *name;
    enum entry_kind kind;
    fh_cuda_kernel *kernel; /* once it has been looked for, on the device's present machine */
    uint64_t generation;    /* of which this is the number */
};

/* All of them, sorted by address once a lookup needs it. */
static struct {
    struct entry *list;
    size_t count, capacity;
    bool sorted;
} entries;

/* Modules, with what their programs call them: fat binary handles are pointers to pointers. */
struct registered {
    void *handle;
    fh_cuda_module *module;
    struct registered *next;
};
static struct registered *all;

static struct registered *registered_of(void **handle) {
    for (struct registered *r = all; r; r = r->next)
        if (&r->handle == handle)
            return r;
    return NULL;
}

static int by_host(const void *a, const void *b) {
    const uintptr_t x = (uintptr_t)((const struct entry *)a)->host;
    const uintptr_t y = (uintptr_t)((const struct entry *)b)->host;
    return (x > y) - (x < y);
}

static struct entry *entry_of(const void *host) {
    if (!entries.sorted && entries.count)
        qsort(entries.list, entries.count, sizeof *entries.list, by_host);
    entries.sorted = true;
    const struct entry key = {.host = host};
    return entries.count ? bsearch(&key, entries.list, entries.count, sizeof *entries.list, by_host)
                         : NULL;
}

static void add_entry(void **handle, const void *host, const char *name, enum entry_kind kind) {
    fh_cuda_enter_anyway();
    const struct registered *r = registered_of(handle);
    if (entries.count == entries.capacity) {
        const size_t capacity = entries.capacity ? 2 * entries.capacity : 64;
        struct entry *list = realloc(entries.list, capacity * sizeof *list);
        if (list) {
            entries.list = list;
            entries.capacity = capacity;
        }
    }
    if (r && entries.count < entries.capacity) {
        entries.list[entries.count++] = (struct entry){host, r->module, name, kind, NULL, 0};
        entries.sorted = false;
    }
    fh_cuda_leave();
}

CUDART void **__cudaRegisterFatBinary(void *image);
CUDART void **__cudaRegisterFatBinary(void *image) {
    struct registered *r = calloc(1, sizeof *r);
    fh_cuda_module *module = image && r ? fh_cuda_module_new(image) : NULL;
    if (!module) {
        free(r);
        return NULL;
    }
    fh_cuda_enter_anyway();
    *r = (struct registered){image, module, all};
    all = r;
    fh_cuda_leave();
    return &r->handle;
}

CUDART void __cudaRegisterFatBinaryEnd(void **handle);
CUDART void __cudaRegisterFatBinaryEnd(void **handle) {
    (void)handle;
}

CUDART void __cudaUnregisterFatBinary(void **handle);
CUDART void __cudaUnregisterFatBinary(void **handle) {
    fh_cuda_enter_anyway();
    size_t kept = 0;
    for (struct registered **at = &all; *at; at = &(*at)->next) {
        struct registered *r = *at;
        if (&r->handle != handle)
            continue;
        for (size_t i = 0; i < entries.count; i++)
            if (entries.list[i].module != r->module)
                entries.list[kept++] = entries.list[i];
        entries.count = kept;
        *at = r->next;
        /* The module itself stays: the report at the end of the process names its kernels. */
        free(r);
        break;
    }
    fh_cuda_leave();
}

CUDART void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                                   int threads, void *tid, void *bid, void *block, void *grid,
                                   int *warp);
CUDART void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                                   int threads, void *tid, void *bid, void *block, void *grid,
                                   int *warp) {
    (void)device, (void)threads, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
    add_entry(handle, host, name, FUNCTION);
}

CUDART void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext,
                              size_t size, int constant, int global);
CUDART void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext,
                              size_t size, int constant, int global) {
    (void)device, (void)ext, (void)size, (void)constant, (void)global;
    add_entry(handle, host, name, VARIABLE);
}

CUDART void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t size);
CUDART void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t size) {
    (void)size;
    add_entry(handle, host, name, VARIABLE);
}

CUDART void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name,
                                     int ext, size_t size, int constant, int global);
CUDART void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name,
                                     int ext, size_t size, int constant, int global) {
    (void)device, (void)ext, (void)size, (void)constant, (void)global;
    add_entry(handle, host, name, MANAGED);
}

/* Called before the first use of a managed variable: from then on the host's pointer is to memory
 * that both sides see. */
CUDART char __cudaInitModule(void **handle);
CUDART char __cudaInitModule(void **handle) {
    fh_cuda_status status = fh_cuda_enter();
    const struct registered *r = registered_of(handle);
    for (size_t i = 0; r && status == FH_CUDA_OK && i < entries.count; i++) {
        const struct entry *e = &entries.list[i];
        uint64_t address;
        if (e->module != r->module || e->kind != MANAGED)
            continue;
        status = fh_cuda_module_manage(r->module, e->name, &address);
        if (status == FH_CUDA_OK)
            *(void **)(uintptr_t)e->host = (void *)(uintptr_t)address;
    }
    (void)fh_cudart_leave(status);
    return (char)(status == FH_CUDA_OK);
}

/* ---------------------------------------------------------------- what stands for what */

fh_cuda_status fh_cudart_kernel(const void *function, fh_cuda_kernel **kernel) {
    struct entry *e = entry_of(function);
    *kernel = e ? NULL : fh_cuda_kernel_of(function);
    if (*kernel)
        return FH_CUDA_OK;
    if (!e || e->kind != FUNCTION)
        return FH_CUDA_INVALID_FUNCTION;
    fh_cuda_status status = FH_CUDA_OK;
    if (!e->kernel || e->generation != fh_cuda_generation()) {
        status = fh_cuda_module_kernel(e->module, e->name, &e->kernel);
        e->generation = fh_cuda_generation();
    }
    *kernel = e->kernel;
    return status == FH_CUDA_NOT_FOUND ? FH_CUDA_INVALID_FUNCTION : status;
}

const void *fh_cudart_function(const fh_cuda_kernel *kernel) {
    for (size_t i = 0; i < entries.count; i++)
        if (entries.list[i].kernel == kernel)
            return entries.list[i].host;
    return kernel;
}

const char *fh_cudart_function_name(const void *function) {
    const struct entry *e = entry_of(function);
    const fh_cuda_kernel *k = e ? NULL : fh_cuda_kernel_of(function);
    return k ? k->info.name : e && e->kind == FUNCTION ? e->name : NULL;
}

/* A managed variable is known by the address of the host's pointer, and by the pointer. */
fh_cuda_status fh_cudart_variable(const void *symbol, fh_cuda_variable *variable) {
    const struct entry *e = entry_of(symbol);
    if (!e || e->kind == FUNCTION)
        return FH_CUDA_INVALID_SYMBOL;
    fh_cuda_status status = fh_cuda_module_variable(e->module, e->name, variable);
    return status == FH_CUDA_NOT_FOUND ? FH_CUDA_INVALID_SYMBOL : status;
}
