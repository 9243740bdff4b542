/*
 * log.h - a trace as a compact log: records and what their numbers stand for, compressed, with an
 * index by which a reader passes over what is not wanted.
 *
 *     magic | frame, frame, ...           records, some thousand at a time (zstd)
 *           | frame                       names
 *           | frame                       index: of each frame of records where it is, and which
 *           | trailer                     launches, blocks, warps and pcs are in it
 *
 * Frames have checksums. A log without its trailer, or with anything in it that is not as it should
 * be, is damaged: reading it ends with FHEC_BAD_INPUT and says where.
 */
#ifndef FH_TRACE_LOG_H
#define FH_TRACE_LOG_H

#include "record.h"
#include "select.h"
#include "trace_bytes.h"

struct fh_trace_log_writer;

/* NULL without host memory. */
struct fh_trace_log_writer *fh_trace_log_new(struct fh_trace_out out);
struct fh_trace_sink fh_trace_log_sink(struct fh_trace_log_writer *writer);
/* Writes what is left, the names and the index, and frees the writer. False: something could not be
 * written, now or before. `names` are those of all records; NULL: give up, nothing is written. */
bool fh_trace_log_end(struct fh_trace_log_writer *writer, const struct fh_trace_names *names);

/* The bytes of a log, to be read in any order. */
struct fh_trace_in {
    void *user;
    uint64_t size;
    bool (*read)(void *user, uint64_t offset, void *to, size_t size);
};

struct fh_trace_log;

/* FHEC_BAD_INPUT for what is no log, or a damaged one; FHEC_HOST_ERROR if it cannot be read, or
 * there is no host memory. `why` has room for FH_TRACE_WHY characters. */
enum { FH_TRACE_WHY = 160 };
fhec_status fh_trace_log_open(const struct fh_trace_in *in, struct fh_trace_log **log, char *why);
void fh_trace_log_free(struct fh_trace_log *log);
struct fh_trace_names *fh_trace_log_names(struct fh_trace_log *log);

/* The next record that the selection wants; NULL at the end. It is valid until the next call. */
fhec_status fh_trace_log_next(struct fh_trace_log *log, const struct fh_trace_select *select,
                              const struct fh_trace_record **record, char *why);

#endif
