/*
 * module.c - see module.h.
 */
#include "module.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cuda_memory.h"
#include "fhec_patch.h"
#include "image.h"

/* A variable that the host sees. */
struct managed {
    fh_cuda_module *module;
    uint64_t address, bytes;
    struct managed *next;
};

struct fh_cuda_module {
    const void *image;
    bool tried;
    fh_cuda_status status; /* of reading it, once tried */
    fhec_program *program;
    fh_cuda_kernel *kernels;
    size_t kernel_count;
    fh_cuda_module *next;
};

static fh_cuda_module *all;
static struct managed *all_managed;

fh_cuda_module *fh_cuda_module_new(const void *image) {
    fh_cuda_module *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->image = image;
    m->next = all;
    all = m;
    return m;
}

static void complain(void *user, const fhec_diagnostic *d) {
    char text[600];
    (void)user;
    if (d->severity != FHEC_ERROR)
        return;
    fhec_format_diagnostic(d, false, text, sizeof text);
    fh_cuda_say("%s", text);
}

static bool list_kernels(fh_cuda_module *m) {
    m->kernel_count = fhec_kernel_count(m->program);
    m->kernels = calloc(m->kernel_count + 1, sizeof *m->kernels);
    for (size_t i = 0; m->kernels && i < m->kernel_count; i++) {
        fh_cuda_kernel *k = &m->kernels[i];
        k->module = m;
        k->index = i;
        fhec_kernel_get(m->program, i, &k->info);
        const uint32_t usual = 48 << 10;
        k->dynamic_shared = usual > k->info.shared_bytes ? usual - k->info.shared_bytes : 0;
        k->carveout = -1;
    }
    return m->kernels != NULL;
}

static bool know_variables(const fh_cuda_module *m) {
    for (size_t i = 0; i < fhec_variable_count(m->program); i++) {
        fhec_variable_info info;
        uint64_t address;
        fhec_variable_get(m->program, i, &info);
        if (fhec_variable_address(fh_cuda_machine(), m->program, i, &address) != FHEC_OK ||
            !fh_cuda_know_variable(address, info.bytes))
            return false;
    }
    return true;
}

static fh_cuda_status load(fh_cuda_module *m) {
    uint8_t *bytes;
    size_t length, calls = 0;
    fh_cuda_status status = fh_cuda_image_object(m->image, &bytes, &length);
    if (status != FH_CUDA_OK)
        return status;
    fhec_status read =
        fhec_program_read("the program's code", bytes, length, complain, NULL, &m->program);
    const fh_cuda_tools *tools = fh_cuda_get_tools();
    if (read == FHEC_OK && !tools->plain)
        read = fhec_patch_calls(m->program, complain, NULL, &calls);
    if (read != FHEC_OK)
        status = read == FHEC_HOST_ERROR ? FH_CUDA_NO_MEMORY : FH_CUDA_INVALID_IMAGE;
    else if (!list_kernels(m) || fhec_load(fh_cuda_machine(), m->program) != FHEC_OK ||
             !know_variables(m))
        status = FH_CUDA_NO_MEMORY;
    else if (tools->module)
        tools->module(tools->user, m->program, calls ? NULL : bytes, length);
    free(bytes);
    return status;
}

fh_cuda_status fh_cuda_module_load(fh_cuda_module *m) {
    if (!m->tried) {
        m->tried = true;
        m->status = load(m);
    }
    return m->status;
}

static void forget_managed(const fh_cuda_module *module) {
    for (struct managed **at = &all_managed; *at;) {
        struct managed *v = *at;
        if (v->module != module) {
            at = &v->next;
            continue;
        }
        *at = v->next;
        free(v);
    }
}

static void unload(fh_cuda_module *m) {
    forget_managed(m);
    for (size_t i = 0; m->program && i < fhec_variable_count(m->program); i++) {
        uint64_t address;
        if (fhec_variable_address(fh_cuda_machine(), m->program, i, &address) == FHEC_OK)
            fh_cuda_forget(address);
    }
    if (m->program)
        fhec_unload(fh_cuda_machine(), m->program);
    fhec_program_free(m->program);
    free(m->kernels);
    *m = (fh_cuda_module){.image = m->image, .next = m->next};
}

