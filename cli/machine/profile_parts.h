/*
 * profile_parts.h - a profile on its way from one process to another, as JSON.
 */
#ifndef FH_CLI_PROFILE_PARTS_H
#define FH_CLI_PROFILE_PARTS_H

#include <jansson.h>

#include "profiler.h"

/* What has been counted so far; NULL without host memory. */
json_t *fh_cli_profile_pack(const struct fh_profiled_code *code);
/* Adds it. False if it is nothing that fh_cli_profile_pack makes, or without host memory. */
bool fh_cli_profile_unpack(struct fh_profiler *profiler, const json_t *packed);

#endif
