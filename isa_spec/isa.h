/*
 * isa.h - the machine, as the rest of fhec sees it: decoded instructions, the tables that the ISA
 * compiler writes from the .isa files, and the codec over them.
 *
 *     text --asm: match syntax--> fh_inst --fh_encode--> 128-bit word
 *     text <--fh_print---------- fh_inst <--fh_decode--- 128-bit word
 *                                   |
 *                                   +--> emu: operands resolved once, then executed
 *
 * A struct fh_inst is the one meaning that all of them share. Which operands and modifiers an
 * instruction has, in which order and in which bits, is data: struct fh_form, one per encoding
 * form of an instruction, generated. Names for indices into op[] and mod[] are generated too
 * (isa_names.h: FH_IADD3_Rd, FH_IADD3_X, ...).
 */
#ifndef FH_ISA_H
#define FH_ISA_H

#include "fhec.h"

enum { FH_RZ = 255, FH_URZ = 63, FH_PT = 7 };
enum { FH_MAX_OPERANDS = 10, FH_MAX_MODS = 12, FH_MAX_PIECES = 3, FH_INST_BYTES = 16 };
enum { FH_OPERAND_REGISTERS = 16 }; /* that one operand may have, at most */
enum { FH_BANK_BYTES = 0x10000 };   /* of a constant bank, at most: what 16 bits reach */

/* What an operand is. FORM operands take one of these from the form; the rest are fixed. */
enum fh_kind {
    FH_K_NONE,
    FH_K_REG,        /* R0..R254, RZ: reg */
    FH_K_UREG,       /* UR0..UR62, URZ: reg */
    FH_K_PRED,       /* P0..P6, PT: reg; neg is "!" */
    FH_K_UPRED,      /* UP0..UP6, UPT */
    FH_K_IMM,        /* value */
    FH_K_CONST,      /* c[bank][value] with value in bytes, 0 to FH_BANK_BYTES - 1, though the text
                        has a sign; indexed: c[bank][R+value], R is reg, or ureg where the form has
                        that field; the sum is modulo FH_BANK_BYTES */
    FH_K_ADDR,       /* [reg.scale+ureg+value], see struct fh_operand */
    FH_K_TARGET,     /* code address: value is the byte distance from the next instruction */
    FH_K_BARRIER,    /* B0..B15: reg */
    FH_K_SREG,       /* special register SR_*: value */
    FH_K_WORD,       /* a fixed word of the syntax ("PR"): no value */
    FH_K_SCOREBOARD, /* SB0..SB7: reg */
    FH_K_SET,        /* "{3,2}": value, a bit for each number */
};

/* Small, as struct fh_inst is: the assembler keeps those of a whole kernel. */
struct fh_operand {
    uint8_t kind;      /* enum fh_kind */
    uint8_t reg;       /* register, predicate, barrier; base or index register (255/63 none) */
    uint8_t bank;      /* CONST */
    uint8_t scale;     /* ADDR: 0 X1, 1 X4, 2 X8, 3 X16 */
    uint8_t ureg;      /* ADDR: uniform addend, or the descriptor when desc; FH_URZ none */
    uint8_t part;      /* which part of the register counts: ".H1_H1", ".B2"; by the spec's texts */
    bool neg : 1;      /* "-", "~" or "!", as the operand's spec says */
    bool abs : 1;      /* "|x|" */
    bool reuse : 1;    /* ".reuse" */
    bool indexed : 1;  /* CONST: an index register is present; ADDR: unused */
    bool has_ureg : 1; /* ADDR: the form carries a uniform register */
    bool wide : 1;     /* ADDR: base is a 64-bit pair, ".64" */
    bool desc : 1;     /* ADDR: ureg is a memory descriptor and is not added */
    int64_t value;     /* immediate, offset in bytes, displacement, special register id */
};

/* Scheduling fields; no effect on results. */
struct fh_sched {
    uint8_t stall, yield, write_barrier, read_barrier, wait_mask, reuse;
};

struct fh_inst {
    const struct fh_form *form;
    uint8_t guard; /* predicate number; FH_PT always runs */
    bool guard_neg;
    bool show_desc; /* bit 101: nvdisasm prints the default descriptor */
    struct fh_sched sched;
    uint8_t mod[FH_MAX_MODS];
    struct fh_operand op[FH_MAX_OPERANDS];
};

/* ---------------------------------------------------------------- generated tables */

