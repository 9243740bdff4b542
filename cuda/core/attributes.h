/*
 * attributes.h - what the device says of itself: the answers of cudaDeviceGetAttribute and
 * cuDeviceGetAttribute, whose numbers agree.
 */
#ifndef FH_CUDA_ATTRIBUTES_H
#define FH_CUDA_ATTRIBUTES_H

#include "cuda_device.h"

#pragma GCC visibility push(default)

#define FH_CUDA_DEVICE_NAME "fhec (emulated A100)"
#define FH_CUDA_PCI_BUS_ID  "0000:00:00.0"

/* FH_CUDA_INVALID_VALUE: there is no such attribute. */
fh_cuda_status fh_cuda_attribute(int number, int *value);

/* What both faces are asked of devices by their numbers. FH_CUDA_INVALID_DEVICE: it is not number
 * 0; FH_CUDA_INVALID_VALUE: there is no place for the answer, or another argument is wrong. */
fh_cuda_status fh_cuda_device_attribute(int *value, int attribute, int device);
fh_cuda_status fh_cuda_device_bus_id(char *text, int length, int device);
fh_cuda_status fh_cuda_device_of_bus_id(int *device, const char *text);
/* There are no peers. */
fh_cuda_status fh_cuda_device_reaches(int *can, int device, int peer);
fh_cuda_status fh_cuda_device_between(int *value, int from, int to);
/* What libraries call the version of driver and runtime: 13000 for 13.0. */
enum { FH_CUDA_DRIVER_VERSION = 13000 };

#pragma GCC visibility pop

#endif
