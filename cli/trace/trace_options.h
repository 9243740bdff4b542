/*
 * trace_options.h - the options that say what of a trace is wanted: of `fhec run`, where they begin
 * with --trace, and of `fhec trace`.
 */
#ifndef FH_CLI_TRACE_OPTIONS_H
#define FH_CLI_TRACE_OPTIONS_H

#include <argp.h>

#include "cli.h"
#include "select.h"

enum fh_cli_trace_format {
    FH_CLI_TRACE_TEXT,
    FH_CLI_TRACE_WIDE,
    FH_CLI_TRACE_JSON,
    FH_CLI_TRACE_LOG, /* of `fhec run` only */
};

struct fh_cli_trace_options {
    unsigned parts; /* enum fh_trace_part; 0: nothing has been said of them */
    bool all;       /* --trace has come without a list */
    enum fh_cli_trace_format format;
    struct fh_trace_select select;
    const char *path;     /* --trace-file; NULL: stderr */
    bool wanted;          /* something has been said that makes no sense without a trace */
    const char *accelsim; /* --trace=accelsim:DIR: the folder; NULL: another trace */
    bool packed, imma;    /* of that: files are packed, FHEC is called IMMA */
};

/* --trace, --trace-file, --trace-format, --trace-pc ...; its input is a fh_cli_trace_options. */
extern const struct argp fh_cli_trace_run_argp;
/* --what, --format, --pc, ...; likewise. Without --format and --what: */
extern const struct argp fh_cli_trace_show_argp;
extern const struct argp fh_cli_trace_filter_argp;
void fh_cli_trace_options_free(struct fh_cli_trace_options *options);

/* Whether `fhec run` shall trace. */
bool fh_cli_trace_is_wanted(const struct fh_cli_trace_options *options);
/* What is printed; and what has to be recorded so that all options can be followed. */
unsigned fh_cli_trace_printed(const struct fh_cli_trace_options *options);
unsigned fh_cli_trace_recorded(const struct fh_cli_trace_options *options);

#endif
