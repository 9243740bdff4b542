/*
 * driver_names.c - functions by their names: what cuGetProcAddress finds. A name stands for several
 * symbols where the ABI of a call has changed, NAME, NAME_v2 and so on; the version of CUDA that
 * the caller was compiled for says which.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "attributes.h"
#include "driver.h"

/* Calls that changed in CUDA 11 or later: from `since` on the name stands for NAME_v`number`.
 * Of those that changed before, only the last form is in use. In ascending order. */
static const struct change {
    const char *name;
    int since, number;
} changes[] = {
    {"cuCtxCreate", 0, 2},
    {"cuCtxCreate", 11040, 3},
    {"cuCtxCreate", 12050, 4},
    {"cuCtxGetDevice", 13000, 2},
    {"cuCtxSynchronize", 13000, 2},
    {"cuDeviceGetUuid", 11040, 2},
    {"cuEventElapsedTime", 12080, 2},
    {"cuGetProcAddress", 12000, 2},
    {"cuGraphAddDependencies", 12030, 2},
    {"cuGraphAddKernelNode", 12000, 2},
    {"cuGraphAddNode", 12030, 2},
    {"cuGraphExecKernelNodeSetParams", 12000, 2},
    {"cuGraphExecUpdate", 12000, 2},
    {"cuGraphGetEdges", 12030, 2},
    {"cuGraphKernelNodeGetParams", 12000, 2},
    {"cuGraphKernelNodeSetParams", 12000, 2},
    {"cuGraphNodeGetDependencies", 12030, 2},
    {"cuGraphNodeGetDependentNodes", 12030, 2},
    {"cuGraphRemoveDependencies", 12030, 2},
    {"cuMemAdvise", 12020, 2},
    {"cuMemPrefetchAsync", 12020, 2},
    {"cuMemcpy3DBatchAsync", 13000, 2},
    {"cuMemcpyBatchAsync", 13000, 2},
    {"cuStreamBatchMemOp", 11070, 2},
    {"cuStreamGetCaptureInfo", 11030, 2},
    {"cuStreamGetCaptureInfo", 12030, 3},
    {"cuStreamGetCtx", 12050, 2},
    {"cuStreamUpdateCaptureDependencies", 12030, 2},
    {"cuStreamWaitValue32", 11070, 2},
    {"cuStreamWaitValue64", 11070, 2},
    {"cuStreamWriteValue32", 11070, 2},
    {"cuStreamWriteValue64", 11070, 2},
};

/* This library, whatever its file is called. */
static void *library(void) {
    Dl_info where;
    if (!dladdr((void *)(uintptr_t)&fh_driver_result, &where))
        return NULL;
    return dlopen(where.dli_fname, RTLD_NOW | RTLD_NOLOAD);
}

static void *symbol_of(void *handle, const char *name, int number) {
    char text[96];
    snprintf(text, sizeof text, number > 1 ? "%s_v%d" : "%s", name, number);
    return dlsym(handle, text);
}

static void *find(const char *name, int version) {
    enum { NEWEST = 3 }; /* of the forms of calls that no row has */
    void *handle = library(), *found = NULL;
    bool changed = false;
    int number = 1;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        if (strcmp(changes[i].name, name) != 0)
            continue;
        changed = true;
        number = changes[i].since <= version ? changes[i].number : number;
    }
    if (!handle)
        return NULL;
    if (changed)
        found = symbol_of(handle, name, number);
    for (number = NEWEST; !changed && !found && number > 0; number--)
        found = symbol_of(handle, name, number);
    dlclose(handle);
    return found;
}

static driver_result look_up(const char *name, void **function, int version, int *status) {
    enum { FOUND, NOT_FOUND };
    if (!name || !function || version > FH_CUDA_DRIVER_VERSION + 999)
        return FH_CUDA_INVALID_VALUE;
    *function = strncmp(name, "cu", 2) == 0 ? find(name, version) : NULL;
    if (status)
        *status = *function ? FOUND : NOT_FOUND;
    return *function || status ? FH_CUDA_OK : FH_CUDA_NOT_FOUND;
}

DRIVER driver_result cuGetProcAddress(const char *name, void **function, int version,
                                      unsigned long long flags) {
    (void)flags; /* streams of threads are the same functions: unsupported.sh */
    return look_up(name, function, version, NULL);
}

DRIVER driver_result cuGetProcAddress_v2(const char *name, void **function, int version,
                                         unsigned long long flags, int *status) {
    int own;
    (void)flags;
    return look_up(name, function, version, status ? status : &own);
}

/* The file name of what holds the code at `address`. */
static const char *home_of(const void *address) {
    Dl_info where;
    if (!dladdr(address, &where) || !where.dli_fname)
        return "something";
    const char *slash = strrchr(where.dli_fname, '/');
    return slash ? slash + 1 : where.dli_fname;
}

static bool is_compiler(const char *library) {
    static const char *const names[] = {"libnvrtc.", "libnvJitLink."};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(library, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* Functions without names, which only CUDA's own runtime asks for, when it is part of the program
 * or of one of its libraries, and not a library that can be another. NVRTC asks, too, and does
 * without.
 */
DRIVER driver_result cuGetExportTable(const void **table, const void *id) {
    static bool said;
    const char *who = home_of(__builtin_return_address(0));
    if (!table || !id)
        return FH_CUDA_INVALID_VALUE;
    *table = NULL;
    fh_cuda_enter_anyway();
    const bool quiet = said || is_compiler(who);
    said |= !quiet;
    fh_cuda_leave();
    if (!quiet)
        fh_cuda_say("%s has CUDA's runtime linked in, which asks the driver for functions that "
                    "fhec does not have: a program is linked with nvcc -cudart shared",
                    who);
    return FH_CUDA_NOT_FOUND;
}
