/*
 * query_parse.c - an expression's text as nodes: operators by precedence, names as they stand.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression_text.h"
#include "query_tree.h"

enum { VALUES = FH_QUERY_NODES };

struct parser {
    struct fh_query *query;
    struct fh_expression e;
    uint16_t values[VALUES]; /* nodes that no other one has taken yet */
    unsigned count;
};

fhec_status fh_query_wrong(struct fh_query_error *error, size_t at, size_t length,
                           const char *format, ...) {
    va_list arguments;
    error->at = at;
    error->length = length ? length : 1;
    va_start(arguments, format);
    (void)vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return FHEC_BAD_INPUT;
}

/* ---------------------------------------------------------------- letters */

static bool is_name(char letter, bool first) {
    return letter == '_' || letter == '$' ||
           (first ? isalpha((unsigned char)letter) : isalnum((unsigned char)letter)) != 0;
}

/* A name with dots within; 0: none stands here. */
static size_t name_length(const char *text) {
    size_t n = 0;
    while (is_name(text[n], n == 0) || (n && text[n] == '.' && is_name(text[n + 1], false)))
        n++;
    return n;
}

static bool has_failed(const struct parser *p) {
    return *p->e.wrong != 0;
}

static size_t place_of(const struct parser *p) {
    return (size_t)(p->e.at - p->e.text);
}

static uint16_t fail(struct parser *p, size_t at, size_t length, const char *what) {
    (void)fh_expression_fail(&p->e, p->e.text + at, length, "%s", what);
    return 0;
}

static bool takes(struct parser *p, char letter) {
    return fh_expression_take(&p->e, letter);
}

static bool expects(struct parser *p, char letter) {
    return takes(p, letter) ||
           fh_expression_fail(&p->e, p->e.at, 1, "`%c` is expected here", letter);
}

static uint16_t add(struct parser *p, struct fh_query_node node) {
    struct fh_query *q = p->query;
    if (has_failed(p))
        return 0;
    if (q->count == FH_QUERY_NODES)
        return fail(p, node.at, node.length, "the expression is too long");
    q->nodes[q->count] = node;
    return q->count++;
}

/* Every node is taken at most once, so there is room. */
static bool push(struct parser *p, uint16_t node) {
    if (!has_failed(p))
        p->values[p->count++] = node;
    return !has_failed(p);
}

static uint16_t pop(struct parser *p) {
    return p->count ? p->values[--p->count] : 0;
}

static uint16_t parse_all(struct parser *p);

/* ---------------------------------------------------------------- what stands alone */

/* "1.5", "2e-3": of 64 bits. */
static uint16_t parse_float(struct parser *p, size_t length) {
    struct fh_query_node node = {.kind = FH_QUERY_NUMBER,
                                 .form = FH_QUERY_FLOAT,
                                 .wide = true,
                                 .is_signed = true,
                                 .at = (uint32_t)place_of(p),
                                 .length = (uint32_t)length};
    const double number = strtod(p->e.at, NULL);
    p->e.at += length;
    memcpy(&node.number, &number, sizeof node.number);
    return add(p, node);
}

/* As C: decimal ones are signed, others unsigned where they only fit so. */
static bool parse_number(struct fh_expression *e, const struct fh_wide *value, const char *begin) {
    struct parser *p = e->user;
    __int128 narrow;
    const size_t length = (size_t)(e->at - begin);
    if (!fh_wide_narrow(value, &narrow) || narrow > UINT64_MAX)
        return fh_expression_fail(e, begin, length, "the number has more than 64 bits");
    const uint64_t number = (uint64_t)narrow;
    const bool decimal = length == 1 || *begin != '0';
    const bool wide = number > UINT32_MAX || (decimal && number > INT32_MAX);
    const bool fits = number <= (wide ? (uint64_t)INT64_MAX : (uint64_t)INT32_MAX);
    return push(p,
                add(p, (struct fh_query_node){.kind = FH_QUERY_NUMBER,
                                              .number = number,
                                              .wide = wide,
                                              .is_signed = fits,
                                              .exact = decimal ? FH_QUERY_DECIMAL : FH_QUERY_BITS,
                                              .at = (uint32_t)(begin - e->text),
                                              .length = (uint32_t)length}));
}

