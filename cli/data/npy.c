/*
 * npy.c - the header of NumPy's .npy files, in memory.
 *
 * A file is: "\x93NUMPY", major, minor, the header's length (u16 in version 1, u32 in 2 and 3), the
 * header - a Python dictionary with descr, fortran_order and shape, padded with spaces to a
 * multiple of 64 and ended by a newline - and then the elements. Read: all versions; unsigned,
 * signed and floating point numbers of at most 8 bytes and booleans, little-endian; C order.
 * Written: version 1.
 */
#include "npy.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elements.h"

static const uint8_t magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

enum { SHOWN = 60 }; /* characters of a header that a message shows */

/* Where a refusal is written. */
struct reason {
    char *text;
    size_t size;
};

/* Says why a header is refused. */
__attribute__((format(printf, 2, 3))) static bool refuse(struct reason *why, const char *format,
                                                         ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(why->text, why->size, format, list);
    va_end(list);
    return false;
}

/* What follows 'key': in the dictionary, NULL if it is not there. */
static const char *entry(const char *header, const char *key) {
    const char *at = strstr(header, key);
    if (!at)
        return NULL;
    at += strlen(key);
    return at + strspn(at, " :");
}

/* "(2, 3)", "(6,)", "()"; Python 2 wrote "(2L, 3L)". */
static bool parse_shape(const char *at, struct fh_cli_data *data, struct reason *why) {
    const char *text = at;
    int length = (int)strcspn(text, ")}\n") + 1;
    bool good = *at++ == '(', fits = true;
    data->dims = 0;
    data->count = 1;
    while (good && *(at += strspn(at, " ")) != ')') {
        char *end;
        errno = 0;
        unsigned long long size = strtoull(at, &end, 10);
        good = *at >= '0' && *at <= '9';
        fits = fits && !errno && !__builtin_mul_overflow(data->count, (size_t)size, &data->count);
        end += *end == 'L';
        end += strspn(end, " ");
        good = good && (*end == ',' || *end == ')');
        at = end + (*end == ',');
        if (good && data->dims == FH_CLI_MAX_DIMS)
            return refuse(why, "the array has more than %d dimensions", FH_CLI_MAX_DIMS);
        if (good)
            data->shape[data->dims++] = (size_t)size;
    }
    if (!good)
        return refuse(why, "the shape of the header is %.*s; expected a tuple of sizes",
                      length < SHOWN ? length : SHOWN, text);
    if (!fits || data->count > SIZE_MAX / data->width)
        return refuse(why, "an array of shape %.*s is larger than memory can be",
                      length < SHOWN ? length : SHOWN, text);
    return true;
}

/* The letters that NumPy calls the kinds by, in their order. */
static const char kind_letters[] = "uifb";

/* "'<f8'": the kind and the size of an element. */
static bool parse_type(const char *at, struct fh_cli_data *data) {
    if (!at || *at++ != '\'' || !*at || !strchr("<|", *at))
        return false;
    char order = *at++;
    const char *letter = *at ? strchr(kind_letters, *at) : NULL;
    if (!letter || !at[1] || !strchr("1248", at[1]) || at[2] != '\'')
        return false;
    data->kind = (enum fh_cli_kind)(letter - kind_letters);
    data->width = (unsigned)(at[1] - '0');
    if (data->kind == FH_CLI_BOOL && data->width != 1)
        return false;
    return (data->kind != FH_CLI_FLOAT || data->width != 1) && (order == '<' || data->width == 1);
}

void fh_cli_data_type(const struct fh_cli_data *data, char text[FH_CLI_TYPE]) {
    snprintf(text, FH_CLI_TYPE, "%c%c%u", data->width == 1 ? '|' : '<', kind_letters[data->kind],
             data->width);
}

