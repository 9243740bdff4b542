/*
 * draw.h - what is left to chance, and follows from the seed of the machine.
 */
#ifndef FH_CUDA_DRAW_H
#define FH_CUDA_DRAW_H

#include <stdint.h>

/* A number below `count`, which is not 0; without a seed always 0. */
uint64_t fh_cuda_draw(uint64_t count);

#endif
