/*
 * cuda_library.c - see cuda_library.h.
 */
#include "cuda_library.h"

#include <dlfcn.h>
#include <limits.h>
#include <unistd.h>

/* Where CUDA's compiler of PTX is installed, it leaks at errors. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libnvJitLink\n";
}

void *cuda_library(const char *name) {
    char self[PATH_MAX], path[PATH_MAX + 64];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return NULL;
    self[length] = 0;
    char *at = strstr(self, "/tests/unit/");
    if (!at)
        return NULL;
    *at = 0;
    snprintf(path, sizeof path, "%s/cuda/%s", self, name);
    return dlopen(path, RTLD_NOW);
}

void *cuda_call(void *library, const char *name) {
    void *found = dlsym(library, name);
    if (!found)
        fail_msg("there is no %s", name);
    return found;
}
