/*
 * data.c - data files: raw little-endian unsigned elements, or NumPy arrays by the name's end.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static bool is_npy_name(const char *path) {
    size_t length = strlen(path);
    return length > 4 && !strcmp(path + length - 4, ".npy");
}

uint64_t fh_cli_data_get(const struct fh_cli_data *data, size_t index) {
    const uint8_t *at = data->bytes + index * data->width;
    uint64_t value = 0;
    for (unsigned i = 0; i < data->width; i++)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

void fh_cli_data_set(struct fh_cli_data *data, size_t index, uint64_t value) {
    uint8_t *at = data->bytes + index * data->width;
    for (unsigned i = 0; i < data->width; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

void fh_cli_data_free(struct fh_cli_data *data) {
    free(data->bytes);
    *data = (struct fh_cli_data){0};
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

/* Checks the header and moves the elements to the front of the buffer. */
static fhec_status read_npy(const struct fh_cli *cli, const char *path, unsigned width,
                            size_t length, struct fh_cli_data *data) {
    char why[160];
    size_t start;
    if (!fh_cli_npy_parse(data->bytes, length, data, &start, why, sizeof why)) {
        fh_cli_error(cli, FHEC_BAD_INPUT, "%s: %s", path, why);
        return FHEC_BAD_INPUT;
    }
    if (width && data->width != width) {
        fh_cli_error(cli, FHEC_BAD_INPUT, "%s holds <u%u elements; expected <u%u", path,
                     data->width, width);
        return FHEC_BAD_INPUT;
    }
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
                             uint8_t *bytes, size_t length, struct fh_cli_data *data) {
    *data = (struct fh_cli_data){.bytes = bytes};
    fhec_status status = is_npy_name(path) ? read_npy(cli, path, width, length, data)
                                           : read_raw(cli, path, width ? width : 4, length, data);
    if (status != FHEC_OK)
        fh_cli_data_free(data);
    return status;
}

fhec_status fh_cli_data_read(const struct fh_cli *cli, const char *path, unsigned width,
                             struct fh_cli_data *data) {
    char *bytes;
    size_t length;
    *data = (struct fh_cli_data){0};
    fhec_status status = fh_cli_read_file(cli, path, &bytes, &length);
    if (status != FHEC_OK)
        return status;
    return fh_cli_data_take(cli, path, width, (uint8_t *)bytes, length, data);
}

fhec_status fh_cli_data_write(const struct fh_cli *cli, struct fh_cli_outputs *outputs,
                              const char *path, const struct fh_cli_data *data) {
    size_t bytes = data->count * data->width;
    if (!is_npy_name(path))
        return fh_cli_output(cli, outputs, path, data->bytes, bytes);
    uint8_t header[FH_CLI_NPY_HEADER];
    size_t start = fh_cli_npy_header(data, header);
    uint8_t *whole = malloc(start + bytes);
    if (!whole)
        return fh_cli_no_memory(cli);
    memcpy(whole, header, start);
    memcpy(whole + start, data->bytes, bytes);
    fhec_status status = fh_cli_output(cli, outputs, path, whole, start + bytes);
    free(whole);
    return status;
}
