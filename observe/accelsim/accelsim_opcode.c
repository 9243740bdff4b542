/*
 * accelsim_opcode.c - see accelsim_opcode.h.
 */
#include "accelsim_opcode.h"

#include <string.h>

static const struct {
    const char *root;
    enum fh_accelsim_kind kind;
    enum fh_accelsim_space space;
} roots[] = {
    {"LDG", FH_ACCELSIM_LOAD, FH_ACCELSIM_GLOBAL},
    {"LDS", FH_ACCELSIM_LOAD, FH_ACCELSIM_SHARED},
    {"LDL", FH_ACCELSIM_LOAD, FH_ACCELSIM_LOCAL},
    {"LD", FH_ACCELSIM_LOAD, FH_ACCELSIM_GENERIC},
    {"STG", FH_ACCELSIM_STORE, FH_ACCELSIM_GLOBAL},
    {"STS", FH_ACCELSIM_STORE, FH_ACCELSIM_SHARED},
    {"STL", FH_ACCELSIM_STORE, FH_ACCELSIM_LOCAL},
    {"ST", FH_ACCELSIM_STORE, FH_ACCELSIM_GENERIC},
    {"ATOMG", FH_ACCELSIM_ATOMIC, FH_ACCELSIM_GLOBAL},
    {"RED", FH_ACCELSIM_ATOMIC, FH_ACCELSIM_GLOBAL},
    {"ATOMS", FH_ACCELSIM_ATOMIC, FH_ACCELSIM_SHARED},
    {"ATOM", FH_ACCELSIM_ATOMIC, FH_ACCELSIM_GENERIC},
    {"LDGSTS", FH_ACCELSIM_COPY, FH_ACCELSIM_GLOBAL},
    {"LDSM", FH_ACCELSIM_MATRICES, FH_ACCELSIM_SHARED},
};

/* The next part of the text, between dots. False: there is none. */
static bool next_part(const char **at, const char *end, const char **part, size_t *length) {
    while (*at < end && **at == '.')
        ++*at;
    const char *dot = memchr(*at, '.', (size_t)(end - *at));
    *part = *at;
    *length = (size_t)((dot ? dot : end) - *at);
    *at += *length;
    return *length != 0;
}

/* The number that a part is; 0: it is none, or one that means nothing. */
static uint32_t number(const char *part, size_t length) {
    uint32_t value = 0;
    if (!length || length > 6)
        return 0;
    for (size_t i = 0; i < length; i++) {
        if (part[i] < '0' || part[i] > '9')
            return 0;
        value = 10 * value + (uint32_t)(part[i] - '0');
    }
    return value;
}

/* The bits that a part says that each lane accesses: 64, U16, S8, F64; 0: it does not. */
static uint32_t bits_of(const char *part, size_t length) {
    const bool letter = length > 1 && memchr("USFB", part[0], 4);
    const uint32_t bits = number(part + letter, length - letter);
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128 ? bits : 0;
}

static bool is(const char *part, size_t length, const char *text) {
    return strlen(text) == length && memcmp(part, text, length) == 0;
}

/* LDSM.16.M88.4: rows of 16 bytes, eight for each matrix. */
static void say_matrices(struct fh_accelsim_opcode *o, uint32_t matrices) {
    o->bytes = 16;
    o->lanes = matrices >= 4 ? UINT32_MAX : (1u << 8 * (matrices ? matrices : 1)) - 1;
}

struct fh_accelsim_opcode fh_accelsim_opcode(const char *text, size_t length) {
    struct fh_accelsim_opcode o = {.bytes = 4, .lanes = UINT32_MAX};
    const char *at = text, *end = text + length, *part;
    size_t part_length;
    uint32_t last = 0, bits = 0;
    if (!next_part(&at, end, &part, &part_length)) {
        o.width = 4;
        return o;
    }
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++)
        if (is(part, part_length, roots[i].root)) {
            o.kind = roots[i].kind;
            o.space = roots[i].space;
        }
    const bool barrier = is(part, part_length, "BAR");
    o.exits = is(part, part_length, "EXIT");
    while (next_part(&at, end, &part, &part_length)) {
        const bool is_unsigned = part_length > 1 && part[0] == 'U';
        const uint32_t stated = number(part + is_unsigned, part_length - is_unsigned);
        if (stated && !o.width)
            o.width = stated / 8;
        if (!bits)
            bits = bits_of(part, part_length);
        last = number(part, part_length);
        o.passes_by |= is(part, part_length, "ARV");
        o.barrier |= barrier && (is(part, part_length, "SYNC") || is(part, part_length, "RED") ||
                                 is(part, part_length, "ARV"));
    }
    o.width = o.width ? o.width : 4;
    if (bits)
        o.bytes = bits / 8;
    if (o.kind == FH_ACCELSIM_MATRICES)
        say_matrices(&o, last < 8 ? last : 1);
    return o;
}
