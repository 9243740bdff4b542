/*
 * stores.h - which instruction stored each element of an array last.
 */
#ifndef FH_DIFFERENCE_STORES_H
#define FH_DIFFERENCE_STORES_H

#include "fhec_observe.h"

/* A static instruction, and where it was written. The strings belong to fh_stores: programs need
 * not live as long. */
struct fh_store_site {
    uint64_t launch; /* number on its machine, from 1 */
    uint64_t pc;
    char *kernel, *text; /* the instruction's */
    char *where;         /* as fhec_format_location has it; empty: unknown */
    char *file;          /* empty: unknown */
    uint32_t line;
};

/* The last store to an element. */
struct fh_store {
    const struct fh_store_site *site; /* valid until fh_stores_end */
    uint32_t block[3], warp, lane;
    uint16_t reg; /* the register that it came from; FHEC_NO_REGISTER: RZ, or none */
};

struct fh_stores;

/* Watches `count` elements of `bytes` bytes from a global address on, from the machine's next
 * launch. FHEC_HOST_ERROR without host memory. */
fhec_status fh_stores_begin(fhec_machine *machine, uint64_t address, uint32_t bytes, size_t count,
                            struct fh_stores **stores);
/* Whether a kernel has stored the element, and which instruction did it last. */
bool fh_stores_get(const struct fh_stores *stores, size_t index, struct fh_store *store);
/* Before the machine is freed. NULL is allowed. */
void fh_stores_end(struct fh_stores *stores);

/* Whether the instruction can write memory. */
bool fh_writes_memory(const fhec_instruction *instruction);

#endif
