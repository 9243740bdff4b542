/*
 * data_file.c - data files: raw little-endian elements, or NumPy arrays by the name's end.
 */
#include "data_file.h"

#include <stdlib.h>
#include <string.h>

#include "elements.h"
#include "input.h"
#include "message.h"
#include "npy.h"
#include "output.h"

static bool is_npy_name(const char *path) {
    size_t length = strlen(path);
    return length > 4 && !strcmp(path + length - 4, ".npy");
}

static fhec_status read_raw(const struct fh_cli *cli, const char *path, unsigned width,
                            size_t length, struct fh_cli_data *data) {
    if (length % width) {
        fh_cli_error(cli, FHEC_BAD_INPUT, "%s has %zu bytes; expected a multiple of %u", path,
                     length, width);
        return FHEC_BAD_INPUT;
    }
    data->width = width;
    data->count = length / width;
    data->dims = 1;
    data->shape[0] = data->count;
    return FHEC_OK;
}

/* Are the elements unsigned, of 4 or 8 bytes, and of `width` if that is not 0? */
static fhec_status check_unsigned(const struct fh_cli *cli, const char *path, unsigned width,
                                  const struct fh_cli_data *data) {
    char type[FH_CLI_TYPE];
    fh_cli_data_type(data, type);
    if (data->kind != FH_CLI_UNSIGNED || data->width < 4)
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "%s: elements are '%s'; expected '<u4' or '<u8' (NumPy: astype)", path,
                            type);
    if (width && data->width != width)
        return fh_cli_error(cli, FHEC_BAD_INPUT, "%s holds %s elements; expected <u%u", path, type,
                            width);
    return FHEC_OK;
}

/* Checks the header and moves the elements to the front of the buffer. */
static fhec_status read_npy(const struct fh_cli *cli, const char *path, unsigned width,
                            bool any_type, size_t length, struct fh_cli_data *data) {
    char why[160];
    size_t start;
    if (!fh_cli_npy_parse(data->bytes, length, data, &start, why, sizeof why)) {
        fh_cli_error(cli, FHEC_BAD_INPUT, "%s: %s", path, why);
        return FHEC_BAD_INPUT;
    }
    fhec_status status = any_type ? FHEC_OK : check_unsigned(cli, path, width, data);
    if (status != FHEC_OK)
        return status;
    size_t bytes = data->count * data->width;
    if (length - start != bytes) {
        fh_cli_error(cli, FHEC_BAD_INPUT, "%s: the header promises %zu bytes of data, %zu follow",
                     path, bytes, length - start);
        return FHEC_BAD_INPUT;
    }
    memmove(data->bytes, data->bytes + start, bytes);
    data->npy = true;
    return FHEC_OK;
}

fhec_status fh_cli_data_take(const struct fh_cli *cli, const char *path, unsigned width,
                             bool any_type, uint8_t *bytes, size_t length,
                             struct fh_cli_data *data) {
    *data = (struct fh_cli_data){.bytes = bytes};
    unsigned raw_width = width ? width : any_type && length % 4 ? 1 : 4;
    fhec_status status = is_npy_name(path) ? read_npy(cli, path, width, any_type, length, data)
                                           : read_raw(cli, path, raw_width, length, data);
    if (status != FHEC_OK)
        fh_cli_data_free(data);
    return status;
}

static fhec_status read_file(const struct fh_cli *cli, const char *path, unsigned width,
                             bool any_type, struct fh_cli_data *data) {
    char *bytes;
    size_t length;
    *data = (struct fh_cli_data){0};
    fhec_status status = fh_cli_read_data(cli, path, &bytes, &length);
    if (status != FHEC_OK)
        return status;
    return fh_cli_data_take(cli, path, width, any_type, (uint8_t *)bytes, length, data);
}

fhec_status fh_cli_data_read(const struct fh_cli *cli, const char *path, unsigned width,
                             struct fh_cli_data *data) {
    return read_file(cli, path, width, false, data);
}

fhec_status fh_cli_data_read_any(const struct fh_cli *cli, const char *path, unsigned width,
                                 struct fh_cli_data *data) {
    return read_file(cli, path, width, true, data);
}

fhec_status fh_cli_data_write(const struct fh_cli *cli, struct fh_cli_outputs *outputs,
                              const char *path, const struct fh_cli_data *data) {
    size_t bytes = data->count * data->width;
    if (!is_npy_name(path))
        return fh_cli_output_write(cli, outputs, path, data->bytes, bytes);
    uint8_t header[FH_CLI_NPY_HEADER];
    size_t start = fh_cli_npy_header(data, header);
    uint8_t *whole = malloc(start + bytes);
    if (!whole)
        return fh_cli_no_memory(cli);
    memcpy(whole, header, start);
    memcpy(whole + start, data->bytes, bytes);
    fhec_status status = fh_cli_output_write(cli, outputs, path, whole, start + bytes);
    free(whole);
    return status;
}
