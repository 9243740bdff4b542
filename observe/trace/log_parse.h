/*
 * log_parse.h - what is in the frames of a log.
 */
#ifndef FH_TRACE_LOG_PARSE_H
#define FH_TRACE_LOG_PARSE_H

#include "log_format.h"

/* Bytes that are parsed. */
struct fh_trace_parse {
    const uint8_t *at, *end;
    struct fh_trace_position last; /* of the record before */
    uint64_t instructions;         /* in kernels so far, counted as FH_MOST_INSTRUCTIONS says */
    bool bad;                      /* what was asked for is not there: everything is 0 */
    bool no_memory;
};

uint64_t fh_trace_parse_number(struct fh_trace_parse *p);
/* How many of something follow, each of at least one byte. */
uint64_t fh_trace_parse_count(struct fh_trace_parse *p);

/* False if that is not there, or there is no host memory. */
bool fh_trace_parse_names(struct fh_trace_parse *p, struct fh_trace_names *names);
bool fh_trace_parse_record(struct fh_trace_parse *p, struct fh_trace_names *names,
                           struct fh_trace_record *record);

#endif
