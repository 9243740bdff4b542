/*
 * tokens.c - between scanner and parser: says what words stand for, gathers the text of raw
 * operands, ends the input at the end of each statement, and leaves a text that is read out.
 */
#include "asm.h"
#include "number.h"
#include "parser.h"

#include <stdlib.h>
#include <string.h>

int fh_scanlex(struct fh_lexeme *lexeme, void *scanner);
int fh_yylex(struct fh_value **value, struct fh_span *at, struct fh_asm *a);

/* ---------------------------------------------------------------- values */

enum { CHUNK_VALUES = 64, VALUE_BYTES = 64, FIRST_NAMED_TOKEN = 256 };
struct fh_value_chunk {
    struct fh_value_chunk *next;
    struct fh_value values[CHUNK_VALUES];
};
_Static_assert(sizeof(struct fh_value) <= VALUE_BYTES, "a value fits a line of the cache");

void fh_values_reset(struct fh_values *values) {
    values->now = values->first;
    values->used = 0;
}

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
    struct fh_values *values = &a->values;
    struct fh_value *v = &values->spare;
    if ((values->now && values->used < CHUNK_VALUES) || next_chunk(values))
        v = &values->now->values[values->used++];
    else
        a->no_memory = true;
    *v = (struct fh_value){.text = t->text, .length = t->length, .at = at};
    return v;
}

/* ---------------------------------------------------------------- numbers and registers */

bool fh_parse_number(const char *text, size_t length, uint64_t *number, const char **why) {
    unsigned base = 10;
    size_t i = 0;
    if (length > 2 && text[0] == '0' && (text[1] | 0x20) >= 'a') {
        char c = (char)(text[1] | 0x20);
        base = c == 'x' ? 16 : c == 'b' ? 2 : c == 'o' ? 8 : 0;
        i = 2;
    } else if (length > 1 && text[0] == '0') {
        *why = "write 0o for octal, or no leading zero";
        return false;
    }
    uint64_t n = 0;
    if (base == 0)
        i = length; /* an unknown prefix, "0z1" */
    for (; i < length; i++) {
        char c = text[i];
        unsigned digit = c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a') + 10;
        if (c == '.' || c == '_' || digit >= base)
            break;
        if (__builtin_mul_overflow(n, base, &n) || __builtin_add_overflow(n, digit, &n)) {
            *why = "it has more than 64 bits";
            return false;
        }
    }
    if (i < length || base == 0) {
        *why = "0x, 0b or 0o and digits, or decimal digits";
        return false;
    }
    *number = n;
    return true;
}

/* The classes of registers: prefix, kind, how many have a number; the letter and number of the one
 * that has none. */
static const struct register_class {
    const char *prefix;
    uint8_t kind, count;
    char zero_letter;
    uint8_t zero;
    const char *range;
} classes[] = {
    {"R", FH_K_REG, 255, 'Z', FH_RZ, "registers are R0 to R254 and RZ"},
    {"P", FH_K_PRED, 7, 'T', FH_PT, "predicates are P0 to P6 and PT"},
    {"UR", FH_K_UREG, 63, 'Z', FH_URZ, "uniform registers are UR0 to UR62 and URZ"},
    {"UP", FH_K_UPRED, 7, 'T', FH_PT, "uniform predicates are UP0 to UP6 and UPT"},
    {"B", FH_K_BARRIER, 16, '\0', 0, "convergence barriers are B0 to B15"},
    {"SB", FH_K_SCOREBOARD, 8, '\0', 0, "scoreboards are SB0 to SB7"},
};

/* The class whose prefix the text has, with something behind it; no prefix begins another one. Most
 * words are no registers, and most registers are of the first class. */
static const struct register_class *class_of(const char *text, size_t length) {
    if (length < 2 || text[0] < 'B' || text[0] > 'U')
        return NULL;
    for (size_t c = 0; c < sizeof classes / sizeof *classes; c++) {
        const char *prefix = classes[c].prefix;
        if (text[0] == prefix[0] && (!prefix[1] || (text[1] == prefix[1] && length > 2)))
            return &classes[c];
    }
    return NULL;
}

