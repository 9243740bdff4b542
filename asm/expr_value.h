/*
 * expr_value.h - what expressions and operands mean.
 */
#ifndef FH_EXPR_VALUE_H
#define FH_EXPR_VALUE_H

#include "source.h"

struct fh_symbol;

enum fh_value_kind {
    FH_V_POISON,   /* wrong; `problem` still has to be reported, or NULL */
    FH_V_NUMBER,   /* number */
    FH_V_REAL,     /* text and negative: 1.5, 2e-7, INF; for floating point immediates only */
    FH_V_NAME,     /* text + number: a label, a special register or a word of an instruction */
    FH_V_REGISTER, /* reg_kind, reg, sign, suffix */
    FH_V_SUM,      /* registers and number, which will be an address */
    FH_V_CONSTANT, /* c[bank][reg + number] */
    FH_V_ADDRESS,  /* [reg + ureg + number] */
    FH_V_SET,      /* {a,b}: number has a bit for each */
    FH_V_STRING,   /* text without its quotes, escapes as written */
    FH_V_DEFINES,  /* text: a name that a directive defines; with bounds: number..last */
    FH_V_ANY,      /* explain_operands.c: would fit any operand */
};

/* Which 32 bits of an address: 32@lo(...), 32@hi(...). */
enum fh_half { FH_WHOLE, FH_HALF_LOW, FH_HALF_HIGH };

/* Texts point into the source. Every word of a source becomes one of these, so they are small. */
struct fh_value {
    uint8_t kind;     /* enum fh_value_kind */
    uint8_t sign;     /* enum fh_sign: MINUS, TILDE, NOT as written before a register or constant */
    uint8_t reg_kind; /* FH_K_REG, UREG, PRED, UPRED, BARRIER, SCOREBOARD */
    uint8_t reg, ureg, bank;
    uint8_t half;           /* NAME: enum fh_half */
    uint8_t problem_id;     /* enum fh_diagnostic of `problem` */
    bool has_reg : 1;       /* SUM, ADDRESS, CONSTANT: which registers are there */
    bool has_ureg : 1;      /* the same */
    bool abs : 1, desc : 1; /* in bars; ADDRESS: with a descriptor */
    bool large : 1;         /* NUMBER: 2^63 or more, and number has its bits */
    bool decimal : 1;       /* NUMBER, REAL: a literal whose digits are text */
    bool negative : 1;      /* NUMBER, REAL: its sign */
    bool bounds : 1;        /* DEFINES: [number:last] was given */
    bool generic : 1;       /* NAME: generic(NAME) */
    bool srel : 1;          /* NAME: a label of the open code, NAME@srel */
    bool glued : 1;         /* an argument with a blank before it instead of a comma */
    uint16_t shared; /* NUMBER, SUM, ADDRESS: 1 + index of the .shared variable whose address is in
                        the number; 0: none, or several */
    uint32_t length, suffix_length;
    struct fh_span at;
    int64_t number;
    const char *text, *suffix;
    union {
        const char *problem;            /* POISON */
        int64_t last;                   /* DEFINES */
        const struct fh_symbol *symbol; /* REGISTER, CONSTANT: what may be indexed; NULL none */
    };
};

#endif
