/*
 * tokens.c - see tokens.h. Says what words stand for, gathers the text of raw operands, ends the
 * input at the end of each statement, and leaves a text that is read out.
 */
#include "tokens.h"
#include "asm.h"
#include "asm_memory.h"
#include "lexing.h"
#include "literal.h"
#include "names.h"
#include "number.h"
#include "operand_forms.h"
#include "register_names.h"
#include "statement.h"

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

/* ---------------------------------------------------------------- words */

static int symbol_token(const struct fh_symbol *s, struct fh_value *v) {
    switch (s->kind) {
    case FH_S_NUMBER:
        v->kind = FH_V_NUMBER;
        v->number = s->value;
        v->large = s->large;
        v->shared = s->shared;
        return FH_T_NUMBER;
    case FH_S_REGISTERS:
        v->kind = FH_V_REGISTER;
        v->reg_kind = s->reg_kind;
        v->reg = s->first;
        v->symbol = s;
        return FH_T_RANGE;
    default:
        v->kind = FH_V_CONSTANT;
        v->bank = s->bank;
        v->number = s->value;
        v->symbol = s;
        return FH_T_SYMBOL;
    }
}

/* A register, with all that follows its first dot as the suffix; a name of the program; or a name
 * that means something to an instruction: a label, a special register. */
static int word_token(struct fh_asm *a, struct fh_value *v) {
    const char *text = v->text;
    size_t length = v->length;
    if (text[0] == '.') {
        v->kind = FH_V_NAME;
        return FH_T_DOTTED;
    }
    size_t head = 0; /* up to the first dot; words are too short for memchr to pay */
    while (head < length && text[head] != '.')
        head++;
    const char *dot = head < length ? text + head : NULL;
    const struct fh_symbol *symbol = NULL;
    int token = FH_T_REGISTER;
    if (!fh_machine_register(a, text, head, v)) {
        symbol = fh_find_name(a, text, length);
        if (symbol)
            return symbol_token(symbol, v);
        if (dot)
            symbol = fh_find_name(a, text, head);
        if (!symbol || symbol->kind == FH_S_NUMBER) {
            v->kind = FH_V_NAME;
            if (fh_real_name(text, length)) {
                v->kind = FH_V_REAL;
                v->decimal = true;
                return FH_T_NUMBER;
            }
            return FH_T_NAME;
        }
        token = symbol_token(symbol, v);
    }
    if (dot) {
        v->suffix = dot;
        v->suffix_length = (uint32_t)(length - head);
    }
    return token;
}

static int number_token(struct fh_asm *a, struct fh_value *v) {
    const char *text = v->text;
    size_t length = v->length;
    char last = text[length - 1];
    uint64_t number;
    const char *why;
    if (fh_parse_number(text, length, &number, &why)) {
        v->kind = FH_V_NUMBER;
        v->number = (int64_t)number;
        v->large = number > INT64_MAX;
        v->decimal = length == 1 || text[0] != '0';
    } else if ((last == 'b' || last == 'f') && strspn(text, "0123456789") == length - 1) {
        v->kind = FH_V_NAME; /* a local label, "1b" */
        return FH_T_NAME;
    } else if (fh_is_real(text, length)) {
        v->kind = FH_V_REAL;
        v->decimal = true;
    } else {
        v->kind = FH_V_POISON;
        v->problem_id = FH_D_BAD_NUMBER;
        v->problem = fh_text(a, "%.*s\n%s", (int)length, text, why);
    }
    return FH_T_NUMBER;
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
    case FH_T_WORD: return word_token(a, v);
    case FH_T_NUMBER: return number_token(a, v);
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
    int token;
    do
        token = fh_scanlex(t, a->lexer.scanner);
    while (!a->tokens.in_statement && (token == FH_T_NEWLINE || token == FH_T_SEMICOLON));
    return token;
}

/* The comma that was read with the last token. */
static int held_comma(struct fh_asm *a, struct fh_span *at) {
    struct fh_lexeme *t = &a->tokens.token;
    a->tokens.comma = false;
    *at = (struct fh_span){t->at.end, t->at.end + 1};
    *t = (struct fh_lexeme){.text = t->text + t->length, .length = 1, .at = *at};
    a->st.end = at->end;
    return a->tokens.before = ',';
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
    a->tokens.taken = false;
    return a->tokens.before = token;
}

static bool is_word(int token) {
    return token == FH_T_REGISTER || token == FH_T_NUMBER || token == FH_T_NAME ||
           token == FH_T_RANGE || token == FH_T_SYMBOL || token == FH_T_DOTTED;
}

/* A plain index behind the name of several registers or constants, and a comma behind that. */
static bool take_index(struct fh_asm *a, int token, struct fh_value *v) {
    struct fh_value index = {.kind = FH_V_NUMBER};
    if (token != FH_T_RANGE && token != FH_T_SYMBOL)
        return false;
    uint32_t length = fh_lexer_index(a, &index.number);
    if (!length)
        return false;
    a->tokens.token.comma = true;
    a->st.end += length;
    fh_value_index(a, v, &index, (struct fh_span){v->at.begin, a->st.end});
    return true;
}

/* Most operands are one word, perhaps with an index, and a comma. Where an operand begins, such a
 * word goes to the statement at once, and the parser, which takes many steps to the same end, sees
 * neither it nor the comma; nor the last operand, if it has not seen one at all. */
static bool take_operand(struct fh_asm *a, int token, struct fh_value *v) {
    const struct fh_lexeme *t = &a->tokens.token;
    bool first = a->tokens.before == FH_T_MNEMONIC || a->tokens.before == FH_T_DIRECTIVE;
    if (!is_word(token) || a->tokens.brackets || !(first || a->tokens.before == ',') ||
        !(t->comma || take_index(a, token, v) || ((first || a->tokens.taken) && fh_lexer_ends(a))))
        return false;
    if (first)
        a->tokens.taken = true;
    a->tokens.before = ',';
    a->st.end += t->comma;
    fh_add_argument(a, v);
    return true;
}

/* The end of a statement. `more`: the last token was a comma that the parser has not seen. */
static int end_token(struct fh_asm *a, int token, bool more, struct fh_span *at) {
    *at = (struct fh_span){a->st.end, a->st.end + 1};
    if (token == FH_T_SEMICOLON)
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
}

/* This is the way of every word of a source. Spans are formed and stored where they are known, and
 * not copied: a copy of what has just been stored in halves would wait for both. */
int fh_next_token(struct fh_asm *a, struct fh_value **v, struct fh_span *at) {
    struct fh_lexeme *t = &a->tokens.token;
    if (a->st.ended_by != FH_NOT_ENDED) { /* while a raw token was read */
        *at = (struct fh_span){a->st.end, a->st.end + 1};
        return 0;
    }
    a->tokens.behind = a->tokens.before;
    a->tokens.open_behind = a->tokens.open;
    if (a->tokens.comma)
        return held_comma(a, at);
    for (bool more = false;; more = t->comma) {
        int token = next_token(a, t);
        if (ends_statement(a, token))
            return end_token(a, token, more, at);
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
        if (!take_operand(a, token, *v)) {
            a->tokens.comma = t->comma;
            a->tokens.taken = false;
            return a->tokens.before = token;
        }
    }
}

void fh_skip_statement(struct fh_asm *a) {
    struct fh_lexeme t;
    int token;
    a->tokens.comma = false;
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
