/*
 * query_parse.c - an expression's text as nodes: operators by precedence, names as they stand.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query_tree.h"

struct parser {
    struct fh_query *query;
    const char *text;
    size_t at;
    unsigned depth;
    struct fh_query_error *error;
    bool failed;
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

static void skip_blanks(struct parser *p) {
    while (isspace((unsigned char)p->text[p->at]))
        p->at++;
}

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

static uint16_t fail(struct parser *p, size_t at, size_t length, const char *what) {
    if (!p->failed)
        (void)fh_query_wrong(p->error, at, length, "%s", what);
    p->failed = true;
    return 0;
}

static bool takes(struct parser *p, char letter) {
    skip_blanks(p);
    if (p->text[p->at] != letter)
        return false;
    p->at++;
    return true;
}

static bool expects(struct parser *p, char letter) {
    char what[48];
    if (takes(p, letter))
        return true;
    (void)snprintf(what, sizeof what, "`%c` is expected here", letter);
    (void)fail(p, p->at, 1, what);
    return false;
}

static uint16_t add(struct parser *p, struct fh_query_node node) {
    struct fh_query *q = p->query;
    if (p->failed)
        return 0;
    if (q->count == FH_QUERY_NODES)
        return fail(p, node.at, node.length, "the expression is too long");
    q->nodes[q->count] = node;
    return q->count++;
}

static bool deeper(struct parser *p) {
    if (p->depth < FH_QUERY_DEPTH) {
        p->depth++;
        return true;
    }
    (void)fail(p, p->at, 1, "too much is within each other here");
    return false;
}

static uint16_t parse_all(struct parser *p);
static uint16_t parse_unary(struct parser *p);

/* ---------------------------------------------------------------- what stands alone */

static int digit_of(char letter) {
    if (isdigit((unsigned char)letter))
        return letter - '0';
    return isxdigit((unsigned char)letter) ? tolower((unsigned char)letter) - 'a' + 10 : 99;
}

/* "1.5", "2e-3": of 64 bits. */
static uint16_t parse_float(struct parser *p, size_t begin) {
    struct fh_query_node node = {.kind = FH_QUERY_NUMBER,
                                 .form = FH_QUERY_FLOAT,
                                 .wide = true,
                                 .is_signed = true,
                                 .at = (uint32_t)begin};
    char *end;
    const double number = strtod(p->text + begin, &end);
    p->at = (size_t)(end - p->text);
    if (is_name(*end, false) || *end == '.')
        return fail(p, begin, p->at - begin + 1, "this is no number");
    memcpy(&node.number, &number, sizeof node.number);
    node.length = (uint32_t)(p->at - begin);
    return add(p, node);
}

