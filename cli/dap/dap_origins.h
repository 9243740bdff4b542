/*
 * dap_origins.h - where values came from, as variables: of the matrices of the instruction at a
 * frame's pc, and of registers.
 */
#ifndef FH_CLI_DAP_ORIGINS_H
#define FH_CLI_DAP_ORIGINS_H

#include "dap_values.h"

/* Of holders of the kinds FH_DAP_ORIGIN...; nothing is run for the sizes. */
struct fh_dap_size fh_dap_origins_size(struct fh_dap *dap, const struct fh_dap_handle *holder);
bool fh_dap_origin_at(struct fh_dap *dap, const struct fh_dap_handle *holder, uint64_t index,
                      struct fh_dap_value *value);
/* Of a register R or UR in the focus' lane: "a[37]"; false: it is not known, or would take long. */
bool fh_dap_origin_text(struct fh_dap *dap, fhec_register_file file, uint32_t reg, char *text,
                        size_t size);

#endif
