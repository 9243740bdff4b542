/*
 * random_program.h - whole random programs: every form of the instruction set that executes, in
 * loops, branches, switches and calls that lanes take apart and that end.
 *
 * Registers R0..R31 and R244..R254, UR0..UR18 and UR56..UR62 and all predicates are random; the
 * rest serves addresses, counters and return addresses, so that a program keeps within memory, most
 * of the time, and comes to its end.
 */
#ifndef FH_TESTS_RANDOM_PROGRAM_H
#define FH_TESTS_RANDOM_PROGRAM_H

#include "emu_random.h"

enum {
    RP_GLOBAL = 8192, /* bytes that parameter 0, an address, leads to; offsets use half of each */
    RP_SHARED = 4096,
    RP_LOCAL = 512,
    RP_SLACK = 512,  /* of each, that only offsets reach */
    RP_PARAMS = 384, /* bytes of parameters: the address, then any numbers */
    RP_MAX_WORDS = 4096,
};

struct random_program {
    fhec_word words[RP_MAX_WORDS];
    uint32_t count;
    uint32_t threads, blocks; /* the launch that it is made for */
};

/* `size`: about how many instructions. `repeat`: how often the longest loops turn. */
void random_program(struct emu_rng *rng, uint32_t size, uint32_t repeat,
                    struct random_program *program);

/* A program that can be run, whose only kernel has these words. */
fhec_program *random_program_load(const struct random_program *program);

#endif
