/*
 * npy.c - the header of NumPy's .npy files, in memory.
 *
 * A file is: "\x93NUMPY", major, minor, the header's length (u16 in version 1, u32 in 2 and 3), the
 * header - a Python dictionary with descr, fortran_order and shape, padded with spaces to a
 * multiple of 64 and ended by a newline - and then the elements. Read: all versions; unsigned,
 * signed and floating point numbers of at most 8 bytes and booleans, little-endian; C order.
 * Written: version 1.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const uint8_t magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

/* What follows 'key': in the dictionary, NULL if it is not there. */
static const char *entry(const char *header, const char *key) {
    const char *at = strstr(header, key);
    if (!at)
        return NULL;
    at += strlen(key);
    return at + strspn(at, " :");
}

static bool parse_shape(const char *at, struct fh_cli_data *data) {
    if (!at || *at++ != '(')
        return false;
    data->dims = 0;
    data->count = 1;
    for (;;) {
        at += strspn(at, " ,");
        if (*at == ')')
            return true;
        char *end;
        unsigned long long size = strtoull(at, &end, 10);
        if (end == at || *at == '-' || data->dims == FH_CLI_MAX_DIMS ||
            __builtin_mul_overflow(data->count, (size_t)size, &data->count))
            return false;
        data->shape[data->dims++] = (size_t)size;
        at = end;
    }
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

static bool parse_dictionary(const char *header, struct fh_cli_data *data, char *why,
                             size_t why_size) {
    const char *type = entry(header, "'descr'");
    if (!parse_type(type, data)) {
        snprintf(why, why_size,
                 "elements are %.*s; expected integers, floating point numbers or booleans of at "
                 "most 8 bytes, little-endian (NumPy: astype, view)",
                 type ? (int)strcspn(type, ",}") : 7, type ? type : "unknown");
        return false;
    }
    if (!parse_shape(entry(header, "'shape'"), data)) {
        snprintf(why, why_size, "the header has no usable shape (at most %d dimensions)",
                 FH_CLI_MAX_DIMS);
        return false;
    }
    const char *order = entry(header, "'fortran_order'");
    if ((!order || strncmp(order, "False", 5) != 0) && data->dims > 1) {
        snprintf(why, why_size, "the array is in Fortran order; expected C order");
        return false;
    }
    return true;
}

bool fh_cli_npy_parse(const uint8_t *bytes, size_t length, struct fh_cli_data *data,
                      size_t *data_start, char *why, size_t why_size) {
    if (length < 10 || memcmp(bytes, magic, sizeof magic) != 0) {
        snprintf(why, why_size, "not a .npy file: it does not begin with \\x93NUMPY");
        return false;
    }
    size_t prefix = bytes[6] == 1 ? 10 : 12;
    if (bytes[6] < 1 || bytes[6] > 3 || length < prefix) {
        snprintf(why, why_size, "unknown .npy version %u", bytes[6]);
        return false;
    }
    size_t header_length = bytes[8] | (size_t)bytes[9] << 8;
    if (prefix == 12)
        header_length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    if (header_length > length - prefix || header_length > 65535) {
        snprintf(why, why_size, "the .npy header is cut off");
        return false;
    }
    char *header = strndup((const char *)bytes + prefix, header_length);
    if (!header) {
        snprintf(why, why_size, "out of memory");
        return false;
    }
    bool good = parse_dictionary(header, data, why, why_size);
    free(header);
    if (good && data->count > SIZE_MAX / data->width) {
        snprintf(why, why_size, "the header promises more elements than memory can hold");
        good = false;
    }
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
