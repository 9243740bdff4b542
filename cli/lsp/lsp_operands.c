/*
 * lsp_operands.c - see lsp_operands.h. The pages of the book are all there is to know it from: the
 * line "IADD3{.X} Rd, {Pu,} {Pv,} -~A, ..." gives the operands and which of them may be left out,
 * the table of operands what each may be.
 */
#include <string.h>

#include "fhec.h"
#include "lsp_operands.h"

enum { MOST = 16 /* operands of an instruction */, MOST_KINDS = 8 };

struct operand {
    const char *name;
    size_t length;
    bool optional;
};

struct operands {
    struct operand list[MOST];
    size_t count, needed;
};

/* ---------------------------------------------------------------- pages */

const char *fh_lsp_page(const char *mnemonic, size_t length) {
    char text[64] = "";
    const char *page = NULL, *name, *title;
    memcpy(text, mnemonic, length < sizeof text ? length : sizeof text - 1);
    while (!(page = fhec_isa_page(text))) {
        size_t n = strlen(text);
        for (size_t i = 0; n && !page && fhec_isa_entry(i, &name, &title); i++)
            if (!strncmp(name, text, n) && name[n] == '.')
                page = fhec_isa_page(name);
        char *dot = strrchr(text, '.');
        if (page || !dot)
            break;
        *dot = '\0';
    }
    return page;
}

size_t fh_lsp_syntax(const char *page, const char **syntax) {
    const char *block = strstr(page, "```\n");
    *syntax = block ? block + strlen("```\n") : "";
    return strcspn(*syntax, "\n");
}

/* ---------------------------------------------------------------- as the book has it */

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static size_t word_length(const char *text, const char *end) {
    size_t n = 0;
    while (text + n < end && (is_letter(text[n]) || (text[n] >= '0' && text[n] <= '9')))
        n++;
    return n;
}

/* Words behind the mnemonic are operands, but for defaults ("=!PT") and conditions ("X:", "if X").
 */
static void read_operands(const char *syntax, size_t length, struct operands *o) {
    const char *p = memchr(syntax, ' ', length), *end = syntax + length;
    bool skip = false;
    int depth = 0;
    *o = (struct operands){0};
    while (p && p < end) {
        size_t n = is_letter(*p) ? word_length(p, end) : 0;
        if (n == 2 && !memcmp(p, "if", 2)) {
            skip = true;
        } else if (n && p + n < end && p[n] == ':') {
            skip = false;
        } else if (n && !skip && o->count < MOST) {
            o->list[o->count++] = (struct operand){p, n, depth > 0};
            o->needed += depth == 0;
        }
        if (n)
            skip = skip && n == 2 && !memcmp(p, "if", 2);
        else
            skip |= *p == '=';
        depth += n ? 0 : *p == '{' || *p == '[' ? 1 : *p == '}' || *p == ']' ? -1 : 0;
        p += n ? n : 1;
    }
}

/* ---------------------------------------------------------------- as it is written */

/* Whether the operand that begins at a token is a predicate, by the machine's name of it. */
static bool is_predicate(const struct fh_source_file *file, size_t token) {
    const struct fh_source_token *t = &file->tokens.list[token];
    if (t->kind == FH_SOURCE_OPERATOR && file->text[t->begin] == '!')
        t++;
    const char *text = file->text + t->begin;
    return t->kind == FH_SOURCE_WORD && (*text == 'P' || !strncmp(text, "UP", 2)) &&
           fh_is_machine_name(text, t->end - t->begin);
}

struct written {
    bool predicate[MOST];
    size_t count;
    size_t at; /* which one the place is in */
};

