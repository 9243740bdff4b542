/*
 * device_format.c - the text of a call of printf in a kernel. The compiler packs the arguments one
 * behind the other, each aligned to its size: 4 bytes of an int, 8 of a longer integer, a pointer
 * and a double, to which floats are promoted.
 */
#include "device_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FLAGS = 8 };

/* A format under way. */
struct printing {
    const fhec_call *call;
    uint32_t lane;
    uint64_t next; /* address of the next argument */
    size_t most;   /* bytes that the text may have */
    struct fh_device_buffer *text;
    int32_t count; /* of arguments */
};

/* "%-08.3lld": what it says. */
struct conversion {
    char flags[MOST_FLAGS];
    bool has_width, has_precision;
    int32_t width, precision;
    unsigned bytes; /* of an integer */
    char letter;
};

static bool argument(struct printing *p, void *value, unsigned bytes) {
    const uint64_t address = (p->next + bytes - 1) & ~(uint64_t)(bytes - 1);
    p->next = address + bytes;
    p->count++;
    return fhec_call_read(p->call, p->lane, address, value, bytes);
}

/* A number of the format, or `*`. *text is behind it. */
static bool read_number(struct printing *p, const char **text, int32_t *number) {
    int64_t value = 0;
    if (**text == '*') {
        (*text)++;
        return argument(p, number, 4);
    }
    for (; **text >= '0' && **text <= '9'; (*text)++)
        value = value > INT32_MAX / 16 ? value : 10 * value + (**text - '0');
    *number = (int32_t)value;
    return true;
}

static unsigned read_length(const char **text) {
    unsigned bytes = 4;
    for (; **text && strchr("hljztL", **text); (*text)++) {
        if (**text != 'h')
            bytes = 8;
        else
            bytes = bytes == 2 ? 1 : 2;
    }
    return bytes;
}

/* Behind the "%". False after a fault. */
static bool read_conversion(struct printing *p, const char **text, struct conversion *c) {
    size_t flags = 0;
    for (; **text && strchr("-+ #0", **text); (*text)++)
        if (!strchr(c->flags, **text))
            c->flags[flags++] = **text;
    c->has_width = **text == '*' || (**text >= '1' && **text <= '9');
    if (c->has_width && !read_number(p, text, &c->width))
        return false;
    if (c->width < 0 && !strchr(c->flags, '-'))
        c->flags[flags++] = '-';
    if (c->width < 0) /* that of -2^31 has none in 32 bits; either is too large */
        c->width = c->width == INT32_MIN ? INT32_MAX : -c->width;
    if (**text == '.') {
        (*text)++;
        c->has_precision = true;
        if (!read_number(p, text, &c->precision))
            return false;
        c->has_precision = c->precision >= 0;
    }
    c->bytes = read_length(text);
    c->letter = **text;
    *text += c->letter != '\0';
    return true;
}

/* The conversion for the host's printf, with `length` before its letter. */
static void spell(const struct conversion *c, const char *length, char *format, size_t size) {
    char width[16] = "", precision[16] = "";
    if (c->has_width)
        snprintf(width, sizeof width, "%" PRId32, c->width);
    if (c->has_precision)
        snprintf(precision, sizeof precision, ".%" PRId32, c->precision);
    snprintf(format, size, "%%%s%s%s%s%c", c->flags, width, precision, length, c->letter);
}

/* What `snprintf(NULL, 0, format, value)` says, printed. Formats are made by spell, for the type
 * that `value` has. */
#define PRINT(p, format, value)                                                                    \
    do {                                                                                           \
        const int length_ = snprintf(NULL, 0, (format), (value));                                  \
        char *made_ = length_ < 0 ? NULL : malloc((size_t)length_ + 1);                            \
        if (!made_)                                                                                \
            return false;                                                                          \
        snprintf(made_, (size_t)length_ + 1, (format), (value));                                   \
        const bool put_ = fh_device_put((p)->text, made_, (size_t)length_);                        \
        free(made_);                                                                               \
        return put_;                                                                               \
    } while (0)

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static bool put_integer(struct printing *p, const struct conversion *c) {
    const bool is_signed = c->letter == 'd' || c->letter == 'i';
    char format[64];
    uint64_t value = 0;
    spell(c, "ll", format, sizeof format);
    if (!argument(p, &value, c->bytes == 8 ? 8 : 4))
        return false;
    const unsigned unused = 64 - 8 * c->bytes;
    value <<= unused;
    const long long number =
        is_signed ? (long long)((int64_t)value >> unused) : (long long)(value >> unused);
    PRINT(p, format, number);
}

