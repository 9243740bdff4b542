/* short_statement.c - see short_statement.h. */
#include "short_statement.h"
#include "asm.h"
#include "expression.h"
#include "section.h"

/* The next token, which the parser gets as well if it is asked after all. */
static const struct fh_parser_token *look(struct fh_asm *a) {
    struct fh_tokens *t = &a->tokens;
    struct fh_parser_token *token = &t->ahead[t->ahead_count++];
    token->kind = fh_next_token(a, &token->value, &token->at);
    return token;
}

static bool at_end(struct fh_asm *a) {
    return look(a)->kind == FH_T_END;
}

/* What has a text as its operands, or operands that have been read without the parser. */
static bool ends_behind_operands(struct fh_asm *a) {
    int kind = look(a)->kind;
    return kind == FH_T_END || (kind == FH_T_RAW && at_end(a));
}

/* "@P0" or "@!P0" and an instruction. */
static bool guarded(struct fh_asm *a) {
    const uint32_t begin = a->tokens.ahead[0].at.begin;
    const struct fh_parser_token *sign = look(a), *predicate = sign;
    if (sign->kind == '!')
        predicate = look(a);
    if ((predicate->kind != FH_T_REGISTER && predicate->kind != FH_T_RANGE) ||
        look(a)->kind != FH_T_MNEMONIC || !at_end(a))
        return false;
    if (sign != predicate)
        fh_value_unary(a, predicate->value, FH_OP_NOT,
                       (struct fh_span){sign->at.begin, predicate->at.end});
    a->st.guard = predicate->value;
    a->st.begin = begin;
    return true;
}

bool fh_short_statement(struct fh_asm *a) {
    const struct fh_parser_token *first = look(a);
    enum fh_statement_kind kind = FH_EMPTY;
    bool whole = false;
    switch (first->kind) {
    case FH_T_END: whole = true; break;
    case FH_T_LABEL: whole = at_end(a); break;
    case FH_T_MNEMONIC:
        kind = FH_INSTRUCTION;
        whole = at_end(a);
        break;
    case '@':
        kind = FH_INSTRUCTION;
        whole = guarded(a);
        break;
    case FH_T_DIRECTIVE:
        kind = FH_DIRECTIVE;
        whole = ends_behind_operands(a);
        break;
    case FH_T_CALL:
        kind = FH_CALL;
        whole = ends_behind_operands(a);
        break;
    default: break;
    }
    if (!whole)
        return false;
    if (first->kind == FH_T_LABEL)
        fh_label_here(a, first->value);
    a->st.kind = (uint8_t)kind;
    return true;
}
