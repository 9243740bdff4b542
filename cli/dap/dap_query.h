/*
 * dap_query.h - expressions (query.h) at the focus: of its lane, or, as conditions, of all lanes.
 */
#ifndef FH_CLI_DAP_QUERY_H
#define FH_CLI_DAP_QUERY_H

#include "dap.h"
#include "query.h"

enum { FH_DAP_WHY = 300 };

/* Whether it can be read at all; *why says what is wrong. */
bool fh_dap_query_reads(const char *expression, char why[FH_DAP_WHY]);
/* Its value in the focus' lane as a text, less than `size`; `hex` as the client's format says. */
bool fh_dap_query_text(struct fh_dap *dap, const char *expression, bool hex, char *to, size_t size,
                       char why[FH_DAP_WHY]);
/* The lanes of the focus' warp for which it is not 0. */
bool fh_dap_query_lanes(struct fh_dap *dap, const char *expression, uint32_t *lanes,
                        char why[FH_DAP_WHY]);

#endif
