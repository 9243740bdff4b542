/*
 * driver_modules.c - modules and libraries, from memory and from files, and what they hold. Both
 * are the same here, and so are functions and kernels.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "image.h"

struct module {
    fh_cuda_module *code;
    uint8_t *object; /* its bytes, which the module reads again after a reset */
    struct module *next;
};

static struct module *modules;

static struct module *module_of(const void *handle) {
    for (struct module *m = modules; m; m = m->next)
        if (m == handle)
            return m;
    return NULL;
}

static void drop(struct module *m) {
    fh_cuda_module_free(m->code);
    free(m->object);
    free(m);
}

void fh_driver_modules_end(void) {
    while (modules) {
        struct module *m = modules;
        modules = m->next;
        drop(m);
    }
}

fh_cuda_kernel *fh_driver_kernel(const void *handle) {
    for (const struct module *m = modules; m; m = m->next) {
        fh_cuda_kernel *first;
        const size_t count = fh_cuda_module_kernels(m->code, &first);
        const uintptr_t offset = (uintptr_t)handle - (uintptr_t)first;
        if (first && (uintptr_t)handle >= (uintptr_t)first && offset / sizeof *first < count &&
            offset % sizeof *first == 0)
            return first + offset / sizeof *first;
    }
    return NULL;
}

/* ---------------------------------------------------------------- loading */

static fh_cuda_status load(void **handle, const void *image) {
    size_t length;
    struct module *m = handle && image ? calloc(1, sizeof *m) : NULL;
    if (!m)
        return handle && image ? FH_CUDA_NO_MEMORY : FH_CUDA_INVALID_VALUE;
    fh_cuda_status status = fh_cuda_image_object(image, &m->object, &length);
    if (status == FH_CUDA_OK) {
        m->code = fh_cuda_module_new(m->object);
        status = m->code ? fh_cuda_module_load(m->code) : FH_CUDA_NO_MEMORY;
    }
    if (status != FH_CUDA_OK) {
        drop(m);
        return status;
    }
    m->next = modules;
    modules = m;
    *handle = m;
    return FH_CUDA_OK;
}

