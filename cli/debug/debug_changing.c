/*
 * debug_changing.c - commands that change registers and memory.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "debug_commands.h"
#include "debug_location.h"
#include "options.h"

static fhec_status changed(struct fh_cli_console *c, fhec_status status, bool branched) {
    if (status != FHEC_OK)
        return fh_cli_console_failed(c, status);
    if (branched)
        fprintf(c->out, "what had been run behind here is forgotten: it would come out another\n");
    return FHEC_OK;
}

/* A number, also negative. */
static bool read_value(const char *text, uint64_t *value) {
    const bool negative = *text == '-';
    if (!fh_cli_debug_number(text + negative, value))
        return false;
    *value = negative ? 0 - *value : *value;
    return true;
}

static fhec_status set_register(struct fh_cli_console *c, fhec_register_file file, uint32_t reg,
                                const struct fh_focus *focus, uint32_t value) {
    const uint32_t lanes = fh_focus_lanes(focus);
    uint32_t values[FHEC_WARP_LANES];
    bool branched = false;
    for (unsigned i = 0; i < FHEC_WARP_LANES; i++)
        values[i] = value;
    if (file == FHEC_FILE_P)
        values[0] = value ? UINT32_MAX : 0;
    const fhec_status status = fh_debugger_set_register(c->debugger, focus->block, focus->warp,
                                                        file, reg, lanes, values, &branched);
    return changed(c, status, branched);
}

/* "TARGET [FOCUS] = VALUE" */
fhec_status fh_cli_debug_set(struct fh_cli_console *c, char *text) {
    struct fh_focus focus = *fh_debugger_focus(c->debugger);
    char *equals = strchr(text, '=');
    uint64_t value, address, bytes;
    uint32_t number;
    unsigned width;
    bool branched = false;
    fhec_register_file file;
    if (!equals)
        return fh_cli_console_error(c, "to what? set TARGET = VALUE");
    *equals++ = '\0';
    const char *word = fh_cli_debug_word(&text), *given = fh_cli_debug_word(&equals);
    if (!read_value(given, &value) || *equals)
        return fh_cli_console_error(c, "\"%s\" is no value", given);
    fhec_status status = fh_cli_debug_read_focus(c, text, &focus);
    if (status != FHEC_OK)
        return status;
    if (fh_cli_debug_register(word, &file, &number))
        return set_register(c, file, number, &focus, (uint32_t)value);
    if (!fh_cli_debug_elements(c, word, &address, &bytes, &width))
        return fh_cli_console_error(c, "\"%s\" is no register and no element of a buffer", word);
    uint8_t *data = malloc(bytes);
    if (!data)
        return fh_cli_console_error(c, "out of memory");
    for (uint64_t i = 0; i < bytes; i++)
        data[i] = (uint8_t)(value >> 8 * (i % width));
    status = fh_debugger_set_memory(c->debugger, FHEC_SPACE_GLOBAL, 0, NULL, address, data,
                                    (size_t)bytes, &branched);
    free(data);
    return changed(c, status, branched);
}
