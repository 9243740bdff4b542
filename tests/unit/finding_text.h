/*
 * finding_text.h - what checkers find in a small kernel, as text: a line for each finding, with all
 * that it says.
 */
#ifndef FINDING_TEXT_H
#define FINDING_TEXT_H

#include "checkers.h"
#include "emu_util.h"

/* The parameters are the addresses of "a", 256 bytes that are the words 0 to 63, and of "b", 128
 * bytes of zeros, and then `words`. */
struct finding_run {
    const char *source;
    unsigned checkers; /* FH_CHECK_BIT */
    uint32_t blocks, threads;
    const uint64_t *words;
    size_t word_count;
    bool faults;     /* the launch ends with a fault */
    size_t launches; /* of kernels 0, 1, 0, ... one after another; 0: kernel 0 once */
};

/* "C050 at 0x50, lanes 0x3, twice: MESSAGE", with "; shared b+8" for the memory that it is about,
 * "; 0x30 wrote the register" for another instruction, and "; by 4 5" for lines that computed it.
 * To be freed. */
char *finding_text(const struct finding_run *run);

/* A source and what is found in it. */
struct finding_case {
    const char *source, *found;
    uint32_t threads; /* 0: 32 */
};
/* Fails with each case, between `head` and `tail`, in which something else is found. */
void finding_cases(const char *head, const char *tail, unsigned checkers,
                   const struct finding_case *cases, size_t count);

#endif
