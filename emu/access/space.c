/*
 * space.c - the small services of space.h that have no better place.
 */
#include "space.h"

#include "launch.h"

void fh_add_array_cycles(struct fh_warp *w, uint32_t cycles) {
    w->launch->array_cycles += cycles;
}
