/*
 * driver.c - a libcuda.so.1 whose GPU is the emulator, so that measure.c runs where there is none.
 *
 * Only what measure.c calls, and only one context at a time. A module is an object file as fhec
 * reads it, whose length its ELF headers tell; a kernel that the emulator cannot execute is refused
 * at its launch. The types are those of measure.c.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "fhec.h"

enum { SUCCESS = 0, INVALID = 1, NO_MEMORY = 2, NO_IMAGE = 209, FAILED = 719 };

#define API            __attribute__((visibility("default"))) int
#define MODULE_KERNELS 64

struct module {
    fhec_program *program;
    struct function {
        const struct module *module;
        size_t kernel;
    } functions[MODULE_KERNELS];
    size_t count;
    struct module *next;
};

/* The context. */
static struct {
    fhec_machine *machine;
    struct module *modules;
    int result; /* of the last launch */
} now;

API cuInit(unsigned flags);
API cuInit(unsigned flags) {
    return flags ? INVALID : SUCCESS;
}

API cuDriverGetVersion(int *version);
API cuDriverGetVersion(int *version) {
    *version = 12345;
    return SUCCESS;
}

API cuDeviceGet(int *device, int ordinal);
API cuDeviceGet(int *device, int ordinal) {
    *device = ordinal;
    return ordinal ? INVALID : SUCCESS;
}

API cuDeviceGetName(char *name, int length, int device);
API cuDeviceGetName(char *name, int length, int device) {
    strncpy(name, "fhec (emulated)", (size_t)length);
    return device ? INVALID : SUCCESS;
}

API cuDeviceGetAttribute(int *value, int attribute, int device);
API cuDeviceGetAttribute(int *value, int attribute, int device) {
    *value = attribute == 75 ? 8 : 0; /* the compute capability is 8.0 */
    return device ? INVALID : SUCCESS;
}

API cuCtxCreate_v2(void **context, unsigned flags, int device);
API cuCtxCreate_v2(void **context, unsigned flags, int device) {
    fhec_machine_options options = {.threads = 1};
    if (flags || device || now.machine || fhec_machine_new(&options, &now.machine) != FHEC_OK)
        return INVALID;
    *context = &now;
    return SUCCESS;
}

API cuCtxDestroy_v2(void *context);
API cuCtxDestroy_v2(void *context) {
    if (context != &now || !now.machine)
        return INVALID;
    fhec_machine_free(now.machine);
    while (now.modules) {
        struct module *next = now.modules->next;
        fhec_program_free(now.modules->program);
        free(now.modules);
        now.modules = next;
    }
    memset(&now, 0, sizeof now);
    return SUCCESS;
}

/* The driver is told where an image begins only. 0: it is no ELF file. */
static size_t image_length(const void *image) {
    Elf64_Ehdr header;
    memcpy(&header, image, sizeof header);
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return 0;
    size_t length = header.e_shoff + (size_t)header.e_shnum * sizeof(Elf64_Shdr);
    for (size_t i = 0; i < header.e_shnum; i++) {
        Elf64_Shdr s;
        memcpy(&s, (const char *)image + header.e_shoff + i * sizeof s, sizeof s);
        if (s.sh_type != SHT_NOBITS && s.sh_offset + s.sh_size > length)
            length = s.sh_offset + s.sh_size;
    }
    return length;
}

API cuModuleLoadData(void **module, const void *image);
API cuModuleLoadData(void **module, const void *image) {
    size_t length = image_length(image);
    struct module *m = calloc(1, sizeof *m);
    if (!m || !length ||
        fhec_program_read("module", image, length, NULL, NULL, &m->program) != FHEC_OK) {
        free(m);
        return m ? NO_IMAGE : NO_MEMORY;
    }
    m->next = now.modules;
    now.modules = m;
    *module = m;
    return SUCCESS;
}

API cuModuleGetFunction(void **function, void *module, const char *name);
API cuModuleGetFunction(void **function, void *module, const char *name) {
    struct module *m = module;
    struct function *f = &m->functions[m->count];
    if (m->count == MODULE_KERNELS || fhec_kernel_find(m->program, name, &f->kernel) != FHEC_OK)
        return INVALID;
    f->module = m;
    m->count++;
    *function = f;
    return SUCCESS;
}

API cuMemAlloc_v2(unsigned long long *pointer, size_t bytes);
API cuMemAlloc_v2(unsigned long long *pointer, size_t bytes) {
    uint64_t address;
    if (fhec_alloc(now.machine, "memory", bytes, 0, &address) != FHEC_OK)
        return NO_MEMORY;
    *pointer = address;
    return SUCCESS;
}

API cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t bytes);
API cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t bytes) {
    return fhec_write(now.machine, to, from, bytes) == FHEC_OK ? SUCCESS : INVALID;
}

API cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t bytes);
API cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t bytes) {
    return fhec_read(now.machine, from, to, bytes) == FHEC_OK ? SUCCESS : INVALID;
}

API cuMemsetD8_v2(unsigned long long to, unsigned char byte, size_t bytes);
API cuMemsetD8_v2(unsigned long long to, unsigned char byte, size_t bytes) {
    void *value = malloc(bytes);
    if (!value)
        return NO_MEMORY;
    memset(value, byte, bytes);
    int result = cuMemcpyHtoD_v2(to, value, bytes);
    free(value);
    return result;
}

API cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *stream, void **params, void **extra);
API cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *stream, void **params, void **extra) {
    const struct function *f = function;
    uint8_t block[256] = {0};
    fhec_kernel_info info;
    if (stream || extra || fhec_kernel_get(f->module->program, f->kernel, &info) != FHEC_OK ||
        info.param_bytes > sizeof block)
        return INVALID;
    if (fhec_kernel_check(f->module->program, f->kernel, NULL, NULL) != FHEC_OK)
        return NO_IMAGE;
    for (uint32_t i = 0; i < info.param_count; i++)
        memcpy(block + info.params[i].offset, params[i], info.params[i].size);
    fhec_launch launch = {.program = f->module->program,
                          .kernel = f->kernel,
                          .grid = {gx, gy, gz},
                          .block = {bx, by, bz},
                          .dynamic_shared = shared,
                          .params = block,
                          .param_bytes = info.param_bytes,
                          .max_steps = 50000000};
    now.result = fhec_run(now.machine, &launch) == FHEC_OK ? SUCCESS : FAILED;
    return SUCCESS;
}

API cuCtxSynchronize(void);
API cuCtxSynchronize(void) {
    return now.result;
}

API cuGetErrorString(int result, const char **text);
API cuGetErrorString(int result, const char **text) {
    *text = result == NO_IMAGE ? "no kernel image is available" : "it failed";
    return SUCCESS;
}