static uint16_t parse_number(struct parser *p) {
    const size_t begin = p->at;
    unsigned base = 10;
    bool large = false;
    uint64_t number = 0;
    if (p->text[p->at] == '0' && (p->text[p->at + 1] | 32) == 'x')
        base = 16;
    else if (p->text[p->at] == '0' && (p->text[p->at + 1] | 32) == 'b')
        base = 2;
    p->at += base == 10 ? 0 : 2;
    const size_t digits = p->at;
    for (; digit_of(p->text[p->at]) < (int)base; p->at++)
        large |= __builtin_mul_overflow(number, base, &number) ||
                 __builtin_add_overflow(number, (uint64_t)digit_of(p->text[p->at]), &number);
    const bool point = p->text[p->at] == '.' && p->text[p->at + 1] != '.';
    if (base == 10 && (point || (p->text[p->at] | 32) == 'e'))
        return parse_float(p, begin);
    if (p->at == digits || is_name(p->text[p->at], false) || point)
        return fail(p, begin, p->at - begin + 1, "this is no number");
    if (large)
        return fail(p, begin, p->at - begin, "the number has more than 64 bits");
    /* as C: decimal ones are signed, others unsigned where they only fit so */
    const bool wide = number > UINT32_MAX || (base == 10 && number > INT32_MAX);
    const bool fits = number <= (wide ? (uint64_t)INT64_MAX : (uint64_t)INT32_MAX);
    return add(p, (struct fh_query_node){.kind = FH_QUERY_NUMBER,
                                         .number = number,
                                         .wide = wide,
                                         .is_signed = fits,
                                         .at = (uint32_t)begin,
                                         .length = (uint32_t)(p->at - begin)});
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
    const char *behind = p->text + p->at + length;
    const bool data = node.file == FHEC_FILE_R || node.file == FHEC_FILE_UR;
    const size_t more = data && *behind == ':' ? register_at(behind + 1, &next) : 0;
    node.kind = FH_QUERY_REGISTER;
    node.at = (uint32_t)p->at;
    if (more && next.file == node.file && next.reg == node.reg + 1) {
        node.count = 2;
        length += more + 1;
    } else if (more) {
        return fail(p, p->at, length + more + 1,
                    "a pair is a register and the one behind it, R4:R5");
    } else if (data && strncmp(behind, ".64", 3) == 0 && !is_name(behind[3], false)) {
        node.count = 2;
        length += 3;
    }
    node.length = (uint32_t)length;
    p->at += length;
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
    p->at += node.length;
    if (expects(p, '['))
        node.a = parse_all(p);
    (void)(!p->failed && expects(p, ']'));
    if (node.space == FHEC_SPACE_CONSTANT && !p->failed && expects(p, '[')) {
        node.b = parse_all(p);
        (void)(!p->failed && expects(p, ']'));
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
        const size_t at = p->at;
        const uint16_t value = parse_all(p);
        if (count++ == most)
            return fail(p, at, 1, "there are too many here");
        if (last)
            p->query->nodes[last].next = value;
        else
            first = value;
        last = value;
    } while (!p->failed && takes(p, ','));
    (void)(!p->failed && expects(p, closing));
    return p->failed ? 0 : first;
}

static uint16_t parse_golden(struct parser *p, struct fh_query_node node) {
    static const size_t prefix = sizeof "golden." - 1;
    p->at += node.length;
    node.kind = FH_QUERY_GOLDEN;
    node.at += (uint32_t)prefix;
    node.length -= (uint32_t)prefix;
    if (!expects(p, '('))
        return 0;
    node.a = parse_values(p, ')', FH_QUERY_ARGUMENTS);
    return add(p, node);
}

