/*
 * time_code.h - an instruction as the timing engine knows it: what it costs on a machine, what it
 * waits for, and which registers it reads and writes.
 */
#ifndef FH_TIME_CODE_H
#define FH_TIME_CODE_H

#include "time_machine.h"

enum {
    FH_TIME_SCOREBOARDS = 6,
    FH_TIME_OUTSTANDING = 63, /* that a scoreboard counts at most */
    FH_TIME_FLAT = 352,       /* registers of all files, one behind the other */
    FH_TIME_RUNS = 16,
    FH_TIME_READS = 8, /* operands that are read through ports of the banks */
};

struct fh_time_op {
    const struct fh_time_rule *rule; /* NULL: the machine cannot execute it */
    bool memory;                     /* goes to the memory unit */
    bool matrices;                   /* loads matrices from shared memory */
    bool passes_by;                  /* comes to a barrier and does not wait there */
    bool copies;                     /* asynchronously, to shared memory: */
    bool closes;                     /* the copies so far are a group, which a DEPBAR waits for */
    bool yield;
    bool depbar; /* waits until at most `most` are outstanding on `board`, none of `others` */
    uint8_t board, most, others;
    uint8_t stall, wait_mask, write_board, read_board; /* boards: FH_TIME_SCOREBOARDS and above:
                                                          none */
    uint8_t run_count, read_count;
    /* Registers that are read or written, by their numbers in all files. */
    struct {
        uint16_t first, count;
        bool written;
    } runs[FH_TIME_RUNS];
    /* General registers that operands begin with. */
    struct {
        uint8_t reg, count, slot; /* slot 1 to 3, where it may be kept for reuse; 0: nowhere */
        bool reuse;
    } reads[FH_TIME_READS];
};

/* What the machine makes of the word at `pc`. False: no instruction that fhec knows; the op has no
 * rule then. */
bool fh_time_op_make(const struct fh_time_machine *machine, fhec_word word, uint64_t pc,
                     struct fh_time_op *op);

#endif
