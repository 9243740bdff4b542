/*
 * record.h - what a trace consists of: one record for each instruction that a warp issued, with
 * what it did, and one for whatever else happened. Records come from a run (recorder.h) or from a
 * log (log.h); they go to text (text.h), to a log, or into a comparison (difference.h).
 */
#ifndef FH_TRACE_RECORD_H
#define FH_TRACE_RECORD_H

#include "fhec_observe.h"
#include "trace_names.h"

/* What of a run a trace holds, or is printed of it. */
enum fh_trace_part {
    FH_TRACE_FETCH = 1,      /* instructions */
    FH_TRACE_REGS = 2,       /* registers written */
    FH_TRACE_MEM = 4,        /* accesses to global, shared and local memory */
    FH_TRACE_READS = 8,      /* registers read */
    FH_TRACE_CONSTANTS = 16, /* accesses to constant memory */
    FH_TRACE_SYNC = 32,      /* named barriers, asynchronous copies */
    FH_TRACE_FLOW = 64,      /* lanes that part and meet */
    FH_TRACE_BLOCKS = 128,   /* blocks and warps that begin and end */
    FH_TRACE_HOST = 256,     /* what the host does to memory */
    FH_TRACE_PARTS = 9,
    FH_TRACE_ALL = (1 << FH_TRACE_PARTS) - 1,
};

struct fh_trace_register {
    fhec_register_file file;
    bool read; /* else written */
    uint32_t number;
    uint32_t values[FHEC_WARP_LANES]; /* of R; else values[0] */
};

struct fh_trace_access {
    fhec_space space;
    unsigned access; /* as in fhec_access */
    uint32_t lanes, bytes, bank;
    bool has_old;
    uint64_t address[FHEC_WARP_LANES];
    uint32_t value[4][FHEC_WARP_LANES], old[4][FHEC_WARP_LANES]; /* word, lane */
};

struct fh_trace_record {
    fhec_event_kind kind; /* FHEC_EVENT_RETIRE: an instruction, with all that it did;
                             FHEC_EVENT_ISSUE: one of which only that is known that it was issued */
    uint32_t launch;      /* index in the names; of the host: what comes next */
    uint32_t block[3], warp, lanes, active;
    uint64_t pc;
    struct fh_trace_register *registers;
    size_t register_count, register_room;
    struct fh_trace_access *accesses;
    size_t access_count, access_room;
    /* What else a kind has, in the order of the fields of fhec_event: status, instructions; number,
     * lanes, expected of a barrier; first, last of copies; joined; address, offset, bytes. */
    uint64_t numbers[3];
    uint64_t next[FHEC_WARP_LANES]; /* FHEC_EVENT_DIVERGE */
    const char *text;               /* name of a fault or buffer; the names' */
    const char *message;            /* of a fault */
};

void fh_trace_record_free(struct fh_trace_record *record);

/* Whether the record is about an instruction of a warp. */
static inline bool fh_trace_is_instruction(const struct fh_trace_record *record) {
    return record->kind == FHEC_EVENT_RETIRE || record->kind == FHEC_EVENT_ISSUE;
}

/* Who takes records: false, it failed. The record is valid during the call. */
struct fh_trace_sink {
    void *user;
    bool (*put)(void *user, struct fh_trace_names *names, const struct fh_trace_record *record);
};

#endif
