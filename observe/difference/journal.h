/*
 * journal.h - what ran on a machine, kept so that it can be followed backwards: of each instruction
 * of a warp which registers it wrote and what, and where in memory it went. Reads need no values:
 * what a register holds is what was written there last.
 *
 *     step 0 | step 1 | ...          in order of issue; each knows the one before it of its warp
 *
 * Rows of 32 equal or equally spaced values take a few bytes. When all of it takes more than the
 * limit, what is oldest is forgotten.
 */
#ifndef FH_DIFFERENCE_JOURNAL_H
#define FH_DIFFERENCE_JOURNAL_H

#include "fhec_observe.h"

/* An instruction of a kernel, and where it was written. */
struct fh_journal_site {
    fhec_instruction instruction;
    const char *kernel;
    char *where; /* as fhec_format_location has it; empty: unknown */
    char *file;  /* empty: unknown */
    uint32_t line;
};

struct fh_journal_warp {
    uint64_t launch;
    uint32_t block[3], warp;
};

/* An access of a step, as fhec_access has it. */
struct fh_journal_access {
    fhec_space space;
    unsigned access;
    uint32_t bytes, bank, lanes;
    uint64_t address[FHEC_WARP_LANES];
};

/* A range of global memory that the host wrote, or of an allocation. */
struct fh_journal_range {
    const char *name;
    uint64_t address, bytes;
    uint32_t before; /* the step that came next */
    bool forgotten;  /* of an allocation: steps that stored there are no longer kept */
};

enum { FH_NO_STEP = UINT32_MAX };

struct fh_journal;

/* Keeps what runs from the machine's next launch on, in at most so many bytes. */
fhec_status fh_journal_begin(fhec_machine *machine, size_t most_bytes, struct fh_journal **journal);
/* Stops; what has been kept can be looked at. */
void fh_journal_stop(struct fh_journal *journal);
void fh_journal_free(struct fh_journal *journal); /* NULL is allowed */
/* False: there was no host memory for something, which is missing. */
bool fh_journal_complete(const struct fh_journal *journal);

uint32_t fh_journal_count(const struct fh_journal *journal);  /* steps, forgotten ones included */
uint32_t fh_journal_oldest(const struct fh_journal *journal); /* the first that is kept */

/* Of a step that is kept. */
const struct fh_journal_site *fh_journal_site(const struct fh_journal *journal, uint32_t step);
const struct fh_journal_warp *fh_journal_warp(const struct fh_journal *journal, uint32_t step);
uint32_t fh_journal_active(const struct fh_journal *journal, uint32_t step);
uint32_t fh_journal_previous(const struct fh_journal *journal, uint32_t step);
/* What the step left in a register, of a lane; false: it did not write it. A predicate is 0 or 1.
 */
bool fh_journal_value(const struct fh_journal *journal, uint32_t step, fhec_register_file file,
                      uint32_t reg, uint32_t lane, uint32_t *value);
/* The index-th access of the step; false past the last. */
bool fh_journal_access(const struct fh_journal *journal, uint32_t step, size_t index,
                       struct fh_journal_access *access);

/* Sites and warps in the order in which they came first; the number of a step's site; a warp's last
 * step, which may be forgotten. */
size_t fh_journal_site_count(const struct fh_journal *journal);
const struct fh_journal_site *fh_journal_site_get(const struct fh_journal *journal, size_t index);
size_t fh_journal_site_number(const struct fh_journal *journal, uint32_t step);
size_t fh_journal_warp_count(const struct fh_journal *journal);
size_t fh_journal_warp_number(const struct fh_journal *journal, uint32_t step);
const struct fh_journal_warp *fh_journal_warp_get(const struct fh_journal *journal, size_t index);
uint32_t fh_journal_last_step(const struct fh_journal *journal, size_t warp);

/* The newest step before `before` of the same warp that wrote the register in that lane;
 * FH_NO_STEP: none is kept, and *forgotten says whether one may have been. */
uint32_t fh_journal_writer(const struct fh_journal *journal, uint32_t before,
                           fhec_register_file file, uint32_t reg, uint32_t lane, bool *forgotten);
/* The newest step before `before` (fh_journal_count for the end) that wrote one of the bytes, and
 * its lane; for shared and local memory `warp` says whose. */
uint32_t fh_journal_storer(const struct fh_journal *journal, uint32_t before, fhec_space space,
                           const struct fh_journal_warp *warp, uint32_t lane, uint64_t address,
                           uint64_t bytes, struct fh_journal_access *access, uint32_t *by_lane);

/* The newest range of before that step that holds the address; NULL: none. */
const struct fh_journal_range *fh_journal_host_write(const struct fh_journal *journal,
                                                     uint32_t before, uint64_t address);
const struct fh_journal_range *fh_journal_allocation(const struct fh_journal *journal,
                                                     uint32_t before, uint64_t address);
/* The newest allocation of that name; NULL: none. */
const struct fh_journal_range *fh_journal_named(const struct fh_journal *journal, const char *name);
/* The index-th allocation, in order; NULL past the last. */
const struct fh_journal_range *fh_journal_allocation_get(const struct fh_journal *journal,
                                                         size_t index);
/* The name of the constant that the step read from the bank; NULL: unknown. */
const char *fh_journal_constant(const struct fh_journal *journal, uint32_t step, uint64_t address,
                                uint64_t *offset);

#endif
