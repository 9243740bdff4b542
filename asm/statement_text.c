/* statement_text.c - see statement_text.h. */
#include "statement_text.h"
#include "asm.h"
#include "asm_memory.h"
#include "expression.h"
#include "lexing.h"
#include "operand_forms.h"
#include "register_names.h"
#include "statement.h"
#include "words.h"

#include <string.h>

enum { DEEPEST = 12 }; /* brackets and signs within each other; what has more is for the parser */

/* Classes of characters: what the lexer calls BLANK, and the letters of its WORD and NUMBER. */
enum { BLANK = 1, LETTER = 2, DIGIT = 4, DOT = 8 };
static const uint8_t classes[256] = {
    [' '] = BLANK,          ['\t'] = BLANK,         ['\r'] = BLANK, ['\f'] = BLANK, ['\v'] = BLANK,
    ['A' ... 'Z'] = LETTER, ['a' ... 'z'] = LETTER, ['_'] = LETTER, ['$'] = LETTER, ['.'] = DOT,
    ['0' ... '9'] = DIGIT,
};

static inline bool is(char c, int class) {
    return classes[(unsigned char)c] & class;
}

struct reader {
    struct fh_asm *a;
    const struct fh_buffer *buffer;
    const char *p;   /* what is read next */
    const char *end; /* behind the last token */
    unsigned depth;
};

static inline void skip_blanks(struct reader *r) {
    while (is(*r->p, BLANK))
        r->p++;
}

static inline uint32_t position_of(const struct reader *r, const char *p) {
    return r->buffer->base + (uint32_t)(p - r->buffer->text);
}

/* From `begin` to the last token. */
static inline struct fh_span span_from(const struct reader *r, const char *begin) {
    return (struct fh_span){position_of(r, begin), position_of(r, r->end)};
}

/* Goes past a character that stands for itself, with the blanks around it. */
static bool pass(struct reader *r, char c) {
    skip_blanks(r);
    if (*r->p != c)
        return false;
    r->end = ++r->p;
    skip_blanks(r);
    return true;
}

static bool read_expression(struct reader *r, struct fh_value *v);

/* Where letters and digits that begin here end, with dots or up to the first one. */
static inline const char *behind_word(const char *p, bool dots) {
    while (is(*p, dots ? LETTER | DIGIT | DOT : LETTER | DIGIT))
        p++;
    return p;
}

/* A word or number that begins here, up to `end`: a value without its meaning. */
static inline void take_text(struct reader *r, const char *end, struct fh_value *v) {
    const char *begin = r->p;
    r->p = r->end = end;
    *v = (struct fh_value){
        .text = begin, .length = (uint32_t)(end - begin), .at = span_from(r, begin)};
}

/* Decimal digits by themselves, as fh_number_token has them. */
static inline bool read_decimal(struct reader *r, struct fh_value *v) {
    enum { MOST = 18 }; /* 10^18 is below 2^63 */
    const char *p = r->p;
    int64_t number = 0;
    while (is(*p, DIGIT))
        number = (int64_t)((uint64_t)number * 10 + (unsigned)(*p++ - '0'));
    if (is(*p, LETTER | DOT) || p - r->p > MOST || (*r->p == '0' && p - r->p > 1))
        return false;
    take_text(r, p, v);
    v->kind = FH_V_NUMBER;
    v->number = number;
    v->decimal = true;
    return true;
}

/* "1e-5" is one number for the lexer. */
static bool read_number(struct reader *r, struct fh_value *v) {
    if (read_decimal(r, v))
        return true;
    take_text(r, behind_word(r->p, true), v);
    (void)fh_number_token(r->a, v);
    return (*r->p != '-' && *r->p != '+') || (r->p[-1] | 0x20) != 'e';
}

/* ".reuse" behind a bracket. */
static void read_suffix(struct reader *r, struct fh_value *v) {
    struct fh_value suffix;
    const char *begin = r->buffer->text + (v->at.begin - r->buffer->base);
    take_text(r, behind_word(r->p, true), &suffix);
    fh_value_suffix(r->a, v, &suffix, span_from(r, begin));
}

/* An expression between this bracket and its end. */
static bool read_inside(struct reader *r, struct fh_value *v, char close) {
    r->end = ++r->p;
    skip_blanks(r);
    return read_expression(r, v) && pass(r, close);
}

