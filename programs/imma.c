/*
 * imma.c - constants in the byte planes and the fragment order of the Tensor Core kernels.
 */
#include "imma.h"

void fh_imma_planes(uint32_t value, const struct fh_factor *byte, uint32_t plane[4]) {
    for (unsigned i = 0; i < 4; i++)
        plane[i] = 0;
    for (unsigned j = 0; j < 4; j++) {
        for (unsigned i = 0; i < 4; i++)
            plane[i] |= (value >> 8 * i & 0xff) << 8 * j;
        value = fh_times(value, byte);
    }
}

void fh_imma_operand(const struct fh_imma_matrix *matrix, uint32_t q, bool diagonal,
                     uint32_t *words) {
    struct fh_factor byte = fh_factor(1 << 8, q);
    for (unsigned outer = 0; outer < 16; outer++)
        for (unsigned inner = 0; inner < 16; inner++) {
            unsigned lane = 4 * (outer & 7) + (inner & 3), half = outer >> 3, step = inner >> 2;
            uint32_t plane[4];
            if (diagonal && step >> 1 != half)
                continue;
            fh_imma_planes(matrix->element[outer][inner], &byte, plane);
            for (unsigned i = 0; i < 4; i++) {
                unsigned r = diagonal ? 4 * step + i : 8 * step + 2 * i + half;
                words[(r >> 2) * 128 + 4 * lane + (r & 3)] = plane[i];
            }
        }
}