static void read_written(const struct fh_source_file *file, const struct fh_source_token *mnemonic,
                         size_t offset, struct written *w) {
    int depth = 0;
    size_t i = fh_source_token_behind(&file->tokens, mnemonic->begin) + 1;
    bool begins = true;
    *w = (struct written){0};
    for (; i < file->tokens.count && w->count < MOST; i++) {
        const struct fh_source_token *t = &file->tokens.list[i];
        char c = file->text[t->begin];
        if (t->kind == FH_SOURCE_NEWLINE || t->kind == FH_SOURCE_SEMICOLON)
            break;
        if (t->kind == FH_SOURCE_COMMENT)
            continue;
        if (begins)
            w->predicate[w->count++] = is_predicate(file, i);
        if (t->begin <= offset)
            w->at = w->count - 1;
        begins = t->kind == FH_SOURCE_COMMA && depth == 0;
        if (t->kind == FH_SOURCE_OPERATOR)
            depth += c == '(' || c == '[' || c == '{'   ? 1
                     : c == ')' || c == ']' || c == '}' ? -1
                                                        : 0;
    }
}

/* The operand that the w->at-th written one is. What may be left out is there if there are enough
 * operands for it, and it is a predicate if that is. NULL: it cannot be told. */
static const struct operand *match(const struct operands *o, const struct written *w) {
    size_t spare = w->count > o->needed ? w->count - o->needed : 0;
    for (size_t i = 0, k = 0; i < o->count && k < w->count; i++) {
        const struct operand *operand = &o->list[i];
        bool predicate = *operand->name == 'P' || !strncmp(operand->name, "UP", 2);
        bool all = o->count == w->count;
        if (operand->optional && !all && (!spare || predicate != w->predicate[k]))
            continue;
        spare -= operand->optional && spare;
        if (k++ == w->at)
            return operand;
    }
    return NULL;
}

/* ---------------------------------------------------------------- what it may be */

/* The next cell of a table's line, without blanks; its length. */
static size_t next_cell(const char **line, const char **cell) {
    const char *begin = *line + strspn(*line, "| ");
    size_t n = strcspn(begin, "|\n");
    *line = begin + n;
    *cell = begin;
    while (n > 0 && begin[n - 1] == ' ')
        n--;
    return n;
}

/* The lines "| B | RR | register | 39:32 | read | ..." about an operand: what it is, each once. */
static void write_kinds(FILE *to, const char *page, const struct operand *operand) {
    const char *kinds[MOST_KINDS], *line = strstr(page, "| operand |");
    size_t lengths[MOST_KINDS], count = 0;
    for (; line && *line == '|'; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *at = line, *cell, *kind, *access;
        size_t n = next_cell(&at, &cell);
        if (n != operand->length || memcmp(cell, operand->name, n) != 0)
            continue;
        (void)next_cell(&at, &cell);
        size_t length = next_cell(&at, &kind), known = 0;
        (void)next_cell(&at, &cell);
        size_t access_length = next_cell(&at, &access);
        while (known < count &&
               (lengths[known] != length || memcmp(kinds[known], kind, length) != 0))
            known++;
        if (known < count || count == MOST_KINDS)
            continue;
        kinds[count] = kind;
        lengths[count++] = length;
        if (count == 1)
            fprintf(to, " is %.*s: ", (int)access_length, access);
        fprintf(to, "%s%.*s", count > 1 ? ", " : "", (int)length, kind);
    }
}

void fh_lsp_write_operand(FILE *to, const struct fh_source_file *file,
                          const struct fh_source_token *mnemonic, size_t offset) {
    const char *name = file->text + mnemonic->begin, *syntax;
    size_t length = mnemonic->end - mnemonic->begin;
    const char *page = fh_lsp_page(name, length);
    struct operands operands;
    struct written written;
    if (!page)
        return;
    size_t n = fh_lsp_syntax(page, &syntax);
    read_operands(syntax, n, &operands);
    read_written(file, mnemonic, offset, &written);
    const struct operand *operand = match(&operands, &written);
    if (operand) {
        fprintf(to, "\n**%.*s** of %.*s", (int)operand->length, operand->name, (int)length, name);
        write_kinds(to, page, operand);
    }
    fprintf(to, "\n\n```\n%.*s\n```\n", (int)n, syntax);
}