static bool read_index(struct reader *r, struct fh_value *v) {
    struct fh_value index;
    const char *begin = v->text;
    if (!read_inside(r, &index, ']'))
        return false;
    fh_value_index(r->a, v, &index, span_from(r, begin));
    return true;
}

/* The two brackets of c[..][..] and desc[..][..], whose word begins at `begin`. */
static bool read_two(struct reader *r, struct fh_value *v, const char *begin) {
    struct fh_value first;
    const bool constant = *begin == 'c';
    if (!read_inside(r, &first, ']') || *r->p != '[' || !read_inside(r, v, ']'))
        return false;
    if (constant)
        fh_value_constant(r->a, v, &first, span_from(r, begin));
    else
        fh_value_address(r->a, v, &first, span_from(r, begin));
    return true;
}

static bool read_word(struct reader *r, struct fh_value *v) {
    const char *dot = behind_word(r->p, false);
    const size_t head = (size_t)(dot - r->p);
    take_text(r, *dot == '.' ? behind_word(dot, true) : dot, v);
    if (*r->p == '[') {
        if ((v->length == 1 && *v->text == 'c') ||
            (v->length == 4 && memcmp(v->text, "desc", 4) == 0))
            return read_two(r, v, v->text);
        int token = fh_word_of(r->a, v, head);
        return (token == FH_T_RANGE || token == FH_T_SYMBOL) && read_index(r, v);
    }
    (void)fh_word_of(r->a, v, head);
    return true;
}

static bool read_signed(struct reader *r, struct fh_value *v);

static bool read_bracketed(struct reader *r, struct fh_value *v) {
    const char *begin = r->p;
    if (*begin == '[') {
        if (!read_inside(r, v, ']'))
            return false;
        fh_value_address(r->a, v, NULL, span_from(r, begin));
    } else {
        if (begin[1] == '*' || !read_inside(r, v, ')'))
            return false;
        v->at = span_from(r, begin);
    }
    return true;
}

static bool read_unary(struct reader *r, struct fh_value *v) {
    const char c = *r->p;
    bool good;
    if (is(c, DIGIT))
        return read_number(r, v);
    if (is(c, LETTER | DOT)) {
        if (!read_word(r, v))
            return false;
        if (r->end[-1] != ']')
            return true;
    } else {
        if (r->depth == DEEPEST)
            return false;
        r->depth++;
        good = c == '[' || c == '(' ? read_bracketed(r, v) : read_signed(r, v);
        r->depth--;
        if (!good || (c != '[' && c != '('))
            return good;
    }
    if (*r->p == '.')
        read_suffix(r, v);
    return true;
}

static bool read_signed(struct reader *r, struct fh_value *v) {
    const char *begin = r->p;
    const char sign = *begin;
    if ((sign != '-' && sign != '+' && sign != '~' && sign != '!') || begin[1] == '=')
        return false;
    r->p++;
    skip_blanks(r);
    if (!read_unary(r, v))
        return false;
    const struct fh_span at = span_from(r, begin);
    if (sign == '+')
        v->at = at;
    else
        fh_value_unary(r->a, v, sign == '-' ? FH_OP_NEG : sign == '~' ? FH_OP_INV : FH_OP_NOT, at);
    return true;
}

/* A register by itself, as most operands are. */
static inline bool read_register(struct reader *r, struct fh_value *v) {
    const char *begin = r->p, *end;
    if (*begin != 'R')
        return false;
    end = behind_word(begin, false);
    if (*end == '.' || *end == '[')
        return false;
    take_text(r, end, v);
    if (fh_plain_register(begin, end, v))
        return true;
    r->p = begin;
    return false;
}

/* ---------------------------------------------------------------- operators */

/* The operator here, of those that only stand between operands, and never around one; none where a
 * comment begins. */
static inline enum fh_operator operator_at(const char *p, size_t *length) {
    static const bool begins[256] = {
        ['*'] = true, ['/'] = true, ['%'] = true, ['+'] = true, ['-'] = true,
        ['<'] = true, ['>'] = true, ['&'] = true, ['^'] = true};
    if (!begins[(unsigned char)*p] || (*p == '/' && (p[1] == '/' || p[1] == '*')))
        return FH_OP_NONE;
    return fh_operator_at(p, length);
}

/* Operands between which operators wait, no more than there are levels. */
struct operands {
    struct reader *reader;
    unsigned count;
    struct fh_value *first, others[FH_LEVEL_PRODUCT];
    const char *begins[FH_LEVEL_PRODUCT + 1];
};

