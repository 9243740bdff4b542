/*
 * debugger_util.h - four launches of two kernels, and a debugger on them.
 */
#ifndef FH_TESTS_DEBUGGER_UTIL_H
#define FH_TESTS_DEBUGGER_UTIL_H

#include "debugger.h"
#include "emu_random.h"
#include "emu_util.h"

enum { BLOCKS = 3, THREADS = 80, LAUNCHES = 4 };

struct world {
    fhec_program *program;
    fhec_machine *host;
    fhec_record *record;
    struct fh_debugger *debugger;
    uint64_t data, seed;
    uint64_t lengths[LAUNCHES];
    struct emu_rng rng;
};

/* The seed is FHEC_TEST_SEED, or 20. */
struct world world_begin(fhec_engine engine, fhec_simd simd);
void world_end(struct world *w);
/* These must not fail. */
void world_move(struct world *w, const struct fh_move *m);
void world_go(struct world *w, struct fh_debug_time time);
/* How many instructions each launch issues, by running each alone to its end. */
void world_measure(struct world *w);
/* The debugger is at `time`, and all is as in the snapshot. */
void world_expect_same(struct world *w, const fhec_snapshot *snapshot, struct fh_debug_time time,
                       const char *what, uint64_t n);

#endif
