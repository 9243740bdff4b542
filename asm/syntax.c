/*
 * syntax.c - what a syntax error expected, where the grammar allows too much to list: that follows
 * from the token, the one before it and the brackets that are open.
 */
#include "syntax.h"
#include "asm.h"
#include "asm_memory.h"
#include "names.h"
#include "tokens.h"

#include <ctype.h>
#include <string.h>

static const char *const closing[] = {[FH_ROUND] = "`)`", [FH_SQUARE] = "`]`", [FH_CURLY] = "`}`"};
enum { BRACKET = (1 << FH_BRACKET_BITS) - 1 };

static bool ends_operand(int token) {
    switch (token) {
    case FH_T_NUMBER:
    case FH_T_NAME:
    case FH_T_DOTTED:
    case FH_T_REGISTER:
    case FH_T_RANGE:
    case FH_T_SYMBOL:
    case FH_T_STRING:
    case FH_T_DEFINES:
    case FH_T_SREL:
    case ')':
    case ']':
    case '}':
    case '|': return true;
    default: return false;
    }
}

static bool begins_operand(int token) {
    switch (token) {
    case FH_T_NUMBER:
    case FH_T_NAME:
    case FH_T_REGISTER:
    case FH_T_RANGE:
    case FH_T_SYMBOL:
    case FH_T_STRING:
    case FH_T_CONSTANT:
    case FH_T_DESCRIBED:
    case FH_T_DESCRIPTOR:
    case FH_T_HALF:
    case FH_T_GENERIC:
    case '[':
    case '(':
    case '{':
    case '|':
    case '`':
    case '~':
    case '!': return true;
    default: return false;
    }
}

static bool closes(int token) {
    return token == ')' || token == ']' || token == '}';
}

/* The word before the last token; its length, 0 if there is none. */
static size_t word_before(const struct fh_asm *a, const char **word) {
    const struct fh_lexeme *head = &a->st.head;
    const char *begin = head->text ? head->text + head->length : a->texts.top->buffer->text;
    const char *end = a->tokens.token.text;
    while (end > begin && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    *word = end;
    while (*word > begin && (isalnum((unsigned char)(*word)[-1]) || strchr("_.$", (*word)[-1])))
        (*word)--;
    return (size_t)(end - *word);
}

static bool is_mnemonic(const char *word, size_t length) {
    const char *dot = memchr(word, '.', length);
    unsigned first;
    return length && fh_insns_of_root(word, dot ? (size_t)(dot - word) : length, &first) > 0;
}

/* Behind an operand another one begins. */
static const char *between_operands(struct fh_asm *a, uint32_t open) {
    const char *word;
    size_t length = word_before(a, &word);
    if (open == FH_CURLY)
        return ", expected `,` or `}`";
    if (open)
        return fh_text(a, ", expected an operator or %s", closing[open]);
    if (!a->st.is_directive && is_mnemonic(word, length)) /* the next statement's */
        return fh_text(a, ", expected `;` before `%.*s`", (int)length, word);
    return ", expected `,` before it";
}

/* What should stand instead of the last token, or before it; "" if that cannot be said. */
static const char *expected(struct fh_asm *a, bool at_end) {
    uint32_t open = a->tokens.open_behind & BRACKET;
    int token = at_end ? 0 : a->tokens.before, before = a->tokens.behind;
    bool value_before = ends_operand(before);
    if ((at_end || token == ',') && open && value_before)
        return fh_text(a, ", expected %s", closing[open]);
    if (closes(token) && !open)
        return ", which nothing opens";
    if (closes(token) && value_before)
        return fh_text(a, ", expected %s", closing[open]);
    if (begins_operand(token) && value_before)
        return between_operands(a, open);
    if (!value_before && before != FH_T_RAW && !begins_operand(token))
        return ", expected an operand";
    return "";
}

/* An index behind a name, which the grammar allows behind those of ranges and constants only. */
static bool is_index_of_unknown(struct fh_asm *a, bool at_end) {
    const char *word;
    if (at_end || a->tokens.before != '[' || a->tokens.behind != FH_T_NAME)
        return false;
    fh_lexer_reveal(a, true);
    size_t length = word_before(a, &word);
    const char *name = fh_text_of(a, word, length);
    fh_lexer_reveal(a, false);
    uint32_t begin = a->tokens.token.at.begin - (uint32_t)(a->tokens.token.text - word);
    if (word + length != a->tokens.token.text || fh_find_name(a, name, length))
        return false;
    fh_unknown_name(a, name, length, (struct fh_span){begin, begin + (uint32_t)length});
    return true;
}

void fh_report_syntax(struct fh_asm *a, struct fh_span at, bool at_end, const char *allowed) {
    if (is_index_of_unknown(a, at_end))
        return;
    const char *token =
        at_end ? fh_end_name(a)
               : fh_text(a, "`%s`", fh_text_of(a, a->tokens.token.text, a->tokens.token.length));
    fh_lexer_reveal(a, true);
    const char *list = *allowed ? allowed : expected(a, at_end);
    fh_lexer_reveal(a, false);
    fh_report(a, FH_D_SYNTAX, at, token, list, NULL);
}

void fh_missing_comma(struct fh_asm *a, struct fh_span at) {
    const char *text = fh_text_of(a, fh_source_text(&a->sources, at), at.end - at.begin);
    bool mnemonic = !a->st.is_directive && is_mnemonic(text, strlen(text));
    fh_report(a, FH_D_SYNTAX, at, fh_text(a, "`%s`", text),
              mnemonic ? ", expected `;` before it" : ", expected `,` before it", NULL);
}
