/*
 * global.h - loads and stores of global memory: what the fast paths (space_fast.inc) share with the
 * lane by lane ones (global.c).
 */
#ifndef FH_GLOBAL_H
#define FH_GLOBAL_H

#include "launch.h"

/* The live allocation that holds [low, high), writable if `store`; NULL if none does. The one that
 * the instruction used last is tried first. */
static inline const struct fh_allocation *fh_global_holder(struct fh_launch_state *launch,
                                                           const struct fh_op *op, uint64_t low,
                                                           uint64_t high, bool store) {
    const struct fh_memory *memory = launch->memory;
    size_t *site = &launch->sites[op->pc / FH_INST_BYTES];
    for (int attempt = 0; attempt < 2; attempt++) {
        if (*site < memory->count) {
            const struct fh_allocation *a = &memory->list[*site];
            if (a->bytes && low >= a->base && high - a->base <= a->size && low < high &&
                !(store && a->read_only))
                return a;
        }
        *site = fh_memory_find(memory, low);
    }
    return NULL;
}

/* The handlers of the memory spaces at one SIMD level. */
struct fh_space_ops {
    fh_exec_fn *load_global, *store_global, *load_shared, *store_shared;
};

extern const struct fh_space_ops fh_space_portable, fh_space_avx2, fh_space_avx512;

#endif
