/* words.c - see words.h. */
#include "words.h"
#include "asm.h"
#include "asm_memory.h"
#include "literal.h"
#include "names.h"
#include "number.h"
#include "register_names.h"

#include <string.h>

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

int fh_word_token(struct fh_asm *a, struct fh_value *v) {
    const char *text = v->text;
    size_t length = v->length, head = 0; /* up to the first dot; words are too short for memchr */
    while (head < length && text[head] != '.')
        head++;
    return fh_word_of(a, v, head);
}

int fh_word_of(struct fh_asm *a, struct fh_value *v, size_t head) {
    const char *text = v->text;
    size_t length = v->length;
    if (head == 0) {
        v->kind = FH_V_NAME;
        return FH_T_DOTTED;
    }
    const bool dot = head < length;
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
        v->suffix = text + head;
        v->suffix_length = (uint32_t)(length - head);
    }
    return token;
}

int fh_number_token(struct fh_asm *a, struct fh_value *v) {
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
