/*
 * data.c - fuzzing data files: the bytes as raw elements and as NumPy's .npy, for every width that
 * a command can ask for, as unsigned elements and as those of any type.
 */
#include "data_file.h"
#include "fuzz.h"
#include "npy.h"

#include <stdlib.h>
#include <string.h>

static const struct fh_cli quiet = {.command = "fuzz", .silent = true};

/* The shape and the elements belong together. */
static bool holds_together(const struct fh_cli_data *data) {
    if ((data->width & (data->width - 1)) || data->width < 1 || data->width > 8 ||
        data->dims > FH_CLI_MAX_DIMS)
        return false;
    size_t product = 1;
    for (unsigned i = 0; i < data->dims; i++)
        product *= data->shape[i];
    if (product != data->count)
        return false;
    for (size_t i = 0; i < data->count; i++) {
        uint64_t value = fh_cli_data_get(data, i), last = data->bytes[(i + 1) * data->width - 1];
        if (value >> 8 * (data->width - 1) != last)
            return false;
    }
    return true;
}

/* The header that would be written says the same. */
static bool comes_back(const struct fh_cli_data *data) {
    uint8_t header[FH_CLI_NPY_HEADER];
    struct fh_cli_data again = {0};
    char why[200];
    size_t start, length = fh_cli_npy_header(data, header);
    return length <= sizeof header &&
           fh_cli_npy_parse(header, length, &again, &start, why, sizeof why) && start == length &&
           again.count == data->count && again.width == data->width && again.kind == data->kind &&
           again.dims == data->dims &&
           memcmp(again.shape, data->shape, data->dims * sizeof data->shape[0]) == 0;
}

const char *fuzz_data(const uint8_t *bytes, size_t length, char shown[FUZZ_SHOWN]) {
    static const unsigned widths[] = {0, 1, 4, 8};
    const char *wrong = NULL;
    (void)shown;
    for (unsigned i = 0; i < 16 && !wrong; i++) {
        struct fh_cli_data data;
        uint8_t *copy = malloc(length + 1);
        if (!copy)
            return NULL;
        memcpy(copy, bytes, length);
        copy[length] = 0;
        fhec_status status = fh_cli_data_take(&quiet, i & 1 ? "f.npy" : "f.bin", widths[i / 4],
                                              i & 2, copy, length, &data);
        if (status == FHEC_OK && !holds_together(&data))
            wrong = "the elements and the shape do not hold together";
        else if (status == FHEC_OK && !(i & 2) && data.kind != FH_CLI_UNSIGNED)
            wrong = "elements that are not unsigned";
        else if (status == FHEC_OK && !comes_back(&data))
            wrong = "the header does not come back";
        else if (status != FHEC_OK && data.bytes)
            wrong = "data in spite of an error";
        fh_cli_data_free(&data);
    }
    return wrong;
}