/* R4, UR6, P0, UP1, and RZ, URZ, PT, UPT; how many letters, 0: none. */
static size_t register_at(const char *text, struct fh_query_node *node) {
    static const struct {
        const char *prefix;
        fhec_register_file file;
        char none;
        unsigned limit;
    } files[] = {{"UR", FHEC_FILE_UR, 'Z', 63},
                 {"UP", FHEC_FILE_UP, 'T', 7},
                 {"R", FHEC_FILE_R, 'Z', 255},
                 {"P", FHEC_FILE_P, 'T', 7}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const size_t n = strlen(files[i].prefix);
        size_t end = n;
        unsigned number = 0;
        if (strncmp(text, files[i].prefix, n) != 0)
            continue;
        if (text[n] == files[i].none) {
            number = files[i].limit;
            end++;
        } else {
            while (isdigit((unsigned char)text[end]) && end < n + 3)
                number = 10 * number + (unsigned)(text[end++] - '0');
        }
        if (end == n || is_name(text[end], false) || number > files[i].limit)
            continue;
        node->file = files[i].file;
        node->reg = (uint16_t)number;
        node->count = 1;
        return end;
    }
    return 0;
}

/* A register behind whose number a pair may be told. */
static uint16_t parse_register(struct parser *p, struct fh_query_node node, size_t length) {
    struct fh_query_node next;
    const char *behind = p->e.at + length;
    const bool data = node.file == FHEC_FILE_R || node.file == FHEC_FILE_UR;
    const size_t more = data && *behind == ':' ? register_at(behind + 1, &next) : 0;
    node.kind = FH_QUERY_REGISTER;
    node.at = (uint32_t)place_of(p);
    if (more && next.file == node.file && next.reg == node.reg + 1) {
        node.count = 2;
        length += more + 1;
    } else if (more) {
        return fail(p, place_of(p), length + more + 1,
                    "a pair is a register and the one behind it, R4:R5");
    } else if (data && strncmp(behind, ".64", 3) == 0 && !is_name(behind[3], false)) {
        node.count = 2;
        length += 3;
    }
    node.length = (uint32_t)length;
    p->e.at += length;
    return add(p, node);
}

static bool type_named(const char *text, size_t length, enum fh_query_type *type) {
    static const char *const names[FH_QUERY_TYPES] = {"u8",  "s8",  "u16", "s16",
                                                      "u32", "s32", "u64", "s64"};
    for (unsigned i = 0; i < FH_QUERY_TYPES; i++) {
        if (strlen(names[i]) == length && strncmp(names[i], text, length) == 0) {
            *type = (enum fh_query_type)i;
            return true;
        }
    }
    return false;
}

/* global, shared, local, with a type behind a dot; c[bank][address]. False: it is none of them. */
static bool space_named(const char *name, size_t length, struct fh_query_node *node) {
    static const struct {
        const char *name;
        fhec_space space;
    } spaces[] = {{"global", FHEC_SPACE_GLOBAL},
                  {"shared", FHEC_SPACE_SHARED},
                  {"local", FHEC_SPACE_LOCAL},
                  {"c", FHEC_SPACE_CONSTANT}};
    const char *dot = memchr(name, '.', length);
    const size_t head = dot ? (size_t)(dot - name) : length;
    node->type = FH_QUERY_U32;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        if (strlen(spaces[i].name) != head || strncmp(spaces[i].name, name, head) != 0)
            continue;
        node->space = spaces[i].space;
        return !dot || type_named(dot + 1, length - head - 1, &node->type);
    }
    return false;
}

static uint16_t parse_memory(struct parser *p, struct fh_query_node node) {
    node.kind = FH_QUERY_MEMORY;
    p->e.at += node.length;
    if (expects(p, '['))
        node.a = parse_all(p);
    (void)(!has_failed(p) && expects(p, ']'));
    if (node.space == FHEC_SPACE_CONSTANT && !has_failed(p) && expects(p, '[')) {
        node.b = parse_all(p);
        (void)(!has_failed(p) && expects(p, ']'));
    }
    return add(p, node);
}

/* Values up to the closing letter, one behind another as `next` of the first, which is returned; 0:
 * there are none. */
static uint16_t parse_values(struct parser *p, char closing, size_t most) {
    uint16_t first = 0, last = 0;
    size_t count = 0;
    if (takes(p, closing))
        return 0;
    do {
        const size_t at = place_of(p);
        const uint16_t value = parse_all(p);
        if (count++ == most)
            return fail(p, at, 1, "there are too many here");
        if (last)
            p->query->nodes[last].next = value;
        else
            first = value;
        last = value;
    } while (!has_failed(p) && takes(p, ','));
    (void)(!has_failed(p) && expects(p, closing));
    return has_failed(p) ? 0 : first;
}

