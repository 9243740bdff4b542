/*
 * source_tokens.c - see source_tokens.h. The lexer is the assembler's; what stands between its
 * tokens, which it drops, is blanks, ends of lines and comments, and is told apart here.
 */
#include "source_tokens.h"
#include "array.h"
#include "asm.h"
#include "directives.h"
#include "lexing.h"
#include "listing.h"
#include "statement.h"

#include <stdlib.h>
#include <string.h>

struct reading {
    struct fh_source_tokens *tokens;
    const char *text;
    size_t length;
    size_t done; /* bytes that are in tokens, or blanks */
    bool failed;
};

static void add(struct reading *r, enum fh_source_token_kind kind, size_t begin, size_t end) {
    struct fh_source_tokens *t = r->tokens;
    r->done = end;
    if (!fh_grow(&t->list, &t->capacity, t->count + 1, sizeof *t->list)) {
        r->failed = true;
        return;
    }
    t->list[t->count++] = (struct fh_source_token){(uint32_t)begin, (uint32_t)end, (uint8_t)kind};
}

/* The end of a comment that begins at `at`: of a line, or behind the two characters that close it.
 */
static size_t comment_end(const struct reading *r, size_t at, size_t end) {
    char second = at + 1 < end ? r->text[at + 1] : '\0', close = r->text[at] == '(' ? ')' : '/';
    if (second != '*') {
        const char *newline = memchr(r->text + at, '\n', end - at);
        return newline ? (size_t)(newline - r->text) : end;
    }
    for (size_t i = at + 2; i + 1 < end; i++)
        if (r->text[i] == '*' && r->text[i + 1] == close)
            return i + 2;
    return end;
}

/* The carriage return of a line's end is no part of a comment. */
static size_t without_return(const struct reading *r, size_t begin, size_t end) {
    return end > begin && r->text[end - 1] == '\r' ? end - 1 : end;
}

/* What lies between two tokens. */
static void add_gap(struct reading *r, size_t end) {
    for (size_t at = r->done; at < end;) {
        char c = r->text[at];
        if (c == '\n') {
            add(r, FH_SOURCE_NEWLINE, at, at + 1);
            at++;
        } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
            at++;
        } else {
            size_t behind = comment_end(r, at, end);
            add(r, FH_SOURCE_COMMENT, at, without_return(r, at, behind));
            at = behind;
        }
    }
    r->done = end;
}

static enum fh_source_token_kind kind_of(int token, char first) {
    switch (token) {
    case FH_T_LABEL:
    case FH_T_LOCAL_LABEL: return FH_SOURCE_LABEL;
    case FH_T_CONTROL: return FH_SOURCE_CONTROL;
    case FH_T_MNEMONIC: return FH_SOURCE_MNEMONIC;
    case FH_T_DIRECTIVE: return FH_SOURCE_DIRECTIVE;
    case FH_T_DEFINES: return FH_SOURCE_DEFINES;
    case FH_T_CONSTANT:
    case FH_T_DESCRIBED:
    case FH_T_DESCRIPTOR:
    case FH_T_GENERIC:
    case FH_T_WORD: return FH_SOURCE_WORD;
    case FH_T_NUMBER: return FH_SOURCE_NUMBER;
    case FH_T_STRING: return FH_SOURCE_STRING;
    case FH_T_RAW: return FH_SOURCE_RAW;
    case FH_T_SEMICOLON: return FH_SOURCE_SEMICOLON;
    case FH_T_NEWLINE: return FH_SOURCE_NEWLINE;
    case FH_T_BAD_BYTE: return first == '\\' ? FH_SOURCE_BACKSLASH : FH_SOURCE_BAD;
    case FH_T_OPEN_COMMENT:
    case FH_T_OPEN_STRING: return FH_SOURCE_BAD;
    case ',': return FH_SOURCE_COMMA;
    default: return FH_SOURCE_OPERATOR;
    }
}

/* What follows a directive is scanned as it asks for; text that is a list of names and values is
 * scanned as such. */
