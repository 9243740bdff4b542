/*
 * isac.h - the ISA compiler's model of a description, from parsed lines to resolved forms.
 *
 *     .isa text --isa_lexer.l, isa_parser.y--> struct insn (lines as written)
 *               --isa_syntax.c, resolve.c--> struct form (operands and modifiers with their bits)
 *               --check.c--> errors, or
 *               --emit_*.c--> tables, lane loops, book
 *
 * Memory is never freed: the program runs once and ends. Errors are collected with error_at and
 * counted, so that one run shows all of them.
 */
#ifndef ISAC_H
#define ISAC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "isa.h"
#include "literal.h"

struct at {
    const char *file;
    int line;
};

struct numbers {
    uint32_t *v;
    size_t n;
};

struct names {
    const char **v;
    size_t n;
};

/* Some text of the description and where it stands. */
struct text {
    struct at at;
    const char *s; /* NULL: not given */
};

/* Bits of a word, most significant piece first. */
struct bits {
    struct at at;
    unsigned pieces;
    struct {
        unsigned lo, len;
    } piece[FH_MAX_PIECES];
    unsigned shift;
    bool is_signed, inverted;
};

struct choice {
    uint32_t value;
    const char *text; /* "": prints nothing */
};

struct choices {
    struct at at;
    const char *name; /* of the enum; NULL inline */
    bool own;         /* of somebody who adds to fhec */
    struct choice *v;
    size_t n;
};

struct mod {
    struct at at;
    const char *name;
    struct bits bits;
    struct choices *values;
    const char *enum_name; /* resolved into values */
    bool has_default, hidden, literal;
    uint32_t fallback;
    struct derived *derived;
    const char *c_derived; /* name of the generated function */
};

/* A default as written: PT, !PT, RZ, URZ or a number. */
struct fallback {
    struct at at;
    bool given, negated;
    const char *word;
    int64_t number;
};

struct part {
    const char *name; /* "imm", "reg", "not", "base", ... */
    struct bits bits;
};

struct field {
    struct at at;
    struct names forms;
    const char *name, *kind; /* kind: "addr" or "const" written out; else NULL */
    bool shared;             /* its bits are those of another operand, too */
    bool narrow;             /* an address without a base register does not set its bit `wide` */
    bool is_signed;          /* the offset of an address has a sign without a base register, too */
    struct part *parts;
    size_t part_count;
    struct fallback fallback;
};

struct fix {
    struct bits bits;
    uint64_t value;
};

enum operand_field {
    F_REG,
    F_VALUE,
    F_NEG,
    F_ABS,
    F_BANK,
    F_SCALE,
    F_UREG,
    F_WIDE,
    F_DESC,
    F_PART,
    F_COUNT
};

/* An operand of one form, resolved. */
struct operand {
    struct at at;
    const char *name, *var; /* var: its name in bodies */
    enum fh_kind kind;
    unsigned access;
    enum fh_sign sign;
    bool optional, print_signed, glued, shared, spaced, ureg_next, narrow, absolute;
    enum fh_number number;
    const struct choices *parts;
    unsigned reuse_bit, align;
    const char *suffix, *word;
    struct fallback fallback;
    struct bits field[F_COUNT];
    struct text cond, regs;
    const char *c_present, *c_registers;
};

/* An operand of a syntax line, before its bits are looked up. */
struct slot {
    const char *name, *suffix, *word;
    bool minus, tilde, bang, bars, optional, glued;
    struct fallback fallback;
    const char *cond;
};

struct mod_ref {
    const char *name;
    bool optional;
};

struct syntax {
    struct at at;
    struct names forms; /* none: all forms without a line of their own */
    const char *text;
    struct mod_ref mods[FH_MAX_MODS + 1];
    size_t mod_count;
    struct slot slots[FH_MAX_OPERANDS + 1];
    size_t slot_count;
};

/* A set of layouts that operands of a form have, and values of modifiers that go with it. */
struct variant {
    const char *layouts; /* `insn` of struct layout */
    bool chosen;         /* some values of the modifiers have this one */
    bool fixed[FH_MAX_MODS + 1];
    uint32_t value[FH_MAX_MODS + 1]; /* of the modifiers that are fixed */
};

/* In this order: the first one whose values a word has is its. */
struct variants {
    struct variant *v;
    size_t n;
    const char *without; /* a mnemonic that has none; NULL: every one has */
};

struct form {
    struct at at;
    const char *name;
    unsigned opcode;
    struct fix *fixes;
    size_t fix_count;
    /* resolved */
    struct insn *insn;
    struct syntax *syntax;
    struct mod *mods[FH_MAX_MODS + 1]; /* textual order, hidden ones last */
    bool mod_optional[FH_MAX_MODS + 1];
    size_t mod_count;
    struct operand operands[FH_MAX_OPERANDS + 1];
    size_t operand_count;
    fhec_word mask, value, fields;
    unsigned id;
    const char *c_issue; /* name of the generated function; NULL: always the first pipe */
    struct variants variants;
};

struct regs {
    struct at at;
    const char *operand, *expr;
    unsigned align;
};

