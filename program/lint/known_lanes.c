/*
 * known_lanes.c - see known_lanes.h. What is followed through an instruction that writes
 * predicates: logical functions of predicates (PLOP3), and comparisons combined with one
 * (`ISETP.AND P1, .., P0`), as far as known literals alone decide them.
 */
#include "known_lanes.h"

#include "isa_names.h"

#include <string.h>

enum { NEGATIVE = 16, UNIFORM = 8 };
static const fh_lanes FALSE_ONES = 0xffff0000;

fh_lanes fh_lanes_literal(bool uniform, unsigned number, bool negated) {
    return (fh_lanes)1 << (number + (uniform ? UNIFORM : 0) + (negated ? NEGATIVE : 0));
}

fh_lanes fh_lanes_of_guard(const struct fh_inst *inst) {
    return fh_lanes_literal(fh_insns[inst->form->insn].uniform_guard, inst->guard, inst->guard_neg);
}

/* Both literals of the predicates that are written. */
static fh_lanes written(const struct fh_uses *uses) {
    fh_lanes all = 0;
    for (unsigned u = 0; u < uses->count; u++) {
        const struct fh_use *use = &uses->use[u];
        if (use->access != FH_WRITE || use->first < FH_RES_P)
            continue;
        for (unsigned c = use->first; c < use->first + (unsigned)use->count; c++) {
            bool uniform = c >= FH_RES_UP;
            unsigned number = c - (uniform ? FH_RES_UP : FH_RES_P);
            all |=
                fh_lanes_literal(uniform, number, false) | fh_lanes_literal(uniform, number, true);
        }
    }
    return all;
}

enum { FORGET, FUNCTION, AND, OR };

static fh_lanes literal_of(const struct fh_operand *op) {
    return fh_lanes_literal(op->kind == FH_K_UPRED, op->reg, op->neg);
}

static fh_lanes result_of(const struct fh_operand *op) {
    return op->reg == FH_PT ? 0 : literal_of(op);
}

static bool is_predicate(const struct fh_operand *op) {
    return op->kind == FH_K_PRED || op->kind == FH_K_UPRED;
}

/* A comparison that nobody knows, combined with Pp by the modifier `bop`: AND with what is false
 * and OR with what is true are known, and so for both results. */
static void combination_of(const struct fh_inst *inst, struct fh_lanes_effect *e) {
    const struct fh_form *form = inst->form;
    unsigned results = 0;
    uint32_t bop = 2;
    for (unsigned m = 0; m < form->mod_count; m++)
        if (strcmp(form->mods[m].name, "bop") == 0)
            bop = inst->mod[m];
    for (unsigned i = 0; i < form->operand_count; i++) {
        if (!is_predicate(&inst->op[i]))
            continue;
        if (form->operands[i].access == FH_WRITE && results < 2)
            e->out[results++] = result_of(&inst->op[i]);
        else if (strcmp(form->operands[i].name, "Pp") == 0)
            e->in[0] = literal_of(&inst->op[i]);
    }
    if (bop < 2 && e->in[0])
        e->kind = bop ? OR : AND;
}

void fh_lanes_effect_of(const struct fh_inst *inst, const struct fh_uses *uses,
                        struct fh_lanes_effect *e) {
    unsigned insn = inst->form->insn;
    *e = (struct fh_lanes_effect){.written = written(uses), .guard = fh_lanes_of_guard(inst)};
    if (!e->written)
        return;
    if (insn == FH_INSN_R2P && inst->op[FH_R2P_A].kind == FH_K_REG &&
        inst->op[FH_R2P_A].reg == FH_RZ)
        e->sets = e->written & FALSE_ONES;
    if (insn != FH_INSN_PLOP3 && insn != FH_INSN_UPLOP3) {
        combination_of(inst, e);
        return;
    }
    /* Both have their operands in one order: Pu, Pv, Pp, Pq, Pr, and the two tables. */
    e->kind = FUNCTION;
    for (unsigned i = 0; i < 3; i++)
        e->in[i] = literal_of(&inst->op[FH_PLOP3_Pp + i]);
    for (unsigned i = 0; i < 2; i++) {
        e->out[i] = result_of(&inst->op[FH_PLOP3_Pu + i]);
        e->tables[i] = (uint8_t)inst->op[FH_PLOP3_lutu + i].value;
    }
}

