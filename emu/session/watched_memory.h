/*
 * watched_memory.h - whether an instruction does to a range of memory what a watchpoint waits for.
 *
 *     fh_memory_lanes    which lanes go there      before the instruction
 *     fh_memory_before   what is there
 *     fh_memory_accessed what they have done       behind it
 */
#ifndef FH_WATCHED_MEMORY_H
#define FH_WATCHED_MEMORY_H

#include "accesses.h"
#include "watch.h"

enum { FH_ACCESS_WORDS = 4 };

/* Whether the instruction may access memory as the point waits for, as far as is known of it
 * alone. */
bool fh_watches_memory(const fhec_point *point, const struct fh_op *op);
/* The lanes that go to the range, or may; fh_accesses_before has been called. */
uint32_t fh_memory_lanes(const fhec_point *point, const struct fh_issue *issue,
                         const struct fh_accesses *accesses);
/* Keeps what those lanes find there. */
void fh_memory_before(const fhec_point *point, const struct fh_issue *issue,
                      const struct fh_accesses *accesses, uint32_t lanes,
                      uint32_t old[FH_LANES][FH_ACCESS_WORDS]);
/* Whether lanes of the scope have done it; then *stop says which, and what the lowest did. */
bool fh_memory_accessed(const fhec_point *point, const struct fh_issue *issue,
                        struct fh_accesses *accesses, uint32_t old[FH_LANES][FH_ACCESS_WORDS],
                        fhec_stop *stop);

#endif
