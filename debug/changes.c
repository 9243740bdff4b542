/*
 * changes.c - registers and memory that a person sets.
 */
#include <stdlib.h>
#include <string.h>

#include "timeline.h"

static fhec_status change(struct fh_debugger *d, struct fh_debug_change *c, bool *branched) {
    bool ignored;
    const fhec_status status = fh_timeline_change(d, c, branched ? branched : &ignored);
    if (status != FHEC_OK)
        free(c->data);
    return status;
}

fhec_status fh_debugger_set_register(struct fh_debugger *d, const uint32_t block[3], uint32_t warp,
                                     fhec_register_file file, uint32_t reg, uint32_t lanes,
                                     const uint32_t values[FHEC_WARP_LANES], bool *branched) {
    struct fh_debug_change c = {
        .kind = FH_CHANGE_REGISTER,
        .thread = {.block = {block[0], block[1], block[2]}, .warp = warp},
        .file = file,
        .reg = reg,
        .lanes = lanes,
    };
    memcpy(c.values, values, sizeof c.values);
    return change(d, &c, branched);
}

fhec_status fh_debugger_set_memory(struct fh_debugger *d, fhec_space space, uint32_t bank,
                                   const fhec_thread *thread, uint64_t address, const void *data,
                                   size_t bytes, bool *branched) {
    struct fh_debug_change c = {.kind = FH_CHANGE_MEMORY,
                                .has_thread = thread != NULL,
                                .space = space,
                                .bank = bank,
                                .address = address,
                                .data = malloc(bytes + 1),
                                .bytes = bytes};
    if (!c.data)
        return fh_debugger_fail(d, FHEC_HOST_ERROR, "no host memory for a change");
    memcpy(c.data, data, bytes);
    if (thread)
        c.thread = *thread;
    return change(d, &c, branched);
}
