/*
 * script_number.c - see script_number.h. Expressions are read by precedence climbing.
 */
#include "script_number.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "message.h"
#include "nearest.h"

bool fh_cli_script_name_set(struct fh_cli_script_names *names, const char *name, int64_t value) {
    struct fh_cli_script_name *list = fh_cli_more(names->list, names->count, sizeof *list);
    char *copy = strdup(name);
    if (list)
        names->list = list;
    if (!list || !copy) {
        free(copy);
        return false;
    }
    list[names->count++] = (struct fh_cli_script_name){copy, value};
    return true;
}

void fh_cli_script_names_cut(struct fh_cli_script_names *names, size_t count) {
    while (names->count > count)
        free(names->list[--names->count].name);
    if (!count) {
        free(names->list);
        names->list = NULL;
    }
}

/* ---------------------------------------------------------------- expressions */

enum { DEEPEST = 64 };

struct reader {
    const struct fh_cli_script_names *names;
    const char *at;
    unsigned depth;
    char *why; /* empty as long as nothing is wrong */
};

static int64_t wrong(struct reader *r, const char *what) {
    if (!*r->why)
        snprintf(r->why, FH_CLI_SCRIPT_WHY, "%s", what);
    return 0;
}

static void skip_blanks(struct reader *r) {
    while (isspace((unsigned char)*r->at))
        r->at++;
}

static int64_t read_name(struct reader *r) {
    struct fh_nearest n;
    const size_t length = strspn(r->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                        "0123456789_");
    const char *name = r->at;
    fh_nearest_begin(&n, name, length);
    r->at += length;
    for (size_t i = r->names->count; i-- > 0;) {
        const struct fh_cli_script_name *known = &r->names->list[i];
        if (strlen(known->name) == length && memcmp(known->name, name, length) == 0)
            return known->value;
        fh_nearest_try(&n, known->name, strlen(known->name));
    }
    char what[FH_CLI_SCRIPT_WHY];
    snprintf(what, sizeof what, "no number is called \"%.*s\"%.60s", length > 40 ? 40 : (int)length,
             name, fh_cli_hint(n.best).text);
    return wrong(r, what);
}

static int64_t read_digits(struct reader *r) {
    char *end;
    const int base = r->at[0] == '0' && (r->at[1] == 'x' || r->at[1] == 'X') ? 16 : 10;
    const uint64_t value = strtoull(r->at, &end, base);
    r->at = end;
    return (int64_t)value;
}

static int64_t read_binary(struct reader *r, unsigned least);

static int64_t read_unary(struct reader *r) {
    skip_blanks(r);
    const char c = *r->at;
    if (++r->depth > DEEPEST)
        return wrong(r, "an expression is nested too deeply");
    int64_t value = 0;
    if (isdigit((unsigned char)c)) {
        value = read_digits(r);
    } else if (isalpha((unsigned char)c) || c == '_') {
        value = read_name(r);
    } else if (c && strchr("-~!", c)) {
        r->at++;
        value = read_unary(r);
        value = c == '-' ? (int64_t)(0 - (uint64_t)value) : c == '~' ? ~value : !value;
    } else if (c == '(') {
        r->at++;
        value = read_binary(r, 0);
        skip_blanks(r);
        if (*r->at != ')')
            return wrong(r, "a ) is missing");
        r->at++;
    } else {
        return wrong(r, "a number is expected");
    }
    r->depth--;
    return value;
}

/* Longer ones first; a higher rank binds more. */
static const struct operator{
    const char *text;
    unsigned rank;
}
operators[] = {
    {"<<", 7}, {">>", 7}, {"<=", 6}, {">=", 6}, {"==", 5}, {"!=", 5}, {"*", 9}, {"/", 9},
    {"%", 9},  {"+", 8},  {"-", 8},  {"<", 6},  {">", 6},  {"&", 4},  {"^", 3}, {"|", 2},
};

static const struct operator* next_operator(struct reader *r) {
    skip_blanks(r);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (strncmp(r->at, operators[i].text, strlen(operators[i].text)) == 0)
            return &operators[i];
    return NULL;
}