static bool put_real(struct printing *p, const struct conversion *c) {
    char format[64];
    double value = 0;
    spell(c, "", format, sizeof format);
    if (!argument(p, &value, 8))
        return false;
    PRINT(p, format, value);
}

static bool put_character(struct printing *p, const struct conversion *c) {
    const size_t width = c->has_width && c->width > 1 ? (size_t)c->width - 1 : 0;
    int32_t value = 0;
    if (!argument(p, &value, 4))
        return false;
    const char one = (char)value;
    const bool left = strchr(c->flags, '-');
    bool fine = !left || fh_device_put(p->text, &one, 1);
    for (size_t i = 0; fine && i < width; i++)
        fine = fh_device_put(p->text, " ", 1);
    return fine && (left || fh_device_put(p->text, &one, 1));
}

static bool put_pointer(struct printing *p, const struct conversion *c) {
    char format[64];
    uint64_t value = 0;
    spell(c, "", format, sizeof format);
    if (!argument(p, &value, 8))
        return false;
    void *pointer = (void *)(uintptr_t)value;
    PRINT(p, format, pointer);
}

static bool put_string(struct printing *p, const struct conversion *c) {
    struct fh_device_buffer string = {0};
    const size_t most = c->has_precision ? (size_t)c->precision : p->most;
    uint64_t address = 0;
    bool fine = argument(p, &address, 8);
    fine = fine && (address ? fh_device_read_text(p->call, p->lane, address, most, &string)
                            : fh_device_put(&string, "(null)", most < 6 ? 0 : 6));
    const size_t width = c->has_width ? (size_t)c->width : 0;
    const size_t pad = width > string.length ? width - string.length : 0;
    const bool left = strchr(c->flags, '-');
    fine = fine && (!left || !string.length || fh_device_put(p->text, string.bytes, string.length));
    for (size_t i = 0; fine && i < pad; i++)
        fine = fh_device_put(p->text, " ", 1);
    fine = fine && (left || !string.length || fh_device_put(p->text, string.bytes, string.length));
    free(string.bytes);
    return fine;
}

/* A conversion whose letter is none is printed as it stands. */
static bool put(struct printing *p, const struct conversion *c, const char *from, size_t length) {
    switch (c->letter) {
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o': return put_integer(p, c);
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A': return put_real(p, c);
    case 'c': return put_character(p, c);
    case 's': return put_string(p, c);
    case 'p': return put_pointer(p, c);
    case '%': return fh_device_put(p->text, "%", 1);
    default: return fh_device_put(p->text, from, length);
    }
}

static bool too_long(const struct printing *p, const struct conversion *c) {
    return (size_t)c->width > p->most ||
           (c->has_precision && c->letter != 's' && (size_t)c->precision > p->most) ||
           p->text->length > p->most;
}

static bool print(struct printing *p, const char *format, int32_t *result) {
    enum { FAILED = -2 };
    while (*format) {
        const size_t plain = strcspn(format, "%");
        struct conversion c = {.letter = '\0'};
        if (!fh_device_put(p->text, format, plain))
            return false;
        format += plain;
        if (!*format)
            break;
        const char *from = format++;
        if (!read_conversion(p, &format, &c))
            return false;
        if (too_long(p, &c)) {
            *result = FAILED;
            return true;
        }
        if (!put(p, &c, from, (size_t)(format - from)))
            return false;
    }
    *result = p->count;
    return true;
}

bool fh_device_format(const fhec_call *call, uint32_t lane, uint64_t format, uint64_t arguments,
                      size_t most, struct fh_device_buffer *text, int32_t *result) {
    struct printing p = {
        .call = call, .lane = lane, .next = arguments, .most = most, .text = text, .count = 0};
    struct fh_device_buffer own = {0};
    const bool fine = fh_device_read_text(call, lane, format, most, &own) &&
                      fh_device_put(&own, "", 1) && print(&p, own.bytes, result);
    free(own.bytes);
    return fine;
}
