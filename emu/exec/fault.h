/*
 * fault.h - reporting what a guest did wrong.
 *
 * A handler that meets a fault calls one of these before it has changed anything and returns
 * their result, false. The first report of a run counts; where it happened (kernel, block, warp,
 * source line, nearest allocation) is added by the machine.
 */
#ifndef FH_FAULT_H
#define FH_FAULT_H

#include "exec.h"

/* `lanes` are at fault; `message` is one sentence (what was expected and what came), copied. */
bool fh_fault_lanes(struct fh_warp *w, const struct fh_op *op, fhec_fault_kind kind, uint32_t lanes,
                    const char *message);

/* The same with the address of the lowest lane at fault, in `space` ("global", "shared", "local",
 * "constant"; a string constant). */
bool fh_fault_address(struct fh_warp *w, const struct fh_op *op, fhec_fault_kind kind,
                      uint32_t lanes, const char *space, uint64_t address, const char *message);

#endif
