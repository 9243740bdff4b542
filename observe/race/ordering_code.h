/*
 * ordering_code.h - what instructions mean for the order of accesses, found out once for each
 * kernel.
 */
#ifndef FH_ORDERING_CODE_H
#define FH_ORDERING_CODE_H

#include "fhec_observe.h"

enum fh_ordering {
    FH_ORDER_NONE,
    FH_ORDER_ACCESS,   /* of global or shared memory */
    FH_ORDER_COPY,     /* LDGSTS */
    FH_ORDER_FENCE,    /* MEMBAR */
    FH_ORDER_WARPSYNC, /* its lanes wait for those of a mask */
    FH_ORDER_MEET,     /* its lanes wait for each other: shuffles, votes, and what else compilers
                          make of functions that end in _sync; NOP, which is what they leave of
                          a __syncwarp() where all lanes are together anyway */
    FH_ORDER_MATRIX,   /* its result needs what all lanes have loaded, so these loads are over */
    FH_ORDER_CONVERGE, /* BSYNC: those that go on together behind it have waited for each other */
    FH_ORDER_ARRIVE,   /* BAR.ARV: its lanes do not wait */
    FH_ORDER_BARRIER,  /* the other BAR.* */
    FH_ORDER_END,      /* EXIT, KILL */
};

/* How far an operation that is strong (atomic, or marked so) or a fence reaches. */
enum fh_reach { FH_REACH_NONE, FH_REACH_BLOCK, FH_REACH_GRID };

struct fh_ordering_code {
    fhec_word word;
    uint8_t ordering; /* enum fh_ordering */
    uint8_t reach;    /* enum fh_reach */
    bool known;       /* this is filled in */
    bool copies;      /* LDGDEPBAR, DEPBAR, ARRIVES: about copies */
    bool releases;    /* arrives at an mbarrier: a fence of its own */
    bool swaps;       /* compares and swaps */
    bool stores;      /* is a store */
    bool returns;     /* gives a value to registers or predicates */
    bool polls;       /* LDS in a loop that waits for what it reads: polling.h */
    bool behind;      /* the one before it is BSYNC */
    bool counted;     /* BAR.*: with a count of threads */
    /* Registers whose lanes count: WARPSYNC's mask, and the predicate operand. */
    bool has_mask, mask_known; /* in a register; in the word */
    uint16_t mask_register;
    uint32_t mask;
    uint8_t predicate; /* 7: PT */
    bool negated;
};

/* The kernels of a machine that have run so far. All zero: none. */
struct fh_ordering_kernel {
    const fhec_program *program;
    size_t kernel;
    bool searched, copies; /* for LDGSTS; it is there */
    bool mbarriers, polls; /* it has such instructions */
    struct fh_ordering_code *code;
    size_t count;
    struct fh_ordering_kernel *next;
};
struct fh_ordering_codes {
    struct fh_ordering_kernel *kernels, *last;
};

/* The instruction at `pc` of the launch's kernel, made when it is asked for first. NULL without
 * host memory. */
const struct fh_ordering_code *fh_ordering_code_make(struct fh_ordering_codes *codes,
                                                     const fhec_launch *launch, uint64_t pc,
                                                     fhec_word word);
/* That of an event; NULL if it was never made. */
const struct fh_ordering_code *fh_ordering_code_of(struct fh_ordering_codes *codes,
                                                   const fhec_event *event);
/* The same by its number, pc / 16, in the kernel that was asked about last. */
const struct fh_ordering_code *fh_ordering_code_at(const struct fh_ordering_codes *codes,
                                                   uint32_t number);
/* The kernel that was asked about last. */
const struct fh_ordering_kernel *fh_ordering_kernel_last(const struct fh_ordering_codes *codes);
/* Whether the launch's kernel, or a function of its program, has asynchronous copies. */
bool fh_ordering_has_copies(struct fh_ordering_codes *codes, const fhec_launch *launch);
void fh_ordering_codes_free(struct fh_ordering_codes *codes);

/* Of `event`, an ISSUE: those of its active lanes for which the predicate operand holds, too. */
uint32_t fh_ordering_lanes(const struct fh_ordering_code *code, const fhec_event *event);
/* WARPSYNC's mask for each lane; false if it cannot be known. */
bool fh_ordering_masks(const struct fh_ordering_code *code, const fhec_event *event,
                       uint32_t masks[FHEC_WARP_LANES]);

#endif
