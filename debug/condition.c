/*
 * condition.c - see condition.h.
 */
#include "condition.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct fh_debugger *debugger;
    const fhec_stop *stop;
    const char *text, *at;
    bool error;
};

static uint64_t wrong(struct reader *r, const char *what) {
    if (!r->error)
        fh_debugger_fail(r->debugger, FHEC_BAD_INPUT, "%s in the condition \"%s\", at \"%.20s\"",
                         what, r->text, r->at);
    r->error = true;
    return 0;
}

static void skip_blanks(struct reader *r) {
    while (*r->at == ' ' || *r->at == '\t')
        r->at++;
}

static bool take(struct reader *r, const char *sign) {
    skip_blanks(r);
    if (strncmp(r->at, sign, strlen(sign)) != 0)
        return false;
    r->at += strlen(sign);
    return true;
}

static uint64_t read_number(struct reader *r) {
    char *end;
    const unsigned long long value = strtoull(r->at, &end, 0);
    if (end == r->at || isalnum((unsigned char)*end))
        return wrong(r, "no number");
    r->at = end;
    return value;
}

/* The lane whose registers count. */
static unsigned lane_of(const struct reader *r) {
    const fhec_stop *s = r->stop;
    if (s->reason == FHEC_STOP_WATCHPOINT)
        return s->lane;
    return s->lanes ? (unsigned)__builtin_ctz(s->lanes) : 0;
}

static bool is_register(const char *name, size_t length, fhec_register_file *file,
                        uint32_t *number) {
    static const char *const prefixes[] = {"UR", "UP", "R", "P"};
    static const fhec_register_file files[] = {FHEC_FILE_UR, FHEC_FILE_UP, FHEC_FILE_R,
                                               FHEC_FILE_P};
    for (unsigned i = 0; i < 4; i++) {
        const size_t prefix = strlen(prefixes[i]);
        char *end;
        if (length <= prefix || strncmp(name, prefixes[i], prefix) != 0 ||
            !isdigit((unsigned char)name[prefix]))
            continue;
        const unsigned long value = strtoul(name + prefix, &end, 10);
        if (end != name + length || value > 255)
            continue;
        *file = files[i];
        *number = (uint32_t)value;
        return true;
    }
    return false;
}

static uint64_t read_register(struct reader *r, fhec_register_file file, uint32_t number) {
    uint32_t values[FHEC_WARP_LANES];
    const fhec_stop *s = r->stop;
    if (!s->has_warp || !r->debugger->session ||
        fhec_session_read_register(r->debugger->session, s->block, s->warp, file, number, values) !=
            FHEC_OK)
        return wrong(r, "a register that cannot be read");
    if (file == FHEC_FILE_P)
        return values[0] >> lane_of(r) & 1;
    return values[file == FHEC_FILE_R ? lane_of(r) : 0];
}

static uint64_t read_sum(struct reader *r);

/* "[I]" behind the name of a buffer. */
static uint64_t read_element(struct reader *r, const char *name, size_t length) {
    struct fh_debug_buffer b;
    uint8_t bytes[8] = {0};
    uint64_t value = 0, width = 4;
    const uint64_t index = read_sum(r);
    if (!take(r, "]"))
        return wrong(r, "no \"]\"");
    if (take(r, ":u64"))
        width = 8;
    for (size_t i = 0; !r->error && fh_debugger_buffer(r->debugger, i, &b); i++) {
        if (b.released || strlen(b.name) != length || strncmp(b.name, name, length) != 0)
            continue;
        if (index >= b.bytes / width ||
            fhec_session_read(r->debugger->session, FHEC_SPACE_GLOBAL, 0, NULL,
                              b.address + index * width, bytes, (size_t)width) != FHEC_OK)
            return wrong(r, "an element that the buffer does not have");
        for (unsigned k = 8; k-- > 0;)
            value = value << 8 | bytes[k];
        return value;
    }
    return wrong(r, "no such buffer");
}

static uint64_t read_name(struct reader *r) {
    const char *name = r->at;
    const fhec_stop *s = r->stop;
    fhec_register_file file;
    uint32_t number;
    while (isalnum((unsigned char)*r->at) || *r->at == '_' || *r->at == '.')
        r->at++;
    const size_t length = (size_t)(r->at - name);
    if (take(r, "["))
        return read_element(r, name, length);
    if (is_register(name, length, &file, &number))
        return read_register(r, file, number);
    const uint64_t wide_old = (uint64_t)s->old_value[1] << 32 | s->old_value[0];
    const uint64_t wide_new = (uint64_t)s->new_value[1] << 32 | s->new_value[0];
    const struct {
        const char *name;
        uint64_t value;
    } known[] = {{"value", s->bytes > 4 ? wide_new : s->new_value[0]},
                 {"old", s->bytes > 4 ? wide_old : s->old_value[0]},
                 {"lane", lane_of(r)},
                 {"warp", s->warp},
                 {"count", s->instructions},
                 {"pc", s->pc}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].name) == length && !strncmp(known[i].name, name, length))
            return known[i].value;
    r->at = name;
    return wrong(r, "no value is called that");
}

static uint64_t read_operand(struct reader *r) {
    skip_blanks(r);
    if (take(r, "-"))
        return 0 - read_operand(r);
    if (isdigit((unsigned char)*r->at))
        return read_number(r);
    if (isalpha((unsigned char)*r->at) || *r->at == '_')
        return read_name(r);
    return wrong(r, "no value");
}

/* Operands with + - * % &, from the left. */
static uint64_t read_sum(struct reader *r) {
    uint64_t value = read_operand(r);
    while (!r->error) {
        skip_blanks(r);
        const char sign = *r->at;
        if (!sign || !strchr("+-*%&", sign) || (sign == '&' && r->at[1] == '&'))
            break;
        r->at++;
        const uint64_t next = read_operand(r);
        if (sign == '%' && !next)
            return wrong(r, "a remainder by 0");
        value = sign == '+'   ? value + next
                : sign == '-' ? value - next
                : sign == '*' ? value * next
                : sign == '%' ? value % next
                              : value & next;
    }
    return value;
}

static bool read_comparison(struct reader *r) {
    const uint64_t a = read_sum(r);
    static const char *const signs[] = {"==", "!=", "<=", ">=", "<", ">"};
    for (unsigned i = 0; i < 6 && !r->error; i++) {
        if (!take(r, signs[i]))
            continue;
        const uint64_t b = read_sum(r);
        const bool holds[] = {a == b, a != b, a <= b, a >= b, a<b, a> b};
        return holds[i];
    }
    return a != 0;
}

bool fh_condition_holds(struct fh_debugger *d, const char *text, const fhec_stop *stop,
                        bool *error) {
    struct reader r = {.debugger = d, .stop = stop, .text = text, .at = text};
    bool holds = read_comparison(&r);
    while (!r.error && take(&r, "&&"))
        holds &= read_comparison(&r);
    skip_blanks(&r);
    if (!r.error && *r.at)
        wrong(&r, "something that cannot follow");
    *error = r.error;
    return holds && !r.error;
}
