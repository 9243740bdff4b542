/*
 * time_gates.h - the named barriers of resident blocks. The emulator runs ahead, and says how many
 * come before a barrier lets all go; in simulated time it does when as many have come.
 */
#ifndef FH_TIME_GATES_H
#define FH_TIME_GATES_H

#include <stdbool.h>
#include <stdint.h>

enum { FH_TIME_BARRIERS = 16, FH_TIME_GATES = 64 };

/* One use of a barrier, up to its release. */
struct fh_time_gate {
    uint32_t total, come; /* in the emulator, and in simulated time */
    uint32_t waiting;     /* warps of the block, as bits */
    bool released, open;  /* likewise */
    uint32_t use;         /* of fh_time_gates_expect: which one */
};

struct fh_time_gates {
    struct fh_time_gate *gates; /* by block, barrier and use modulo FH_TIME_GATES: a warp is not
                                   further ahead than that */
    uint32_t *uses;             /* by block and barrier */
};

bool fh_time_gates_begin(struct fh_time_gates *gates, uint32_t blocks);
void fh_time_gates_end(struct fh_time_gates *gates);
/* Another block is in this place. */
void fh_time_gates_restart(struct fh_time_gates *gates, uint32_t block);

struct fh_time_gate *fh_time_gate(const struct fh_time_gates *gates, uint32_t block,
                                  uint32_t number, uint32_t use);
/* In the emulator: one more comes, to the use that is returned; the barrier is released. */
uint32_t fh_time_gates_arrival(struct fh_time_gates *gates, uint32_t block, uint32_t number);
void fh_time_gates_release(struct fh_time_gates *gates, uint32_t block, uint32_t number);
/* Of a trace it is known beforehand how many come to a use. False: it is too far ahead of one to
 * which not all have come. */
bool fh_time_gates_expect(struct fh_time_gates *gates, uint32_t block, uint32_t number,
                          uint32_t use, uint32_t total);
/* In simulated time: one comes. Returns the warps that are let go. */
uint32_t fh_time_gate_come(struct fh_time_gate *gate);
/* The warp waits at no barrier of the block. */
void fh_time_gates_leave(struct fh_time_gates *gates, uint32_t block, uint32_t warp);

#endif
