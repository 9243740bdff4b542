/*
 * hazard.h - what is outstanding at a point of a program: results that are not there yet, registers
 * that are still to be read; and which of it an instruction would run into.
 *
 *     fh_hazards_wait    the instruction's wait mask        state --> state
 *     fh_hazards_find    what it would run into             state --> list
 *     fh_hazards_issue   its own effects, then its stall    state --> state
 *
 * The assembler avoids what is found, the checker of given code reports it. States join where paths
 * meet: what is outstanding on one of them is outstanding.
 *
 * A scoreboard (0 to 5) is a count: it is clear when all that was charged to it is done, so it says
 * so of every user. What goes in order, the results of ordered pipes and the reading of registers
 * by all pipes of a group, is done when something later in the same line is.
 */
#ifndef FH_HAZARD_H
#define FH_HAZARD_H

#include "dataflow.h"

enum { FH_SCOREBOARDS = 6, FH_NO_SCOREBOARD = 7, FH_ARMING = 2, FH_LONGEST_STALL = 15 };

/* What is outstanding for a cell. A line has a byte: FH_OUTSTANDING and the scoreboards any of
 * which tells that it is done: of the operation itself, or of a later one in the same line. All
 * lines make up a word, the first one its low byte. Paths that differ meet in two words, and both
 * must be clear. */
enum { FH_OUTSTANDING = 0x80, FH_PATHS = 2 };
struct fh_lines {
    uint64_t of[FH_PATHS];
};
struct fh_cell {
    uint8_t left[FH_MAX_GROUPS]; /* cycles until a reader of the group may issue */
    struct fh_lines results, reads;
    uint8_t all;     /* scoreboards of results that come in no order: each one must be clear */
    uint16_t number; /* the cell */
    uint32_t writer, reader; /* the last instructions that have to do with it */
};

struct fh_hazards {
    bool safe;      /* results are taken to come when they are there for all readers of a group */
    unsigned count; /* cells with anything outstanding */
    struct fh_cell cell[FH_CELLS];
    uint16_t place[FH_CELLS];       /* of a cell, plus 1; 0: it is not there */
    uint8_t arming[FH_SCOREBOARDS]; /* cycles until waiting for it has an effect */
};

enum fh_hazard_kind {
    FH_HAZARD_NONE,
    FH_HAZARD_RESULT,       /* read before the scoreboards of `mask` are clear */
    FH_HAZARD_LOOSE_RESULT, /* read, and no scoreboard tells when it is there */
    FH_HAZARD_EARLY,        /* read `cycles` too early */
    FH_HAZARD_READ,         /* overwritten before it was read; `mask` would tell */
    FH_HAZARD_LOOSE_READ,   /* overwritten, and no scoreboard tells when it has been read */
    FH_HAZARD_WRITE,        /* overwritten while an older result is under way; `mask` would tell */
    FH_HAZARD_LOOSE_WRITE,
    FH_HAZARD_WRITE_EARLY, /* overwritten `cycles` too early: the older result would stay */
    FH_HAZARD_UNARMED,     /* waits for scoreboard `mask` before it counts, `cycles` too early */
};

struct fh_hazard {
    uint8_t kind; /* enum fh_hazard_kind */
    uint8_t mask; /* scoreboards */
    uint8_t cycles;
    uint16_t cell;
    uint32_t other; /* index of the instruction that it is about */
};
enum { FH_MAX_HAZARDS = 32 };

void fh_hazards_clear(struct fh_hazards *h);

/* Waits until the scoreboards of the mask are clear. */
void fh_hazards_wait(struct fh_hazards *h, unsigned mask);

/* The first FH_MAX_HAZARDS of what an instruction of the pipe would run into, one per cell and
 * direction. Its waiting must have been done. */
unsigned fh_hazards_find(const struct fh_hazards *h, const struct fh_pipe *pipe,
                         const struct fh_uses *uses, struct fh_hazard list[FH_MAX_HAZARDS]);

/* Which scoreboards of its wait mask do not count yet; to be asked before waiting. */
struct fh_hazard fh_hazards_unarmed(const struct fh_hazards *h, unsigned mask);

/* The instruction, number `index`, issues with its scheduling fields, its stall included. */
void fh_hazards_issue(struct fh_hazards *h, const struct fh_pipe *pipe,
                      const struct fh_sched *sched, const struct fh_uses *uses, uint32_t index);

/* Cycles pass. */
void fh_hazards_pass(struct fh_hazards *h, unsigned cycles);
/* Cycles pass between instruction `index` and the next one: the results of later ones are as far
 * away as before. */
void fh_hazards_pass_after(struct fh_hazards *h, unsigned cycles, uint32_t index);

/* Instruction `index`, which has issued, sets one more scoreboard: for its results or for what it
 * reads. */
void fh_hazards_tell_result(struct fh_hazards *h, uint32_t index, unsigned scoreboard);
void fh_hazards_tell_read(struct fh_hazards *h, uint32_t index, unsigned scoreboard);

/* A cell whose reading no scoreboard tells of: sets *reader. False if there is none. With `uses`,
 * only among the registers that they read. */
bool fh_hazards_loose_read(const struct fh_hazards *h, const struct fh_uses *uses,
                           uint32_t *reader);
/* The instruction whose fixed result comes last. */
uint32_t fh_hazards_last_writer(const struct fh_hazards *h);

/* Scoreboards that guard anything, and the cycles until the last fixed result can be read. */
unsigned fh_hazards_scoreboards(const struct fh_hazards *h);
unsigned fh_hazards_cycles(const struct fh_hazards *h);

/* Adds what is outstanding in the other state; whether that changed anything. */
bool fh_hazards_join(struct fh_hazards *h, const struct fh_cell *cells, unsigned count,
                     const uint8_t arming[FH_SCOREBOARDS]);

/* Scoreboards that the instruction waits for: its mask, and those that DEPBAR names with 0. */
unsigned fh_wait_mask(const struct fh_inst *inst);

#endif
