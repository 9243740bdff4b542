/*
 * fhec_limits.h - what the machines have, of which fhec runs code: sm_80, sm_86, sm_87, sm_89.
 */
#ifndef FHEC_LIMITS_H
#define FHEC_LIMITS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* What a machine has. Bytes, unless something else is said. */
typedef struct fhec_limits {
    const char *target;             /* "sm_80" */
    uint32_t architecture;          /* 80: compute capability 8.0 */
    const char *product;            /* that has so many multiprocessors: "A100" */
    uint32_t grid[3], block[3];     /* the longest sides, in blocks and in threads */
    uint32_t block_threads;         /* of a block together */
    uint32_t block_shared;          /* static and dynamic shared memory of a block */
    uint32_t block_shared_reserved; /* that each block takes beside what it asks for */
    uint32_t thread_registers;
    uint32_t thread_local_bytes;
    uint32_t multiprocessors;
    /* Of one multiprocessor. */
    uint32_t warps, blocks;            /* that are resident at once */
    uint32_t registers, register_unit; /* 32 bits each; a warp gets a multiple of the unit */
    uint32_t shared;
    /* Bit i: uniform register i of a new warp is 0, which compiled code relies on. */
    uint64_t zero_uniforms;
} fhec_limits;

/* The machine that `target` names, or begins with as the target of a kernel does ("sm_80, fhec");
 * NULL if there is none. Static storage. A launch has the limits of its kernel's target. */
const fhec_limits *fhec_target_limits(const char *target);
/* The index-th machine, by rising architecture: 80, 86, 87, 89; NULL past the last one. A machine
 * runs what is compiled for it and for the machines before it: sm_86 has all of sm_80's
 * instructions and a few of its own, which sm_87 and sm_89 have, too. */
const fhec_limits *fhec_limits_get(size_t index);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
