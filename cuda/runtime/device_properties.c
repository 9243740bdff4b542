/*
 * device_properties.c - struct cudaDeviceProp, which has three layouts: CUDA 11 has the first part
 * of what CUDA 12 has, which has fields that CUDA 13 has no more.
 */
#include <stdio.h>
#include <string.h>

#include "attributes.h"
#include "cudart.h"

#define HEAD                                                                                       \
    char name[256];                                                                                \
    char uuid[16], luid[8];                                                                        \
    unsigned luid_mask;
enum { RESERVED = 63 }; /* numbers behind the known ones: room for the largest structure */

#define BOTH(TYPE, NAME, VALUE)  TYPE NAME;
#define TABLE(NAME, COUNT, ...)  int NAME[COUNT];
#define SINCE(TYPE, NAME, VALUE) TYPE NAME;

#define BEFORE(TYPE, NAME, VALUE) TYPE NAME;
struct properties_12 {
    HEAD
#include "device_properties.def"
        int reserved[RESERVED];
};
#undef BEFORE
#define BEFORE(TYPE, NAME, VALUE)
struct properties_13 {
    HEAD
#include "device_properties.def"
        int reserved[RESERVED];
};
#undef BEFORE
#undef BOTH
#undef TABLE
#undef SINCE

/* What programs have room for. */
static const size_t size_11 = offsetof(struct properties_12, host_register);
static const size_t size_12 = 1032, size_13 = 1008;
_Static_assert(sizeof(struct properties_12) >= 1032, "the structure of CUDA 12 is too short");
_Static_assert(sizeof(struct properties_13) >= 1008, "the structure of CUDA 13 is too short");

static int attribute(int number) {
    int value;
    (void)fh_cuda_attribute(number, &value);
    return value;
}

static size_t memory_bytes(void) {
    uint64_t left, all;
    fh_cuda_memory_info(&left, &all);
    return all;
}

#define A(NUMBER)               attribute(NUMBER)
#define BOTH(TYPE, NAME, VALUE) p->NAME = (TYPE)(VALUE);
#define TABLE(NAME, COUNT, ...) memcpy(p->NAME, (int[COUNT]){__VA_ARGS__}, sizeof p->NAME);
#define SINCE                   BOTH
#define BEFORE                  BOTH
static void fill_12(struct properties_12 *p) {
    snprintf(p->name, sizeof p->name, "%s", FH_CUDA_DEVICE_NAME);
#include "device_properties.def"
}
#undef BEFORE
#define BEFORE(TYPE, NAME, VALUE)
static void fill_13(struct properties_13 *p) {
    snprintf(p->name, sizeof p->name, "%s", FH_CUDA_DEVICE_NAME);
#include "device_properties.def"
}

static fh_cuda_status properties(void *to, int device, unsigned version) {
    struct properties_12 p12 = {0};
    struct properties_13 p13 = {0};
    if (!to || device)
        return to ? FH_CUDA_INVALID_DEVICE : FH_CUDA_INVALID_VALUE;
    fill_12(&p12);
    fill_13(&p13);
    if (version >= 13)
        memcpy(to, &p13, size_13);
    else
        memcpy(to, &p12, version == 12 ? size_12 : size_11);
    return FH_CUDA_OK;
}

/* In the library of CUDA 12 this name has the structure of CUDA 11. */
CUDART cudart_error cudaGetDeviceProperties(void *to, int device) {
    return fh_cudart_remember(properties(to, device, fh_cudart_version < 13 ? 11 : 13));
}

CUDART cudart_error cudaGetDeviceProperties_v2(void *to, int device) {
    return fh_cudart_remember(properties(to, device, 12));
}
