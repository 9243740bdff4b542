/*
 * expectation.c - see expectation.h. The parser climbs precedences; what it reads becomes terms in
 * the order in which they are calculated.
 */
#include "expectation.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NESTING = 32 };

struct reading {
    const char *at;
    fhec_term terms[FHEC_MAX_TERMS];
    uint32_t count;
    unsigned depth;
    bool named;          /* the subject is no register */
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
    uint8_t reg;
    const char *begin = r->at;
    r->at += length;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strlen(names[k].name) == length && memcmp(names[k].name, begin, length) == 0) {
            term(r, names[k].kind, names[k].value);
            return;
        }
    if (register_named(begin, length, &uniform, &reg))
        term(r, uniform ? FHEC_TERM_UNIFORM : FHEC_TERM_REGISTER, reg);
    else
        complain(r, "it has a name that is no number, register, i, j, lane, warp, block or q");
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

enum fh_expectation_problem fh_expectation_parse(struct fh_expectation *e, const char *text,
                                                 const char **problem) {
    struct reading r = {.at = text};
    subject(&r, e);
    relation(&r, e);
    if (!r.problem && e->relation == FHEC_EXPECT_VALUE && buffer_place(&r, e))
        e->relation = FHEC_EXPECT_PLACE;
    else if (!r.problem)
        expression(&r, 0);
    skip(&r);
    if (*r.at)
        complain(&r, "there is more behind the expression");
    const bool copied = (e->operand || !r.named) && (e->buffer || e->relation);
    e->text = strdup(text);
    e->terms = malloc((r.count + 1u) * sizeof *e->terms);
    *problem = r.problem;
    if (r.problem || !copied || !e->text || !e->terms) {
        fh_expectation_free(e);
        return r.problem ? FH_EXPECTATION_WRONG : FH_EXPECTATION_NO_MEMORY;
    }
    memcpy(e->terms, r.terms, r.count * sizeof *e->terms);
    e->term_count = r.count;
    return FH_EXPECTATION_FINE;
}

void fh_expectation_free(struct fh_expectation *e) {
    free(e->text);
    free(e->operand);
    free(e->buffer);
    free(e->terms);
    e->text = e->operand = e->buffer = NULL;
    e->terms = NULL;
    e->term_count = 0;
}

bool fh_expectation_fits(const struct fh_expectation *e, fhec_word word) {
    struct fh_inst inst;
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
