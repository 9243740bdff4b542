/*
 * timer.h - how long launches take on a machine that a description tells of. The timer chooses the
 * order of warps in the emulator, and simulates one SM of the machine, the one that gets block 0:
 * blocks go to the SMs in turn, so of n SMs it has every n-th block, from the first to the last.
 * The other blocks run before them, as far as they can, and tell what is in L2.
 *
 *     new -> order (goes into the options of fhec_machine_new) -> attach -> launches -> detach
 *         -> result -> free
 */
#ifndef FH_TIMER_H
#define FH_TIMER_H

#include "profiled_code.h"
#include "time_sm.h"

/* An instruction of a trace, where nobody knows its word. */
struct fh_timed_name {
    uint64_t pc;
    size_t opcode, opcode_length; /* part of the text */
    const char *text;             /* "LDG.E R4 <- R2" */
};

/* A kernel, of all its launches. */
struct fh_timed_kernel {
    const struct fh_profiled_kernel *of;
    struct fh_time_op *ops;            /* by word */
    struct fh_timed_word *words;       /* of the simulated SM */
    const struct fh_timed_name *names; /* of words that are in no code; NULL: they are */
    uint64_t launches;
    uint64_t cycles;     /* of the launches, one after another */
    uint64_t sm_cycles;  /* of the simulated SM alone */
    uint64_t hbm_cycles; /* what the bytes take that come from or go to HBM, at its bandwidth */
    struct fh_time_occupancy occupancy; /* of the last launch */
    uint32_t resident, warps;           /* blocks and warps at once, of the last launch */
    uint64_t blocks, sm_blocks;         /* of all launches; those of the simulated SM */
    double waves;                       /* of the last launch: sm_blocks / resident */
    uint64_t warp_insts;                /* of all blocks */
    uint64_t hbm_bytes;                 /* of all blocks */
    struct fh_time_sm_result sm;        /* sums of the launches */
};

/* What an instruction is, as a text of at most FH_TIMED_TEXT bytes, empty if it is unknown; and its
 * full mnemonic. Return its pc. */
enum { FH_TIMED_TEXT = 256 };
uint64_t fh_timed_text(const struct fh_timed_kernel *kernel, uint32_t word,
                       char text[FH_TIMED_TEXT]);
uint64_t fh_timed_mnemonic(const struct fh_timed_kernel *kernel, uint32_t word,
                           char text[FH_TIMED_TEXT]);

enum { FH_TIMER_WHY = 500 };

struct fh_timer;
/* The description is copied. NULL without host memory. */
struct fh_timer *fh_timer_new(const struct fh_time_machine *machine);
void fh_timer_free(struct fh_timer *timer);

/* The order that the machine must have which is timed. */
fhec_order fh_timer_order(struct fh_timer *timer);
/* Times what the machine launches from now on; one machine at a time. */
fhec_status fh_timer_attach(struct fh_timer *timer, fhec_machine *machine);
void fh_timer_detach(struct fh_timer *timer);

/* What the SM issues from the next launch on is kept there; NULL: no longer. The kernels in it are
 * the timer's. */
void fh_timer_keep(struct fh_timer *timer, struct fh_issue_log *log);

const struct fh_time_machine *fh_timer_machine(const struct fh_timer *timer);
/* Kernel `index`, in the order of their first launches; NULL past the last. Complete between
 * launches. */
const struct fh_timed_kernel *fh_timer_kernel(const struct fh_timer *timer, size_t index);
/* Why there are no times: a sentence; NULL: there are. */
const char *fh_timer_failed(const struct fh_timer *timer);

#endif
