/*
 * errors.c - errors: those that threads remember, their names, and versions.
 */
#include "attributes.h"
#include "cudart.h"

static _Thread_local cudart_error last;

cudart_error fh_cudart_remember(fh_cuda_status status) {
    if (status != FH_CUDA_OK && status != FH_CUDA_NOT_READY)
        last = (cudart_error)status;
    return (cudart_error)status;
}

cudart_error fh_cudart_leave(fh_cuda_status status) {
    fh_cuda_leave();
    return fh_cudart_remember(status);
}

/* What the device stays with is every thread's. */
static cudart_error seen(void) {
    fh_cuda_enter_anyway();
    const fh_cuda_status sticky = fh_cuda_sticky();
    fh_cuda_leave();
    return sticky != FH_CUDA_OK ? (cudart_error)sticky : last;
}

CUDART cudart_error cudaGetLastError(void) {
    const cudart_error error = seen();
    last = FH_CUDA_OK;
    return error;
}

CUDART cudart_error cudaPeekAtLastError(void) {
    return seen();
}

CUDART const char *cudaGetErrorName(cudart_error error) {
    const fh_cuda_status_names *names = fh_cuda_status_find(error);
    return names && names->runtime ? names->runtime : "unrecognized error code";
}

CUDART const char *cudaGetErrorString(cudart_error error) {
    const fh_cuda_status_names *names = fh_cuda_status_find(error);
    return names ? names->text : "unrecognized error code";
}

static cudart_error version(int *where, int value) {
    if (!where)
        return fh_cudart_remember(FH_CUDA_INVALID_VALUE);
    *where = value;
    return FH_CUDA_OK;
}

CUDART cudart_error cudaDriverGetVersion(int *value) {
    return version(value, FH_CUDA_DRIVER_VERSION);
}

CUDART cudart_error cudaRuntimeGetVersion(int *value) {
    return version(value, fh_cudart_version * 1000 + (fh_cudart_version < 13 ? 80 : 0));
}

CUDART cudart_error cudaProfilerStart(void) {
    return FH_CUDA_OK;
}

CUDART cudart_error cudaProfilerStop(void) {
    return FH_CUDA_OK;
}
