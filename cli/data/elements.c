/*
 * elements.c - arrays of little-endian elements in memory.
 */
#include "elements.h"

#include <stdlib.h>
#include <string.h>

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

bool fh_cli_data_named_type(const char *name, struct fh_cli_data *type) {
    static const struct {
        const char *name;
        enum fh_cli_kind kind;
        unsigned width;
    } types[] = {
        {"u8", FH_CLI_UNSIGNED, 1},  {"u16", FH_CLI_UNSIGNED, 2}, {"u32", FH_CLI_UNSIGNED, 4},
        {"u64", FH_CLI_UNSIGNED, 8}, {"i8", FH_CLI_SIGNED, 1},    {"i16", FH_CLI_SIGNED, 2},
        {"i32", FH_CLI_SIGNED, 4},   {"i64", FH_CLI_SIGNED, 8},   {"f16", FH_CLI_FLOAT, 2},
        {"f32", FH_CLI_FLOAT, 4},    {"f64", FH_CLI_FLOAT, 8},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (!strcmp(name, types[i].name)) {
            type->kind = types[i].kind;
            type->width = types[i].width;
            return true;
        }
    return false;
}
