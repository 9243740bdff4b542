/*
 * sweep_condition.h - conditions of a plan: {"map": ["cuda32", "gme32"], "level": {"from": 40}}
 * holds for points for which all of its members hold.
 */
#ifndef FH_CLI_SWEEP_CONDITION_H
#define FH_CLI_SWEEP_CONDITION_H

#include "sweep_reader.h"

/* Whether `list`, the value at `path`, is a list of conditions; NULL is an empty one. */
bool fh_cli_sweep_conditions_check(struct fh_cli_sweep_reader *reader, const char *path,
                                   const json_t *list);
/* Whether all names in it are names of points, of which there are `names`. */
bool fh_cli_sweep_conditions_names(struct fh_cli_sweep_reader *reader, const char *path,
                                   const json_t *list, const json_t *names);
/* Whether any of them holds for a point, name -> value; a name that the point lacks holds for
 * nothing. */
bool fh_cli_sweep_conditions_hold(const json_t *list, const json_t *point);

#endif