static bool parse_dictionary(const char *header, struct fh_cli_data *data, struct reason *why) {
    static const char *const keys[] = {"'descr'", "'fortran_order'", "'shape'"};
    const char *values[3];
    for (unsigned i = 0; i < 3; i++) {
        values[i] = entry(header, keys[i]);
        if (!values[i])
            return refuse(why, "the .npy header has no %s", keys[i]);
    }
    const char *type = values[0], *order = values[1];
    if (!parse_type(type, data)) {
        int length = *type == '[' ? 0 : (int)strcspn(type, ",}\n");
        return refuse(why,
                      "elements are %.*s; expected integers, floating point numbers or booleans of "
                      "at most 8 bytes, little-endian (NumPy: astype, view)",
                      length && length < SHOWN ? length : SHOWN, length ? type : "structures");
    }
    if (!parse_shape(values[2], data, why))
        return false;
    bool fortran = strncmp(order, "True", 4) == 0;
    if (!fortran && strncmp(order, "False", 5) != 0)
        return refuse(why, "fortran_order of the .npy header is neither True nor False");
    if (fortran && data->dims > 1)
        return refuse(why, "the array is in Fortran order; expected C order (NumPy: "
                           "ascontiguousarray)");
    return true;
}

/* What stands before the dictionary: *prefix bytes, which say how long that is. */
static bool parse_prefix(const uint8_t *bytes, size_t length, size_t *prefix, size_t *header,
                         struct reason *why) {
    size_t present = length < sizeof magic ? length : sizeof magic;
    if (!present || memcmp(bytes, magic, present) != 0)
        return refuse(why, "not a .npy file: it does not begin with \\x93NUMPY");
    if (length > 7 && (bytes[6] < 1 || bytes[6] > 3))
        return refuse(why, "the .npy version is %u.%u; known are 1.0, 2.0 and 3.0", bytes[6],
                      bytes[7]);
    *prefix = length > 6 && bytes[6] > 1 ? 12 : 10;
    if (length < *prefix)
        return refuse(why, "the file ends within its .npy header, after %zu byte%s", length,
                      length == 1 ? "" : "s");
    *header = bytes[8] | (size_t)bytes[9] << 8;
    if (*prefix == 12)
        *header |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    if (*header > length - *prefix)
        return refuse(why, "the file ends within its .npy header, which should have %zu bytes",
                      *prefix + *header);
    return true;
}

bool fh_cli_npy_parse(const uint8_t *bytes, size_t length, struct fh_cli_data *data,
                      size_t *data_start, char *why, size_t why_size) {
    struct reason reason = {why, why_size};
    size_t prefix = 0, header_length = 0;
    if (!parse_prefix(bytes, length, &prefix, &header_length, &reason))
        return false;
    char *header = strndup((const char *)bytes + prefix, header_length);
    if (!header)
        return refuse(&reason, "out of memory");
    bool good = parse_dictionary(header, data, &reason);
    free(header);
    *data_start = prefix + header_length;
    return good;
}

size_t fh_cli_npy_header(const struct fh_cli_data *data, uint8_t header[FH_CLI_NPY_HEADER]) {
    char text[256], type[FH_CLI_TYPE];
    fh_cli_data_type(data, type);
    int used =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (", type);
    /* Eight dimensions of at most 20 digits each fit with room to spare. */
    for (unsigned i = 0; i < data->dims; i++)
        used +=
            snprintf(text + used, sizeof text - (size_t)used, i ? ", %zu" : "%zu", data->shape[i]);
    used += snprintf(text + used, sizeof text - (size_t)used, data->dims == 1 ? ",), }" : "), }");
    size_t total = (10 + (size_t)used + 1 + 63) / 64 * 64;
    memcpy(header, magic, sizeof magic);
    header[6] = 1;
    header[7] = 0;
    header[8] = (uint8_t)((total - 10) & 0xff);
    header[9] = (uint8_t)((total - 10) >> 8);
    memset(header + 10, ' ', total - 10);
    memcpy(header + 10, text, (size_t)used);
    header[total - 1] = '\n';
    return total;
}
