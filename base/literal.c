/* literal.c - see literal.h. */
#include "literal.h"

#include <stdlib.h>
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
            if (digit >= 10) {
                digit = (unsigned)((text[i] | 0x20) - 'a');
                if (digit >= 6)
                    return false;
                digit += 10;
            }
            n = n << 4 | digit;
        }
    }
    *number = n;
    return i == length;
}

static bool is_decimal(char c) {
    return (unsigned)(c - '0') < 10;
}

/* 36 and more: no digit of any base. */
static unsigned digit_of(char c) {
    if (is_decimal(c))
        return (unsigned)(c - '0');
    const unsigned letter = (unsigned)((c | 0x20) - 'a');
    return letter < 26 ? letter + 10 : 99;
}

size_t fh_literal_length(const char *text) {
    size_t n = 0, decimal;
    if (!is_decimal(*text))
        return 0;
    while (digit_of(text[n]) < 36 || text[n] == '_' || (text[n] == '.' && text[n + 1] != '.'))
        n++;
    decimal = strspn(text, "0123456789");
    if (text[decimal] == '.')
        decimal += 1 + strspn(text + decimal + 1, "0123456789");
    if (decimal + 1 == n && (text[decimal] | 0x20) == 'e' && (text[n] == '-' || text[n] == '+') &&
        is_decimal(text[n + 1]))
        for (n++; is_decimal(text[n]);)
            n++;
    return n;
}

/* The base, and how many characters say so; 0 with a reason: there is none. */
static unsigned base_of(const char *text, size_t length, size_t *prefix, const char **why) {
    *prefix = 0;
    *why = "0x, 0b or 0o and digits, or decimal digits";
    if (length < 2 || text[0] != '0' || text[1] == '.')
        return 10;
    *prefix = 2;
    switch (text[1] | 0x20) {
    case 'x': return 16;
    case 'b': return 2;
    case 'o': return 8;
    default:
        if (is_decimal(text[1]))
            *why = "write 0o for octal, or no leading zero";
        return 0;
    }
}

bool fh_parse_wide(const char *text, size_t length, struct fh_wide *number, const char **why) {
    size_t i;
    const unsigned base = base_of(text, length, &i, why);
    *number = (struct fh_wide){{0}};
    if (base == 0 || i >= length)
        return false;
    for (size_t k = i; k < length; k++)
        if (digit_of(text[k]) >= base)
            return false;
    for (; i < length; i++) {
        if (fh_wide_append(number, base, digit_of(text[i])))
            continue;
        *why = "it has more than 1151 bits";
        return false;
    }
    return true;
}

bool fh_parse_number(const char *text, size_t length, uint64_t *number, const char **why) {
    struct fh_wide wide;
    if (length && parse_short(text, length, number))
        return true;
    *number = 0;
    const bool fits = fh_parse_wide(text, length, &wide, why);
    for (unsigned i = 1; i < FH_WIDE_WORDS; i++)
        if (wide.w[i]) {
            *why = "it has more than 64 bits";
            return false;
        }
    *number = fits ? wide.w[0] : 0;
    return fits;
}

size_t fh_take_number(const char *text, uint64_t *number) {
    const char *why;
    const size_t length = fh_literal_length(text);
    *number = 0;
    return length && fh_parse_number(text, length, number, &why) ? length : 0;
}

bool fh_parse_real(const char *text, double *number) {
    uint64_t whole;
    const size_t length = strlen(text);
    const bool real = length && fh_is_real(text, length);
    *number = 0;
    if (real)
        *number = strtod(text, NULL);
    else if (length && fh_take_number(text, &whole) == length)
        *number = (double)whole;
    else
        return false;
    return true;
}

size_t fh_parse_digits(const char *text, unsigned base, uint64_t *number) {
    size_t i = 0;
    *number = 0;
    for (unsigned digit; (digit = digit_of(text[i])) < base; i++)
        if (__builtin_mul_overflow(*number, base, number) ||
            __builtin_add_overflow(*number, digit, number))
            return 0;
    return i;
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
