/*
 * operator_chain.h - operands and the binary operators between them, as the parser comes to them;
 * operators.h says in which order they are applied. Chains stand within each other, in brackets;
 * what is added belongs to the one that began last.
 */
#ifndef FH_OPERATOR_CHAIN_H
#define FH_OPERATOR_CHAIN_H

#include "expr_value.h"
#include "operators.h"

struct fh_asm;

/* The parser's stack has room for no more chains: in each but the first one stand at least a chain,
 * an operator and a bracket. */
enum { FH_CHAINS = 80, FH_CHAIN_OPERANDS = FH_WAITING + FH_CHAINS };
struct fh_chains {
    struct fh_waiting waiting;
    unsigned operand_count, chain_count;
    bool ended; /* a chain has, and no token has been read since */
    struct fh_chain_operand {
        struct fh_value *value;
        struct fh_span at;
    } operands[FH_CHAIN_OPERANDS];
    unsigned marks[FH_CHAINS]; /* of each chain: how many operators wait outside of it */
};

/* A statement begins: no chain does yet. */
void fh_chains_reset(struct fh_chains *chains);
void fh_chain_begin(struct fh_asm *a, struct fh_value *first, struct fh_span at);
/* Reports it if too many operators wait. */
void fh_chain_add(struct fh_asm *a, enum fh_operator op, struct fh_value *next, struct fh_span at);
struct fh_value *fh_chain_end(struct fh_asm *a);

#endif
