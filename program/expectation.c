/*
 * expectation.c - see expectation.h. What is read becomes terms in the order in which they are
 * calculated.
 */
#include "expectation.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 16, DEEPEST = 15 };

struct reading {
    struct fh_expression e;
    fhec_term terms[FHEC_MAX_TERMS];
    uint32_t count;
    uint32_t
        begins[FHEC_MAX_TERMS + 1]; /* of each value that is calculated so far: its first term */
    uint32_t values;
    bool named;     /* the subject is no register */
    bool contract;  /* a value contract is read: it has names, and no elements */
    bool elsewhere; /* what only value contracts have was met */
    char *names[NAMES];
    uint32_t name_count;
};

static bool complain(struct reading *r, const char *problem) {
    return fh_expression_fail(&r->e, r->e.at, 1, "%s", problem);
}

static bool is_wrong(const struct reading *r) {
    return *r->e.wrong != 0;
}

static bool take(struct reading *r, const char *token) {
    const size_t length = strlen(token);
    fh_expression_skip(&r->e);
    if (strncmp(r->e.at, token, length) != 0)
        return false;
    r->e.at += length;
    return true;
}

static void term(struct reading *r, fhec_term_kind kind, int64_t value) {
    if (r->count == FHEC_MAX_TERMS)
        (void)complain(r, "it has too many terms");
    else
        r->terms[r->count++] = (fhec_term){kind, value};
}

static bool begins_name(char c) {
    return isalpha((unsigned char)c) || c == '_' || c == '$';
}

/* The length of the name here; 0: there is none. */
static size_t name_length(const char *at) {
    size_t length = 0;
    if (!begins_name(*at))
        return 0;
    while (begins_name(at[length]) || isdigit((unsigned char)at[length]) || at[length] == '.')
        length++;
    return length;
}

/* "R5", "UR4"; RZ is no register that holds anything. */
static bool register_named(const char *name, size_t length, bool *uniform, uint8_t *reg) {
    unsigned number = 0;
    *uniform = length && *name == 'U';
    const size_t prefix = *uniform ? 2 : 1;
    if (length <= prefix || name[prefix - 1] != 'R' || length > prefix + 3)
        return false;
    for (size_t i = prefix; i < length; i++) {
        if (!isdigit((unsigned char)name[i]))
            return false;
        number = number * 10 + (unsigned)(name[i] - '0');
    }
    *reg = (uint8_t)number;
    return number < (*uniform ? FH_URZ : FH_RZ);
}

/* "P3"; PT is none. */
static bool predicate_named(const char *name, size_t length, int64_t *number) {
    *number = length == 2 ? name[1] - '0' : -1;
    return length == 2 && name[0] == 'P' && *number >= 0 && *number < FH_PT;
}

/* What .let remembers, or a parameter. */
static void other_name(struct reading *r, const char *begin, size_t length) {
    uint32_t k = 0;
    r->elsewhere = true;
    if (!r->contract) {
        (void)complain(r,
                       "it has a name that is no number, register, i, j, lane, warp, block or q");
        return;
    }
    while (k < r->name_count &&
           (strlen(r->names[k]) != length || memcmp(r->names[k], begin, length) != 0))
        k++;
    if (k == NAMES) {
        (void)complain(r, "it has too many names");
    } else if (k == r->name_count) {
        r->names[k] = strndup(begin, length);
        if (!r->names[k]) {
            (void)complain(r, "no memory");
            return;
        }
        r->name_count++;
    }
    term(r, FHEC_TERM_NAME, k);
}

/* A register R at `at`, or a run of them, R4:R7. *first, *last get their numbers. */
static bool register_run(struct reading *r, uint8_t *first, uint8_t *last) {
    bool uniform;
    fh_expression_skip(&r->e);
    size_t length = name_length(r->e.at);
    if (!register_named(r->e.at, length, &uniform, first) || uniform)
        return false;
    r->e.at += length;
    *last = *first;
    if (*r->e.at != ':')
        return true;
    r->e.at++;
    length = name_length(r->e.at);
    if (!register_named(r->e.at, length, &uniform, last) || uniform || *last < *first ||
        *last - *first >= 32)
        (void)complain(r, "a run of registers is R4:R7, the lowest word first, of at most 32");
    r->e.at += length;
    return true;
}

