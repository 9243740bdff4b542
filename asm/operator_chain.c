/* operator_chain.c - see operator_chain.h. */
#include "operator_chain.h"
#include "asm.h"
#include "expression.h"

void fh_chains_reset(struct fh_chains *chains) {
    chains->waiting.count = chains->operand_count = chains->chain_count = 0;
}

static void apply(void *user, enum fh_operator op, uint32_t at) {
    struct fh_asm *a = user;
    struct fh_chains *c = &a->chains;
    struct fh_chain_operand *y = &c->operands[--c->operand_count], *x = y - 1;
    (void)at;
    x->at.end = y->at.end;
    fh_value_binary(a, x->value, op, y->value, x->at);
}

void fh_chain_begin(struct fh_asm *a, struct fh_value *first, struct fh_span at) {
    struct fh_chains *c = &a->chains;
    c->marks[c->chain_count++] = c->waiting.count;
    c->operands[c->operand_count++] = (struct fh_chain_operand){first, at};
}

void fh_chain_add(struct fh_asm *a, enum fh_operator op, struct fh_value *next, struct fh_span at) {
    struct fh_chains *c = &a->chains;
    if (fh_waiting_add(&c->waiting, c->marks[c->chain_count - 1], op, at.begin, apply, a)) {
        c->operands[c->operand_count++] = (struct fh_chain_operand){next, at};
        return;
    }
    if (!a->st.bad)
        fh_report(a, FH_D_TOO_DEEP, at, NULL, NULL, NULL);
    a->st.bad = true;
}

struct fh_value *fh_chain_end(struct fh_asm *a) {
    struct fh_chains *c = &a->chains;
    c->ended = true;
    fh_waiting_end(&c->waiting, c->marks[--c->chain_count], apply, a);
    return c->operands[--c->operand_count].value;
}
