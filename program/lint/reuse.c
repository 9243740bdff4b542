/*
 * reuse.c - see reuse.h.
 */
#include "reuse.h"

enum {
    BLOCKS = 24, /* that are looked at behind a branch: then who knows */
    NEAR = 256,  /* instructions in each */
};

/* What is kept: a register in the place of an operand. */
struct kept {
    unsigned slot, reg;
};

/* What an instruction does with the place: whether it reads registers there, and that one. */
enum reading { READS_NOTHING, READS_OTHERS, READS_IT };

static enum reading reading_of(const struct fh_inst *inst, const struct kept *kept) {
    enum reading reading = READS_NOTHING;
    for (unsigned k = 0; k < inst->form->operand_count; k++) {
        const struct fh_operand *op = &inst->op[k];
        if (op->kind != FH_K_REG || inst->form->operands[k].reuse_bit != kept->slot ||
            op->reg == FH_RZ)
            continue;
        if (op->reg <= kept->reg && kept->reg < op->reg + fh_operand_registers(inst, k))
            return READS_IT;
        reading = READS_OTHERS;
    }
    return reading;
}

/* Behind the write the next instruction that uses the place decides: what others read there takes
 * the register's place. */
static enum fh_reuse after_change(const struct fh_flowgraph *g, uint32_t at, uint32_t end,
                                  const struct kept *kept) {
    struct fh_inst inst;
    for (uint32_t i = at; i < end; i++) {
        enum reading reading =
            fh_decode(g->code.words[i], &inst) ? reading_of(&inst, kept) : READS_OTHERS;
        if (reading != READS_NOTHING)
            return reading == READS_IT ? FH_REUSE_CHANGED : FH_REUSE_FINE;
    }
    return FH_REUSE_FINE;
}

/* Blocks to be looked at, and those that have been. */
struct search {
    uint32_t blocks[BLOCKS];
    unsigned count;
    bool anywhere; /* it goes where nobody sees */
};

static void visit(struct search *s, uint32_t block) {
    for (unsigned i = 0; i < s->count; i++)
        if (s->blocks[i] == block)
            return;
    if (s->count == BLOCKS)
        s->anywhere = true;
    else
        s->blocks[s->count++] = block;
}

static void visit_next(struct search *s, const struct fh_flowgraph *g, uint32_t block) {
    struct fh_inst inst;
    uint32_t last = g->first[block + 1] - 1;
    struct fh_exit x = {.target = FH_NOWHERE, .falls = true};
    if (fh_decode(g->code.words[last], &inst))
        x = fh_exit_of(&inst, last, g->code.count);
    s->anywhere |= x.returns || x.indirect || x.calls;
    if (x.target != FH_NOWHERE)
        visit(s, g->block_of[x.target]);
    if (x.falls && block + 1 < g->blocks)
        visit(s, block + 1);
}

/* Whether some path behind the block may lead to a reader. */
static bool read_later(const struct fh_flowgraph *g, uint32_t block, const struct kept *kept) {
    struct search s = {.count = 0};
    struct fh_inst inst;
    visit_next(&s, g, block);
    for (unsigned next = 0; next < s.count && !s.anywhere; next++) {
        uint32_t first = g->first[s.blocks[next]], end = g->first[s.blocks[next] + 1];
        if (end - first > NEAR)
            return true;
        for (uint32_t i = first; i < end; i++)
            if (!fh_decode(g->code.words[i], &inst) || reading_of(&inst, kept) == READS_IT)
                return true;
        visit_next(&s, g, s.blocks[next]);
    }
    return s.anywhere;
}

enum fh_reuse fh_reuse_of(const struct fh_flowgraph *g, uint32_t at, unsigned operand) {
    uint32_t block = g->block_of[at], end = g->first[block + 1];
    struct fh_inst inst;
    if (!fh_decode(g->code.words[at], &inst))
        return FH_REUSE_FINE;
    const struct kept kept = {inst.form->operands[operand].reuse_bit, inst.op[operand].reg};
    if (kept.reg == FH_RZ)
        return FH_REUSE_UNREAD;
    if (!inst.sched.yield)
        return FH_REUSE_YIELD;
    if (fh_writes_register(&inst, kept.reg))
        return after_change(g, at + 1, end, &kept);
    for (uint32_t i = at + 1; i < end; i++) {
        if (i - at > NEAR || !fh_decode(g->code.words[i], &inst))
            return FH_REUSE_FINE; /* who knows */
        if (reading_of(&inst, &kept) == READS_IT)
            return FH_REUSE_FINE;
        if (fh_writes_register(&inst, kept.reg))
            return after_change(g, i + 1, end, &kept);
    }
    return read_later(g, block, &kept) ? FH_REUSE_FINE : FH_REUSE_UNREAD;
}
