/*
 * recorder.h - records of what runs on a machine.
 */
#ifndef FH_TRACE_RECORDER_H
#define FH_TRACE_RECORDER_H

#include "record.h"
#include "select.h"

struct fh_trace_recorder;

/* Records `parts` (enum fh_trace_part) of what the selection chooses, which must live as long, from
 * the next launch on. The sink is called as things happen. FHEC_HOST_ERROR without host memory. */
fhec_status fh_trace_record(fhec_machine *machine, unsigned parts,
                            const struct fh_trace_select *select, struct fh_trace_sink sink,
                            struct fh_trace_recorder **recorder);
/* Ends that. False: the sink has failed, or there was no host memory, and the rest is missing. */
bool fh_trace_record_end(struct fh_trace_recorder *recorder);
/* What the records' numbers stand for, until then. */
struct fh_trace_names *fh_trace_recorder_names(struct fh_trace_recorder *recorder);

#endif
