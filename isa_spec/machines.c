/*
 * machines.c - the table of the machines. Numbers are those of the compute capabilities in NVIDIA's
 * CUDA C++ programming guide; multiprocessors are those of the product that is named.
 */
#include "machines.h"

#include <string.h>

enum { KIB = 1024 };

static const fhec_limits machines[] = {
    {
        .target = "sm_80",
        .product = "A100",
        .grid = {INT32_MAX, UINT16_MAX, UINT16_MAX},
        .block = {FH_MAX_THREADS, FH_MAX_THREADS, 64},
        .block_threads = FH_MAX_THREADS,
        .block_shared = 163 * KIB,
        .block_shared_reserved = FH_SHARED_RESERVED,
        .thread_registers = FH_MAX_REGISTERS,
        .thread_local_bytes = FH_MAX_LOCAL,
        .multiprocessors = 108,
        .warps = 64,
        .blocks = 32,
        .registers = 64 * KIB,
        .register_unit = 256,
        .shared = 164 * KIB,
    },
};

const fhec_limits *fhec_target_limits(const char *target) {
    const size_t length = strcspn(target, " ,");
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        if (strncmp(target, machines[i].target, length) == 0 && !machines[i].target[length])
            return &machines[i];
    return NULL;
}
