/*
 * machines.c - the table of the machines. Numbers are those of the compute capabilities in NVIDIA's
 * CUDA C++ programming guide; multiprocessors are those of the product that is named.
 */
#include "machines.h"

#include <string.h>

enum { KIB = 1024 };

/* What all of them have alike. */
#define COMMON                                                                                     \
    .grid = {INT32_MAX, UINT16_MAX, UINT16_MAX}, .block = {FH_MAX_THREADS, FH_MAX_THREADS, 64},    \
    .block_threads = FH_MAX_THREADS, .block_shared_reserved = FH_SHARED_RESERVED,                  \
    .thread_registers = FH_MAX_REGISTERS, .thread_local_bytes = FH_MAX_LOCAL,                      \
    .registers = 64 * KIB, .register_unit = 256

static const fhec_limits machines[] = {
    {
        .target = "sm_80",
        .architecture = 80,
        .product = "A100",
        COMMON,
        .block_shared = 163 * KIB,
        .multiprocessors = 108,
        .warps = 64,
        .blocks = 32,
        .shared = 164 * KIB,
    },
    {
        .target = "sm_86",
        .architecture = 86,
        .product = "GeForce RTX 3090",
        COMMON,
        .block_shared = 99 * KIB,
        .multiprocessors = 82,
        .warps = 48,
        .blocks = 16,
        .shared = 100 * KIB,
    },
    {
        .target = "sm_87",
        .architecture = 87,
        .product = "Jetson AGX Orin",
        COMMON,
        .zero_uniforms = 1 << 2, /* kernels begin by clearing the barriers if UR2 is 0 */
        .block_shared = 163 * KIB,
        .multiprocessors = 16,
        .warps = 48,
        .blocks = 16,
        .shared = 164 * KIB,
    },
    {
        .target = "sm_89",
        .architecture = 89,
        .product = "GeForce RTX 4090",
        COMMON,
        .block_shared = 99 * KIB,
        .multiprocessors = 128,
        .warps = 48,
        .blocks = 24,
        .shared = 100 * KIB,
    },
};

enum { MACHINES = sizeof machines / sizeof *machines };

const fhec_limits *fhec_limits_get(size_t index) {
    return index < MACHINES ? &machines[index] : NULL;
}

const fhec_limits *fhec_target_limits(const char *target) {
    const size_t length = strcspn(target, " ,");
    for (size_t i = 0; i < MACHINES; i++)
        if (strncmp(target, machines[i].target, length) == 0 && !machines[i].target[length])
            return &machines[i];
    return NULL;
}

const fhec_limits *fh_machine_of(uint32_t architecture) {
    for (size_t i = 0; i < MACHINES; i++)
        if (machines[i].architecture == architecture)
            return &machines[i];
    return NULL;
}

bool fh_machine_has(const fhec_limits *machine, const char *feature) {
    const fhec_limits *from = feature ? fhec_target_limits(feature) : NULL;
    const uint32_t has = machine ? machine->architecture : machines[0].architecture;
    return !from || from->architecture <= has;
}
