/*
 * statement.h - the current statement: what the parser makes and what is then executed.
 */
#ifndef FH_STATEMENT_H
#define FH_STATEMENT_H

#include "expr_value.h"
#include "isa.h"
#include "token.h"

struct fh_asm;
struct fh_symbol;

/* What directives do, with the statement in a->st. */
typedef void fh_action(struct fh_asm *a);

struct fh_directive {
    const char *name;     /* with its dot */
    uint8_t mode;         /* enum fh_lexer_mode of what follows */
    uint8_t where;        /* enum fh_where */
    uint16_t least, most; /* how many operands; FH_MANY: no limit */
    bool block;           /* opens or ends a block: executed even when it is wrong */
    fh_action *act;
    const char *usage;
};
enum { FH_MANY = UINT16_MAX };
enum fh_where { FH_ANYWHERE, FH_INSIDE, FH_IN_A_KERNEL };

/* The table of directives, sorted by name. */
struct fh_directives {
    const struct fh_directive *list;
    size_t count;
};

enum fh_statement_kind { FH_EMPTY, FH_INSTRUCTION, FH_DIRECTIVE, FH_CALL };

/* st.ended_by before the statement's end was read. */
enum { FH_NOT_ENDED = 1 };

struct fh_statement {
    uint8_t kind;  /* enum fh_statement_kind */
    char ended_by; /* ';', '\n', 0 at the end of the text; what ended it */
    bool bad;      /* an error was reported: it is not executed */
    bool has_sched, is_directive;
    bool named; /* some operand is a name */
    struct fh_sched sched;
    const struct fh_value *guard; /* NULL: none */
    uint32_t begin;               /* position of the guard, or of the head */
    struct fh_lexeme head;        /* mnemonic, directive or macro */
    const struct fh_directive *directive;
    const struct fh_symbol *macro;
    struct fh_lexeme raw; /* operands as text: directives and macros that read it themselves */
    struct fh_value *args;
    size_t arg_count, arg_capacity;
    uint32_t end; /* position after the last token */
};

/* From the head to the last token. */
static inline struct fh_span fh_statement_span(const struct fh_statement *st) {
    return (struct fh_span){st->head.at.begin, st->end};
}

/* Adds a sound value to the arguments; reports what is wrong with another one. */
void fh_add_argument(struct fh_asm *a, const struct fh_value *v);
/* Where the next argument's value is to stand; NULL when there is no memory. It becomes one of the
 * arguments when it is taken; until then it is nothing. */
struct fh_value *fh_next_argument(struct fh_asm *a);
void fh_take_argument(struct fh_asm *a);
/* What a message calls the end of the statement. */
const char *fh_end_name(const struct fh_asm *a);
/* Reports how the directive is written if not good. */
bool fh_usage(struct fh_asm *a, bool good);
/* The directive of that name; NULL if there is none. */
const struct fh_directive *fh_find_directive(const struct fh_asm *a, const char *name,
                                             size_t length);
void fh_unknown_directive(struct fh_asm *a, const struct fh_lexeme *name);

#endif
