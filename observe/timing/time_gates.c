/*
 * time_gates.c - see time_gates.h.
 */
#include "time_gates.h"

#include <stdlib.h>
#include <string.h>

enum { EACH = FH_TIME_BARRIERS * FH_TIME_GATES };

bool fh_time_gates_begin(struct fh_time_gates *g, uint32_t blocks) {
    g->gates = calloc(blocks, EACH * sizeof *g->gates);
    g->uses = calloc(blocks, FH_TIME_BARRIERS * sizeof *g->uses);
    return g->gates && g->uses;
}

void fh_time_gates_end(struct fh_time_gates *g) {
    free(g->gates);
    free(g->uses);
    *g = (struct fh_time_gates){0};
}

void fh_time_gates_restart(struct fh_time_gates *g, uint32_t block) {
    memset(g->gates + (size_t)block * EACH, 0, EACH * sizeof *g->gates);
    memset(g->uses + (size_t)block * FH_TIME_BARRIERS, 0, FH_TIME_BARRIERS * sizeof *g->uses);
}

struct fh_time_gate *fh_time_gate(const struct fh_time_gates *g, uint32_t block, uint32_t number,
                                  uint32_t use) {
    return g->gates + (size_t)block * EACH + (number % FH_TIME_BARRIERS) * FH_TIME_GATES +
           use % FH_TIME_GATES;
}

static uint32_t *use_of(const struct fh_time_gates *g, uint32_t block, uint32_t number) {
    return &g->uses[block * FH_TIME_BARRIERS + number % FH_TIME_BARRIERS];
}

uint32_t fh_time_gates_arrival(struct fh_time_gates *g, uint32_t block, uint32_t number) {
    const uint32_t use = *use_of(g, block, number);
    fh_time_gate(g, block, number, use)->total++;
    return use;
}

void fh_time_gates_release(struct fh_time_gates *g, uint32_t block, uint32_t number) {
    const uint32_t use = (*use_of(g, block, number))++;
    fh_time_gate(g, block, number, use)->released = true;
    *fh_time_gate(g, block, number, use + 1) = (struct fh_time_gate){0};
}

bool fh_time_gates_expect(struct fh_time_gates *g, uint32_t block, uint32_t number, uint32_t use,
                          uint32_t total) {
    struct fh_time_gate *gate = fh_time_gate(g, block, number, use);
    if (gate->use != use) {
        if (gate->total && !gate->open)
            return false;
        *gate = (struct fh_time_gate){.use = use};
    }
    gate->total = total;
    gate->released = true;
    return true;
}

uint32_t fh_time_gate_come(struct fh_time_gate *gate) {
    gate->come++;
    if (!gate->released || gate->come < gate->total)
        return 0;
    const uint32_t waiting = gate->waiting;
    gate->open = true;
    gate->waiting = 0;
    return waiting;
}

void fh_time_gates_leave(struct fh_time_gates *g, uint32_t block, uint32_t warp) {
    struct fh_time_gate *gates = g->gates + (size_t)block * EACH;
    for (unsigned i = 0; i < EACH; i++)
        gates[i].waiting &= ~(1u << warp);
}
