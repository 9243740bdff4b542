/*
 * asm.h - the assembler from inside: what its files share.
 *
 *     source text --lexer.l, tokens.c--> tokens --parser.y, expr.c--> struct fh_statement
 *          ^                                                               |
 *          |  macro.c, block.c (new text)                                  | statement.c
 *          +------------------------------------- directives --------------+
 *                                                                          | instructions
 *     program <--kernel.c-- words, labels, resources <--emit.c-- fh_inst <-- match.c
 *
 * One statement is read and carried out before the next one is looked at, so a name means what it
 * meant last; only labels may be used before they are defined (symbols.c). An error is reported
 * where it is found (report.c) and the rest of the statement is skipped. Mnemonics, modifiers and
 * operands come from the tables of isa.h; nothing here lists them.
 */
#ifndef FH_ASM_H
#define FH_ASM_H

#include "draft.h"
#include "isa.h"
#include "listing.h"
#include "program.h"
#include "source.h"

enum fh_diagnostic {
#define DIAGNOSTIC(name, id, severity, text) FH_D_##name,
#include "diagnostics.def"
#undef DIAGNOSTIC
    FH_D_COUNT
};

/* The id ("E014") of a diagnostic; for tests. */
const char *fh_diagnostic_id(enum fh_diagnostic d);

enum {
    FH_MAX_ERRORS = 100,
    FH_MAX_NOTES = 16,
    FH_MAX_PENDING = 64,            /* diagnostics that wait for the end of a repetition */
    FH_MAX_REPEATED = 1 << 12,      /* reports of what has been reported for another turn */
    FH_MAX_NESTING = 128,           /* macros, repetitions and includes within each other */
    FH_MAX_EXPANSIONS = 1 << 20,    /* in one run */
    FH_MAX_EXPANDED = 1 << 26,      /* bytes of expanded and included text in one run */
    FH_MAX_WORDS = 1 << 20,         /* instructions of a kernel: 16 MiB */
    FH_MAX_SHARED = 163 * 1024,     /* bytes of static shared memory, all that an sm_80 block has */
    FH_MAX_LOCAL = 512 * 1024,      /* bytes of local memory of a thread */
    FH_PARAM_BASE = FH_PARAM_START, /* where parameters begin in constant bank 0 */
    FH_MAX_PARAMS = FH_PARAM_BYTES_MAX, /* bytes, large ones included */
    FH_MAX_BANK = 64 * 1024,            /* bytes of a constant bank */
    FH_BANK_DATA = 3,                   /* .constant outside of kernels */
    FH_BANK_KERNEL = 2,                 /* .constant inside a kernel */
    FH_MAX_SEGMENT = 1 << 30,           /* bytes of a section of variables */
};

/* ---------------------------------------------------------------- values and names */

enum fh_value_kind {
    FH_V_POISON,   /* wrong; `problem` still has to be reported, or NULL */
    FH_V_NUMBER,   /* number */
    FH_V_REAL,     /* text and negative: 1.5, 2e-7, INF; for floating point immediates only */
    FH_V_NAME,     /* text + number: a label, a special register or a word of an instruction */
    FH_V_REGISTER, /* reg_kind, reg, sign, suffix */
    FH_V_SUM,      /* registers and number, on the way into an address */
    FH_V_CONSTANT, /* c[bank][reg + number] */
    FH_V_ADDRESS,  /* [reg + ureg + number] */
    FH_V_SET,      /* {a,b}: number has a bit for each */
    FH_V_STRING,   /* text without its quotes, escapes as written */
    FH_V_DEFINES,  /* text: a name that a directive defines; with bounds: number..last */
    FH_V_ANY,      /* explain.c: would fit any operand */
};

/* Which 32 bits of an address: 32@lo(...), 32@hi(...). */
enum fh_half { FH_WHOLE, FH_HALF_LOW, FH_HALF_HIGH };

/* A token as the scanner sees it: characters of the source. */
struct fh_lexeme {
    const char *text;
    uint32_t length;
    bool comma; /* a comma follows, and has been read */
    struct fh_span at;
};

/* What an expression or operand means. Texts point into the source. Every word of a source becomes
 * one of these, so they are kept small. */
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

