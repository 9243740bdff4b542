/*
 * accelsim_line.c - see accelsim_line.h.
 */
#include "accelsim_line.h"

#include <string.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

bool fh_accelsim_line_ends(struct fh_accelsim_line *l) {
    while (l->at < l->end && is_blank(*l->at))
        l->at++;
    return l->at == l->end;
}

bool fh_accelsim_line_word(struct fh_accelsim_line *l, const char **word, size_t *length) {
    if (fh_accelsim_line_ends(l))
        return false;
    *word = l->at;
    while (l->at < l->end && !is_blank(*l->at))
        l->at++;
    *length = (size_t)(l->at - *word);
    return true;
}

static unsigned digit(char c) {
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 16;
}

bool fh_accelsim_line_number(struct fh_accelsim_line *l, bool hex, uint64_t most,
                             uint64_t *number) {
    const unsigned base = hex ? 16 : 10;
    uint64_t value = 0;
    if (fh_accelsim_line_ends(l))
        return false;
    const char *at = l->at;
    if (hex && l->end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
        at += 2;
    const char *const first = at;
    for (; at < l->end && digit(*at) < base; at++) {
        const unsigned next = digit(*at);
        if (value > (most - next) / base || next > most)
            return false;
        value = value * base + next;
    }
    if (at == first || (at < l->end && !is_blank(*at)))
        return false;
    l->at = at;
    *number = value;
    return true;
}

bool fh_accelsim_line_signed(struct fh_accelsim_line *l, int64_t *number) {
    uint64_t value;
    const bool negative = !fh_accelsim_line_ends(l) && *l->at == '-';
    l->at += negative;
    if (negative && l->at < l->end && is_blank(*l->at))
        return false;
    if (!fh_accelsim_line_number(l, false, INT64_MAX, &value))
        return false;
    *number = negative ? -(int64_t)value : (int64_t)value;
    return true;
}

bool fh_accelsim_line_text(struct fh_accelsim_line *l, const char *text) {
    const size_t length = strlen(text);
    if ((size_t)(l->end - l->at) < length || memcmp(l->at, text, length) != 0)
        return false;
    l->at += length;
    return true;
}