/* A truth value: 1 true, 0 false, -1 not known. */
static int value_of(fh_lanes literal, fh_lanes lanes) {
    return lanes & literal ? 1 : fh_lanes_exclude(lanes, literal) ? 0 : -1;
}

static fh_lanes known(fh_lanes result, int value) {
    return value < 0 ? 0 : value ? result : fh_lanes_negation(result);
}

static int function_of_three(const int in[3], unsigned table) {
    int value = -1;
    for (unsigned row = 0; row < 8; row++) {
        bool can = true;
        for (unsigned i = 0; i < 3; i++)
            can &= in[i] < 0 || (unsigned)in[i] == (row >> (2 - i) & 1);
        if (!can)
            continue;
        int here = (int)(table >> row & 1);
        if (value >= 0 && here != value)
            return -1;
        value = here;
    }
    return value;
}

static fh_lanes known_after(fh_lanes lanes, const struct fh_lanes_effect *e) {
    int in[3];
    if (e->kind == FORGET)
        return 0;
    for (unsigned i = 0; i < 3; i++)
        in[i] = value_of(e->in[i], lanes);
    if (e->kind == FUNCTION)
        return known(e->out[0], function_of_three(in, e->tables[0])) |
               known(e->out[1], function_of_three(in, e->tables[1]));
    int decides = e->kind == OR;
    return in[0] == decides ? known(e->out[0], decides) | known(e->out[1], decides) : 0;
}

fh_lanes fh_lanes_after(fh_lanes lanes, const struct fh_lanes_effect *e, fh_lanes acting) {
    if (fh_lanes_exclude(lanes, acting))
        return lanes;
    fh_lanes now = known_after(lanes, e) | e->sets;
    if (!fh_lanes_within(lanes, e->guard))
        now &= lanes; /* what it was before, where the guard does not hold */
    return (lanes & ~e->written) | now;
}

/* ---------------------------------------------------------------- rules */

fh_lanes fh_lanes_complete(const struct fh_lanes_rules *rules, fh_lanes lanes) {
    fh_lanes all = lanes;
    for (fh_lanes rest = lanes; rest; rest &= rest - 1)
        all |= rules->of[__builtin_ctz(rest)];
    return all;
}

static void add_rule(struct fh_lanes_rules *rules, fh_lanes from, fh_lanes to) {
    for (fh_lanes rest = to; rest; rest &= rest - 1) {
        fh_lanes literal = rest & (0u - rest);
        rules->of[__builtin_ctz(from)] |= literal;
        rules->of[__builtin_ctz(fh_lanes_negation(literal))] |= fh_lanes_negation(from);
    }
}

/* A rule between a predicate that is written and another one goes, but where only lanes are written
 * for which it holds anyway: P3 follows nothing but P1, and P3 is written where P1 is true. */
void fh_lanes_rules_after(struct fh_lanes_rules *rules, const struct fh_lanes_effect *e) {
    fh_lanes guard = e->guard & ~FH_ALL_LANES & ~e->written;
    for (unsigned bit = 0; bit < 32; bit++) {
        fh_lanes literal = (fh_lanes)1 << bit;
        if (literal & e->written)
            rules->of[bit] &= guard; /* what is true of all lanes that it is written in */
        else if (!(fh_lanes_negation(literal) & guard))
            rules->of[bit] &= ~e->written; /* and the same the other way round */
    }
    if (guard)
        add_rule(rules, guard, e->sets);
    if (!(e->guard & ~FH_ALL_LANES) && e->kind == AND && e->in[0])
        for (unsigned i = 0; i < 2; i++)
            if (e->out[i] && !(e->in[0] & (e->written | FH_ALL_LANES)))
                add_rule(rules, e->out[i], e->in[0]);
}

bool fh_lanes_rules_join(struct fh_lanes_rules *rules, const struct fh_lanes_rules *other) {
    bool changed = false;
    for (unsigned bit = 0; bit < 32; bit++) {
        changed |= (rules->of[bit] & other->of[bit]) != rules->of[bit];
        rules->of[bit] &= other->of[bit];
    }
    return changed;
}
