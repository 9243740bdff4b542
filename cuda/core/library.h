/*
 * library.h - modules that a program loads while it runs, from memory and from files, and what it
 * holds of them: the driver's modules and libraries and the runtime's libraries, which are the same
 * here, as their functions and kernels are.
 */
#ifndef FH_CUDA_LIBRARY_H
#define FH_CUDA_LIBRARY_H

#include "module.h"

#pragma GCC visibility push(default)

typedef struct fh_cuda_library fh_cuda_library;

/* The image is as fh_cuda_module_new takes it, and need not stay. FH_CUDA_NO_MEMORY,
 * FH_CUDA_INVALID_VALUE, or what fh_cuda_module_load answers. */
fh_cuda_status fh_cuda_library_load(const void *image, fh_cuda_library **library);
/* FH_CUDA_FILE_NOT_FOUND, too. */
fh_cuda_status fh_cuda_library_load_file(const char *name, fh_cuda_library **library);
/* FH_CUDA_INVALID_HANDLE: it is none. */
fh_cuda_status fh_cuda_library_unload(const void *handle);

/* NULL: the handle is none, or of what has been unloaded. */
fh_cuda_library *fh_cuda_library_of(const void *handle);
/* The library that has the kernel; NULL: a program's own module has it. */
fh_cuda_library *fh_cuda_library_with(const fh_cuda_kernel *kernel);
fh_cuda_module *fh_cuda_library_module(const fh_cuda_library *library);

/* Forgets all of them: the device is being reset. */
void fh_cuda_libraries_end(void);

#pragma GCC visibility pop

#endif