static uint16_t parse_golden(struct parser *p, struct fh_query_node node) {
    static const size_t prefix = sizeof "golden." - 1;
    p->e.at += node.length;
    node.kind = FH_QUERY_GOLDEN;
    node.at += (uint32_t)prefix;
    node.length -= (uint32_t)prefix;
    if (!expects(p, '('))
        return 0;
    node.a = parse_values(p, ')', FH_QUERY_ARGUMENTS);
    return add(p, node);
}

static uint16_t parse_list(struct parser *p) {
    struct fh_query_node node = {.kind = FH_QUERY_LIST, .at = (uint32_t)place_of(p), .length = 1};
    p->e.at++;
    node.a = parse_values(p, ']', FH_QUERY_NODES);
    if (!node.a)
        return fail(p, node.at, 1, "a list has at least one element");
    return add(p, node);
}

/* "s32(", "f16x2(". */
static uint16_t parse_cast(struct parser *p, struct fh_query_node node) {
    static const struct {
        const char *name;
        enum fh_query_form form;
        unsigned bits;
    } forms[] = {{"f16", FH_QUERY_FLOAT, 16},
                 {"f32", FH_QUERY_FLOAT, 32},
                 {"f64", FH_QUERY_FLOAT, 64},
                 {"f16x2", FH_QUERY_HALVES, 32}};
    const char *name = p->e.at;
    node.kind = FH_QUERY_CAST;
    if (!type_named(name, node.length, &node.type)) {
        size_t i = 0;
        while (i < 4 && (strlen(forms[i].name) != node.length ||
                         strncmp(forms[i].name, name, node.length) != 0))
            i++;
        if (i == 4)
            return fail(p, node.at, node.length,
                        "there is no such function; casts are s8 to s64, u8 to u64, f16, f32, f64 "
                        "and f16x2, and there is golden.NAME(...)");
        node.form = forms[i].form;
        node.number = forms[i].bits;
    }
    p->e.at += node.length;
    if (!expects(p, '('))
        return 0;
    node.a = parse_all(p);
    (void)(!has_failed(p) && expects(p, ')'));
    return add(p, node);
}

/* Names of the place itself. */
static bool place_named(const char *name, size_t length, uint64_t *which) {
    static const char *const names[] = {"lane", "warp", "block.x", "block.y", "block.z"};
    for (*which = 0; *which < sizeof names / sizeof *names; (*which)++)
        if (strlen(names[*which]) == length && strncmp(names[*which], name, length) == 0)
            return true;
    return false;
}

static uint16_t parse_name(struct parser *p) {
    const char *name = p->e.at;
    struct fh_query_node node = {.at = (uint32_t)place_of(p)};
    const size_t reg = register_at(name, &node), length = name_length(name);
    node.length = (uint32_t)length;
    if (reg)
        return parse_register(p, node, reg);
    const char behind = name[length + strspn(name + length, " \t")];
    if (behind == '[' && space_named(name, length, &node))
        return parse_memory(p, node);
    if (strncmp(name, "golden.", 7) == 0)
        return parse_golden(p, node);
    if (behind == '(')
        return parse_cast(p, node);
    p->e.at += length;
    node.kind = FH_QUERY_NAME;
    if (place_named(name, length, &node.number)) {
        node.kind = FH_QUERY_PLACE;
    } else if (strncmp(name, "param.", 6) == 0) {
        node.kind = FH_QUERY_PARAMETER;
        node.at += 6;
        node.length -= 6;
    }
    return add(p, node);
}

/* "&x[3]" */
static uint16_t parse_address(struct parser *p) {
    struct fh_query_node node = {
        .kind = FH_QUERY_ADDRESS, .at = (uint32_t)place_of(p), .length = 1};
    p->e.at++;
    if (!fh_expression_unary(&p->e))
        return 0;
    node.a = pop(p);
    return add(p, node);
}

static bool parse_operand(struct fh_expression *e) {
    struct parser *p = e->user;
    const char letter = *e->at;
    const size_t digits = fh_literal_length(e->at);
    if (digits)
        return push(p, parse_float(p, digits));
    if (letter == '&')
        return push(p, parse_address(p));
    if (is_name(letter, true))
        return push(p, parse_name(p));
    if (letter == '[')
        return push(p, parse_list(p));
    return fh_expression_fail(e, e->at, 1,
                              letter ? "a register, a name or a number is expected here"
                                     : "the expression ends where a value is expected");
}

/* Between the ends of a part: ":" or "..". */
static bool takes_range(struct parser *p) {
    if (takes(p, ':'))
        return true;
    if (p->e.at[0] != '.' || p->e.at[1] != '.')
        return false;
    p->e.at += 2;
    return true;
}