/* "u64(R4)", "s64(R4)", "s32(R4)": a register or a pair, with a sign or without. */
static bool typed(struct reading *r) {
    uint8_t first, last;
    const bool sign = *r->e.at == 's', pair = strncmp(r->e.at + 1, "64(", 3) == 0;
    if ((!sign && *r->e.at != 'u') || (!pair && strncmp(r->e.at + 1, "32(", 3) != 0))
        return false;
    r->e.at += 4;
    r->elsewhere = true;
    if (!register_run(r, &first, &last) || last != first || first + pair >= FH_RZ || !take(r, ")"))
        (void)complain(r, "u64, s64, u32 and s32 take one register, the first of a pair");
    term(r, FHEC_TERM_REGISTERS, first | (first + pair) << 8);
    if (sign)
        term(r, FHEC_TERM_SIGN, pair ? 64 : 32);
    return true;
}

static void name(struct reading *r) {
    static const struct {
        const char *name;
        fhec_term_kind kind;
        int64_t value;
    } names[] = {
        {"i", FHEC_TERM_ROW, 0},         {"j", FHEC_TERM_COLUMN, 0},
        {"lane", FHEC_TERM_LANE, 0},     {"warp", FHEC_TERM_WARP, 0},
        {"block", FHEC_TERM_BLOCK, 0},   {"block.x", FHEC_TERM_BLOCK, 0},
        {"block.y", FHEC_TERM_BLOCK, 1}, {"block.z", FHEC_TERM_BLOCK, 2},
        {"q", FHEC_TERM_MODULUS, 0},
    };
    const size_t length = name_length(r->e.at);
    bool uniform;
    uint8_t reg, last;
    int64_t predicate;
    const char *begin = r->e.at;
    if (typed(r))
        return;
    r->e.at += length;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strlen(names[k].name) == length && memcmp(names[k].name, begin, length) == 0) {
            term(r, names[k].kind, names[k].value);
            if (r->contract &&
                (names[k].kind == FHEC_TERM_ROW || names[k].kind == FHEC_TERM_COLUMN ||
                 names[k].kind == FHEC_TERM_MODULUS))
                (void)complain(r, "i, j and q are those of an operand's elements");
            return;
        }
    if (register_named(begin, length, &uniform, &reg) && !uniform && *r->e.at == ':') {
        r->e.at = begin;
        r->elsewhere = true;
        (void)register_run(r, &reg, &last);
        term(r, FHEC_TERM_REGISTERS, reg | last << 8);
    } else if (register_named(begin, length, &uniform, &reg)) {
        term(r, uniform ? FHEC_TERM_UNIFORM : FHEC_TERM_REGISTER, reg);
    } else if (predicate_named(begin, length, &predicate)) {
        r->elsewhere = true;
        term(r, FHEC_TERM_PREDICATE, predicate);
    } else {
        other_name(r, begin, length);
    }
}

/* A value begins, whose terms follow. */
static void begin_value(struct reading *r) {
    if (r->values < FHEC_MAX_TERMS)
        r->begins[r->values++] = r->count;
}

/* Terms have numbers below 2^63: a larger one is made of them, from its highest bits on. */
static bool number(struct fh_expression *e, const struct fh_wide *value, const char *begin) {
    enum { BITS = 63 };
    struct reading *r = e->user;
    struct fh_wide part = *value;
    uint64_t parts[FH_WIDE_BITS / BITS + 1];
    uint32_t count = 0;
    const struct fh_wide zero = {{0}};
    (void)begin;
    do {
        parts[count++] = part.w[0] & INT64_MAX;
        part = fh_wide_shift_right(&part, BITS);
    } while (fh_wide_compare(&part, &zero) != 0);
    begin_value(r);
    term(r, FHEC_TERM_NUMBER, (int64_t)parts[count - 1]);
    for (uint32_t k = count - 1; k-- > 0;) {
        term(r, FHEC_TERM_NUMBER, BITS);
        term(r, FHEC_TERM_SHIFT_LEFT, 0);
        term(r, FHEC_TERM_NUMBER, (int64_t)parts[k]);
        term(r, FHEC_TERM_ADD, 0);
    }
    return !is_wrong(r);
}