enum fh_symbol_kind {
    FH_S_NUMBER,    /* .equ, .set, .shared, -D */
    FH_S_REGISTERS, /* .reg */
    FH_S_CONSTANT,  /* .param, .constant */
    FH_S_LABEL,
    FH_S_VARIABLE, /* a label of a section of data, for the whole program */
    FH_S_CODE,     /* a kernel or function */
    FH_S_EXTERNAL, /* a function that is not in the file */
    FH_S_LOCAL,    /* a number as a label, "1:": the last one and the next one */
    FH_S_MACRO,
    FH_S_MNEMONIC, /* match.c: what a dotted mnemonic stands for */
};

struct fh_symbol {
    const char *name;
    uint32_t length, hash;
    uint8_t kind;            /* enum fh_symbol_kind */
    bool variable;           /* NUMBER: may be set again */
    bool large;              /* NUMBER: as a value's */
    bool defined;            /* LABEL, VARIABLE */
    bool function;           /* CODE: no kernel */
    uint8_t reg_kind, first; /* REGISTERS: kind and number of the register with index `low` */
    uint8_t bank;            /* CONSTANT */
    int64_t value;           /* NUMBER; LABEL: byte address; CONSTANT, VARIABLE: offset; REGISTERS:
                                low; CODE, EXTERNAL: index in the program */
    uint32_t count;          /* REGISTERS: how many; CONSTANT, VARIABLE: bytes */
    void *more; /* MACRO: struct fh_macro; MNEMONIC: struct fh_mnemonic; VARIABLE: struct
                   fh_section */
    struct fh_symbol *back, *forward; /* LOCAL: labels */
    struct fh_span at;
};

/* Names to symbols: open addressing over malloc'd slots. */
struct fh_table {
    struct fh_symbol **slots;
    size_t capacity, count; /* capacity is a power of two or 0 */
};

struct fh_symbol *fh_table_find(const struct fh_table *t, const char *name, size_t length);
/* Adds a symbol that is not there yet; its name is kept by address. NULL: no memory. */
struct fh_symbol *fh_table_add(struct fh_table *t, struct fh_arena *arena, const char *name,
                               size_t length);
void fh_table_clear(struct fh_table *t);

/* ---------------------------------------------------------------- statements */

struct fh_asm;

/* The values of the statement in hand. Those that the parser works on are pointed to and changed in
 * place; they are taken in turn and given back all at once. */
struct fh_values {
    struct fh_value_chunk *first, *now;
    unsigned used;         /* of the chunk `now` */
    struct fh_value spare; /* where there is no memory */
};

struct fh_directive {
    const char *name;     /* with its dot */
    uint8_t mode;         /* enum fh_lexer_mode of what follows */
    uint8_t where;        /* enum fh_where */
    uint16_t least, most; /* how many operands; FH_MANY: no limit */
    bool block;           /* opens or ends a block: carried out even when it is wrong */
    void (*act)(struct fh_asm *a);
    const char *usage;
};
enum { FH_MANY = UINT16_MAX };
enum fh_where { FH_ANYWHERE, FH_INSIDE, FH_IN_A_KERNEL };

/* st.ended_by before the statement's end was read. */
enum { FH_NOT_ENDED = 1 };

enum fh_statement_kind { FH_EMPTY, FH_INSTRUCTION, FH_DIRECTIVE, FH_CALL };

struct fh_statement {
    uint8_t kind;  /* enum fh_statement_kind */
    char ended_by; /* ';', '\n', 0 at the end of the text; what ended it */
    bool bad;      /* an error was reported: do not carry it out */
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

/* Kinds of open brackets, in a few bits. */
enum fh_bracket { FH_ROUND = 1, FH_SQUARE, FH_CURLY, FH_BRACKET_BITS = 2 };

/* The scanner's rules: what the next characters are. */
enum fh_lexer_mode {
    FH_MODE_BEGIN,    /* labels, control prefix, guard, mnemonic or directive */
    FH_MODE_GUARD,    /* after @, up to the next blank */
    FH_MODE_OPERANDS, /* expressions and operands */
    FH_MODE_DEFINE,   /* a name to be defined, then operands */
    FH_MODE_RAW,      /* the rest of the statement as one text */
    FH_MODE_SKIP,     /* only directives that begin a statement are seen */
};

/* ---------------------------------------------------------------- text on the way in */

/* One text being read; the innermost is on top. */
struct fh_frame {
    struct fh_frame *below;
    struct fh_buffer *buffer;
    void *state;                /* the scanner's */
    struct fh_listing *listing; /* if the text is one; the frame's own */
    unsigned conditions;        /* how many .if were open when this text began */
    unsigned errors;            /* and how many errors there were */
};

struct fh_condition {
    struct fh_span at;
    bool taken; /* one of the branches was read */
    bool in_else;
};

struct fh_asm {
    const struct fhec_assemble_options *options;
    bool no_memory; /* or another failure of the host: give up at once */
    bool stop;      /* nothing more is read or reported */
    bool done;      /* the text is at its end */
    bool single;    /* fhec_assemble_word: no kernel, no target, absolute addresses from `pc` */
    unsigned errors;
    struct fh_arena arena;
    struct fh_sources sources;

