/*
 * driver_devices.c - which device there is, and what it is.
 */
#include <string.h>

#include "attributes.h"
#include "driver.h"

/* Calls that a device answers without a context. */
#define ASK(DEVICE, WHERE, TELL)                                                                   \
    do {                                                                                           \
        fh_cuda_enter_anyway();                                                                    \
        fh_cuda_status asked_ = fh_driver_device(DEVICE, WHERE);                                   \
        if (asked_ == FH_CUDA_OK)                                                                  \
            asked_ = (TELL);                                                                       \
        return fh_driver_leave(asked_);                                                            \
    } while (0)

#define ANSWER(TELL) ASK(0, "", TELL) /* which looks at device and place itself */

DRIVER driver_result cuDeviceGetCount(int *count) {
    ASK(0, count, (*count = 1, FH_CUDA_OK));
}

DRIVER driver_result cuDeviceGet(int *device, int ordinal) {
    ASK(ordinal, device, (*device = 0, FH_CUDA_OK));
}

static fh_cuda_status copy_text(char *to, int length, const char *text) {
    if (length <= 0)
        return FH_CUDA_INVALID_VALUE;
    const size_t bytes = strnlen(text, (size_t)length - 1);
    memcpy(to, text, bytes);
    to[bytes] = 0;
    return FH_CUDA_OK;
}

DRIVER driver_result cuDeviceGetName(char *name, int length, int device) {
    ASK(device, name, copy_text(name, length, FH_CUDA_DEVICE_NAME));
}

DRIVER driver_result cuDeviceGetPCIBusId(char *text, int length, int device) {
    ANSWER(fh_cuda_device_bus_id(text, length, device));
}

DRIVER driver_result cuDeviceGetByPCIBusId(int *device, const char *text) {
    ANSWER(fh_cuda_device_of_bus_id(device, text));
}

DRIVER driver_result cuDeviceGetAttribute(int *value, int attribute, int device) {
    ANSWER(fh_cuda_device_attribute(value, attribute, device));
}

static fh_cuda_status total(size_t *bytes) {
    uint64_t left, all;
    fh_cuda_memory_info(&left, &all);
    *bytes = all;
    return FH_CUDA_OK;
}

DRIVER driver_result cuDeviceTotalMem_v2(size_t *bytes, int device) {
    ASK(device, bytes, total(bytes));
}

static fh_cuda_status capability(int *major, int *minor) {
    enum { MAJOR = 75, MINOR = 76 };
    const fh_cuda_status status = fh_cuda_attribute(MAJOR, major);
    return status == FH_CUDA_OK ? fh_cuda_attribute(MINOR, minor) : status;
}

DRIVER driver_result cuDeviceComputeCapability(int *major, int *minor, int device) {
    ASK(device, minor ? major : NULL, capability(major, minor));
}

/* One that stays the same from run to run. */
static fh_cuda_status uuid(char *to) {
    memcpy(to, "fhec-emulated-80", 16);
    return FH_CUDA_OK;
}

DRIVER driver_result cuDeviceGetUuid(char *to, int device) {
    ASK(device, to, uuid(to));
}

DRIVER driver_result cuDeviceGetUuid_v2(char *to, int device) {
    ASK(device, to, uuid(to));
}

/* ---------------------------------------------------------------- peers: there is none */

DRIVER driver_result cuDeviceCanAccessPeer(int *can, int device, int peer) {
    ANSWER(fh_cuda_device_reaches(can, device, peer));
}

DRIVER driver_result cuDeviceGetP2PAttribute(int *value, int attribute, int from, int to) {
    (void)attribute;
    ANSWER(fh_cuda_device_between(value, from, to));
}

DRIVER driver_result cuCtxGetStreamPriorityRange(int *least, int *greatest) {
    enum { LEAST = 0, GREATEST = -5 };
    if (least)
        *least = LEAST;
    if (greatest)
        *greatest = GREATEST;
    return FH_CUDA_OK;
}

/* Ranges and collection are tools' business: there is nothing to start. */
DRIVER driver_result cuProfilerStart(void) {
    FH_DRIVER_CALL(FH_CUDA_OK);
}

DRIVER driver_result cuProfilerStop(void) {
    FH_DRIVER_CALL(FH_CUDA_OK);
}
