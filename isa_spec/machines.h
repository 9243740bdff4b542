/*
 * machines.h - the machines, and how much they have: the one table of it.
 *
 * The constants are what the encodings and the programming model give, the same for all machines
 * whose code has these encodings; arrays are sized by them. What differs from machine to machine is
 * in fhec_limits, one for each, and is never a constant elsewhere.
 */
#ifndef FH_MACHINES_H
#define FH_MACHINES_H

#include "fhec.h"

enum {
    FH_MAX_REGISTERS = 255,    /* of a thread: R0 to R254 */
    FH_MAX_THREADS = 1024,     /* of a block */
    FH_MAX_LOCAL = 1 << 19,    /* bytes of local memory of a thread */
    FH_SHARED_UNIT = 128,      /* bytes: shared memory is allocated in multiples of it */
    FH_SHARED_RESERVED = 1024, /* bytes of it for each block, beside what the block asks for */
    FH_MAX_BANK = 1 << 16,     /* bytes of a constant bank */
    FH_BANKS = 32,             /* constant banks */
    FH_BARRIERS = 16,          /* named barriers of a block */
};

/* Parameters begin at c[0x0][0x160] and have at most 4352 bytes. Those of kernels with more begin
 * at c[0x0][0x1a80] and have at most 32764. Offsets count from 0x160 in both. */
enum {
    FH_PARAM_START = 0x160,
    FH_SMALL_PARAMS_END = 4352,
    FH_LARGE_PARAMS = 0x1a80 - FH_PARAM_START,
    FH_PARAM_BYTES_MAX = FH_LARGE_PARAMS + 32764,
};

/* The machine of an architecture, such as 80; NULL if there is none. */
const fhec_limits *fh_machine_of(uint32_t architecture);
/* Whether the machine has the instructions of a feature: those whose feature is a machine's name
 * are on that one and later ones, all others (NULL, "fhec") on all. */
/* NULL: the first machine there is, sm_80. */
bool fh_machine_has(const fhec_limits *machine, const char *feature);

#endif
