/*
 * parse.h - what lexer, parser and the parser's actions share while one file is read.
 */
#ifndef ISAC_PARSE_H
#define ISAC_PARSE_H

#include "isac.h"

struct parse {
    struct description *d;
    const char *file;
    const struct shard *shard;
    struct insn *insn;   /* the block that lines add to; moves when the next one begins */
    size_t layout_first; /* the layouts of the last layout line */
    const char *outside; /* the reason of the last `outside` line */
    bool told;           /* what is wrong with this line */
    /* lexer */
    unsigned indent;
    char then;
    int depth, text_line;
    char *text;
    size_t text_length, text_capacity;
};

/* Parser actions, actions.c. */
struct bits act_bits(struct parse *p, int line, const char *text);
void act_insn(struct parse *p, int line, const char *name, const char *title);
void act_word(struct parse *p, int line, const char *what, const char *word);
void act_specialise(struct parse *p, int line, const char *name, struct numbers values);
void act_feature(struct parse *p, int line, const char *name, const char *title);
void act_form(struct parse *p, int line, const char *name, uint64_t opcode, struct fix *fixes,
              size_t count);
void act_fixed(struct parse *p, int line, struct fix *fixes, size_t count);
void act_syntax(struct parse *p, int line, const char *text);
void act_mod(struct parse *p, int line, const char *name, const char *bits, struct choices *values,
             const char *enum_name);
void act_mod_default(struct parse *p, uint64_t value);
void act_mod_hidden(struct parse *p);
void act_field(struct parse *p, int line, struct names forms, const char *name);
void act_part(struct parse *p, int line, const char *name, const char *bits);
void act_field_default(struct parse *p, int line, bool negated, const char *word, int64_t number);
void act_imm(struct parse *p, int line, const char *operand, const char *style);
void act_parts(struct parse *p, int line, struct names words);
void act_regs(struct parse *p, int line, const char *text);
void act_derived(struct parse *p, int line, const char *name, const char *cases);
void act_check(struct parse *p, int line, const char *message, const char *expr);
void act_text(struct parse *p, int line, const char *what, const char *text);
void act_slot(struct parse *p, int line, const char *operand, const char *standard);
void act_prefer(struct parse *p, int line, const char *first, const char *second);
void act_allow(struct parse *p, int line, const char *first, const char *second);
void act_enum(struct parse *p, int line, const char *name, struct choices *values);
void act_choice(struct parse *p, int line, const char *text);
void act_outside(struct parse *p, int line, const char *why);
void act_outside_name(struct parse *p, int line, uint64_t opcode, const char *name);
void act_special(struct parse *p, uint64_t value, const char *name);
void act_pipe(struct parse *p, int line, const char *name, const char *reads, uint64_t stall);
void act_pipe_cycles(struct parse *p, int line, const char *group, uint64_t least, uint64_t safe);
void act_pipe_word(struct parse *p, int line, const char *word, const char *queue);
void act_issue(struct parse *p, int line, const char *text);
void act_access(struct parse *p, int line, const char *text);
void act_layout(struct parse *p, int line, const char *insn, struct names operands, uint64_t bits,
                struct names row, struct names column);
void act_layout_lanes(struct parse *p, int line, const char *what, uint64_t number);

#endif
