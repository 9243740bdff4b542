/*
 * journal_data.h - what a journal is made of.
 */
#ifndef FH_DIFFERENCE_JOURNAL_DATA_H
#define FH_DIFFERENCE_JOURNAL_DATA_H

#include "journal.h"
#include "journal_rows.h"

enum { FH_JOURNAL_CHUNK = 1 << 14, FH_JOURNAL_HASH = 1 << 12 };

struct fh_journal_step {
    uint32_t site, warp, active, previous;
    size_t payload; /* in the chunk's bytes: registers, then accesses */
};

/* A step that wrote memory: where at most. */
struct fh_journal_written {
    uint32_t step;
    fhec_space space;
    uint64_t low, high;
};

struct fh_journal_chunk {
    struct fh_journal_step steps[FH_JOURNAL_CHUNK];
    uint32_t count;
    struct fh_journal_bytes bytes;
    struct fh_journal_written *written;
    size_t written_count, written_room;
};

/* The sites of a kernel by pc / 16; a kernel of another program may have the same name. */
struct fh_journal_kernel {
    char *name;
    const fhec_program *program;
    size_t index;
    uint64_t launch; /* the last one of it */
    uint32_t *sites; /* number + 1 */
    size_t site_room;
};

struct fh_journal_code {
    struct fh_journal_site of;
    fhec_word word;
};

struct fh_journal_constant {
    uint32_t launch;
    uint64_t address, size;
    char *name;
};

struct fh_journal_ranges {
    struct fh_journal_range *ranges;
    size_t count, room;
};

struct fh_journal {
    fhec_machine *machine;
    unsigned observer;
    size_t most, used;
    struct fh_journal_chunk **chunks; /* NULL: forgotten */
    size_t chunk_count, chunk_room, oldest;
    struct fh_journal_code **sites;
    size_t site_count, site_room;
    struct fh_journal_kernel *kernels;
    size_t kernel_count, kernel_room;
    size_t kernel; /* of the launch under way */
    struct fh_journal_warp *warps;
    uint32_t *newest; /* step of each warp */
    size_t warp_count, warp_room, newest_room;
    uint32_t resident[FH_JOURNAL_HASH]; /* warp + 1 of a launch by block and warp */
    struct fh_journal_ranges writes, allocations;
    struct fh_journal_constant *constants;
    size_t constant_count, constant_room;
    struct fh_journal_bytes accesses; /* of the instruction that is under way */
    uint32_t access_count;
    struct fh_journal_written pending[8];
    uint32_t pending_count;
    bool failed;
};

#endif
