/*
 * fault.c - the first fault of a chunk of blocks is kept; the machine formats the report of it
 * when the launch has ended (report.c).
 */
#include "fault.h"

#include "launch.h"

#include <stdio.h>

static bool keep(struct fh_warp *w, const struct fh_op *op, fhec_fault_kind kind, uint32_t lanes,
                 const char *message) {
    struct fh_fault_record *fault = &w->launch->fault;
    if (fault->kind != FHEC_FAULT_NONE)
        return false;
    *fault = (struct fh_fault_record){
        .kind = kind,
        .op = op,
        .block = w->block->index,
        .warp = w->index,
        .lanes = lanes,
    };
    snprintf(fault->message, sizeof fault->message, "%s", message);
    return true;
}

bool fh_fault_lanes(struct fh_warp *w, const struct fh_op *op, fhec_fault_kind kind, uint32_t lanes,
                    const char *message) {
    keep(w, op, kind, lanes, message);
    return false;
}

bool fh_fault_address(struct fh_warp *w, const struct fh_op *op, fhec_fault_kind kind,
                      uint32_t lanes, const char *space, uint64_t address, const char *message) {
    if (keep(w, op, kind, lanes, message)) {
        w->launch->fault.has_address = true;
        w->launch->fault.address = address;
        w->launch->fault.space = space;
    }
    return false;
}
