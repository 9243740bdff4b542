/*
 * origin_code.c - see origin_code.h.
 */
#include "origin_code.h"

#include <string.h>

/* Whether the mnemonic is `root` or goes on with a dot behind it. */
static bool is(const char *mnemonic, const char *root) {
    const size_t length = strlen(root);
    return strncmp(mnemonic, root, length) == 0 && (!mnemonic[length] || mnemonic[length] == '.');
}

static bool is_one_of(const char *mnemonic, const char *const *roots) {
    for (; *roots; roots++)
        if (is(mnemonic, *roots))
            return true;
    return false;
}

static const fhec_operand *named(const fhec_instruction *in, const char *name) {
    for (uint32_t i = 0; i < in->operand_count; i++)
        if (strcmp(in->operands[i].name, name) == 0)
            return &in->operands[i];
    return NULL;
}

static bool plain(const fhec_operand *o) {
    return o && !o->negated && !o->absolute;
}

static bool zero(const fhec_operand *o) {
    return o && ((o->kind == FHEC_OPERAND_IMMEDIATE && o->value == 0) ||
                 ((o->kind == FHEC_OPERAND_REGISTER || o->kind == FHEC_OPERAND_UNIFORM) &&
                  o->reg == FHEC_NO_REGISTER));
}

static bool part(const char *mnemonic, const char *modifier) {
    const char *at = strstr(mnemonic, modifier);
    const size_t length = strlen(modifier);
    return at && (!at[length] || at[length] == '.');
}

/* The first operand that is registers and written. */
static const fhec_operand *written(const fhec_instruction *in) {
    for (uint32_t i = 0; i < in->operand_count; i++) {
        const fhec_operand *o = &in->operands[i];
        if (o->written && (o->kind == FHEC_OPERAND_REGISTER || o->kind == FHEC_OPERAND_UNIFORM))
            return o;
    }
    return NULL;
}

static void make_memory(struct fh_origin_op *op, const fhec_instruction *in) {
    static const char *const loads[] = {"LDG", "LDS", "LDL", "LD", "LDC", "ULDC", NULL};
    static const char *const stores[] = {"STG", "STS", "STL", "ST", NULL};
    static const char *const atomics[] = {"ATOM", "ATOMG", "ATOMS", "RED", NULL};
    const char *m = in->mnemonic;
    op->generic = is(m, "LD") || is(m, "ST") || is(m, "ATOM");
    op->width = part(m, ".U8") || part(m, ".S8") ? 8 : part(m, ".U16") || part(m, ".S16") ? 16 : 32;
    if (is_one_of(m, loads)) {
        op->action = FH_ORIGIN_LOADS;
    } else if (is(m, "LDSM")) {
        op->action = FH_ORIGIN_LOADS_MATRICES;
        op->transposed = part(m, ".MT88");
    } else if (is_one_of(m, stores)) {
        op->action = FH_ORIGIN_STORES;
        op->from[0] = named(in, "data");
    } else if (is(m, "LDGSTS")) {
        op->action = FH_ORIGIN_COPIES;
    } else if (is_one_of(m, atomics)) {
        op->action = FH_ORIGIN_CHANGES;
    }
}

static void make_shuffle(struct fh_origin_op *op, const char *mnemonic) {
    op->action = FH_ORIGIN_SHUFFLES;
    op->shuffle = part(mnemonic, ".IDX")    ? FH_SHUFFLE_IDX
                  : part(mnemonic, ".UP")   ? FH_SHUFFLE_UP
                  : part(mnemonic, ".DOWN") ? FH_SHUFFLE_DOWN
                                            : FH_SHUFFLE_BFLY;
}

/* Shifts by whole bytes of words without a sign: {C, A} >> B, the high or the low word. */
static void make_shift(struct fh_origin_op *op, const char *m, const fhec_operand *a,
                       const fhec_operand *b, const fhec_operand *c) {
    if (!a || !b || !c || b->kind != FHEC_OPERAND_IMMEDIATE || b->value % 8 || b->value <= 0 ||
        b->value >= 32)
        return;
    op->bytes = (uint8_t)(b->value / 8);
    if (part(m, ".R") && part(m, ".U32") && part(m, ".HI") && zero(a)) {
        op->action = FH_ORIGIN_SHIFTS; /* 0 >> of C alone */
        op->from[0] = c;
        op->from[1] = a;
    } else if (part(m, ".R") && part(m, ".U64") && !part(m, ".HI")) {
        op->action = FH_ORIGIN_SHIFTS;
        op->from[0] = a;
        op->from[1] = c;
    } else if (part(m, ".L") && !part(m, ".HI") && part(m, ".U32")) {
        op->action = FH_ORIGIN_SHIFTS; /* A << n is {A, 0} >> 32 - n */
        op->bytes = (uint8_t)(4 - op->bytes);
        op->from[0] = c;
        op->from[1] = a;
        if (!zero(c))
            op->action = FH_ORIGIN_MAKES;
    }
}

static void make_moves(struct fh_origin_op *op, const fhec_instruction *in) {
    static const char *const selects[] = {"SEL", "USEL", "FSEL", NULL};
    static const char *const moves[] = {"MOV", "UMOV", "MOV32I", NULL};
    static const char *const permutes[] = {"PRMT", "UPRMT", NULL};
    const char *m = in->mnemonic;
    const fhec_operand *a = named(in, "A"), *b = named(in, "B"), *c = named(in, "C");
    op->from[0] = a;
    op->from[1] = b;
    if (is_one_of(m, moves) && b && in->operand_count == 2) {
        op->action = FH_ORIGIN_MOVES;
        op->from[0] = b;
    } else if (is_one_of(m, selects) && plain(a) && plain(b) && named(in, "Pp")) {
        op->action = FH_ORIGIN_SELECTS;
        op->selector = named(in, "Pp");
    } else if (is_one_of(m, permutes) && strchr(m, '.') == NULL && a && b && c) {
        op->action = FH_ORIGIN_PERMUTES;
        op->from[1] = c;
        op->selector = b;
    } else if (is(m, "SHFL") && a && b && c) {
        make_shuffle(op, m);
        op->selector = b;
        op->clamp = c;
    } else if (is(m, "R2UR") && a && !part(m, ".OR")) {
        op->action = FH_ORIGIN_TAKES_LANE;
    } else if (is(m, "SHF")) {
        make_shift(op, m, a, b, c);
    } else if (is(m, "IADD3") && !part(m, ".X") && plain(a) && zero(b) && zero(c)) {
        op->action = FH_ORIGIN_MOVES;
    } else if (is(m, "IMAD.MOV") && plain(c)) {
        op->action = FH_ORIGIN_MOVES;
        op->from[0] = c;
    }
}

void fh_origin_op_make(struct fh_origin_op *op, const fhec_instruction *in) {
    op->action = FH_ORIGIN_MAKES;
    make_memory(op, in);
    if (op->action == FH_ORIGIN_MAKES)
        make_moves(op, in);
    op->to = written(in);
    op->to_file = op->to && op->to->kind == FHEC_OPERAND_UNIFORM ? FHEC_FILE_UR : FHEC_FILE_R;
}

bool fh_origin_op_accesses(const struct fh_origin_op *op) {
    return op->action >= FH_ORIGIN_LOADS;
}