static int64_t divide(struct reader *r, bool quotient, int64_t a, int64_t b) {
    if (b == 0)
        return wrong(r, "a division by zero");
    if (b == -1)
        return quotient ? (int64_t)(0 - (uint64_t)a) : 0;
    return quotient ? a / b : a % b;
}

static int64_t apply(struct reader *r, const char *text, int64_t a, int64_t b) {
    const uint64_t x = (uint64_t)a, y = (uint64_t)b;
    const bool equal = text[1] == '=';
    switch (text[0]) {
    case '*': return (int64_t)(x * y);
    case '/':
    case '%': return divide(r, text[0] == '/', a, b);
    case '+': return (int64_t)(x + y);
    case '-': return (int64_t)(x - y);
    case '&': return a & b;
    case '^': return a ^ b;
    case '|': return a | b;
    case '=': return a == b;
    case '!': return a != b;
    case '<':
        if (text[1] == '<')
            return y < 64 ? (int64_t)(x << y) : 0;
        return equal ? a <= b : a < b;
    default:
        if (text[1] == '>')
            return a >> (y < 64 ? y : 63);
        return equal ? a >= b : a > b;
    }
}

static int64_t read_binary(struct reader *r, unsigned least) {
    int64_t value = read_unary(r);
    const struct operator* o;
    while (!*r->why && (o = next_operator(r)) != NULL && o->rank > least) {
        r->at += strlen(o->text);
        const int64_t right = read_binary(r, o->rank);
        value = apply(r, o->text, value, right);
    }
    return value;
}

bool fh_cli_script_number(const struct fh_cli_script_names *names, const char *text, int64_t *value,
                          char why[FH_CLI_SCRIPT_WHY]) {
    struct reader r = {.names = names, .at = text, .why = why};
    why[0] = '\0';
    *value = read_binary(&r, 0);
    skip_blanks(&r);
    if (*r.at)
        (void)wrong(&r, "an operator is expected");
    if (!*why)
        return true;
    const size_t used = strlen(why);
    snprintf(why + used, FH_CLI_SCRIPT_WHY - used, " in \"%.60s\"", text);
    return false;
}

/* ---------------------------------------------------------------- braces */

/* The number of the expression at *at, behind a brace; *at goes behind the other one. */
static bool put_number(const struct fh_cli_script_names *names, const char **at, FILE *to,
                       char why[FH_CLI_SCRIPT_WHY]) {
    const size_t length = strcspn(*at, "}");
    int64_t value;
    if (!(*at)[length]) {
        snprintf(why, FH_CLI_SCRIPT_WHY, "a { has no }");
        return false;
    }
    char *text = strndup(*at, length);
    const bool good = text && fh_cli_script_number(names, text, &value, why);
    free(text);
    if (good)
        fprintf(to, "%lld", (long long)value);
    *at += length + 1;
    return good;
}

static bool expand(const struct fh_cli_script_names *names, const char *line, FILE *to,
                   char why[FH_CLI_SCRIPT_WHY]) {
    char quote = '\0', before = ' ';
    for (const char *at = line; *at;) {
        const char c = *at++;
        if (c == '#' && !quote && isspace((unsigned char)before))
            break;
        before = c;
        if (c == '{' && quote != '\'') {
            if (!put_number(names, &at, to, why))
                return false;
            continue;
        }
        if (quote ? c == quote : c == '\'' || c == '"')
            quote = quote ? '\0' : c;
        fputc(c, to);
        if (c == '\\' && quote != '\'' && *at)
            fputc(before = *at++, to);
    }
    return true;
}

char *fh_cli_script_expand(const struct fh_cli_script_names *names, const char *line,
                           char why[FH_CLI_SCRIPT_WHY]) {
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    why[0] = '\0';
    if (!to)
        return NULL;
    const bool good = expand(names, line, to, why);
    if (fclose(to) == 0 && good)
        return text;
    free(text);
    return NULL;
}
