/*
 * fhec_allocations.h - what global memory a machine has, and programs whose variables lie where
 * they lay in another machine: for whoever copies all of a machine's memory. What fhec.h says of
 * errors and threads holds.
 */
#ifndef FHEC_ALLOCATIONS_H
#define FHEC_ALLOCATIONS_H

#include "fhec.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* The index-th allocation that the machine has had, in the order in which they were made, with what
 * was mapped and the memory of programs' variables. False past the end. */
typedef struct fhec_allocation {
    const char *name; /* the machine's */
    uint64_t address, bytes;
    unsigned flags;
    bool live;   /* not released */
    bool mapped; /* by fhec_map: the bytes are the caller's */
} fhec_allocation;
bool fhec_allocation_get(const fhec_machine *machine, size_t index, fhec_allocation *allocation);

/* fhec_load at given addresses, so that pointers to variables in memory that was copied from
 * another machine keep their meaning. They are those that fhec_load_address gave there, all `count`
 * of them, multiples of 16. FHEC_BAD_INPUT if the program has been loaded, has another number of
 * allocations, or what the range had before, released memory too, is in the way. */
fhec_status fhec_load_at(fhec_machine *machine, const fhec_program *program,
                         const uint64_t *addresses, size_t count);
/* Where the index-th allocation of the loaded program is, its constant banks and then its segments
 * of variables; false past the end, and of a program that is not loaded. */
bool fhec_load_address(const fhec_machine *machine, const fhec_program *program, size_t index,
                       uint64_t *address);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
