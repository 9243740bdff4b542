/*
 * module.h - code for the device as programs bring it: in fat binaries, objects, or fat binaries'
 * wrappers. A module is read when it is first needed, and its kernels and variables are found by
 * name.
 */
#ifndef FH_CUDA_MODULE_H
#define FH_CUDA_MODULE_H

#include "cuda_device.h"

#pragma GCC visibility push(default)

typedef struct fh_cuda_module fh_cuda_module;

typedef struct fh_cuda_kernel {
    fh_cuda_module *module;
    size_t index; /* of the program */
    fhec_kernel_info info;
    /* What the host asks of it: cudaFuncSetAttribute. */
    uint32_t dynamic_shared; /* that a launch may ask for */
    int carveout, cache_config;
} fh_cuda_kernel;

typedef struct fh_cuda_variable {
    const char *name;
    uint64_t address, bytes;
    bool constant;
} fh_cuda_variable;

/* A module of the bytes at `image`: an object (ELF), a fat binary, or the wrapper of one (what
 * __fatDeviceText is). They are believed as far as their own sizes go, which is all that the API
 * hands over, and must stay. Nothing is read yet. NULL: no memory. */
fh_cuda_module *fh_cuda_module_new(const void *image);
/* Whether it can be read; the second time the answer is the same. FH_CUDA_NO_BINARY: it has no code
 * that an A100 could run; FH_CUDA_INVALID_IMAGE: it is damaged. A line says why. */
fh_cuda_status fh_cuda_module_load(fh_cuda_module *module);
void fh_cuda_module_free(fh_cuda_module *module);
/* Forgets all that has been read of every module: it will be again. For fh_cuda_reset. */
void fh_cuda_modules_unload(void);

const fhec_program *fh_cuda_module_program(const fh_cuda_module *module);
/* FH_CUDA_NOT_FOUND, or what fh_cuda_module_load answers. */
fh_cuda_status fh_cuda_module_kernel(fh_cuda_module *module, const char *name,
                                     fh_cuda_kernel **kernel);
/* Of a handle of the API, which is the kernel; NULL: it is none, or of what has been unloaded. */
fh_cuda_kernel *fh_cuda_kernel_of(const void *handle);
size_t fh_cuda_module_kernels(const fh_cuda_module *module, fh_cuda_kernel **first);
fh_cuda_status fh_cuda_module_variable(fh_cuda_module *module, const char *name,
                                       fh_cuda_variable *variable);

/* A variable that the host sees, too, at the address that it has on the device (__managed__): the
 * host's bytes go to the device before a launch and come back behind it. */
fh_cuda_status fh_cuda_module_manage(fh_cuda_module *module, const char *name, uint64_t *address);
void fh_cuda_managed_to_device(void);
void fh_cuda_managed_from_device(void);

#pragma GCC visibility pop

#endif
