/*
 * expectation.c - see expectation.h. The parser climbs precedences; what it reads becomes terms in
 * the order in which they are calculated.
 */
#include "expectation.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NESTING = 32, NAMES = 16 };

struct reading {
    const char *at;
    fhec_term terms[FHEC_MAX_TERMS];
    uint32_t count;
    unsigned depth;
    bool named;     /* the subject is no register */
    bool contract;  /* a value contract is read: it has names, and no elements */
    bool elsewhere; /* what only value contracts have was met */
    char *names[NAMES];
    uint32_t name_count;
    const char *problem; /* the first one; NULL: none */
};

static void complain(struct reading *r, const char *problem) {
    if (!r->problem)
        r->problem = problem;
}

static void skip(struct reading *r) {
    while (*r->at == ' ' || *r->at == '\t')
        r->at++;
}

static bool take(struct reading *r, const char *token) {
    const size_t length = strlen(token);
    skip(r);
    if (strncmp(r->at, token, length) != 0)
        return false;
    r->at += length;
    return true;
}

static void term(struct reading *r, fhec_term_kind kind, int64_t value) {
    if (r->count == FHEC_MAX_TERMS)
        complain(r, "it has too many terms");
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

static void expression(struct reading *r, unsigned level);

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
        complain(r, "it has a name that is no number, register, i, j, lane, warp, block or q");
        return;
    }
    while (k < r->name_count &&
           (strlen(r->names[k]) != length || memcmp(r->names[k], begin, length) != 0))
        k++;
    if (k == NAMES) {
        complain(r, "it has too many names");
    } else if (k == r->name_count) {
        r->names[k] = strndup(begin, length);
        if (!r->names[k]) {
            complain(r, "no memory");
            return;
        }
        r->name_count++;
    }
    term(r, FHEC_TERM_NAME, k);
}

/* A register R at `at`, or a run of them, R4:R7. *first, *last get their numbers. */
static bool register_run(struct reading *r, uint8_t *first, uint8_t *last) {
    bool uniform;
    skip(r);
    size_t length = name_length(r->at);
    if (!register_named(r->at, length, &uniform, first) || uniform)
        return false;
    r->at += length;
    *last = *first;
    if (*r->at != ':')
        return true;
    r->at++;
    length = name_length(r->at);
    if (!register_named(r->at, length, &uniform, last) || uniform || *last < *first ||
        *last - *first >= 32)
        complain(r, "a run of registers is R4:R7, the lowest word first, of at most 32");
    r->at += length;
    return true;
}

