/*
 * profiled_code.h - the code that a profile has counters for, with all that is known of it without
 * running it. Kernels are the same if their names, their words and where those were written are, so
 * that the launches of several programs and machines come together; nothing of a program is needed
 * when it is freed.
 */
#ifndef FH_PROFILED_CODE_H
#define FH_PROFILED_CODE_H

#include "fhec_observe.h"

/* Of one instruction that accesses shared memory: the bank that had the most to do. */
struct fh_profile_worst {
    uint32_t ways; /* 0: no access so far */
    uint32_t bank, count, lane[4];
    uint64_t address[4];
    uint32_t block[3], warp;
};

/* What is counted of one instruction. */
struct fh_profile_counts {
    uint64_t warp, thread;             /* issued; lanes for which the guard held */
    uint64_t divergences;              /* lanes that issued it together went on apart */
    uint64_t requests, sectors, ideal; /* of global memory */
    uint64_t local_requests, local_sectors, local_ideal;
    uint64_t shared_requests, passes, conflicts; /* conflicts: passes above those without any */
};

struct fh_profiled_word {
    fhec_word word;
    const char *file; /* NULL: nobody knows */
    uint32_t line;
    const char *chain; /* how it came to be read, as fhec_format_location tells it; NULL: simply */
    const char *function; /* of the program, of which it is the first instruction; NULL: of none */
    struct fh_profile_counts counts;
    struct fh_profile_worst worst;
    uint32_t slot;  /* of what is counted while it runs, from 1; 0: nothing is */
    uint8_t shared; /* enum fh_shared_kind: what it does where it accesses shared memory */
};

struct fh_profiled_kernel {
    char *name;
    const fhec_program *program; /* that it was seen in last, and its number there */
    size_t kernel;
    struct fh_profiled_word *words;
    uint32_t count, room; /* with the functions of the program, which lie behind it */
    uint32_t own;         /* words of the kernel itself */
    uint32_t slots;       /* of its words */
    uint64_t launches, blocks, threads;
    uint32_t grid[3], block[3]; /* of the last launch */
    bool partial;               /* a launch has not come to its end */
};

struct fh_profiled_code {
    struct fh_profiled_kernel **kernels;
    size_t count, room;
    char **strings; /* of files and chains */
    size_t string_count, string_room;
    bool failed; /* no host memory: something is missing */
};

void fh_profiled_code_free(struct fh_profiled_code *code);

/* Adds what was counted of a kernel elsewhere, whose name, own, words and numbers are given,
 * without their slots. */
void fh_profiled_merge(struct fh_profiled_code *code, const struct fh_profiled_kernel *from);
void fh_profiled_counts_add(struct fh_profile_counts *to, const struct fh_profile_counts *from);

/* Finding the kernel of a launch word by word: begin, next for each word in order, end. */
struct fh_profiled_search {
    const fhec_program *program;
    size_t kernel;
    struct fh_profiled_kernel *at; /* NULL without host memory */
    uint32_t seen;
    bool fresh; /* it is new, and gets the words */
};
void fh_profiled_begin(struct fh_profiled_code *code, struct fh_profiled_search *search,
                       const fhec_program *program, size_t kernel);
void fh_profiled_next(struct fh_profiled_code *code, struct fh_profiled_search *search,
                      fhec_word word);
/* The entry of the word that was handed over last; NULL without host memory. */
struct fh_profiled_word *fh_profiled_last(const struct fh_profiled_search *search);
/* The kernel that has just these words; NULL without host memory. */
struct fh_profiled_kernel *fh_profiled_end(struct fh_profiled_code *code,
                                           struct fh_profiled_search *search);

#endif
