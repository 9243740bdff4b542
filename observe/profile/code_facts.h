/*
 * code_facts.h - what a profile says of code that follows from its words alone: which registers are
 * live, which operands come from registers kept for reuse, and what the instructions are.
 */
#ifndef FH_CODE_FACTS_H
#define FH_CODE_FACTS_H

#include "profiled_code.h"

enum { FH_FACTS_TEXT = 128 };

struct fh_code_fact {
    bool known; /* it is an instruction, and no filling */
    const char *klass;
    char text[FH_FACTS_TEXT]; /* cut if it is longer */
    /* Registers that are read behind the instruction, or by it, before they are written again:
     * those of a thread, and the warp's uniform ones. */
    uint16_t live, live_uniform;
    uint8_t reused; /* its operands that come from registers kept for reuse */
};

/* One for each word of the kernel, malloc'd. NULL without host memory. */
struct fh_code_fact *fh_code_facts(const struct fh_profiled_kernel *kernel);

#endif