static void begin_directive(struct fh_asm *a, const char *name, size_t length) {
    static const struct {
        const char *name;
        enum fh_lexer_mode mode;
    } lists[] = {
        {".macro", FH_MODE_DEFINE},    {".irp", FH_MODE_DEFINE},      {".let", FH_MODE_DEFINE},
        {".expect", FH_MODE_OPERANDS}, {".ensure", FH_MODE_OPERANDS},
    };
    const struct fh_directive *d = fh_find_directive(a, name, length);
    enum fh_lexer_mode mode = d ? d->mode : FH_MODE_RAW;
    for (size_t i = 0; d && i < sizeof lists / sizeof *lists; i++)
        if (strcmp(d->name, lists[i].name) == 0)
            mode = lists[i].mode;
    fh_lexer_mode(a, mode);
}

static bool is_behind_backslash(const struct fh_source_tokens *tokens, size_t begin) {
    if (!tokens->count)
        return false;
    const struct fh_source_token *last = &tokens->list[tokens->count - 1];
    return last->kind == FH_SOURCE_BACKSLASH && last->end == begin;
}

/* A word that ends with its bracket, "c[", "generic (", is a word and an operator. */
static void add_token(struct reading *r, int token, size_t begin, size_t length) {
    enum fh_source_token_kind kind = kind_of(token, r->text[begin]);
    bool opens = token == FH_T_CONSTANT || token == FH_T_DESCRIBED || token == FH_T_DESCRIPTOR ||
                 token == FH_T_GENERIC;
    size_t end = begin + length, word = begin;
    add_gap(r, begin);
    if (kind == FH_SOURCE_BAD && r->text[begin] == '@' && is_behind_backslash(r->tokens, begin))
        kind = FH_SOURCE_OPERATOR; /* the number of a macro's call */
    while (opens && word < end && r->text[word] >= 'a' && r->text[word] <= 'z')
        word++;
    if (opens)
        add(r, kind, begin, word);
    if (opens)
        add(r, FH_SOURCE_OPERATOR, end - 1, end);
    else
        add(r, kind, begin, end);
}

/* `skipped`: bytes of the text before the buffer's, a mark of the byte order. */
static void read_tokens(struct fh_asm *a, struct reading *r, size_t skipped) {
    const struct fh_buffer *buffer = a->texts.top->buffer;
    struct fh_lexeme t;
    int token;
    r->done = skipped;
    while (!r->failed && (token = fh_scanlex(&t, a->lexer.scanner)) != FH_T_END_OF_TEXT) {
        size_t begin = (size_t)(t.text - buffer->text) + skipped;
        if (token == FH_T_OPEN_COMMENT) { /* all of the rest is in it */
            add_gap(r, begin);
            add(r, FH_SOURCE_BAD, begin, r->length);
            return;
        }
        add_token(r, token, begin, t.length);
        if (token == FH_T_DIRECTIVE)
            begin_directive(a, r->text + begin, t.length);
    }
    add_gap(r, r->length);
}

bool fh_source_tokens_read(const char *text, size_t length, struct fh_source_tokens *tokens) {
    static const struct fhec_assemble_options none = {0};
    struct fh_asm *a = calloc(1, sizeof *a);
    *tokens = (struct fh_source_tokens){0};
    if (!a)
        return false;
    struct reading r = {.tokens = tokens, .text = text, .length = length};
    a->options = &none;
    a->directives = &fh_directives;
    a->sources.arena = &a->arena;
    tokens->binary = length && memchr(text, '\0', length);
    bool good = fh_lexer_new(a) && fh_source_fits(&a->sources, length);
    if (good && !tokens->binary) {
        good = fh_enter_file(a, "", text, length, (struct fh_span){0, 0});
        if (good) {
            tokens->listing = a->texts.top->listing != NULL;
            read_tokens(a, &r, length - a->texts.top->buffer->length);
        }
    }
    good = good && !r.failed;
    fh_text_stack_free(a);
    fh_lexer_free(a);
    fh_source_free(&a->sources);
    fh_arena_free(&a->arena);
    free(a);
    if (!good)
        fh_source_tokens_free(tokens);
    return good;
}

void fh_source_tokens_free(struct fh_source_tokens *tokens) {
    free(tokens->list);
    *tokens = (struct fh_source_tokens){0};
}

size_t fh_source_token_behind(const struct fh_source_tokens *tokens, size_t offset) {
    size_t low = 0, high = tokens->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (tokens->list[middle].end <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool fh_source_directive(size_t index, const char **name, const char **usage) {
    if (index >= fh_directives.count)
        return false;
    *name = fh_directives.list[index].name;
    *usage = fh_directives.list[index].usage;
    return true;
}
