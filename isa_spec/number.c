/*
 * number.c - floating point immediates to decimal text and back, exactly.
 *
 * Texts have 20 significant digits, which is more than any of the formats needs, so that reading
 * gives back the same bits. The C library's conversions do the work; what they write and read as
 * the decimal point depends on the program's locale and is put right here.
 */
#include "number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Above this, values are printed with an exponent. The listings at hand have 2^24 without and 2^31
 * with one; where between them the change is, is not known. */
#define PLAIN_LIMIT 1e9

/* ---------------------------------------------------------------- formats */

/* An interchange format of `bits` bits, `exponent` of them for the exponent. */
struct format {
    unsigned bits, exponent;
    uint32_t qnan; /* what QNAN stands for */
};

static const struct format formats[] = {
    [FH_N_F32] = {32, 8, 0x7fffffff},
    [FH_N_F64] = {32, 11, 0x7ff80000},
    [FH_N_F16X2] = {16, 5, 0x7fff},
    [FH_N_BF16X2] = {16, 8, 0x7fff},
};

static uint32_t fraction_mask(const struct format *f) {
    return (UINT32_C(1) << (f->bits - 1 - f->exponent)) - 1;
}

static uint32_t exponent_mask(const struct format *f) {
    return ((UINT32_C(1) << (f->bits - 1)) - 1) & ~fraction_mask(f);
}

static double value_of(const struct format *f, uint32_t bits) {
    unsigned fraction_bits = f->bits - 1 - f->exponent;
    int bias = (1 << (f->exponent - 1)) - 1;
    int exponent = (int)((bits & exponent_mask(f)) >> fraction_bits);
    uint32_t fraction = bits & fraction_mask(f);
    if (exponent)
        fraction |= UINT32_C(1) << fraction_bits;
    double value = ldexp((double)fraction, (exponent ? exponent : 1) - bias - (int)fraction_bits);
    return bits >> (f->bits - 1) & 1 ? -value : value;
}

/* ---------------------------------------------------------------- printing */

/* What stands between the digits is the locale's point. */
static void plain_point(char *text) {
    char *from = text + strspn(text, "-0123456789");
    size_t n = strcspn(from, "0123456789e");
    if (n == 0)
        return;
    *from = '.';
    memmove(from + 1, from + n, strlen(from + n) + 1);
}

static void one_text(const struct format *f, uint32_t bits, bool exact, char *text, size_t size) {
    uint32_t sign = UINT32_C(1) << (f->bits - 1);
    uint32_t magnitude = bits & (sign - 1);
    if (magnitude > exponent_mask(f)) {
        bool quiet = magnitude >> (f->bits - 2 - f->exponent) & 1;
        if (exact && magnitude != f->qnan)
            snprintf(text, size, "0x%x", bits);
        else
            snprintf(text, size, "%s%s ", bits & sign ? "-" : "+", quiet ? "QNAN" : "SNAN");
    } else if (magnitude == exponent_mask(f)) {
        snprintf(text, size, "%sINF ", bits & sign ? "-" : "+");
    } else {
        double value = value_of(f, bits);
        snprintf(text, size, fabs(value) >= PLAIN_LIMIT ? "%.20e" : "%.20g", value);
        plain_point(text);
    }
}

/* The letters of FSWZADD by code: which of A and B are added, subtracted or left out. */
static const char swizzles[4][3] = {"PP", "PN", "NP", "ZP"};

static const char *const controls[16] = {
    "THREAD_STATE_ENUM.0",
    "THREAD_STATE_ENUM.1",
    "THREAD_STATE_ENUM.2",
    "THREAD_STATE_ENUM.3",
    "THREAD_STATE_ENUM.4",
    "TRAP_RETURN_PC.LO",
    "TRAP_RETURN_PC.HI",
    "TRAP_RETURN_MASK",
    "MEXITED",
    "MKILL",
    "MACTIVE",
    "MATEXIT",
    "OPT_STACK",
    "API_CALL_DEPTH",
    "ATEXIT_PC.LO",
    "ATEXIT_PC.HI",
};