    void *scanner;
    struct fatal *fatal; /* lexer.l */
    char hidden;         /* what was in the place of the character that is revealed */
    struct fh_frame *frame;
    unsigned depth;
    uint32_t expansions;
    size_t expanded;        /* bytes */
    uint32_t unique;        /* for \@ */
    bool in_statement;      /* a token of the statement was read */
    bool lost;              /* in a comment without an end: the scanner eats the rest of the text */
    bool discarding;        /* the rest of a wrong statement is being dropped */
    struct fh_lexeme token; /* the last one given to the parser, */
    int before;             /* its kind, */
    int brackets;           /* how many are open behind it, */
    uint32_t open;          /* which: 1 `(`, 2 `[`, 3 `{`, two bits each, the innermost lowest, */
    bool comma;             /* and whether the next one is the comma that was read with it */
    int behind;             /* the kind of the token before the last one, */
    uint32_t open_behind;   /* and the brackets that were open there */
    bool taken;             /* tokens.c: all operands so far went past the parser */
    struct fh_values values;
    struct fh_statement st;
    struct fh_condition *conditions;
    size_t condition_count, condition_capacity;
    struct fh_lexeme held; /* a directive that skipping text ended at: the next token */
    bool has_held;
    const struct fh_listed *listed; /* the statement's line of a listing; NULL: none */

    struct fh_table names;  /* of the whole run */
    struct fh_table inside; /* of the open kernel */
    struct fh_table labels; /* of the open kernel */
    struct fh_table macros, mnemonics;

    uint32_t features; /* of the last .target outside of kernels */
    struct fh_draft draft;
    struct fh_bytes bank;       /* FH_BANK_DATA */
    struct fh_bytes *data;      /* where .word goes; NULL: nowhere */
    uint8_t data_bank;          /* `data` is this bank of the open kernel; 0: it is not */
    struct fh_section *section; /* `data` is this section's; NULL: it is not */
    struct fh_section **sections;
    size_t section_count, section_capacity;
    struct fh_table globals;      /* kernels, functions, variables */
    struct fh_symbol **variables; /* in their order */
    size_t variable_count, variable_capacity;
    struct fh_reference *references;
    size_t reference_count, reference_capacity;
    struct fh_symbol *data_name; /* of the .constant that is open */
    struct fhec_program *program;
    size_t kernel_capacity, function_capacity, patch_capacity, external_capacity;
    size_t test_capacity, test_origin_capacity;
    bool has_loc; /* .loc says where the code comes from: */
    struct fh_origin loc;
    bool no_descriptor_bit; /* .descbit 0 */
    uint64_t pc;            /* `single`: address of the instruction */
    fhec_word word;         /* `single`: the instruction */

