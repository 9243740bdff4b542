/*
 * show_number.c - numbers as a person wants to see them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "show.h"

static uint64_t cut(uint64_t value, unsigned bits) {
    return bits < 64 ? value & ((UINT64_C(1) << bits) - 1) : value;
}

static int64_t sign_extended(uint64_t value, unsigned bits) {
    if (bits < 64 && value >> (bits - 1) & 1)
        value |= UINT64_MAX << bits;
    int64_t result;
    memcpy(&result, &value, sizeof result);
    return result;
}

/* A half has 5 bits of exponent, counted from -15, and 10 of fraction. */
static double of_half(uint64_t bits) {
    const int exponent = (int)(bits >> 10 & 31);
    double value = (double)(bits & 0x3ff) / 1024;
    if (exponent == 31)
        value = bits & 0x3ff ? (double)__builtin_nanf("") : (double)__builtin_inff();
    else
        value = __builtin_ldexp(exponent ? 1 + value : value, (exponent ? exponent : 1) - 15);
    return bits >> 15 & 1 ? -value : value;
}

static void show_float(uint64_t value, unsigned bits, char text[FH_SHOW_NUMBER]) {
    double number = 0;
    float single;
    const uint32_t low = (uint32_t)value;
    if (bits == 64) {
        memcpy(&number, &value, sizeof number);
        (void)snprintf(text, FH_SHOW_NUMBER, "%.17g", number);
        return;
    }
    memcpy(&single, &low, sizeof single);
    number = bits == 16 ? of_half(value) : (double)single;
    (void)snprintf(text, FH_SHOW_NUMBER, "%.9g", number);
}

/* Without zeros before it. */
static void show_binary(uint64_t value, char text[FH_SHOW_NUMBER]) {
    size_t length = 0;
    text[length++] = '0';
    text[length++] = 'b';
    for (unsigned i = value ? 64 - (unsigned)__builtin_clzll(value) : 1; i-- > 0;)
        text[length++] = (char)('0' + (value >> i & 1));
    text[length] = '\0';
}

static void show_modular(uint64_t value, uint64_t q, char text[FH_SHOW_NUMBER]) {
    const uint64_t rest = q ? value % q : value;
    if (q && rest > q / 2)
        (void)snprintf(text, FH_SHOW_NUMBER, "-%" PRIu64, q - rest);
    else
        (void)snprintf(text, FH_SHOW_NUMBER, "%" PRIu64, rest);
}

void fh_show_number(const struct fh_show_format *format, uint64_t value, unsigned bits,
                    char text[FH_SHOW_NUMBER]) {
    value = cut(value, bits);
    switch (format->kind) {
    case FH_SHOW_SIGNED:
        (void)snprintf(text, FH_SHOW_NUMBER, "%" PRId64, sign_extended(value, bits));
        return;
    case FH_SHOW_UNSIGNED: (void)snprintf(text, FH_SHOW_NUMBER, "%" PRIu64, value); return;
    case FH_SHOW_MODULAR: show_modular(value, format->q, text); return;
    case FH_SHOW_FLOAT:
        if (bits == 16 || bits == 32 || bits == 64) {
            show_float(value, bits, text);
            return;
        }
        break;
    case FH_SHOW_HALVES:
        if (bits == 32) {
            (void)snprintf(text, FH_SHOW_NUMBER, "%.5g, %.5g", of_half(value & 0xffff),
                           of_half(value >> 16));
            return;
        }
        break;
    case FH_SHOW_BINARY: show_binary(value, text); return;
    case FH_SHOW_ADDRESS:
        if (format->place && format->place(format->user, value, text, FH_SHOW_NUMBER))
            return;
        break;
    default: break;
    }
    (void)snprintf(text, FH_SHOW_NUMBER, "%0*" PRIx64, (int)(bits + 3) / 4, value);
}

void fh_show_value(const struct fh_query_value *value, uint64_t bits, char text[FH_SHOW_NUMBER]) {
    const struct fh_show_format format = {.kind = value->form == FH_QUERY_HALVES ? FH_SHOW_HALVES
                                                                                 : FH_SHOW_FLOAT};
    fh_show_number(&format, bits, value->bits, text);
}

bool fh_show_kind_named(const char *name, enum fh_show_kind *kind) {
    static const char *const names[] = {"hex", "signed",  "unsigned", "float",
                                        "mod", "address", "halves",   "binary"};
    if (strcmp(name, "centred") == 0)
        name = "mod";
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) == 0) {
            *kind = (enum fh_show_kind)i;
            return true;
        }
    }
    return false;
}