static uint16_t parse_list(struct parser *p) {
    struct fh_query_node node = {.kind = FH_QUERY_LIST, .at = (uint32_t)p->at, .length = 1};
    p->at++;
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
    const char *name = p->text + p->at;
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
    p->at += node.length;
    if (!expects(p, '('))
        return 0;
    node.a = parse_all(p);
    (void)(!p->failed && expects(p, ')'));
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
    const char *name = p->text + p->at;
    struct fh_query_node node = {.at = (uint32_t)p->at};
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
    p->at += length;
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

static uint16_t parse_primary(struct parser *p) {
    skip_blanks(p);
    const char letter = p->text[p->at];
    if (letter == '(') {
        p->at++;
        const uint16_t inner = parse_all(p);
        (void)(!p->failed && expects(p, ')'));
        return inner;
    }
    if (isdigit((unsigned char)letter))
        return parse_number(p);
    if (is_name(letter, true))
        return parse_name(p);
    if (letter == '[')
        return parse_list(p);
    return fail(p, p->at, 1,
                letter ? "a register, a name or a number is expected here"
                       : "the expression ends where a value is expected");
}

/* Between the ends of a part: ":" or "..". */
static bool takes_range(struct parser *p) {
    if (takes(p, ':'))
        return true;
    if (p->text[p->at] != '.' || p->text[p->at + 1] != '.')
        return false;
    p->at += 2;
    return true;
}

/* x[i], x[i:j], R4@13, R4@*: to the right of a value. */
static uint16_t parse_postfix(struct parser *p) {
    uint16_t value = parse_primary(p);
    while (!p->failed) {
        struct fh_query_node node = {.a = value};
        skip_blanks(p);
        node.at = (uint32_t)p->at;
        node.length = 1;
        if (takes(p, '[')) {
            node.kind = FH_QUERY_INDEX;
            node.b = parse_all(p);
            if (!p->failed && takes_range(p)) {
                node.kind = FH_QUERY_SLICE;
                node.c = parse_all(p);
            }
            (void)(!p->failed && expects(p, ']'));
        } else if (takes(p, '@')) {
            node.kind = takes(p, '*') ? FH_QUERY_EVERY : FH_QUERY_LANE;
            if (node.kind == FH_QUERY_LANE)
                node.b = parse_primary(p);
        } else {
            return value;
        }
        value = add(p, node);
    }
    return 0;
}

static uint16_t parse_unary(struct parser *p) {
    skip_blanks(p);
    struct fh_query_node node = {
        .kind = FH_QUERY_UNARY, .at = (uint32_t)p->at, .length = 1, .op = p->text[p->at]};
    if (!node.op || !strchr("-+~!&", node.op))
        return parse_postfix(p);
    if (!deeper(p))
        return 0;
    p->at++;
    if (node.op == '&')
        node.kind = FH_QUERY_ADDRESS;
    node.a = parse_unary(p);
    p->depth--;
    return add(p, node);
}

/* ---------------------------------------------------------------- operators */

struct operation {
    char text[3];
    int strength; /* tighter ones have more */
};

/* The operator here; longer ones first. NULL: none. */
static const struct operation *operator_at(const char *text) {
    static const struct operation operators[] = {
        {"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7},
        {"<<", 8}, {">>", 8}, {"|", 3},  {"^", 4},  {"&", 5},  {"<", 7},
        {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10},
    };
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (strncmp(text, operators[i].text, strlen(operators[i].text)) == 0)
            return &operators[i];
    return NULL;
}

static uint16_t parse_binary(struct parser *p, int least) {
    if (!deeper(p))
        return 0;
    uint16_t left = parse_unary(p);
    for (;;) {
        skip_blanks(p);
        const struct operation *found = p->failed ? NULL : operator_at(p->text + p->at);
        if (!found || found->strength < least)
            break;
        struct fh_query_node node = {.kind = FH_QUERY_BINARY,
                                     .at = (uint32_t)p->at,
                                     .length = (uint32_t)strlen(found->text),
                                     .a = left,
                                     .op = FH_QUERY_OP2(found->text[0], found->text[1])};
        p->at += node.length;
        node.b = parse_binary(p, found->strength + 1);
        left = add(p, node);
    }
    p->depth--;
    return p->failed ? 0 : left;
}

static uint16_t parse_choice(struct parser *p) {
    if (!deeper(p))
        return 0;
    struct fh_query_node node = {.kind = FH_QUERY_CHOICE, .length = 1};
    node.a = parse_binary(p, 1);
    skip_blanks(p);
    node.at = (uint32_t)p->at;
    uint16_t value = node.a;
    if (!p->failed && takes(p, '?')) {
        node.b = parse_choice(p);
        if (!p->failed && expects(p, ':'))
            node.c = parse_choice(p);
        value = add(p, node);
    }
    p->depth--;
    return value;
}

/* With `mod`, which holds all to its left. */
static uint16_t parse_all(struct parser *p) {
    if (!deeper(p))
        return 0;
    uint16_t value = parse_choice(p);
    for (;;) {
        skip_blanks(p);
        struct fh_query_node node = {
            .kind = FH_QUERY_MODULO, .at = (uint32_t)p->at, .length = 3, .a = value};
        if (p->failed || name_length(p->text + p->at) != 3 ||
            strncmp(p->text + p->at, "mod", 3) != 0)
            break;
        p->at += 3;
        node.b = parse_choice(p);
        value = add(p, node);
    }
    p->depth--;
    return p->failed ? 0 : value;
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
    struct parser p = {.query = q, .text = q->text, .error = error};
    if (strlen(text) >= 1 << 16)
        (void)fail(&p, 0, 1, "the expression is too long");
    else
        q->root = parse_all(&p);
    skip_blanks(&p);
    if (!p.failed && q->text[p.at])
        (void)fail(&p, p.at, 1, "nothing is expected here any more");
    if (p.failed) {
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