static bool operand(struct fh_expression *e) {
    struct reading *r = e->user;
    if (!name_length(e->at))
        return complain(r, "a number or a name is missing");
    begin_value(r);
    name(r);
    return !is_wrong(r);
}

/* Exchanges the terms from `first` on with those from `second` on. */
static void exchange(struct reading *r, uint32_t first, uint32_t second) {
    fhec_term copy[FHEC_MAX_TERMS];
    const uint32_t left = second - first, right = r->count - second;
    memcpy(copy, &r->terms[first], left * sizeof *copy);
    memmove(&r->terms[first], &r->terms[second], right * sizeof *copy);
    memcpy(&r->terms[first + right], copy, left * sizeof *copy);
}

/* `swapped`: the right side comes first; `inverted`: the result is 1 less it. */
static const struct operation {
    fhec_term_kind kind;
    uint8_t operands;
    bool inverted; /* of LESS and EQUAL */
    bool swapped;
} operations[FH_OPERATORS] = {
    [FH_OP_ADD] = {FHEC_TERM_ADD, 2, false, false},
    [FH_OP_SUB] = {FHEC_TERM_SUBTRACT, 2, false, false},
    [FH_OP_MUL] = {FHEC_TERM_MULTIPLY, 2, false, false},
    [FH_OP_DIV] = {FHEC_TERM_DIVIDE, 2, false, false},
    [FH_OP_MOD] = {FHEC_TERM_REMAINDER, 2, false, false},
    [FH_OP_SHL] = {FHEC_TERM_SHIFT_LEFT, 2, false, false},
    [FH_OP_SHR] = {FHEC_TERM_SHIFT_RIGHT, 2, false, false},
    [FH_OP_LT] = {FHEC_TERM_LESS, 2, false, false},
    [FH_OP_LE] = {FHEC_TERM_LESS, 2, true, true},
    [FH_OP_GT] = {FHEC_TERM_LESS, 2, false, true},
    [FH_OP_GE] = {FHEC_TERM_LESS, 2, true, false},
    [FH_OP_EQ] = {FHEC_TERM_EQUAL, 2, false, false},
    [FH_OP_NE] = {FHEC_TERM_EQUAL, 2, true, false},
    [FH_OP_AND] = {FHEC_TERM_AND, 2, false, false},
    [FH_OP_XOR] = {FHEC_TERM_XOR, 2, false, false},
    [FH_OP_OR] = {FHEC_TERM_OR, 2, false, false},
    [FH_OP_LAND] = {FHEC_TERM_BOTH, 2, false, false},
    [FH_OP_LOR] = {FHEC_TERM_EITHER, 2, false, false},
    [FH_OP_SELECT] = {FHEC_TERM_CHOICE, 3, false, false},
    [FH_OP_NEG] = {FHEC_TERM_NEGATE, 1, false, false},
    [FH_OP_INV] = {FHEC_TERM_INVERT, 1, false, false},
};

static void apply(struct fh_expression *e, enum fh_operator op, const char *at) {
    struct reading *r = e->user;
    const struct operation *o = &operations[op];
    (void)at;
    if (op == FH_OP_PLUS)
        return;
    if (op == FH_OP_NOT) {
        term(r, FHEC_TERM_NUMBER, 0);
        term(r, FHEC_TERM_EQUAL, 0);
        return;
    }
    r->values -= o->operands - 1u;
    if (o->swapped)
        exchange(r, r->begins[r->values - 1], r->begins[r->values]);
    term(r, o->kind, 0);
    if (o->inverted) {
        term(r, FHEC_TERM_NUMBER, 1);
        term(r, FHEC_TERM_XOR, 0);
    }
}

/* A side of the statement; what has been read of it stays one value. */
static void expression(struct reading *r, enum fh_level least) {
    if (!is_wrong(r))
        (void)fh_expression_read(&r->e, least);
}

