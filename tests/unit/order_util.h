/*
 * order_util.h - what the tests of orders of warps share: kernels, runs of them, and what comes
 * out.
 */
#ifndef FH_TESTS_ORDER_UTIL_H
#define FH_TESTS_ORDER_UTIL_H

#include "emu_util.h"
#include "fhec_session.h"
#include "slow_build.h"

enum { WORDS = 5120, FAST_DEADLOCK = 1 << 26, ORDER_ENGINES = 4 };

/* R0: block, R1: thread of the block, R2: thread of the grid, R4: address of its word 1024 on in
 * `data`, R6: that of data. */
#define BEGIN                                                                                      \
    ".target sm_80\n.kernel K\n.param data, 8\n.shared room, 4096\n"                               \
    "S2R R0, SR_CTAID.X ;\nS2R R1, SR_TID.X ;\nIMAD R2, R0, c[0x0][0x0], R1 ;\n"                   \
    "MOV R6, data ;\nMOV R7, data+4 ;\nMOV R3, 0x4 ;\n"                                            \
    "IMAD.WIDE.U32 R4, R2, R3, data ;\nIADD3 R4, P0, R4, 0x1000, RZ ;\n"                           \
    "IADD3.X R5, R5, RZ, RZ, P0, !PT ;\n"

/* Kernels; what each does is said where it is. */
extern const char order_racing[];
extern const char order_tickets[];
extern const char order_locking[];
extern const char order_meeting[];
extern const char order_summing[];
extern const char order_stuck[];
extern const char order_uncrossed[];

extern const struct order_engine {
    const char *name;
    fhec_engine engine;
    fhec_simd simd;
    unsigned threads;
} order_engines[ORDER_ENGINES];

struct order_work {
    const fhec_program *program;
    uint32_t blocks, threads;
    uint64_t max_steps;
    fhec_order order;
};

struct order_outcome {
    fhec_status status;
    fhec_fault_kind fault;
    uint64_t instructions, thread_instructions;
    uint32_t words[WORDS];
    char message[600];
};

void order_run_on(const struct order_work *w, size_t engine, struct order_outcome *o);
/* On one engine that every host has. */
struct order_outcome order_run(const struct order_work *w);
/* On all of them, which must agree. */
struct order_outcome order_run_everywhere(const struct order_work *w);
void order_expect_same(const char *what, const struct order_outcome *a,
                       const struct order_outcome *b);
void order_expect_deadlock(const struct order_outcome *o, const char *why);
fhec_order order_seeded(uint64_t seed);

/* A machine and a launch for it; sessions are the test's. */
struct order_guest {
    fhec_machine *machine;
    fhec_program *program;
    uint64_t data;
    fhec_launch launch;
};

void order_begin(struct order_guest *g, const char *text, uint32_t blocks, uint32_t threads,
                 const fhec_order *order);
void order_end(struct order_guest *g);

#endif
