/*
 * select.h - which records of a trace are wanted: those that satisfy what is said of every subject
 * about which something is said, by one of the ways in which it is said.
 */
#ifndef FH_TRACE_SELECT_H
#define FH_TRACE_SELECT_H

#include "record.h"

enum fh_trace_subject {
    FH_TRACE_BY_PC,       /* 40,60-a0: hexadecimal */
    FH_TRACE_BY_LINE,     /* 12, add.sass:12-20: where the instruction was written */
    FH_TRACE_BY_REGISTER, /* R4-R7,UR3,P0: written, or read where that is recorded */
    FH_TRACE_BY_LANE,     /* 0,5-7: one of them executes */
    FH_TRACE_BY_WARP,     /* 0,2-3: of its block */
    FH_TRACE_BY_BLOCK,    /* 0,7-9: of the grid, counted x first */
    FH_TRACE_BY_OPCODE,   /* IMAD,LDG.E: the mnemonic, or what it begins with up to a dot */
    FH_TRACE_BY_MEMORY,   /* a[3], a:u64[0-7], shared[16], 0x7f0000000040-0x7f000000004f */
    FH_TRACE_BY_KERNEL,   /* mad,add */
    FH_TRACE_BY_LAUNCH,   /* 1,3-4 */
    FH_TRACE_SUBJECTS,
};

/* Numbers from first to last. */
struct fh_trace_range {
    uint64_t first, last;
    const char *file;      /* of lines: the end of its name; "": any */
    fhec_register_file of; /* of registers */
    const char *name;      /* of opcodes, kernels, memory: buffer or space; "": addresses */
    unsigned width;        /* of memory: bytes of an element; 0: all of it */
};

struct fh_trace_select {
    struct fh_trace_range *ranges[FH_TRACE_SUBJECTS];
    size_t counts[FH_TRACE_SUBJECTS], rooms[FH_TRACE_SUBJECTS];
    char **strings;
    size_t string_count, string_room;
};

/* Adds what `text` says of the subject, a list with commas. NULL, or what was expected instead. */
const char *fh_trace_select_add(struct fh_trace_select *select, enum fh_trace_subject subject,
                                const char *text);
void fh_trace_select_free(struct fh_trace_select *select);

/* Whether nothing is said of any subject, or one of the ranges holds the number. */
bool fh_trace_select_holds(const struct fh_trace_select *select, enum fh_trace_subject subject,
                           uint64_t number);
/* The lanes that are asked for. */
uint32_t fh_trace_select_lanes(const struct fh_trace_select *select);

/* Whether records of the instruction can be wanted, as far as that follows from where it is and
 * what it is. */
bool fh_trace_select_instruction(const struct fh_trace_select *select, const fhec_launch *launch,
                                 uint64_t pc, fhec_word word);
/* Whether the launch, an index in the names, and its kernel are wanted. */
bool fh_trace_select_launch(const struct fh_trace_select *select,
                            const struct fh_trace_names *names, uint32_t launch);
/* Whether the instruction's block, warp and lanes are wanted. */
bool fh_trace_select_warp(const struct fh_trace_select *select, const struct fh_trace_names *names,
                          const struct fh_trace_record *record);
/* Whether the record is wanted. Faults are, and launches of kernels that are. */
bool fh_trace_selected(const struct fh_trace_select *select, struct fh_trace_names *names,
                       const struct fh_trace_record *record);

#endif
