/*
 * accelsim_reader.h - traces for Accel-Sim read again, those of fhec and those of NVBit's tracer
 * (docs/accelsim.md): a file's header, and then block by block what its warps issued. Every rule of
 * the format is checked; what is wrong is told with file and line.
 *
 *     new -> header -> block, block, ... until there is none -> free
 */
#ifndef FH_ACCELSIM_READER_H
#define FH_ACCELSIM_READER_H

#include "accelsim_addresses.h"
#include "accelsim_opcode.h"
#include "fhec.h"

enum {
    FH_ACCELSIM_WHY = 400,
    FH_ACCELSIM_SOURCES = 4,
    FH_ACCELSIM_WARPS = 32,
    FH_ACCELSIM_BARRIERS = 16,
};
#define FH_ACCELSIM_NONE UINT32_MAX

/* Where the bytes of a file come from. */
struct fh_accelsim_in {
    const char *name; /* for messages */
    void *user;
    /* How many bytes there were, at most `size`; 0: the end. False: *why says what is wrong. */
    bool (*read)(void *user, void *bytes, size_t size, size_t *got, const char **why);
};

struct fh_accelsim_kernel {
    char *name;
    uint32_t grid[3], block[3], shared, registers, version;
    uint64_t shared_base, local_base; /* of generic addresses; 0: not stated */
    bool lines;                       /* every line begins with that of a source */
    uint32_t warps;                   /* of a block */
    fhec_word *words;                 /* of traces of fhec: the code; count 0: unknown */
    size_t word_count, word_room;
};

/* An instruction as lines state it, but for what differs from one issue to the next. */
struct fh_accelsim_instruction {
    uint32_t pc;
    size_t text, length;          /* in the table's texts: "1 R4 LDG.E 1 R2" */
    size_t opcode, opcode_length; /* likewise: "LDG.E" */
    struct fh_accelsim_opcode does;
    int destination; /* R; -1: none */
    uint8_t sources[FH_ACCELSIM_SOURCES], source_count;
    int64_t immediate; /* of the first issue */
    uint32_t next;     /* the next one at its pc; FH_ACCELSIM_NONE */
};

/* All that have been met; a table may serve several files of one kernel. All zero at first. */
struct fh_accelsim_table {
    struct fh_accelsim_instruction *list;
    size_t count, room;
    uint32_t *first; /* by pc: a hash table */
    size_t buckets;
    struct fh_trace_bytes texts;
};
void fh_accelsim_table_free(struct fh_accelsim_table *table);

struct fh_accelsim_issue {
    uint32_t instruction; /* in the table */
    uint32_t mask;        /* lanes that execute */
    uint32_t at;          /* where its addresses begin in the numbers; of a barrier, its number and,
                             times FH_ACCELSIM_BARRIERS, which use of it; FH_ACCELSIM_NONE */
    uint32_t line;        /* of the file */
};

/* All zero at first; it keeps its room from one block to the next. */
struct fh_accelsim_block {
    uint64_t number;
    uint32_t warp_count;
    size_t first[FH_ACCELSIM_WARPS + 1]; /* issue of each warp; behind them, their number */
    struct fh_accelsim_issue *issues;
    size_t count, room;
    uint64_t *numbers;
    size_t number_count, number_room;
    /* How many warps come to each use of a barrier. */
    uint32_t *come[FH_ACCELSIM_BARRIERS];
    size_t uses[FH_ACCELSIM_BARRIERS], use_room[FH_ACCELSIM_BARRIERS];
};
void fh_accelsim_block_free(struct fh_accelsim_block *block);

/* The addresses of an issue's lanes; of the shared memory that a copy goes to, lanes 0 if nobody
 * says. False: it accesses nothing. */
struct fh_accelsim_accessed {
    uint32_t lanes, shared_lanes;
    uint64_t address[FH_ACCELSIM_LANES], shared[FH_ACCELSIM_LANES];
};
bool fh_accelsim_addresses(const struct fh_accelsim_table *table,
                           const struct fh_accelsim_block *block,
                           const struct fh_accelsim_issue *issue, struct fh_accelsim_accessed *to);

struct fh_accelsim_reader;
/* NULL without host memory. The table must live as long. */
struct fh_accelsim_reader *fh_accelsim_reader_new(const struct fh_accelsim_in *in,
                                                  struct fh_accelsim_table *table);
void fh_accelsim_reader_free(struct fh_accelsim_reader *reader); /* NULL is allowed */
/* FHEC_BAD_INPUT, or FHEC_HOST_ERROR: fh_accelsim_reader_why. The kernel is the reader's. */
fhec_status fh_accelsim_reader_header(struct fh_accelsim_reader *reader,
                                      const struct fh_accelsim_kernel **kernel);
/* From now on another table serves. */
void fh_accelsim_reader_table(struct fh_accelsim_reader *reader, struct fh_accelsim_table *table);
/* The next block; *more is false behind the last one, where the file has ended. */
fhec_status fh_accelsim_reader_block(struct fh_accelsim_reader *reader,
                                     struct fh_accelsim_block *block, bool *more);
/* Passes over the next block without a look at its warps. */
fhec_status fh_accelsim_reader_skip(struct fh_accelsim_reader *reader);
const char *fh_accelsim_reader_why(const struct fh_accelsim_reader *reader);

/* A line of a list of commands, without its end. */
struct fh_accelsim_command {
    enum { FH_ACCELSIM_NOTHING, FH_ACCELSIM_HOST_COPY, FH_ACCELSIM_LAUNCH } kind;
    uint64_t address, bytes; /* of a copy to the device */
};
/* NULL, or what is wrong with the line. */
const char *fh_accelsim_command(const char *line, size_t length,
                                struct fh_accelsim_command *command);

#endif
