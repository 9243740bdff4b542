/*
 * wide_number.c - see wide_number.h.
 */
#include "wide_number.h"

#include <stdio.h>
#include <string.h>

struct fh_wide fh_wide_of(__int128 value) {
    struct fh_wide x;
    x.w[0] = (uint64_t)value;
    x.w[1] = (uint64_t)(value >> 64);
    for (unsigned i = 2; i < FH_WIDE_WORDS; i++)
        x.w[i] = value < 0 ? UINT64_MAX : 0;
    return x;
}

bool fh_wide_negative(const struct fh_wide *x) {
    return x->w[FH_WIDE_WORDS - 1] >> 63;
}

bool fh_wide_narrow(const struct fh_wide *x, __int128 *value) {
    const uint64_t sign = x->w[1] >> 63 ? UINT64_MAX : 0;
    for (unsigned i = 2; i < FH_WIDE_WORDS; i++)
        if (x->w[i] != sign)
            return false;
    *value = (__int128)((unsigned __int128)x->w[1] << 64 | x->w[0]);
    return true;
}

int fh_wide_compare(const struct fh_wide *x, const struct fh_wide *y) {
    if (fh_wide_negative(x) != fh_wide_negative(y))
        return fh_wide_negative(x) ? -1 : 1;
    for (unsigned i = FH_WIDE_WORDS; i-- > 0;)
        if (x->w[i] != y->w[i])
            return x->w[i] < y->w[i] ? -1 : 1;
    return 0;
}

static struct fh_wide inverted(const struct fh_wide *x) {
    struct fh_wide result;
    for (unsigned i = 0; i < FH_WIDE_WORDS; i++)
        result.w[i] = ~x->w[i];
    return result;
}

static struct fh_wide sum(const struct fh_wide *x, const struct fh_wide *y, uint64_t carry) {
    struct fh_wide result;
    for (unsigned i = 0; i < FH_WIDE_WORDS; i++) {
        const unsigned __int128 s = (unsigned __int128)x->w[i] + y->w[i] + carry;
        result.w[i] = (uint64_t)s;
        carry = (uint64_t)(s >> 64);
    }
    return result;
}

struct fh_wide fh_wide_negated(const struct fh_wide *x) {
    const struct fh_wide zero = {{0}}, opposite = inverted(x);
    return sum(&zero, &opposite, 1);
}

/* -2^1151, which has no opposite. */
static bool is_lowest(const struct fh_wide *x) {
    uint64_t others = x->w[FH_WIDE_WORDS - 1] ^ (uint64_t)1 << 63;
    for (unsigned i = 0; i < FH_WIDE_WORDS - 1; i++)
        others |= x->w[i];
    return !others;
}

bool fh_wide_invert(const struct fh_wide *x, struct fh_wide *result) {
    *result = inverted(x);
    return !is_lowest(result);
}

bool fh_wide_add(const struct fh_wide *x, const struct fh_wide *y, struct fh_wide *result) {
    const bool a = fh_wide_negative(x), b = fh_wide_negative(y);
    *result = sum(x, y, 0);
    return (a != b || fh_wide_negative(result) == a) && !is_lowest(result);
}

static struct fh_wide magnitude(const struct fh_wide *x) {
    return fh_wide_negative(x) ? fh_wide_negated(x) : *x;
}

/* Words up to the highest that is not zero. */
static unsigned length(const struct fh_wide *x) {
    unsigned n = FH_WIDE_WORDS;
    while (n && !x->w[n - 1])
        n--;
    return n;
}

static uint32_t bits(const struct fh_wide *x) {
    const unsigned n = length(x);
    return n ? 64 * n - (uint32_t)__builtin_clzll(x->w[n - 1]) : 0;
}

bool fh_wide_multiply(const struct fh_wide *x, const struct fh_wide *y, struct fh_wide *result) {
    const bool negative = fh_wide_negative(x) != fh_wide_negative(y);
    const struct fh_wide a = magnitude(x), b = magnitude(y);
    const unsigned m = length(&a), n = length(&b);
    struct fh_wide product = {{0}};
    if (bits(&a) + bits(&b) >= FH_WIDE_BITS)
        return false;
    for (unsigned i = 0; i < m; i++) {
        uint64_t carry = 0;
        for (unsigned k = 0; k < n || carry; k++) {
            if (i + k == FH_WIDE_WORDS)
                return false;
            const unsigned __int128 s =
                (unsigned __int128)a.w[i] * (k < n ? b.w[k] : 0) + product.w[i + k] + carry;
            product.w[i + k] = (uint64_t)s;
            carry = (uint64_t)(s >> 64);
        }
    }
    *result = negative ? fh_wide_negated(&product) : product;
    return true;
}