struct derived {
    struct at at;
    const char *name;
    struct {
        const char *text;
        struct text expr;
    } * cases;
    size_t case_count;
};

struct check {
    struct at at;
    const char *message, *expr;
};

/* `prefer X over Y`: both forms accept the same text, and the first one wins. */
struct prefer {
    struct at at;
    const char *first, *second;
    bool used;
};

struct slot_of {
    struct at at;
    const char *operand, *standard;
};

/* `imm B f32`: how the operand is printed. */
struct imm_style {
    struct at at;
    const char *operand, *style;
};

/* `parts half A B`: the texts of the part field of these operands. */
struct parts_of {
    struct at at;
    const char *enum_name, *operand;
    const struct choices *values;
};

/* Cycles until readers of a group can have a result: the least, and what the assembler keeps. */
struct ready {
    struct at at;
    const char *group;
    unsigned cycles, safe;
};

struct pipe {
    struct at at;
    const char *name, *reads;
    const char *queue; /* the group in whose order registers are read */
    bool variable, ordered, used;
    unsigned stall;
    struct ready *ready;
    size_t ready_count;
};

/* The pipe that an instruction issues to when the condition holds; NULL: always. */
struct issue {
    struct at at;
    const char *pipe, *cond;
};

/* `access SPACE HOW BYTES [if EXPR] [unless EXPR]`: what the lanes of a `mem` instruction do to
 * memory. */
struct access {
    struct at at;
    const char *space, *how; /* how: load, store, atomic, swap; NULL: nothing */
    struct text bytes, when, unless;
};

struct insn {
    struct at at;
    const struct shard *shard;
    const char *name, *title, *root, *c_name;
    struct text kind, klass, feature, handler, body, like, note, unsupported;
    struct names choices; /* where silicon is not known: what this machine does */
    struct access access;
    bool uniform_guard;
    struct form *forms;
    size_t form_count;
    struct fix *fixes;
    size_t fix_count;
    struct syntax *syntaxes;
    size_t syntax_count;
    struct mod *mods;
    size_t mod_count;
    struct field *fields;
    size_t field_count;
    struct imm_style *imms;
    size_t imm_count;
    struct parts_of *parts;
    size_t parts_count;
    struct regs *regs;
    size_t regs_count;
    struct derived *deriveds;
    size_t derived_count;
    struct check *checks;
    size_t check_count;
    struct prefer *prefers;
    size_t prefer_count;
    struct slot_of *slots;
    size_t slots_count;
    struct issue *issues;
    size_t issue_count;
    struct names specialise;
    struct at specialise_at;
    struct numbers *specialise_values; /* as many as there are names; empty: all values */
    unsigned index, first_form;        /* in the output's order */
    const struct insn *body_owner;     /* whose body this one has */
    struct names body_names;           /* the identifiers of its own body */
};

struct feature {
    struct at at;
    const char *name, *title;
    bool used;
};

/* `allow overlap A/F with B/G`: words that both forms match, knowingly. */
struct allow {
    struct at at;
    const char *first, *second;
    bool used;
};

/* An instruction that is known by name, and by opcode if that is not 0, but not described. */
struct outside {
    struct at at;
    const char *name, *why;
    unsigned opcode;
};

enum bit_source { BIT_LANE, BIT_REG, BIT_SLOT };

/* One bit of a row or column number: which bit of lane, register or slot it is. */
struct layout_bit {
    enum bit_source source;
    unsigned index;
};

struct layout_bits {
    struct layout_bit v[8]; /* most significant first */
    size_t n;
};

struct layout {
    struct at at;
    const char *insn, *operand;
    unsigned bits;
    unsigned lanes, step; /* elements live in lanes 0, step, 2*step, ... */
    struct layout_bits row, column;
};

/* The instructions of one file: their functions are a file of their own. */
struct shard {
    const char *name, *file; /* name: for files and C */
    bool own;                /* somebody's who adds to fhec */
};

struct description {
    struct shard **shards;
    size_t shard_count;
    struct insn *insns;
    size_t insn_count;
    struct choices *enums;
    size_t enum_count;
    struct feature *features;
    size_t feature_count;
    struct allow *allows;
    size_t allow_count;
    struct choice *specials;
    size_t special_count;
    struct names choices; /* of the machine as a whole */
    struct outside *outsides;
    size_t outside_count;
    struct layout *layouts;
    size_t layout_count;
    struct pipe *pipes;
    size_t pipe_count;
    struct insn **sorted;   /* by root, then as written */
    struct insn **numbered; /* by index: fhec's as sorted, then those that somebody adds */
    struct form **forms;    /* by id */
    size_t form_count;
};

