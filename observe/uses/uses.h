/*
 * uses.h - which instructions read what which ones have written, while kernels run: through
 * registers of a warp, and through global and shared memory by the word. Lanes are not told apart.
 */
#ifndef FH_USES_H
#define FH_USES_H

#include "fhec_observe.h"

struct fh_uses;

struct fh_uses_ask {
    void *user;
    /* A number from 1 for the instruction, or 0 if nothing about it is wanted. */
    uint32_t (*number)(void *user, const fhec_launch *launch, uint64_t pc);
    void (*ran)(void *user, uint32_t number);
    /* `reader` reads what `writer` has written. Told again and again. */
    void (*used)(void *user, uint32_t writer, uint32_t reader);
    void (*ended)(void *user, uint64_t instructions); /* that a launch has issued */
};

/* Tells what runs on the machine until fh_uses_end. FHEC_HOST_ERROR without memory. */
fhec_status fh_uses_begin(fhec_machine *machine, const struct fh_uses_ask *ask,
                          struct fh_uses **uses);
/* Before the machine is freed. NULL is allowed. */
void fh_uses_end(struct fh_uses *uses);

#endif