/* A field of up to three runs of bits, most significant first. In the word the value appears
 * shifted right by `shift` (its low bits must be 0) and, if is_signed, in two's complement. */
struct fh_field {
    struct {
        uint8_t lo, len;
    } piece[FH_MAX_PIECES];
    uint8_t pieces; /* 0: no such field */
    uint8_t shift;
    bool is_signed;
    bool inverted; /* all bits of the value appear inverted */
};

/* How `neg` is written. */
enum fh_sign { FH_SIGN_NONE, FH_SIGN_MINUS, FH_SIGN_TILDE, FH_SIGN_NOT, FH_SIGN_BY_X };

/* How the 32 bits of an immediate are written. */
enum fh_number {
    FH_N_INT,
    FH_N_F32,   /* the value, in decimal */
    FH_N_F64,   /* the value of the double whose high word it is */
    FH_N_F16X2, /* two values: the high half, the low half */
    FH_N_BF16X2,
    FH_N_SWIZZLE, /* eight bits: a pair of letters per lane of a quad */
    FH_N_CONTROL, /* four bits: a control register of the warp, by name */
};

enum fh_access { FH_READ = 1, FH_WRITE = 2 };

struct fh_operand_spec {
    const char *name;           /* as in the .isa file: "Rd", "A", "Pu" */
    uint8_t kind;               /* enum fh_kind */
    uint8_t access;             /* enum fh_access */
    uint8_t sign;               /* enum fh_sign; BY_X: "~" if the instruction has .X, else "-" */
    bool optional;              /* left out of the text when it equals its default */
    bool print_signed;          /* IMM: hex with a minus sign */
    uint8_t number;             /* IMM: enum fh_number */
    bool spaced;                /* CONST: printed `c[0x0] [0x160]` */
    bool ureg_next;             /* ADDR: the descriptor is the register behind that of `ureg`, which
                                   is the other address's */
    bool narrow;                /* ADDR: fh_default_wide */
    bool absolute;              /* ADDR: without a base register the offset has no sign */
    bool glued;                 /* no comma before it, a space only: "BRX R14 -0x390" */
    bool modified;              /* it has one of the fields neg, abs, part */
    bool plain;                 /* a register or predicate that has only the fields reg and neg,
                                   each of one run of bits in half a word */
    uint8_t bits;               /* IMM: width that the value must fit */
    uint8_t reuse_bit;          /* 122, 123, 124; 0: takes no .reuse */
    const char *suffix;         /* ".ROW", ".COL", ".SIGN"; NULL none */
    struct fh_operand fallback; /* the value when left out */
    bool has_fallback;
    struct fh_field reg, value, neg, abs, bank, scale, ureg, wide, desc, part;
    const struct fh_mod_value *parts; /* texts of the part, "" prints nothing; as a modifier's */
    uint8_t part_count;
    bool (*present)(const struct fh_inst *);       /* NULL: always; else on modifiers only */
    unsigned (*registers)(const struct fh_inst *); /* NULL: 1; else how many consecutive ones */
    uint8_t align; /* registers: alignment; 0: as many as there are */
};

struct fh_mod_value {
    uint8_t value;
    const char *text; /* "U32"; "" is not printed */
};

struct fh_mod_spec {
    const char *name; /* "X", "cmp" */
    struct fh_field field;
    const struct fh_mod_value *values; /* in the order of the .isa file */
    uint8_t value_count;
    uint32_t fallback; /* value when no text of the group is written; UINT32_MAX: required */
    bool hidden;       /* never printed nor parsed */
    bool complete;     /* the values are all that the field can have */
    /* Printed name that follows from the operands (IMAD.MOV): NULL for a real field. Returns the
     * text, or NULL for none. On input the text is accepted and must be what this gives. */
    const char *(*derived)(const struct fh_inst *);
};

/* One encoding of one instruction. */
struct fh_form {
    uint16_t id;
    uint16_t insn;        /* index into fh_insns */
    uint16_t opcode;      /* 13 bits: {bit 91, bits 11:0} */
    const char *name;     /* "RR", "IR", "CR", "UR", ... or "" */
    fhec_word fixed_mask; /* bits with a fixed value, opcode included; all that no field covers */
    fhec_word fixed_value;
    const struct fh_mod_spec *mods;
    const struct fh_operand_spec *operands; /* in textual order */
    uint8_t mod_count, operand_count;
    const char *syntax; /* for people: "IADD3{.X} Rd, {Pu,} {Pv,} A, B, C {, Pp, Pq}" */
    uint8_t pipe;       /* index into fh_pipes, unless a function tells */
    unsigned (*issue)(const struct fh_inst *); /* NULL: it is always the same */
    bool single; /* its operands are single registers R that need no alignment, or none of R, UR
                    and memory: none of them can be wrong by itself in a word */
    bool has_barrier;    /* an operand is a convergence barrier */
    bool has_constant;   /* an operand is c[bank][offset] ... */
    bool loads_constant; /* ... and what the instruction loads */
};

