/*
 * dap_handles.c - see dap_handles.h.
 */
#include "dap_handles.h"

#include <stdlib.h>
#include <string.h>

enum { HANDLES_MOST = 1 << 20 };

void fh_dap_forget_handles(struct fh_dap *dap) {
    dap->handle_count = 0;
}

json_int_t fh_dap_handle_add(struct fh_dap *dap, const struct fh_dap_handle *handle) {
    for (size_t i = dap->handle_count; i-- > 0 && i + 256 > dap->handle_count;)
        if (!memcmp(&dap->handles[i], handle, sizeof *handle))
            return (json_int_t)i + 1;
    if (dap->handle_count == dap->handle_capacity) {
        const size_t capacity = dap->handle_capacity ? 2 * dap->handle_capacity : 256;
        struct fh_dap_handle *handles =
            capacity <= HANDLES_MOST ? realloc(dap->handles, capacity * sizeof *handles) : NULL;
        if (!handles)
            return 0;
        dap->handles = handles;
        dap->handle_capacity = capacity;
    }
    dap->handles[dap->handle_count] = *handle;
    return (json_int_t)++dap->handle_count;
}

const struct fh_dap_handle *fh_dap_handle_get(struct fh_dap *dap, json_int_t number) {
    if (number >= 1 && (size_t)number <= dap->handle_count)
        return &dap->handles[number - 1];
    fh_dap_fail(dap, FH_DAP_NO_SUCH, "no frame or variable has the reference %lld now",
                (long long)number);
    return NULL;
}

json_int_t fh_dap_frame_id(struct fh_dap *dap, const uint32_t block[3], uint32_t warp,
                           uint32_t lane, uint64_t pc, uint32_t level) {
    struct fh_dap_handle frame;
    memset(&frame, 0, sizeof frame); /* holes too: handles are compared whole */
    frame.kind = FH_DAP_FRAME;
    memcpy(frame.block, block, sizeof frame.block);
    frame.warp = warp;
    frame.lane = lane;
    frame.pc = pc;
    frame.row = level;
    return fh_dap_handle_add(dap, &frame);
}

bool fh_dap_focus_frame(struct fh_dap *dap, json_int_t number) {
    const struct fh_dap_handle *frame = fh_dap_handle_get(dap, number);
    if (!frame)
        return false;
    struct fh_focus focus = {.warp = frame->warp, .lane = frame->lane};
    memcpy(focus.block, frame->block, sizeof focus.block);
    return fh_debugger_set_focus(dap->debugger, &focus) == FHEC_OK ||
           fh_dap_model_fail(dap, FH_DAP_NO_SUCH);
}
