/*
 * value.c - values of parameters, variables and parts of buffers, from their text.
 */
#include "value.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "golden.h"
#include "input.h"
#include "message.h"
#include "options.h"

static void put_bytes(uint8_t *to, uint64_t value, uint64_t size) {
    for (uint64_t i = 0; i < size; i++)
        to[i] = (uint8_t)(i < 8 ? value >> (8 * i) : 0);
}

/* A number in two's complement of `size` bytes, at most 8. */
static bool put_number(const char *text, uint64_t size, uint8_t *to) {
    bool negative = text[0] == '-';
    uint64_t value, limit = size < 8 ? (UINT64_C(1) << (8 * size)) - 1 : UINT64_MAX;
    if (!fh_cli_number(text + negative, &value))
        return false;
    if (value > (negative ? limit / 2 + 1 : limit))
        return false;
    put_bytes(to, negative ? 0 - value : value, size);
    return true;
}

/* A floating point number of 4 or 8 bytes, rounded to nearest. */
static bool put_float(const char *text, uint64_t size, uint8_t *to) {
    char *end;
    float single = 0;
    double number = 0;
    errno = 0;
    if (size == 4)
        single = strtof(text, &end);
    else
        number = strtod(text, &end);
    if (end == text || *end)
        return false;
    memcpy(to, size == 4 ? (const void *)&single : &number, size);
    return true;
}

/* "17" of "modulus:17" as {u32 q, u32 0, u64 mu}. */
static bool put_modulus(const char *text, uint8_t *to) {
    uint64_t q;
    if (!fh_cli_number(text, &q) || q < 2 || q > UINT32_MAX)
        return false;
    put_bytes(to, q, 8);
    put_bytes(to + 8, fh_golden_barrett_mu((uint32_t)q), 8);
    return true;
}

static fhec_status put_file(const struct fh_cli *cli, const char *path,
                            struct fh_cli_destination *to, bool shorter) {
    char *bytes;
    size_t length;
    fhec_status status = fh_cli_read_data(cli, path, &bytes, &length);
    if (status != FHEC_OK)
        return status;
    if (length > to->size || (length < to->size && !shorter))
        status = fh_cli_error(cli, FHEC_BAD_INPUT, "%s takes %llu bytes; %s has %zu", to->what,
                              (unsigned long long)to->size, path, length);
    else
        memcpy(to->bytes, bytes, length);
    to->used = length;
    free(bytes);
    return status;
}

static unsigned digit_value(char digit) {
    return isdigit((unsigned char)digit) ? (unsigned)(digit - '0')
                                         : (unsigned)(tolower((unsigned char)digit) - 'a') + 10;
}

/* Pairs of hexadecimal digits, as put_file puts the bytes of a file. */
static bool put_digits(const char *digits, struct fh_cli_destination *to, bool shorter) {
    const size_t length = strlen(digits) / 2;
    if (!length || digits[strspn(digits, "0123456789abcdefABCDEF")] || digits[2 * length] ||
        length > to->size || (length < to->size && !shorter))
        return false;
    for (size_t i = 0; i < length; i++)
        to->bytes[i] = (uint8_t)(digit_value(digits[2 * i]) << 4 | digit_value(digits[2 * i + 1]));
    to->used = length;
    return true;
}

bool fh_cli_cut_offset(char *name, uint64_t *offset, bool *given) {
    char *plus = strrchr(name, '+');
    *offset = 0;
    *given = plus != NULL;
    if (!plus)
        return true;
    *plus = 0;
    return fh_cli_number(plus + 1, offset);
}

fhec_status fh_cli_put_address(const struct fh_cli *cli, struct fh_cli_memory *memory,
                               const char *text, uint8_t *to) {
    uint64_t more;
    bool given;
    if (put_number(text, 8, to))
        return FHEC_OK;
    char *name = strdup(text);
    if (!name)
        return fh_cli_no_memory(cli);
    fhec_status status = FHEC_OK;
    size_t buffer = memory->buffer_count;
    if (fh_cli_cut_offset(name, &more, &given))
        buffer = fh_cli_memory_find(memory, name);
    if (buffer == memory->buffer_count)
        status = fh_cli_error(cli, FHEC_BAD_INPUT,
                              "\"%s\" is no address: expected BUFFER[+OFFSET] of a buffer that is "
                              "given",
                              text);
    else
        status = fh_cli_memory_fix(cli, memory, to, buffer, more);
    free(name);
    return status;
}

