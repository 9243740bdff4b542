/*
 * device_calls.c - the one device: how many there are, what it is, its limits, and entry points.
 */
#include <stdio.h>
#include <string.h>

#include "attributes.h"
#include "cudart.h"

static cudart_error answer(fh_cuda_status status) {
    return fh_cudart_remember(status);
}

CUDART cudart_error cudaGetDeviceCount(int *count) {
    if (!count)
        return answer(FH_CUDA_INVALID_VALUE);
    *count = 1;
    return FH_CUDA_OK;
}

CUDART cudart_error cudaGetDevice(int *device) {
    if (!device)
        return answer(FH_CUDA_INVALID_VALUE);
    *device = 0;
    return FH_CUDA_OK;
}

static fh_cuda_status known(int device) {
    return device ? FH_CUDA_INVALID_DEVICE : FH_CUDA_OK;
}

CUDART cudart_error cudaSetDevice(int device) {
    FH_CUDART_CALL(known(device));
}

CUDART cudart_error cudaInitDevice(int device, unsigned device_flags, unsigned flags) {
    FH_CUDART_CALL(((void)device_flags, flags > 1 ? FH_CUDA_INVALID_VALUE : known(device)));
}

CUDART cudart_error cudaSetValidDevices(int *devices, int count) {
    FH_CUDART_CALL(count && (!devices || count != 1 || devices[0]) ? FH_CUDA_INVALID_VALUE
                                                                   : FH_CUDA_OK);
}

CUDART cudart_error cudaChooseDevice(int *device, const void *properties) {
    if (!device || !properties)
        return answer(FH_CUDA_INVALID_VALUE);
    *device = 0;
    return FH_CUDA_OK;
}

static unsigned device_flags;
enum { DEVICE_FLAGS = 0xff };

CUDART cudart_error cudaSetDeviceFlags(unsigned flags) {
    if (flags & ~(unsigned)DEVICE_FLAGS)
        return answer(FH_CUDA_INVALID_VALUE);
    device_flags = flags;
    return FH_CUDA_OK;
}

CUDART cudart_error cudaGetDeviceFlags(unsigned *flags) {
    enum { MAP_HOST = 8 };
    if (!flags)
        return answer(FH_CUDA_INVALID_VALUE);
    *flags = device_flags | MAP_HOST;
    return FH_CUDA_OK;
}

CUDART cudart_error cudaDeviceGetAttribute(int *value, int attribute, int device) {
    return answer(fh_cuda_device_attribute(value, attribute, device));
}

CUDART cudart_error cudaDeviceGetPCIBusId(char *text, int length, int device) {
    return answer(fh_cuda_device_bus_id(text, length, device));
}

CUDART cudart_error cudaDeviceGetByPCIBusId(int *device, const char *text) {
    return answer(fh_cuda_device_of_bus_id(device, text));
}

/* ---------------------------------------------------------------- peers: there is none */

CUDART cudart_error cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    return answer(fh_cuda_device_reaches(can, device, peer));
}

CUDART cudart_error cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    (void)peer; /* the device itself, or none */
    return answer(flags ? FH_CUDA_INVALID_VALUE : FH_CUDA_INVALID_DEVICE);
}

CUDART cudart_error cudaDeviceDisablePeerAccess(int peer) {
    return answer(peer ? FH_CUDA_INVALID_DEVICE : FH_CUDA_PEER_NOT_ENABLED);
}

CUDART cudart_error cudaDeviceGetP2PAttribute(int *value, int attribute, int from, int to) {
    (void)attribute;
    return answer(fh_cuda_device_between(value, from, to));
}

/* ---------------------------------------------------------------- limits and preferences */

enum { LIMIT_STACK, LIMIT_PRINTF, LIMIT_HEAP, LIMITS = 7 };
static uint64_t limits[LIMITS] = {[5] = 64}; /* those that change nothing */

static fh_cuda_status set_limit(int limit, size_t value) {
    if (limit < 0 || limit >= LIMITS)
        return FH_CUDA_UNSUPPORTED_LIMIT;
    if (limit == LIMIT_STACK)
        return fh_cuda_set_stack_bytes(value);
    if (limit == LIMIT_PRINTF)
        return fh_cuda_set_printf_bytes(value);
    if (limit == LIMIT_HEAP)
        return fh_cuda_set_heap_bytes(value);
    limits[limit] = value;
    return FH_CUDA_OK;
}

CUDART cudart_error cudaDeviceSetLimit(int limit, size_t value) {
    FH_CUDART_CALL(set_limit(limit, value));
}

static fh_cuda_status get_limit(size_t *value, int limit) {
    if (!value || limit < 0 || limit >= LIMITS)
        return value ? FH_CUDA_UNSUPPORTED_LIMIT : FH_CUDA_INVALID_VALUE;
    *value = limit == LIMIT_STACK    ? fh_cuda_stack_bytes()
             : limit == LIMIT_PRINTF ? fh_cuda_printf_bytes()
             : limit == LIMIT_HEAP   ? fh_cuda_heap_bytes()
                                     : limits[limit];
    return FH_CUDA_OK;
}

CUDART cudart_error cudaDeviceGetLimit(size_t *value, int limit) {
    FH_CUDART_CALL(get_limit(value, limit));
}

static int cache_config, bank_config = 1; /* banks of 4 bytes, which an A100 always has */

CUDART cudart_error cudaDeviceSetCacheConfig(int config) {
    if (config < 0 || config > 3)
        return answer(FH_CUDA_INVALID_VALUE);
    cache_config = config;
    return FH_CUDA_OK;
}

static cudart_error tell(int *where, int value) {
    if (!where)
        return answer(FH_CUDA_INVALID_VALUE);
    *where = value;
    return FH_CUDA_OK;
}

CUDART cudart_error cudaDeviceGetCacheConfig(int *config) {
    return tell(config, cache_config);
}

CUDART cudart_error cudaDeviceSetSharedMemConfig(int config) {
    return answer(config < 0 || config > 2 ? FH_CUDA_INVALID_VALUE : FH_CUDA_OK);
}

CUDART cudart_error cudaDeviceGetSharedMemConfig(int *config) {
    return tell(config, bank_config);
}

CUDART cudart_error cudaCtxResetPersistingL2Cache(void) {
    return FH_CUDA_OK;
}

static cudart_error reset(void) {
    fh_cuda_enter_anyway();
    fh_cuda_reset();
    fh_cuda_leave();
    return FH_CUDA_OK;
}

CUDART cudart_error cudaDeviceReset(void) {
    return reset();
}

CUDART cudart_error cudaThreadExit(void) {
    return reset();
}