/* "BUFFER[EXPRESSION]" that is all there is; else nothing is read. */
static bool buffer_place(struct reading *r, struct fh_expectation *e) {
    bool uniform;
    uint8_t reg;
    fh_expression_skip(&r->e);
    const size_t length = name_length(r->e.at);
    const char *begin = r->e.at;
    if (!length || register_named(begin, length, &uniform, &reg))
        return false;
    r->e.at += length;
    if (!take(r, "[")) {
        r->e.at = begin;
        return false;
    }
    e->buffer = strndup(begin, length);
    expression(r, FH_LEVEL_NONE);
    if (!take(r, "]"))
        (void)complain(r, "a bracket is not closed");
    return true;
}

static void subject(struct reading *r, struct fh_expectation *e) {
    int64_t predicate;
    fh_expression_skip(&r->e);
    const size_t length = name_length(r->e.at);
    r->elsewhere = predicate_named(r->e.at, length, &predicate); /* no operand is called so */
    r->named = !register_named(r->e.at, length, &e->uniform, &e->reg);
    if (!length)
        (void)complain(r, "it begins with the name of an operand or a register");
    else if (r->named)
        e->operand = strndup(r->e.at, length);
    r->e.at += length;
}

static void relation(struct reading *r, struct fh_expectation *e) {
    if (take(r, "<="))
        e->relation = FHEC_EXPECT_AT_MOST;
    else if (take(r, "<"))
        e->relation = FHEC_EXPECT_BELOW;
    else if (take(r, "==") || take(r, "="))
        e->relation = FHEC_EXPECT_VALUE;
    else
        (void)complain(r, "=, < or <= stands behind the operand or register");
}

/* ".expect" of an operand's elements, or of a register and what is known in one place. */
static void operand_statement(struct reading *r, struct fh_expectation *e) {
    subject(r, e);
    relation(r, e);
    if (!is_wrong(r) && e->relation == FHEC_EXPECT_VALUE && buffer_place(r, e))
        e->relation = FHEC_EXPECT_PLACE;
    else if (!is_wrong(r))
        expression(r, FH_LEVEL_NONE);
}

/* "LEFT = RIGHT mod M", "LEFT < RIGHT" */
static void value_statement(struct reading *r, struct fh_expectation *e) {
    r->contract = true;
    expression(r, FH_LEVEL_SHIFT);
    e->left_count = r->count;
    relation(r, e);
    if (!is_wrong(r))
        expression(r, FH_LEVEL_NONE);
    fh_expression_skip(&r->e);
    if (is_wrong(r) || name_length(r->e.at) != 3 || memcmp(r->e.at, "mod", 3) != 0)
        return;
    r->e.at += 3;
    e->congruent = true;
    if (e->relation != FHEC_EXPECT_VALUE)
        (void)complain(r, "mod stands behind an equation");
    expression(r, FH_LEVEL_NONE);
}

/* "NAME = EXPRESSION" */
static void let_statement(struct reading *r, struct fh_expectation *e) {
    bool uniform;
    uint8_t reg;
    int64_t predicate;
    r->contract = true;
    fh_expression_skip(&r->e);
    const size_t length = name_length(r->e.at);
    if (!length || register_named(r->e.at, length, &uniform, &reg) ||
        predicate_named(r->e.at, length, &predicate))
        (void)complain(r, "it begins with a new name");
    e->operand = strndup(r->e.at, length);
    r->e.at += length;
    e->relation = FHEC_EXPECT_VALUE;
    if (!take(r, "="))
        (void)complain(r, "= stands behind the name");
    expression(r, FH_LEVEL_NONE);
    e->left_count = r->count;
}

/* Whether calculating the terms takes more values at a time than whoever does it has room for. */
static bool is_too_deep(const struct reading *r) {
    unsigned depth = 0;
    for (uint32_t k = 0; k < r->count; k++) {
        const fhec_term_kind kind = r->terms[k].kind;
        if (kind < FHEC_TERM_NEGATE)
            depth++;
        else if (kind >= FHEC_TERM_MULTIPLY)
            depth -= kind == FHEC_TERM_CHOICE ? 2 : 1;
        if (depth >= DEEPEST)
            return true;
    }
    return false;
}

static void statement(struct reading *r, struct fh_expectation *e) {
    switch (e->contract) {
    case FHEC_CONTRACT_OPERAND: operand_statement(r, e); break;
    case FHEC_CONTRACT_LET: let_statement(r, e); break;
    default: value_statement(r, e); break;
    }
    fh_expression_skip(&r->e);
    if (*r->e.at)
        (void)complain(r, "there is more behind the expression");
    else if (is_too_deep(r))
        (void)complain(r, "it is nested too deep");
}