static inline struct fh_value *operand_of(struct operands *o, unsigned index) {
    return index ? &o->others[index - 1] : o->first;
}

static void apply(void *user, enum fh_operator op, uint32_t at) {
    struct operands *o = user;
    struct fh_value *y = operand_of(o, --o->count), *x = operand_of(o, o->count - 1);
    (void)at;
    fh_value_binary(o->reader->a, x, op, y,
                    (struct fh_span){position_of(o->reader, o->begins[o->count - 1]), y->at.end});
}

/* A register, a number or what else stands between operators; and the operator behind it. */
static inline bool read_operand(struct reader *r, struct fh_value *v, enum fh_operator *op,
                                size_t *length) {
    if (!read_register(r, v) && !read_unary(r, v))
        return false;
    skip_blanks(r);
    *op = operator_at(r->p, length);
    return true;
}

/* What is behind the first operand v, which begins at `begin`: operator `op` and on. */
static bool read_operators(struct reader *r, struct fh_value *v, const char *begin,
                           enum fh_operator op, size_t length) {
    struct operands o;
    struct fh_waiting waiting;
    o.reader = r, o.count = 1, o.first = v, o.begins[0] = begin;
    waiting.count = 0;
    while (op != FH_OP_NONE) {
        (void)fh_waiting_add(&waiting, 0, op, 0, apply, &o);
        r->p += length;
        skip_blanks(r);
        o.begins[o.count] = r->p;
        if (!read_operand(r, operand_of(&o, o.count), &op, &length))
            return false;
        o.count++;
    }
    fh_waiting_end(&waiting, 0, apply, &o);
    return true;
}

static bool read_expression(struct reader *r, struct fh_value *v) {
    const char *begin = r->p;
    enum fh_operator op;
    size_t length;
    return read_operand(r, v, &op, &length) &&
           (op == FH_OP_NONE || read_operators(r, v, begin, op, length));
}

/* ---------------------------------------------------------------- statements */

/* The statement ends here, at ';' or '\n', which is taken. */
static void end_statement(struct reader *r) {
    struct fh_asm *a = r->a;
    a->st.ended_by = *r->p;
    a->tokens.in_statement = false;
    a->tokens.token.text = r->p++;
    a->tokens.token.length = 1;
    fh_lexer_go_on(a, r->p);
    fh_lexer_mode(a, FH_MODE_BEGIN);
}

int fh_read_head(struct fh_asm *a, struct fh_lexeme *t) {
    const char *begin = fh_lexer_ahead(a), *p = begin, *end;
    while (is(*p, BLANK) || (*p == '\n' && !a->tokens.in_statement))
        p++;
    end = is(*p, LETTER) ? behind_word(p, true) : p;
    const size_t length = (size_t)(end - p);
    if (length == 0 || (length == 7 && memcmp(p, "generic", 7) == 0)) { /* generic( */
        fh_lexer_go_on(a, begin);
        return 0;
    }
    const bool label = *end == ':';
    *t = (struct fh_lexeme){.text = p, .length = (uint32_t)(length + label)};
    end += label;
    while (!label && is(*end, BLANK))
        end++;
    fh_lexer_go_on(a, end);
    if (!label)
        fh_lexer_mode(a, FH_MODE_OPERANDS);
    return label ? FH_T_LABEL : FH_T_MNEMONIC;
}

enum fh_operands_read fh_read_operands(struct fh_asm *a, bool alone) {
    const char *begin = fh_lexer_ahead(a);
    struct reader r = {.a = a, .buffer = a->texts.top->buffer, .p = begin, .end = begin};
    struct fh_value *v = NULL;
    bool some = false;
    skip_blanks(&r);
    if (alone && (*r.p == ';' || *r.p == '\n')) {
        end_statement(&r);
        return FH_READ_ALL;
    }
    while ((v = fh_next_argument(a)) && read_expression(&r, v) && v->kind != FH_V_POISON) {
        const bool last = *r.p != ',';
        if (last && (!alone || (*r.p != ';' && *r.p != '\n')))
            break;
        fh_take_argument(a);
        a->st.end = position_of(&r, r.end);
        if (last) {
            end_statement(&r);
            return FH_READ_ALL;
        }
        a->st.end = position_of(&r, ++r.p);
        some = true;
        skip_blanks(&r);
        begin = r.p;
    }
    fh_lexer_go_on(a, begin);
    return some ? FH_READ_SOME : FH_READ_NONE;
}
