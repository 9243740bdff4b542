/*
 * dap_data.c - what can be watched: registers, elements of memory, addresses.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dap_parts.h"
#include "dap_stops.h"
#include "dap_values.h"
#include "literal.h"
#include "options.h"

/* "x[3]": word 3 of buffer x. */
static bool find_element(struct fh_dap *dap, const char *name, struct fh_dap_value *value) {
    const char *open = strchr(name, '[');
    struct fh_debug_buffer buffer;
    struct fh_dap_handle holder;
    uint64_t index;
    const size_t length = open ? fh_take_number(open + 1, &index) : 0;
    if (!length)
        return false;
    memset(&holder, 0, sizeof holder);
    holder.kind = FH_DAP_BUFFER;
    for (; fh_debugger_buffer(dap->debugger, holder.number, &buffer); holder.number++)
        if (buffer.name && strlen(buffer.name) == (size_t)(open - name) &&
            !strncmp(buffer.name, name, (size_t)(open - name)))
            return !strcmp(open + 1 + length, "]") &&
                   index < fh_dap_size_of(dap, &holder).indexed &&
                   fh_dap_value_at(dap, &holder, index, value);
    return false;
}

static bool find_address(const json_t *arguments, struct fh_dap_value *value) {
    const char *name = fh_dap_string(arguments, "name");
    const json_int_t bytes = fh_dap_int(arguments, "bytes");
    memset(value, 0, sizeof *value);
    value->store = FH_DAP_MEMORY;
    value->bytes = bytes > 0 && bytes < INT32_MAX ? (uint32_t)bytes : 4;
    return fh_cli_number(name, &value->address);
}

bool fh_dap_data_breakpoint_info(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    const char *name = fh_dap_string(arguments, "name");
    const json_int_t reference = fh_dap_int(arguments, "variablesReference");
    struct fh_dap_value value;
    bool found;
    if (json_is_integer(json_object_get(arguments, "frameId")) && !reference &&
        !fh_dap_focus_frame(dap, fh_dap_int(arguments, "frameId")))
        return false;
    if (reference)
        found = fh_dap_variable_named(dap, reference, name, &value);
    else if (fh_dap_bool(arguments, "asAddress"))
        found = find_address(arguments, &value);
    else
        found = fh_dap_value_register(dap, name, &value) || find_element(dap, name, &value);
    if (reference && !found)
        return false;
    const fhec_thread thread = {.block = {value.block[0], value.block[1], value.block[2]},
                                .warp = value.warp};
    char *id = NULL;
    if (found && value.store == FH_DAP_REGISTER)
        id = fh_dap_data_register(value.block, value.warp, value.file, value.reg);
    else if (found && value.store == FH_DAP_MEMORY)
        id = fh_dap_data_memory(value.space, &thread, value.address, value.bytes);
    if (id)
        *body = json_pack("{s:s, s:o, s:[s, s, s], s:b}", "dataId", id, "description",
                          fh_dap_text(name), "accessTypes", "read", "write", "readWrite",
                          "canPersist", 0);
    else
        *body = json_pack("{s:n, s:o}", "dataId", "description",
                          fh_dap_format("%.100s is neither a register nor memory", name));
    free(id);
    return true;
}