static const char address[] = "address:";

fhec_status fh_cli_note_address(const struct fh_cli *cli, struct fh_cli_memory *memory,
                                const char *text) {
    if (strncmp(text, address, sizeof address - 1) != 0)
        return FHEC_OK;
    uint8_t unused[8];
    size_t count = memory->fixup_count;
    fhec_status status = fh_cli_put_address(cli, memory, text + sizeof address - 1, unused);
    memory->fixup_count = count; /* only that the buffer is used is kept */
    return status;
}

/* The types that a number may have before it. */
static const struct {
    const char *prefix;
    unsigned size;
    bool floating;
} types[] = {{"u8:", 1, false},  {"u16:", 2, false}, {"u32:", 4, false},
             {"u64:", 8, false}, {"f32:", 4, true},  {"f64:", 8, true}};

static fhec_status misfit(const struct fh_cli *cli, const char *text,
                          const struct fh_cli_destination *to) {
    static const char any[] = "a number with its type (u8: u16: u32: u64: f32: f64:), "
                              "address:BUFFER[+OFFSET], bytes:HEX nor @FILE";
    return fh_cli_error(cli, FHEC_BAD_INPUT, "%s takes %llu bytes; \"%s\" is not %s", to->what,
                        (unsigned long long)to->size, text,
                        !to->whole       ? any
                        : to->size <= 8  ? "a number that fits"
                        : to->size == 16 ? "modulus:Q with 2 <= Q < 2^32, nor @FILE"
                                         : "@FILE or bytes:HEX with its bytes");
}

/* A value that begins with its type. *size is 0 if this is none. */
static bool put_typed(const char *text, const struct fh_cli_destination *to, unsigned *size) {
    *size = 0;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t length = strlen(types[i].prefix);
        if (strncmp(text, types[i].prefix, length) != 0)
            continue;
        *size = types[i].size;
        if (*size > to->size || (to->whole && *size != to->size))
            return false;
        return types[i].floating ? put_float(text + length, *size, to->bytes)
                                 : put_number(text + length, *size, to->bytes);
    }
    return false;
}

/* Whether "NAME" or "NAME+OFFSET" names a buffer of the memory. */
static bool names_buffer(const struct fh_cli_memory *memory, const char *text) {
    const size_t length = strcspn(text, "+");
    for (size_t i = 0; i < memory->buffer_count; i++)
        if (strlen(memory->buffers[i].name) == length &&
            strncmp(memory->buffers[i].name, text, length) == 0)
            return true;
    return false;
}

fhec_status fh_cli_put_value(const struct fh_cli *cli, struct fh_cli_memory *memory,
                             const char *text, struct fh_cli_destination *to, bool shorter) {
    static const char modulus[] = "modulus:", digits[] = "bytes:";
    unsigned size;
    if (text[0] == '@')
        return put_file(cli, text + 1, to, shorter || !to->whole);
    if (!strncmp(text, address, sizeof address - 1)) {
        to->used = 8;
        if (to->size < 8 || (to->whole && to->size != 8))
            return fh_cli_error(cli, FHEC_BAD_INPUT, "%s has %llu bytes; an address takes 8",
                                to->what, (unsigned long long)to->size);
        return fh_cli_put_address(cli, memory, text + sizeof address - 1, to->bytes);
    }
    if (!strncmp(text, digits, sizeof digits - 1) &&
        put_digits(text + sizeof digits - 1, to, shorter || !to->whole))
        return FHEC_OK;
    if (put_typed(text, to, &size)) {
        to->used = size;
        return FHEC_OK;
    }
    bool descriptor = to->size == 16 || (!to->whole && to->size > 16);
    to->used = 16;
    if (descriptor && !strncmp(text, modulus, sizeof modulus - 1) &&
        put_modulus(text + sizeof modulus - 1, to->bytes))
        return FHEC_OK;
    to->used = 8;
    if (to->size >= 8 && (!to->whole || to->size == 8) && names_buffer(memory, text))
        return fh_cli_put_address(cli, memory, text, to->bytes);
    to->used = to->size;
    if (!size && to->whole && to->size <= 8 && put_number(text, to->size, to->bytes))
        return FHEC_OK;
    return misfit(cli, text, to);
}
