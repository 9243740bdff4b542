/*
 * syntax.c - what a syntax error expected, where the grammar allows too much to list: that follows
 * from the token, the one before it and the brackets that are open.
 */
#include "asm.h"
#include "parser.h"

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

/* Whether the word before `text`, on its line, is a mnemonic: the next statement, whose `;` is
 * missing, was taken for an operand. */
static bool mnemonic_before(const char *text, const char *begin, const char **word,
                            size_t *length) {
    const char *end = text;
    unsigned first;
    while (end > begin && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    for (*word = end; *word > begin && (*word)[-1] > ' ' && (*word)[-1] != ','; (*word)--)
        ;
    *length = (size_t)(end - *word);
    const char *dot = memchr(*word, '.', *length);
    return *length && fh_insns_of_root(*word, dot ? (size_t)(dot - *word) : *length, &first) > 0;
}

/* Behind an operand another one begins. */
static const char *between_operands(struct fh_asm *a, uint32_t open) {
    const struct fh_buffer *buffer = a->frame->buffer;
    const char *word, *head = a->st.head.text ? a->st.head.text + a->st.head.length : buffer->text;
    size_t length;
    if (open == FH_CURLY)
        return ", expected `,` or `}`";
    if (open)
        return fh_text(a, ", expected an operator or %s", closing[open]);
    if (!a->st.is_directive && mnemonic_before(a->token.text, head, &word, &length))
        return fh_text(a, ", expected `;` before `%.*s`", (int)length, word);
    return ", expected `,` before it";
}

/* What should stand instead of the last token, or before it; "" if that cannot be said. */
static const char *expected(struct fh_asm *a, bool at_end) {
    uint32_t open = a->open_behind & BRACKET;
    int token = at_end ? 0 : a->before, before = a->behind;
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

void fh_report_syntax(struct fh_asm *a, struct fh_span at, bool at_end, const char *allowed) {
    const char *token =
        at_end ? fh_end_name(a) : fh_text(a, "`%s`", fh_text_of(a, a->token.text, a->token.length));
    fh_lexer_reveal(a, true);
    const char *list = *allowed ? allowed : expected(a, at_end);
    fh_lexer_reveal(a, false);
    fh_report(a, FH_D_SYNTAX, at, token, list, NULL);
}

void fh_missing_comma(struct fh_asm *a, struct fh_span at) {
    const char *text = fh_text_of(a, fh_source_text(&a->sources, at), at.end - at.begin);
    size_t length = strcspn(text, ".");
    unsigned first;
    bool mnemonic = !a->st.is_directive && fh_insns_of_root(text, length, &first) > 0;
    fh_report(a, FH_D_SYNTAX, at, fh_text(a, "`%s`", text),
              mnemonic ? ", expected `;` before it" : ", expected `,` before it", NULL);
}