void fh_number_text(enum fh_number number, uint32_t bits, bool exact, char *text) {
    const struct format *f = &formats[number >= FH_N_SWIZZLE ? FH_N_F32 : number];
    char low[32], high[32];
    switch (number) {
    case FH_N_F16X2:
    case FH_N_BF16X2:
        one_text(f, bits >> 16, exact, high, sizeof high);
        one_text(f, bits & 0xffff, exact, low, sizeof low);
        snprintf(text, FH_NUMBER_TEXT, "%s, %s", high, low);
        break;
    case FH_N_SWIZZLE:
        snprintf(text, FH_NUMBER_TEXT, "%s%s%s%s", swizzles[bits >> 6 & 3], swizzles[bits >> 4 & 3],
                 swizzles[bits >> 2 & 3], swizzles[bits & 3]);
        break;
    case FH_N_CONTROL: snprintf(text, FH_NUMBER_TEXT, "%s", controls[bits & 15]); break;
    default: one_text(f, bits, exact, text, FH_NUMBER_TEXT);
    }
}

/* ---------------------------------------------------------------- reading */

bool fh_real_name(const char *text, size_t length) {
    return (length == 3 && memcmp(text, "INF", 3) == 0) ||
           (length == 4 && (memcmp(text, "QNAN", 4) == 0 || memcmp(text, "SNAN", 4) == 0));
}

/* The digits with the locale's point, ended by a NUL. False if they are too long or no number. */
static bool local_text(const struct fh_real *real, char *text, size_t size) {
    char half[16];
    snprintf(half, sizeof half, "%.1f", 0.5);
    const char *point = half + 1;
    size_t point_length = strcspn(point, "5"), used = 0;
    for (size_t i = 0; i < real->length; i++) {
        char c = real->text[i];
        if (used + point_length + 1 >= size || !strchr("0123456789.eE+-", c))
            return false;
        if (c == '.') {
            memcpy(text + used, point, point_length);
            used += point_length;
        } else {
            text[used++] = c;
        }
    }
    text[used] = '\0';
    return used > 0;
}

/* Rounds a finite double that is not negative to a half format, to nearest even. */
static bool narrow(const struct format *f, double value, uint32_t *bits) {
    int fraction_bits = (int)(f->bits - 1 - f->exponent), bias = (1 << (f->exponent - 1)) - 1, e;
    *bits = 0;
    if (value == 0)
        return true;
    (void)frexp(value, &e);
    int exponent = e - 1 + bias; /* biased, of a normal number */
    if (exponent < 1)
        exponent = 1;
    /* In units of the last place; exact, and nearbyint would depend on the rounding mode. */
    double units = ldexp(value, bias + fraction_bits - exponent), whole = floor(units);
    double rest = units - whole;
    if (rest > 0.5 || (rest == 0.5 && fmod(whole, 2) != 0))
        whole += 1;
    /* A carry into the next binade, or out of the subnormal numbers, is the same sum. */
    *bits = (uint32_t)((exponent - 1) << fraction_bits) + (uint32_t)whole;
    return *bits < exponent_mask(f);
}

bool fh_real_bits(enum fh_number number, const struct fh_real *real, uint32_t *bits) {
    const struct format *f = &formats[number];
    uint32_t sign = real->negative ? UINT32_C(1) << (f->bits - 1) : 0;
    char text[128], *end;
    if (fh_real_name(real->text, real->length)) {
        char first = real->text[0];
        *bits = sign | (first == 'I'   ? exponent_mask(f)
                        : first == 'Q' ? f->qnan
                                       : exponent_mask(f) | 1);
        return true;
    }
    if (!local_text(real, text, sizeof text))
        return false;
    if (number == FH_N_F32) {
        float value = strtof(text, &end);
        memcpy(bits, &value, 4);
        *bits |= sign;
        return *end == '\0' && isfinite(value);
    }
    double value = strtod(text, &end);
    if (*end != '\0' || !isfinite(value))
        return false;
    if (number == FH_N_F64) {
        uint64_t word;
        memcpy(&word, &value, 8);
        *bits = (uint32_t)(word >> 32) | sign;
        return (uint32_t)word == 0;
    }
    bool fits = narrow(f, value, bits);
    *bits |= sign;
    return fits;
}

bool fh_swizzle_bits(const char *text, size_t length, uint32_t *bits) {
    *bits = 0;
    if (length != 8)
        return false;
    for (size_t i = 0; i < 4; i++) {
        uint32_t code = 0;
        while (code < 4 && memcmp(text + 2 * i, swizzles[code], 2) != 0)
            code++;
        if (code == 4)
            return false;
        *bits = *bits << 2 | code;
    }
    return true;
}

bool fh_control_bits(const char *text, size_t length, uint32_t *bits) {
    for (*bits = 0; *bits < 16; ++*bits)
        if (strlen(controls[*bits]) == length && memcmp(controls[*bits], text, length) == 0)
            return true;
    return false;
}
