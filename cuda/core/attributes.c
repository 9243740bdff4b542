/*
 * attributes.c - see attributes.h. The numbers that the table of limits does not have are an
 * A100's, 40 GB, as NVIDIA's data sheet and programming guide give them; those of textures and
 * surfaces, which there are none of, are 0.
 */
#include "attributes.h"

#include <string.h>

struct attribute {
    int number, value;
};

static const struct attribute fixed[] = {
    {10, FHEC_WARP_LANES}, /* warp size */
    {8, 48 << 10},         /* shared memory of a block that has not asked for more */
    {9, 64 << 10},         /* constant memory */
    {11, INT32_MAX},       /* pitch */
    {13, 1410000},         /* clock, kHz */
    {14, 512},             /* alignment of textures, */
    {51, 32},              /* of their pitches, */
    {30, 512},             /* and of surfaces */
    {15, 1},               /* copies beside kernels */
    {17, 0},               /* kernels have no time limit */
    {18, 0},               /* not integrated */
    {19, 1},               /* host memory can be mapped */
    {20, 0},               /* compute mode: default */
    {31, 1},               /* concurrent kernels */
    {32, 1},               /* ECC */
    {33, 0},
    {34, 0},
    {50, 0},
    {35, 0},
    {36, 1215000},  /* memory clock, kHz */
    {37, 5120},     /* memory bus, bits */
    {38, 40 << 20}, /* L2 */
    {40, 3},        /* copy engines */
    {41, 1},        /* unified addresses */
    {75, 8},
    {76, 0}, /* compute capability */
    {78, 1},
    {79, 1},
    {80, 1},
    {83, 1}, /* managed memory */
    {84, 0},
    {85, 0},
    {86, 0},
    {87, 2},
    {88, 0}, /* memory that is not registered cannot be reached */
    {89, 1},
    {90, 1},
    {91, 1}, /* registered memory has one address */
    {95, 1}, /* cooperative launches */
    {96, 0},
    {98, 0},
    {99, 1},
    {100, 0},
    {101, 0},
    {102, 1},
    {103, 0},
    {104, 0},
    {105, 0},
    {107, 0},
    {108, 30 << 20},
    {109, 134213632},
    {110, 0},
    {112, 0},
    {113, 0},
    {114, 0},
    {115, 1}, /* memory pools */
    {116, 0},
    {117, 0},
    {118, 0},
    {119, 0},
    {120, 0},
    {121, 0},
    {122, 1},
    {123, 0},
    {124, 0},
    {125, 0},
    {126, 0},
    {127, 0},
    {128, 0},
    {129, 0},
    {130, -1},
    {131, 0},
    {132, 0},
    {133, 0},
    {134, -1},
};

static bool of_limits(int number, int *value) {
    const fhec_limits *l = fh_cuda_limits();
    const struct attribute list[] = {
        {1, (int)l->block_threads},
        {2, (int)l->block[0]},
        {3, (int)l->block[1]},
        {4, (int)l->block[2]},
        {5, (int)l->grid[0]},
        {6, (int)l->grid[1]},
        {7, (int)l->grid[2]},
        {12, (int)l->registers}, /* of a block: as many as there are */
        {16, (int)l->multiprocessors},
        {39, (int)(l->warps * FHEC_WARP_LANES)},
        {81, (int)l->shared},
        {82, (int)l->registers},
        {97, (int)l->block_shared},
        {106, (int)l->blocks},
        {111, (int)l->block_shared_reserved},
    };
    for (unsigned i = 0; i < sizeof list / sizeof *list; i++) {
        if (list[i].number == number) {
            *value = list[i].value;
            return true;
        }
    }
    return false;
}

/* Textures and surfaces. */
static bool is_of_images(int number) {
    return (number >= 21 && number <= 29) || (number >= 42 && number <= 49) ||
           (number >= 52 && number <= 74) || number == 77;
}

fh_cuda_status fh_cuda_attribute(int number, int *value) {
    *value = 0;
    if (of_limits(number, value) || is_of_images(number))
        return FH_CUDA_OK;
    for (unsigned i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        if (fixed[i].number == number) {
            *value = fixed[i].value;
            return FH_CUDA_OK;
        }
    }
    return FH_CUDA_INVALID_VALUE;
}

static fh_cuda_status of_device(int device, const void *place) {
    return device ? FH_CUDA_INVALID_DEVICE : place ? FH_CUDA_OK : FH_CUDA_INVALID_VALUE;
}

fh_cuda_status fh_cuda_device_attribute(int *value, int attribute, int device) {
    const fh_cuda_status status = of_device(device, value);
    return status == FH_CUDA_OK ? fh_cuda_attribute(attribute, value) : status;
}

fh_cuda_status fh_cuda_device_bus_id(char *text, int length, int device) {
    const fh_cuda_status status = of_device(device, text);
    if (status != FH_CUDA_OK || length < (int)sizeof FH_CUDA_PCI_BUS_ID)
        return status != FH_CUDA_OK ? status : FH_CUDA_INVALID_VALUE;
    memcpy(text, FH_CUDA_PCI_BUS_ID, sizeof FH_CUDA_PCI_BUS_ID);
    return FH_CUDA_OK;
}

fh_cuda_status fh_cuda_device_of_bus_id(int *device, const char *text) {
    if (!device || !text)
        return FH_CUDA_INVALID_VALUE;
    if (strcmp(text, FH_CUDA_PCI_BUS_ID) != 0)
        return FH_CUDA_INVALID_DEVICE;
    *device = 0;
    return FH_CUDA_OK;
}

fh_cuda_status fh_cuda_device_reaches(int *can, int device, int peer) {
    const fh_cuda_status status = of_device(device ? device : peer, can);
    if (status == FH_CUDA_OK)
        *can = 0;
    return status;
}

fh_cuda_status fh_cuda_device_between(int *value, int from, int to) {
    (void)from, (void)to;
    return value ? FH_CUDA_INVALID_DEVICE : FH_CUDA_INVALID_VALUE;
}
