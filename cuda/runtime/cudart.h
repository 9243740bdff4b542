/*
 * cudart.h - what the files of this folder share: how a call begins and ends, the errors that
 * threads remember, and the structures of the API. Numbers, names and layouts are those of CUDA 11
 * to 13; where they differ, `fh_cudart_version` (abi.c, one for each library) says which holds.
 */
#ifndef FH_CUDART_H
#define FH_CUDART_H

#include <stddef.h>
#include <stdint.h>

#include "cuda_device.h"
#include "cuda_launch.h"
#include "cuda_memory.h"
#include "graph.h"
#include "stream_handles.h"

#define CUDART __attribute__((visibility("default")))

typedef int cudart_error; /* cudaError_t: fh_cuda_status */

extern const int fh_cudart_version; /* 11, 12 or 13 */

/* The error of the calling thread that cudaGetLastError gives. */
cudart_error fh_cudart_remember(fh_cuda_status status);
/* The ends of a call: fh_cuda_leave, and its answer is remembered if it is an error. */
cudart_error fh_cudart_leave(fh_cuda_status status);

/* A call: `DO` is an expression of fh_cuda_status, evaluated with the device, if that has no error
 * that it stays with. */
#define FH_CUDART_CALL(DO)                                                                         \
    do {                                                                                           \
        fh_cuda_status fh_status_ = fh_cuda_enter();                                               \
        if (fh_status_ == FH_CUDA_OK)                                                              \
            fh_status_ = (DO);                                                                     \
        return fh_cudart_leave(fh_status_);                                                        \
    } while (0)

/* A call that there is not: for unsupported.sh. */
#define FH_UNSUPPORTED(NAME)                                                                       \
    CUDART cudart_error NAME(void);                                                                \
    CUDART cudart_error NAME(void) {                                                               \
        return fh_cudart_remember(fh_cuda_missing(#NAME));                                         \
    }

typedef struct cudart_dim3 {
    unsigned x, y, z;
} cudart_dim3;

typedef struct cudart_extent {
    size_t width, height, depth;
} cudart_extent;

typedef struct cudart_pos {
    size_t x, y, z;
} cudart_pos;

typedef struct cudart_pitched {
    void *ptr;
    size_t pitch, xsize, ysize;
} cudart_pitched;

typedef struct cudart_copy3d {
    void *from_array;
    cudart_pos from_pos;
    cudart_pitched from;
    void *to_array;
    cudart_pos to_pos;
    cudart_pitched to;
    cudart_extent extent;
    int kind;
} cudart_copy3d;

typedef struct cudart_kernel_node {
    void *func;
    cudart_dim3 grid, block;
    unsigned shared;
    void **args;
    void **extra;
} cudart_kernel_node;

typedef struct cudart_memset_node {
    void *to;
    size_t pitch;
    unsigned value, element;
    size_t width, height;
} cudart_memset_node;

typedef struct cudart_host_node {
    void (*call)(void *data);
    void *data;
} cudart_host_node;

typedef struct cudart_launch_attribute {
    int id;
    char pad[4];
    union {
        char bytes[64];
        int flag;
        unsigned dim[3];
    };
} cudart_launch_attribute;

typedef struct cudart_launch_config {
    cudart_dim3 grid, block;
    size_t shared;
    void *stream;
    cudart_launch_attribute *attributes;
    unsigned attribute_count;
} cudart_launch_config;

/* registration.c: what a function or variable of the host stands for; kernels of libraries stand
 * for themselves. */
fh_cuda_status fh_cudart_kernel(const void *function, fh_cuda_kernel **kernel);
fh_cuda_status fh_cudart_variable(const void *symbol, fh_cuda_variable *variable);
/* The function of the host that stands for a kernel. */
const void *fh_cudart_function(const fh_cuda_kernel *kernel);
/* The name on the device of a function of the host; NULL: it is none. */
const char *fh_cudart_function_name(const void *function);

/* launch_calls.c */
fh_cuda_status fh_cudart_launch_op(const void *function, cudart_dim3 grid, cudart_dim3 block,
                                   void **args, size_t shared, bool cooperative, fh_cuda_op *op);
/* copy_calls.c */
fh_cuda_status fh_cudart_copy_op(fh_cuda_copy copy, int kind, fh_cuda_op *op);
fh_cuda_status fh_cudart_copy3d_op(const cudart_copy3d *copy, fh_cuda_op *op);
fh_cuda_status fh_cudart_memset_op(const cudart_memset_node *fill, fh_cuda_op *op);

#endif