/* The whole file, with a zero behind it, malloc'd. */
static fh_cuda_status read_file(const char *name, uint8_t **bytes, size_t *length) {
    FILE *file = fopen(name, "rb");
    fh_cuda_status status = file ? FH_CUDA_OK : FH_CUDA_FILE_NOT_FOUND;
    long size = -1;
    if (file && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (file && (size < 0 || fseek(file, 0, SEEK_SET) != 0))
        status = FH_CUDA_INVALID_IMAGE;
    *bytes = status == FH_CUDA_OK ? calloc((size_t)size + 1, 1) : NULL;
    if (status == FH_CUDA_OK && !*bytes)
        status = FH_CUDA_NO_MEMORY;
    if (*bytes && fread(*bytes, 1, (size_t)size, file) != (size_t)size)
        status = FH_CUDA_INVALID_IMAGE;
    if (file)
        fclose(file);
    *length = (size_t)size;
    return status;
}

/* Whether what the headers of a file's image say lies within the file. Of images in memory the API
 * tells no length, so that they have to be believed. */
static bool is_whole(const uint8_t *bytes, size_t length) {
    enum { FAT_HEADER = 16 };
    static const uint8_t fat[4] = {0x50, 0xed, 0x55, 0xba};
    Elf64_Ehdr elf;
    uint64_t size;
    if (length >= FAT_HEADER && memcmp(bytes, fat, sizeof fat) == 0) {
        memcpy(&size, bytes + 8, sizeof size);
        return size <= length - FAT_HEADER;
    }
    if (length < SELFMAG || memcmp(bytes, ELFMAG, SELFMAG) != 0)
        return length >= 4 && bytes[0] >= '\t' && bytes[0] < 0x7f; /* text, to be refused as such */
    if (length < sizeof elf)
        return false;
    memcpy(&elf, bytes, sizeof elf);
    const uint64_t sections = (uint64_t)elf.e_shnum * elf.e_shentsize;
    if (elf.e_shoff > length || sections > length - elf.e_shoff || elf.e_phoff > length ||
        (uint64_t)elf.e_phnum * elf.e_phentsize > length - elf.e_phoff)
        return false;
    for (unsigned i = 0; i < elf.e_shnum && elf.e_shentsize == sizeof(Elf64_Shdr); i++) {
        Elf64_Shdr s;
        memcpy(&s, bytes + elf.e_shoff + i * sizeof s, sizeof s);
        if (s.sh_type != SHT_NOBITS && s.sh_type != SHT_NULL &&
            (s.sh_offset > length || s.sh_size > length - s.sh_offset))
            return false;
    }
    return true;
}

static fh_cuda_status load_file(void **handle, const char *name) {
    uint8_t *bytes;
    size_t length;
    if (!handle || !name)
        return FH_CUDA_INVALID_VALUE;
    fh_cuda_status status = read_file(name, &bytes, &length);
    if (status == FH_CUDA_OK)
        status = is_whole(bytes, length) ? load(handle, bytes) : FH_CUDA_INVALID_IMAGE;
    free(bytes);
    return status;
}

static fh_cuda_status unload(const void *handle) {
    for (struct module **at = &modules; *at; at = &(*at)->next) {
        struct module *m = *at;
        if (m != handle)
            continue;
        const fh_cuda_status status = fh_cuda_wait(NULL); /* work that was asked for may need it */
        *at = m->next;
        drop(m);
        return status;
    }
    return FH_CUDA_INVALID_HANDLE;
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
    FH_DRIVER_CALL(unload(module));
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
    FH_DRIVER_CALL(unload(library));
}

/* ---------------------------------------------------------------- kernels and variables */

static fh_cuda_status find_kernel(void **handle, const void *module, const char *name) {
    const struct module *m = module_of(module);
    fh_cuda_kernel *kernel;
    if (!handle || !name)
        return FH_CUDA_INVALID_VALUE;
    if (!m)
        return FH_CUDA_INVALID_HANDLE;
    const fh_cuda_status status = fh_cuda_module_kernel(m->code, name, &kernel);
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
    FH_DRIVER_CALL(same_handle(module, library, module_of(library)));
}

DRIVER driver_result cuKernelGetFunction(void **function, void *kernel) {
    FH_DRIVER_CALL(same_handle(function, kernel, fh_driver_kernel(kernel)));
}

static fh_cuda_status home_of(void **module, const void *handle) {
    const fh_cuda_kernel *k = fh_driver_kernel(handle);
    struct module *m = modules;
    while (k && m && m->code != k->module)
        m = m->next;
    return same_handle(module, m, k && m);
}

DRIVER driver_result cuFuncGetModule(void **module, void *function) {
    FH_DRIVER_CALL(home_of(module, function));
}

DRIVER driver_result cuKernelGetLibrary(void **library, void *kernel) {
    FH_DRIVER_CALL(home_of(library, kernel));
}

static fh_cuda_status count_kernels(unsigned *count, const void *module) {
    const struct module *m = module_of(module);
    fh_cuda_kernel *first;
    if (!count || !m)
        return count ? FH_CUDA_INVALID_HANDLE : FH_CUDA_INVALID_VALUE;
    *count = (unsigned)fh_cuda_module_kernels(m->code, &first);
    return FH_CUDA_OK;
}

DRIVER driver_result cuModuleGetFunctionCount(unsigned *count, void *module) {
    FH_DRIVER_CALL(count_kernels(count, module));
}

DRIVER driver_result cuLibraryGetKernelCount(unsigned *count, void *library) {
    FH_DRIVER_CALL(count_kernels(count, library));
}

static fh_cuda_status list_kernels(void **list, unsigned count, const void *module) {
    const struct module *m = module_of(module);
    fh_cuda_kernel *first;
    if (!list || !m)
        return list ? FH_CUDA_INVALID_HANDLE : FH_CUDA_INVALID_VALUE;
    const size_t all = fh_cuda_module_kernels(m->code, &first);
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
    const struct module *m = module_of(module);
    fh_cuda_variable v;
    if (!name || (!address && !bytes))
        return FH_CUDA_INVALID_VALUE;
    if (!m)
        return FH_CUDA_INVALID_HANDLE;
    const fh_cuda_status status = fh_cuda_module_variable(m->code, name, &v);
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
    const fh_cuda_kernel *k = fh_driver_kernel(handle);
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
    const fh_cuda_kernel *k = fh_driver_kernel(handle);
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
    FH_DRIVER_CALL(!state                       ? FH_CUDA_INVALID_VALUE
                   : fh_driver_kernel(function) ? (*state = LOADED, FH_CUDA_OK)
                                                : FH_CUDA_INVALID_HANDLE);
}

DRIVER driver_result cuFuncLoad(void *function) {
    FH_DRIVER_CALL(fh_driver_kernel(function) ? FH_CUDA_OK : FH_CUDA_INVALID_HANDLE);
}
