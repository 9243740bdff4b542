/*
 * ptx.c - see ptx.h.
 */
#include "ptx.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_device.h"

/* nvJitLink's functions: all answer 0 if they could. */
struct linker {
    int (*create)(void **handle, uint32_t count, const char **options);
    int (*destroy)(void **handle);
    int (*add)(void *handle, int kind, const void *bytes, size_t count, const char *name);
    int (*complete)(void *handle);
    int (*size)(void *handle, size_t *bytes);
    int (*get)(void *handle, void *bytes);
    int (*log_size)(void *handle, size_t *bytes);
    int (*log)(void *handle, char *text);
};

static bool find(void *library, const char *name, void *to) {
    *(void **)to = dlsym(library, name);
    return *(void **)to;
}

/* The newest that there is; it stays. */
static bool load(struct linker *l) {
    static const char *const names[] = {"libnvJitLink.so.13", "libnvJitLink.so.12",
                                        "libnvJitLink.so"};
    void *library = NULL;
    for (unsigned i = 0; i < sizeof names / sizeof *names && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library && find(library, "nvJitLinkCreate", &l->create) &&
           find(library, "nvJitLinkDestroy", &l->destroy) &&
           find(library, "nvJitLinkAddData", &l->add) &&
           find(library, "nvJitLinkComplete", &l->complete) &&
           find(library, "nvJitLinkGetLinkedCubinSize", &l->size) &&
           find(library, "nvJitLinkGetLinkedCubin", &l->get) &&
           find(library, "nvJitLinkGetErrorLogSize", &l->log_size) &&
           find(library, "nvJitLinkGetErrorLog", &l->log);
}

static void say_why(const struct linker *l, void *handle) {
    size_t bytes = 0;
    char *text = l->log_size(handle, &bytes) == 0 ? calloc(bytes + 1, 1) : NULL;
    if (text && l->log(handle, text) == 0)
        text[strcspn(text, "\n")] = '\0';
    fh_cuda_say("nvJitLink does not compile the program's PTX%s%s", text && *text ? ": " : "",
                text ? text : "");
    free(text);
}

fh_cuda_status fh_cuda_ptx_object(fh_cuda_ptx_form form, const void *image, size_t count,
                                  uint8_t **bytes, size_t *length) {
    static const int kinds[] = {[FH_CUDA_PTX_TEXT] = 2, [FH_CUDA_PTX_FAT_BINARY] = 4};
    const char *options[] = {"-arch=sm_80"};
    struct linker l;
    void *handle;
    *bytes = NULL;
    if (!load(&l) || l.create(&handle, 1, options) != 0)
        return FH_CUDA_NO_PTX_COMPILER;
    fh_cuda_status status = FH_CUDA_INVALID_PTX;
    if (l.add(handle, kinds[form], image, count, "the program's PTX") == 0 &&
        l.complete(handle) == 0 && l.size(handle, length) == 0) {
        *bytes = malloc(*length);
        status = FH_CUDA_NO_MEMORY;
    }
    if (*bytes && l.get(handle, *bytes) == 0)
        status = FH_CUDA_OK;
    else if (status == FH_CUDA_INVALID_PTX)
        say_why(&l, handle);
    if (status != FH_CUDA_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    l.destroy(&handle);
    return status;
}