static void forget(struct reading *r, struct fh_expectation *e) {
    for (uint32_t k = 0; k < r->name_count; k++)
        free(r->names[k]);
    r->name_count = 0;
    fh_expectation_free(e);
}

/* Moves what was read; false without memory. */
static bool keep(struct reading *r, struct fh_expectation *e, const char *text) {
    e->text = strdup(text);
    e->terms = malloc((r->count + 1u) * sizeof *e->terms);
    e->names = calloc(r->name_count + 1u, sizeof *e->names);
    if (!e->text || !e->terms || !e->names)
        return false;
    memcpy(e->terms, r->terms, r->count * sizeof *e->terms);
    e->term_count = r->count;
    memcpy((void *)e->names, (const void *)r->names, r->name_count * sizeof *e->names);
    e->name_count = r->name_count;
    r->name_count = 0;
    return true;
}

static void begin(struct reading *r, const char *text) {
    static const struct fh_expression_rules rules = {
        .number = number, .operand = operand, .apply = apply};
    *r = (struct reading){.count = 0};
    fh_expression_begin(&r->e, &rules, r, text);
}

static void tell(const struct reading *r, struct fh_expectation_wrong *wrong) {
    memcpy(wrong->what, r->e.wrong, sizeof wrong->what);
    wrong->at = r->e.wrong_at ? (size_t)(r->e.wrong_at - r->e.text) : 0;
    wrong->length = r->e.wrong_length;
}

enum fh_expectation_problem fh_expectation_parse(struct fh_expectation *e, fhec_contract contract,
                                                 const char *text,
                                                 struct fh_expectation_wrong *wrong) {
    struct reading r, other;
    begin(&r, text);
    e->contract = (uint8_t)contract;
    statement(&r, e);
    if (contract == FHEC_CONTRACT_OPERAND && (is_wrong(&r) || r.elsewhere)) {
        begin(&other, text);
        forget(&r, e);
        e->contract = FHEC_CONTRACT_EXPECT;
        statement(&other, e);
        if (is_wrong(&other)) {
            tell(r.elsewhere || e->left_count > 1 ? &other : &r, wrong);
            forget(&other, e);
            return FH_EXPECTATION_WRONG;
        }
        r = other;
    }
    tell(&r, wrong);
    const bool copied = (e->operand || !r.named) &&
                        (e->buffer || e->relation != FHEC_EXPECT_PLACE || e->left_count);
    const bool kept = !is_wrong(&r) && copied && keep(&r, e, text);
    if (!kept)
        forget(&r, e);
    return is_wrong(&r) ? FH_EXPECTATION_WRONG
           : kept       ? FH_EXPECTATION_FINE
                        : FH_EXPECTATION_NO_MEMORY;
}

void fh_expectation_free(struct fh_expectation *e) {
    for (uint32_t k = 0; k < e->name_count; k++)
        free(e->names[k]);
    free((void *)e->names);
    free(e->text);
    free(e->operand);
    free(e->buffer);
    free(e->terms);
    e->text = e->operand = e->buffer = NULL;
    e->terms = NULL;
    e->names = NULL;
    e->term_count = e->name_count = e->left_count = 0;
    e->congruent = false;
}

const char *fh_contract_directive(uint8_t contract) {
    return contract == FHEC_CONTRACT_LET      ? ".let"
           : contract == FHEC_CONTRACT_ENSURE ? ".ensure"
                                              : ".expect";
}

bool fh_expectation_fits(const struct fh_expectation *e, fhec_word word) {
    struct fh_inst inst;
    if (e->contract != FHEC_CONTRACT_OPERAND)
        return true;
    if (!fh_decode(word, &inst))
        return !e->operand;
    for (unsigned i = 0; e->operand && i < inst.form->operand_count; i++) {
        const char *name = inst.form->operands[i].name;
        if (strcmp(name, e->operand) == 0 ||
            (strcmp(name, "Rd") == 0 && strcmp(e->operand, "D") == 0))
            return true;
    }
    return !e->operand;
}
