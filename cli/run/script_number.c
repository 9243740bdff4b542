/*
 * script_number.c - see script_number.h.
 */
#include "script_number.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "message.h"
#include "nearest.h"

bool fh_cli_script_name_set(struct fh_cli_script_names *names, const char *name, fh_integer value) {
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

static bool find_name(void *user, const char *name, size_t length, fh_integer *value,
                      char wrong[FH_EXPRESSION_WRONG]) {
    const struct fh_cli_script_names *names = user;
    struct fh_nearest n;
    fh_nearest_begin(&n, name, length);
    for (size_t i = names->count; i-- > 0;) {
        const struct fh_cli_script_name *known = &names->list[i];
        if (strlen(known->name) == length && memcmp(known->name, name, length) == 0) {
            *value = known->value;
            return true;
        }
        fh_nearest_try(&n, known->name, strlen(known->name));
    }
    snprintf(wrong, FH_EXPRESSION_WRONG, "no number is called \"%.*s\"%.60s",
             length > 40 ? 40 : (int)length, name, fh_cli_hint(n.best).text);
    return false;
}

bool fh_cli_script_number(const struct fh_cli_script_names *names, const char *text,
                          fh_integer *value, char why[FH_CLI_SCRIPT_WHY]) {
    char wrong[FH_EXPRESSION_WRONG];
    why[0] = '\0';
    if (fh_expression_value(text, find_name, (void *)names, value, wrong))
        return true;
    snprintf(why, FH_CLI_SCRIPT_WHY, "%s in \"%.60s\"", wrong, text);
    return false;
}

/* ---------------------------------------------------------------- braces */

/* The number of the expression at *at, behind a brace; *at goes behind the other one. */
static bool put_number(const struct fh_cli_script_names *names, const char **at, FILE *to,
                       char why[FH_CLI_SCRIPT_WHY]) {
    const size_t length = strcspn(*at, "}");
    fh_integer value;
    char digits[FH_INTEGER_TEXT];
    if (!(*at)[length]) {
        snprintf(why, FH_CLI_SCRIPT_WHY, "a { has no }");
        return false;
    }
    char *text = strndup(*at, length);
    const bool good = text && fh_cli_script_number(names, text, &value, why);
    free(text);
    if (good) {
        fh_integer_text(value, digits);
        fputs(digits, to);
    }
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
