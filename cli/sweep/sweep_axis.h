/*
 * sweep_axis.h - what varies in a grid: an option, a word of the command, or several options at
 * once, and the values that it takes.
 */
#ifndef FH_CLI_SWEEP_AXIS_H
#define FH_CLI_SWEEP_AXIS_H

#include "sweep_reader.h"

enum fh_cli_sweep_axis_kind {
    FH_CLI_SWEEP_AXIS_OPTION,  /* "n": [256, 512] */
    FH_CLI_SWEEP_AXIS_WORD,    /* "op": ["add", "mul"] for the word "$op" */
    FH_CLI_SWEEP_AXIS_SETTINGS /* "width": [{"map": "cuda32", "bits": 30}, ...] */
};

struct fh_cli_sweep_axis {
    const char *name;
    enum fh_cli_sweep_axis_kind kind;
    json_t *values; /* a list, without two that are equal; to be released */
};

/* Reads the values at `path`: a list, or a range, {"from": 256, "to": 65536, "factor": 2} or with
 * "step". False: said. */
bool fh_cli_sweep_axis_read(struct fh_cli_sweep_reader *reader, const char *path, const char *name,
                            const json_t *values, const json_t *command,
                            struct fh_cli_sweep_axis *axis);
/* Whether it can be the name of an option: letters, digits and dashes within. */
bool fh_cli_sweep_name_check(struct fh_cli_sweep_reader *reader, const char *path,
                             const char *name);

#endif