bool fh_machine_register(struct fh_asm *a, const char *text, size_t length, struct fh_value *v) {
    const struct register_class *class = class_of(text, length);
    if (!class)
        return false;
    size_t prefix = class->prefix[1] ? 2 : 1, i = prefix;
    unsigned number = 0;
    if (class->zero_letter && length == prefix + 1 && text[prefix] == class->zero_letter) {
        number = class->zero;
    } else {
        for (; i < length && text[i] >= '0' && text[i] <= '9' && number < 1000; i++)
            number = number * 10 + (unsigned)(text[i] - '0');
        if (i < length || (text[prefix] == '0' && length > prefix + 1))
            return false;
        if (number >= class->count) {
            v->kind = FH_V_POISON;
            v->problem_id = FH_D_NO_REGISTER;
            v->problem = fh_text(a, "%.*s\n%s", (int)length, text, class->range);
            return true;
        }
    }
    v->kind = FH_V_REGISTER;
    v->reg_kind = class->kind;
    v->reg = (uint8_t)number;
    return true;
}

/* ---------------------------------------------------------------- words */

static int symbol_token(const struct fh_symbol *s, struct fh_value *v) {
    switch (s->kind) {
    case FH_S_NUMBER:
        v->kind = FH_V_NUMBER;
        v->number = s->value;
        v->large = s->large;
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

/* Digits with a point, an exponent or both. */
static bool is_real(const char *text, size_t length) {
    size_t i = strspn(text, "0123456789");
    bool real = false;
    if (i < length && text[i] == '.') {
        i += 1 + strspn(text + i + 1, "0123456789");
        real = true;
    }
    if (i < length && (text[i] | 0x20) == 'e') {
        i++;
        i += i < length && (text[i] == '+' || text[i] == '-');
        size_t exponent = strspn(text + i, "0123456789");
        real = exponent > 0;
        i += exponent;
    }
    return real && i == length;
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
    } else if (is_real(text, length)) {
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
    const struct fh_buffer *buffer = a->frame->buffer;
    const char *name = t->text + 1;
    fh_lexer_reveal(a, true);
    size_t n = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789@+");
    const char *copy = fh_text_of(a, name, n);
    fh_lexer_reveal(a, false);
    fh_report(a, FH_D_NO_PARAMETER, (struct fh_span){t->at.begin, t->at.end + (uint32_t)n}, copy,
              buffer->kind == FH_BUFFER_FILE ? "anything: this is no macro" : buffer->what, NULL);
}

static void bad_token(struct fh_asm *a, int token, const struct fh_lexeme *t) {
    a->lost |= token == FH_T_OPEN_COMMENT;
    if (a->discarding && token != FH_T_OPEN_COMMENT)
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

static inline struct fh_span place_of(const struct fh_asm *a, const struct fh_lexeme *t) {
    const struct fh_buffer *buffer = a->frame->buffer;
    uint32_t begin = buffer->base + (uint32_t)(t->text - buffer->text);
    return (struct fh_span){begin, begin + t->length};
}

/* The scanner's next token, with its place; the end of the text is nowhere. */
static int scan(struct fh_asm *a, struct fh_lexeme *t) {
    int token = fh_scanlex(t, a->scanner);
    if (token != FH_T_END_OF_TEXT)
        t->at = place_of(a, t);
    return token;
}

static bool ends_statement(struct fh_asm *a, int token) {
    if (token != FH_T_NEWLINE && token != FH_T_SEMICOLON && token != FH_T_END_OF_TEXT)
        return false;
    a->st.ended_by = 0;
    if (token != FH_T_END_OF_TEXT)
        a->st.ended_by = token == FH_T_NEWLINE ? '\n' : ';';
    a->in_statement = false;
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
    a->st.directive = fh_find_directive(t->text, t->length);
    a->st.is_directive = true;
    a->brackets = 0;
    a->open = 0;
    fh_lexer_mode(a, a->st.directive ? a->st.directive->mode : FH_MODE_RAW);
}

/* A macro's name, or what must be a mnemonic. */
static int begin_instruction(struct fh_asm *a, const struct fh_lexeme *t) {
    a->st.head = *t;
    a->st.begin = t->at.begin; /* a guard moves it forward */
    a->brackets = 0;
    a->open = 0;
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
    a->brackets++;
    a->open = a->open << FH_BRACKET_BITS | kind;
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
    case FH_T_LOCAL_LABEL: /* without the colon, which belongs to its place */
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
    case FH_T_OPEN_STRING: bad_token(a, token, t); return FH_T_FH_YYerror;
    default: return token;
    }
}

/* The scanner's next token; an empty line is no statement of its own. */
static int next_token(struct fh_asm *a, struct fh_lexeme *t) {
    if (a->has_held) {
        *t = a->held;
        a->has_held = false;
        return FH_T_DIRECTIVE;
    }
    int token;
    do
        token = fh_scanlex(t, a->scanner);
    while (!a->in_statement && (token == FH_T_NEWLINE || token == FH_T_SEMICOLON));
    return token;
}

/* The comma that was read with the last token. */
static int held_comma(struct fh_asm *a, struct fh_span *at) {
    struct fh_lexeme *t = &a->token;
    a->comma = false;
    *at = (struct fh_span){t->at.end, t->at.end + 1};
    *t = (struct fh_lexeme){.text = t->text + t->length, .length = 1, .at = *at};
    a->st.end = at->end;
    return a->before = ',';
}

/* A character that stands for itself. */
static int single(struct fh_asm *a, int token) {
    static const uint8_t opens[FIRST_NAMED_TOKEN] = {
        ['('] = FH_ROUND, ['['] = FH_SQUARE, ['{'] = FH_CURLY};
    if (opens[token]) {
        open_bracket(a, opens[token]);
    } else if (token == ')' || token == ']' || token == '}') {
        a->brackets--;
        a->open >>= FH_BRACKET_BITS;
    }
    a->taken = false;
    return a->before = token;
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
    a->token.comma = true;
    a->st.end += length;
    fh_value_index(a, v, &index, (struct fh_span){v->at.begin, a->st.end});
    return true;
}

/* Most operands are one word, perhaps with an index, and a comma. Where an operand begins, such a
 * word goes to the statement at once, and the parser, which takes many steps to the same end, sees
 * neither it nor the comma; nor the last operand, if it has not seen one at all. */
static bool take_operand(struct fh_asm *a, int token, struct fh_value *v) {
    const struct fh_lexeme *t = &a->token;
    bool first = a->before == FH_T_MNEMONIC || a->before == FH_T_DIRECTIVE;
    if (!is_word(token) || a->brackets || !(first || a->before == ',') ||
        !(t->comma || take_index(a, token, v) || ((first || a->taken) && fh_lexer_ends(a))))
        return false;
    if (first)
        a->taken = true;
    a->before = ',';
    a->st.end += t->comma;
    fh_add_argument(a, v);
    return true;
}

/* The end of a statement. `more`: the last token was a comma that the parser has not seen. */
static int end_token(struct fh_asm *a, int token, bool more, struct fh_span *at) {
    *at = (struct fh_span){a->st.end, a->st.end + 1};
    if (token == FH_T_SEMICOLON)
        *at = place_of(a, &a->token);
    if (!more)
        return 0;
    fh_report(a, FH_D_SYNTAX, *at, fh_end_name(a), ", expected an operand", NULL);
    return FH_T_FH_YYerror;
}

/* This is the way of every word of a source. Places are formed and stored where they are known, and
 * not copied: a copy of what has just been stored in halves would wait for both. */
int fh_yylex(struct fh_value **v, struct fh_span *at, struct fh_asm *a) {
    struct fh_lexeme *t = &a->token;
    if (a->st.ended_by != FH_NOT_ENDED) { /* while a raw token was read */
        *at = (struct fh_span){a->st.end, a->st.end + 1};
        return 0;
    }
    a->behind = a->before;
    a->open_behind = a->open;
    if (a->comma)
        return held_comma(a, at);
    for (bool more = false;; more = t->comma) {
        int token = next_token(a, t);
        if (ends_statement(a, token))
            return end_token(a, token, more, at);
        a->in_statement = true;
        struct fh_span place = place_of(a, t);
        at->begin = t->at.begin = place.begin;
        at->end = t->at.end = a->st.end = place.end;
        if (token < FIRST_NAMED_TOKEN)
            return single(a, token);
        *v = new_value(a, t, place);
        token = evaluate(a, token, t, *v);
        if (token == FH_T_RAW) { /* which is longer now */
            *at = t->at;
            a->st.end = t->at.end;
        }
        if (!take_operand(a, token, *v)) {
            a->comma = t->comma;
            a->taken = false;
            return a->before = token;
        }
    }
}

void fh_skip_statement(struct fh_asm *a) {
    struct fh_lexeme t;
    int token;
    a->comma = false;
    if (!a->in_statement)
        return;
    a->discarding = true;
    if (!a->lost)
        fh_lexer_mode(a, FH_MODE_RAW);
    while (!ends_statement(a, token = scan(a, &t)))
        if (token == FH_T_OPEN_COMMENT)
            bad_token(a, token, &t);
    a->discarding = false;
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

/* ---------------------------------------------------------------- control prefix */

/* One field of the prefix: '-' or a digit from 0 to 7. */
static bool scoreboard(char c, uint8_t *value) {
    *value = c == '-' ? 7 : (uint8_t)(c - '0');
    return c == '-' || (c >= '0' && c <= '5');
}

void fh_control_prefix(struct fh_asm *a, const struct fh_value *v) {
    static const char form[] = "[B------:R-:W-:-:S00]";
    const char *t = v->text;
    struct fh_sched sched = {0};
    const char *why = NULL;
    if (v->length != sizeof form - 1 || t[1] != 'B' || memcmp(t + 8, ":R", 2) != 0 ||
        memcmp(t + 11, ":W", 2) != 0 || t[14] != ':' || memcmp(t + 16, ":S", 2) != 0) {
        why = "its form is [B------:R-:W-:-:S00]";
    } else {
        for (unsigned i = 0; i < 6 && !why; i++) {
            if (t[2 + i] == '0' + (char)i)
                sched.wait_mask |= (uint8_t)(1u << i);
            else if (t[2 + i] != '-')
                why = "B takes the digits 012345 in their places, or -";
        }
        if (!scoreboard(t[10], &sched.read_barrier) || !scoreboard(t[13], &sched.write_barrier))
            why = "R and W take 0 to 5 or -";
        /* The flag's bit is 0 where the warp yields. */
        sched.yield = t[15] != 'Y';
        if (t[15] != 'Y' && t[15] != '-')
            why = "the fourth field is Y or -";
        unsigned tens = (unsigned)(t[18] - '0'), ones = (unsigned)(t[19] - '0');
        sched.stall = (uint8_t)(tens * 10 + ones);
        if (tens > 9 || ones > 9 || sched.stall > 15)
            why = "S takes 00 to 15";
    }
    if (why) {
        fh_report(a, FH_D_BAD_CONTROL, v->at, fh_text_of(a, v->text, v->length), why, NULL);
        a->st.bad = true;
        return;
    }
    a->st.sched = sched;
    a->st.has_sched = true;
}

const char *fh_describe_value(struct fh_asm *a, const struct fh_value *v) {
    static const char *const kinds[] = {
        [FH_K_REG] = "the register",    [FH_K_UREG] = "the uniform register",
        [FH_K_PRED] = "the predicate",  [FH_K_UPRED] = "the uniform predicate",
        [FH_K_BARRIER] = "the barrier", [FH_K_SCOREBOARD] = "the scoreboard",
    };
    const char *text = fh_text_of(a, fh_source_text(&a->sources, v->at), v->at.end - v->at.begin);
    const char *what = "this";
    switch (v->kind) {
    case FH_V_NUMBER:
    case FH_V_REAL: what = "the number"; break;
    case FH_V_NAME: what = "the name"; break;
    case FH_V_REGISTER: what = kinds[v->reg_kind]; break;
    case FH_V_SUM: what = "the sum"; break;
    case FH_V_CONSTANT: what = "the constant"; break;
    case FH_V_ADDRESS: what = "the address"; break;
    case FH_V_SET: what = "the set"; break;
    case FH_V_STRING: what = "the string"; break;
    default: break;
    }
    return fh_text(a, "%s `%s`", what, text);
}
