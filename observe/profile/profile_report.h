/*
 * profile_report.h - a profile as an annotated listing, as JSON, for callgrind_annotate and
 * KCachegrind, and as an lcov tracefile. docs/profiles.md says what each number is.
 */
#ifndef FH_PROFILE_REPORT_H
#define FH_PROFILE_REPORT_H

#include "profile_sums.h"
#include "trace_bytes.h"

enum fh_profile_format {
    FH_PROFILE_TEXT,
    FH_PROFILE_JSON,
    FH_PROFILE_CALLGRIND,
    FH_PROFILE_LCOV,
};

/* Where the text of sources comes from: line `line`, from 1, of the file, without its newline;
 * false if nobody has it. The text is valid until the next call. */
struct fh_profile_sources {
    void *user;
    bool (*line)(void *user, const char *file, uint32_t line, const char **text, size_t *length);
};

/* `command` is what was run, for those formats that tell it. False if something could not be
 * written, or without host memory. */
bool fh_profile_write(enum fh_profile_format format, const struct fh_profiled_code *code,
                      const struct fh_profile_sources *sources, const char *command,
                      const struct fh_trace_out *out);

/* One format each, appended to `to`; false without host memory. Kernels that have not been launched
 * count for lcov only. */
bool fh_profile_text(struct fh_trace_bytes *to, const struct fh_profiled_code *code,
                     const struct fh_profile_sources *sources);
bool fh_profile_json(struct fh_trace_bytes *to, const struct fh_profiled_code *code);
bool fh_profile_callgrind(struct fh_trace_bytes *to, const struct fh_profiled_code *code,
                          const char *command);
bool fh_profile_lcov(struct fh_trace_bytes *to, const struct fh_profiled_code *code);

#endif
