/*
 * profile_report.c - see profile_report.h.
 */
#include "profile_report.h"

bool fh_profile_write(enum fh_profile_format format, const struct fh_profiled_code *code,
                      const struct fh_profile_sources *sources, const char *command,
                      const struct fh_trace_out *out) {
    struct fh_trace_bytes bytes = {0};
    bool fine = false;
    switch (format) {
    case FH_PROFILE_TEXT: fine = fh_profile_text(&bytes, code, sources); break;
    case FH_PROFILE_JSON: fine = fh_profile_json(&bytes, code); break;
    case FH_PROFILE_CALLGRIND: fine = fh_profile_callgrind(&bytes, code, command); break;
    case FH_PROFILE_LCOV: fine = fh_profile_lcov(&bytes, code); break;
    }
    fine = fine && !bytes.failed && fh_trace_flush(&bytes, out);
    fh_trace_bytes_free(&bytes);
    return fine;
}
