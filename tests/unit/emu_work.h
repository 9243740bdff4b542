/*
 * emu_work.h - launches that must leave the same behind on any number of host threads.
 */
#ifndef FH_TESTS_EMU_WORK_H
#define FH_TESTS_EMU_WORK_H

#include "emu_util.h"

enum { MOST_THREADS = 4, MOST_BYTES = 1 << 16 };

#define BEGIN ".target sm_80\n.kernel K\n.param data, 8\n.param fixed, 8\n"
/* R0 = thread of the grid, R1 = block, R2 = thread of the block, R4:R5 = &data[R0],
 * R6:R7 = &data[R1] */
#define INDEX                                                                                      \
    "S2R R1, SR_CTAID.X ;\nS2R R2, SR_TID.X ;\n"                                                   \
    "IMAD R0, R1, c[0x0][0x0], R2 ;\nMOV R3, 0x4 ;\n"                                              \
    "IMAD.WIDE.U32 R4, R0, R3, c[0x0][0x160] ;\n"                                                  \
    "IMAD.WIDE.U32 R6, R1, R3, c[0x0][0x160] ;\n"

/* What a launch left behind. */
struct emu_outcome {
    fhec_status status;
    fhec_fault fault;
    char fault_text[1000];
    uint64_t warp, thread;
    uint8_t bytes[MOST_BYTES];
};

struct emu_work {
    const char *text;
    uint32_t blocks, threads;
    size_t bytes; /* of data */
    uint64_t max_steps;
    unsigned launches; /* one after another on the same memory */
};

/* Runs the work on a machine of its own with so many host threads. */
void emu_run_work(const struct emu_work *work, const fhec_program *program, fhec_engine engine,
                  unsigned threads, struct emu_outcome *out);
/* Runs the work on 1 to 4 threads; *one is what one thread gave. */
void emu_same_for_all(struct emu_work work, struct emu_outcome *one);
void emu_same_at(struct emu_work work, fhec_simd simd, struct emu_outcome *one);

#endif
