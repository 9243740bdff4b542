/*
 * tokens.c - see tokens.h. Says what words stand for, gathers the text of raw operands, ends the
 * input at the end of each statement, and leaves a text that is read out.
 */
#include "tokens.h"
#include "asm.h"
#include "asm_memory.h"
#include "lexing.h"
#include "statement.h"
#include "statement_text.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- values */

enum { CHUNK_VALUES = 64, VALUE_BYTES = 64, FIRST_NAMED_TOKEN = 256 };
struct fh_value_chunk {
    struct fh_value_chunk *next;
    struct fh_value values[CHUNK_VALUES];
};
_Static_assert(sizeof(struct fh_value) <= VALUE_BYTES, "a value fits a line of the cache");

void fh_values_free(struct fh_values *values) {
    for (struct fh_value_chunk *chunk = values->first, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
}

/* Goes on to the next chunk, which may be left from an earlier statement. */
static bool next_chunk(struct fh_values *values) {
    struct fh_value_chunk **next = values->now ? &values->now->next : &values->first;
    if (!*next)
        *next = calloc(1, sizeof **next);
    if (!*next)
        return false;
    values->now = *next;
    values->used = 0;
    return true;
}

static inline struct fh_value *new_value(struct fh_asm *a, const struct fh_lexeme *t,
                                         struct fh_span at) {
    struct fh_values *values = &a->tokens.values;
    struct fh_value *v = &values->spare;
    if ((values->now && values->used < CHUNK_VALUES) || next_chunk(values))
        v = &values->now->values[values->used++];
    else
        a->no_memory = true;
    *v = (struct fh_value){.text = t->text, .length = t->length, .at = at};
    return v;
}

/* ---------------------------------------------------------------- the stream of tokens */

/* A backslash that no macro has replaced. */
static void no_parameter(struct fh_asm *a, const struct fh_lexeme *t) {
    const struct fh_buffer *buffer = a->texts.top->buffer;
    const char *name = t->text + 1;
    fh_lexer_reveal(a, true);
    size_t n = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789@+");
    const char *copy = fh_text_of(a, name, n);
    fh_lexer_reveal(a, false);
    fh_report(a, FH_D_NO_PARAMETER, (struct fh_span){t->at.begin, t->at.end + (uint32_t)n}, copy,
              buffer->kind == FH_BUFFER_FILE ? "anything: this is no macro" : buffer->what, NULL);
}

static void bad_token(struct fh_asm *a, int token, const struct fh_lexeme *t) {
    a->tokens.lost |= token == FH_T_OPEN_COMMENT;
    if (a->tokens.discarding && token != FH_T_OPEN_COMMENT)
        return;
    unsigned char byte = (unsigned char)t->text[0];
    switch (token) {
    case FH_T_OPEN_COMMENT:
        fh_report(a, FH_D_OPEN_COMMENT, (struct fh_span){t->at.begin, t->at.begin + 2}, NULL, NULL,
                  NULL);
        break;
    case FH_T_OPEN_STRING: fh_report(a, FH_D_OPEN_STRING, t->at, NULL, NULL, NULL); break;
    default:
        if (byte == '\\') {
            no_parameter(a, t);
            break;
        }
        fh_report(a, FH_D_BAD_BYTE, t->at,
                  byte > ' ' && byte < 0x7f ? fh_text(a, "character `%c`", byte)
                                            : fh_text(a, "byte 0x%02x", byte),
                  NULL, NULL);
    }
    a->st.bad = true;
}

static inline struct fh_span span_of(const struct fh_asm *a, const struct fh_lexeme *t) {
    const struct fh_buffer *buffer = a->texts.top->buffer;
    uint32_t begin = buffer->base + (uint32_t)(t->text - buffer->text);
    return (struct fh_span){begin, begin + t->length};
}

/* The lexer's next token, with its span; the end of the text has none. */
static int scan(struct fh_asm *a, struct fh_lexeme *t) {
    int token = fh_scanlex(t, a->lexer.scanner);
    if (token != FH_T_END_OF_TEXT)
        t->at = span_of(a, t);
    return token;
}

static bool ends_statement(struct fh_asm *a, int token) {
    if (token != FH_T_NEWLINE && token != FH_T_SEMICOLON && token != FH_T_END_OF_TEXT)
        return false;
    a->st.ended_by = 0;
    if (token != FH_T_END_OF_TEXT)
        a->st.ended_by = token == FH_T_NEWLINE ? '\n' : ';';
    a->tokens.in_statement = false;
    return true;
}

/* Raw pieces up to the statement's end become one token; what ended it is kept in ended_by. */
static void join_raw(struct fh_asm *a, struct fh_lexeme *whole) {
    struct fh_lexeme piece;
    int token;
    while (!ends_statement(a, token = scan(a, &piece))) {
        if (token != FH_T_RAW) {
            bad_token(a, token, &piece);
            continue;
        }
        whole->at.end = piece.at.end;
        whole->length = (uint32_t)(piece.text + piece.length - whole->text);
    }
}

/* What follows a directive is scanned as it asks for. */
static void begin_directive(struct fh_asm *a, const struct fh_lexeme *t) {
    a->st.head = *t;
    a->st.begin = t->at.begin;
    a->st.directive = fh_find_directive(a, t->text, t->length);
    a->st.is_directive = true;
    a->tokens.brackets = 0;
    a->tokens.open = 0;
    fh_lexer_mode(a, a->st.directive ? a->st.directive->mode : FH_MODE_RAW);
}

/* A macro's name, or what must be a mnemonic. */
static int begin_instruction(struct fh_asm *a, const struct fh_lexeme *t) {
    a->st.head = *t;
    a->st.begin = t->at.begin; /* a guard moves it forward */
    a->tokens.brackets = 0;
    a->tokens.open = 0;
    if (!a->macros.count)
        return FH_T_MNEMONIC;
    const struct fh_symbol *macro = fh_table_find(&a->macros, t->text, t->length);
    if (!macro)
        return FH_T_MNEMONIC;
    a->st.macro = macro;
    fh_lexer_mode(a, FH_MODE_RAW);
    return FH_T_CALL;
}

static void open_bracket(struct fh_asm *a, enum fh_bracket kind) {
    a->tokens.brackets++;
    a->tokens.open = a->tokens.open << FH_BRACKET_BITS | kind;
}

/* What the parser sees in a token, and its value v. */
static int evaluate(struct fh_asm *a, int token, struct fh_lexeme *t, struct fh_value *v) {
    switch (token) {
    case FH_T_WORD: return fh_word_token(a, v);
    case FH_T_NUMBER: return fh_number_token(a, v);
    case FH_T_STRING: /* without its quotes */
        t->text = ++v->text;
        t->length = v->length -= 2;
        v->kind = FH_V_STRING;
        return token;
    case FH_T_LABEL:
    case FH_T_LOCAL_LABEL: /* without the colon, which belongs to its span */
        t->length = --v->length;
        return token;
    case FH_T_DEFINES: v->kind = FH_V_DEFINES; return token;
    case FH_T_MNEMONIC: return begin_instruction(a, t);
    case FH_T_DIRECTIVE: begin_directive(a, t); return token;
    case FH_T_CONSTANT:
    case FH_T_DESCRIBED:
    case FH_T_DESCRIPTOR: open_bracket(a, FH_SQUARE); return token;
    case FH_T_GENERIC: open_bracket(a, FH_ROUND); return token;
    case FH_T_RAW:
        join_raw(a, t);
        a->st.raw = *t;
        return token;
    case FH_T_BAD_BYTE:
    case FH_T_OPEN_COMMENT:
    case FH_T_OPEN_STRING: bad_token(a, token, t); return FH_T_ERROR;
    default: return token;
    }
}

/* The lexer's next token; an empty line is no statement of its own. */
static int next_token(struct fh_asm *a, struct fh_lexeme *t) {
    if (a->tokens.has_held) {
        *t = a->tokens.held;
        a->tokens.has_held = false;
        return FH_T_DIRECTIVE;
    }
    int token = fh_lexer_expects_head(a) ? fh_read_head(a, t) : 0;
    if (token)
        return token;
    do
        token = fh_scanlex(t, a->lexer.scanner);
    while (!a->tokens.in_statement && (token == FH_T_NEWLINE || token == FH_T_SEMICOLON));
    return token;
}

/* A character that stands for itself. */
static int single(struct fh_asm *a, int token) {
    static const uint8_t opens[FIRST_NAMED_TOKEN] = {
        ['('] = FH_ROUND, ['['] = FH_SQUARE, ['{'] = FH_CURLY};
    if (opens[token]) {
        open_bracket(a, opens[token]);
    } else if (token == ')' || token == ']' || token == '}') {
        a->tokens.brackets--;
        a->tokens.open >>= FH_BRACKET_BITS;
    }
    return a->tokens.before = token;
}

/* Whether an operand begins that may be read without the parser. */
static bool begins_operand(const struct fh_asm *a) {
    switch (a->tokens.before) {
    case FH_T_MNEMONIC: return true;
    case FH_T_DIRECTIVE: return a->st.directive && a->st.directive->mode == FH_MODE_OPERANDS;
    case ',': return a->tokens.brackets == 0;
    default: return false;
    }
}

/* The end of a statement. `more`: what was read last is a comma that the parser has not seen. */
static int end_token(struct fh_asm *a, bool more, struct fh_span *at) {
    *at = (struct fh_span){a->st.end, a->st.end + 1};
    if (a->st.ended_by == ';')
        *at = span_of(a, &a->tokens.token);
    if (!more)
        return 0;
    fh_report(a, FH_D_SYNTAX, *at, fh_end_name(a), ", expected an operand", NULL);
    return FH_T_ERROR;
}

void fh_tokens_begin(struct fh_asm *a) {
    struct fh_tokens *t = &a->tokens;
    t->values.now = t->values.first;
    t->values.used = 0;
    t->in_statement = false;
    t->before = 0;
    t->brackets = 0;
    t->open = 0;
    t->ahead_count = t->ahead_taken = 0;
    fh_chains_reset(&a->chains);
}

/* Operands that are read without the parser: as many as can be. A last one only where the parser
 * has seen none before it. */
static enum fh_operands_read read_operands(struct fh_asm *a) {
    enum fh_operands_read read = fh_read_operands(a, a->tokens.before != ',');
    if (read != FH_READ_NONE)
        a->tokens.before = ',';
    return read;
}

/* Spans are formed and stored where they are known, and not copied: a copy of what has just been
 * stored in halves would wait for both. */
int fh_next_token(struct fh_asm *a, struct fh_value **v, struct fh_span *at) {
    struct fh_lexeme *t = &a->tokens.token;
    bool more = false;
    if (a->st.ended_by != FH_NOT_ENDED) { /* while a raw token was read */
        *at = (struct fh_span){a->st.end, a->st.end + 1};
        return 0;
    }
    a->tokens.behind = a->tokens.before;
    a->tokens.open_behind = a->tokens.open;
    if (begins_operand(a)) {
        enum fh_operands_read read = read_operands(a);
        if (read == FH_READ_ALL)
            return end_token(a, false, at);
        more = read == FH_READ_SOME;
    }
    int token = next_token(a, t);
    if (ends_statement(a, token))
        return end_token(a, more, at);
    a->tokens.in_statement = true;
    struct fh_span span = span_of(a, t);
    at->begin = t->at.begin = span.begin;
    at->end = t->at.end = a->st.end = span.end;
    if (token < FIRST_NAMED_TOKEN)
        return single(a, token);
    *v = new_value(a, t, span);
    token = evaluate(a, token, t, *v);
    if (token == FH_T_RAW) { /* which is longer now */
        *at = t->at;
        a->st.end = t->at.end;
    }
    return a->tokens.before = token;
}

void fh_skip_statement(struct fh_asm *a) {
    struct fh_lexeme t;
    int token;
    if (!a->tokens.in_statement)
        return;
    a->tokens.discarding = true;
    if (!a->tokens.lost)
        fh_lexer_mode(a, FH_MODE_RAW);
    while (!ends_statement(a, token = scan(a, &t)))
        if (token == FH_T_OPEN_COMMENT)
            bad_token(a, token, &t);
    a->tokens.discarding = false;
}

bool fh_skip_to_directive(struct fh_asm *a, struct fh_lexeme *directive) {
    for (;;) {
        int token = scan(a, directive);
        if (token == FH_T_END_OF_TEXT)
            return false;
        if (token == FH_T_DIRECTIVE)
            return true;
        bad_token(a, token, directive);
    }
}
