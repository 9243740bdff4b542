/*
 * driver.h - what the files of this folder share: how a call begins and ends, contexts, and what
 * handles stand for. Numbers, names and layouts are those of CUDA 11 to 13.
 *
 * All contexts are of the one device, and what is made in one can be used in any. When the last of
 * them goes, so does what the device has, its fault included.
 */
#ifndef FH_CUDA_DRIVER_H
#define FH_CUDA_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#include "cuda_device.h"
#include "cuda_launch.h"
#include "cuda_memory.h"
#include "op.h"
#include "stream_handles.h"

#define DRIVER __attribute__((visibility("default")))

typedef int driver_result; /* CUresult: fh_cuda_status, but for those that only the runtime has */

/* A call that needs a context: takes the device's lock. Its answer is what such a call answers if
 * there was no cuInit, there is no context, or the device stays with an error. */
fh_cuda_status fh_driver_enter(void);
/* The ends of a call: fh_cuda_leave, and the status in the driver's numbers. */
driver_result fh_driver_leave(fh_cuda_status status);
driver_result fh_driver_result(fh_cuda_status status);

/* A call: `DO` is an expression of fh_cuda_status, evaluated if there is a context without fault.
 */
#define FH_DRIVER_CALL(DO)                                                                         \
    do {                                                                                           \
        fh_cuda_status fh_status_ = fh_driver_enter();                                             \
        if (fh_status_ == FH_CUDA_OK)                                                              \
            fh_status_ = (DO);                                                                     \
        return fh_driver_leave(fh_status_);                                                        \
    } while (0)

/* A call that there is not: for unsupported.sh. */
#define FH_UNSUPPORTED(NAME)                                                                       \
    DRIVER driver_result NAME(void);                                                               \
    DRIVER driver_result NAME(void) {                                                              \
        return fh_driver_result(fh_cuda_missing(#NAME));                                           \
    }

/* The device 0, and a place for the answer. */
fh_cuda_status fh_driver_device(int device, const void *where);
/* A handle of the calling thread's context; NULL: there is none. */
void *fh_driver_context(void);

/* driver_virtual.c: forgets all memory that is mapped: the device is being reset. */
void fh_driver_virtual_end(void);

/* driver_kernels.c: a launch with the parameters `args`, or those that `extra` leads to. */
fh_cuda_status fh_driver_launch_op(const void *function, const uint32_t grid[3],
                                   const uint32_t block[3], unsigned shared, bool cooperative,
                                   void **args, void **extra, fh_cuda_op *op);

/* driver_copies.c: what a CUDA_MEMCPY3D says. */
struct driver_copy3d;
fh_cuda_status fh_driver_copy3d_op(const struct driver_copy3d *copy, fh_cuda_op *op);

#endif