/* "[i]", "[i:j]" behind a value. */
static uint16_t parse_index(struct parser *p, uint16_t value, size_t at) {
    struct fh_query_node node = {
        .kind = FH_QUERY_INDEX, .a = value, .at = (uint32_t)at, .length = 1};
    node.b = parse_all(p);
    if (!has_failed(p) && takes_range(p)) {
        node.kind = FH_QUERY_SLICE;
        node.c = parse_all(p);
    }
    (void)(!has_failed(p) && expects(p, ']'));
    return add(p, node);
}

/* "@13", "@*" behind a value. */
static uint16_t parse_lane(struct parser *p, uint16_t value, size_t at) {
    struct fh_query_node node = {
        .kind = FH_QUERY_EVERY, .a = value, .at = (uint32_t)at, .length = 1};
    if (takes(p, '*'))
        return add(p, node);
    node.kind = FH_QUERY_LANE;
    if (!fh_expression_primary(&p->e))
        return 0;
    node.b = pop(p);
    return add(p, node);
}

/* x[i], x[i:j], R4@13, R4@*: to the right of a value. */
static bool parse_behind(struct fh_expression *e) {
    struct parser *p = e->user;
    while (!has_failed(p)) {
        fh_expression_skip(e);
        const size_t at = place_of(p);
        if (takes(p, '['))
            (void)push(p, parse_index(p, pop(p), at));
        else if (takes(p, '@'))
            (void)push(p, parse_lane(p, pop(p), at));
        else
            return true;
    }
    return false;
}

/* ---------------------------------------------------------------- operators */

static void apply(struct fh_expression *e, enum fh_operator op, const char *at) {
    struct parser *p = e->user;
    struct fh_query_node node = {.kind = op == FH_OP_SELECT  ? FH_QUERY_CHOICE
                                         : op < FH_OP_SELECT ? FH_QUERY_BINARY
                                                             : FH_QUERY_UNARY,
                                 .op = op,
                                 .at = (uint32_t)(at - e->text),
                                 .length = (uint32_t)strlen(fh_operator_text(op))};
    if (op == FH_OP_SELECT)
        node.c = pop(p);
    if (op <= FH_OP_SELECT)
        node.b = pop(p);
    node.a = pop(p);
    (void)push(p, add(p, node));
}

/* With `mod`, which holds all to its left. */
static uint16_t parse_all(struct parser *p) {
    if (!fh_expression_read(&p->e, FH_LEVEL_NONE))
        return 0;
    uint16_t value = pop(p);
    for (;;) {
        fh_expression_skip(&p->e);
        struct fh_query_node node = {
            .kind = FH_QUERY_MODULO, .at = (uint32_t)place_of(p), .length = 3, .a = value};
        if (has_failed(p) || name_length(p->e.at) != 3 || strncmp(p->e.at, "mod", 3) != 0)
            break;
        p->e.at += 3;
        if (!fh_expression_read(&p->e, FH_LEVEL_NONE))
            return 0;
        node.b = pop(p);
        value = add(p, node);
    }
    return has_failed(p) ? 0 : value;
}

static bool parse_inside(struct fh_expression *e) {
    struct parser *p = e->user;
    return push(p, parse_all(p));
}

fhec_status fh_query_parse(const char *text, struct fh_query **query,
                           struct fh_query_error *error) {
    struct fh_query *q = calloc(1, sizeof *q);
    *query = NULL;
    *error = (struct fh_query_error){0};
    if (q)
        q->text = strdup(text);
    if (!q || !q->text) {
        free(q);
        return FHEC_HOST_ERROR;
    }
    q->count = 1;
    static const struct fh_expression_rules rules = {.number = parse_number,
                                                     .operand = parse_operand,
                                                     .apply = apply,
                                                     .behind = parse_behind,
                                                     .inside = parse_inside};
    struct parser p = {.query = q};
    fh_expression_begin(&p.e, &rules, &p, q->text);
    if (strlen(text) >= 1 << 16)
        (void)fail(&p, 0, 1, "the expression is too long");
    else
        q->root = parse_all(&p);
    if (!has_failed(&p) && *p.e.at)
        (void)fail(&p, place_of(&p), 1, "nothing is expected here any more");
    if (has_failed(&p)) {
        (void)fh_query_wrong(error, (size_t)(p.e.wrong_at - p.e.text), p.e.wrong_length, "%s",
                             p.e.wrong);
        fh_query_free(q);
        return FHEC_BAD_INPUT;
    }
    *query = q;
    return FHEC_OK;
}

void fh_query_free(struct fh_query *query) {
    if (query)
        free(query->text);
    free(query);
}