/* util.c */
extern unsigned error_count;
void error_at(struct at at, const char *format, ...) __attribute__((format(printf, 2, 3)));
void *more(void *array, size_t count, size_t size); /* room for one more, zeroed */
char *copy(const char *s, size_t n);
/* The number that the characters are (literal.h); what is none is told, and is 0. */
uint64_t number_of(struct at at, const char *text, size_t length);
char *print(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *c_name(const char *name); /* dots become underscores */
char *upper_case(const char *s);
void add_name(struct names *names, const char *name);
void add_names(struct names *names, struct names others); /* but those that are there */
void add_number(struct numbers *numbers, uint32_t number);
bool has_name(const struct names *names, const char *name);
/* What to add to the message that `wanted` is none of the names. */
const char *suggestion(const char *wanted, const struct names *names);
void write_c_string(FILE *out, const char *s);
void write_json_string(FILE *out, const char *s);
void write_line_directive(FILE *out, struct at at);
void *must(void *p); /* ends the program if it is NULL: out of memory */
/* Leaves a file that has this text already alone. False, with a message, if it cannot be written.
 */
bool write_output(const char *folder, const char *name, const char *text);

/* bits.c */
struct bits one_piece(unsigned hi, unsigned lo);
unsigned bits_width(const struct bits *bits);
fhec_word bits_mask(const struct bits *bits);
fhec_word bits_place(const struct bits *bits, uint64_t value); /* value as it is in the word */
uint64_t bits_low(unsigned width);
fhec_word word_or(fhec_word a, fhec_word b);
bool word_meets(fhec_word a, fhec_word b);
char *bits_text(const struct bits *bits); /* "86:85,75" */

/* The texts that the form may have, for people (legal.c). */
const char *legal_text(const struct form *form);
void emit_bits(FILE *out, const struct bits *bits);

/* read.c */
/* `own`: the file is not one of fhec's. False, with a message, if it cannot be read. */
bool parse_file(struct description *d, const char *path, bool own);

/* isa_syntax.c */
void parse_syntax(struct insn *insn, struct syntax *syntax);

/* resolve.c, standard.c */
void resolve(struct description *d);
bool standard_operand(const struct insn *insn, const struct form *form, struct operand *o,
                      const char *name);
bool is_pair_form(const char *name);
const char *body_name(const char *name);
struct mod *find_mod(struct insn *insn, const char *name);

/* pipes.c */
int pipe_index(const struct description *d, const char *name); /* -1: none of that name */
void check_pipes(struct description *d);
void emit_pipes(FILE *out, const struct description *d);
void pipe_pages(FILE *out, const struct description *d);

/* check.c, ambiguity.c, layouts.c */
void check_description(struct description *d);
void check_ambiguity(struct description *d);
void check_layouts(struct description *d);
unsigned registers_of(const struct layout *l);
unsigned slots_of(const struct layout *l); /* elements in a register; 1 of those that fill it */

/* ctext.c */
size_t identifier_length(const char *s); /* of the identifier that begins here; 0: none does */
struct names expr_names(const char *expr);

/* evaluate.c: `values` are by the form's modifiers */
/* The value of a C expression over modifiers; false if it has other things in it. */
bool evaluate(const struct form *form, const uint32_t *values, const char *expr, int64_t *result);
/* Goes through all values that the modifiers in `names` can have; false when it is through. */
void first_values(const struct form *form, uint32_t *values);
bool next_values(const struct form *form, const struct names *names, uint32_t *values);

/* variants.c */
void find_variants(struct description *d);
/* The variant that these values of the modifiers have, NULL if none; the modifiers that decide. */
const struct variant *variant_for(const struct form *form, const uint32_t *values);
struct names variant_names(const struct form *form);
/* The layout of an operand in a variant; NULL: it has none. */
const struct layout *layout_of(const struct description *d, const struct variant *v,
                               const struct operand *o);
/* Whether some form of the instruction has it. */
bool has_layout(const struct insn *insn, const struct layout *l);

/* expr.c */
void emit_expr(FILE *out, const struct form *form, struct text expr, bool operands_too);
void emit_form_functions(FILE *out, struct description *d);

/* emit_*.c */
void emit_tables(FILE *out, struct description *d);
void emit_names(FILE *out, struct description *d);
void emit_handlers(FILE *out, struct description *d);
void emit_ref(FILE *out, struct description *d, const struct shard *shard);
void emit_fast(FILE *out, struct description *d, const struct shard *shard);
void emit_ref_table(FILE *out, struct description *d);
void emit_fast_table(FILE *out, struct description *d);
/* The functions that `handler` lines name, those of control or the others, each once. */
struct names handlers(const struct description *d, bool ctrl);
void emit_book_c(FILE *out, struct description *d);
void emit_book_md(FILE *out, struct description *d);
void emit_json(FILE *out, struct description *d);
void emit_layouts(FILE *out, struct description *d);
char *page_of(const struct description *d, const struct insn *insn);
/* Joins the continuation lines of a text and ends it; empty lines separate paragraphs. */
void write_prose(FILE *out, const char *s);
void layout_pages(FILE *out, const struct description *d, const struct insn *insn);

/* forms.c */
const char *mnemonic_text(const struct form *form, const uint32_t *values);
bool has_body(const struct insn *insn);
int operand_index(const struct form *form, const char *name);
int mod_index(const struct form *form, const char *name);
bool body_uses(const struct insn *insn, const char *word);
unsigned constant_regs(const struct operand *o); /* 0: depends on modifiers */
/* The largest value of an expression over modifiers. */
int64_t most_of(const struct form *form, const char *expr);
bool is_set(unsigned access, enum fh_access bit);

#endif
