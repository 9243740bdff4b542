/*
 * log_format.h - what writing and reading of logs share. Numbers in frames are of variable length,
 * seven bits a byte, the lowest first; those of headers are little-endian.
 */
#ifndef FH_TRACE_LOG_FORMAT_H
#define FH_TRACE_LOG_FORMAT_H

#include "record.h"
#include "trace_bytes.h"

/* The last byte is the version. */
#define FH_TRACE_MAGIC "FHTRACE\1"
enum {
    FH_MAGIC_BYTES = 8,
    FH_FRAME_HEADER = 24, /* type, 3 zeros, bytes before and after compression, checksum (XXH3) of
                             those after it */
    FH_TRAILER = 32,      /* offsets of the frames of names and index, checksum of both, magic */
    FH_FRAME_RECORDS = 1 << 16,     /* bytes of records from which on a frame is closed */
    FH_FRAME_MOST = 1 << 26,        /* bytes that a frame may have */
    FH_MOST_INSTRUCTIONS = 1 << 22, /* from the beginnings of all kernels to their last ones */
    FH_MOST_PARTS = 1024,           /* registers or accesses of an instruction */
    FH_MOST_STRINGS = 1 << 20,
    FH_MOST_OBJECTS = 1 << 16,
};
enum fh_frame_type { FH_FRAME_OF_RECORDS = 'R', FH_FRAME_OF_NAMES = 'N', FH_FRAME_OF_INDEX = 'I' };

/* What stands before a record's fields that are not as in the one before it. */
enum {
    FH_SAME_LAUNCH = 1,
    FH_SAME_BLOCK = 2,
    FH_SAME_WARP = 4,
    FH_NEXT_PC = 8, /* 16 more */
    FH_ALL_LANES = 16,
    FH_ALL_ACTIVE = 32, /* of the lanes */
};

/* How the values of some lanes are written. */
enum fh_row_mode { FH_ROW_EQUAL, FH_ROW_LINEAR, FH_ROW_RAW };

/* What a frame of records holds, as the index says. */
struct fh_trace_frame {
    uint64_t offset, records;
    uint64_t first_launch, last_launch; /* indices */
    uint64_t first_block, last_block;   /* numbers in their grids */
    uint64_t first_pc, last_pc;
    uint32_t warps;  /* bit for each; the last one stands for all from 31 on */
    uint32_t others; /* enum fh_trace_others */
};
enum fh_trace_others {
    FH_OTHERS_OF_RUN = 1,   /* records that are about no block */
    FH_OTHERS_OF_BLOCK = 2, /* records that are about one, but no instruction of it */
};

/* The position of a record in a frame, to which the next one's is relative. */
struct fh_trace_position {
    uint32_t launch, block[3], warp;
    uint64_t pc;
};

/* Codes of kinds, which do not change when kinds are added. */
extern const uint8_t fh_trace_codes[FHEC_EVENT_KINDS];

#endif