static struct fh_wide moved_up(const struct fh_wide *x, uint32_t by) {
    const uint32_t words = by / 64, rest = by % 64;
    struct fh_wide result = {{0}};
    for (unsigned i = words; i < FH_WIDE_WORDS; i++) {
        result.w[i] = x->w[i - words] << rest;
        if (rest && i > words)
            result.w[i] |= x->w[i - words - 1] >> (64 - rest);
    }
    return result;
}

bool fh_wide_shift_left(const struct fh_wide *x, uint32_t by, struct fh_wide *result) {
    const struct fh_wide a = magnitude(x);
    const bool negative = fh_wide_negative(x);
    if (bits(&a) + by >= FH_WIDE_BITS)
        return !bits(&a) && (*result = a, true);
    const struct fh_wide up = moved_up(&a, by);
    *result = negative ? fh_wide_negated(&up) : up;
    return true;
}

struct fh_wide fh_wide_shift_right(const struct fh_wide *x, uint32_t by) {
    const uint64_t sign = fh_wide_negative(x) ? UINT64_MAX : 0;
    const uint32_t words = by / 64, rest = by % 64;
    struct fh_wide result;
    for (unsigned i = 0; i < FH_WIDE_WORDS; i++) {
        const uint64_t low = i + words < FH_WIDE_WORDS ? x->w[i + words] : sign;
        const uint64_t high = i + words + 1 < FH_WIDE_WORDS ? x->w[i + words + 1] : sign;
        result.w[i] = rest ? low >> rest | high << (64 - rest) : low;
    }
    return result;
}

void fh_wide_divide(const struct fh_wide *x, const struct fh_wide *y, struct fh_wide *quotient,
                    struct fh_wide *remainder) {
    struct fh_wide rest = magnitude(x), q = {{0}};
    const struct fh_wide divisor = magnitude(y);
    const uint32_t a = bits(&rest), b = bits(&divisor);
    for (uint32_t shift = a >= b ? a - b + 1 : 0; shift-- > 0;) {
        const struct fh_wide part = moved_up(&divisor, shift);
        if (fh_wide_compare(&rest, &part) < 0)
            continue;
        const struct fh_wide minus = inverted(&part);
        rest = sum(&rest, &minus, 1);
        q.w[shift / 64] |= UINT64_C(1) << shift % 64;
    }
    const bool minus = fh_wide_negative(x);
    if (quotient)
        *quotient = minus != fh_wide_negative(y) ? fh_wide_negated(&q) : q;
    if (remainder)
        *remainder = minus ? fh_wide_negated(&rest) : rest;
}

bool fh_wide_append(struct fh_wide *x, unsigned base, unsigned digit) {
    uint64_t carry = digit;
    for (unsigned i = 0; i < FH_WIDE_WORDS; i++) {
        const unsigned __int128 s = (unsigned __int128)x->w[i] * base + carry;
        x->w[i] = (uint64_t)s;
        carry = (uint64_t)(s >> 64);
    }
    return !carry && !fh_wide_negative(x);
}

void fh_wide_text(const struct fh_wide *x, char *text, size_t size) {
    char digits[FH_WIDE_BITS / 4 + 1];
    const struct fh_wide a = magnitude(x);
    const char *sign = fh_wide_negative(x) ? "-" : "";
    const unsigned n = length(&a);
    if (n <= 1 && a.w[0] < 1000) {
        snprintf(text, size, "%s%u", sign, (unsigned)a.w[0]);
        return;
    }
    int at = snprintf(digits, sizeof digits, "%llx", (unsigned long long)a.w[n - 1]);
    for (unsigned i = n - 1; i-- > 0;)
        at += snprintf(digits + at, sizeof digits - (size_t)at, "%016llx",
                       (unsigned long long)a.w[i]);
    const size_t room = size > 4 ? size - 4 : 0;
    if ((size_t)at <= room)
        snprintf(text, size, "%s0x%s", sign, digits);
    else if (room > 12)
        snprintf(text, size, "%s0x%.*s..%s", sign, (int)((room - 2) / 2), digits,
                 digits + at - (room - 2) / 2);
    else
        *text = 0;
}
