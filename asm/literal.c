/* literal.c - see literal.h. */
#include "literal.h"

#include <string.h>

/* Digits that are a number of less than 64 bits whatever they are, and nothing else; false: those
 * of another number, or of none. */
static bool parse_short(const char *text, size_t length, uint64_t *number) {
    enum { MOST_DECIMAL = 19, MOST_HEXADECIMAL = 15 }; /* 10^19 and 16^15 are below 2^64 */
    uint64_t n = 0;
    size_t i = 0;
    if (text[0] != '0' || length == 1) {
        for (; i < length && i < MOST_DECIMAL && (unsigned)(text[i] - '0') < 10; i++)
            n = n * 10 + (unsigned)(text[i] - '0');
    } else if (length > 2 && text[1] == 'x') {
        for (i = 2; i < length && i < 2 + MOST_HEXADECIMAL; i++) {
            unsigned digit = (unsigned)(text[i] - '0');
            if (digit >= 10)
                digit = (unsigned)((text[i] | 0x20) - 'a') + 10;
            if (digit >= 16)
                return false;
            n = n << 4 | digit;
        }
    }
    *number = n;
    return i == length;
}

bool fh_parse_number(const char *text, size_t length, uint64_t *number, const char **why) {
    unsigned base = 10;
    size_t i = 0;
    if (parse_short(text, length, number))
        return true;
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

/* Digits with a point, an exponent or both. */
bool fh_is_real(const char *text, size_t length) {
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