/* Readers of results, by when they need them: a group per kind of pipe, and guards. Queues
 * are those of variable pipes, in which results come or registers are read in the order of issue;
 * the last one is for what is in none. */
enum { FH_GROUP_GUARD, FH_MAX_GROUPS = 16, FH_MAX_PIPES = 32, FH_MAX_QUEUES = 8 };

/* What an instruction issues to. */
struct fh_pipe {
    const char *name;
    uint8_t reads;        /* the group that its instructions belong to as readers */
    bool variable;        /* results are announced by scoreboards, registers are read late */
    bool ordered;         /* variable, and results come in the order of issue */
    uint8_t result_queue; /* in which results come; each pipe has its own */
    uint8_t read_queue;   /* in which registers are read, in order; a group of pipes has one */
    uint8_t stall;        /* what the assembler gives an instruction at least */
    /* Not variable: the least cycles from issue to a reader's, by group, and what is safe for every
     * reader of the group. */
    uint8_t ready[FH_MAX_GROUPS], safe[FH_MAX_GROUPS];
};

struct fh_check {
    bool (*holds)(const struct fh_inst *);
    const char *message;
};

/* What an instruction's body is about, and so who calls it. */
enum fh_insn_kind {
    FH_KIND_LANE,    /* one lane */
    FH_KIND_UNIFORM, /* the warp, once: uniform registers */
    FH_KIND_WARP,    /* the lanes of the warp together */
    FH_KIND_MATRIX,  /* matrices that all 32 lanes hold */
    FH_KIND_MEM,     /* memory */
    FH_KIND_CTRL,    /* which lanes run, and where */
};

/* The memory that an instruction's body says it accesses. */
enum fh_insn_accesses {
    FH_ACCESSES_NONE, /* or it has no body that says so */
    FH_ACCESSES_GLOBAL,
    FH_ACCESSES_SHARED,
    FH_ACCESSES_LOCAL,
    FH_ACCESSES_GENERIC,
};

struct fh_insn {
    const char *name; /* "IMAD.WIDE": root, then modifiers that are always there */
    const char *root; /* "IMAD" */
    const char *title;
    uint8_t kind;        /* enum fh_insn_kind */
    uint8_t accesses;    /* enum fh_insn_accesses */
    const char *klass;   /* integer, matrix, memory, control, uniform, move, ... (for counters) */
    const char *feature; /* "fhec", "gme", "mont"; NULL: base */
    const char *page;    /* Markdown */
    const char *unsupported; /* why it cannot be executed; NULL: it can */
    bool uniform_guard;      /* the guard is a UP */
    uint16_t first_form, form_count;
    const struct fh_check *checks; /* restrictions beyond the fields' own */
    uint8_t check_count;
};

extern const struct fh_insn fh_insns[];
extern const unsigned fh_insn_count;
extern const uint16_t fh_insns_by_root[]; /* their indices, sorted by root */
extern const struct fh_form fh_forms[];
extern const unsigned fh_form_count;
extern const struct fh_pipe fh_pipes[];
extern const unsigned fh_pipe_count;
/* Special registers: SR_TID.X -> 0x21. */
extern const struct fh_mod_value fh_special_registers[];
extern const unsigned fh_special_register_count;
/* Features a .target line may name, beside sm_80. */
extern const char *const fh_features[];
extern const unsigned fh_feature_count;

/* Instructions of the machine that are known by name only, and by opcode if that is not 0. */
struct fh_outside {
    const char *root;
    uint16_t opcode;
    const char *why;
};
extern const struct fh_outside fh_outsides[];
extern const unsigned fh_outside_count;

/* ---------------------------------------------------------------- codec */

/* Why instructions of this mnemonic root, or this word, are not described; NULL if it is none that
 * is known by name. */
const struct fh_outside *fh_outside_of_root(const char *root, size_t length);
const struct fh_outside *fh_outside_of_word(fhec_word word);