/* "u64(R4)", "s64(R4)", "s32(R4)": a register or a pair, with a sign or without. */
static bool typed(struct reading *r) {
    uint8_t first, last;
    const bool sign = *r->at == 's', pair = strncmp(r->at + 1, "64(", 3) == 0;
    if ((!sign && *r->at != 'u') || (!pair && strncmp(r->at + 1, "32(", 3) != 0))
        return false;
    r->at += 4;
    r->elsewhere = true;
    if (!register_run(r, &first, &last) || last != first || first + pair >= FH_RZ || !take(r, ")"))
        complain(r, "u64, s64, u32 and s32 take one register, the first of a pair");
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
    const size_t length = name_length(r->at);
    bool uniform;
    uint8_t reg, last;
    int64_t predicate;
    const char *begin = r->at;
    if (typed(r))
        return;
    r->at += length;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strlen(names[k].name) == length && memcmp(names[k].name, begin, length) == 0) {
            term(r, names[k].kind, names[k].value);
            if (r->contract &&
                (names[k].kind == FHEC_TERM_ROW || names[k].kind == FHEC_TERM_COLUMN ||
                 names[k].kind == FHEC_TERM_MODULUS))
                complain(r, "i, j and q are those of an operand's elements");
            return;
        }
    if (register_named(begin, length, &uniform, &reg) && !uniform && *r->at == ':') {
        r->at = begin;
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

static void primary(struct reading *r) {
    char *end;
    skip(r);
    if (++r->depth > NESTING) {
        complain(r, "it is nested too deep");
    } else if (take(r, "-")) {
        primary(r);
        term(r, FHEC_TERM_NEGATE, 0);
    } else if (take(r, "~")) {
        primary(r);
        term(r, FHEC_TERM_INVERT, 0);
    } else if (take(r, "(")) {
        expression(r, 0);
        if (!take(r, ")"))
            complain(r, "a parenthesis is not closed");
    } else if (isdigit((unsigned char)*r->at)) {
        const unsigned long long number = strtoull(r->at, &end, 0);
        term(r, FHEC_TERM_NUMBER, (int64_t)number);
        r->at = end;
    } else if (name_length(r->at)) {
        name(r);
    } else {
        complain(r, "a number or a name is missing");
    }
    r->depth--;
}

/* The binary operators, longer ones before those that they begin with. `swapped`: the right side
 * comes first; `inverted`: the result is 1 less it. */
static const struct operation {
    const char *text;
    unsigned level;
    fhec_term_kind kind;
    bool inverted; /* of LESS and EQUAL */
    bool swapped;
} operations[] = {
    {"<<", 5, FHEC_TERM_SHIFT_LEFT, false, false}, {">>", 5, FHEC_TERM_SHIFT_RIGHT, false, false},
    {"<=", 4, FHEC_TERM_LESS, true, true},         {">=", 4, FHEC_TERM_LESS, true, false},
    {"==", 3, FHEC_TERM_EQUAL, false, false},      {"!=", 3, FHEC_TERM_EQUAL, true, false},
    {"<", 4, FHEC_TERM_LESS, false, false},        {">", 4, FHEC_TERM_LESS, false, true},
    {"|", 0, FHEC_TERM_OR, false, false},          {"^", 1, FHEC_TERM_XOR, false, false},
    {"&", 2, FHEC_TERM_AND, false, false},         {"+", 6, FHEC_TERM_ADD, false, false},
    {"-", 6, FHEC_TERM_SUBTRACT, false, false},    {"*", 7, FHEC_TERM_MULTIPLY, false, false},
    {"/", 7, FHEC_TERM_DIVIDE, false, false},      {"%", 7, FHEC_TERM_REMAINDER, false, false},
};

static const struct operation *next_operation(struct reading *r, unsigned level) {
    skip(r);
    for (size_t k = 0; k < sizeof operations / sizeof *operations; k++)
        if (strncmp(r->at, operations[k].text, strlen(operations[k].text)) == 0)
            return operations[k].level >= level ? &operations[k] : NULL;
    return NULL;
}

/* Exchanges the terms from `first` on with those from `second` on. */
static void exchange(struct reading *r, uint32_t first, uint32_t second) {
    fhec_term copy[FHEC_MAX_TERMS];
    const uint32_t left = second - first, right = r->count - second;
    memcpy(copy, &r->terms[first], left * sizeof *copy);
    memmove(&r->terms[first], &r->terms[second], right * sizeof *copy);
    memcpy(&r->terms[first + right], copy, left * sizeof *copy);
}

static void expression(struct reading *r, unsigned level) {
    const uint32_t first = r->count;
    const struct operation *o;
    primary(r);
    while (!r->problem && (o = next_operation(r, level)) != NULL) {
        const uint32_t second = r->count;
        r->at += strlen(o->text);
        expression(r, o->level + 1);
        if (o->swapped && !r->problem)
            exchange(r, first, second);
        term(r, o->kind, 0);
        if (o->inverted) {
            term(r, FHEC_TERM_NUMBER, 1);
            term(r, FHEC_TERM_XOR, 0);
        }
    }
}

/* "BUFFER[EXPRESSION]" that is all there is; else nothing is read. */
static bool buffer_place(struct reading *r, struct fh_expectation *e) {
    bool uniform;
    uint8_t reg;
    skip(r);
    const size_t length = name_length(r->at);
    const char *begin = r->at;
    if (!length || register_named(begin, length, &uniform, &reg))
        return false;
    r->at += length;
    if (!take(r, "[")) {
        r->at = begin;
        return false;
    }
    e->buffer = strndup(begin, length);
    expression(r, 0);
    if (!take(r, "]"))
        complain(r, "a bracket is not closed");
    return true;
}

static void subject(struct reading *r, struct fh_expectation *e) {
    skip(r);
    const size_t length = name_length(r->at);
    r->named = !register_named(r->at, length, &e->uniform, &e->reg);
    if (!length)
        complain(r, "it begins with the name of an operand or a register");
    else if (r->named)
        e->operand = strndup(r->at, length);
    r->at += length;
}

static void relation(struct reading *r, struct fh_expectation *e) {
    if (take(r, "<="))
        e->relation = FHEC_EXPECT_AT_MOST;
    else if (take(r, "<"))
        e->relation = FHEC_EXPECT_BELOW;
    else if (take(r, "==") || take(r, "="))
        e->relation = FHEC_EXPECT_VALUE;
    else
        complain(r, "=, < or <= stands behind the operand or register");
}

/* ".expect" of an operand's elements, or of a register and what is known in one place. */
static void operand_statement(struct reading *r, struct fh_expectation *e) {
    subject(r, e);
    relation(r, e);
    if (!r->problem && e->relation == FHEC_EXPECT_VALUE && buffer_place(r, e))
        e->relation = FHEC_EXPECT_PLACE;
    else if (!r->problem)
        expression(r, 0);
}

/* "LEFT = RIGHT mod M", "LEFT < RIGHT" */
static void value_statement(struct reading *r, struct fh_expectation *e) {
    enum { ABOVE_COMPARISONS = 5 };
    r->contract = true;
    expression(r, ABOVE_COMPARISONS);
    e->left_count = r->count;
    relation(r, e);
    if (!r->problem)
        expression(r, 0);
    skip(r);
    if (r->problem || name_length(r->at) != 3 || memcmp(r->at, "mod", 3) != 0)
        return;
    r->at += 3;
    e->congruent = true;
    if (e->relation != FHEC_EXPECT_VALUE)
        complain(r, "mod stands behind an equation");
    expression(r, 0);
}

/* "NAME = EXPRESSION" */
static void let_statement(struct reading *r, struct fh_expectation *e) {
    bool uniform;
    uint8_t reg;
    int64_t predicate;
    r->contract = true;
    skip(r);
    const size_t length = name_length(r->at);
    if (!length || register_named(r->at, length, &uniform, &reg) ||
        predicate_named(r->at, length, &predicate))
        complain(r, "it begins with a new name");
    e->operand = strndup(r->at, length);
    r->at += length;
    e->relation = FHEC_EXPECT_VALUE;
    if (!take(r, "="))
        complain(r, "= stands behind the name");
    expression(r, 0);
    e->left_count = r->count;
}

static void statement(struct reading *r, struct fh_expectation *e) {
    switch (e->contract) {
    case FHEC_CONTRACT_OPERAND: operand_statement(r, e); break;
    case FHEC_CONTRACT_LET: let_statement(r, e); break;
    default: value_statement(r, e); break;
    }
    skip(r);
    if (*r->at)
        complain(r, "there is more behind the expression");
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

enum fh_expectation_problem fh_expectation_parse(struct fh_expectation *e, fhec_contract contract,
                                                 const char *text, const char **problem) {
    struct reading r = {.at = text};
    e->contract = (uint8_t)contract;
    statement(&r, e);
    if (r.problem && contract == FHEC_CONTRACT_OPERAND) {
        struct reading other = {.at = text};
        forget(&r, e);
        e->contract = FHEC_CONTRACT_EXPECT;
        statement(&other, e);
        if (other.problem) {
            *problem = r.elsewhere || e->left_count > 1 ? other.problem : r.problem;
            forget(&other, e);
            return FH_EXPECTATION_WRONG;
        }
        r = other;
    }
    *problem = r.problem;
    const bool copied = (e->operand || !r.named) &&
                        (e->buffer || e->relation != FHEC_EXPECT_PLACE || e->left_count);
    const bool kept = !r.problem && copied && keep(&r, e, text);
    if (!kept)
        forget(&r, e);
    return r.problem ? FH_EXPECTATION_WRONG : kept ? FH_EXPECTATION_FINE : FH_EXPECTATION_NO_MEMORY;
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

static bool number_of(const fhec_term *t, int64_t x, int64_t y, int64_t *value) {
    const uint64_t a = (uint64_t)x, b = (uint64_t)y;
    switch (t->kind) {
    case FHEC_TERM_ADD: *value = (int64_t)(a + b); return true;
    case FHEC_TERM_SUBTRACT: *value = (int64_t)(a - b); return true;
    case FHEC_TERM_MULTIPLY: *value = (int64_t)(a * b); return true;
    case FHEC_TERM_SHIFT_LEFT: *value = (int64_t)(a << (b & 63)); return true;
    case FHEC_TERM_SHIFT_RIGHT: *value = x >> (b & 63); return true;
    case FHEC_TERM_AND: *value = x & y; return true;
    case FHEC_TERM_XOR: *value = x ^ y; return true;
    case FHEC_TERM_OR: *value = x | y; return true;
    case FHEC_TERM_LESS: *value = x < y; return true;
    case FHEC_TERM_EQUAL: *value = x == y; return true;
    case FHEC_TERM_DIVIDE:
    case FHEC_TERM_REMAINDER:
        if (y == 0 || y == -1)
            return false;
        *value = t->kind == FHEC_TERM_DIVIDE ? x / y : x % y;
        return true;
    default: return false;
    }
}

bool fh_expectation_number(const char *text, int64_t *value) {
    struct reading r = {.at = text};
    int64_t stack[FHEC_MAX_TERMS];
    size_t depth = 0;
    expression(&r, 0);
    skip(&r);
    if (r.problem || *r.at)
        return false;
    for (uint32_t k = 0; k < r.count; k++) {
        const fhec_term *t = &r.terms[k];
        if (t->kind == FHEC_TERM_NUMBER)
            stack[depth++] = t->value;
        else if (t->kind == FHEC_TERM_NEGATE)
            stack[depth - 1] = (int64_t)(0 - (uint64_t)stack[depth - 1]);
        else if (depth < 2 || !number_of(t, stack[depth - 2], stack[depth - 1], &stack[depth - 2]))
            return false;
        else
            depth--;
    }
    *value = depth == 1 ? stack[0] : 0;
    return depth == 1;
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
