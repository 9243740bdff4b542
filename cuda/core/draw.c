/*
 * draw.c - see draw.h.
 */
#include "draw.h"

#include "cuda_device.h"

uint64_t fh_cuda_draw(uint64_t count) {
    static uint64_t drawn; /* under the device's lock */
    if (!fh_cuda_seed())
        return 0;
    /* splitmix64 (Steele, Lea, Flood, 2014) */
    uint64_t x = fh_cuda_seed() + ++drawn * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (x ^ x >> 31) % count;
}