/* The i-th instruction when they are sorted by root. */
static inline const struct fh_insn *fh_insn_by_root(unsigned i) {
    return &fh_insns[fh_insns_by_root[i]];
}

/* All instructions of one mnemonic root are fh_insn_by_root(*first) and those behind it; returns
 * how many, 0 if none. */
unsigned fh_insns_of_root(const char *root, size_t length, unsigned *first);

/* The word for `inst`. Operands and modifiers must fit (fh_inst_check); sched as given. */
fhec_word fh_encode(const struct fh_inst *inst);

/* False if the word is no known instruction, or has bits set that no field explains. */
bool fh_decode(fhec_word word, struct fh_inst *inst);

/* Whether no other form has a word that differs from `word`, one of `form`, in bits of `varying`
 * only. */
bool fh_form_alone(const struct fh_form *form, fhec_word word, fhec_word varying);

/* Text without the final " ;"; pc is the instruction's byte address; flags as fhec_disassemble.
 * Length like snprintf. */
int fh_print(const struct fh_inst *inst, uint64_t pc, unsigned flags, char *text, size_t size);
/* The same, where names[i], if not NULL, stands for the value of operand i. */
int fh_print_named(const struct fh_inst *inst, uint64_t pc, unsigned flags,
                   const char *const *names, char *text, size_t size);
int fh_print_mnemonic(const struct fh_inst *inst, char *text, size_t size);
/* Whether the assembler makes the same word of the text that fh_print gives with these flags, if it
 * sets bit 101 of instructions with a descriptor to `descriptor_bit`. The fields that the control
 * prefix shows count with FHEC_DIS_CONTROL only. */
bool fh_print_is_exact(const struct fh_inst *inst, unsigned flags, bool descriptor_bit);

/* How many consecutive registers operand i covers (words, for a constant; else 1), and the
 * alignment that its first one needs. */
static inline unsigned fh_operand_registers(const struct fh_inst *inst, unsigned i) {
    const struct fh_operand_spec *spec = &inst->form->operands[i];
    return spec->registers ? spec->registers(inst) : 1;
}
unsigned fh_operand_alignment(const struct fh_inst *inst, unsigned i);
/* How many registers the base of operand i, an address, has: two are a pair, whose first is even.
 */
unsigned fh_address_registers(const struct fh_inst *inst, unsigned i);

const struct fh_pipe *fh_pipe_of(const struct fh_inst *inst);

/* Whether an address of the instruction has a memory descriptor: desc[UR4][..]. */
bool fh_has_descriptor(const struct fh_inst *inst);
/* Whether a constant operand is what the instruction loads, as LDC does, and no source. */
static inline bool fh_loads_constant(const struct fh_inst *inst) {
    return inst->form->loads_constant;
}
/* Whether the mnemonic has `.E`: addresses have 64 bits. */
bool fh_extended(const struct fh_inst *inst);
/* The width bit (wide) of address operand i when its text gives neither a base register nor a
 * width: `[UR4]`. */
bool fh_default_wide(const struct fh_inst *inst, unsigned i);

/* False if the word is no control instruction: cheaper than to decode it. */
bool fh_may_control(fhec_word word);

/* What is wrong with the instruction's registers, ranges or combination of modifiers. */
enum fh_problem {
    FH_FINE,
    FH_BAD_ALIGNMENT,   /* register not a multiple of the alignment */
    FH_BAD_RANGE,       /* registers run past R254 / UR62 */
    FH_BAD_VALUE,       /* a value does not fit its field */
    FH_BAD_COMBINATION, /* a check of the instruction fails; *operand is the check's index */
};
enum fh_problem fh_inst_check(const struct fh_inst *inst, unsigned *operand);
/* The same of an instruction that fh_decode gave, whose values are those of its fields. */
enum fh_problem fh_decoded_check(const struct fh_inst *inst, unsigned *operand);

/* The value of an operand of the word. */
int64_t fh_operand_value(const struct fh_operand_spec *spec, fhec_word word);

/* Reads and writes a field of a word. */
uint64_t fh_field_get(const struct fh_field *field, fhec_word word);
void fh_field_set(const struct fh_field *field, fhec_word *word, uint64_t value);
bool fh_field_fits(const struct fh_field *field, int64_t value);
/* Whether the operand's value, of an address the one beside the base register `reg`, fits. */
bool fh_operand_value_fits(const struct fh_operand_spec *spec, unsigned reg, int64_t value);

#endif