    const char *notes[FH_MAX_NOTES]; /* for the next report */
    size_t note_count;
    struct fh_pending *pending; /* report.c */
    size_t pending_count;
    unsigned repeated;
};

/* Memory for the run; on NULL no_memory is set. */
void *fh_asm_alloc(struct fh_asm *a, size_t size);
/* fh_grow that sets no_memory. */
bool fh_asm_grow(struct fh_asm *a, void *array, size_t *capacity, size_t count, size_t size);

/* report.c: %1, %2, %3 of the row are x, y, z. Notes collected by fh_note go with it. */
void fh_report(struct fh_asm *a, enum fh_diagnostic d, struct fh_span at, const char *x,
               const char *y, const char *z);
void fh_note(struct fh_asm *a, const char *text);
/* Delivers the diagnostics from within repetitions, if none is open any more. */
void fh_report_pending(struct fh_asm *a);
/* Adds the note "a ... with a similar name exists: `X`" if there is one. */
void fh_nearest_note(struct fh_asm *a, const struct fh_nearest *n, const char *what,
                     const char *prefix);
/* Text in the arena, "" when there is no memory; may be called many times in one expression. */
const char *fh_text(struct fh_asm *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *fh_text_of(struct fh_asm *a, const char *text, size_t length);

/* lexer.l */
bool fh_lexer_new(struct fh_asm *a);
void fh_lexer_free(struct fh_asm *a);
void fh_lexer_mode(struct fh_asm *a, enum fh_lexer_mode mode);
/* Whether a plain index, "[12]", and a comma stand directly behind the last token. They have been
 * read then; returns the index's length, or 0. */
uint32_t fh_lexer_index(struct fh_asm *a, int64_t *index);
/* Whether the statement ends with the next character that the scanner will read. */
bool fh_lexer_ends(const struct fh_asm *a);
/* The scanner reads this buffer next; NULL when there is no memory. */
void *fh_lexer_push(struct fh_asm *a, struct fh_buffer *buffer);
void fh_lexer_pop(struct fh_asm *a, void *state, void *below);
/* Position of the next character that the scanner will read. */
uint32_t fh_lexer_position(struct fh_asm *a);
/* The scanner keeps a NUL behind its current token. Whoever looks at text there (messages show
 * whole lines) reveals the character before and hides it again. */
void fh_lexer_reveal(struct fh_asm *a, bool on);

/* tokens.c */
/* Forgets the values of the last statement; frees all memory for values. */
void fh_values_reset(struct fh_values *values);
void fh_values_free(struct fh_values *values);
/* A register of the machine? Fills v; out of range gives POISON with its problem. */
bool fh_machine_register(struct fh_asm *a, const char *text, size_t length, struct fh_value *v);
/* Reads [B------:R-:W0:-:S01] into the statement. */
void fh_control_prefix(struct fh_asm *a, const struct fh_value *v);
/* The rest of the statement is read and dropped. */
void fh_skip_statement(struct fh_asm *a);
/* The next directive that begins a statement, while text is skipped; false at the end of this
 * text. */
bool fh_skip_to_directive(struct fh_asm *a, struct fh_lexeme *directive);
const char *fh_describe_value(struct fh_asm *a, const struct fh_value *v);

/* expr.c */
enum fh_operator {
    FH_OP_ADD,
    FH_OP_SUB,
    FH_OP_MUL,
    FH_OP_DIV,
    FH_OP_MOD,
    FH_OP_SHL,
    FH_OP_SHR,
    FH_OP_LT,
    FH_OP_LE,
    FH_OP_GT,
    FH_OP_GE,
    FH_OP_EQ,
    FH_OP_NE,
    FH_OP_AND,
    FH_OP_XOR,
    FH_OP_OR,
    FH_OP_LAND,
    FH_OP_LOR,
    FH_OP_NEG,
    FH_OP_INV,
    FH_OP_NOT,
};
/* Each makes its first value, x, what the operation gives; `at` is the place of the whole. */
void fh_value_unary(struct fh_asm *a, struct fh_value *x, enum fh_operator op, struct fh_span at);
void fh_value_binary(struct fh_asm *a, struct fh_value *x, enum fh_operator op,
                     const struct fh_value *y, struct fh_span at);
/* c ? x : y, in c. */
void fh_value_select(struct fh_value *c, const struct fh_value *x, const struct fh_value *y,
                     struct fh_span at);
/* Adds a number to a set of which x->number has the bits; more NULL: x itself is the first one. */
void fh_value_set(struct fh_asm *a, struct fh_value *x, const struct fh_value *more,
                  struct fh_span at);
void fh_value_index(struct fh_asm *a, struct fh_value *x, const struct fh_value *index,
                    struct fh_span at);
void fh_value_suffix(struct fh_asm *a, struct fh_value *x, const struct fh_value *suffix,
                     struct fh_span at);
void fh_value_absolute(struct fh_asm *a, struct fh_value *x, struct fh_span at);
/* c[bank][x] */
void fh_value_constant(struct fh_asm *a, struct fh_value *x, const struct fh_value *bank,
                       struct fh_span at);
/* cx[UR4][0x10], which no instruction of fhec takes. */
void fh_value_described(struct fh_value *x, struct fh_span at);
/* [x], desc[descriptor][x] */
void fh_value_address(struct fh_asm *a, struct fh_value *x, const struct fh_value *descriptor,
                      struct fh_span at);
/* 32@lo(x), generic(x), x@srel. */
void fh_value_half(struct fh_asm *a, struct fh_value *x, const struct fh_value *half,
                   struct fh_span at);
void fh_value_generic(struct fh_value *x, struct fh_span at);
void fh_value_srel(struct fh_value *x, struct fh_span at);
/* The number that v must be; reports otherwise. */
bool fh_value_number(struct fh_asm *a, const struct fh_value *v, int64_t *number);
/* A number's digits, for a message. */
const char *fh_number_written(struct fh_asm *a, const struct fh_value *v);
/* Reports what is still unreported about v; false if v is POISON. */
bool fh_value_sound(struct fh_asm *a, const struct fh_value *v);
/* The value of digits as written ("0x1f", "17"); false with a reason. */
bool fh_parse_number(const char *text, size_t length, uint64_t *number, const char **why);

/* parser.y: one statement into a->st. False after a syntax error, which is reported. */
bool fh_parse_statement(struct fh_asm *a);
/* What a message calls the end of the statement. */
const char *fh_end_name(const struct fh_asm *a);
void fh_add_argument(struct fh_asm *a, const struct fh_value *v);

/* syntax.c */
/* Reports the last token, or the end of the statement. `allowed` says what may stand there; where
 * it is empty the tokens and brackets before say it. */
void fh_report_syntax(struct fh_asm *a, struct fh_span at, bool at_end, const char *allowed);
/* Reports an argument that a blank and no comma parts from the one before. */
void fh_missing_comma(struct fh_asm *a, struct fh_span at);

/* symbols.c */
struct fh_symbol *fh_find_name(struct fh_asm *a, const char *name, size_t length);
/* Defines a name, in the open kernel or for the whole run. Reports and returns NULL when it
 * cannot be defined. */
struct fh_symbol *fh_define(struct fh_asm *a, const struct fh_value *name, enum fh_symbol_kind kind,
                            bool kernel);
bool fh_may_define(struct fh_asm *a, const struct fh_value *name);
/* Compares a misspelt name with those of the open code, its labels too, and with all others. */
void fh_try_code_names(struct fh_asm *a, struct fh_nearest *n);
void fh_try_global_names(struct fh_asm *a, struct fh_nearest *n);
void fh_unknown_name(struct fh_asm *a, const char *name, size_t length, struct fh_span at);

/* symbols.c, labels */
void fh_label_define(struct fh_asm *a, const struct fh_value *label);
void fh_local_label_define(struct fh_asm *a, const struct fh_value *label);
/* The label that a name ("loop", "1f") refers to; NULL after a report. */
struct fh_symbol *fh_label_refer(struct fh_asm *a, const struct fh_value *name);
void fh_labels_resolve(struct fh_asm *a);
/* Gives the next instruction the label that its address in the listing stands for. */
void fh_listed_label_define(struct fh_asm *a, uint64_t address);

/* directive.c */
const struct fh_directive *fh_find_directive(const char *name, size_t length);
void fh_unknown_directive(struct fh_asm *a, const struct fh_lexeme *name);
bool fh_usage(struct fh_asm *a, bool good); /* reports how the directive is written if not good */

/* What directives do; statement.c calls them with the statement in a->st. They are in block.c,
 * macro.c, data.c, kernel.c, section.c, directive.c and emit.c. */
typedef void fh_action(struct fh_asm *a);
fh_action fh_act_include, fh_act_if, fh_act_ifdef, fh_act_else, fh_act_endif, fh_act_stray_end;
fh_action fh_act_macro, fh_act_rept, fh_act_irp;
fh_action fh_act_constant, fh_act_data, fh_act_zero, fh_act_align;
fh_action fh_act_kernel, fh_act_end, fh_act_target, fh_act_param, fh_act_shared, fh_act_local;
fh_action fh_act_registers, fh_act_barriers, fh_act_params, fh_act_max_threads;
fh_action fh_act_section, fh_act_size, fh_act_frame, fh_act_type, fh_act_loc, fh_act_extern;
fh_action fh_act_reg, fh_act_equ, fh_act_set, fh_act_message, fh_act_test, fh_act_inst;
fh_action fh_act_descriptor_bit;
void fh_call_macro(struct fh_asm *a);

/* block.c: texts within texts */
bool fh_enter(struct fh_asm *a, struct fh_buffer *buffer);
void fh_leave(struct fh_asm *a);
/* Whether `length` bytes more may be read within the present text; counts them, or reports. */
bool fh_may_expand(struct fh_asm *a, const char *what, size_t length, struct fh_span at);
/* Adds the file's text (copied) and reads it next. */
bool fh_enter_file(struct fh_asm *a, const char *name, const char *text, size_t length,
                   struct fh_span from);
/* The lines up to the matching end directive, which is consumed. False after a report. */
struct fh_body {
    const char *text;
    uint32_t length;
    uint32_t at; /* position of the first byte */
};
bool fh_read_body(struct fh_asm *a, const char *end, struct fh_body *body);

/* statement.c */
void fh_carry_out(struct fh_asm *a);

/* match.c: the statement's instruction; false after a report. arg_of[i] is the index of the
 * argument that gave operand i, or FH_NO_ARGUMENT. The distance to a label is still 0. */
enum { FH_NO_ARGUMENT = 255, FH_MAX_ARGUMENTS = 32 };
struct fh_matched {
    struct fh_inst inst;
    uint8_t arg_of[FH_MAX_OPERANDS];
    bool target, address; /* some operand is a FH_K_TARGET, a FH_K_ADDR */
};
bool fh_match(struct fh_asm *a, struct fh_matched *m);

/* emit.c */
void fh_emit(struct fh_asm *a);
uint64_t fh_here(const struct fh_asm *a); /* byte address of the next instruction */
/* The address that a branch written as a number counts from: in a listing the one beside it. */
uint64_t fh_written_here(const struct fh_asm *a);
/* Whether a branch operand can hold the distance; reports otherwise. */
bool fh_target_reachable(struct fh_asm *a, const struct fh_operand_spec *spec, struct fh_span at,
                         int64_t distance);

/* schedule.c: gives the open kernel's instructions that have none scheduling fields that are safe;
 * labels are resolved. */
void fh_schedule(struct fh_asm *a);

/* section.c: data of the whole program, and what is known by name all over it */
bool fh_section_label(struct fh_asm *a, const struct fh_value *label); /* false: no section open */
uint64_t fh_section_here(const struct fh_section *section);
/* Makes a kernel or function known; false after a report. */
bool fh_code_define(struct fh_asm *a, const struct fh_value *name, bool function, uint32_t index);
void fh_section_zeros(struct fh_asm *a, uint64_t count); /* in the open section without bytes */
/* Addresses that wait for the whole program. `reference` is copied. */
void fh_refer(struct fh_asm *a, const struct fh_reference *reference);
void fh_add_patch(struct fh_asm *a, const struct fh_patch *patch);
void fh_sections_finish(struct fh_asm *a);
void fh_sections_free(struct fh_asm *a);

/* address.c: addresses as immediates and as data */
/* Whether the operand can hold what the name v stands for; fills what `fixup` says about it. */
bool fh_address_fits(const struct fh_form *form, const struct fh_operand_spec *spec,
                     const struct fh_value *v, struct fh_fixup *fixup);
/* Notes that the next `bytes` of data hold the address that v names. False after a report. */
bool fh_address_data(struct fh_asm *a, const struct fh_value *v, unsigned bytes);
/* Completes the fixup of an address, now that the code's labels are known. */
void fh_address_resolve(struct fh_asm *a, const struct fh_fixup *fixup);
/* Index that the open code will have in the program. */
uint32_t fh_draft_index(const struct fh_asm *a);

/* kernel.c */
/* A malloc'd copy that the program will own; NULL when there is no memory. */
char *fh_copy_text(struct fh_asm *a, const char *text, size_t length);
void fh_draft_free(struct fh_draft *draft);
void fh_finish(struct fh_asm *a); /* the end of the last text */
/* A size, a count or an alignment: from low to high, a power of two if asked. Reports. */
bool fh_size(struct fh_asm *a, const struct fh_value *v, const char *what, int64_t low,
             int64_t high, bool power, uint32_t *size);

#endif