void fh_cuda_modules_unload(void) {
    for (fh_cuda_module *m = all; m; m = m->next)
        unload(m);
}

void fh_cuda_module_free(fh_cuda_module *m) {
    if (!m)
        return;
    for (fh_cuda_module **at = &all; *at; at = &(*at)->next) {
        if (*at == m) {
            *at = m->next;
            break;
        }
    }
    unload(m);
    free(m);
}

const fhec_program *fh_cuda_module_program(const fh_cuda_module *module) {
    return module->program;
}

size_t fh_cuda_module_kernels(const fh_cuda_module *module, fh_cuda_kernel **first) {
    *first = module->kernels;
    return module->kernel_count;
}

fh_cuda_kernel *fh_cuda_kernel_of(const void *handle) {
    for (const fh_cuda_module *m = all; m; m = m->next) {
        const uintptr_t first = (uintptr_t)m->kernels, offset = (uintptr_t)handle - first;
        if (m->kernels && (uintptr_t)handle >= first &&
            offset / sizeof *m->kernels < m->kernel_count && offset % sizeof *m->kernels == 0)
            return m->kernels + offset / sizeof *m->kernels;
    }
    return NULL;
}

fh_cuda_status fh_cuda_module_kernel(fh_cuda_module *module, const char *name,
                                     fh_cuda_kernel **kernel) {
    size_t index;
    *kernel = NULL;
    fh_cuda_status status = fh_cuda_module_load(module);
    if (status != FH_CUDA_OK)
        return status;
    if (fhec_kernel_find(module->program, name, &index) != FHEC_OK)
        return FH_CUDA_NOT_FOUND;
    *kernel = &module->kernels[index];
    return FH_CUDA_OK;
}

fh_cuda_status fh_cuda_module_variable(fh_cuda_module *module, const char *name,
                                       fh_cuda_variable *variable) {
    size_t index;
    fhec_variable_info info;
    fh_cuda_status status = fh_cuda_module_load(module);
    if (status != FH_CUDA_OK)
        return status;
    if (fhec_variable_find(module->program, name, &index) != FHEC_OK)
        return FH_CUDA_NOT_FOUND;
    fhec_variable_get(module->program, index, &info);
    *variable =
        (fh_cuda_variable){.name = info.name, .bytes = info.bytes, .constant = info.constant};
    if (fhec_variable_address(fh_cuda_machine(), module->program, index, &variable->address) !=
        FHEC_OK)
        return FH_CUDA_NO_MEMORY;
    return FH_CUDA_OK;
}

/* ---------------------------------------------------------------- variables of both */

fh_cuda_status fh_cuda_module_manage(fh_cuda_module *module, const char *name, uint64_t *address) {
    fh_cuda_variable v;
    fh_cuda_status status = fh_cuda_module_variable(module, name, &v);
    if (status != FH_CUDA_OK)
        return status;
    struct managed *managed = malloc(sizeof *managed);
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), first = v.address / page * page;
    const uint64_t last = (v.address + v.bytes + page - 1) / page * page;
    /* Pages of the range that the device has to itself (cuda_device.c). */
    if (!managed || mprotect((void *)(uintptr_t)first, last - first, PROT_READ | PROT_WRITE) != 0) {
        free(managed);
        return FH_CUDA_NO_MEMORY;
    }
    *managed = (struct managed){module, v.address, v.bytes, all_managed};
    all_managed = managed;
    fhec_read(fh_cuda_machine(), v.address, (void *)(uintptr_t)v.address, v.bytes);
    *address = v.address;
    return FH_CUDA_OK;
}

void fh_cuda_managed_to_device(void) {
    for (const struct managed *v = all_managed; v; v = v->next)
        fhec_write(fh_cuda_machine(), v->address, (const void *)(uintptr_t)v->address, v->bytes);
}

void fh_cuda_managed_from_device(void) {
    for (const struct managed *v = all_managed; v; v = v->next)
        fhec_read(fh_cuda_machine(), v->address, (void *)(uintptr_t)v->address, v->bytes);
}
