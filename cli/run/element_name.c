/*
 * element_name.c - elements of buffers, from their text and as text (runner.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "nearest.h"
#include "options.h"
#include "runner.h"

static fhec_status no_buffer(const struct fh_cli *cli, const struct fh_cli_memory *memory,
                             const char *name) {
    struct fh_nearest n;
    fh_nearest_begin(&n, name, strlen(name));
    for (size_t i = 0; i < memory->buffer_count; i++)
        fh_nearest_try(&n, memory->buffers[i].name, strlen(memory->buffers[i].name));
    return fh_cli_error(cli, FHEC_BAD_INPUT, "no buffer is called \"%s\"%s", name,
                        fh_cli_hint(n.best).text);
}

/* "i" or "row, column", as far as the bracket that closes it. */
static bool parse_index(char *text, const struct fh_cli_data *data, size_t *index) {
    char *end = strchr(text, ']'), *comma;
    uint64_t row, column;
    if (!end || end[1])
        return false;
    *end = 0;
    comma = strchr(text, ',');
    if (!comma) {
        const bool good = fh_cli_number(text, &row);
        *index = (size_t)row;
        return good;
    }
    *comma++ = 0;
    comma += strspn(comma, " ");
    if (data->dims < 2 || !fh_cli_number(text, &row) || !fh_cli_number(comma, &column) ||
        column >= data->shape[data->dims - 1])
        return false;
    *index = (size_t)(row * data->shape[data->dims - 1] + column);
    return true;
}

fhec_status fh_cli_find_element(const struct fh_cli *cli, const struct fh_cli_memory *memory,
                                const char *text, const struct fh_cli_buffer **buffer,
                                size_t *index) {
    char *name = strdup(text), *bracket = name ? strchr(name, '[') : NULL;
    fhec_status status = FHEC_OK;
    if (!name)
        return fh_cli_no_memory(cli);
    if (bracket)
        *bracket = 0;
    const size_t found = fh_cli_memory_find(memory, name);
    if (found == memory->buffer_count)
        status = no_buffer(cli, memory, name);
    else if (!bracket || !parse_index(bracket + 1, &memory->buffers[found].data, index))
        status =
            fh_cli_error(cli, FHEC_BAD_INPUT,
                         "%s: expected BUFFER[INDEX], or BUFFER[ROW, COLUMN] of a .npy file", text);
    else if (*index >= memory->buffers[found].data.count)
        status = fh_cli_error(cli, FHEC_BAD_INPUT, "%s: %s has %zu elements", text, name,
                              memory->buffers[found].data.count);
    else
        *buffer = &memory->buffers[found];
    free(name);
    return status;
}

void fh_cli_element_name(const struct fh_cli_memory *memory, const char *name, uint64_t offset,
                         uint32_t width, char *text, size_t size) {
    const size_t found = memory ? fh_cli_memory_find(memory, name) : 0;
    const bool known = memory && found < memory->buffer_count;
    const struct fh_cli_data plain = {.width = width, .dims = 1};
    if (!known && !width) {
        snprintf(text, size, "%s+%llu", name, (unsigned long long)offset);
        return;
    }
    const struct fh_cli_data *data = known ? &memory->buffers[found].data : &plain;
    const uint64_t index = offset / data->width, rest = offset % data->width;
    const size_t columns = data->dims >= 2 ? data->shape[data->dims - 1] : 0;
    char more[32] = "";
    if (rest)
        snprintf(more, sizeof more, "+%llu", (unsigned long long)rest);
    if (columns)
        snprintf(text, size, "%s[%llu, %llu]%s", name, (unsigned long long)(index / columns),
                 (unsigned long long)(index % columns), more);
    else
        snprintf(text, size, "%s[%llu]%s", name, (unsigned long long)index, more);
}
